"""Many moves in compiled code, spread over all cores; each is computed as if it were alone, in whatever order."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from twin.grid import SIDE
from twin.kernel.columns import (
    ABSENT,
    COLUMNS,
    FALLEN,
    FLAGS,
    GHOSTS,
    MARKS,
    MODE,
    NORMAL,
    REPELLED,
    RIDING,
    SLIP,
    TOUCHED,
    X,
    Y,
)
from twin.kernel.compiled import compiled
from twin.kernel.course import Course, plan_push, plan_turn
from twin.kernel.jobs import PUSH, TURN, Jobs
from twin.kernel.laws import Laws
from twin.kernel.run import run
from twin.kernel.walls import MOST_WALLS
from twin.state import TOUCH_TOLERANCE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_MAGNETS: Final = 35
"""Five sliders of seven segments."""
OTHERS: Final = (1 << GHOSTS) - 1
CHUNK: Final = 64
"""Moves that one thread takes at a time."""


class Results(NamedTuple):
    """What came of it, in the order of the jobs and of their ghosts."""

    start: NDArray[np.float64]
    """(N, 4, 2) where this hand found the ghosts, mm."""
    end: NDArray[np.float64]
    """(N, 4, 2) floor frame, mm; NaN once fallen."""
    alone: NDArray[np.float64]
    """(N, 4, 2) where a ghost that touched another ends with the others taken away; NaN if it falls then too."""
    fallen: NDArray[np.bool_]
    touched: NDArray[np.int64]
    """(N, 4) bits of the ghosts (in canonical order) and of the plug."""
    slip: NDArray[np.float64]
    flags: NDArray[np.int64]
    """(N, 4) bits of what a flat model cannot say."""
    lifted: NDArray[np.bool_]
    walls: NDArray[np.int64]
    """(N, 4, 1 + MOST_WALLS) number of walls crossed, and the first of them as codes."""


def simulate_jobs(laws: Laws, jobs: Jobs) -> Results:
    """Run all jobs on all cores."""
    size = len(jobs.kind)
    results = Results(
        start=np.full((size, GHOSTS, 2), np.nan),
        end=np.full((size, GHOSTS, 2), np.nan),
        alone=np.full((size, GHOSTS, 2), np.nan),
        fallen=np.zeros((size, GHOSTS), np.bool_),
        touched=np.zeros((size, GHOSTS), np.int64),
        slip=np.zeros((size, GHOSTS)),
        flags=np.zeros((size, GHOSTS), np.int64),
        lifted=np.zeros((size, GHOSTS), np.bool_),
        walls=np.zeros((size, GHOSTS, 1 + MOST_WALLS), np.int64),
    )
    if size <= CHUNK:
        _some(laws, jobs, results, 0, size)  # waking threads takes longer than this
    else:
        _batch(laws, jobs, results)
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
    # Taken out once: whoever reads an array of a tuple counts a reference to it, which all threads would wait for.
    starts, ends, alone, fallen, all_touched = (
        results.start, results.end, results.alone, results.fallen, results.touched,
    )  # fmt: skip
    slips, all_flags, lifted, walls = results.slip, results.flags, results.lifted, results.walls
    kinds, signs, hands, orientations = jobs.kind, jobs.sign, jobs.hands, jobs.orientation
    places, shifts, sliders, pushed = jobs.places, jobs.shifts, jobs.sliders, jobs.pushed
    patterns, tunnels, space = laws.patterns, laws.tunnels, laws.space
    radius, plug = laws.radius, laws.plug
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
        start = starts[n]
        _start(places, shifts, n, space, radius, plug, start)
        _reset(now, marks, crossed, start, -1)
        run(now, marks, laws, course, magnets, count, orientations[n], crossed)
        others = 0
        for i in range(GHOSTS):
            fallen[n, i] = marks[i, MODE] == FALLEN
            if marks[i, MODE] < FALLEN:
                ends[n, i, 0], ends[n, i, 1] = now[i, X], now[i, Y]
                lifted[n, i] = (marks[i, FLAGS] & REPELLED) != 0 or now[i, NORMAL] <= 0.0
            all_touched[n, i] = marks[i, TOUCHED]
            slips[n, i] = now[i, SLIP]
            all_flags[n, i] = marks[i, FLAGS]
            for k in range(crossed.shape[1]):
                walls[n, i, k] = crossed[i, k]
            others |= marks[i, TOUCHED] & OTHERS
        if others == 0:
            continue
        for i in range(GHOSTS):
            if all_touched[n, i] & OTHERS:
                _reset(now, marks, crossed, start, i)
                run(now, marks, laws, course, magnets, count, orientations[n], crossed)
                if marks[i, MODE] < FALLEN:
                    alone[n, i, 0], alone[n, i, 1] = now[i, X], now[i, Y]


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
    places: Floats, shifts: Floats, n: int, space: float, radius: float, plug: float, start: NDArray[np.float64]
) -> None:
    """Where this hand finds the ghosts: displaced one after the other, each only if there is room to stand."""
    for i in range(GHOSTS):
        start[i, 0], start[i, 1] = places[n, i, 0], places[n, i, 1]
    half = 0.5 * SIDE * space
    for i in range(GHOSTS):
        dx, dy = shifts[n, i, 0], shifts[n, i, 1]
        if math.isnan(start[i, 0]) or (dx == 0.0 and dy == 0.0):
            continue
        x, y = start[i, 0] + dx, start[i, 1] + dy
        room = max(abs(x), abs(y)) <= half and plug + radius - math.hypot(x, y) <= TOUCH_TOLERANCE
        for k in range(GHOSTS):
            if k != i and not math.isnan(start[k, 0]):
                apart = math.hypot(x - start[k, 0], y - start[k, 1])
                room = room and 2.0 * radius - apart <= TOUCH_TOLERANCE
        if room:
            start[i, 0], start[i, 1] = x, y


@compiled
def _reset(now: Floats, marks: Ints, crossed: Ints, start: Floats, only: int) -> None:
    """Everybody, or one ghost alone, at rest at the start."""
    now[:] = 0.0
    marks[:] = 0
    marks[:, MODE] = ABSENT
    crossed[:] = 0
    for i in range(GHOSTS):
        if not math.isnan(start[i, 0]) and only in (-1, i):
            now[i, X], now[i, Y] = start[i, 0], start[i, 1]
            marks[i, MODE] = RIDING
