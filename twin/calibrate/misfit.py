"""Misfit: whether measurements look like something that the fitted machine could have given at all.

A posterior says which of the model's machines fits best, not whether any of them fits. So the trials are made again
on machines drawn from it: if what was really seen is less likely than nearly all of these replicas, if too many single
rows are odder than theirs, or if parts of the trials pull the fit apart (`twin.calibrate.parts`), then the board does
something that the model does not know. So it does if a value is pressed against the end of its range.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.stats import binom

from twin.calibrate.likelihood import row_kernels, row_logs, trial_logs
from twin.calibrate.parts import pulls, splits, strife
from twin.calibrate.replicas import replica
from twin.quantities import KEYS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.calibrate.likelihood import Kernels, Seen
    from twin.calibrate.parameters import Parameter
    from twin.calibrate.predict import Predicted
    from twin.calibrate.problem import Problem

REPLICAS: Final = 6
"""Replicas per machine, …"""
PULLING: Final = 3
"""… and those of them whose parts are asked …"""
ASKED: Final = 2
"""… how likely they are under every second machine: slopes need fewer than means."""
ALARM: Final = 0.01
"""A misfit is reported where chance alone would do so in one fit of a hundred, for each of the ways to see it."""
ODD: Final = 0.01
"""A row is odd if fewer than this share of its replicas are as unlikely."""
OUTERMOST: Final = 0.1
"""A value is pressed against an end of its range if this part of the range there holds …"""
MOSTLY: Final = 0.9
"""… this share of the draws, …"""
STEEP: Final = 1.2
"""… and they fall away from the end as steeply as an exponential: its mean is one sd, that of half a bell 1.3 sds."""
FAR: Final = 3.5
"""A bench measurement contradicts the rest if it lies so many of its sds away."""


@dataclass(frozen=True)
class Misfit:
    """How the measurements compare with replicas of them."""

    p_value: float
    """Share of replicas that are as unlikely as the measurements, in the whole."""
    observed: float
    """Mean deviance (minus twice the log likelihood) of the measurements, …"""
    expected: float
    """… and of their replicas."""
    tails: NDArray[np.float64]
    """(R,) share of replicas of a row that are as unlikely as the row."""
    odd_p_value: float
    """Chance of as many odd rows as there are."""
    part_p_value: float
    """Share of replicas whose parts pull apart as far as those of the measurements; 1 if there are no two parts."""
    parts: str
    """The parts that pull apart most."""
    pressed: tuple[str, ...]
    """Parameters that would lie beyond their ranges."""
    bench: tuple[float, ...]
    """How many sds each bench measurement lies from what the fit says."""
    logs: NDArray[np.float64]
    """(J,) log likelihood of the measurements under each machine."""
    trial_logs: NDArray[np.float64]
    """(J, T)"""

    @property
    def odd_rows(self) -> tuple[int, ...]:
        """Rows that are odd, the oddest first."""
        order = np.argsort(self.tails, kind="stable")
        return tuple(int(row) for row in order if self.tails[row] < ODD)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the fit must not be trusted; none if it may be."""
        found = []
        if self.p_value < ALARM:
            found.append("the measurements as a whole are less likely than the fitted machine's own would be")
        if self.odd_p_value < ALARM:
            found.append(f"{len(self.odd_rows)} rows are odder than the fitted machine explains")
        if self.part_p_value < ALARM:
            found.append(f"{self.parts} ask for different machines")
        found += [f"{name} is pressed against the end of its range" for name in self.pressed]
        if any(abs(far) > FAR for far in self.bench):
            found.append("a bench measurement contradicts the others")
        return tuple(found)

    @property
    def flagged(self) -> bool:
        """Whether the model does not explain the measurements."""
        return bool(self.reasons)


