"""Parameter recovery: whether the intervals of a fit hold the values of machines that were hidden and measured.

Simulation-based calibration: if the hidden values come from the prior, then the share of the posterior below them
(their rank) is evenly spread. Each data set has 60 readings of two repeats of some thirty set-ups, places with an error
of 1 mm or spaces of which one in fifty is misread. Ranks of one machine are not independent (a stronger magnet farther
away is much the same), so the usual table of chi-square is too strict for all ranks together. For them, machines are
counted and not ranks: the mean tally of a machine's ranks by bin is held against its scatter between machines
(Hotelling's test). Each parameter's ranks over the machines are independent; for them the table is right.

The reference engine makes all measurements, the kernel fits them. Fresh set-ups, which no fit has seen, are then
forecast by the fitted machine and by the true one. All hidden machines are the model's own, so each misfit that is told
is a false alarm.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from scipy.stats import chisquare, f

from twin.board.machine import Machine, load_machine
from twin.calibrate.evidence.parameters import from_unit, named, named_values
from twin.calibrate.experiments import draw_experiments
from twin.calibrate.fit.fitting import run_fit
from twin.calibrate.fit.likelihood import Reader, as_seen
from twin.calibrate.fit.predict import draw_hands, make_stage, predict
from twin.calibrate.fit.predictive_check import made_up
from twin.calibrate.fit.problem import DEFAULT, make_problem
from twin.calibrate.fit.quick_forces import quick_machine
from twin.calibrate.fit.scores import codes, forecast, score, seen_codes
from twin.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from twin.board.state import State
    from twin.calibrate.experiments import Experiment
    from twin.calibrate.fit.budget import Effort
    from twin.calibrate.fit.measurements import MeasuredSetup, Measurements
    from twin.calibrate.fit.problem import Problem

TITLE: Final = "Recovery: 90 % intervals of fits to hidden machines"

MACHINES: Final = 20
FIRST: Final = 100
"""Number of the first: those before were looked at while the fit was made, and prove nothing any more."""
_QUICK: Final = 2
READINGS: Final = 60
REPEATS: Final = 2
FRESH: Final = 150
"""Set-ups of the hold-out."""
HANDS: Final = 256
"""Hands behind its forecasts."""
BINS: Final = 5


def measure(*, quick: bool) -> dict[str, object]:
    """Coverage, ranks and hold-out hit rates over all hidden machines."""
    count = _QUICK if quick else MACHINES
    each = [recover(FIRST + number) for number in range(count)]
    return {"machines": count, "readings": READINGS, **summary(each), "each": each}


def summary(each: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """The figures of all machines together."""
    ranks = np.array([[own["ranks"][name] for name in DEFAULT] for own in each])
    inside = (ranks >= 0.05) & (ranks <= 0.95)
    counts, _ = np.histogram(ranks, bins=np.linspace(0.0, 1.0, BINS + 1))
    fitted, true = (sum(own["holdout"][who] for own in each) for who in ("fitted", "true"))
    rows = sum(own["holdout"]["rows"] for own in each)
    return {
        "covered": float(inside.mean()),
        "covered_interval": wilson(int(inside.sum()), inside.size),
        "covered_by_parameter": {name: float(inside[:, k].mean()) for k, name in enumerate(DEFAULT)},
        "rank_counts": counts.tolist(),
        "rank_p_value": _pooled(ranks),
        "rank_p_value_if_independent": float(chisquare(counts).pvalue),
        "rank_mean_by_parameter": {name: float(ranks[:, k].mean()) for k, name in enumerate(DEFAULT)},
        "rank_p_value_by_parameter": {name: _evenness(ranks[:, k]) for k, name in enumerate(DEFAULT)},
        "false_alarms": sum(bool(own["misfit"]["reasons"]) for own in each),
        "holdout": {"rows": rows, "fitted": fitted / rows, "true": true / rows, "difference": (fitted - true) / rows},
    }


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    part = cast("Mapping[str, Any]", result)
    low, high = part["covered_interval"]
    held, alone, means = part["holdout"], part["rank_p_value_by_parameter"], part["rank_mean_by_parameter"]
    return [
        f"{part['machines']} hidden machines, {part['readings']} readings each",
        f"90 % intervals hold the truth in {part['covered']:.1%} of cases (95 % interval {low:.1%} to {high:.1%})",
        (
            f"ranks of all in {BINS} bins: {part['rank_counts']}, chi-square p = {part['rank_p_value']:.3f} "
            f"({part['rank_p_value_if_independent']:.3f} if they were independent)"
        ),
        "ranks of each alone, mean: " + ", ".join(f"{name} {m:.2f}" for name, m in means.items()),
        "ranks of each alone, chi-square p: " + ", ".join(f"{name} {p:.2f}" for name, p in alone.items()),
        f"misfits told, each a false alarm: {part['false_alarms']}",
        f"hold-out hit rate {held['fitted']:.2%}, the true machines' own {held['true']:.2%} ({held['rows']} rows)",
    ]


def recover(number: int, effort: Effort | None = None, fresh: int = FRESH) -> dict[str, Any]:
    """Hide, measure, fit and forecast one machine."""
    base = load_machine()
    parameters = named(base, DEFAULT)
    hidden = np.random.default_rng([number, 4]).random(len(DEFAULT))
    truth = quick_machine(base, named_values(parameters, from_unit(parameters, hidden)))
    experiments = draw_experiments(base, READINGS // REPEATS, number)
    measured = first_rows(made_up(experiments, truth, Reader(), number, repeats=REPEATS), READINGS)
    problem = problem_of(measured, experiments, base)
    started = time.process_time()
    fit = run_fit(problem, seed=1, effort=effort)
    seconds = time.process_time() - started
    ranks = {name: float(np.mean(fit.posterior.draws[:, k] < hidden[k])) for k, name in enumerate(DEFAULT)}
    estimates = {e.name: [e.interval90[0], e.mean, e.interval90[1]] for e in fit.estimates}
    return {
        "hidden": named_values(parameters, from_unit(parameters, hidden)),
        "low_mean_high": estimates,
        "ranks": ranks,
        "misfit": {
            "reasons": list(fit.misfit.reasons),
            "p_value": fit.misfit.p_value,
            "odd_p_value": fit.misfit.odd_p_value,
            "times_likelier": {
                kind: max((r.factor for r in fit.misfit.rivals if bool(r.parts) == parted), default=0.0)
                for kind, parted in (("beyond", False), ("changing", True))
            },
        },
        "effective_draws": fit.posterior.effective,
        "evaluations": fit.posterior.evaluations,
        "processor_seconds": seconds,
        "holdout": _held_out(base, truth, quick_machine(base, fit.centre), number, fresh),
    }


def _pooled(ranks: NDArray[np.float64]) -> float:
    """The chance of tallies of all ranks (N, d) as uneven as these, where those of a machine go together."""
    bins = np.minimum((ranks * BINS).astype(int), BINS - 1)
    # One bin of the tally follows from the others.
    away = (bins[..., None] == np.arange(BINS - 1)).sum(axis=1) - ranks.shape[1] / BINS
    count, free = away.shape
    if count <= free:
        return math.nan
    mean, scatter = away.mean(axis=0), np.cov(away.T)
    square = count * float(mean @ np.linalg.solve(scatter, mean))
    return float(f.sf(square * (count - free) / (free * (count - 1)), free, count - free))


def _evenness(ranks: NDArray[np.float64]) -> float:
    """The chi-square test of one parameter's ranks, which are independent of each other."""
    counts, _ = np.histogram(ranks, bins=np.linspace(0.0, 1.0, BINS + 1))
    return float(chisquare(counts).pvalue)


