"""A turn as it was measured: the board's angle over time, from a mouse, a sensor or a video.

A `MeasuredTurn` is a hand whose course is given instead of computed. It holds one angle per millisecond, which is what
the reference engine steps by. A file of it is a table of `time_s,angle_rad` (or `angle_deg`); fewer rows than that are
filled in smoothly. Angles count in the turn's own direction, so that one file serves both.
"""

from __future__ import annotations

import bisect
import csv
import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.errors import BadInputError, shown
from twin.files import read_text
from twin.physics.hand import Hand
from twin.physics.numerics import STEP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

QUARTER: Final = math.pi / 2
"""A whole turn of rule D1, radians."""

MOST_ASKEW: Final = math.radians(45.0)
"""A turn that ends farther than this from a quarter is no quarter turn."""

LONGEST: Final = 120.0
"""The longest turn that is read, s."""

MAX_BYTES: Final = 10_000_000
"""Of a file: the longest turn at a row per millisecond takes half of it."""
MAX_LINE: Final = 200
"""Letters of a line: far more than two numbers take."""
HEADER: Final = ("time_s", "angle_rad")
IN_DEGREES: Final = ("time_s", "angle_deg")


@dataclass(frozen=True)
class MeasuredTurn(Hand):
    """A hand that turns the board along its own path; make one with `measured_turn`."""

    path: tuple[float, ...] = ()
    """Angle of the board beyond its start, radians, in the turn's own direction, at 0, 1, 2 … ms."""

    def course(self, step: float) -> tuple[float, ...]:
        """The angle at every instant of steps of this length (s); linear between milliseconds."""
        if step == STEP:
            return self.path
        count = max(round((len(self.path) - 1) * STEP / step), 1)
        found = []
        for index in range(count + 1):
            at = index * (len(self.path) - 1) / count
            low = min(int(at), len(self.path) - 2)
            found.append(self.path[low] + (at - low) * (self.path[low + 1] - self.path[low]))
        return (*found[:-1], self.path[-1])


def measured_turn(path: Sequence[float], shifts: tuple[tuple[float, float], ...] = ()) -> MeasuredTurn:
    """A hand from angles (radians, in the turn's own direction), one per millisecond, the first one zero.

    >>> hand = measured_turn([0.0, 0.5, 1.0, QUARTER])
    >>> hand.misalignment
    0.0
    """
    if len(path) < 2 or path[0] != 0.0:
        raise BadInputError("a measured turn must have two angles or more, the first of them zero")
    if not all(math.isfinite(angle) for angle in path):
        raise BadInputError("the angles of a measured turn must be finite numbers")
    askew = path[-1] - QUARTER
    if abs(askew) > MOST_ASKEW:
        raise BadInputError(
            f"a measured turn must end near 90°; got {math.degrees(path[-1]):.1f}° (is its direction right?)"
        )
    return MeasuredTurn(misalignment=askew, shifts=shifts, path=tuple(path))


def turn_csv(hand: MeasuredTurn) -> str:
    """The turn as a table; read back, it gives the same bits."""
    lines = [",".join(HEADER)]
    lines += [f"{index * STEP!r},{angle!r}" for index, angle in enumerate(hand.path)]
    return "\n".join(lines) + "\n"


def read_turn(path: Path) -> MeasuredTurn:
    """A measured turn from a file of times and angles."""
    text = read_text(path, MAX_BYTES)
    try:
        return measured_turn(resampled(_points(text)))
    except BadInputError as error:
        raise error.within(source=str(path)) from None


def resampled(points: Sequence[tuple[float, float]]) -> list[float]:
    """Angles (radians) at every millisecond from points (s, radians), by a smooth curve through the points.

    The curve has the slope of the neighbouring points in each point, so that a hand filmed at 60 pictures a second
    does not jerk from picture to picture. A time that was measured keeps its angle exactly.
    """
    start = points[0][1]
    times = [time - points[0][0] for time, _ in points]
    angles = [angle - start for _, angle in points]
    slopes = [
        (angles[min(k + 1, len(angles) - 1)] - angles[max(k - 1, 0)])
        / (times[min(k + 1, len(times) - 1)] - times[max(k - 1, 0)])
        for k in range(len(times))
    ]
    found = []
    for index in range(round(times[-1] / STEP) + 1):
        time = index * STEP
        k = min(max(bisect.bisect_right(times, time) - 1, 0), len(times) - 2)
        if time >= times[-1]:
            found.append(angles[-1])
        elif time == times[k]:
            found.append(angles[k])
        else:
            found.append(
                _hermite(time, (times[k], times[k + 1]), (angles[k], angles[k + 1]), (slopes[k], slopes[k + 1]))
            )
    return found


def _hermite(
    time: float, times: tuple[float, float], values: tuple[float, float], slopes: tuple[float, float]
) -> float:
    length = times[1] - times[0]
    u = (time - times[0]) / length
    rise = values[1] - values[0]
    bend = length * (slopes[0] * (1.0 - u) ** 2 * u - slopes[1] * (1.0 - u) * u * u)
    return values[0] + rise * u * u * (3.0 - 2.0 * u) + bend


def _points(text: str) -> list[tuple[float, float]]:
    """Times and angles (radians) of a table, checked row by row."""
    rows = _rows(text)
    head = tuple(cell.strip() for cell in next(rows, ()))
    if head not in {HEADER, IN_DEGREES}:
        raise BadInputError(f"the first line must be {','.join(HEADER)} or {','.join(IN_DEGREES)}")
    points: list[tuple[float, float]] = []
    for number, row in enumerate(rows, start=2):
        try:
            time, angle = (float(cell) for cell in row)
        except ValueError:
            raise BadInputError(f"line {number} must hold two numbers, time and angle; got {shown(row)}") from None
        if not (math.isfinite(time) and math.isfinite(angle)):
            raise BadInputError(f"line {number} must hold finite numbers; got {shown(row)}")
        if points and not time - points[0][0] > points[-1][0] - points[0][0]:  # as times are counted from the first
            raise BadInputError(f"line {number}: times must rise; got {time:g} after {points[-1][0]:g}")
        points.append((time, angle if head == HEADER else math.radians(angle)))
        if time - points[0][0] > LONGEST:
            break
    if len(points) < 2 or not STEP <= points[-1][0] - points[0][0] <= LONGEST:
        raise BadInputError(f"a measured turn must last {STEP:g} to {LONGEST:g} s, in two rows or more")
    return points


def _rows(text: str) -> Iterator[list[str]]:
    """The rows of a table that are not empty, one by one, whichever line ends it has."""
    reader = csv.reader(_lines(text))
    try:
        yield from (row for row in reader if row)
    except csv.Error as error:
        raise BadInputError(f"line {reader.line_num} must be a line of CSV: {error}") from None


def _lines(text: str) -> Iterator[str]:
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        if len(line) > MAX_LINE:
            raise BadInputError(f"line {number} must have at most {MAX_LINE} letters; got {len(line):,}")
        yield line
