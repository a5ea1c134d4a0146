"""What can be seen of a game, as short text: by all players, and by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.board.state import home_space
from twin.environment.render import board_now
from twin.game.cards import back_on_top
from twin.game.positions import RETURN

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.game.positions import Game


def board_text(game: Game, machine: Machine) -> str:
    """Board, ghosts, sliders and backs of decks, on one line; ghosts to be placed with the spaces they can go to."""
    board = board_now(game, machine)
    where = {colour: home_space(board, colour, machine) for colour in board.colours}
    if game.pending is not None:
        where |= {colour: "|".join(spaces) for colour, spaces in game.pending.options if len(spaces) > 1}
    ghosts = " ".join(f"{colour}={where[colour]}" for colour in game.options.players)
    sliders = " ".join(f"{s.name}{s.tunnel}{s.offset:+d}{'f' if s.flipped else ''}" for s in board.sliders)
    decks = " ".join(f"{back_on_top(deck) or 'empty'}:{len(deck)}" for deck in game.decks)
    return f"board {board.orientation}, {ghosts}, {sliders}, decks {decks}"


def public_text(game: Game, machine: Machine) -> str:
    """All that every player can see."""
    over = "over" if game.is_over else f"{game.current_player} to play, {game.moves_left} moves left, {game.phase}"
    owned = ", ".join(
        f"{colour}: {' '.join(cards) or '-'}" for colour, cards in zip(game.options.players, game.owned, strict=True)
    )
    held = "" if game.searched is None else f"\ndeck {game.searched + 1} is searched"
    return f"turn {game.turn}, {over}\n{board_text(game, machine)}\n{owned}{held}"


def private_text(game: Game, seat: int) -> str:
    """What one seat alone knows: the cards of decks that it has looked into, and the order of the one in its hand."""
    known = [
        f"deck {place}: {' '.join(sorted(cards))}"
        for place, cards in enumerate(game.seen[seat], start=1)
        if cards is not None
    ]
    if game.phase == RETURN and game.seat == seat and game.searched is not None:
        known.append(f"in hand: {' '.join(game.decks[game.searched])}")
    return f"player {seat} knows {'; '.join(known) or 'nothing'}"
