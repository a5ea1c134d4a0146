"""Sensitivity: how much of the spread of outcomes each assumed value accounts for (Sobol' indices, by SALib).

Machines are drawn from the whole box of ranges after Saltelli's design. On each the same moves are made by the same
hands (drawn anew from the machine's own spread where that varies), and their outcomes are summed up in a few numbers:
shares of ghosts, and margins. The first-order index of a parameter is the share of a number's variance that it
explains alone, the total index that with all its interactions; a total of 0 means that it does not matter at all.
"""

from __future__ import annotations

import math
import random
import warnings
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.expectation import FATES
from twin.board.moves import Push, Turn
from twin.board.state import MAX_OFFSET
from twin.calibrate.evidence.parameters import named_values
from twin.calibrate.fit.quick_forces import unchecked_machine
from twin.calibrate.workers import over_points
from twin.errors import BadInputError, MissingExtraError
from twin.outcome.many import simulate_jobs
from twin.outcome.riding_share import random_state
from twin.physics.hand import NOMINAL, varied_hand

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.scene import Scene
    from twin.board.state import State
    from twin.calibrate.evidence.parameters import Parameter
    from twin.outcome.kernel_door import Jobs

RUNS: Final = 16
"""Moves that are made on each machine, at least: few moves are repeated by several hands."""

SECOND_ORDER: Final = 12
"""Up to so many parameters, interactions of pairs are estimated too, at twice the number of machines."""

RESAMPLES: Final = 100
"""Bootstrap samples for the 95 % intervals."""

NOTHING: Final = 0.01
"""A parameter does not matter if no total index can be above this, by its 95 % interval."""

SAME, ACROSS, MARGIN = "same", "across", "margin"
NUMBERS: Final = (SAME, *FATES[:-1], ACROSS, MARGIN)
"""Shares of ghosts: that end on the same spaces as on the machine itself by the nominal hand; by fate (none is
dragged); that stand on several spaces; and the mean margin, mm, a fallen ghost's being 0."""


@dataclass(frozen=True)
class SensitivityTrial:
    """One move on one position, of the machine that all others are compared with."""

    state: State
    move: Turn | Push


@dataclass(frozen=True)
class Indices:
    """One number's indices, in the order of the parameters; arrays of shape (d,)."""

    name: str
    mean: float
    sd: float
    first: NDArray[np.float64]
    first_interval: NDArray[np.float64]
    """Half widths of the 95 % intervals."""
    total: NDArray[np.float64]
    total_interval: NDArray[np.float64]
    pairs: tuple[tuple[str, str, float], ...]
    """Interactions of two parameters that are above chance, the strongest first."""


@dataclass(frozen=True)
class Sensitivity:
    """What matters, and what does not."""

    machine: Machine
    parameters: tuple[Parameter, ...]
    trials: tuple[SensitivityTrial, ...]
    samples: int
    machines: int
    runs: int
    seed: int
    indices: tuple[Indices, ...]
    """Of every number that varies at all."""

    @cached_property
    def ranking(self) -> tuple[tuple[str, float], ...]:
        """Parameters with their total share in the variance of all outcomes together; the weightiest first.

        That is the mean of the total indices of all shares of ghosts, weighed by variance: the generalised index of a
        model with several outputs. Rare fates count as little as they vary.
        """
        return self._ranked([one for one in self.indices if one.name != MARGIN])

    @cached_property
    def margin_ranking(self) -> tuple[tuple[str, float], ...]:
        """The same for the margin alone."""
        return self._ranked([one for one in self.indices if one.name == MARGIN])

    def _ranked(self, chosen: Sequence[Indices]) -> tuple[tuple[str, float], ...]:
        if not chosen:
            return ()
        weights = [one.sd**2 for one in chosen]
        totals = np.average([np.clip(one.total, 0.0, 1.0) for one in chosen], axis=0, weights=weights)
        pairs = [(p.name, float(total)) for p, total in zip(self.parameters, totals, strict=True)]
        return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

    @cached_property
    def nothing(self) -> tuple[str, ...]:
        """Parameters that do not matter for any of the numbers, in the order of the machine."""
        if not self.indices:
            return tuple(p.name for p in self.parameters)
        most = np.max([one.total + one.total_interval for one in self.indices], axis=0)
        return tuple(p.name for p, value in zip(self.parameters, most, strict=True) if value < NOTHING)


