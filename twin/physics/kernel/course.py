"""The course of a move in compiled code: the board's angle, or the slider's way, at every step, by the hand's law."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twin.physics.hand import minimum_jerk, warped
from twin.physics.kernel.compiled import compiled
from twin.physics.numerics import STEP

EXACT: Final = 16
"""Instants after which sines and cosines are worked out anew; in between each follows from the last."""

SMALL: Final = 0.02
"""Angles below this (radians) have their sine and cosine from a short series."""

WAVES: Final = 3
"""Half waves in an uneven hand's warp."""

_minimum_jerk: Any = compiled(minimum_jerk, error_model="python")
_warped: Any = compiled(warped, error_model="python")


class Course(NamedTuple):
    """What is driven, at instants 0 … `steps`; all arrays are shaped (steps + 1,)."""

    steps: int
    cos: NDArray[np.float64]
    """Cosine of the board's angle beyond its start, …"""
    sin: NDArray[np.float64]
    """… and its sine."""
    half_cos: NDArray[np.float64]
    """Cosine of half the angle of the step that begins at this instant, …"""
    half_sin: NDArray[np.float64]
    """… and its sine."""
    spin: NDArray[np.float64]
    """Spin that moves the surface along the chord of that step, radians/s."""
    shift: NDArray[np.float64]
    """Way of the pushed slider, mm."""
    acceleration: float
    """The greatest acceleration of the board's surface at a radius of 1 mm, mm/s²."""
    steady: bool
    """Whether the hand never goes back."""
    pace: float
    """The greatest way per step: of the board's surface at a radius of 1 mm, or of the slider, mm."""


@compiled
def plan_turn(duration: float, pace: float, warp: NDArray[np.float64], end: float) -> Course:
    """A turn to the angle `end` (radians, mathematically positive)."""
    course = _still(steps_of(duration * pace))
    steps = course.steps
    way = course.shift  # a slider's way has the shape of the board's; zeroed again below
    _progress(warp, steps, way)
    cosines, sines, half_cosines, half_sines, spins = (
        course.cos, course.sin, course.half_cos, course.half_sin, course.spin,
    )  # fmt: skip
    before, cos, sin = 0.0, 1.0, 0.0
    fastest, hardest, last_spin, steady = 0.0, 0.0, 0.0, True
    for j in range(steps):
        ahead = end * way[j + 1]
        turn = ahead - before
        half_cos, half_sin = _small(turn / 2.0)
        spin = 2.0 * half_sin / STEP
        if j % EXACT == 0:
            cos, sin = math.cos(before), math.sin(before)
        cosines[j], sines[j] = cos, sin
        half_cosines[j], half_sines[j] = half_cos, half_sin
        spins[j] = spin
        fastest = max(fastest, abs(spin) * STEP)
        rise, inward = (spin - last_spin) / STEP, spin * last_spin
        hardest = max(hardest, rise * rise + inward * inward)
        # From one instant to the next by the sine and cosine of the turn between them.
        turn_sin, turn_cos = 2.0 * half_sin * half_cos, 2.0 * half_sin * half_sin
        cos, sin = cos - (turn_cos * cos + turn_sin * sin), sin + (turn_sin * cos - turn_cos * sin)
        steady = steady and turn * end >= 0.0
        before, last_spin = ahead, spin
    hardest = max(math.sqrt(hardest), abs(last_spin) / STEP)
    cosines[steps], sines[steps] = math.cos(before), math.sin(before)
    way[:] = 0.0
    return Course(steps, cosines, sines, half_cosines, half_sines, spins, way, hardest, steady, fastest)


@compiled
def plan_push(duration: float, pace: float, warp: NDArray[np.float64], way: float) -> Course:
    """A push of the slider by `way` mm along y."""
    course = _still(steps_of(duration * pace))
    steps = course.steps
    _progress(warp, steps, course.shift)
    fastest, steady = 0.0, True
    for j in range(1, steps + 1):
        course.shift[j] *= way
        steady = steady and (course.shift[j] - course.shift[j - 1]) * way >= 0.0
        fastest = max(fastest, abs(course.shift[j] - course.shift[j - 1]))
    return Course(
        steps, course.cos, course.sin, course.half_cos, course.half_sin, course.spin, course.shift, 0.0, steady, fastest
    )


@compiled
def _progress(warp: NDArray[np.float64], steps: int, way: NDArray[np.float64]) -> None:
    """Fill in the progress (0 … 1) of a hand at every instant, as `twin.physics.hand.progress` gives it."""
    even = True
    for k in range(len(warp)):
        even = even and warp[k] == 0.0
    if even:
        for j in range(1, steps):
            way[j] = _minimum_jerk(j / steps)
    elif len(warp) == WAVES:
        one, two, three = warp[0] / math.pi, warp[1] / (2.0 * math.pi), warp[2] / (3.0 * math.pi)
        turn_cos, turn_sin = math.cos(math.pi / steps), math.sin(math.pi / steps)
        cos, sin = 1.0, 0.0
        for j in range(1, steps):
            if j % EXACT == 0:
                cos, sin = math.cos(math.pi * j / steps), math.sin(math.pi * j / steps)
            else:
                cos, sin = turn_cos * cos - turn_sin * sin, turn_sin * cos + turn_cos * sin
            # Sines of twice and three times the angle.
            waves = one * sin + two * (2.0 * sin * cos) + three * (sin * (3.0 - 4.0 * sin * sin))
            way[j] = _minimum_jerk(min(max(j / steps + waves, 0.0), 1.0))
    else:
        for j in range(1, steps):
            way[j] = _minimum_jerk(_warped(warp, j / steps))
    way[0], way[steps] = 0.0, 1.0


@compiled
def _small(angle: float) -> tuple[float, float]:
    """Cosine and sine; of a small angle by their series, which are exact to the last bit but one."""
    if abs(angle) > SMALL:
        return math.cos(angle), math.sin(angle)
    s = angle * angle
    cos = 1.0 - s * (0.5 - s * (1.0 / 24.0 - s * (1.0 / 720.0)))
    return cos, angle * (1.0 - s * (1.0 / 6.0 - s * (1.0 / 120.0 - s * (1.0 / 5040.0))))


@compiled
def steps_of(duration: float) -> int:
    """Whole steps in a duration, at least one; halves go to the even number, as Python rounds."""
    return max(int(np.rint(duration / STEP)), 1)


@compiled
def _still(steps: int) -> Course:
    ones, none, steady = np.ones(steps + 1), np.zeros(steps + 1), True
    return Course(steps, ones, none, ones.copy(), none.copy(), none.copy(), none.copy(), 0.0, steady, 0.0)
