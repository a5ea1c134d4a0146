"""Misfits: parts that want different machines are told from parts that do not, and values beyond a range are seen."""

from __future__ import annotations

import numpy as np

from tests.setups import MACHINE
from twin.calibrate.likelihood import as_seen
from twin.calibrate.measurements import Measurements, Setup, Sighting, Trial
from twin.calibrate.misfit import is_pressed
from twin.calibrate.parameters import named
from twin.calibrate.parts import pulls, splits, strife
from twin.moves import Push, Turn

TRIALS = 24
NOISE = 0.5


def readings(rng, wanted):
    """One reading of each trial, about the value that it wants."""
    return rng.normal(wanted, NOISE)


def slopes(points, read):
    """Pulls of trials that read the first value of a machine with a bell-shaped error."""
    return pulls(points, -0.5 * ((read[None] - points[:, :1]) / NOISE) ** 2)


def parted(apart):
    """The strife of parts that want values so far apart, and of replicas."""
    rng = np.random.default_rng(1)
    part = np.arange(TRIALS) < TRIALS // 3
    read = readings(rng, np.where(part, apart / 2, -apart / 2))
    points = np.stack([rng.normal(read.mean(), NOISE / np.sqrt(TRIALS), 48), rng.random(48)], axis=1)
    replicas = [slopes(points, readings(rng, np.full(TRIALS, value))) for value in np.repeat(points[:, 0], 3)]
    return strife(part, slopes(points, read), np.array(replicas))


def test_parts_that_want_the_same_pull_apart_no_farther_than_replicas():
    observed, by_chance = parted(0.0)
    assert np.mean(by_chance >= observed) > 0.05


def test_parts_that_want_different_machines_pull_apart():
    observed, by_chance = parted(1.5)
    assert np.mean(by_chance >= observed) < 0.01


def test_trials_are_parted_by_their_moves_and_in_the_middle():
    moves: list[Turn | Push] = [Turn("cw"), Push("A", "north")]
    trials = tuple(
        Trial(str(n), Setup("start", "start", moves[n % 3 == 0]), (Sighting("red", None, "a1", n + 2),))
        for n in range(12)
    )
    found = splits(as_seen(Measurements("here", trials)))
    assert [int(part.sum()) for part in found.values()] == [8, 6]
    few = splits(as_seen(Measurements("here", trials[:9])))
    assert list(few) == ["the first trials and the last"]


def test_a_value_that_would_lie_beyond_its_range_is_pressed_against_its_end():
    rng = np.random.default_rng(2)
    friction, scatter = named(MACHINE, ("friction.board", "spread.place"))
    crowded = 1.0 - rng.exponential(0.02, 400)
    assert is_pressed(friction, crowded)
    assert is_pressed(friction, 1.0 - crowded)
    assert not is_pressed(friction, rng.uniform(0.0, 0.08, 400))
    assert not is_pressed(friction, 1.0 - np.abs(rng.normal(0.0, 0.3, 400)))
    assert not is_pressed(scatter, 1.0 - crowded)  # nothing lies below 0 mm
