"""What happened in one move: poses over time, contacts, crossings and warnings, as one immutable value."""

from __future__ import annotations

import hashlib
import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from twin.board.grid import Place, cell_index, space_at
from twin.physics.laws import first_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from twin.board.castle import Castle

PLUG: Final = "plug"
WALL: Final = "wall"
WARNINGS: Final = {
    "lifted": "magnets lift it off the board, which a flat model cannot follow",
    "tipping": "it is pushed hard enough to tip over its edge",
    "topple": "the pull on its foot would tip it over",
    "unsettled": "it still moves when the wait for rest is over",
}
"""What a flat model cannot represent, or that ended otherwise than it should."""

CHUNK: Final = 5
"""Frames that go into one checkpoint of a trace's hash: 50 ms at the usual frame rate."""

COLUMNS: Final = (
    *("time_s", "board_rad", "ghost", "x_mm", "y_mm", "angle_rad", "vx_mm_s", "vy_mm_s", "spin_rad_s"),
    *("magnet_x_uN", "magnet_y_uN", "normal_uN", "contact_uN", "kinetic_nJ", "magnetic_nJ"),
)
"""Columns of a trace written as a table, with their units."""


class Contact(NamedTuple):
    """A ghost began to touch another, the plug or a wall."""

    time: float
    ghost: str
    other: str


class Crossing(NamedTuple):
    """A ghost's centre passed over a printed wall, from one space to the next."""

    time: float
    ghost: str
    from_space: str
    to_space: str


class Caveat(NamedTuple):
    """Something that a flat model cannot represent, or that ended otherwise than it should."""

    kind: str
    """`lifted`, `tipping`, `topple` or `unsettled`."""
    ghost: str
    time: float
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.ghost} at {self.time:.3f} s: {self.text}"


@dataclass(frozen=True, eq=False)
class Trace:
    """One run of one move. Arrays are read-only; F frames, G ghosts in the order of `ghosts`.

    Once a ghost has fallen its numbers are NaN. Two traces are equal if their digests are.
    """

    ghosts: tuple[str, ...]
    times: NDArray[np.float64]
    """(F,) s."""
    board: NDArray[np.float64]
    """(F,) angle of the board in the floor frame, radians, mathematically positive."""
    poses: NDArray[np.float64]
    """(F, G, 3) x, y (floor frame, mm) and angle (radians)."""
    velocities: NDArray[np.float64]
    """(F, G, 3) mm/s, mm/s, radians/s."""
    forces: NDArray[np.float64]
    """(F, G, 4) magnets' pull in x and y, normal force, force of contacts; µN."""
    slips: tuple[float, ...]
    """Length of each foot's path over the board, mm."""
    slip_times: tuple[float | None, ...]
    """When each foot first slipped, s."""
    fallen: tuple[float | None, ...]
    """When each ghost fell, s."""
    contacts: tuple[Contact, ...]
    crossings: tuple[Crossing, ...]
    warnings: tuple[Caveat, ...]
    lifted: tuple[bool, ...]
    """Whether the last normal force was zero, or a repelling magnet lifted the ghost on its way."""

    def __eq__(self, other: object) -> bool:
        return self is other or (self.digest() == other.digest() if isinstance(other, Trace) else NotImplemented)

    def __hash__(self) -> int:
        return hash(self.digest())

    def final(self, ghost: str) -> Place | None:
        """Where a ghost ends (floor frame, mm); None once fallen."""
        index = self.ghosts.index(ghost)
        if self.fallen[index] is not None:
            return None
        return float(self.poses[-1, index, 0]), float(self.poses[-1, index, 1])

    def touched(self, ghost: str) -> tuple[str, ...]:
        """Whom and what a ghost touched, sorted."""
        return tuple(sorted({c.other for c in self.contacts if c.ghost == ghost}))

    def checkpoints(self) -> tuple[str, ...]:
        """A short hash for every `CHUNK` frames, each over all that came before: where two runs part company first."""
        digest = hashlib.sha256(",".join(self.ghosts).encode())
        marks = []
        for start in range(0, len(self.times), CHUNK):
            part = slice(start, start + CHUNK)
            for array in (self.times, self.board, self.poses, self.velocities):
                digest.update(np.ascontiguousarray(array[part], dtype="<f8").tobytes())
            marks.append(digest.hexdigest()[:8])
        return tuple(marks)

    def digest(self) -> str:
        """A hash of the whole run: equal bytes of everything that a trace holds."""
        digest = hashlib.sha256("".join(self.checkpoints()).encode())
        digest.update(np.ascontiguousarray(self.forces, dtype="<f8").tobytes())
        digest.update(bytes(self.lifted))
        for event in (*self.contacts, *self.crossings, *self.warnings):
            for item in event:
                digest.update(struct.pack("<d", item) if isinstance(item, float) else str(item).encode())
        for value in (*self.slips, *self.slip_times, *self.fallen):
            digest.update(struct.pack("<d", math.nan if value is None else value))
        return digest.hexdigest()


def frozen(values: object) -> NDArray[np.float64]:
    """A read-only array."""
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


def wall_crossings(
    ghost: str, times: Iterable[float], path: Iterable[Place], castle: Castle, size: float
) -> tuple[Crossing, ...]:
    """The walls that a path of the board frame passes over, in order of time.

    Straight from point to point; each grid line that is passed between two points counts if there is a wall in it. A
    path that runs over a crossing of lines is taken to pass the line that it meets first.
    """
    found: list[Crossing] = []
    previous: tuple[float, float, float] | None = None
    where: tuple[int, int] | None = None
    for time, (x, y) in zip(times, path, strict=True):
        if not math.isfinite(x):
            break
        here = _cell(x, y, size)
        if previous is not None and here != where:
            found += _passed(ghost, previous, (time, x, y), castle, size)
        previous, where = (time, x, y), here
    return tuple(found)


def _passed(
    ghost: str, start: tuple[float, float, float], end: tuple[float, float, float], castle: Castle, size: float
) -> list[Crossing]:
    """Walk from the cell of one point to the cell of the next, over the line that comes first, and note the walls."""
    found = []
    (_, ax, ay), (_, bx, by) = start, end
    here, goal = _cell(ax, ay, size), _cell(bx, by, size)
    while here != goal:
        axis, share = first_line(here, goal, (ax, ay), (bx, by), size)
        one = space_at(*here)
        step = 1 if goal[axis] > here[axis] else -1
        here = (here[0] + step, here[1]) if axis == 0 else (here[0], here[1] + step)
        other = space_at(*here)
        if one is not None and other is not None and castle.wall_between(one, other):
            found.append(Crossing(start[0] + share * (end[0] - start[0]), ghost, one, other))
    return found


def _cell(x: float, y: float, size: float) -> tuple[int, int]:
    return cell_index(x, size), cell_index(y, size)


def rows(trace: Trace, energies: NDArray[np.float64]) -> Iterator[dict[str, str | float]]:
    """The trace as a table, one row per frame and ghost; `energies` is (F, G, 2), kinetic and magnetic, nJ."""
    for frame, time in enumerate(trace.times):
        for index, ghost in enumerate(trace.ghosts):
            numbers = (
                *trace.poses[frame, index],
                *trace.velocities[frame, index],
                *trace.forces[frame, index],
                *energies[frame, index],
            )
            if math.isfinite(numbers[0]):
                values: list[str | float] = [float(time), float(trace.board[frame]), ghost, *map(float, numbers)]
                yield dict(zip(COLUMNS, values, strict=True))
