"""The grid: names, frames, neighbours, and what a foot covers."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import orientations, places, spaces
from twin.board.grid import (
    CORNERS,
    DIRECTIONS,
    PLUG_SPACE,
    SPACES,
    STANDING_SPACES,
    Place,
    cell,
    centre,
    cover_margin,
    covered_spaces,
    distance_to_space,
    edge_distance,
    neighbour,
    space_at,
    space_under,
    to_board,
    to_floor,
)

SIZE = 40.0
REACH = 11.0
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}

reaches = st.floats(0.5, 19.5)


def test_there_are_49_spaces_and_one_is_the_plugs():
    assert len(set(SPACES)) == 49
    assert set(SPACES) - set(STANDING_SPACES) == {PLUG_SPACE}
    assert list(SPACES) == sorted(SPACES)
    assert centre(PLUG_SPACE, SIZE) == (0, 0)


@pytest.mark.parametrize("space", SPACES)
def test_cells_and_names_are_one_to_one(space):
    assert space_at(*cell(space)) == space


@pytest.mark.parametrize("column", [-4, 4])
def test_beyond_the_edge_there_is_no_space(column):
    assert space_at(column, 0) is None
    assert space_at(0, column) is None


def test_a1_is_bottom_left_at_orientation_0():
    assert centre("a1", SIZE) == (-120, -120)
    assert centre("g1", SIZE) == (120, -120)
    assert centre("a7", SIZE) == (-120, 120)


def test_at_orientation_1_floor_minus_80_40_is_c2():
    """The example of the design: the frames turn clockwise."""
    assert space_under(to_board((-80, 40), 1), SIZE) == "c2"
    assert centre("c2", SIZE, 1) == (-80, 40)


@pytest.mark.parametrize(("orientation", "place"), [*enumerate([(-120, -120), (-120, 120), (120, 120), (120, -120)])])
def test_a_corner_goes_round_clockwise(orientation, place):
    assert centre("a1", SIZE, orientation) == place


@given(places(), st.integers(-9, 9))
def test_floor_and_board_frames_undo_each_other(place: Place, orientation: int):
    assert to_board(to_floor(place, orientation), orientation) == place
    assert to_floor(place, orientation) == to_floor(place, orientation + 4)


@given(places(), st.integers(0, 3), st.integers(0, 3))
def test_quarter_turns_add_up(place: Place, one: int, other: int):
    assert to_floor(to_floor(place, one), other) == to_floor(place, one + other)


@given(spaces, orientations)
def test_the_centre_of_a_space_lies_in_it(space: str, orientation: int):
    assert space_under(to_board(centre(space, SIZE, orientation), orientation), SIZE) == space


def test_a_line_belongs_to_the_higher_space():
    assert space_under((-100.0, -120.0), SIZE) == "b1"
    assert space_under((-120.0, -100.0), SIZE) == "a2"


def test_no_space_lies_under_a_place_beyond_the_edge():
    assert space_under((-140.1, 0.0), SIZE) is None
    assert space_under((0.0, 140.1), SIZE) is None


@pytest.mark.parametrize(
    ("orientation", "north"), [*enumerate(["c5", "b4", "c3", "d4"])], ids=["start", "cw", "half", "ccw"]
)
def test_north_is_a_direction_of_the_floor(orientation, north):
    """North of c4 lies another space each time the board turns."""
    assert neighbour("c4", "north", orientation) == north


@given(spaces, st.sampled_from(sorted(DIRECTIONS)), orientations)
def test_neighbours_adjoin_on_the_floor(space: str, direction: str, orientation: int):
    """A neighbour lies one space away in its direction, and the way back leads home; None only at the edge."""
    x, y = centre(space, SIZE, orientation)
    dx, dy = DIRECTIONS[direction]
    there = neighbour(space, direction, orientation)
    target = (x + dx * SIZE, y + dy * SIZE)
    if there is None:
        assert max(abs(target[0]), abs(target[1])) > 140
    else:
        assert centre(there, SIZE, orientation) == target
        assert neighbour(there, OPPOSITE[direction], orientation) == space


@given(places(), spaces)
def test_the_distance_to_a_space_is_that_to_its_nearest_point(place: Place, space: str):
    """Outside the square it is the distance to its nearest point; inside it is negative, -size/2 at the centre."""
    (cx, cy), distance = centre(space, SIZE), distance_to_space(place, space, SIZE)
    nearest = (min(max(place[0], cx - 20), cx + 20), min(max(place[1], cy - 20), cy + 20))
    if nearest != place:
        assert distance == pytest.approx(math.dist(place, nearest))
    else:
        assert -20 <= distance <= 0
    assert distance_to_space((cx, cy), space, SIZE) == -20


@given(places(), reaches)
def test_a_foot_covers_the_spaces_within_its_reach(place: Place, reach: float):
    """Covered is what the foot's reach touches: the definition, applied to each space in turn."""
    wanted = [space for space in STANDING_SPACES if distance_to_space(place, space, SIZE) < reach]
    assert list(covered_spaces(place, reach, SIZE)) == wanted


