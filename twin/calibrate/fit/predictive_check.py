"""Replicas: what people might have read off a machine, for checks of a fit and for data sets that are made up."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.grid import PLUG_SPACE, SIDE, SPACES, cell, space_at
from twin.calibrate.fit.likelihood import Seen, covered
from twin.calibrate.fit.measurements import OFF, Measurements, Sighting, Trial
from twin.calibrate.fit.predict import in_board_frame
from twin.outcome.engine import Twin
from twin.physics.hand import varied_hand

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.calibrate.experiments import Experiment
    from twin.calibrate.fit.likelihood import Reader
    from twin.calibrate.fit.predict import Predicted
    from twin.outcome.engine import GhostOutcome

SPACES_ONLY: Final = 3
"""In data that is made up, every third ghost is read as spaces only, the others as a place."""


def replica(seen: Seen, predicted: Predicted, reader: Reader, rng: np.random.Generator) -> Seen:
    """The same trials read again on a machine: one of its hands for each trial, the ruler's error, misread spaces."""
    hand = rng.integers(predicted.ends.shape[1], size=seen.trials)[seen.trial]
    rows = np.arange(len(seen))
    ends = predicted.ends[seen.setup, hand, seen.ghost]
    fallen = np.isnan(ends[:, 0])
    placed = ~np.isnan(seen.place[:, 0])
    board = in_board_frame(ends, predicted.askew[seen.setup, hand], predicted.orientation[seen.setup])
    label = covered(np.where(fallen[:, None], 0.0, board), predicted.machine) > 0.0
    for row in rows[(rng.random(len(seen)) < reader.misread) & ~fallen]:
        label[row] = _misread(label[row], rng)
    place = ends + rng.normal(0.0, reader.noise, ends.shape)
    place[~placed] = np.nan
    # A ghost that is seen to fall is recorded as `off`, one that was `off` and stands now by its spaces.
    named = (seen.named | (seen.off & ~fallen)) & ~fallen
    return replace(seen, place=place, label=label & named[:, None], named=named, off=fallen)


def made_up(
    experiments: Sequence[Experiment],
    machine: Machine,
    reader: Reader,
    seed: int,
    *,
    repeats: int = 1,
    board: Callable[[int], Machine] | None = None,
) -> Measurements:
    """Measurements of every ghost of some experiments, each made `repeats` times by a varied hand.

    The reference engine makes them, not the kernel that fits them.

    `board` returns for each trial, counted from 0, the machine that it is made on instead: a board that changes.
    """
    rng = np.random.default_rng([seed, 77])
    trials: list[Trial] = []
    line = 1
    for number in range(len(experiments) * repeats):
        experiment = experiments[number % len(experiments)]
        own = board(number) if board else machine
        state = experiment.state(own)
        hand = varied_hand(own, len(state.ghosts), seed, number)
        outcome = Twin(own).act(state, experiment.move, hand, sensitivity=False)
        sightings = []
        for colour, ghost in outcome.ghosts:
            line += 1
            sightings.append(_sighting(colour, ghost, line, own, reader, rng))
        setup = experiment.setup(f"experiment-{number % len(experiments) + 1:02}")
        trials.append(Trial(str(number + 1), setup, tuple(sightings)))
    return Measurements("made up", tuple(trials))


def cells_of(measurements: Measurements) -> list[dict[str, str]]:
    """The rows of a sheet, by column; places in tenths of a millimetre."""
    rows = []
    for trial, seen in measurements.rows:
        row = {"trial": trial.name, "scene": trial.setup.scene, "move": str(trial.setup.move), "ghost": seen.ghost}
        if seen.place is not None:
            row |= {"x": f"{seen.place[0]:.1f}", "y": f"{seen.place[1]:.1f}"}
        row["space"] = seen.space or ""
        if trial.setup.duration is not None:
            row["duration"] = f"{trial.setup.duration:g}"
        rows.append(row)
    return rows


def _sighting(
    colour: str, ghost: GhostOutcome, line: int, machine: Machine, reader: Reader, rng: np.random.Generator
) -> Sighting:
    noise, wrong = rng.normal(0.0, reader.noise, 2), rng.random() < reader.misread
    if ghost.place is None:
        return Sighting(colour, None, OFF, line)
    if line % SPACES_ONLY:
        half = SIDE * machine.space / 2
        x, y = (float(np.clip(v + e, -half, half)) for v, e in zip(ghost.place, noise, strict=True))
        return Sighting(colour, (round(x, 1), round(y, 1)), None, line)
    label = np.array([space in ghost.covers for space in SPACES])
    label = _misread(label, rng) if wrong else label
    return Sighting(colour, None, "+".join(s for s, there in zip(SPACES, label, strict=True) if there), line)


def _misread(label: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.bool_]:
    """A space next to the first one that was covered."""
    column, row = cell(SPACES[int(np.flatnonzero(label)[0])])
    around = [space_at(column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
    wrong = [space for space in around if space is not None and space != PLUG_SPACE]
    chosen = wrong[int(rng.integers(len(wrong)))]
    return np.array([space == chosen for space in SPACES])
