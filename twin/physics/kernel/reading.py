"""What came of a batch of moves, in compiled code: covered spaces, margins, grips, fates and joint placements.

The same reading as `twin.board.grid`, `twin.outcome.snap` and `twin.outcome.fates` give for one move; tests hold the
two against each other.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from twin.board.expectation import FATES
from twin.board.grid import CORNERS, SIDE, SPACES
from twin.physics.kernel.batch import CHUNK, MOST_MAGNETS, OTHERS, Results, place_magnets
from twin.physics.kernel.columns import GHOSTS, PLUG_BIT
from twin.physics.kernel.compiled import compiled
from twin.physics.kernel.compiled_laws import cell_index, distance_to_square, edge_distance, to_floor
from twin.physics.kernel.jobs import PUSH, TURN, Jobs
from twin.physics.kernel.machine_arrays import Laws

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_COVERED: Final = 4
"""A foot narrower than a space covers four spaces at most."""
NONE: Final = -1
_HALF: Final = SIDE // 2
_CORNERS: Final = tuple(SPACES.index(corner) for corner in CORNERS)
_FELL, _BLOCKED, _SHOVED, _CAUGHT, _CARRIED, _HELD, _LEFT, _RODE, _STAYED = (
    FATES.index(fate) for fate in ("fell", "blocked", "shoved", "caught", "carried", "held", "left", "rode", "stayed")
)


class Reading(NamedTuple):
    """How all ghosts of a batch stand; ghosts in the order of `twin.board.state.COLOURS`."""

    fate: NDArray[np.int8]
    """(N, 4) index into `twin.board.expectation.FATES`; -1 for ghosts that are not there."""
    covers: NDArray[np.int8]
    """(N, 4, 4) indices of the spaces covered, rising, -1 where there are no more."""
    margin: NDArray[np.float64]
    """(N, 4) mm; NaN once fallen."""
    grips: NDArray[np.int16]
    """(N, 4, 2) magnet that grips before and after: slider · 7 + segment - 1, or -1."""
    placements: NDArray[np.int64]
    """(N,) number of joint placements; none is a conflict."""
    orientation: NDArray[np.int8]
    """(N,) of the board after the move."""
    askew: NDArray[np.float64]
    """(N,) angle by which the board lies beyond that, radians, mathematically positive."""
    sliders: NDArray[np.int8]
    """(N, S, 3) after the move: tunnel (from 1), offset, flipped (0 or 1), sliders sorted by name."""


def read_batch(laws: Laws, jobs: Jobs, results: Results) -> Reading:
    """Read all outcomes, on all cores."""
    size = len(jobs.kind)
    reading = Reading(
        fate=np.full((size, GHOSTS), NONE, np.int8),
        covers=np.full((size, GHOSTS, MOST_COVERED), NONE, np.int8),
        margin=np.full((size, GHOSTS), np.nan),
        grips=np.full((size, GHOSTS, 2), NONE, np.int16),
        placements=np.zeros(size, np.int64),
        orientation=np.zeros(size, np.int8),
        askew=np.zeros(size),
        sliders=np.zeros(jobs.sliders.shape, np.int8),
    )
    if size <= CHUNK:
        _read_some(laws, jobs, results, reading, 0, size)
    else:
        _read(laws, jobs, results, reading)
    return reading


@compiled(parallel=True)
def _read(laws: Laws, jobs: Jobs, results: Results, reading: Reading) -> None:
    size = len(jobs.kind)
    for chunk in numba.prange((size + CHUNK - 1) // CHUNK):
        _read_some(laws, jobs, results, reading, chunk * CHUNK, min((chunk + 1) * CHUNK, size))


@compiled
def _read_some(laws: Laws, jobs: Jobs, results: Results, reading: Reading, first: int, last: int) -> None:
    for n in range(first, last):
        _read_one(laws, jobs, results, reading, n)


@compiled
def _read_one(laws: Laws, jobs: Jobs, results: Results, reading: Reading, n: int) -> None:
    magnets, labels = np.zeros((MOST_MAGNETS, 4)), np.zeros(MOST_MAGNETS, np.int64)
    mover = jobs.pushed[n] if jobs.kind[n] == PUSH else -1
    count = place_magnets(laws.patterns, laws.tunnels, laws.space, jobs.sliders, mover, n, magnets, labels)
    shift = jobs.sign[n] * laws.space if jobs.kind[n] == PUSH else 0.0
    turning = jobs.kind[n] == TURN
    orientation = (jobs.orientation[n] + jobs.sign[n]) % 4 if turning else jobs.orientation[n]
    reading.orientation[n] = orientation
    askew = -jobs.sign[n] * jobs.hands[n, 4] if turning else 0.0
    reading.askew[n] = askew
    for s in range(jobs.sliders.shape[1]):
        reading.sliders[n, s, 0] = jobs.sliders[n, s, 0] + 1
        reading.sliders[n, s, 1] = jobs.sliders[n, s, 1] + (jobs.sign[n] if s == mover else 0)
        reading.sliders[n, s, 2] = jobs.sliders[n, s, 2]
    cos, sin = math.cos(askew), math.sin(askew)
    for i in range(GHOSTS):
        if not results.present[n, i]:
            continue
        before = gripping(magnets, labels, count, 0.0, results.start[n, i, 0], results.start[n, i, 1], laws.grip_range)
        reading.grips[n, i, 0] = before
        if results.fallen[n, i]:
            reading.fate[n, i] = _FELL
            continue
        x, y = results.end[n, i, 0], results.end[n, i, 1]
        after = gripping(magnets, labels, count, shift, x, y, laws.grip_range)
        if results.lifted[n, i]:
            after = NONE
        reading.grips[n, i, 1] = after
        bx, by = to_floor((cos * x + sin * y, cos * y - sin * x), -orientation)
        reading.margin[n, i] = stand(bx, by, laws.reach, laws.space, reading.covers[n, i])
        reading.fate[n, i] = _fate(laws, jobs, results, n, i, before, after)
    reading.placements[n] = _placements(results, reading, n)


@compiled
def gripping(magnets: Floats, labels: Ints, count: int, shift: float, x: float, y: float, reach: float) -> int:
    """The label of the nearest magnet that grips a ghost at a floor place, or -1."""
    best, found = math.inf, NONE
    for m in range(count):
        d = math.hypot(x - magnets[m, 0], y - (magnets[m, 1] + shift * magnets[m, 3]))
        if magnets[m, 2] > 0.0 and d <= reach and d < best:
            best, found = d, labels[m]
    return found


@compiled
def stand(x: float, y: float, reach: float, size: float, covers: NDArray[np.int8]) -> float:
    """Fill in the spaces that a foot at a place of the board frame covers; returns the margin, mm."""
    margin = edge_distance((x, y), size)
    column, row = cell_index(x, size), cell_index(y, size)
    count = 0
    for c in range(max(column - 2, -_HALF), min(column + 2, _HALF) + 1):
        for r in range(max(row - 2, -_HALF), min(row + 2, _HALF) + 1):
            if c == 0 and r == 0:
                continue  # the plug's space never counts
            d = distance_to_square(x - c * size, y - r * size, size)
            margin = min(margin, abs(d - reach))
            if d < reach and count < MOST_COVERED:
                covers[count] = (c + _HALF) * SIDE + r + _HALF
                count += 1
    return max(margin, 0.0)


@compiled
def _fate(laws: Laws, jobs: Jobs, results: Results, n: int, i: int, before: int, after: int) -> int:
    """The fate of a ghost that is still on the board: the first word that applies."""
    turning = jobs.kind[n] == TURN
    touched = results.touched[n, i]
    if touched & PLUG_BIT and before not in (NONE, after):
        return _BLOCKED
    if touched & OTHERS:
        alone = results.alone[n, i]
        moved = math.hypot(results.end[n, i, 0] - alone[0], results.end[n, i, 1] - alone[1])
        if math.isnan(moved) or moved > laws.shove:
            return _SHOVED
    if turning and after not in (NONE, before):
        return _CAUGHT
    if not turning and before != NONE and before == after and before // SIDE == jobs.pushed[n]:
        return _CARRIED
    if turning and before != NONE and after == before:
        return _HELD
    if before != NONE and after == NONE:
        return _LEFT
    return _RODE if turning else _STAYED


@compiled
def _placements(results: Results, reading: Reading, n: int) -> int:
    """How many joint placements there are: every ghost on a space of its own among those that it may take."""
    options, counts = np.zeros((GHOSTS, MOST_COVERED), np.int64), np.zeros(GHOSTS, np.int64)
    ghosts = 0
    for i in range(GHOSTS):
        if not results.present[n, i]:
            continue
        for k in range(MOST_COVERED):
            space = _CORNERS[k] if results.fallen[n, i] else reading.covers[n, i, k]
            if space >= 0:
                options[ghosts, counts[ghosts]] = space
                counts[ghosts] += 1
        ghosts += 1
    # An odometer over the options of all ghosts; the last wheel turns fastest.
    wheels = np.zeros(GHOSTS, np.int64)
    found = 0
    while True:
        taken, free = 0, True
        for i in range(ghosts):
            bit = 1 << options[i, wheels[i]]
            free = free and not taken & bit and counts[i] > 0
            taken |= bit
        found += 1 if free else 0
        i = ghosts - 1
        while i >= 0 and wheels[i] + 1 >= counts[i]:
            wheels[i] = 0
            i -= 1
        if i < 0:
            return found
        wheels[i] += 1
