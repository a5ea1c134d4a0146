"""Saved games held against what the rules can lead to: whatever no game can come to is refused, with its field."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from twin.board.castle import GARMENT_CODES, PARTS
from twin.board.state import State, validate_state
from twin.errors import BadInputError
from twin.game.cards import part_of
from twin.game.positions import MOVE, MOVES_A_TURN, OVER, PLACE, RETURN, Game, Pending
from twin.game.rules import joint, may_search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twin.board.machine import Machine

_CLOSE: Final = 1e-9
"""In spaces; what rounding can do to a centre."""


def scrutinise(game: Game, machine: Machine) -> None:
    """Raise `BadInputError` with the first field that cannot be so, and what would be right."""
    _validate(game.board, machine, "board")
    if not (game.options.as_is or all(_is_centred(value, machine) for _, spot in game.board.ghosts for value in spot)):
        raise BadInputError("cannot be so in any game: ghosts stand on centres of spaces (G7)", field="board.ghosts")
    for field, right, wrong in _claims(game):
        if wrong:
            raise BadInputError(f"cannot be so in any game: {right}", field=field)
    if game.pending is not None:
        _scrutinise_pending(game, game.pending, machine)
    elif game.phase == MOVE and game.moves == MOVES_A_TURN and not may_search(game, machine):
        raise BadInputError("cannot be so in any game: a turn without a search ends here (T5)", field="moves")


def _claims(game: Game) -> Iterator[tuple[str, str, bool]]:
    """What must hold of cards and turns: field, claim, and whether it is broken."""
    seats = len(game.options.players)
    piles = (*game.decks, *game.owned)
    cards = sorted(card for pile in piles for card in pile)
    yield "decks", "decks and hands hold each of the 20 cards once", cards != sorted(GARMENT_CODES)
    yield "decks", "a deck has one card of each back at most (S5)", any(map(_doubled, game.decks))
    yield "owned", "nobody has two garments for one body part (Q6)", any(map(_doubled, game.owned))
    known = [(cards, deck) for row in game.seen for cards, deck in zip(row, game.decks, strict=True)]
    wrong = any(cards is not None and cards != set(deck) for cards, deck in known)
    yield "seen", "who has looked into a deck knows its cards, just these", wrong
    yield "seat", "play goes round from the first player (S6)", game.seat != (game.turn - 1) % seats
    most = MOVES_A_TURN * (game.turn - 1) + game.moves
    yield "chance", f"{most} moves at most were made so far", game.chance > most
    yield "phase", "ghosts wait to be placed in this phase only", (game.phase == PLACE) != (game.pending is not None)
    yield "moves", "ghosts are placed after a move", game.phase == PLACE and game.moves == 0
    yield "searched", "a deck is in hand in this phase only", (game.phase == RETURN) != (game.searched is not None)
    unseen = game.searched is not None and game.seen[game.seat][game.searched] is None
    yield "seen", "the deck in hand has been looked into", unseen
    dressed = [seat for seat in range(seats) if len(game.owned[seat]) == len(PARTS)]
    yield "winner", "whoever has all five parts has won (E1)", dressed != ([] if game.winner is None else [game.winner])
    yield "phase", "a game that is won is over (E1)", game.winner is not None and game.phase != OVER
    lasts = game.turn < game.options.max_turns and any(map(game.can_finish, range(seats)))
    yield "phase", "this game can go on", game.phase == OVER and game.winner is None and lasts


def _scrutinise_pending(game: Game, pending: Pending, machine: Machine) -> None:
    """A choice there must be, and the sliders must be somewhere."""
    _validate(State(pending.orientation, game.board.ghosts, pending.sliders), machine, "pending")
    ways = joint(pending)
    if len(ways) < 2:
        raise BadInputError("cannot be so in any game: there is no choice", field="pending.options")
    if pending.still and not game.options.as_is:
        raise BadInputError("cannot be so in any game: ghosts stand on centres (G7)", field="pending.still")
    for colour, spot in pending.still:
        on_it = State(pending.orientation, ((colour, spot),), pending.sliders)
        _validate(on_it, machine, "pending.still")


def _validate(state: State, machine: Machine, field: str) -> None:
    try:
        validate_state(state, machine)
    except BadInputError as error:
        raise error.within(field=field) from None


def _is_centred(value: float, machine: Machine) -> bool:
    return math.isclose(value / machine.space, round(value / machine.space), abs_tol=_CLOSE)


def _doubled(cards: tuple[str, ...]) -> bool:
    return len(set(map(part_of, cards))) != len(cards)
