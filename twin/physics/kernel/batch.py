"""Many moves in compiled code, spread over all cores; each is computed as if it were alone, in whatever order."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from twin.board.grid import SIDE
from twin.board.state import TOUCH_TOLERANCE
from twin.physics.kernel.advance import run
from twin.physics.kernel.columns import (
    ABSENT,
    COLUMNS,
    FALLEN,
    FLAGS,
    GHOSTS,
    MARKS,
    MODE,
    NORMAL,
    PLUG_BIT,
    REPELLED,
    RIDING,
    SLIP,
    TOUCHED,
    X,
    Y,
)
from twin.physics.kernel.compiled import compiled
from twin.physics.kernel.course import Course, plan_push, plan_turn
from twin.physics.kernel.jobs import PUSH, TURN, Jobs
from twin.physics.kernel.machine_arrays import Laws
from twin.physics.kernel.walls import MOST_WALLS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_MAGNETS: Final = 35
"""Five sliders of seven segments."""
OTHERS: Final = (1 << GHOSTS) - 1
WARNED: Final = 15
"""Bits of the flags that are warnings: all but the last, which tells why a ghost was lifted."""
CHUNK: Final = 64
"""Moves that one thread takes at a time."""


class Results(NamedTuple):
    """What came of it, in the order of the jobs; ghosts in the order of `twin.board.state.COLOURS`."""

    present: NDArray[np.bool_]
    """(N, 4) which ghosts are there."""

    start: NDArray[np.float64]
    """(N, 4, 2) where this hand found the ghosts, mm."""
    end: NDArray[np.float64]
    """(N, 4, 2) floor frame, mm; NaN once fallen."""
    alone: NDArray[np.float64]
    """(N, 4, 2) where a ghost that touched another ends with the others taken away; NaN if it falls then too."""
    fallen: NDArray[np.bool_]
    """(N, 4)"""
    touched: NDArray[np.uint8]
    """(N, 4) bits of the ghosts, by colour, and of the plug."""
    slip: NDArray[np.float64]
    """(N, 4) length of the path over the board, mm."""
    warnings: NDArray[np.uint8]
    """(N, 4) bits of what a flat model cannot say."""
    lifted: NDArray[np.bool_]
    """(N, 4) whether no magnet holds it in the end, since one lifts it."""
    walls: NDArray[np.int16]
    """(N, 4, 1 + MOST_WALLS) number of walls crossed, and the first of them as codes."""


def simulate_jobs(laws: Laws, jobs: Jobs) -> Results:
    """Run all jobs on all cores."""
    size = len(jobs.kind)
    results = Results(
        present=np.zeros((size, GHOSTS), np.bool_),
        start=np.full((size, GHOSTS, 2), np.nan),
        end=np.full((size, GHOSTS, 2), np.nan),
        alone=np.full((size, GHOSTS, 2), np.nan),
        fallen=np.zeros((size, GHOSTS), np.bool_),
        touched=np.zeros((size, GHOSTS), np.uint8),
        slip=np.zeros((size, GHOSTS)),
        warnings=np.zeros((size, GHOSTS), np.uint8),
        lifted=np.zeros((size, GHOSTS), np.bool_),
        walls=np.zeros((size, GHOSTS, 1 + MOST_WALLS), np.int16),
    )
    if size > CHUNK:
        _batch(laws, jobs, results)
    elif size:
        _some(laws, jobs, results, 0, size)  # waking threads takes longer than this
    return results


@compiled(parallel=True)
def _batch(laws: Laws, jobs: Jobs, results: Results) -> None:
    size = len(jobs.kind)
    chunks = (size + CHUNK - 1) // CHUNK
    for chunk in numba.prange(chunks):
        first = chunk * CHUNK
        _some(laws, jobs, results, first, min(first + CHUNK, size))


@compiled
def _some(laws: Laws, jobs: Jobs, results: Results, first: int, last: int) -> None:
    now, marks = np.zeros((GHOSTS, COLUMNS)), np.zeros((GHOSTS, MARKS), np.int64)
    crossed = np.zeros((GHOSTS, 1 + MOST_WALLS), np.int64)
    magnets, labels = np.zeros((MOST_MAGNETS, 4)), np.zeros(MOST_MAGNETS, np.int64)
    # Taken out once: reading an array of a tuple counts a reference to it, which all threads would wait for.
    starts, ends, alone, fallen, all_touched = (
        results.start, results.end, results.alone, results.fallen, results.touched,
    )  # fmt: skip
    present, slips, warnings, lifted, walls = (
        results.present, results.slip, results.warnings, results.lifted, results.walls,
    )  # fmt: skip
    kinds, signs, hands, orientations = jobs.kind, jobs.sign, jobs.hands, jobs.orientation
    places, shifts, sliders, pushed = jobs.places, jobs.shifts, jobs.sliders, jobs.pushed
    patterns, tunnels, space = laws.patterns, laws.tunnels, laws.space
    radius, plug = laws.radius, laws.plug
    order, start = np.zeros(GHOSTS, np.int64), np.zeros((GHOSTS, 2))
    # The two courses that were used last: random turns by one hand go both ways.
    course = _course(laws, jobs, first)
    spare = course
    made, spare_made = first, first
    for n in range(first, last):
        if not _same_course(kinds, signs, hands, n, made):
            course, spare = spare, course
            made, spare_made = spare_made, made
            if not _same_course(kinds, signs, hands, n, made):
                course, made = _course(laws, jobs, n), n
        mover = pushed[n] if kinds[n] == PUSH else -1
        count = place_magnets(patterns, tunnels, space, sliders, mover, n, magnets, labels)
        ghosts = _canonical(places, n, order)
        _start(places, shifts, n, order, ghosts, space, radius, plug, start)
        _reset(now, marks, crossed, start, -1)
        run(now, marks, laws, course, magnets, count, orientations[n], crossed)
        others = 0
        for i in range(ghosts):
            colour = order[i]
            present[n, colour] = True
            starts[n, colour, 0], starts[n, colour, 1] = start[i, 0], start[i, 1]
            fallen[n, colour] = marks[i, MODE] == FALLEN
            if marks[i, MODE] < FALLEN:
                ends[n, colour, 0], ends[n, colour, 1] = now[i, X], now[i, Y]
                lifted[n, colour] = (marks[i, FLAGS] & REPELLED) != 0 or now[i, NORMAL] <= 0.0
            touched = marks[i, TOUCHED]
            bits = touched & PLUG_BIT
            for k in range(ghosts):
                if touched >> k & 1:
                    bits |= 1 << order[k]
            all_touched[n, colour] = bits
            slips[n, colour] = now[i, SLIP]
            warnings[n, colour] = marks[i, FLAGS] & WARNED
            for k in range(crossed.shape[1]):
                walls[n, colour, k] = crossed[i, k]
            others |= bits & OTHERS
        if others == 0:
            continue
        for i in range(ghosts):
            colour = order[i]
            if all_touched[n, colour] & OTHERS:
                _reset(now, marks, crossed, start, i)
                run(now, marks, laws, course, magnets, count, orientations[n], crossed)
                if marks[i, MODE] < FALLEN:
                    alone[n, colour, 0], alone[n, colour, 1] = now[i, X], now[i, Y]


@compiled
def _canonical(places: Floats, n: int, order: Ints) -> int:
    """Fill in the ghosts that are there, sorted by place (x, then y); returns how many."""
    count = 0
    for colour in range(GHOSTS):
        x, y = places[n, colour, 0], places[n, colour, 1]
        if math.isnan(x):
            continue
        k = count
        while k > 0:
            other_x, other_y = places[n, order[k - 1], 0], places[n, order[k - 1], 1]
            if other_x < x or (other_x == x and other_y <= y):
                break
            order[k] = order[k - 1]
            k -= 1
        order[k] = colour
        count += 1
    return count


@compiled
def _same_course(kinds: Ints, signs: Ints, hands: Floats, n: int, other: int) -> bool:
    """Whether a move is driven just like another one."""
    same = kinds[n] == kinds[other] and signs[n] == signs[other]
    for k in range(hands.shape[1]):
        same = same and hands[n, k] == hands[other, k]
    return bool(same)


@compiled
def _course(laws: Laws, jobs: Jobs, n: int) -> Course:
    pace, warp = jobs.hands[n, 0], jobs.hands[n, 1:4]
    if jobs.kind[n] == TURN:
        return plan_turn(laws.turn_time, pace, warp, -jobs.sign[n] * (math.pi / 2 + jobs.hands[n, 4]))
    return plan_push(laws.push_time, pace, warp, jobs.sign[n] * laws.space)


@compiled
def place_magnets(
    patterns: Ints, tunnels: Floats, space: float, sliders: Ints, mover: int, n: int, magnets: Floats, labels: Ints
) -> int:
    """All magnets where they are before the move, sorted by place: x, y, polarity, whether it moves; returns how many.

    Their labels are slider · 7 + segment, segments counted from 0; `mover` is the slider that is pushed, or -1.
    """
    count = 0
    for s in range(sliders.shape[1]):
        tunnel, offset, flipped = sliders[n, s, 0], sliders[n, s, 1], sliders[n, s, 2]
        for segment in range(SIDE):
            polarity = patterns[s, segment]
            if polarity == 0:
                continue
            along = 3 - segment if flipped else segment - 3
            x, y = tunnels[tunnel], (along + offset) * space
            k = count
            while k > 0 and (magnets[k - 1, 0] > x or (magnets[k - 1, 0] == x and magnets[k - 1, 1] > y)):
                for c in range(4):
                    magnets[k, c] = magnets[k - 1, c]
                labels[k] = labels[k - 1]
                k -= 1
            magnets[k, 0], magnets[k, 1], magnets[k, 2] = x, y, polarity
            magnets[k, 3] = 1.0 if s == mover else 0.0
            labels[k] = s * SIDE + segment
            count += 1
    return count


@compiled
def _start(
    places: Floats,
    shifts: Floats,
    n: int,
    order: Ints,
    ghosts: int,
    space: float,
    radius: float,
    plug: float,
    start: Floats,
) -> None:
    """Where this hand finds the ghosts: displaced one after the other, each only if there is room to stand."""
    start[:] = math.nan
    for i in range(ghosts):
        start[i, 0], start[i, 1] = places[n, order[i], 0], places[n, order[i], 1]
    half = 0.5 * SIDE * space
    for i in range(ghosts):
        dx, dy = shifts[n, i, 0], shifts[n, i, 1]
        if dx == 0.0 and dy == 0.0:
            continue
        x, y = start[i, 0] + dx, start[i, 1] + dy
        room = max(abs(x), abs(y)) <= half and plug + radius - math.hypot(x, y) <= TOUCH_TOLERANCE
        for k in range(ghosts):
            if k != i:
                apart = math.hypot(x - start[k, 0], y - start[k, 1])
                room = room and 2.0 * radius - apart <= TOUCH_TOLERANCE
        if room:
            start[i, 0], start[i, 1] = x, y


@compiled
def _reset(now: Floats, marks: Ints, crossed: Ints, start: Floats, only: int) -> None:
    """All ghosts, or one alone, at rest at the start."""
    now[:] = 0.0
    marks[:] = 0
    marks[:, MODE] = ABSENT
    crossed[:] = 0
    for i in range(GHOSTS):
        if not math.isnan(start[i, 0]) and only in (-1, i):
            now[i, X], now[i, Y] = start[i, 0], start[i, 1]
            marks[i, MODE] = RIDING
