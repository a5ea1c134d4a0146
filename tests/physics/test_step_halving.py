"""What half the step changes: hardly anything, and nothing that the twin does not call too close."""

from __future__ import annotations

import random

import pytest

from benchmarks.step_halving import SCENES, Scene, compare_scene, lines, measure, random_play
from tests.setups import MACHINE
from twin.outcome.engine import Twin
from twin.outcome.legality import judge

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    """300 random turns and pushes of four ghosts, each at both steps."""
    return [compare_scene(index) for index in range(SCENES)]


def test_half_the_step_leaves_fates_as_they_are(scenes: list[Scene]) -> None:
    """Of the ghosts that touched nobody, half the step changes the fate of fewer than 0.5 %."""
    ghosts = sum(scene.alone for scene in scenes)
    changed = sum(change.fate_changed and not change.touched for scene in scenes for change in scene.changes)
    assert ghosts > 1000
    assert changed < 0.005 * ghosts


def test_half_the_step_leaves_outcomes_as_they_are(scenes: list[Scene]) -> None:
    """Of all ghosts, half the step changes the outcome, fate or covered spaces, of fewer than 1 %."""
    ghosts = sum(scene.alone + scene.together for scene in scenes)
    assert ghosts == 4 * SCENES
    assert sum(len(scene.changes) for scene in scenes) < 0.01 * ghosts


def test_changes_are_flagged_without_looking_at_half_the_step(scenes: list[Scene]) -> None:
    """Of the changes, at least 80 % are too close to call by the displacements of the starts alone."""
    changes = [change for scene in scenes for change in scene.changes]
    assert sum(change.flagged for change in changes) >= 0.8 * len(changes)


def test_every_change_is_flagged_by_the_twin(scenes: list[Scene]) -> None:
    """`Twin.act`, which tests half the step too, calls every change too close."""
    twin = Twin(MACHINE)
    for scene in scenes:
        for change in scene.changes:
            state, move = random_play(MACHINE, random.Random(f"step halving 1 {change.scene}"))
            assert str(move) == change.move
            assert twin.act(state, move).ghost(change.ghost).too_close


def test_random_plays_can_be_made() -> None:
    """Every random play is a turn or a push that the sliders allow."""
    for index in range(200):
        state, move = random_play(MACHINE, random.Random(index))
        assert judge(state, move, MACHINE).feasible


def test_the_benchmark_says_what_it_measured(monkeypatch, scenes: list[Scene]) -> None:
    """The benchmark's figures are the counts of its scenes, and its words hold them."""
    monkeypatch.setattr("benchmarks.step_halving.compare", lambda count: scenes[:count])
    result = measure(quick=False)
    assert result["scenes"] == SCENES
    changes = result["changes"]
    assert isinstance(changes, list)
    assert len(changes) == sum(len(scene.changes) for scene in scenes)
    said = "\n".join(lines(result))
    assert f"{SCENES} random turns and pushes" in said
    assert "touched nobody" in said
