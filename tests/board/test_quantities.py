"""Values with their provenance: what a machine file may say of each."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.board.quantities import KEYS, SOURCES, Quantity, parse_quantity, parse_value
from twin.errors import BadInputError

KEY = "ghost.mass"
GOOD = {"value": 12, "unit": "g", "source": "assumed", "range": [8, 20]}


def complaint(data: object) -> BadInputError:
    with pytest.raises(BadInputError) as caught:
        parse_quantity(KEY, data)
    assert len(caught.value.problem) <= 400
    return caught.value


def test_a_good_value():
    assert parse_quantity(KEY, GOOD) == Quantity(12.0, "g", "assumed", (8.0, 20.0))


@pytest.mark.parametrize("key", KEYS)
def test_every_key_has_unit_limits_and_meaning(key):
    kind = KEYS[key]
    assert kind.unit
    assert kind.meaning
    assert 0 <= kind.low < kind.high < math.inf
    assert key.count(".") == 1


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_is_accepted(source):
    assert parse_quantity(KEY, GOOD | {"source": source}).source == source


BAD = {
    "a bare number": (12, "", "must be a table { value"),
    "a list": ([12, "g"], "", 'unit = "g"'),
    "text": ("12 g", "", "must be a table"),
    "unknown key": (GOOD | {"error": 1}, "", "unknown key 'error'"),
    "kilograms": (GOOD | {"unit": "kg"}, ".unit", "must be 'g'; got 'kg'"),
    "unit of another type": (GOOD | {"unit": ["g"]}, ".unit", "must be 'g'"),
    "unknown source": (GOOD | {"source": "rumour"}, ".source", "rulebook, review, physics, assumed, measured"),
    "source of another type": (GOOD | {"source": {}}, ".source", "must be one of"),
    "range of one": (GOOD | {"range": [8]}, ".range", "two numbers [low, high]"),
    "range of three": (GOOD | {"range": [8, 12, 20]}, ".range", "two numbers [low, high]"),
    "range as text": (GOOD | {"range": "8-20"}, ".range", "two numbers [low, high]"),
    "range of words": (GOOD | {"range": ["low", "high"]}, ".range", "finite number in g"),
    "endless range": (GOOD | {"range": [8, math.inf]}, ".range", "finite number in g"),
    "inverted range": (GOOD | {"range": [20, 8]}, ".range", "low"),
    "value below its range": (GOOD | {"value": 7}, ".value", "within its range [8, 20]; got 7"),
    "value above its range": (GOOD | {"value": 21}, ".value", "within its range [8, 20]; got 21"),
    "negative": (GOOD | {"value": -12}, ".value", "0.5 to 500 g (mass of a ghost with its magnet); got -12"),
    "zero": (GOOD | {"value": 0}, ".value", "0.5 to 500 g"),
    "not a number": (GOOD | {"value": math.nan}, ".value", "finite number in g; got nan"),
    "infinite": (GOOD | {"value": math.inf}, ".value", "finite number in g; got inf"),
    "true": (GOOD | {"value": True}, ".value", "finite number in g; got True"),
    "a text as value": (GOOD | {"value": "12"}, ".value", "finite number in g; got '12'"),
    "beyond every float": (GOOD | {"value": 10**400}, ".value", "g"),
    "a long text as value": (GOOD | {"value": "x" * 10_000}, ".value", "finite number in g"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_value_is_told_with_its_field(case):
    data, field, words = BAD[case]
    error = complaint(data)
    assert error.field == KEY + field
    assert words in error.problem


@pytest.mark.parametrize("name", GOOD)
def test_nothing_may_be_missing(name):
    error = complaint({key: value for key, value in GOOD.items() if key != name})
    assert error.field == KEY
    assert f"{name} is missing" in error.problem


@given(st.sampled_from(sorted(KEYS)), st.floats() | st.integers() | st.booleans() | st.text() | st.none())
def test_any_value_is_a_number_within_limits_or_bad_input(key: str, value: object) -> None:
    """What is accepted is finite and within the limits of sense; everything else is bad input."""
    try:
        number = parse_value(key, value, key)
    except BadInputError:
        return
    assert type(number) is float
    assert KEYS[key].low <= number <= KEYS[key].high
