"""Which rules forbid a move, by number. What needs a simulation (B6) is added by the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from twin.board.grid import PLUG_SPACE, SIDE, centre, neighbour, space_at, to_board
from twin.board.moves import Drag, Move, Push, Relocate, Turn
from twin.board.state import MAX_OFFSET, TOUCH_TOLERANCE, covers, home_space
from twin.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.board.machine import Machine
    from twin.board.state import State


@dataclass(frozen=True)
class Verdict:
    """What the rules say of a move."""

    broken: tuple[str, ...]
    """Numbers of the rules that forbid it, sorted; none if it is allowed."""
    reasons: tuple[str, ...]
    """A sentence for each."""
    feasible: bool
    """Whether physics can do it at all; a slider cannot go where none fits."""

    def taking_off(self, ghosts: Sequence[str] = ()) -> Verdict:
        """The verdict on a push that takes ghosts off the board with the nominal hand, which B6 forbids as well."""
        found = dict(zip(self.broken, self.reasons, strict=True))
        found["B6"] = f"the push would take {' and '.join(ghosts) or 'a ghost'} off the board"
        return Verdict(tuple(sorted(found)), tuple(found[rule] for rule in sorted(found)), self.feasible)


def judge(state: State, move: Move, machine: Machine) -> Verdict:
    """Check a move against A1 to A5, B1, B5, C1 to C3 and D1.

    Raises `BadInputError` for a slider, ghost or tunnel that does not exist: that is no move at all.
    """
    found: dict[str, str] = {}
    feasible = True
    match move:
        case Turn():
            pass  # D1: a quarter turn either way is never barred, and no other turn can be written
        case Push(slider):
            offset = state.slider(slider).offset + move.step  # B1: exactly one segment, no other push can be written
            if abs(offset) > MAX_OFFSET:
                found["B5"] = f"both hatched segments of {slider} show already: it must not be pulled out farther"
                feasible = False
        case Drag():
            found = _drag(state, move, machine)
        case Relocate():
            found, feasible = _relocate(state, move, machine)
    return Verdict(tuple(sorted(found)), tuple(found[rule] for rule in sorted(found)), feasible)


def corridor(tunnel: int, orientation: int, machine: Machine) -> tuple[str, ...]:
    """The seven spaces that lie over a tunnel now."""
    return _column(machine.columns[tunnel - 1] - 4, orientation)


@lru_cache(maxsize=64)
def _column(column: int, orientation: int) -> tuple[str, ...]:
    """The spaces over a column of the floor (counted from the plug), from south to north."""
    found = []
    for row in range(-(SIDE // 2), SIDE // 2 + 1):
        x, y = to_board((float(column), float(row)), orientation)
        found.append(space_at(round(x), round(y)) or "")
    return tuple(found)


def standing_on(tunnel: int, state: State, machine: Machine) -> tuple[str, ...]:
    """The ghosts that stand anywhere on a tunnel's corridor: any space that they cover counts."""
    spaces = set(corridor(tunnel, state.orientation, machine))
    return tuple(colour for colour in state.colours if spaces & set(covers(state, colour, machine)))


def _drag(state: State, move: Drag, machine: Machine) -> dict[str, str]:
    if move.ghost not in state.colours:
        raise BadInputError(
            f"a dragged ghost must be one of {', '.join(state.colours)}; got {move.ghost!r}", field="move"
        )
    here = home_space(state, move.ghost, machine)
    there = neighbour(here, move.direction, state.orientation)
    if there is None:
        return {"A1": f"there is no space {move.direction} of {here}: the board ends there"}
    found = {}
    if machine.castle.wall_between(here, there):
        found["A2"] = f"there is a wall between {here} and {there}"
    if there == PLUG_SPACE:
        found["A4"] = f"the plug stands on {there}"
    target = centre(there, machine.space, state.orientation)
    for colour, place in state.ghosts:
        if colour == move.ghost:
            continue
        if there in covers(state, colour, machine) or _in_the_way(state.places[move.ghost], target, place, machine):
            found["A5"] = f"{colour} is in the way on {there}"
    return found


def _in_the_way(
    start: tuple[float, float], target: tuple[float, float], place: tuple[float, float], machine: Machine
) -> bool:
    """Whether the straight path of a dragged foot runs into another foot."""
    dx, dy = target[0] - start[0], target[1] - start[1]
    length2 = dx * dx + dy * dy
    if length2 == 0.0:
        return False
    share = ((place[0] - start[0]) * dx + (place[1] - start[1]) * dy) / length2
    if share <= 0.0:
        return False  # it moves away from that one
    share = min(share, 1.0)
    x, y = start[0] + share * dx - place[0], start[1] + share * dy - place[1]
    return x * x + y * y < (2.0 * machine.radius - TOUCH_TOLERANCE) ** 2


def _relocate(state: State, move: Relocate, machine: Machine) -> tuple[dict[str, str], bool]:
    before = state.slider(move.slider)
    if not 1 <= move.tunnel <= len(machine.tunnels):
        raise BadInputError(f"a tunnel must be 1 to {len(machine.tunnels)}; got {move.tunnel}", field="move")
    found: dict[str, str] = {}
    feasible = True
    ghosts = standing_on(before.tunnel, state, machine)
    if ghosts:
        found["C1"] = (
            f"{' and '.join(ghosts)} on the corridor above tunnel {before.tunnel}, which {move.slider} would leave"
        )
    taken = next((s.name for s in state.sliders if s.tunnel == move.tunnel), None)
    if taken is not None:
        found["C2"] = f"tunnel {move.tunnel} is not another, free one: {taken} is in it"
        feasible = False
    else:
        ghosts = standing_on(move.tunnel, state, machine)
        if ghosts:
            found["C2"] = f"{' and '.join(ghosts)} on the corridor above tunnel {move.tunnel}"
    if abs(move.offset) > MAX_OFFSET:
        found["C3"] = f"a slider ends at an offset of -{MAX_OFFSET} to {MAX_OFFSET}, not {move.offset}"
        feasible = False
    return found, feasible
