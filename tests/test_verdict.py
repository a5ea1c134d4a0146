"""Verdicts: how sure a share is, how often the rule that judges it errs, and how shares are printed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.stats import (
    STEPS,
    SURE,
    count_words,
    interval_words,
    is_chancy,
    judged,
    percent,
    share_words,
    stops,
    wilson,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

MOVES = 4000
"""Moves simulated for each share, as pure numbers."""


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


@pytest.mark.parametrize(
    ("hits", "trials", "verdict"),
    [(0, 0, None), (1, 1, None), (72, 72, None), (73, 73, False), (99, 100, None), (91, 100, None), (90, 100, True)],
)
def test_a_share_is_sure_or_chancy_only_if_its_whole_interval_says_so(hits, trials, verdict):
    assert is_chancy(hits, trials) is verdict


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_verdict_never_contradicts_the_interval(counts: tuple[int, int]) -> None:
    """Sure means that the lower end is no less than the threshold, chancy that the upper end is below it."""
    low, high = wilson(*counts)
    assert is_chancy(*counts) is (False if low >= SURE else True if high < SURE else None)


def test_a_number_of_hands_is_taken_literally_and_none_means_by_steps():
    asked: list[int] = []

    def drawn(share: float) -> Callable[[int], int]:
        def draw_to(stop: int) -> int:
            asked.append(stop)
            return round(share * stop)

        return draw_to

    assert judged(7, drawn(1.0)) is None
    assert judged(None, drawn(0.5)) is True
    assert judged(None, drawn(0.95)) is None
    assert asked == [7, STEPS[0], *STEPS]
    assert stops(0) == (0,)


def commonest(hands: NDArray[np.bool_], stop: int) -> int:
    """How often the commoner of two outcomes came up among the first hands."""
    hits = int(hands[:stop].sum())
    return max(hits, stop - hits)


@pytest.mark.parametrize("share", [0.5, 0.85, 0.90, 0.92, 0.93, 0.97, 0.98, 0.99, 0.995, 1.0])
def test_at_most_one_of_a_hundred_verdicts_by_steps_is_wrong(share):
    """Simulated as pure numbers: the commonest outcome has a share of at most 93 %, or of at least 97 %."""
    rng = np.random.default_rng(round(1000 * share))
    right = share < SURE
    wrong = undecided = 0
    for _ in range(MOVES):
        hands = rng.random(STEPS[-1]) < share
        verdict = judged(None, partial(commonest, hands))
        wrong += verdict is not None and verdict is not right
        undecided += verdict is None
    assert wrong <= MOVES // 100
    assert undecided <= MOVES // 10


def test_no_share_passes_for_never_or_always_that_is_not():
    """19,998 of 20,000 hands are not 100 %, and 2 of them not 0 %."""
    assert share_words(19_998, 20_000) == "99.99 % (99.96–99.997 %)"
    assert share_words(2, 20_000).startswith("0.01 % (0.003–0.04 %)")
    assert share_words(20_000, 20_000) == "100 % (99.98–100 %)"
    assert interval_words(*wilson(0, 1903), 1) == "0–0.20 %"
    assert count_words(1, 1).startswith("1 of 1 hand,")
    assert count_words(1, 2, "play").startswith("1 of 2 plays,")


@given(st.floats(0.0, 1.0))
def test_a_printed_share_is_right_to_half_a_per_cent(share: float) -> None:
    printed = percent(share)
    assert abs(float(printed) - 100 * share) <= 0.5 + 1e-9
    assert (printed == "0") == (share == 0.0)
    assert (printed == "100") == (share == 1.0)