@given(places(), reaches, st.floats(0, 2 * math.pi), st.floats(0, 0.999))
def test_whatever_lies_under_the_foot_is_covered(place: Place, reach: float, angle: float, share: float):
    """Any point within reach of the centre lies on a covered space, on the plug's, or beyond the edge."""
    point = (place[0] + share * reach * math.cos(angle), place[1] + share * reach * math.sin(angle))
    assert space_under(point, SIZE) in {*covered_spaces(place, reach, SIZE), PLUG_SPACE, None}


@given(places(), reaches, reaches)
def test_a_bigger_foot_covers_no_less(place: Place, one: float, other: float):
    small, big = sorted((one, other))
    assert set(covered_spaces(place, small, SIZE)) <= set(covered_spaces(place, big, SIZE))


@given(spaces, orientations, reaches)
def test_a_ghost_on_a_centre_covers_that_space_alone(space: str, orientation: int, reach: float):
    place = to_board(centre(space, SIZE, orientation), orientation)
    assert covered_spaces(place, reach, SIZE) == (space,)


def test_the_plugs_space_is_never_covered():
    assert covered_spaces((-21.0, 0.0), REACH, SIZE) == ("c4",)
    assert covered_spaces((0.0, 0.0), REACH, SIZE) == ()


def test_beyond_the_edge_nothing_is_covered():
    assert covered_spaces((-139.0, -139.0), REACH, SIZE) == ("a1",)


def test_on_a_crossing_of_lines_four_spaces_are_covered():
    assert covered_spaces((-100.0, -100.0), REACH, SIZE) == ("a1", "a2", "b1", "b2")


@given(places())
def test_the_edge_is_as_far_as_the_nearest_side(place: Place):
    assert edge_distance(place, SIZE) == min(140 - abs(place[0]), 140 - abs(place[1]))


def seen(place: Place, reach: float) -> tuple[tuple[str, ...], bool]:
    """What a margin is about: the covered spaces, and being on the board."""
    return covered_spaces(place, reach, SIZE), edge_distance(place, SIZE) >= 0


def ring(place: Place, radius: float, count: int = 720) -> list[Place]:
    turns = [2 * math.pi * index / count for index in range(count)]
    return [(place[0] + radius * math.cos(turn), place[1] + radius * math.sin(turn)) for turn in turns]


@given(places(), reaches)
def test_a_margin_is_exact(place: Place, reach: float):
    """Nearer than the margin nothing changes in any direction; just beyond it, something does in one of 720."""
    margin = cover_margin(place, reach, SIZE)
    here = seen(place, reach)
    assume(margin > 1e-6)
    for share in (0.3, 0.7, 0.999):
        assert {seen(there, reach) for there in ring(place, share * margin, 90)} == {here}
    assert {seen(there, reach) for there in ring(place, 1.001 * margin + 1e-6)} != {here}


@pytest.mark.parametrize(
    ("place", "margin"),
    [((-120.0, -120.0), 9.0), ((-111.5, -120.0), 0.5), ((-139.0, -120.0), 1.0), ((-120.0, 80.0), 9.0)],
)
def test_margins_of_some_places(place, margin):
    assert cover_margin(place, REACH, SIZE) == pytest.approx(margin)


@given(places(), reaches)
def test_a_margin_is_never_negative(place: Place, reach: float):
    assert cover_margin(place, reach, SIZE) >= 0


def test_corners_are_the_ends_of_both_diagonals():
    assert all({abs(value) for value in cell(space)} == {3} for space in CORNERS)
    assert all(one < other for one, other in pairwise(CORNERS))
