"""What a scene expects of a move, and why: claims that are checked against the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from twin.board.grid import SPACES
from twin.board.moves import Drag, Move, Push, Relocate, parse_move
from twin.errors import BadInputError, shown
from twin.files import typed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.state import State

FATES: Final = ("fell", "blocked", "shoved", "caught", "carried", "held", "left", "rode", "stayed", "dragged")
"""What can become of a ghost in a move; if several apply, the first in this order."""


@dataclass(frozen=True)
class Expectation:
    """What a move is expected to do, and why. What is None, or not named, is not claimed."""

    move: Move
    because: str
    fates: tuple[tuple[str, str], ...] = ()
    covers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Spaces each ghost covers afterwards; none for a ghost that is off the board."""
    broken: tuple[str, ...] | None = None
    conflict: bool | None = None
    chancy: bool | None = None
    """True: fewer than 95 % of hands end alike; then the rest is claimed for the nominal hand alone. False: sure."""


CLAIMS: Final = ("broken", "chancy", "conflict", "covers", "fates")


def parse_expectation(item: Mapping[str, Any], where: str, state: State) -> Expectation:
    """One `[[expect]]` table; errors name the field within `where`."""
    for key in sorted(item.keys() - {*CLAIMS, "move", "because"}):
        problem = f"unknown key; an expectation has move, because and any of {', '.join(CLAIMS)}"
        raise BadInputError(problem, field=f"{where}.{key}")
    for key in ("move", "because"):
        if key not in item:
            problem = "is missing; an expectation has a move and a because"
            raise BadInputError(problem, field=f"{where}.{key}")
    if not item.keys() & set(CLAIMS):
        problem = f"an expectation must claim something: any of {', '.join(CLAIMS)}"
        raise BadInputError(problem, field=where)
    try:
        return Expectation(
            _move(item, state),
            typed(item, "because", str, ""),
            _fates(item, state),
            _covers(item, state),
            _broken(item),
            typed(item, "conflict", bool, default=False) if "conflict" in item else None,
            typed(item, "chancy", bool, default=False) if "chancy" in item else None,
        )
    except BadInputError as error:
        raise error.within(field=where) from None


def _move(item: Mapping[str, Any], state: State) -> Move:
    move = parse_move(typed(item, "move", str, ""))
    match move:
        case Push(slider) | Relocate(slider):
            state.slider(slider)
        case Drag(ghost) if ghost not in state.colours:
            raise BadInputError(f"a dragged ghost must be one of the scene's; got {shown(ghost)}", field="move")
    return move


def _fates(item: Mapping[str, Any], state: State) -> tuple[tuple[str, str], ...]:
    fates = _claims(item, "fates", state)
    for colour, fate in fates.items():
        if not isinstance(fate, str) or fate not in FATES:
            raise BadInputError(f"a fate must be one of {', '.join(FATES)}; got {shown(fate)}", field=f"fates.{colour}")
    return tuple(sorted(fates.items()))


def _covers(item: Mapping[str, Any], state: State) -> tuple[tuple[str, tuple[str, ...]], ...]:
    covers = _claims(item, "covers", state)
    for colour, spaces in covers.items():
        if not isinstance(spaces, list) or not all(isinstance(s, str) and s in SPACES for s in spaces):
            problem = f"must be a list of spaces, empty if the ghost is off the board; got {shown(spaces)}"
            raise BadInputError(problem, field=f"covers.{colour}")
    return tuple(sorted((colour, tuple(sorted(spaces))) for colour, spaces in covers.items()))


def _broken(item: Mapping[str, Any]) -> tuple[str, ...] | None:
    if "broken" not in item:
        return None
    broken = typed(item, "broken", list, [])
    if not all(isinstance(rule, str) for rule in broken):
        raise BadInputError(f"must be a list of rule numbers; got {shown(broken)}", field="broken")
    return tuple(broken)


def _claims(item: Mapping[str, Any], key: str, state: State) -> dict[str, Any]:
    table: dict[str, Any] = typed(item, key, dict, {})
    for colour in table:
        if colour not in state.colours:
            problem = f"must be one of the scene's ghosts {', '.join(state.colours)}"
            raise BadInputError(problem, field=f"{key}.{colour}")
    return table
