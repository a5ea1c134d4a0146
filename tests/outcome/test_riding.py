"""Random turns: most ghosts ride, but no more than three in four, or the sliders would hardly matter."""

from __future__ import annotations

import random

import pytest

from tests.setups import MACHINE
from twin.board.grid import STANDING_SPACES, space_under
from twin.board.state import COLOURS, validate_state
from twin.outcome.riding_share import count_fates, random_state
from twin.stats import wilson


@pytest.mark.slow
def test_at_most_three_in_four_ghosts_simply_ride() -> None:
    """Over 150 random turns of four ghosts at most 75 % ride, even at the upper end of the 95 % interval."""
    fates = count_fates(MACHINE, 150, seed=1)
    assert fates.total() == 600
    assert wilson(fates["rode"], fates.total())[1] < 0.75
    assert {"held", "caught", "shoved", "fell"} < set(fates)


def test_counts_repeat_and_progress_is_told() -> None:
    """The same seed gives the same counts, another one others, and progress is reported to the end."""
    told: list[int] = []
    first = count_fates(MACHINE, 8, 5, told.append)
    assert told[-1] == 8
    assert count_fates(MACHINE, 8, 5) == first
    assert first.total() == 32


@pytest.mark.parametrize("ghosts", [1, 4])
def test_random_positions_are_valid_and_reach_everything(ghosts: int) -> None:
    """Random positions stand on their machine, and over many of them every space, tunnel, offset and side comes up."""
    dice = random.Random(3)
    drawn = [random_state(MACHINE, dice, ghosts) for _ in range(400)]
    for state in drawn:
        validate_state(state, MACHINE)
        assert state.colours == COLOURS[:ghosts]
    assert {space_under(place, 40.0) for state in drawn for _, place in state.ghosts} == set(STANDING_SPACES)
    seen = {(s.name, s.tunnel, s.offset) for state in drawn for s in state.sliders}
    assert len(seen) == 3 * 5 * 5
    assert {s.flipped for state in drawn for s in state.sliders} == {False, True}
