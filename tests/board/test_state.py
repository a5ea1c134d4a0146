"""Positions: how they are put in order, where magnets are, and what cannot stand on a machine."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import SHIPPED, machines, offsets, states
from twin.board.grid import PLUG_SPACE, STANDING_SPACES, centre, distance_to_space
from twin.board.state import (
    COLOURS,
    TOUCH_TOLERANCE,
    Slider,
    State,
    covers,
    home_space,
    magnets,
    parse_space,
    segment_y,
    validate_state,
)
from twin.errors import BadInputError

MACHINE = SHIPPED["reconstruction"]
SLIDERS = (Slider("A", 1), Slider("B", 3), Slider("C", 5))


def at(orientation: int = 0, /, sliders: tuple[Slider, ...] = SLIDERS, **ghosts: str | tuple[float, float]) -> State:
    """A position with ghosts on spaces or at floor places."""
    places = {c: centre(p, MACHINE.space, orientation) if isinstance(p, str) else p for c, p in ghosts.items()}
    return State.of(orientation, places, sliders)


def complaint(state: State) -> BadInputError:
    with pytest.raises(BadInputError) as caught:
        validate_state(state, MACHINE)
    return caught.value


def test_parts_in_any_order_make_the_same_state():
    one = State.of(5, {"blue": (0.0, 40.0), "red": (40.0, 0.0)}, SLIDERS)
    other = State.of(1, {"red": (40.0, 0.0), "blue": (0.0, 40.0)}, reversed(SLIDERS))
    assert one == other
    assert hash(one) == hash(other)
    assert one.colours == ("red", "blue")
    assert [slider.name for slider in one.sliders] == ["A", "B", "C"]


def test_a_slider_is_found_by_its_name():
    assert at(red="a1").slider("B") == Slider("B", 3)
    with pytest.raises(BadInputError, match="one of A, B, C; got 'D'"):
        at(red="a1").slider("D")


def test_only_leaves_one_ghost():
    state = at(red="a1", blue="c3")
    assert state.only("blue") == at(blue="c3")


def test_a_changed_slider_keeps_its_place_in_the_order():
    state = at(red="a1").with_slider(Slider("B", 2, 1, flipped=True))
    assert state.sliders == (SLIDERS[0], Slider("B", 2, 1, flipped=True), SLIDERS[2])


@pytest.mark.parametrize("orientation", range(4))
def test_ghosts_are_put_on_spaces_of_the_turned_board(orientation):
    state = at(orientation, red="a1", blue="c3").on_spaces({"red": "e6"}, MACHINE.space)
    assert state == at(orientation, red="e6", blue="c3")
    assert covers(state, "red", MACHINE) == ("e6",)
    assert state.board_place("red") == (40, 80)


@pytest.mark.parametrize(
    ("slider", "segment", "y"),
    [
        (Slider("A", 1), 1, -120),
        (Slider("A", 1), 4, 0),
        (Slider("A", 1), 7, 120),
        (Slider("A", 1, 2), 7, 200),
        (Slider("A", 1, -2), 1, -200),
        (Slider("A", 1, flipped=True), 1, 120),
        (Slider("A", 1, 1, flipped=True), 7, -80),
    ],
)
def test_segments_lie_along_the_tunnel(slider, segment, y):
    assert segment_y(slider, segment, 40.0) == y


@given(st.integers(1, 7), offsets, st.booleans())
def test_a_push_north_moves_every_segment_north(segment: int, offset: int, flipped: bool) -> None:  # noqa: FBT001
    """A push by one is one space, flipped or not, and a flip mirrors the slider about its own middle."""
    slider = Slider("A", 1, offset, flipped)
    assert segment_y(replace(slider, offset=offset + 1), segment, 40.0) == segment_y(slider, segment, 40.0) + 40
    assert segment_y(slider, segment, 40.0) == segment_y(replace(slider, flipped=not flipped), 8 - segment, 40.0)


def test_magnets_lie_in_their_tunnels():
    """Slider A (segments 2, 5, 7) in tunnel 1 stands at x = -80; beyond the board its magnets are listed too."""
    found = magnets(at(red="a1", sliders=(Slider("A", 1, 2), *SLIDERS[1:])), MACHINE)
    assert [(m.label, m.x, m.y) for m in found if m.slider == "A"] == [
        ("A2", -80, 0),
        ("A5", -80, 120),
        ("A7", -80, 200),
    ]
    assert len(found) == 9


@given(st.data())
def test_the_order_of_magnets_depends_on_their_places_alone(data: st.DataObject) -> None:
    state = data.draw(states(MACHINE))
    found = magnets(state, MACHINE)
    assert list(found) == sorted(found, key=lambda m: (m.x, m.y))
    assert len(found) == sum(len(on) for on in MACHINE.sliders.values())


def test_home_is_the_space_under_the_centre():
    assert home_space(at(red=(-101.0, -120.0)), "red", MACHINE) == "a1"
    assert home_space(at(red=(-99.0, -120.0)), "red", MACHINE) == "b1"


def test_home_is_never_the_plugs_space():
    """With its centre over the plug's space, a ghost belongs to the nearest space that it covers."""
    assert home_space(at(red=(19.9, 19.0)), "red", MACHINE) == "e4"
    assert home_space(at(red=(-19.0, -19.9)), "red", MACHINE) == "d3"


