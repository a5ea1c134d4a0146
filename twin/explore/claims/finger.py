"""A finger on a ghost: what rule D3 forbids, and whom else it would have changed.

The finger holds one ghost still where it stands in the floor frame while the board turns, or the slider moves, under
it: on the reference engine that ghost becomes a disc that nothing can move. A finger presses down, it does not lift:
where the board turns away from under the ghost, it falls all the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.physics.drive import plan
from twin.physics.reference import Run

if TYPE_CHECKING:
    from twin.explore.hunt.cases import Case
    from twin.outcome.engine import Outcome, Twin
    from twin.physics.trace import Trace

HELD_MASS: Final = 1e9
"""Mass of a ghost under a finger, g: the pull of a magnet moves it by less than a micrometre in a move."""

FIRM: Final = 0.1
"""A ghost under a finger that has moved farther than this was not held, mm."""


@dataclass(frozen=True)
class Finger:
    """One move with a finger on one ghost, held against the same move left alone."""

    pinned: str
    drift: float
    """How far the pinned ghost was moved while it stood on the board, mm."""
    fates: tuple[str, ...]
    """The other ghosts whose fate or covered spaces differ."""
    covers: tuple[str, ...]
    """Those of them that end on other spaces, or on the board instead of off it."""


def pinned_trace(case: Case, twin: Twin, colour: str) -> Trace:
    """The case's move with a finger on one ghost."""
    run = Run(case.state, twin.machine, plan(case.state, case.move, twin.machine, case.hand))
    body = next(ghost.body for ghost in run.world.ghosts if ghost.colour == colour)
    body.mass = HELD_MASS
    body.moment = math.inf
    return run.trace()


def lay_finger(case: Case, twin: Twin, colour: str, free: Outcome | None = None) -> Finger:
    """Compare a move by the nominal hand with the same move with a finger on one ghost."""
    free = twin.act(case.state, case.move, case.hand, sensitivity=False) if free is None else free
    trace = pinned_trace(case, twin, colour)
    held = dict(twin.read(trace, case.state, case.move, case.hand).key)
    others = [(other, ghost) for other, ghost in free.ghosts if other != colour]
    fates = tuple(other for other, ghost in others if held[other] != ghost.key)
    moved = tuple(
        other
        for other, ghost in others
        if held[other][1] != ghost.covers or (held[other][0] == "fell") != (ghost.place is None)
    )
    return Finger(colour, drift(trace, colour), fates, moved)


def drift(trace: Trace, colour: str) -> float:
    """How far a ghost was ever from where it started while it stood on the board (floor frame, mm)."""
    path = trace.poses[:, trace.ghosts.index(colour), :2]
    start = path[0]
    return max((math.dist(place, start) for place in path if math.isfinite(place[0])), default=0.0)
