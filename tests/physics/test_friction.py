"""The limit surface of a round foot, against an integral that was worked out another way."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import dblquad

from twin.physics.friction import limit_surface
from twin.physics.laws import CELLS

SLIDE, SPIN = limit_surface()


def _integral(rim: float) -> tuple[float, float]:
    """Shares of friction and torque of a unit disc that slides along x at 1 − rim and spins with that rim speed.

    An adaptive integral over x and y; the table is a sum over rings and spokes.
    """
    slide = 1.0 - rim

    def edge(x: float) -> float:
        return math.sqrt(1.0 - x * x)

    def along(y: float, x: float) -> float:
        return (slide - rim * y) / math.hypot(slide - rim * y, rim * x)

    def turning(y: float, x: float) -> float:
        return (rim * (x * x + y * y) - slide * y) / math.hypot(slide - rim * y, rim * x)

    force, torque = (
        2.0 * dblquad(part, 0.0, 1.0, lambda x: -edge(x), edge, epsabs=1e-6)[0] for part in (along, turning)
    )
    # Even pressure: the whole force is π, the whole torque of a disc that only spins 2π/3.
    return force / math.pi, torque / (2.0 * math.pi / 3.0)


@pytest.mark.parametrize("cell", [1, 10, 32, 48, 60, 63, 64, 66, 80, 96, 115, 127])
def test_the_table_is_the_integral_over_the_foot(cell: int) -> None:
    """Force and torque agree with an adaptive integral over the foot to 0.001."""
    force, torque = _integral(cell / CELLS)
    assert SLIDE[cell] == pytest.approx(force, abs=1e-3)
    assert SPIN[cell] == pytest.approx(torque, abs=1e-3)


@pytest.mark.parametrize(("ratio", "share"), [(1, 0.85), (2, 0.48), (4, 0.25)])
def test_a_spinning_foot_grips_less(ratio: int, share: float) -> None:
    """At a rim speed of once, twice and four times the sliding speed, 0.85, 0.48 and 0.25 of the friction are left."""
    at = ratio / (1 + ratio) * CELLS
    cell = int(at)
    between = SLIDE[cell] + (at - cell) * (SLIDE[cell + 1] - SLIDE[cell])
    assert between == pytest.approx(share, abs=0.005)
    assert _integral(ratio / (1 + ratio))[0] == pytest.approx(share, abs=0.005)


def test_pure_sliding_and_pure_spinning_are_exact() -> None:
    """A foot that only slides has all its friction and no torque; one that only spins the other way round."""
    assert (SLIDE[0], SPIN[0]) == (1.0, 0.0)
    assert (SLIDE[-1], SPIN[-1]) == (0.0, 1.0)
    assert len(SLIDE) == len(SPIN) == CELLS + 1


@given(st.integers(0, CELLS - 1))
def test_more_spin_means_less_grip(cell: int) -> None:
    """The more of the motion is spin, the less friction and the more torque."""
    assert SLIDE[cell] > SLIDE[cell + 1]
    assert SPIN[cell] < SPIN[cell + 1]


@given(st.integers(0, CELLS))
def test_no_foot_grips_more_than_friction_allows(cell: int) -> None:
    """The two shares lie within the square that the limits of each alone span, and outside the line between them."""
    assert 0.0 <= SLIDE[cell] <= 1.0
    assert 0.0 <= SPIN[cell] <= 1.0
    assert SLIDE[cell] + SPIN[cell] >= 1.0
