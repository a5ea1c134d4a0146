"""How a round foot's grip is shared between sliding and spinning.

Under a disc of even pressure that slides and spins at once, each patch rubs against its own velocity. Integrated over
the foot this gives the linear friction as a share of μ·N and the friction torque as a share of ⅔·μ·N·r, both
functions of the ratio of rim speed to sliding speed alone (the limit surface of a disc): at a rim speed of once,
twice and four times the sliding speed the linear share is 0.85, 0.48 and 0.25.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from twin.physics.laws import CELLS

STUCK: Final = 0.01
"""Slower than this (slide plus rim speed, mm/s) a foot sticks and has its full grip."""

_RINGS: Final = 24
_SPOKES: Final = 48


@lru_cache(maxsize=1)
def limit_surface() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Shares of linear friction and of friction torque at λ = 0, 1/`CELLS` … 1; both shaped (`CELLS` + 1,).

    >>> slide, spin = limit_surface()
    >>> slide[0], spin[0], slide[-1], spin[-1]
    (1.0, 0.0, 0.0, 1.0)
    """
    # Midpoints of rings and spokes avoid the one point that stands still, where the direction of rubbing is undefined.
    radii = [(ring + 0.5) / _RINGS for ring in range(_RINGS)]
    spokes = [2.0 * math.pi * (spoke + 0.5) / _SPOKES for spoke in range(_SPOKES)]
    patches = [(r, r * math.sin(a)) for r in radii for a in spokes]
    weight = sum(r for r, _ in patches)
    slide, spin = [1.0], [0.0]
    for cell in range(1, CELLS):
        rim = cell / CELLS
        speed = 1.0 - rim
        along = turning = 0.0
        for r, height in patches:
            # Velocity of a patch: sliding along x, plus the spin; `height` is its distance from the line of sliding.
            vx = speed - rim * height
            vy2 = rim * rim * (r * r - height * height)
            norm = math.sqrt(vx * vx + vy2)
            along += r * vx / norm
            turning += r * (rim * r * r - speed * height) / norm
        slide.append(along / weight)
        spin.append(1.5 * turning / weight)
    return _rounded([*slide, 0.0]), _rounded([*spin, 1.0])


def _rounded(values: list[float]) -> tuple[float, ...]:
    """Kept to 9 digits, so that the last bits of a maths library do not reach a trace's hash."""
    return tuple(round(value, 9) for value in values)
