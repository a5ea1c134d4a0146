"""Recovery in small: hidden machines, measured on the reference engine, are found again by the kernel's likelihood.

`python -m benchmarks recovery` is the full study.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import chisquare

from benchmarks.recovery import lines, recover, summary
from tests.calibrate.fit.test_fit import SMALL
from tests.setups import MACHINE
from tests.synthetic import FOLDER, SHEETS, kept, measured
from twin.calibrate.evidence.parameters import from_unit, named, named_values
from twin.calibrate.evidence.sobol import sobol_points
from twin.calibrate.experiments import draw_experiments
from twin.calibrate.fit.likelihood import Reader, as_seen, row_logs, trial_logs
from twin.calibrate.fit.predict import draw_hands, make_stage, predict
from twin.calibrate.fit.predictive_check import made_up
from twin.calibrate.fit.quick_forces import quick_machine

HIDDEN = 32
SETUPS = 8
KNOWN = 192
"""Machines whose weights are the posterior."""


@pytest.mark.slow
def test_the_ranks_of_hidden_values_are_even():
    """Simulation-based calibration without a sampler: machines drawn from the ranges, weighted by the likelihood."""
    parameters = named(MACHINE, ("friction.board", "magnet.remanence"))
    experiments = draw_experiments(MACHINE, SETUPS, 21)
    hidden = np.random.default_rng(22).random((HIDDEN, 2))

    def machine(point):
        return quick_machine(MACHINE, named_values(parameters, from_unit(parameters, point)))

    seen = [as_seen(made_up(experiments, machine(h), Reader(), n)) for n, h in enumerate(hidden)]
    stage = make_stage(MACHINE, {s: e.state(MACHINE) for s, e in zip(seen[0].setups, experiments, strict=True)})
    points = sobol_points(2, KNOWN, [23])
    logs = np.zeros((HIDDEN, KNOWN))
    for k, point in enumerate(points):
        predicted = predict(stage, machine(point), draw_hands(32, SETUPS, k))
        logs[:, k] = [trial_logs(own, row_logs(own, predicted, Reader())).sum() for own in seen]
    weights = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
    ranks = np.einsum("hk,hkd->hd", weights, points[None] < hidden[:, None])
    counts, _ = np.histogram(ranks, 4, (0.0, 1.0))
    assert chisquare(counts).pvalue > 0.01
    inside = (ranks > 0.05) & (ranks < 0.95)
    assert 0.8 <= inside.mean() <= 0.98
    # And the measurements did tell something: the posterior is narrower than the ranges.
    spread = np.sqrt(np.einsum("hk,kd->hd", weights, points**2) - np.einsum("hk,kd->hd", weights, points) ** 2)
    assert np.median(spread) < 0.8 / np.sqrt(12)


@pytest.mark.slow
def test_the_study_of_one_machine():
    """Even a small effort finds a machine that forecasts fresh set-ups nearly as well as the true one."""
    own = recover(3, SMALL, fresh=20)
    found = summary([own])
    assert all(0.0 <= rank <= 1.0 for rank in own["ranks"].values())
    assert own["holdout"]["fitted"] > 0.85 * own["holdout"]["true"] > 0
    assert any("hold-out hit rate" in line for line in lines({"machines": 1, "readings": 60, **found}))


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_synthetic_data_set_is_what_the_twin_measures(sheet):
    assert measured(sheet, kept(sheet)) == (FOLDER / f"{sheet}.csv").read_text(encoding="utf-8")