def problem_of(measured: Measurements, experiments: Sequence[Experiment], base: Machine) -> Problem:
    """The problem of a made-up data set, its scenes from memory."""
    by_setup = {e.setup(f"experiment-{k:02}"): e for k, e in enumerate(experiments, 1)}

    def states(machine: Machine) -> dict[MeasuredSetup, State]:
        return {setup: by_setup[setup].state(machine) for setup in measured.setups}

    return make_problem(measured, base, states=states)


def first_rows(measured: Measurements, count: int) -> Measurements:
    """Whole trials, until there are so many rows."""
    trials, rows = [], 0
    for trial in measured.trials:
        if rows >= count:
            break
        trials.append(trial)
        rows += len(trial.sightings)
    return replace(measured, trials=tuple(trials))


def _held_out(base: Machine, truth: Machine, fitted: Machine, number: int, fresh: int) -> dict[str, int]:
    """Hits of both machines on readings of the true one."""
    experiments = draw_experiments(base, fresh, 1000 + number)
    measured = made_up(experiments, truth, Reader(), 1000 + number)
    seen = as_seen(measured)
    hits = {}
    for name, machine in (("fitted", fitted), ("true", truth)):
        states = {e.setup(f"experiment-{k:02}"): e.state(machine) for k, e in enumerate(experiments, 1)}
        predicted = predict(make_stage(machine, states), machine, draw_hands(HANDS, len(states), number))
        told = [forecast(row, np.full(HANDS, 1.0 / HANDS)) for row in codes(seen, predicted)]
        # Both are asked the same question: what a place means is read with the true foot.
        hits[name] = score(told, seen_codes(seen, predicted.orientation, truth), Reader()).hits
    return {"rows": len(seen), **hits}
