# ruff: noqa: N802 - the gaps of the rules are numbered with a capital letter
"""Snapping: from where ghosts ended to where they may be put (D4, D5), and to conflicts."""

from __future__ import annotations

import math
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import SHIPPED, landings, orientations
from twin.board.grid import CORNERS, STANDING_SPACES, Place, centre, to_floor
from twin.outcome.snap import Landing, snap

MACHINE = SHIPPED["reconstruction"]
SIZE = MACHINE.space


def landed(**places: Place | None) -> Landing:
    return snap(places, 0.0, 0, MACHINE)


def spaces(landing: Landing) -> list[str]:
    """The placements, each as the spaces of the ghosts in their order."""
    return [" ".join(space for _, space in placement) for placement in landing.placements]


def test_a_settled_ghost_stays_where_it_is():
    landing = landed(red=(-115.0, -122.0))
    footing = landing.footing("red")
    assert footing.covers == ("a1",)
    assert footing.space == "a1"
    assert footing.margin == pytest.approx(4.0)
    assert spaces(landing) == ["a1"]
    assert not landing.conflict
    assert landing.fallback is None


def test_a_straddling_ghost_has_the_spaces_it_covers():
    """D4: only spaces that it covers, the nearest first."""
    landing = landed(red=(-105.0, -103.0))
    assert landing.footing("red").covers == ("a1", "a2", "b1", "b2")
    assert landing.footing("red").space is None
    assert spaces(landing) == ["a1", "a2", "b1", "b2"]


def test_a_fallen_ghost_may_take_any_empty_corner():
    """D5: the corners, in the order of their names, without one that somebody stands on."""
    landing = landed(red=None, blue=(-120.0, -120.0))
    assert landing.footing("red").covers == ()
    assert landing.footing("red").margin is None
    assert landing.footing("red").place is None
    assert spaces(landing) == ["a7 a1", "g1 a1", "g7 a1"]


def test_a_corner_that_a_straddler_leaves_is_empty():
    """A corner is empty or not in each placement for itself."""
    landing = landed(red=None, blue=(-101.0, -120.0))
    assert "a1 b1" in spaces(landing)
    assert "a1 a1" not in spaces(landing)
    assert "a7 a1" in spaces(landing)
    assert len(spaces(landing)) == 3 + 4


def test_four_fallen_ghosts_take_the_four_corners():
    landing = landed(red=None, yellow=None, green=None, blue=None)
    assert spaces(landing) == [" ".join(order) for order in permutations(CORNERS)]


def test_a_straddler_gives_way_to_a_settled_ghost():
    assert spaces(landed(red=(-120.0, -122.0), blue=(-120.0, -95.0))) == ["a1 a2"]


def test_two_straddlers_share_their_spaces():
    """Both placements of two ghosts on the same two spaces, the smaller total displacement first."""
    landing = landed(red=(-110.0, -102.0), blue=(-110.0, -75.0))
    assert spaces(landing)[0] == "a1 a2"
    assert all(len(set(taken.split())) == 2 for taken in spaces(landing))


def test_two_ghosts_settled_on_one_space_are_a_conflict():
    """Both cover one space and no other: no joint placement exists, and the fallback moves one of them."""
    landing = landed(red=(-131.0, -131.0), blue=(-111.0, -114.0))
    assert landing.footing("red").covers == landing.footing("blue").covers == ("a1",)
    assert landing.conflict
    assert landing.placements == ()
    assert landing.fallback == (("red", "a1"), ("blue", "b1"))


def test_a_straddler_between_two_settled_ghosts_is_a_conflict():
    """As after a chain of three is pushed to the edge: the middle one covers only what the others stand on."""
    landing = landed(red=(-80.0, 80.0), blue=(-80.0, 106.0), green=(-80.0, 132.0))
    assert landing.footing("blue").covers == ("b6", "b7")
    assert landing.conflict
    assert landing.fallback is not None
    assert dict(landing.fallback)["red"] == "b6"


def test_equal_displacements_are_ordered_by_name():
    """On a crossing of four lines all four spaces are equally far."""
    assert spaces(landed(red=(-100.0, -100.0))) == ["a1", "a2", "b1", "b2"]
    assert spaces(landed(red=(-100.0, 100.0), blue=(100.0, 120.0)))[:2] == ["a6 f7", "a6 g7"]


def test_G3_less_than_the_tolerance_over_a_line_is_not_over_it():
    """A foot of radius 13 reaches a line 7 mm off centre; only from 9 mm on does it count."""
    assert landed(red=(-112.0, -120.0)).footing("red").covers == ("a1",)
    assert landed(red=(-111.0, -120.0)).footing("red").covers == ("a1",)
    assert landed(red=(-110.9, -120.0)).footing("red").covers == ("a1", "b1")


