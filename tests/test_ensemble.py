"""Ensembles: how sure a share is, and how a move made many times is summed up."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import SHIPPED
from twin.engine import Outcome, Twin
from twin.ensemble import Ensemble, sample_move
from twin.verdict import wilson
from twin.expectation import FATES
from twin.moves import Push, Turn
from twin.state import Slider, State

MACHINE = SHIPPED["reconstruction"]
TWIN = Twin(MACHINE)
SLIDERS = (Slider("A", 1), Slider("B", 3), Slider("C", 5))
FIRM = State.of(0, {"red": (-120.0, -120.0), "blue": (120.0, -120.0)}, SLIDERS)
CLOSE = State.of(0, {"red": (-120.0, -120.0), "blue": (111.0, -120.0)}, SLIDERS)
"""Blue stands where a tenth of a millimetre decides whether it straddles."""


def sampled(state: State, seed: int = 1, size: int = 8) -> Ensemble:
    nominal = TWIN.act(state, Turn("cw"), sensitivity=False)
    return sample_move(TWIN, state, Turn("cw"), nominal, size=size, seed=seed)


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (1, 10, 0.0179, 0.4042),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (15, 148, 0.0624, 0.1605),
        (81, 263, 0.2553, 0.3662),
        (190, 200, 0.9104, 0.9726),
    ],
)
def test_wilsons_interval_against_known_values(hits, trials, low, high):
    """Values of the literature (81 of 263 and 15 of 148 are Newcombe's examples)."""
    assert wilson(hits, trials) == pytest.approx((low, high), abs=5e-5)


def test_without_trials_nothing_is_known():
    assert wilson(0, 0) == (0.0, 1.0)


def test_more_certainty_needs_a_wider_interval():
    low, high = wilson(5, 10)
    wider_low, wider_high = wilson(5, 10, z=2.5758)
    assert wider_low < low < high < wider_high


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_share(counts: tuple[int, int]) -> None:
    """It lies within 0 and 1, holds the observed share, and mirrors when hits and misses swap."""
    hits, trials = counts
    low, high = wilson(hits, trials)
    assert 0 <= low <= hits / trials + 1e-12
    assert hits / trials - 1e-12 <= high <= 1
    assert wilson(trials - hits, trials) == pytest.approx((1 - high, 1 - low))


@given(st.integers(1, 100), st.integers(0, 100), st.integers(2, 9))
def test_more_trials_narrow_the_interval(trials: int, hits: int, times: int) -> None:
    hits = min(hits, trials)
    (low, high), (closer, near) = wilson(hits, trials), wilson(times * hits, times * trials)
    assert near - closer < high - low


@pytest.mark.parametrize("state", [FIRM, CLOSE], ids=["firm", "close"])
def test_shares_add_up(state):
    """Each ghost has one fate and one set of spaces per sample; the commonest come first."""
    ensemble = sampled(state)
    assert [colour for colour, _ in ensemble.ghosts] == list(state.colours)
    for _, shares in ensemble.ghosts:
        for counts in (shares.spaces, shares.fates):
            assert sum(counts.values()) == ensemble.size
            assert math.fsum(count / ensemble.size for count in counts.values()) == pytest.approx(1)
            assert list(counts.values()) == sorted(counts.values(), reverse=True)
        assert set(shares.fates) <= set(FATES)


def test_the_same_seed_gives_the_same_ensemble():
    assert sampled(CLOSE, seed=3) == sampled(CLOSE, seed=3)


def test_another_seed_gives_other_hands():
    """Of ten seeds, not all give the same counts where the outcome is close."""
    counts = {tuple(dict(sampled(CLOSE, seed=seed, size=4).ghosts)["blue"].spaces.items()) for seed in range(10)}
    assert len(counts) > 1


def test_a_move_whose_outcome_flips_is_chancy():
    """Blue's spaces flip within a person's variation; red and a well-placed blue are sure."""
    assert sampled(CLOSE).chancy
    assert not sampled(FIRM).chancy
    assert dict(sampled(FIRM).ghosts)["red"].spaces == {"a1": 8}


def test_a_fallen_ghost_is_counted_as_off():
    state = State.of(0, {"red": (-80.0, 120.0)}, SLIDERS)
    move = Push("A", "north")
    nominal = TWIN.act(state, move, sensitivity=False)
    ensemble = sample_move(TWIN, state, move, nominal, size=3, seed=1)
    assert dict(ensemble.ghosts)["red"].spaces == {"off": 3}
    assert dict(ensemble.ghosts)["red"].fates == {"fell": 3}


def test_claims_that_do_not_hold_are_counted():
    """A claim is held against every sample, and progress is told after each."""
    nominal = TWIN.act(CLOSE, Turn("cw"), sensitivity=False)
    told: list[int] = []

    def settled(outcome: Outcome) -> bool:
        return outcome.ghost("blue").space is not None

    ensemble = sample_move(TWIN, CLOSE, Turn("cw"), nominal, size=6, seed=1, progress=told.append, holds=settled)
    straddling = sum(
        n for spaces, n in dict(ensemble.ghosts)["blue"].spaces.items() if "+" in spaces or spaces == "off"
    )
    assert ensemble.broken_claims == straddling
    assert told == [1, 2, 3, 4, 5, 6]


def test_an_empty_ensemble_says_nothing():
    ensemble = sampled(FIRM, size=0)
    assert not ensemble.chancy
    assert all(not shares.fates for _, shares in ensemble.ghosts)
