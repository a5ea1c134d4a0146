"""Every scene that ships loads, repeats and does what it says; together they show every behaviour, gap and bar.

A new scene gets all of this for free. What a scene is there for stands in `BEHAVIOURS`, `GAPS` and in its first lines.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from twin.board.expectation import FATES, Expectation
from twin.board.grid import CORNERS, PLUG_SPACE, distance_to_space
from twin.board.machine import machine_names
from twin.board.moves import Turn
from twin.board.scene import load_scene, scene_names
from twin.board.state import covers, magnets, validate_state
from twin.files import data_folder
from twin.outcome.engine import Twin
from twin.physics.hand import varied_hand
from twin.reports.expectations import check, unmet

if TYPE_CHECKING:
    from twin.board.scene import Scene
    from twin.outcome.engine import Outcome

NAMES = scene_names()
HANDS = 24
"""Varied hands with which an expectation is tried."""

BEHAVIOURS = {
    1: ("rides", "rode"),
    2: ("held", "held"),
    3: ("caught", "caught"),
    4: ("bump-in-turn", "shoved"),
    5: ("straddles-after-turn", "shoved"),
    6: ("falls-past-the-edge", "fell"),
    7: ("carried-through-walls", "carried"),
    8: ("plug-blocks", "blocked"),
}
"""What people have seen the board do, in which scene, and a fate that must be among those that it expects."""

GAPS = {
    "G1": ("straddles-after-push",),
    "G2": ("wanted-by-two", "jam-at-edge", "chain-of-four", "jam-in-turn", "two-on-one-space", "fall-and-straddle"),
    "G3": ("against-the-plug", "hair-over-the-line"),
    "G4": ("livelier-hand",),
    "G5": ("flip-in-relocation", "flipped-slider"),
}
"""Where the rulebook is silent and physics has something to say."""

BARS = {"A1", "A2", "A4", "A5", "B5", "B6", "C1", "C2", "C3"}
"""Rules that forbid moves; a move against A3, B1 or D1 can't even be written."""


@cache
def scene(name: str) -> Scene:
    """A scene, loaded once."""
    return load_scene(name)


@cache
def outcomes(name: str) -> tuple[Outcome, ...]:
    """What the nominal hand makes of each expected move, run once."""
    twin = Twin(scene(name).machine)
    return tuple(twin.act(scene(name).state, e.move, sensitivity=False) for e in scene(name).expectations)


