"""Does `calibrate plan` beat chance? Ten planned experiments against ten drawn at random, on hidden machines.

Both tens come from the same candidates, and both are read once on the same hidden machine. Posteriors are weights on
one sample of machines from the ranges; how far they shrink is the log of their volume (the determinant of their
covariance in the unit cube), and how much they tell is the fall of entropy of the weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from scipy.special import logsumexp

from twin.board.machine import load_machine
from twin.calibrate.evidence.parameters import from_unit, named, named_values
from twin.calibrate.evidence.sobol import sobol_points
from twin.calibrate.experiment_plan import draws_of_ranges, make_plan, template
from twin.calibrate.experiments import draw_experiments
from twin.calibrate.fit.likelihood import Reader, by_trial, row_logs
from twin.calibrate.fit.predict import draw_hands, make_stage, predict
from twin.calibrate.fit.predictive_check import replica
from twin.calibrate.fit.problem import DEFAULT
from twin.calibrate.fit.quick_forces import quick_machine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

TITLE: Final = "Planned against random experiments: which ten shrink the posterior more"

REPEATS: Final = 10
CANDIDATES: Final = 96
MACHINES: Final = 512
HANDS: Final = 16
EACH: Final = 10


def measure(*, quick: bool) -> dict[str, object]:
    """Shrinkage of both, by hidden machine."""
    repeats, count = (3, 128) if quick else (REPEATS, MACHINES)
    base, reader = load_machine(), Reader()
    parameters = named(base, DEFAULT)
    experiments = list(draw_experiments(base, CANDIDATES, 11))
    _, known = draws_of_ranges(base, DEFAULT, 3)
    plan = make_plan(base, parameters, known, count=EACH, seed=3, reader=reader, candidates=experiments)
    chosen = [experiments.index(choice.experiment) for choice in plan.choices]
    cube = sobol_points(len(parameters), count, [5])
    rows = template(experiments)
    rng = np.random.default_rng(6)
    hidden = rng.random((repeats, len(parameters)))
    readings = []
    for number, point in enumerate(hidden):
        machine = quick_machine(base, named_values(parameters, from_unit(parameters, point)))
        states = dict(zip(rows.setups, (e.state(machine) for e in experiments), strict=True))
        once = predict(make_stage(machine, states), machine, draw_hands(2, len(states), 900 + number))
        readings.append(replica(rows, once, reader, rng))
    logs = np.zeros((repeats, len(experiments), count))
    for m, point in enumerate(cube):
        machine = quick_machine(base, named_values(parameters, from_unit(parameters, point)))
        states = dict(zip(rows.setups, (e.state(machine) for e in experiments), strict=True))
        predicted = predict(make_stage(machine, states), machine, draw_hands(HANDS, len(states), 40 + m))
        for r, reading in enumerate(readings):
            together = by_trial(reading, row_logs(reading, predicted, reader))
            logs[r, :, m] = logsumexp(together, axis=1) - np.log(HANDS)
    each = []
    for r in range(repeats):
        drawn = rng.choice(len(experiments), EACH, replace=False)
        planned, random = (shrinkage(logs[r, picked].sum(axis=0), cube) for picked in (chosen, drawn))
        each.append({"planned": planned, "random": random, "better": planned["volume"] < random["volume"]})
    wins = sum(bool(own["better"]) for own in each)
    return {"repeats": repeats, "machines": count, "candidates": CANDIDATES, "wins": wins, "each": each}


def shrinkage(logs: NDArray[np.float64], cube: NDArray[np.float64]) -> dict[str, float]:
    """Log volume and information (nats) of the posterior with these log likelihoods (M,) at points (M, d)."""
    weights = np.exp(logs - logsumexp(logs))
    away = cube - weights @ cube
    # The error that a sample of so many machines leaves keeps a single heavy machine from having no volume.
    least = np.eye(cube.shape[1]) * (1.0 / 12.0) * len(cube) ** (-2.0 / cube.shape[1])
    covariance = (weights[:, None] * away).T @ away + least
    entropy = -float(np.sum(weights * np.log(np.maximum(weights, 1e-300))))
    return {"volume": 0.5 * float(np.linalg.slogdet(covariance)[1]), "information": float(np.log(len(cube))) - entropy}


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    part = cast("Mapping[str, Any]", result)
    gains = [own["random"]["volume"] - own["planned"]["volume"] for own in part["each"]]
    told = [np.mean([own[who]["information"] for own in part["each"]]) for who in ("planned", "random")]
    return [
        f"planned experiments shrink the posterior more in {part['wins']} of {part['repeats']} repeats",
        f"log volume smaller by {np.mean(gains):.2f} on average (from {min(gains):.2f} to {max(gains):.2f})",
        f"information {told[0]:.2f} nats against {told[1]:.2f}",
    ]
