"""Fits: from measurements to the machines that they leave, with what remains unexplained."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.calibrate.evidence.parameters import from_unit, named_values
from twin.calibrate.fit.alternatives import find_rivals
from twin.calibrate.fit.budget import Effort
from twin.calibrate.fit.checkpoint import Checkpoint
from twin.calibrate.fit.misfit import Misfit, find_misfit
from twin.calibrate.fit.posterior import Asked, Posterior, find_posterior
from twin.calibrate.fit.profiles import draw_lines
from twin.calibrate.fit.scores import Forecast, Score, codes, forecast, score, seen_codes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.calibrate.fit.alternatives import Rival
    from twin.calibrate.fit.predict import Predicted
    from twin.calibrate.fit.problem import Problem

_VERSION: Final = "2"
"""Of what a checkpoint holds."""


@dataclass(frozen=True)
class Estimate:
    """What is known of one parameter now, in its unit."""

    name: str
    unit: str
    mean: float
    sd: float
    interval90: tuple[float, float]
    range: tuple[float, float]
    """Central 99 % of the draws: what the machine file gives as its range."""


@dataclass(frozen=True)
class Residual:
    """One row of the measurements beside its forecast, made without the row's own trial."""

    row: int
    forecast: Forecast
    seen: int
    """Code of what was seen."""
    expected: tuple[float, float] | None
    """Mean place of the ends that cover what is likeliest, floor frame, mm; None if that is off the board."""
    tail: float
    """How often a reading on the fitted machine would have been as odd as this one."""


@dataclass(frozen=True)
class Fit:
    """What came of a fit."""

    problem: Problem
    posterior: Posterior
    draws: NDArray[np.float64]
    """(D, d) in the units of the parameters."""
    estimates: tuple[Estimate, ...]
    centre: dict[str, float]
    """The values of the machine file: the means, or a draw near them where the means do not go together."""
    misfit: Misfit
    holdout: Score
    residuals: tuple[Residual, ...]


def run_fit(
    problem: Problem,
    *,
    seed: int,
    effort: Effort | None = None,
    checkpoint: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Fit:
    """Fit the parameters of a problem; deterministic under the seed.

    `checkpoint` keeps what is known while the fit runs; remove it when its result is written.
    """
    effort = effort or Effort()
    most = effort.evaluations(len(problem.parameters))
    memory = Checkpoint(checkpoint, recipe(problem, effort, seed))

    def ask(problem: Problem, point: Asked) -> NDArray[np.float64]:
        answer = memory.answer(point, problem.trial_logs)
        if progress is not None:
            progress(min(memory.position, most - effort.judges))
        return answer

    def density(asked: list[Asked]) -> NDArray[np.float64]:
        return np.array([ask(problem, point).sum() for point in asked])

    posterior = find_posterior(len(problem.parameters), density, effort, seed)
    lines = draw_lines(problem, posterior.draws, effort.lines, effort.line_hands, seed + 5, ask)
    memory.save()
    if progress is not None:
        progress(most - effort.judges)
    found = _told(problem, posterior, find_rivals(problem.seen, lines), effort, seed)
    if progress is not None:
        progress(most)
    return found


def recipe(problem: Problem, effort: Effort, seed: int) -> str:
    """A hash of all that a fit depends on."""
    seen = problem.seen
    arrays = (seen.setup, seen.trial, seen.ghost, seen.place, seen.label, seen.off, *problem.stage.jobs)
    ranges = [(p.name, p.low, p.high) for p in problem.parameters]
    text = repr((_VERSION, problem.machine.fingerprint, ranges, problem.bench, problem.reader, effort, seed))
    text += repr([(s.move, s.duration) for s in seen.setups])
    return hashlib.sha256(text.encode() + b"".join(a.tobytes() for a in arrays)).hexdigest()


def _told(problem: Problem, posterior: Posterior, rivals: tuple[Rival, ...], effort: Effort, seed: int) -> Fit:
    draws = from_unit(problem.parameters, posterior.draws)
    estimates = []
    for k, parameter in enumerate(problem.parameters):
        own = draws[:, k]
        low, high = np.quantile(own, [0.05, 0.95])
        least, most = np.quantile(own, [0.005, 0.995])
        estimates.append(
            Estimate(
                parameter.name,
                parameter.unit,
                float(own.mean()),
                float(own.std(ddof=1)),
                (float(low), float(high)),
                (float(least), float(most)),
            )
        )
    judges = posterior.draws[np.linspace(0, len(draws) - 1, min(effort.judges, len(draws))).astype(np.int64)]
    predictions = [
        problem.predicted(problem.machine_at(point), effort.judge_hands, seed + 11 + k)
        for k, point in enumerate(judges)
    ]
    misfit = find_misfit(problem, predictions, rivals, seed)
    centre = _centre(problem, posterior, judges, misfit, effort, seed)
    residuals = _residuals(problem, predictions, misfit, problem.machine.with_values(centre))
    holdout = score([r.forecast for r in residuals], np.array([r.seen for r in residuals]), problem.reader)
    return Fit(problem, posterior, draws, tuple(estimates), centre, misfit, holdout, residuals)


def _centre(
    problem: Problem, posterior: Posterior, judges: NDArray[np.float64], misfit: Misfit, effort: Effort, seed: int
) -> dict[str, float]:
    """The posterior's mean; where it is so bent that its mean is worse than most draws, the good draw nearest to it."""
    mean = posterior.draws.mean(axis=0)
    point = mean
    if problem.trial_logs(Asked(mean, effort.judge_hands, seed + 7)).sum() < np.quantile(misfit.logs, 0.1):
        good = judges[misfit.logs >= np.median(misfit.logs)]
        away = (good - mean) / np.maximum(posterior.draws.std(axis=0), 1e-9)
        point = good[int(np.argmin((away**2).sum(axis=1)))]
    return named_values(problem.parameters, from_unit(problem.parameters, point))


def _residuals(
    problem: Problem, predictions: list[Predicted], misfit: Misfit, machine: Machine
) -> tuple[Residual, ...]:
    seen = problem.seen
    observed = seen_codes(seen, predictions[0].orientation, machine)
    covers = np.stack([codes(seen, predicted) for predicted in predictions])  # (J, R, H)
    ends = np.stack([predicted.ends[seen.setup, :, seen.ghost] for predicted in predictions])
    # Leaving one trial out divides its likelihood out of every draw's weight; the largest weights are cut (Ionides).
    logs = -misfit.trial_logs
    weights = np.exp(logs - logs.max(axis=0))
    weights /= weights.sum(axis=0)
    weights = np.minimum(weights, 1.0 / np.sqrt(len(weights)))
    weights /= weights.sum(axis=0)
    residuals = []
    for row in range(len(seen)):
        own = np.repeat(weights[:, seen.trial[row], None], covers.shape[2], axis=1) / covers.shape[2]
        told = forecast(covers[:, row], own)
        likeliest = covers[:, row] == next(iter(told))
        places = ends[:, row][likeliest]
        share = own[likeliest][:, None]
        expected = None
        if not np.isnan(places[0, 0]):
            x, y = (share * places).sum(axis=0) / share.sum()
            expected = (float(x), float(y))
        residuals.append(Residual(row, told, int(observed[row]), expected, float(misfit.tails[row])))
    return tuple(residuals)
