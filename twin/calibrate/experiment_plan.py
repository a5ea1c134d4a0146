"""Plans: which experiments would be most informative about the parameters, given what is known of them now.

What is known is a set of machines: draws from the ranges, from the rulebook's region or from a posterior. An
experiment is worth the mutual information between its reading and the machine: how much likelier, on average, a
reading is under the machine that gave it than under all of them. Experiments are chosen one after the other, each for
what it adds to those before, so that ten of them do not ask the same question ten times.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import logsumexp

from twin.board.grid import SPACES
from twin.board.state import COLOURS
from twin.calibrate.evidence.parameters import from_unit, named, named_values, values_of
from twin.calibrate.evidence.sobol import sobol_points
from twin.calibrate.experiments import Experiment, draw_experiments
from twin.calibrate.fit.likelihood import Seen, by_trial, row_kernels, row_logs
from twin.calibrate.fit.predict import Predicted, draw_hands, make_stage, predict
from twin.calibrate.fit.predictive_check import replica
from twin.calibrate.fit.quick_forces import quick_machine
from twin.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.calibrate.evidence.parameters import Parameter
    from twin.calibrate.fit.likelihood import Reader

CANDIDATES: Final = 128
"""Experiments that are compared."""
MACHINES: Final = 128
"""Machines that stand for what is known."""
TRUTHS: Final = 64
"""Machines of these that take their turn as the true one."""
HANDS: Final = 16


@dataclass(frozen=True)
class Choice:
    """One experiment of a plan."""

    experiment: Experiment
    gain: float
    """What it adds to those before it, nats of information about the parameters."""
    alone: float
    """Expected information gain of this experiment alone, nats."""


@dataclass(frozen=True)
class ExperimentPlan:
    """Experiments in the order in which they should be made."""

    machine: Machine
    parameters: tuple[Parameter, ...]
    choices: tuple[Choice, ...]
    candidates: int
    typical: float
    """Mean expected information gain of an experiment drawn at random, nats."""


def draws_of_ranges(
    machine: Machine, names: Sequence[str], seed: int
) -> tuple[tuple[Parameter, ...], NDArray[np.float64]]:
    """Parameters of a machine, and points (N, d) spread over their ranges."""
    parameters = named(machine, names)
    return parameters, from_unit(parameters, sobol_points(len(parameters), 2 * MACHINES, [seed, 8]))


def draws_of_region(
    machine: Machine, names: Sequence[str], size: int, seed: int
) -> tuple[tuple[Parameter, ...], NDArray[np.float64]]:
    """Parameters, and their values (N, d) on machines that do all that the rulebook says."""
    from twin.calibrate.evidence.region_machines import region

    parameters = named(machine, names)
    return parameters, np.array([values_of(own, parameters) for own in region(machine, size, seed)])


def make_plan(
    machine: Machine,
    parameters: tuple[Parameter, ...],
    known: NDArray[np.float64],
    *,
    count: int,
    seed: int,
    reader: Reader,
    candidates: Sequence[Experiment] = (),
    progress: Callable[[int], None] | None = None,
) -> ExperimentPlan:
    """Choose `count` experiments for what is `known` of the parameters: draws (N, d), in their units."""
    experiments = list(candidates) or list(draw_experiments(machine, max(CANDIDATES, 4 * count), seed))
    if len(experiments) < count:
        raise BadInputError(
            f"only {len(experiments)} experiments can be made on this machine; got {count}", field="count"
        )
    machines = _machines(machine, parameters, known)
    logs = _information(experiments, machines, reader, seed, progress)
    truths = logs.shape[1]
    own = logs[:, np.arange(truths), np.arange(truths)]  # (C, J)
    alone = (own - _marginal(logs, np.zeros((truths, len(machines))))).mean(axis=1)
    weights = np.zeros((truths, len(machines)))
    choices: list[Choice] = []
    left = list(range(len(experiments)))
    for _ in range(count):
        gains = (own[left] - _marginal(logs[left], weights)).mean(axis=1)
        if choices and gains.max() <= 0.0:
            gains = alone[left] * 1e-9  # what is known of so few machines is used up: the best of the rest follow
        best = left[int(np.argmax(gains))]
        choices.append(Choice(experiments[best], float(max(gains.max(), 0.0)), float(alone[best])))
        left.remove(best)
        weights = weights + logs[best]
    return ExperimentPlan(machine, parameters, tuple(choices), len(experiments), float(np.mean(alone)))


def _machines(machine: Machine, parameters: tuple[Parameter, ...], known: NDArray[np.float64]) -> list[Machine]:
    """Machines at up to `MACHINES` of the draws, evenly picked; values that do not go together are left out."""
    picked = known[np.linspace(0, len(known) - 1, min(len(known), 2 * MACHINES)).astype(np.int64)]
    found: list[Machine] = []
    for point in picked:
        try:
            found.append(quick_machine(machine, named_values(parameters, point)))
        except BadInputError:
            continue
        if len(found) == MACHINES:
            break
    if len(found) < 2:
        raise BadInputError("there must be at least two machines to tell apart", source=machine.name)
    return found


def _information(
    experiments: list[Experiment],
    machines: list[Machine],
    reader: Reader,
    seed: int,
    progress: Callable[[int], None] | None,
) -> NDArray[np.float64]:
    """(C, J, M) log likelihood of a reading of experiment c on machine j, under machine m."""
    setups = [experiment.setup(f"{k}") for k, experiment in enumerate(experiments)]
    rows = template(experiments)
    predictions: list[Predicted] = []
    for k, machine in enumerate(machines):
        states = {s: e.state(machine) for s, e in zip(setups, experiments, strict=True)}
        stage = make_stage(machine, states)
        predictions.append(predict(stage, machine, draw_hands(HANDS, len(stage), seed + 31 * k)))
        if progress is not None:
            progress(k + 1)
    kernels = [row_kernels(rows, predicted) for predicted in predictions]
    rng = np.random.default_rng([seed, 21])
    truths = min(TRUTHS, len(machines))
    logs = np.zeros((len(experiments), truths, len(machines)))
    for j in range(truths):
        machine = machines[j]
        states = {s: e.state(machine) for s, e in zip(setups, experiments, strict=True)}
        fresh = predict(make_stage(machine, states), machine, draw_hands(2, len(setups), seed + 7919 * (j + 1)))
        reading = replica(rows, fresh, reader, rng)
        for m, predicted in enumerate(predictions):
            together = by_trial(reading, row_logs(reading, predicted, reader, kernels[m]))
            logs[:, j, m] = logsumexp(together, axis=1) - np.log(HANDS)
    return logs


def template(experiments: list[Experiment]) -> Seen:
    """A row for each ghost of each experiment, read as a place and as its spaces."""
    rows = [(k, COLOURS.index(colour)) for k, e in enumerate(experiments) for colour, _ in e.ghosts]
    number = np.array([k for k, _ in rows])
    count = len(rows)
    return Seen(
        tuple(e.setup(f"{k}") for k, e in enumerate(experiments)),
        number,
        number,
        np.array([ghost for _, ghost in rows]),
        np.zeros((count, 2)),
        np.zeros((count, len(SPACES)), np.bool_),
        np.zeros(count, np.bool_),
        np.zeros(count, np.bool_),
    )


def _marginal(logs: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """(C, J) log likelihood of each reading under all machines, weighted by what was read before, (J, M)."""
    share = weights - logsumexp(weights, axis=1, keepdims=True)
    return np.asarray(logsumexp(logs + share[None], axis=2))
