"""Parameters: the box of what is assumed, and the way to the unit cube and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.setups import MACHINE
from twin.calibrate.evidence.machine_samples import LATIN, SOBOL, sample, unit_points
from twin.calibrate.evidence.parameters import (
    from_unit,
    named,
    named_values,
    parameters,
    to_unit,
    values_of,
    with_values,
)
from twin.errors import BadInputError

ALL = parameters(MACHINE)


def test_every_assumed_value_with_a_range_is_a_parameter() -> None:
    """No more and no less, in the order of the machine, with the file's range and unit."""
    expected = [key for key, q in MACHINE.quantities.items() if q.source == "assumed" and q.range[0] < q.range[1]]
    assert [p.name for p in ALL] == expected
    assert len(ALL) > 30
    for parameter in ALL:
        assert (parameter.low, parameter.high) == MACHINE.quantities[parameter.name].range
        assert parameter.unit == MACHINE.quantities[parameter.name].unit
        assert parameter.meaning


def test_named_parameters_may_come_from_any_source() -> None:
    """What physics or a measurement says can be varied too, if it is asked for by name; each once, in this order."""
    chosen = named(MACHINE, ["rocking.rate", "friction.board", "rocking.rate"])
    assert [p.name for p in chosen] == ["rocking.rate", "friction.board"]
    assert chosen[0].source == "physics"


@pytest.mark.parametrize(
    ("names", "told"),
    [(["friction.bord"], "did you mean 'friction.board'"), (["wind"], "board.space"), ([], "at least one")],
)
def test_unknown_names_are_told_what_there_is(names: list[str], told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        named(MACHINE, names)


def test_a_value_without_a_range_is_no_parameter() -> None:
    """A machine whose range is one point has nothing to vary there, and says so."""
    from dataclasses import replace

    quantity = replace(MACHINE.quantities["magnet.gap"], range=(5.0, 5.0))
    machine = replace(MACHINE, quantities={**MACHINE.quantities, "magnet.gap": quantity})
    assert "magnet.gap" not in [p.name for p in parameters(machine)]
    with pytest.raises(BadInputError, match="no range to vary in"):
        named(machine, ["magnet.gap"])


@given(st.lists(st.floats(0, 1), min_size=len(ALL), max_size=len(ALL)))
def test_points_come_back_from_the_unit_cube(unit: list[float]) -> None:
    """Every point of the cube is a point of the box, never beyond it, and leads back."""
    point = from_unit(ALL, unit)
    for parameter, value in zip(ALL, point, strict=True):
        assert parameter.low <= value <= parameter.high
    assert np.allclose(to_unit(ALL, point), unit, atol=1e-9)


def test_the_machine_itself_lies_in_its_box() -> None:
    inside = to_unit(ALL, values_of(MACHINE, ALL))
    assert np.all((inside >= 0) & (inside <= 1))
    assert with_values(MACHINE, named_values(ALL, values_of(MACHINE, ALL))) == MACHINE


def test_values_beyond_their_range_are_refused() -> None:
    with pytest.raises(BadInputError, match="range"):
        with_values(MACHINE, {"friction.board": 0.9})


@pytest.mark.parametrize("design", [SOBOL, LATIN])
def test_samples_repeat_under_a_seed_and_spread_evenly(design) -> None:
    """The same seed gives the same points, another seed others; each quarter of a range gets a quarter of them."""
    points = unit_points(128, 5, 3, design)
    assert np.array_equal(points, unit_points(128, 5, 3, design))
    assert not np.array_equal(points, unit_points(128, 5, 4, design))
    for column in points.T:
        assert np.all(np.histogram(column, 4, (0, 1))[0] == 32)


def test_a_longer_sobol_sample_begins_with_the_shorter_one() -> None:
    """Also where the numbers are no powers of two, and without a warning."""
    assert np.array_equal(unit_points(100, 33, 1)[:37], unit_points(37, 33, 1))


def test_a_sample_leaves_out_what_no_board_can_have() -> None:
    """A small plug with small feet would leave room on the plug's space: no machine."""
    chosen = named(MACHINE, ["plug.radius", "ghost.radius", "tolerance.line", "board.space"])
    machines = list(sample(MACHINE, chosen, 256, 1).machines())
    assert any(machine is None for machine in machines)
    assert sum(machine is not None for machine in machines) > 200