def find_misfit(
    problem: Problem,
    draws: NDArray[np.float64],
    points: NDArray[np.float64],
    predictions: list[Predicted],
    seed: int,
) -> Misfit:
    """Compare measurements with replicas made on machines drawn from their posterior.

    `draws` (D, d) are all draws in the unit cube, `points` (J, d) those whose machines gave the predictions.
    """
    machines = [predicted.machine for predicted in predictions]
    rng = np.random.default_rng([seed, 17])
    seen, reader = problem.seen, problem.reader
    logs = np.zeros((len(machines), seen.trials))
    as_unlikely, replicated = [], []
    odder = np.zeros(len(seen))
    kernels = [row_kernels(seen, predicted) for predicted in predictions]
    pulling = []
    for k, (machine, predicted) in enumerate(zip(machines, predictions, strict=True)):
        own = row_logs(seen, predicted, reader, kernels[k])
        logs[k] = trial_logs(seen, own)
        row_wise = _row_wise(own)
        # Other hands than those of the prediction: a replica must not meet the very kernel that was laid round it.
        fresh = problem.predicted(machine, predicted.ends.shape[1], seed + 100_019 * (k + 1))
        for number in range(REPLICAS):
            again = replica(seen, fresh, reader, rng)
            theirs = row_logs(again, predicted, reader, kernels[k])
            if number < PULLING:
                pulling.append(again)
            total = trial_logs(again, theirs).sum()
            replicated.append(total)
            as_unlikely.append(total <= logs[k].sum())
            odder += _row_wise(theirs) <= row_wise + 1e-9
    count = len(as_unlikely)
    tails = (odder + 1) / (count + 1)
    odd = int((tails < ODD).sum())
    part_p_value, parts = _parted(problem, points, logs, pulling, predictions, kernels)
    bench = np.array([[b.surprise(machine) for b in problem.bench] for machine in machines])
    return Misfit(
        p_value=(sum(as_unlikely) + 1) / (count + 1),
        observed=-2 * float(logs.sum(axis=1).mean()),
        expected=-2 * float(np.mean(replicated)),
        tails=tails,
        odd_p_value=float(binom.sf(odd - 1, len(seen), ODD)) if odd else 1.0,
        part_p_value=part_p_value,
        parts=parts,
        pressed=tuple(p.name for p, own in zip(problem.parameters, draws.T, strict=True) if is_pressed(p, own)),
        bench=tuple(float(v) for v in bench.mean(axis=0)),
        logs=logs.sum(axis=1),
        trial_logs=logs,
    )


def is_pressed(parameter: Parameter, draws: NDArray[np.float64]) -> bool:
    """Whether draws (D,) of the unit range crowd at an end of it that is not the end of what is possible at all."""
    kind = KEYS[parameter.name]
    ends = [draws] if parameter.low > kind.low else []
    ends += [1.0 - draws] if parameter.high < kind.high else []
    return any(np.mean(away < OUTERMOST) >= MOSTLY and away.mean() <= STEEP * away.std() for away in ends)


def _parted(
    problem: Problem,
    points: NDArray[np.float64],
    logs: NDArray[np.float64],
    replicas: list[Seen],
    predictions: list[Predicted],
    kernels: list[Kernels],
) -> tuple[float, str]:
    """Share of replicas whose parts pull apart as far as those of the measurements, (J, T), and which parts do most."""
    ways = splits(problem.seen)
    if not ways or len(points) < 2 * ASKED * points.shape[1]:
        return 1.0, ""
    own = pulls(points[::ASKED], logs[::ASKED])
    theirs = []
    for again in replicas:
        under = zip(predictions[::ASKED], kernels[::ASKED], strict=True)
        each = [trial_logs(again, row_logs(again, predicted, problem.reader, kernel)) for predicted, kernel in under]
        theirs.append(pulls(points[::ASKED], np.array(each)))
    found = {name: strife(part, own, np.array(theirs)) for name, part in ways.items()}
    worst = max(found, key=lambda name: found[name][0])
    most = np.max([by_chance for _, by_chance in found.values()], axis=0)
    return float((np.sum(most >= found[worst][0]) + 1) / (len(most) + 1)), worst


def _row_wise(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(R,) log likelihood of each row by itself, from (R, H)."""
    top = logs.max(axis=1)
    return np.asarray(top + np.log(np.exp(logs - top[:, None]).mean(axis=1)))
