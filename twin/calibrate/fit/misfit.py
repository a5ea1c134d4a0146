"""Misfit: whether measurements look like something that the fitted machine could have given at all.

A posterior says which of the model's machines fits best, not whether any of them fits. So the trials are made again
on machines drawn from it: if what was really seen is less likely than nearly all of these replicas, or if too many
single rows are odder than theirs, then the board does something that the model does not know. So it does if a richer
explanation is far likelier (`twin.calibrate.fit.alternatives`): a value beyond its range, or one that changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.stats import binom

from twin.calibrate.fit.likelihood import row_kernels, row_logs, trial_logs
from twin.calibrate.fit.predictive_check import replica

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.calibrate.fit.alternatives import Rival
    from twin.calibrate.fit.predict import Predicted
    from twin.calibrate.fit.problem import Problem

REPLICAS: Final = 6
"""Replicas per machine."""
ALARM: Final = 0.01
"""A misfit is reported where chance alone would do so in one fit of a hundred, for each of the ways to see it."""
ODD: Final = 0.01
"""A row is odd if fewer than this share of its replicas are as unlikely."""
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
    rivals: tuple[Rival, ...]
    """Richer explanations, the likeliest first."""
    bench: tuple[float, ...]
    """How many sds each bench measurement lies from the fitted value."""
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
    def told(self) -> tuple[Rival, ...]:
        """The likeliest rival of each kind, if it is likely enough: what one value explains, others often do too."""
        best: dict[tuple[str, ...], Rival] = {}
        for rival in self.rivals:
            best.setdefault(rival.parts, rival)
        return tuple(rival for rival in best.values() if rival.told)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the fit must not be trusted; none if it may be."""
        found = []
        if self.p_value < ALARM:
            found.append("the measurements as a whole are less likely than the fitted machine's own would be")
        if self.odd_p_value < ALARM:
            found.append(f"{len(self.odd_rows)} rows are odder than the fitted machine explains")
        found += [rival.words for rival in self.told]
        if any(abs(far) > FAR for far in self.bench):
            found.append("a bench measurement contradicts the others")
        return tuple(found)

    @property
    def flagged(self) -> bool:
        """Whether the model does not explain the measurements."""
        return bool(self.reasons)


def find_misfit(problem: Problem, predictions: list[Predicted], rivals: tuple[Rival, ...], seed: int) -> Misfit:
    """Compare measurements with replicas made on the machines that gave the predictions: draws of their posterior."""
    machines = [predicted.machine for predicted in predictions]
    rng = np.random.default_rng([seed, 17])
    seen, reader = problem.seen, problem.reader
    logs = np.zeros((len(machines), seen.trials))
    as_unlikely, replicated = [], []
    odder = np.zeros(len(seen))
    kernels = [row_kernels(seen, predicted) for predicted in predictions]
    for k, (machine, predicted) in enumerate(zip(machines, predictions, strict=True)):
        own = row_logs(seen, predicted, reader, kernels[k])
        logs[k] = trial_logs(seen, own)
        row_wise = _row_wise(own)
        # Other hands than those of the prediction: a replica must not meet the very kernel that was laid round it.
        fresh = problem.predicted(machine, predicted.ends.shape[1], seed + 100_019 * (k + 1))
        for _ in range(REPLICAS):
            again = replica(seen, fresh, reader, rng)
            theirs = row_logs(again, predicted, reader, kernels[k])
            total = trial_logs(again, theirs).sum()
            replicated.append(total)
            as_unlikely.append(total <= logs[k].sum())
            odder += _row_wise(theirs) <= row_wise + 1e-9
    count = len(as_unlikely)
    tails = (odder + 1) / (count + 1)
    odd = int((tails < ODD).sum())
    bench = np.array([[b.surprise(machine) for b in problem.bench] for machine in machines])
    return Misfit(
        p_value=(sum(as_unlikely) + 1) / (count + 1),
        observed=-2 * float(logs.sum(axis=1).mean()),
        expected=-2 * float(np.mean(replicated)),
        tails=tails,
        odd_p_value=float(binom.sf(odd - 1, len(seen), ODD)) if odd else 1.0,
        rivals=rivals,
        bench=tuple(float(v) for v in bench.mean(axis=0)),
        logs=logs.sum(axis=1),
        trial_logs=logs,
    )


def _row_wise(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(R,) log likelihood of each row by itself, from (R, H)."""
    top = logs.max(axis=1)
    return np.asarray(top + np.log(np.exp(logs - top[:, None]).mean(axis=1)))
