"""The hand: smooth from rest to rest, never back, and varied as the machine file says."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.setups import MACHINE, changed
from twin.board.moves import Push
from twin.board.scene import load_scene
from twin.outcome.engine import Twin
from twin.outcome.ensemble import sample_move
from twin.physics.hand import NOMINAL, Hand, minimum_jerk, progress, varied_hand

MANY = [varied_hand(MACHINE, 4, 7, index) for index in range(4000)]
"""A large ensemble of hands for four ghosts."""


def test_minimum_jerk_starts_and_ends_at_rest() -> None:
    """At both ends of a minimum-jerk movement speed and acceleration are nil; halfway it is fastest, at 15/8."""

    def speed(tau: float) -> float:
        return (minimum_jerk(tau + 1e-5) - minimum_jerk(tau - 1e-5)) / 2e-5

    def acceleration(tau: float) -> float:
        return (minimum_jerk(tau + 1e-4) - 2 * minimum_jerk(tau) + minimum_jerk(tau - 1e-4)) / 1e-8

    assert (minimum_jerk(0.0), minimum_jerk(0.5), minimum_jerk(1.0)) == (0.0, 0.5, 1.0)
    for end in (0.0, 1.0):
        assert speed(end) == pytest.approx(0.0, abs=1e-6)
        assert acceleration(end) == pytest.approx(0.0, abs=1e-3)
    assert speed(0.5) == pytest.approx(15 / 8, rel=1e-6)


@given(st.floats(0.0, 1.0))
def test_minimum_jerk_is_the_same_backwards(tau: float) -> None:
    """A minimum-jerk movement run backwards is the same movement."""
    assert minimum_jerk(tau) + minimum_jerk(1.0 - tau) == pytest.approx(1.0)
    assert progress(NOMINAL, tau) == minimum_jerk(tau)


@given(st.integers(), st.integers(0, 10**6), st.floats(0.0, 0.25))
def test_a_hand_never_goes_back(seed: int, index: int, evenness: float) -> None:
    """For any seed and any unevenness, progress rises from 0 to 1 and never falls."""
    hand = varied_hand(changed(MACHINE, {"spread__evenness": evenness}), 4, seed, index)
    course = [progress(hand, step / 200) for step in range(201)]
    assert course[0] == 0.0
    assert course[-1] == 1.0
    assert course == sorted(course)


@given(st.integers(), st.integers(0, 10**6))
def test_an_uneven_hand_ends_smoothly(seed: int, index: int) -> None:
    """An uneven hand comes to rest as well: its last thousandth of the time covers less than a millionth of the way."""
    hand = varied_hand(MACHINE, 1, seed, index)
    assert 1.0 - progress(hand, 0.999) < 1e-6
    assert progress(hand, 0.001) < 1e-6


@given(st.integers(), st.integers(0, 10**6), st.integers(1, 4))
def test_a_varied_hand_stays_within_its_cuts(seed: int, index: int, ghosts: int) -> None:
    """Duration and displacements never leave the cuts of the machine file."""
    hand = varied_hand(MACHINE, ghosts, seed, index)
    assert MACHINE["spread.time_min"] <= hand.pace <= MACHINE["spread.time_max"]
    assert len(hand.shifts) == ghosts
    assert all(abs(shift) <= MACHINE["spread.place_max"] for place in hand.shifts for shift in place)
    assert sum(abs(a) for a in hand.warp) <= 0.9 + 1e-12


def test_the_most_uneven_hands_are_held_back() -> None:
    """Where the machine asks for very uneven hands, their warp is scaled down to 0.9, so that none turns back."""
    machine = changed(MACHINE, {"spread__evenness": 0.25})
    totals = [sum(map(abs, varied_hand(machine, 1, 1, index).warp)) for index in range(3000)]
    assert max(totals) == pytest.approx(0.9)
    assert 0 < sum(total > 0.9 - 1e-9 for total in totals) < 0.1 * len(totals)


def test_durations_are_spread_as_the_machine_says() -> None:
    """Durations average the nominal one with nearly the wanted relative sd: what lies beyond a cut is redrawn."""
    paces = [hand.pace for hand in MANY]
    assert statistics.fmean(paces) == pytest.approx(1.0, abs=0.02)
    assert statistics.stdev(paces) == pytest.approx(MACHINE["spread.time"], rel=0.08)
    # The median of a lognormal lies below its mean by this factor.
    assert statistics.median(paces) == pytest.approx(1 / math.sqrt(1 + MACHINE["spread.time"] ** 2), abs=0.01)
    assert MACHINE["spread.time_min"] < min(paces) < MACHINE["spread.time_min"] + 0.01
    assert 1.5 < max(paces) < MACHINE["spread.time_max"]


def test_evenness_is_spread_as_the_machine_says() -> None:
    """The pace differs from even by the wanted relative sd, averaged over a move and over hands."""
    deviations = []
    for hand in MANY[:1000]:
        for step in range(20):
            tau = (step + 0.5) / 20
            deviations.append(sum(a * math.cos(k * math.pi * tau) for k, a in enumerate(hand.warp, start=1)))
    assert statistics.fmean(deviations) == pytest.approx(0.0, abs=0.01)
    assert statistics.pstdev(deviations) == pytest.approx(MACHINE["spread.evenness"], rel=0.05)


def test_misalignment_is_spread_as_the_machine_says() -> None:
    """The board ends askew by a normal of the wanted sd, to either side alike."""
    angles = [math.degrees(hand.misalignment) for hand in MANY]
    assert statistics.fmean(angles) == pytest.approx(0.0, abs=0.03)
    assert statistics.stdev(angles) == pytest.approx(MACHINE["spread.angle"], rel=0.05)


def test_displacements_are_spread_as_the_machine_says() -> None:
    """Each axis of each ghost is displaced by a normal of 1 mm, cut at 2.5 mm, and none follows another."""
    columns = [[hand.shifts[ghost][axis] for hand in MANY] for ghost in range(4) for axis in range(2)]
    # A normal that is cut at c sd has the variance 1 − 2c·φ(c) / (1 − 2·Φ(−c)): 0.955² at 2.5 sd.
    for column in columns:
        assert statistics.fmean(column) == pytest.approx(0.0, abs=0.06)
        assert statistics.stdev(column) == pytest.approx(0.955, rel=0.05)
        assert 2.3 < max(map(abs, column)) <= 2.5
    for index, column in enumerate(columns):
        for other in columns[:index]:
            assert abs(statistics.correlation(column, other)) < 0.06


def test_hands_of_one_ensemble_differ() -> None:
    """No two hands of an ensemble are alike, and another seed gives others."""
    assert len(set(MANY)) == len(MANY)
    assert not {varied_hand(MACHINE, 4, 8, index) for index in range(50)} & set(MANY)


def test_without_spread_a_varied_hand_is_nominal() -> None:
    """A machine whose spreads are all nil has one hand, the nominal one."""
    nil = dict.fromkeys(("spread.time", "spread.evenness", "spread.place", "spread.angle"), 0.0)
    hand = varied_hand(changed(MACHINE, nil), 2, 1, 0)
    assert hand.pace == 1.0
    assert hand.misalignment == 0.0
    assert hand.shifts == ((0.0, 0.0), (0.0, 0.0))
    assert [progress(hand, step / 10) for step in range(11)] == [minimum_jerk(step / 10) for step in range(11)]


@given(st.integers(0, 99), st.integers(0, 99), st.integers(1, 4))
def test_a_hand_depends_on_seed_and_index_alone(seed: int, index: int, ghosts: int) -> None:
    """The hand of a sample is the same whoever was sampled before it, and ghosts that join change nothing else."""
    hand = varied_hand(MACHINE, ghosts, seed, index)
    assert varied_hand(MACHINE, ghosts, seed, index) == hand
    more = varied_hand(MACHINE, 4, seed, index)
    assert more == Hand(hand.pace, hand.warp, hand.misalignment, more.shifts)
    assert more.shifts[:ghosts] == hand.shifts


def test_longer_ensembles_extend_shorter_ones() -> None:
    """The first samples of a longer ensemble are those of a shorter one, so its counts are at least as large."""
    scene = load_scene("start")
    twin, move = Twin(scene.machine), Push("A", "north")
    nominal = twin.act(scene.state, move, sensitivity=False)
    short, long = (sample_move(twin, scene.state, move, nominal, size=size, seed=3) for size in (5, 12))
    assert long.size == 12
    assert short.most <= long.most <= short.most + 7
    assert short.alike <= long.alike
    for (colour, few), (same, many) in zip(short.ghosts, long.ghosts, strict=True):
        assert colour == same
        assert sum(few.spaces.values()) == 5
        assert sum(many.spaces.values()) == 12
        assert all(many.spaces[space] >= count for space, count in few.spaces.items())
        assert all(many.fates[fate] >= count for fate, count in few.fates.items())