def test_G3_the_tolerance_is_a_value_of_the_machine():
    strict = MACHINE.with_values({"tolerance.line": 0})
    assert snap({"red": (-112.0, -120.0)}, 0.0, 0, strict).footing("red").covers == ("a1", "b1")


@pytest.mark.parametrize(
    ("place", "covers"),
    [
        ((-27.0, 0.0), ("c4",)),
        ((0.0, 27.0), ("d5",)),
        ((-20.0, 19.0), ("c4", "c5", "d5")),
        ((19.2, 19.2), ("d5", "e4", "e5")),
    ],
)
def test_G3_the_plugs_space_never_counts(place, covers):
    """A ghost over the plug's space and one other is settled on the other."""
    landing = landed(red=place)
    assert landing.footing("red").covers == covers
    assert sorted(spaces(landing)) == list(covers)


def test_beyond_the_edge_nothing_counts():
    assert landed(red=(-139.0, 0.0)).footing("red").covers == ("a4",)


@pytest.mark.parametrize("orientation", range(4))
def test_spaces_are_named_on_the_turned_board(orientation):
    landing = snap({"red": to_floor((-120.0, 83.0), orientation)}, 0.0, orientation, MACHINE)
    assert landing.footing("red").covers == ("a6",)
    assert landing.footing("red").place == (-120.0, 83.0)


@given(landings(MACHINE), orientations, st.floats(-0.05, 0.05))
def test_a_board_askew_is_read_in_its_own_frame(
    places: dict[str, Place | None], orientation: int, angle: float
) -> None:
    """Turning the ghosts and the board together changes nothing."""
    cos, sin = math.cos(angle), math.sin(angle)
    turned = {
        colour: None if place is None else (cos * place[0] - sin * place[1], sin * place[0] + cos * place[1])
        for colour, place in ((c, None if p is None else to_floor(p, orientation)) for c, p in places.items())
    }
    straight, askew = snap(places, 0.0, 0, MACHINE), snap(turned, angle, orientation, MACHINE)
    for colour in places:
        one, other = straight.footing(colour), askew.footing(colour)
        assert (one.place is None) == (other.place is None)
        if one.place is not None and other.place is not None:
            assert math.dist(one.place, other.place) < 1e-9
            assert one.covers == other.covers or (one.margin or 0) < 1e-6


def total(landing: Landing, taken: tuple[str, ...]) -> float:
    """By how much the ghosts are moved together when they are put on these spaces."""
    footings = [footing for _, footing in landing.footings]
    pairs = zip(footings, taken, strict=True)
    return sum(0.0 if f.place is None else math.dist(f.place, centre(space, SIZE)) for f, space in pairs)


def nearest(place: Place) -> list[str]:
    return sorted(STANDING_SPACES, key=lambda space: math.dist(place, centre(space, SIZE)))


@settings(max_examples=60)
@given(landings(MACHINE))
def test_the_fallback_moves_ghosts_the_least(places: dict[str, Place | None]) -> None:
    """Of all positions with each on a space of its own and fallen ones on corners, none moves the ghosts less.

    Brute force over the eight nearest spaces of each: with four ghosts, of any eight one is free that is no farther.
    """
    landing = snap(places, 0.0, 0, MACHINE)
    if landing.fallback is None:
        return
    options = [CORNERS if place is None else nearest(place)[:8] for place in places.values()]
    legal = [taken for taken in product(*options) if len(set(taken)) == len(taken)]
    best = min(total(landing, taken) for taken in legal)
    assert total(landing, tuple(space for _, space in landing.fallback)) == pytest.approx(best, abs=1e-5)


def test_ghosts_jammed_into_one_space_get_the_nearest_fallback():
    """Four ghosts in one space are spread over the spaces around it, against brute force."""
    places: dict[str, Place | None] = {
        "red": (-2.0, 79.0),
        "yellow": (2.0, 80.0),
        "green": (0.0, 83.0),
        "blue": (3.0, 78.0),
    }
    landing = snap(places, 0.0, 0, MACHINE)
    assert landing.fallback is not None
    near = [space for space in STANDING_SPACES if math.dist(centre(space, SIZE), (0.0, 80.0)) < 100]
    best = min(total(landing, taken) for taken in permutations(near, 4))
    assert total(landing, tuple(space for _, space in landing.fallback)) == pytest.approx(best, abs=1e-5)