def test_home_at_the_very_edge():
    assert home_space(at(red=(140.0, 140.0)), "red", MACHINE) == "g7"


@given(st.data())
def test_whoever_stands_on_the_board_stands_on_a_space(data: st.DataObject) -> None:
    """On any machine, every ghost of a valid position covers a space, and its home is one of them."""
    machine = data.draw(machines())
    state = data.draw(states(machine))
    for colour in state.colours:
        assert home_space(state, colour, machine) in covers(state, colour, machine)


def test_a_small_foot_beside_a_small_plug_stands_on_a_space():
    """Where feet, plug and tolerance are small, a ghost in a corner of the plug's space still has a home."""
    small = {"ghost.radius": 10.0, "plug.radius": 8.0, "tolerance.line": 4.0, "board.space": 44.0}
    try:
        machine = MACHINE.with_values(small)
        state = State.of(0, {"red": (12.8, 12.8)}, SLIDERS)
        validate_state(state, machine)
    except BadInputError:
        return  # refusing the machine or the place is as good
    assert covers(state, "red", machine)
    assert home_space(state, "red", machine) != PLUG_SPACE


@given(st.data())
def test_random_positions_are_valid(data: st.DataObject) -> None:
    machine = data.draw(machines())
    validate_state(data.draw(states(machine)), machine)


@pytest.mark.parametrize("space", STANDING_SPACES)
def test_ghosts_may_stand_on_every_space(space):
    validate_state(at(red=space), MACHINE)
    assert parse_space(space) == space


BAD_STATES = {
    "no ghosts": (at(), "ghosts", "1 to 4 ghosts"),
    "not a number": (at(red=(math.nan, 0.0)), "ghosts.red", "finite"),
    "infinite": (at(red=(0.0, -math.inf)), "ghosts.red", "finite"),
    "off the board": (at(red=(0.0, 140.1)), "ghosts.red", "within ±140 mm"),
    "off the board, turned": (at(1, red=(-141.0, 0.0)), "ghosts.red", "within ±140 mm"),
    "on the plug": (at(red=(0.0, 0.0)), "ghosts.red", "must not stand on the plug"),
    "into the plug": (at(red=(0.0, 26.8)), "ghosts.red", "0.2 mm too near"),
    "two on one space": (at(red="a1", blue="a1"), "ghosts.blue", "overlaps red by 26.0 mm"),
    "overlapping": (at(yellow="a1", green=(-120.0, -94.2)), "ghosts.green", "overlaps yellow by 0.2 mm"),
    "slider missing": (at(red="a1", sliders=SLIDERS[:2]), "sliders", "C is missing"),
    "slider twice": (at(red="a1", sliders=(*SLIDERS, Slider("B", 2))), "sliders", "B is given twice"),
    "slider unknown": (at(red="a1", sliders=(*SLIDERS, Slider("D", 2))), "sliders.D", "one of A, B, C"),
    "tunnel 0": (at(red="a1", sliders=(*SLIDERS[1:], Slider("A", 0))), "sliders.A.tunnel", "1 to 5; got 0"),
    "tunnel 6": (at(red="a1", sliders=(*SLIDERS[1:], Slider("A", 6))), "sliders.A.tunnel", "1 to 5; got 6"),
    "tunnel taken": (at(red="a1", sliders=(*SLIDERS[1:], Slider("A", 3))), "sliders.B.tunnel", "taken by slider A"),
    "offset 3": (at(red="a1", sliders=(*SLIDERS[1:], Slider("A", 1, 3))), "sliders.A.offset", "-2 to 2; got 3"),
    "offset -3": (at(red="a1", sliders=(*SLIDERS[1:], Slider("A", 1, -3))), "sliders.A.offset", "-2 to 2; got -3"),
}


@pytest.mark.parametrize("case", BAD_STATES)
def test_what_cannot_stand_is_told_with_its_field(case):
    state, field, words = BAD_STATES[case]
    error = complaint(state)
    assert error.field == field
    assert words in error.problem


def test_feet_may_touch():
    """Ghosts may touch each other and the plug, and overlap by what the contact solver leaves."""
    validate_state(at(red=(0.0, 27.0 - 0.99 * TOUCH_TOLERANCE), blue=(0.0, 53.0)), MACHINE)
    validate_state(at(red="a1", blue=(-120.0, -94.0 - 0.99 * TOUCH_TOLERANCE)), MACHINE)


@pytest.mark.parametrize("name", ["", "h1", "a0", "a8", "A1", "a1 ", "d44", 11, None, ["a1"]])
def test_what_is_no_space(name):
    with pytest.raises(BadInputError, match="a1 to g7"):
        parse_space(name)


def test_no_ghost_is_put_on_the_plug():
    with pytest.raises(BadInputError, match="plug fills it"):
        parse_space(PLUG_SPACE)


def test_colours_are_always_listed_in_one_order():
    state = State.of(0, dict.fromkeys(reversed(COLOURS), (0.0, 0.0)), ())
    assert state.colours == COLOURS


@given(st.data())
def test_a_covered_space_is_near(data: st.DataObject) -> None:
    state = data.draw(states(MACHINE))
    for colour in state.colours:
        for space in covers(state, colour, MACHINE):
            assert distance_to_space(state.board_place(colour), space, MACHINE.space) < MACHINE.reach
