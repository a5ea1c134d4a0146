# ruff: noqa: N802 - rules and gaps are numbered with a capital letter
"""The engine: what a move's outcome tells, where ghosts may be put afterwards, and what is too close to call."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from tests.strategies import SHIPPED, plays
from twin.board.grid import Place, centre
from twin.board.moves import Drag, Move, Push, Relocate, Turn
from twin.board.scene import load_scene
from twin.board.state import Slider, State, covers, validate_state
from twin.errors import BadInputError, BarredMoveError
from twin.outcome.engine import Outcome, Twin
from twin.physics.hand import NOMINAL, Hand, varied_hand
from twin.physics.starts import NUDGE, NUDGES, nudged, shifted

if TYPE_CHECKING:
    from tests.strategies import Play

ROOT = Path(__file__).parent.parent.parent
MACHINE = SHIPPED["reconstruction"]
TWIN = Twin(MACHINE)
SLIDERS = (Slider("A", 1), Slider("B", 3), Slider("C", 5))


def at(orientation: int = 0, /, sliders: tuple[Slider, ...] = SLIDERS, **ghosts: str | Place) -> State:
    """A position with ghosts on spaces or at floor places."""
    size = MACHINE.space
    places = {c: centre(p, size, orientation) if isinstance(p, str) else p for c, p in ghosts.items()}
    return State.of(orientation, places, sliders)


def act(state: State, move: Move, hand: Hand = NOMINAL) -> Outcome:
    return TWIN.act(state, move, hand, sensitivity=False)


BELOW_B5 = (Slider("A", 5), Slider("B", 3), Slider("C", 1, -1))
"""Sliders with C6 below b5, and no magnet below b6 and b7."""


def chain() -> Outcome:
    """A chain of three pushed to the edge: the second covers only what the others stand on."""
    return act(at(red="b5", yellow="b6", blue="b7", sliders=BELOW_B5), Push("C", "north"))


# -- the outcome -------------------------------------------------------------------------------------------------------


def test_ghosts_on_no_magnet_ride_along():
    """The first of the things that people have seen: exactly 90°, from corner to corner of the floor."""
    outcome = act(at(red="a1", blue="g1"), Turn("cw"))
    assert [ghost.fate for _, ghost in outcome.ghosts] == ["rode", "rode"]
    place = outcome.ghost("red").place
    assert place is not None
    assert math.dist(place, (-120, 120)) < 0.01
    assert outcome.ghost("red").space == "a1"
    assert (outcome.legal, outcome.done, outcome.orientation) == (True, True, 1)


def test_the_state_is_checked_first():
    with pytest.raises(BadInputError, match="overlaps"):
        act(at(red="a1", blue=(-119.0, -120.0)), Turn("cw"))


def test_G15_the_reference_engine_warns_of_ghosts_that_still_move():
    """At the end of the wait, at rest or not, the ghosts count where they are; with a longer wait they come to rest."""
    scene = load_scene(str(ROOT / "scenes" / "edge" / "never-settles.toml"))
    for wait, restless in ((0.5, ["red", "yellow"]), (1.0, [])):
        machine = scene.machine.with_values({"hand.settle_time": wait})
        trace = Twin(machine).act(scene.state, Push("A", "north"), sensitivity=False).trace
        assert trace is not None
        found = [warning for warning in trace.warnings if warning.kind == "unsettled"]
        assert [warning.ghost for warning in found] == restless
        assert all(warning.time == pytest.approx(machine["hand.push_time"] + wait) for warning in found)


def test_a_slider_that_does_not_exist_is_no_move():
    with pytest.raises(BadInputError, match="one of A, B, C"):
        act(at(red="a1"), Push("D", "north"))


def test_the_default_machine_is_the_reconstruction():
    assert Twin().machine == MACHINE


UNDONE = [
    (at(red="a1", sliders=(Slider("A", 1, 2), *SLIDERS[1:])), Push("A", "north"), ("B5",)),
    (at(red="b1"), Relocate("A", 3, 0), ("C1", "C2")),
    (at(red="a1"), Relocate("A", 2, 3), ("C3",)),
    (at(2, red=(-101.0, -120.0)), Relocate("B", 3, 0, flip=True), ("C2",)),
]


@pytest.mark.parametrize(("state", "move", "rules"), UNDONE, ids=[str(move) for _, move, _ in UNDONE])
def test_an_undone_move_changes_nothing(state, move, rules):
    """What physics cannot do is left undone: no trace, everything as before, tidy or not."""
    outcome = act(state, move)
    assert outcome.broken == rules
    assert len(outcome.reasons) == len(rules)
    assert not outcome.done
    assert not outcome.legal
    assert not outcome.too_close
    assert outcome.trace is None
    assert outcome.warnings == ()
    assert outcome.after() == outcome.after(as_is=True) == state
    for colour, ghost in outcome.ghosts:
        assert ghost.place == ghost.start == state.places[colour]
        assert ghost.fate == "stayed"
        assert (ghost.touched, ghost.walls, ghost.slip) == ((), (), 0)
        assert ghost.covers == covers(state, colour, MACHINE)


def test_a_barred_move_that_physics_can_do_is_simulated():
    outcome = act(at(red="b7"), Push("A", "north"))
    assert outcome.broken == ("B6",)
    assert outcome.done
    assert outcome.trace is not None


def test_G4_a_fall_that_only_a_varied_hand_causes_is_no_broken_rule():
    """A push that seemed allowed, and is with the nominal hand, shoots blue over the edge: resolved as D5."""
    state, move = at(red="b5", blue="b6", sliders=BELOW_B5), Push("C", "north")
    nominal, lively = act(state, move), act(state, move, Hand(pace=0.3))
    assert (nominal.legal, nominal.ghost("blue").fate) == (True, "shoved")
    assert (lively.legal, lively.ghost("blue").fate) == (True, "fell")
    assert lively.after().places["blue"] == centre("a1", MACHINE.space)


def test_a_bystander_of_a_drag_stays_where_it_is():
    """Red stands across the wall between a1 and b1; dragging blue far away does not move it."""
    outcome = act(at(red=(-100.0, -120.0), blue="g1"), Drag("blue", "north"))
    assert outcome.ghost("red").place == (-100.0, -120.0)
    assert outcome.ghost("red").touched == ()


def test_a_pushed_chain_of_three_at_the_edge_is_a_conflict():
    outcome = chain()
    assert outcome.landing.conflict
    assert outcome.ghost("red").fate == "carried"
    assert outcome.ghost("yellow").covers == ("b6", "b7")


# -- after the move ----------------------------------------------------------------------------------------------------


def straddling() -> Outcome:
    """Red rides along on the line between a1 and a2, blue in a corner."""
    return act(at(red=(-120.0, -101.0), blue="g1"), Turn("cw"))


def test_without_a_choice_the_first_placement_is_taken():
    outcome = straddling()
    assert outcome.ghost("red").covers == ("a1", "a2")
    assert outcome.after() == at(1, red="a1", blue="g1")


@pytest.mark.parametrize("space", ["a1", "a2"])
def test_D4_the_player_chooses_among_the_covered_spaces(space):
    assert straddling().after({"red": space}) == at(1, red=space, blue="g1")


def test_D4_no_other_space_can_be_chosen():
    with pytest.raises(BarredMoveError, match="red=a1, blue=g1") as caught:
        straddling().after({"red": "b1"})
    assert caught.value.broken == ("D4",)
    assert caught.value.exit_code == 3


def test_D4_a_settled_ghost_stays():
    with pytest.raises(BarredMoveError):
        straddling().after({"blue": "f1"})
    assert straddling().after({"blue": "g1"}) == straddling().after()


def test_D5_a_fallen_ghost_goes_to_an_empty_corner():
    """Any corner that is empty may be chosen, no other and nothing else."""
    outcome = act(at(red="b7", blue="a1"), Push("A", "north"))
    assert outcome.after({"red": "g7"}).places["red"] == (120, 120)
    assert outcome.after().places["red"] == centre("a7", MACHINE.space)
    for space in ("a1", "b7"):
        with pytest.raises(BarredMoveError) as caught:
            outcome.after({"red": space})
        assert caught.value.broken == ("D5",)


def test_a_ghost_that_is_not_there_cannot_be_placed():
    with pytest.raises(BadInputError, match="one of red, blue"):
        straddling().after({"green": "a1"})


def test_in_a_conflict_the_fallback_is_taken():
    """It can be confirmed by name, and nothing else can be chosen."""
    outcome = chain()
    fallback = dict(outcome.landing.fallback or ())
    after = outcome.after()
    assert after.places == {c: centre(space, MACHINE.space) for c, space in fallback.items()}
    assert outcome.after(fallback) == after
    with pytest.raises(BarredMoveError, match="fallback") as caught:
        outcome.after({"yellow": "b1"})
    assert caught.value.broken == ("D4",)
    validate_state(outcome.after(as_is=True), MACHINE)


def test_tidy_ghosts_stand_on_centres():
    outcome = act(at(red=(-117.0, -122.0)), Turn("cw"))
    assert outcome.after() == at(1, red="a1")


def test_G7_as_is_settled_ghosts_stay_off_centre():
    """Where physics left it: the place that it rode to, to the last bit; straddlers are put straight."""
    outcome = act(at(red=(-117.0, -122.0), blue=(101.0, -120.0)), Turn("cw"))
    after = outcome.after(as_is=True)
    assert after.places["red"] == outcome.ghost("red").place
    assert math.dist(after.places["red"], (-122, 117)) < 0.01
    assert outcome.ghost("blue").covers == ("f1", "g1")
    assert after.places["blue"] == centre("g1", MACHINE.space, 1)


def test_G7_as_is_a_board_left_askew_takes_its_ghosts_along():
    """A hand that turns too far leaves ghosts askew; as the board is straightened, they stay on their spaces."""
    state = at(red=(139.0, -128.0), blue=(-112.0, -120.0))
    for angle in (-0.03, 0.03):
        outcome = act(state, Turn("cw"), Hand(misalignment=angle))
        after = outcome.after(as_is=True)
        validate_state(after, MACHINE)
        for colour, ghost in outcome.ghosts:
            assert covers(after, colour, MACHINE) == ghost.covers


# -- sensitivity -------------------------------------------------------------------------------------------------------


def test_a_firm_outcome_is_not_too_close():
    outcome = TWIN.act(at(red="a1", blue="g1"), Turn("cw"))
    assert not outcome.too_close
    assert outcome.ghost("red").margin == pytest.approx(9, abs=0.01)


def test_a_ghost_within_a_tenth_of_a_millimetre_of_a_line_is_too_close():
    """Red ends 0.05 mm from covering b1 as well; blue is firm, and only red is marked."""
    outcome = TWIN.act(at(red=(-111.05, -120.0), blue="g1"), Turn("cw"))
    assert outcome.ghost("red").covers == ("a1",)
    assert outcome.ghost("red").too_close
    assert not outcome.ghost("blue").too_close
    assert outcome.too_close


def test_a_ghost_farther_from_a_line_is_not_too_close():
    assert not TWIN.act(at(red=(-111.3, -120.0)), Turn("cw")).too_close


def test_without_the_test_nothing_is_marked():
    assert not act(at(red=(-111.05, -120.0)), Turn("cw")).too_close


def test_nudges_are_a_tenth_of_a_millimetre_in_eight_directions():
    state = at(red="a1", blue="c3")
    steps = [nudged(state, number).places["red"] for number in range(NUDGES)]
    assert len(set(steps)) == 8
    for x, y in steps:
        assert math.dist((x, y), (-120, -120)) == pytest.approx(NUDGE)
    assert math.dist(steps[0], steps[4]) == pytest.approx(2 * NUDGE)


# -- hands -------------------------------------------------------------------------------------------------------------


def test_a_hand_finds_ghosts_displaced():
    """Shifts go to the ghosts in the order of their places, never of their colours."""
    state = at(red="g1", blue="a1")
    places = shifted(state, Hand(shifts=((1.0, 0.0), (0.0, 2.0))), MACHINE).places
    assert places == {"red": (120, -118), "blue": (-119, -120)}


def test_a_hand_displaces_nobody_into_another():
    """Where there is no room, a ghost stays."""
    state = at(red=(-120.0, -120.0), blue=(-93.9, -120.0))
    hand = Hand(shifts=((1.0, 0.0), (0.0, 0.0)))
    assert shifted(state, hand, MACHINE) == state
    assert shifted(state, NOMINAL, MACHINE) is state


def test_the_outcome_tells_of_the_position_that_was_given():
    """A varied hand starts from displaced ghosts; the outcome still holds the position before."""
    state = at(red="a1", blue="g1")
    outcome = act(state, Turn("cw"), varied_hand(MACHINE, 2, 1, 1))
    assert outcome.before == state
    assert outcome.ghost("red").start != state.places["red"]


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(plays(most=2, nominal=True))
def test_sensitivity_marks_ghosts_and_changes_nothing_else(play: Play) -> None:
    """With the test of sensitivity the outcome is the same but for the marks."""
    plain = Twin(play.machine).act(play.state, play.move, sensitivity=False)
    tested = Twin(play.machine).act(play.state, play.move)
    unmarked = tuple((colour, replace(ghost, too_close=False)) for colour, ghost in tested.ghosts)
    assert unmarked == plain.ghosts
    assert tested.landing == plain.landing
    assert tested.broken == plain.broken
