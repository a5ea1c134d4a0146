"""What a player can do, in the grammar of moves and a few words more.

turn cw · push A north · drag red north · relocate A 2 -1 [flip] · search 2 · stop · place red c5 ·
keep · top face · put 3
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from twin.board.castle import PARTS
from twin.board.moves import GRAMMAR, Move, parse_move
from twin.board.state import COLOURS, parse_space
from twin.errors import BadInputError
from twin.game.cards import DECKS

WORDS: Final = f"{GRAMMAR} · search 1…{DECKS} · stop · place GHOST SPACE · keep · top PART · put 1…{DECKS}"


@dataclass(frozen=True)
class Search:
    """Look for the garment under the ghost in one deck (Q2)."""

    deck: int
    """Its place on the table, from 1."""

    def __str__(self) -> str:
        return f"search {self.deck}"


@dataclass(frozen=True)
class Stop:
    """Make no more moves, and do not search (T1, T2, G8)."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True)
class Put:
    """Put one ghost clearly onto a space (D4, D5)."""

    ghost: str
    space: str

    def __str__(self) -> str:
        return f"place {self.ghost} {self.space}"


@dataclass(frozen=True)
class GiveBack:
    """Put the searched deck back (Q5), with another card on top if `top` names its part, to another place in Q8."""

    top: str | None = None
    place: int | None = None

    def __str__(self) -> str:
        if self.place is not None:
            return f"put {self.place}"
        return "keep" if self.top is None else f"top {self.top}"


Action = Move | Search | Stop | Put | GiveBack


def parse_action(text: str) -> Action:  # noqa: PLR0911 - one per word
    """Read an action as people write it.

    >>> parse_action("place red c5")
    Put(ghost='red', space='c5')
    """
    match text.split():
        case ["stop"]:
            return Stop()
        case ["keep"]:
            return GiveBack()
        case ["search", deck]:
            return Search(_deck(deck))
        case ["put", place]:
            return GiveBack(place=_deck(place))
        case ["top", part] if part in PARTS:
            return GiveBack(top=part)
        case ["place", ghost, space] if ghost in COLOURS:
            return Put(ghost, parse_space(space))
        case ["turn" | "push" | "drag" | "relocate", *_]:
            return parse_move(text)
    raise BadInputError(f"an action must be one of: {WORDS}; got {text[:80]!r}", field="action")


def _deck(word: str) -> int:
    if word not in {str(number) for number in range(1, DECKS + 1)}:
        raise BadInputError(f"a deck must be 1 to {DECKS}; got {word!r}", field="action")
    return int(word)