@dataclass(frozen=True)
class Measure:
    """The trials, ready to run: from points of the box to numbers."""

    base: Machine
    parameters: tuple[Parameter, ...]
    trials: tuple[SensitivityTrial, ...]
    hands: int
    seed: int
    usual: NDArray[np.int8]
    """(R, 4, 4) the spaces that each ghost covers on the machine itself, by the nominal hand."""
    _made: dict[tuple[float, ...], Jobs] = field(default_factory=dict, compare=False)

    def __call__(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, K) the numbers, in the order of `NUMBERS`, for points (n, d)."""
        return np.array([self.numbers(unchecked_machine(self.base, named_values(self.parameters, p))) for p in points])

    def numbers(self, machine: Machine) -> NDArray[np.float64]:
        """(K,) the numbers of one machine."""
        jobs = self._jobs(machine)
        outcomes = simulate_jobs(machine, jobs._replace(places=jobs.places * (machine.space / self.base.space)))
        there = outcomes.present
        same = np.all(outcomes.covers == self.usual, axis=2)
        fates = [np.mean(outcomes.fate[there] == k) for k in range(len(FATES) - 1)]
        across = np.mean(outcomes.covers[there][:, 1] >= 0)
        return np.array([same[there].mean(), *fates, across, np.nan_to_num(outcomes.margin[there]).mean()])

    def _jobs(self, machine: Machine) -> Jobs:
        """The trials by the hands of a machine; kept for the few spreads that a design uses in turn."""
        from twin.outcome.kernel_door import encode

        spread = tuple(value for key, value in machine.values().items() if key.startswith("spread."))
        if spread not in self._made:
            if len(self._made) > 4:
                self._made.clear()
            runs = [trial for trial in self.trials for _ in range(self.hands)]
            hands = [varied_hand(machine, len(run.state.ghosts), self.seed, k) for k, run in enumerate(runs)]
            self._made[spread] = encode(self.base, [r.state for r in runs], [r.move for r in runs], hands)
        return self._made[spread]


def trials_of(scene: Scene) -> tuple[SensitivityTrial, ...]:
    """The turns and pushes that a scene has expectations about, each once; both turns if there are none."""
    moves: list[Move] = [e.move for e in scene.expectations if _possible(scene.state, e.move)]
    moves = list(dict.fromkeys(moves)) or [Turn("cw"), Turn("ccw")]
    return tuple(SensitivityTrial(scene.state, move) for move in moves if isinstance(move, Turn | Push))


def random_trials(machine: Machine, positions: int, seed: int) -> tuple[SensitivityTrial, ...]:
    """Random four-ghost positions, each with a turn and a push."""
    trials = []
    for number in range(positions):
        dice = random.Random(f"sensitivity {seed} {number}")
        state = random_state(machine, dice)
        trials.append(SensitivityTrial(state, Turn(dice.choice(("cw", "ccw")))))
        pushes = [Push(s.name, way) for s in state.sliders for way in ("north", "south")]
        trials.append(SensitivityTrial(state, dice.choice([push for push in pushes if _possible(state, push)])))
    return tuple(trials)


def sensitivity(
    base: Machine,
    trials: Sequence[SensitivityTrial],
    chosen: Sequence[Parameter],
    samples: int,
    seed: int,
    *,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Sensitivity:
    """Indices from `samples` points of Saltelli's design: `machines_in_all(d, samples)` machines."""
    require_salib()
    if not trials:
        raise BadInputError("there must be at least one move to be made", field="trials")
    from SALib.sample import sobol as design

    second = len(chosen) <= SECOND_ORDER
    problem = {"num_vars": len(chosen), "names": [p.name for p in chosen], "bounds": [[p.low, p.high] for p in chosen]}
    with warnings.catch_warnings():
        # Numbers that are no power of two lose the last of the balance, which is no reason to refuse them.
        warnings.simplefilter("ignore")
        points = design.sample(problem, samples, calc_second_order=second, seed=seed)
    measure = Measure(
        base, tuple(chosen), tuple(trials), math.ceil(RUNS / len(trials)), seed, usual_covers(base, trials)
    )
    numbers = over_points(measure, points, workers=workers, progress=progress)
    found = tuple(
        _indices(problem, name, numbers[:, k], seed, second=second)
        for k, name in enumerate(NUMBERS)
        if np.ptp(numbers[:, k]) > 0.0
    )
    runs = len(points) * measure.hands * len(trials)
    return Sensitivity(base, tuple(chosen), tuple(trials), samples, len(points), runs, seed, found)


def machines_in_all(parameters: int, samples: int) -> int:
    """The machines of Saltelli's design.

    >>> machines_in_all(8, 1024)
    18432
    """
    return samples * (2 * parameters + 2 if parameters <= SECOND_ORDER else parameters + 2)


def usual_covers(base: Machine, trials: Sequence[SensitivityTrial]) -> NDArray[np.int8]:
    """(R, 4, 4) what the ghosts cover after each trial on the machine itself, repeated for each of its hands."""
    from twin.outcome.kernel_door import encode

    jobs = encode(base, [t.state for t in trials], [t.move for t in trials], [NOMINAL] * len(trials))
    return np.repeat(simulate_jobs(base, jobs).covers, math.ceil(RUNS / len(trials)), axis=0)


def require_salib() -> None:
    """Raise unless what computes the indices is installed."""
    if find_spec("SALib") is None:
        raise MissingExtraError("sensitivity needs the package SALib: pip install 'mauer-twin[calibrate]'")


def _possible(state: State, move: Move) -> bool:
    return isinstance(move, Turn) or (
        isinstance(move, Push) and abs(state.slider(move.slider).offset + move.step) <= MAX_OFFSET
    )


def _indices(problem: dict[str, object], name: str, values: NDArray[np.float64], seed: int, *, second: bool) -> Indices:
    from SALib.analyze import sobol as analysis

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # divisions by the variance of a bootstrap sample that happens to have none
        found = analysis.analyze(problem, values, calc_second_order=second, num_resamples=RESAMPLES, seed=seed)
    clean = {key: np.nan_to_num(np.asarray(found[key])) for key in ("S1", "S1_conf", "ST", "ST_conf")}
    names = [str(parameter) for parameter in problem["names"]]  # type: ignore[attr-defined]
    pairs = []
    if second:
        for i, a in enumerate(names):
            for j in range(i + 1, len(names)):
                value, interval = float(found["S2"][i, j]), float(found["S2_conf"][i, j])
                if value > max(interval, NOTHING):
                    pairs.append((a, names[j], value))
    pairs.sort(key=lambda pair: (-pair[2], pair[:2]))
    return Indices(
        name,
        float(values.mean()),
        float(values.std()),
        clean["S1"],
        clean["S1_conf"],
        clean["ST"],
        clean["ST_conf"],
        tuple(pairs),
    )