def text(name: str) -> str:
    """A scene's file."""
    return (data_folder("scenes") / f"{name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
class TestEveryScene:
    def test_is_named_and_told(self, name):
        """It has a name in kebab-case, a title, and says at the top what it is for."""
        assert re.fullmatch(r"(edge/)?[a-z0-9]+(-[a-z0-9]+)*", name)
        assert scene(name).name == name
        assert scene(name).title not in {"", name}
        assert text(name).startswith("# ")

    def test_stands(self, name):
        """Its position is possible, and every ghost covers a space that it can stand on."""
        state, machine = scene(name).state, scene(name).machine
        validate_state(state, machine)
        assert all(covers(state, colour, machine) for colour in state.colours)

    def test_expects_something_and_says_why(self, name):
        assert scene(name).expectations
        assert all(len(e.because) > 10 for e in scene(name).expectations)
        moves = [str(e.move) for e in scene(name).expectations]
        assert len(set(moves)) == len(moves)

    def test_repeats(self, name):
        """The same position, move and hand give the same bytes."""
        twin = Twin(load_scene(name).machine)
        for once in outcomes(name):
            again = twin.act(load_scene(name).state, once.move, sensitivity=False)
            assert again.key == once.key
            assert again.landing == once.landing
            if once.trace is not None:
                assert again.trace is not None
                assert again.trace.digest() == once.trace.digest()

    def test_is_finite(self, name):
        """All numbers are finite, but those of a ghost that has fallen."""
        for outcome in outcomes(name):
            trace = outcome.trace
            if trace is None:
                continue
            assert np.isfinite(trace.times).all()
            assert np.isfinite(trace.board).all()
            for index, fallen in enumerate(trace.fallen):
                standing = trace.times < (math.inf if fallen is None else fallen)
                for numbers in (trace.poses, trace.velocities, trace.forces):
                    assert np.isfinite(numbers[standing, index]).all()
            assert np.isfinite(trace.slips).all()

    def test_does_what_it_expects_with_the_nominal_hand(self, name):
        for expectation, outcome in zip(scene(name).expectations, outcomes(name), strict=True):
            assert unmet(expectation, outcome) == [], f"{name}: {expectation.move}"

    @pytest.mark.slow
    def test_is_as_sure_as_it_says(self, name):
        """What is called chancy or sure comes out so, and what is not called chancy holds for varied hands too."""
        twin = Twin(scene(name).machine)
        assert {str(f.expectation.move): f.unmet for f in check(scene(name), twin, samples=0, seed=1) if f.unmet} == {}
        for expectation, nominal in zip(scene(name).expectations, outcomes(name), strict=True):
            if expectation.chancy or not nominal.done:
                continue
            failed = []
            for index in range(HANDS):
                hand = varied_hand(nominal.machine, len(nominal.ghosts), 1, index)
                outcome = twin.act(nominal.before, nominal.move, hand, sensitivity=False)
                failed += [text for text in unmet(expectation, outcome) if not text.startswith("it should break")]
            assert failed == []


def claiming(chancy: bool | None, **claims: object) -> Scene:  # noqa: FBT001 - as the file says it
    """A scene of whose turn a verdict is expected."""
    name, move = str(claims.pop("name", "held")), Turn("cw")
    expected = (Expectation(move, "it is asked here", chancy=chancy, **claims),)  # type: ignore[arg-type]
    return replace(scene(name), expectations=expected)


@pytest.mark.parametrize(
    ("chancy", "name", "words"),
    [(True, "held", "it should be chancy; it is sure"), (False, "over-a-wall", "it should be sure; it is chancy")],
)
def test_a_wrong_verdict_is_not_as_expected(chancy, name, words):
    """With the counts that it rests on."""
    asked = claiming(chancy, name=f"edge/{name}" if name == "over-a-wall" else name)
    (finding,) = check(asked, Twin(asked.machine), samples=0, seed=1)
    assert len(finding.unmet) == 1
    assert finding.unmet[0].startswith(words)
    assert re.search(r"\d+ of 100 hands, \d+ % \(\d+–\d+ %\)", finding.unmet[0])


@pytest.mark.parametrize("chancy", [True, False])
def test_an_undecided_expectation_fails_and_says_so(chancy, monkeypatch):
    """A move at the threshold is neither sure nor chancy, whatever is claimed."""
    monkeypatch.setattr("twin.stats.STEPS", (20, 50))
    asked = claiming(chancy)
    (finding,) = check(asked, Twin(asked.machine), samples=0, seed=1)
    assert "undecided" in finding.unmet[0]


def test_what_is_claimed_without_a_verdict_fails_only_if_it_surely_fails_too_often():
    """Blue covers both spaces in four of five hands only; in one hand of two that is too few hands to say."""
    asked = claiming(None, name="edge/over-a-wall", covers=(("blue", ("b7", "c7")),))
    twin = Twin(asked.machine)
    (many,), (few,) = (check(asked, twin, samples=samples, seed=1) for samples in (200, 2))
    assert re.match(r"it holds in only \d+ of 200 hands", many.unmet[0])
    assert few.unmet == ()


@pytest.mark.parametrize("number", BEHAVIOURS)
def test_every_behaviour_is_shown(number):
    name, fate = BEHAVIOURS[number]
    assert name in NAMES
    assert text(name).startswith(f"# Behaviour {number}")
    assert all(fate in dict(e.fates).values() and not e.chancy for e in scene(name).expectations)


@pytest.mark.parametrize("gap", GAPS)
def test_every_gap_is_shown(gap):
    for name in GAPS[gap]:
        assert name in NAMES
        assert text(name).startswith(f"# Gap {gap}")


@pytest.mark.parametrize("rule", sorted(BARS))
def test_every_bar_is_shown(rule):
    """Some scene expects a move to be barred by this rule."""
    assert [name for name in NAMES for e in scene(name).expectations if rule in (e.broken or ())]


def test_every_fate_and_every_machine_is_shown():
    expected = {fate for name in NAMES for e in scene(name).expectations for _, fate in e.fates}
    assert expected == set(FATES)
    assert {scene(name).machine.name for name in NAMES} >= set(machine_names())


def test_B7_walls_do_not_stop_a_carried_ghost():  # noqa: N802 - the rule's number
    (outcome,) = outcomes("carried-through-walls")
    assert outcome.ghost("red").walls == (("b2", "b3"),)
    assert outcome.ghost("yellow").touched == ("red",)


def test_D2_walls_do_not_stop_a_held_ghost():  # noqa: N802
    assert all(outcome.ghost("red").walls for outcome in outcomes("held"))


def test_B4_the_magnet_slips_away_under_a_blocked_ghost():  # noqa: N802
    (outcome,) = outcomes("plug-blocks")
    red = outcome.ghost("red")
    assert red.grip_before is not None
    assert red.grip_before.label == "B3"
    assert red.grip_after is None


def test_D4_a_straddler_may_be_placed_on_what_it_covers():  # noqa: N802
    (outcome,) = outcomes("straddles-after-turn")
    assert isinstance(outcome.move, Turn)
    assert {dict(p)["yellow"] for p in outcome.landing.placements} == {"b7", "c6", "c7"}  # red has b6


def test_D5_a_fallen_ghost_may_be_placed_on_any_corner():  # noqa: N802
    for outcome in outcomes("falls-past-the-edge"):
        assert {dict(p)["red"] for p in outcome.landing.placements} == set(CORNERS)


def test_G2_what_two_want_is_shared_out_if_there_is_a_way():  # noqa: N802
    (outcome,) = outcomes("wanted-by-two")
    assert [dict(p) for p in outcome.landing.placements] == [{"red": "b3", "yellow": "b4", "green": "b5"}]


@pytest.mark.parametrize("name", ["jam-at-edge", "chain-of-four", "jam-in-turn", "two-on-one-space"])
def test_G2_a_conflict_falls_back_to_spaces_of_their_own(name):  # noqa: N802
    (outcome,) = outcomes(name)
    assert outcome.landing.conflict
    assert outcome.landing.fallback is not None
    spaces = list(dict(outcome.landing.fallback).values())
    assert len(set(spaces)) == len(spaces)
    validate_state(outcome.after(), outcome.machine)


def test_G3_the_plugs_space_is_covered_and_does_not_count():  # noqa: N802
    state, machine = scene("against-the-plug").state, scene("against-the-plug").machine
    assert distance_to_space(state.board_place("red"), PLUG_SPACE, machine.space) < machine.reach
    assert covers(state, "red", machine) == ("c4",)


def test_G3_less_than_a_millimetre_over_a_line_does_not_count():  # noqa: N802
    state, machine = scene("hair-over-the-line").state, scene("hair-over-the-line").machine
    over = machine.radius - distance_to_space(state.board_place("red"), "d3", machine.space)
    assert 0.0 < over < 1.0
    assert covers(state, "red", machine) == ("c3",)


def test_G4_a_fall_that_only_a_livelier_hand_causes_is_no_bar():  # noqa: N802
    """Then the push was allowed, and the ghost goes to a corner as after a turn (D5)."""
    (nominal,) = outcomes("livelier-hand")
    twin = Twin(nominal.machine)
    hands = (varied_hand(nominal.machine, len(nominal.ghosts), 1, index) for index in range(HANDS))
    varied = [twin.act(nominal.before, nominal.move, hand, sensitivity=False) for hand in hands]
    fallen = [outcome for outcome in varied if outcome.ghost("yellow").place is None]
    assert nominal.legal
    assert 0 < len(fallen) < HANDS
    assert all(outcome.legal for outcome in fallen)
    assert all(dict(p)["yellow"] in CORNERS for outcome in fallen for p in outcome.landing.placements)


def test_G5_a_flip_in_a_relocation_gives_the_flipped_slider():  # noqa: N802
    flip, plain = outcomes("flip-in-relocation")
    assert flip.legal
    assert flip.after().slider("A") == scene("flipped-slider").state.slider("A")
    assert magnets(flip.after(), flip.machine) != magnets(plain.after(), plain.machine)
