"""The course of a move in compiled code: the board's angle, or the slider's way, at every step, by the hand's law."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from twin.hand import minimum_jerk, warped
from twin.numerics import STEP

_minimum_jerk: Any = numba.njit(cache=True)(minimum_jerk)
_warped: Any = numba.njit(cache=True)(warped)


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
    pace: float
    """The greatest way per step: of the board's surface at a radius of 1 mm, or of the slider, mm."""


@numba.njit(cache=True, error_model="numpy")
def plan_turn(duration: float, pace: float, warp: NDArray[np.float64], end: float) -> Course:
    """A turn to the angle `end` (radians, mathematically positive)."""
    course = _still(steps_of(duration * pace))
    steps = course.steps
    before = 0.0
    fastest, hardest, last_spin = 0.0, 0.0, 0.0
    for j in range(steps):
        ahead = end * (1.0 if j + 1 == steps else _minimum_jerk(_warped(warp, (j + 1) / steps)))
        turn = ahead - before
        spin = 2.0 * math.sin(turn / 2.0) / STEP
        course.cos[j], course.sin[j] = math.cos(before), math.sin(before)
        course.half_cos[j], course.half_sin[j] = math.cos(turn / 2.0), math.sin(turn / 2.0)
        course.spin[j] = spin
        fastest = max(fastest, abs(spin) * STEP)
        hardest = max(hardest, math.hypot((spin - last_spin) / STEP, spin * last_spin))
        before, last_spin = ahead, spin
    hardest = max(hardest, abs(last_spin) / STEP)
    course.cos[steps], course.sin[steps] = math.cos(before), math.sin(before)
    return Course(
        steps, course.cos, course.sin, course.half_cos, course.half_sin, course.spin, course.shift, hardest, fastest
    )


@numba.njit(cache=True, error_model="numpy")
def plan_push(duration: float, pace: float, warp: NDArray[np.float64], way: float) -> Course:
    """A push of the slider by `way` mm along y."""
    course = _still(steps_of(duration * pace))
    steps = course.steps
    fastest = 0.0
    for j in range(1, steps + 1):
        course.shift[j] = way * (1.0 if j == steps else _minimum_jerk(_warped(warp, j / steps)))
        fastest = max(fastest, abs(course.shift[j] - course.shift[j - 1]))
    return Course(
        steps, course.cos, course.sin, course.half_cos, course.half_sin, course.spin, course.shift, 0.0, fastest
    )


@numba.njit(cache=True, error_model="numpy")
def steps_of(duration: float) -> int:
    """Whole steps in a duration, at least one; halves go to the even number, as Python rounds."""
    return max(int(np.rint(duration / STEP)), 1)


@numba.njit(cache=True, error_model="numpy")
def _still(steps: int) -> Course:
    ones, none = np.ones(steps + 1), np.zeros(steps + 1)
    return Course(steps, ones, none, ones.copy(), none.copy(), none.copy(), none.copy(), 0.0, 0.0)
