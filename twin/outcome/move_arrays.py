"""Moves as arrays: positions, slider settings, moves and hands of N moves on one machine, checked once.

    from twin import MoveArrays, load_machine
    moves = MoveArrays(load_machine(), spaces=spaces, sliders=sliders, moves=moves)
    for outcomes in moves.outcomes(100_000): ...

Nothing is kept but the arrays that were given, so ten million moves whose ghosts are given as spaces take 150 MB.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from twin.board.grid import PLUG_SPACE, SIDE, SPACES, centre
from twin.board.state import COLOURS, MAX_OFFSET, TOUCH_TOLERANCE
from twin.errors import BadInputError
from twin.outcome.many import simulate_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from twin.board.machine import Machine
    from twin.outcome.outcomes import Outcomes
    from twin.physics.kernel.jobs import Jobs

CHUNK: Final = 100_000
"""Moves that are run at once."""
_PLUG: Final = SPACES.index(PLUG_SPACE)
_WARPS: Final = 3


def move_names(machine: Machine) -> tuple[str, ...]:
    """The turns and pushes of a machine in the order of their numbers in `MoveArrays.moves`.

    >>> from twin.board.machine import load_machine
    >>> move_names(load_machine())[:4]
    ('turn cw', 'turn ccw', 'push A north', 'push A south')
    """
    pushes = (f"push {name} {way}" for name in sorted(machine.sliders) for way in ("north", "south"))
    return ("turn cw", "turn ccw", *pushes)


@dataclass(frozen=True, eq=False)
class MoveArrays:
    """N turns and pushes on one machine, as arrays of numbers.

    Ghosts stand on spaces or at places, one of the two; columns are the ghosts in the order of
    `twin.board.state.COLOURS`. A `BadInputError` names the array and the row that cannot be.
    """

    machine: Machine
    moves: NDArray[np.integer[Any]]
    """(N,) numbers of moves, as `move_names` lists them."""
    sliders: NDArray[np.integer[Any]]
    """(N, S, 3) tunnel (from 1), offset, flipped (0 or 1); sliders sorted by name. (S, 3) holds for all moves."""
    spaces: NDArray[np.integer[Any]] | None = None
    """(N, 4) spaces of the board as `twin.board.grid.SPACES` numbers them; -1 for a ghost that is not there."""
    places: NDArray[np.floating[Any]] | None = None
    """(N, 4, 2) places in the floor frame, mm; NaN for a ghost that is not there."""
    orientation: NDArray[np.integer[Any]] | None = None
    """(N,) clockwise quarter turns of the board before the move; 0 if it is left out."""
    hands: NDArray[np.floating[Any]] | None = None
    """(N, 5) pace, three amplitudes of the warp, misalignment (radians); the nominal hand if it is left out."""
    shifts: NDArray[np.floating[Any]] | None = None
    """(N, 4, 2) by how much the hand finds each ghost displaced (mm), ghosts sorted by place (x, then y); or none."""

    def __post_init__(self) -> None:
        if (self.spaces is None) == (self.places is None):
            raise BadInputError("ghosts must be given by either spaces or places", field="spaces")
        size = len(np.atleast_1d(self.moves))
        count = len(self.machine.sliders)
        shapes: dict[str, tuple[int, ...]] = {"moves": (size,), "orientation": (size,), "spaces": (size, len(COLOURS))}
        shapes |= {"places": (size, len(COLOURS), 2), "hands": (size, 2 + _WARPS), "shifts": (size, len(COLOURS), 2)}
        shapes["sliders"] = (count, 3) if np.ndim(self.sliders) == 2 else (size, count, 3)
        for name, shape in shapes.items():
            given = getattr(self, name)
            if given is not None:
                kind = "f" if name in {"places", "hands", "shifts"} else "i"
                object.__setattr__(self, name, _array(given, shape, kind, name))
        for first in range(0, size, CHUNK):
            self._check(slice(first, min(first + CHUNK, size)), first)

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, rows: slice) -> MoveArrays:
        """Some of the moves; nothing is checked again or copied."""
        some = object.__new__(MoveArrays)
        for name in ("moves", "spaces", "places", "orientation", "hands", "shifts"):
            given = getattr(self, name)
            object.__setattr__(some, name, None if given is None else given[rows])
        object.__setattr__(some, "machine", self.machine)
        object.__setattr__(some, "sliders", self.sliders if self.sliders.ndim == 2 else self.sliders[rows])
        return some

    def outcomes(self, chunk: int = CHUNK) -> Iterator[Outcomes]:
        """What comes of the moves, `chunk` of them at a time."""
        for first in range(0, len(self), chunk):
            yield simulate_arrays(self[first : first + chunk])

    def jobs(self) -> Jobs:
        """The moves as the kernel takes them."""
        from twin.physics.kernel.jobs import PUSH, TURN, Jobs, nominal_hands

        size = len(self)
        turning = self.moves < 2
        orientation = np.zeros(size, np.int64) if self.orientation is None else self.orientation.astype(np.int64)
        if self.spaces is None:
            places = np.ascontiguousarray(self.places, np.float64)
        else:
            places = _centres(self.machine)[orientation[:, None], self.spaces]
        sliders = np.array(np.broadcast_to(self.sliders, (size, *self.sliders.shape[-2:])), np.int64, order="C")
        sliders[:, :, 0] -= 1
        return Jobs(
            places=places,
            orientation=orientation,
            sliders=sliders,
            kind=np.where(turning, TURN, PUSH).astype(np.int64),
            sign=1 - 2 * (self.moves.astype(np.int64) % 2),
            pushed=np.where(turning, 0, self.moves.astype(np.int64) // 2 - 1),
            hands=nominal_hands(size) if self.hands is None else np.ascontiguousarray(self.hands, np.float64),
            shifts=np.zeros((size, len(COLOURS), 2)) if self.shifts is None else np.ascontiguousarray(self.shifts),
        )

    def _check(self, rows: slice, first: int) -> None:
        """Refuse the first row of a stretch that cannot be."""
        some = self[rows]
        moves = some.moves.astype(np.int64)
        last = len(move_names(self.machine)) - 1
        _refuse((moves < 0) | (moves > last), first, "moves", f"must be 0 to {last}, as `move_names` numbers them")
        if some.orientation is not None:
            turned = (some.orientation < 0) | (some.orientation > 3)
            _refuse(turned, first, "orientation", "must be 0, 1, 2 or 3")
        if self.sliders.ndim == 3 or first == 0:
            self._check_sliders(some.sliders.reshape(-1, *self.sliders.shape[-2:]), first)
        pushed = np.maximum(moves // 2 - 1, 0)
        offsets = np.broadcast_to(some.sliders, (len(some), *self.sliders.shape[-2:]))[np.arange(len(some)), pushed, 1]
        too_far = (moves >= 2) & (np.abs(offsets + 1 - 2 * (moves % 2)) > MAX_OFFSET)
        _refuse(too_far, first, "moves", f"a push must end at an offset of -{MAX_OFFSET} to {MAX_OFFSET} (B5)")
        if some.spaces is not None:
            _check_spaces(some.spaces, first)
        else:
            _check_places(np.asarray(some.places), self.machine, first)
        if some.hands is not None:
            steady = np.isfinite(some.hands).all(axis=1) & (some.hands[:, 0] > 0.0)
            steady &= np.abs(some.hands[:, 1 : 1 + _WARPS]).sum(axis=1) < 1.0
            _refuse(~steady, first, "hands", "must be finite, with a pace above 0 and a warp of less than 1 in all")
        if some.shifts is not None:
            _refuse(~np.isfinite(some.shifts).all(axis=(1, 2)), first, "shifts", "must be finite, mm")

    def _check_sliders(self, sliders: NDArray[np.integer[Any]], first: int) -> None:
        tunnel, offset, flipped = sliders[:, :, 0], sliders[:, :, 1], sliders[:, :, 2]
        count = len(self.machine.tunnels)
        _refuse(((tunnel < 1) | (tunnel > count)).any(axis=1), first, "sliders", f"a tunnel must be 1 to {count}")
        ordered = np.sort(tunnel, axis=1)
        _refuse((np.diff(ordered, axis=1) == 0).any(axis=1), first, "sliders", "a tunnel must hold one slider at most")
        _refuse((np.abs(offset) > MAX_OFFSET).any(axis=1), first, "sliders", "an offset must be -2 to 2")
        _refuse(((flipped < 0) | (flipped > 1)).any(axis=1), first, "sliders", "flipped must be 0 or 1")


def simulate_arrays(moves: MoveArrays) -> Outcomes:
    """What comes of moves given as arrays, all at once; `MoveArrays.outcomes` takes many millions in turn."""
    return simulate_jobs(moves.machine, moves.jobs())


def _array(given: ArrayLike, shape: tuple[int, ...], kind: str, field: str) -> NDArray[Any]:
    array = np.asarray(given)
    if array.dtype.kind not in ("iu" if kind == "i" else "iuf"):
        raise BadInputError(f"must hold {'whole ' if kind == 'i' else ''}numbers; got {array.dtype}", field=field)
    if array.shape != shape:
        raise BadInputError(f"must be shaped {shape}; got {array.shape}", field=field)
    return array


def _refuse(bad: ArrayLike, first: int, field: str, problem: str) -> None:
    """Raise if a row is bad, naming the first such row."""
    if np.any(bad):
        raise BadInputError(problem, field=f"{field}[{first + int(np.argmax(bad))}]")


def _check_spaces(spaces: NDArray[np.integer[Any]], first: int) -> None:
    _refuse(((spaces < -1) | (spaces >= len(SPACES))).any(axis=1), first, "spaces", f"must be -1 to {len(SPACES) - 1}")
    _refuse((spaces == _PLUG).any(axis=1), first, "spaces", f"{PLUG_SPACE} belongs to the plug")
    _refuse((spaces < 0).all(axis=1), first, "spaces", "there must be a ghost")
    ordered = np.sort(spaces, axis=1)
    twice = ((np.diff(ordered, axis=1) == 0) & (ordered[:, 1:] >= 0)).any(axis=1)
    _refuse(twice, first, "spaces", "two ghosts cannot stand on one space")


def _check_places(places: NDArray[np.floating[Any]], machine: Machine, first: int) -> None:
    """As `twin.board.state.validate_state` checks one position."""
    x, y = places[:, :, 0], places[:, :, 1]
    absent = np.isnan(x) & np.isnan(y)
    _refuse((~absent & ~np.isfinite(x + y)).any(axis=1), first, "places", "must be finite, or NaN for no ghost")
    _refuse(absent.all(axis=1), first, "places", "there must be a ghost")
    half = SIDE * machine.space / 2
    off = ~absent & (np.maximum(np.abs(x), np.abs(y)) > half)
    _refuse(off.any(axis=1), first, "places", f"a ghost must stand on the board, within ±{half:g} mm")
    near = ~absent & (machine["plug.radius"] + machine.radius - np.hypot(x, y) > TOUCH_TOLERANCE)
    _refuse(near.any(axis=1), first, "places", "a ghost overlaps the plug")
    for one in range(len(COLOURS)):
        for other in range(one):
            overlap = 2.0 * machine.radius - np.hypot(x[:, one] - x[:, other], y[:, one] - y[:, other])
            problem = f"{COLOURS[one]} overlaps {COLOURS[other]}"
            _refuse(overlap > TOUCH_TOLERANCE, first, "places", problem)


@lru_cache(maxsize=64)
def _centres(machine: Machine) -> NDArray[np.float64]:
    """(4, 50, 2) floor places of the spaces by orientation; the last one, which -1 reaches, is no place."""
    found = np.full((4, len(SPACES) + 1, 2), np.nan)
    for orientation in range(4):
        for number, space in enumerate(SPACES):
            found[orientation, number] = centre(space, machine.space, orientation)
    found.setflags(write=False)
    return found
