"""A calibration problem: measurements, a machine whose values are in question, and the log likelihood of a point."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import logsumexp

from twin.board.quantities import KEYS
from twin.calibrate.evidence.parameters import Parameter, from_unit, named, named_values
from twin.calibrate.fit.bench import combined
from twin.calibrate.fit.likelihood import Reader, Seen, as_seen, by_trial, floors, of_setups, row_logs, support
from twin.calibrate.fit.predict import Predicted, SetupBatch, draw_hands, make_stage, predict
from twin.calibrate.fit.quick_forces import quick_machine
from twin.errors import BadInputError
from twin.outcome.kernel_door import TURN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.board.state import State
    from twin.calibrate.fit.bench import BenchValue
    from twin.calibrate.fit.measurements import MeasuredSetup, Measurements
    from twin.calibrate.fit.posterior import Asked

DEFAULT: Final = ("friction.board", "magnet.remanence", "magnet.gap", "ghost.radius", "spread.place")
"""Parameters to fit if none are given: friction, magnets' strength and gap, foot, and the hand's spread."""
IMPOSSIBLE: Final = -1e6
"""Log likelihood of values that no board can have together."""
THIN: Final = 4.0
"""A row is thin if fewer hands than this carry its likelihood."""
MOST_THIN: Final = 6
"""More thin set-ups than this are left as they are."""
MANY: Final = 128
"""Hands for thin set-ups."""
LEAST_SPREAD: Final = 0.02
"""Smallest relative error of a duration: no move is timed, or repeated, more exactly."""
_ROOM: Final = 5.0
"""A range is widened to so many sds about a bench measurement of its value."""


@dataclass(frozen=True)
class Problem:
    """What is to be found out. `machine` carries what the bench fixed, and the ranges of the parameters."""

    machine: Machine
    parameters: tuple[Parameter, ...]
    seen: Seen
    states: Callable[[Machine], Mapping[MeasuredSetup, State]]
    bench: tuple[BenchValue, ...]
    reader: Reader

    @cached_property
    def stage(self) -> SetupBatch:
        """The set-ups, ready to run, unless the size of the spaces is in question."""
        return make_stage(self.machine, self._states(self.machine))

    def machine_at(self, cube: NDArray[np.float64]) -> Machine:
        """The machine at a point (d,) of the unit cube, its tables of forces made quickly."""
        return quick_machine(self.machine, named_values(self.parameters, from_unit(self.parameters, cube)))

    def predicted(self, machine: Machine, hands: int, seed: int, setups: NDArray[np.int64] | None = None) -> Predicted:
        """Where the ghosts of all set-ups, or of some, end under a machine."""
        stage = self.stage
        if machine.space != self.machine.space:
            stage = make_stage(machine, self._states(machine))
        if setups is not None:
            stage = stage.only(setups)
        return predict(stage, machine, draw_hands(hands, len(stage), seed))

    def trial_logs(self, asked: Asked) -> NDArray[np.float64]:
        """(T + 1,) log likelihood of each trial at a point, and of the bench last.

        A row that only a few hands explain hangs on whether the sample holds such a hand, so its set-up is run with
        many more. Where many rows are not explained at all, the point is a poor one anyway.
        """
        try:
            machine = self.machine_at(asked.cube)
        except BadInputError:
            return np.full(self.seen.trials + 1, IMPOSSIBLE)
        predicted = self.predicted(machine, asked.hands, asked.seed)
        rows = row_logs(self.seen, predicted, self.reader)
        logs = logsumexp(by_trial(self.seen, rows), axis=1)
        hands = np.full(len(logs), asked.hands)
        thin = self._thin(rows, machine)
        if len(thin):
            part, trials = of_setups(self.seen, thin)
            more = self.predicted(machine, MANY, asked.seed + 1, thin)
            again = by_trial(part, row_logs(part, more, self.reader))
            logs[trials] = np.logaddexp(logs[trials], logsumexp(again, axis=1))
            hands[trials] += MANY
        logs += duration_logs(self.stage, machine)[self._setup_of_trial]
        return np.append(logs - np.log(hands), bench_log(self.bench, machine))

    def widened(self, name: str) -> Problem:
        """The same problem with the range of one parameter continued by its own width on both sides."""
        quantity, kind = self.machine.quantities[name], KEYS[name]
        low, high = quantity.range
        wider = replace(quantity, range=(max(2 * low - high, kind.low), min(2 * high - low, kind.high)))
        machine = replace(self.machine, quantities={**self.machine.quantities, name: wider})
        return replace(self, machine=machine, parameters=named(machine, [p.name for p in self.parameters]))

    @cached_property
    def _setup_of_trial(self) -> NDArray[np.int64]:
        setups = np.zeros(self.seen.trials, np.int64)
        setups[self.seen.trial] = self.seen.setup
        return setups

    def _thin(self, rows: NDArray[np.float64], machine: Machine) -> NDArray[np.int64]:
        """Set-ups that need more hands, rising; none if the point is hopeless."""
        carried = support(rows, floors(self.seen, machine, self.reader))
        lost = np.unique(self.seen.setup[carried == 0.0])
        if len(lost) > MOST_THIN:
            return np.zeros(0, np.int64)
        thin = np.flatnonzero(carried < THIN)
        worst = thin[np.argsort(carried[thin], kind="stable")]
        chosen = list(dict.fromkeys(self.seen.setup[worst].tolist()))[:MOST_THIN]
        return np.array(sorted(chosen), np.int64)

    def _states(self, machine: Machine) -> dict[MeasuredSetup, State]:
        states = self.states(machine)
        return {setup: states[setup] for setup in self.seen.setups}


def make_problem(
    measurements: Measurements,
    machine: Machine,
    *,
    parameters: Sequence[str] = DEFAULT,
    bench: tuple[BenchValue, ...] = (),
    reader: Reader | None = None,
    states: Callable[[Machine], Mapping[MeasuredSetup, State]] | None = None,
) -> Problem:
    """The problem of fitting some parameters of a machine; bench measurements of other values are taken as they are."""
    names = tuple(parameters)
    known = named(machine, names)  # complains about names that do not exist
    base = with_bench(machine, bench, names)
    chosen = named(base, [parameter.name for parameter in known])
    return Problem(base, chosen, as_seen(measurements), states or measurements.states, bench, reader or Reader())


def with_bench(machine: Machine, bench: tuple[BenchValue, ...], open_keys: Sequence[str] = ()) -> Machine:
    """A machine that has the measured values; those of `open_keys` only have their ranges widened to hold them."""
    quantities = dict(machine.quantities)
    for key, (value, sd) in combined(bench).items():
        kind, old = KEYS[key], quantities[key]
        low, high = max(value - _ROOM * sd, kind.low), min(value + _ROOM * sd, kind.high)
        if key in open_keys:
            quantities[key] = replace(old, range=(min(low, old.range[0]), max(high, old.range[1])))
        else:
            low, high = max(value - 2 * sd, kind.low), min(value + 2 * sd, kind.high)
            quantities[key] = replace(old, value=value, source="measured", range=(low, high))
    return replace(machine, quantities=quantities).with_values({})


def duration_logs(stage: SetupBatch, machine: Machine) -> NDArray[np.float64]:
    """(S,) log likelihood of the durations that were measured, under the hand of a machine, per s; 0 for the others."""
    nominal = np.where(stage.jobs.kind == TURN, machine["hand.turn_time"], machine["hand.push_time"])
    sigma = max(math.sqrt(math.log1p(machine["spread.time"] ** 2)), LEAST_SPREAD)
    away = (np.log(stage.duration / nominal) + sigma * sigma / 2) / sigma
    logs = -0.5 * away**2 - np.log(sigma * math.sqrt(2 * math.pi) * stage.duration)
    return np.asarray(np.where(np.isnan(logs), 0.0, logs))


def bench_log(bench: tuple[BenchValue, ...], machine: Machine) -> float:
    """Log likelihood of bench measurements under a machine."""
    return sum(-0.5 * b.surprise(machine) ** 2 - math.log(b.sd * math.sqrt(2 * math.pi)) for b in bench)
