"""The table as all players see it: as text, as a picture in pixels, or in a window for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.board.state import State
from twin.environment.screen import show
from twin.game.cards import back_on_top
from twin.reports.board_text import LEGEND, Paint, board_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.game.positions import Game
    from twin.game.rules import Event

MODES: Final = ("human", "ansi", "rgb_array")


def render(
    game: Game, machine: Machine, mode: str | None, event: Event | None = None
) -> NDArray[np.uint8] | str | None:
    """What a render mode asks for; no hidden card is in it. Nothing without a mode."""
    if mode is None:
        return None
    if mode == "ansi":
        return table_text(game, machine, Paint(coloured=False), event)
    from twin.environment.picture import draw

    picture = draw(game, board_now(game, machine), machine)
    if mode == "rgb_array":
        return picture
    show(picture)
    return None


def board_now(game: Game, machine: Machine) -> State:
    """The board as it lies; without the ghosts that are still to be placed."""
    pending = game.pending
    if pending is None:
        return game.board
    settled = {colour: spaces[0] for colour, spaces in pending.options if len(spaces) == 1}
    ghosts = {colour: place for colour, place in game.board.ghosts if colour in settled}
    turned = State.of(pending.orientation, ghosts, pending.sliders).on_spaces(settled, machine.space)
    return State.of(pending.orientation, turned.places | dict(pending.still), pending.sliders)


def table_text(game: Game, machine: Machine, paint: Paint, event: Event | None = None) -> str:
    """Board, cards and decks as lines of text."""
    over = "the game is over" if game.is_over else f"{game.current_player} to play, moves left: {game.moves_left}"
    lines = [f"Turn {game.turn}: {over}, phase {game.phase}"]
    if event is not None:
        lines.append(f"{game.options.players[event.seat]}: {event.action}")
    if game.pending is not None:
        options = dict(game.pending.options)
        lines.append("to be placed: " + "; ".join(f"{c} on {' or '.join(s)}" for c, s in options.items() if len(s) > 1))
    lines += [line.rstrip() for line in board_lines(board_now(game, machine), machine, paint)]
    lines.append(paint(LEGEND, "dim"))
    names = machine.castle.legend()
    for colour, cards in zip(game.options.players, game.owned, strict=True):
        lines.append(f"{paint(colour, colour)}: {', '.join(names[card] for card in cards) or 'nothing yet'}")
    decks = [f"{back_on_top(deck) or 'empty'} ({len(deck)})" for deck in game.decks]
    lines.append(f"decks: {' · '.join(decks)}")
    if game.winner is not None:
        lines.append(f"{game.options.players[game.winner]} wins")
    return "\n".join(lines) + "\n"
