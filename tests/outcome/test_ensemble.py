"""Ensembles: how sure a share is, and how a move made many times is summed up."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from tests.strategies import SHIPPED
from twin.board.expectation import FATES
from twin.board.moves import Push, Turn
from twin.board.scene import load_scene
from twin.board.state import Slider, State
from twin.outcome.engine import Key, Twin
from twin.outcome.ensemble import Ensemble, ensemble_of, ghost_shares, sample_move, sampler
from twin.stats import STEPS, wilson

MACHINE = SHIPPED["reconstruction"]
TWIN = Twin(MACHINE)
SLIDERS = (Slider("A", 1), Slider("B", 3), Slider("C", 5))
FIRM = State.of(0, {"red": (-120.0, -120.0), "blue": (120.0, -120.0)}, SLIDERS)
CLOSE = State.of(0, {"red": (-120.0, -120.0), "blue": (111.0, -120.0)}, SLIDERS)
"""Blue stands where a tenth of a millimetre decides whether it straddles."""


def sampled(state: State, seed: int = 1, size: int = 8) -> Ensemble:
    nominal = TWIN.act(state, Turn("cw"), sensitivity=False)
    return sample_move(TWIN, state, Turn("cw"), nominal, size=size, seed=seed)


def quick(state: State, size: int | None = None) -> Ensemble:
    """On the kernel, by default until it is decided."""
    nominal = TWIN.act(state, Turn("cw"), sensitivity=False)
    return sample_move(sampler(TWIN, Turn("cw")), state, Turn("cw"), nominal, size=size, seed=1)


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


def test_the_verdict_is_that_of_the_commonest_outcome_of_all_ghosts_together():
    """Blue's spaces flip within a person's variation; red, and a well-placed blue, are sure."""
    close, firm = quick(CLOSE), quick(FIRM)
    assert close.chancy is True
    assert firm.chancy is False
    assert firm.size == STEPS[0]
    assert {colour: shares.chancy for colour, shares in close.ghosts} == {"red": False, "blue": True}
    assert dict(firm.ghosts)["red"].spaces == {"a1": STEPS[0]}


def test_eight_hands_are_too_few_to_say():
    """Even if all of them end alike."""
    ensemble = sampled(FIRM)
    assert ensemble.most == ensemble.alike == 8
    assert ensemble.chancy is None


def test_many_hands_of_which_a_few_end_otherwise_leave_a_move_sure():
    """In the start position a turn fails in about one of 1,000 hands: it does not become chancy with more of them."""
    start = load_scene("start")
    few, many = quick(start.state), quick(start.state, size=4000)
    assert many.most < 4000
    assert few.chancy is False
    assert many.chancy is False


def test_the_hands_of_the_nominal_outcome_are_counted():
    """They are those of the commonest outcome, unless another one is commoner."""
    rode: Key = (("red", ("rode", ("a1",))),)
    fell: Key = (("red", ("fell", ())),)
    ensemble = ensemble_of(Counter({rode: 5, fell: 7}), ("red",), rode, 1)
    assert (ensemble.size, ensemble.most, ensemble.alike) == (12, 7, 5)
    assert ensemble.share == 7 / 12
    assert ensemble.interval == wilson(7, 12)


def test_a_ghosts_outcome_is_its_fate_and_its_spaces():
    """A ghost that ends on the same space half held, half shoved, is chancy."""
    spaces: tuple[str, ...] = ("a1",)
    shares = ghost_shares(Counter({("held", spaces): 50, ("shoved", spaces): 50}))
    assert shares.spaces == {"a1": 100}
    assert shares.most == 50
    assert shares.chancy is True


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

    def settled(key: Key, conflict: bool) -> bool:  # noqa: FBT001 - as `sample_move` asks
        return not conflict and len(dict(key)["blue"][1]) == 1

    ensemble = sample_move(TWIN, CLOSE, Turn("cw"), nominal, size=6, seed=1, progress=told.append, holds=settled)
    straddling = sum(
        n for spaces, n in dict(ensemble.ghosts)["blue"].spaces.items() if "+" in spaces or spaces == "off"
    )
    assert ensemble.broken_claims == straddling
    assert told == [1, 2, 3, 4, 5, 6]


def test_an_empty_ensemble_says_nothing():
    ensemble = sampled(FIRM, size=0)
    assert ensemble.chancy is None
    assert all(not shares.fates for _, shares in ensemble.ghosts)
