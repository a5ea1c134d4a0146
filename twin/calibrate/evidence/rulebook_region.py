"""What the rulebook leaves: machines sampled from their ranges, and those among them that do all that is known.

`study` judges a sample by some evidence. The result tells how large the region is that is left, in which parameters
it is narrower than the ranges, which fact rules out what, and which machine lies most in the middle.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import ks_2samp, spearmanr

from twin.calibrate.evidence.machine_samples import LATIN, Sample, sample
from twin.calibrate.evidence.parameters import named_values, parameters, to_unit
from twin.calibrate.evidence.verdicts import docket
from twin.calibrate.fit.quick_forces import quick_machine
from twin.calibrate.workers import over_points
from twin.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.calibrate.evidence.facts import Evidence, Fact
    from twin.calibrate.evidence.machine_samples import Design
    from twin.calibrate.evidence.parameters import Parameter
    from twin.calibrate.evidence.verdicts import Docket

SURE: Final = 1.63
"""A marginal has changed for sure if its KS distance exceeds this / √n: one chance in a hundred for n free points."""

TELLING: Final = 0.1
"""A fact is informative about a parameter if their correlation exceeds this, and what chance would give."""

MOST_TELLING: Final = 4
FEW: Final = 20
"""Below so many machines a region is too small to be described by intervals."""
_ROWS: Final = 256


@dataclass(frozen=True)
class FactFound:
    """What one fact does to a sample."""

    fact: Fact
    judged: bool
    """Whether the machine has any case of it."""
    excluded: int
    """Possible machines that do not do it."""
    only: int
    """Machines that do all but this."""
    tells: tuple[tuple[str, float], ...]
    """Parameters and their correlation with being excluded: above 0, it is the high values that fail."""


@dataclass(frozen=True)
class Marginal:
    """One parameter within the region."""

    parameter: Parameter
    mean: float
    sd: float
    interval90: tuple[float, float]
    span: tuple[float, float]
    """Lowest and highest value that is left."""
    shift: float
    """Kolmogorov's distance from all possible machines, 0 (the evidence is not informative) to 1."""
    told: bool
    """Whether that is more than chance."""


@dataclass(frozen=True)
class Study:
    """A sample of machines, judged."""

    court: Docket
    sample: Sample
    seed: int
    possible: NDArray[np.bool_]
    """(N,) whether a board can have such values at all."""
    verdicts: NDArray[np.int8]
    """(N, F) as `Docket.judge` gives them; 0 for impossible machines."""
    base_verdicts: NDArray[np.int8]
    """(F,) those of the machine that the sample was drawn around."""

    @cached_property
    def kept(self) -> NDArray[np.bool_]:
        """(N,) machines that do everything that was judged."""
        kept: NDArray[np.bool_] = self.possible & np.all(self.verdicts != 0, axis=1)
        return kept

    @property
    def missed(self) -> tuple[str, ...]:
        """The facts that the machine itself does not do."""
        facts = self.court.evidence.facts
        return tuple(f.name for f, verdict in zip(facts, self.base_verdicts, strict=True) if verdict == 0)

    @cached_property
    def facts(self) -> tuple[FactFound, ...]:
        """Every fact with what it excludes, in the order of the file."""
        points = to_unit(self.sample.parameters, self.sample.points)[self.possible]
        failed = self.verdicts[self.possible] == 0
        alone = failed.sum(axis=1) == 1
        return tuple(
            FactFound(
                fact,
                bool(self.base_verdicts[k] >= 0),
                int(failed[:, k].sum()),
                int((failed[:, k] & alone).sum()),
                _tells(self.sample.parameters, points, failed[:, k]),
            )
            for k, fact in enumerate(self.court.evidence.facts)
        )

    @cached_property
    def marginals(self) -> tuple[Marginal, ...]:
        """Every parameter within the region, those that the evidence narrows most first; none if it is empty."""
        if not self.kept.any():
            return ()
        left, all_ = self.sample.points[self.kept], self.sample.points[self.possible]
        found = [_marginal(p, left[:, k], all_[:, k]) for k, p in enumerate(self.sample.parameters)]
        return tuple(sorted(found, key=lambda m: (not m.told, -m.shift, m.parameter.name)))

    @property
    def narrowed(self) -> tuple[Marginal, ...]:
        """The parameters whose range is narrower within the region, the most so first."""
        return tuple(m for m in self.marginals if m.told)

    @property
    def entangled(self) -> tuple[str, ...]:
        """Parameters that some fact is informative about, though alone they are not narrowed: it depends on others."""
        tells = {name for found in self.facts for name, _ in found.tells}
        return tuple(m.parameter.name for m in self.marginals if not m.told and m.parameter.name in tells)

    @property
    def known(self) -> tuple[str, ...]:
        """All parameters that the evidence is informative about, those that it narrows first."""
        return (*(m.parameter.name for m in self.narrowed), *self.entangled)

    @property
    def silent(self) -> tuple[str, ...]:
        """Parameters that the evidence is not informative about."""
        return tuple(p.name for p in self.sample.parameters if p.name not in self.known)

    @cached_property
    def pairs(self) -> tuple[tuple[str, str, float], ...]:
        """Parameters that go together within the region: rank correlations beyond chance, the strongest first."""
        if self.kept.sum() < FEW:
            return ()
        told = self.known
        names = [p.name for p in self.sample.parameters]
        left = self.sample.points[self.kept]
        found = []
        for i, a in enumerate(told):
            for b in told[i + 1 :]:
                value = float(spearmanr(left[:, names.index(a)], left[:, names.index(b)]).statistic)
                if abs(value) > max(TELLING, 2.6 / math.sqrt(len(left))):
                    found.append((a, b, value))
        return tuple(sorted(found, key=lambda pair: (-abs(pair[2]), pair[:2])))

    @cached_property
    def central(self) -> dict[str, float] | None:
        """The values of the machine most in the middle of what is left; None if nothing is.

        In the parameters that the evidence narrows, the one with the smallest mean distance (in units of the
        ranges) to all that are left; in the others, which could be anything, the values of the machine itself. If
        that does not fit, the sampled machine as it is.
        """
        if not self.kept.any():
            return None
        told = self.known
        columns = [k for k, p in enumerate(self.sample.parameters) if p.name in told or not told]
        left = to_unit(self.sample.parameters, self.sample.points[self.kept])[:, columns]
        means = np.concatenate([cdist(left[k : k + _ROWS], left).mean(axis=1) for k in range(0, len(left), _ROWS)])
        drawn = named_values(self.sample.parameters, self.sample.points[self.kept][int(np.argmin(means))])
        base = self.sample.base
        middle = {name: value if name in told else base[name] for name, value in drawn.items()}
        with contextlib.suppress(BadInputError):  # a combination that no board can have
            if (self.court.judge(quick_machine(base, middle)) != 0).all():
                return middle
        return drawn


@dataclass(frozen=True)
class Judge:
    """A docket and a box: judges points of the box."""

    court: Docket
    parameters: tuple[Parameter, ...]

    def __call__(self, points: NDArray[np.float64]) -> NDArray[np.int8]:
        """(n, 1 + F) for points (n, d): 1 if a board can have such values, and the verdicts on it, else all 0."""
        found = np.zeros((len(points), 1 + len(self.court.evidence.facts)), np.int8)
        for row, machine in enumerate(Sample(self.court.base, self.parameters, points).machines()):
            if machine is not None:
                found[row, 0] = 1
                found[row, 1:] = self.court.judge(machine)
        return found


def study(
    evidence: Evidence,
    base: Machine,
    count: int,
    seed: int,
    *,
    chosen: Sequence[Parameter] | None = None,
    design: Design = LATIN,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Judge `count` machines from the ranges of a machine's assumed values (or of the chosen ones)."""
    court = docket(evidence, base)
    drawn = sample(base, parameters(base) if chosen is None else chosen, count, seed, design)
    found = over_points(Judge(court, drawn.parameters), drawn.points, workers=workers, progress=progress)
    found.setflags(write=False)
    return Study(court, drawn, seed, found[:, 0] == 1, found[:, 1:], court.judge(base))


def _tells(
    chosen: Sequence[Parameter], points: NDArray[np.float64], failed: NDArray[np.bool_]
) -> tuple[tuple[str, float], ...]:
    if failed.all() or not failed.any():
        return ()
    # Four standard errors of a correlation by chance: there are as many chances as facts times parameters.
    least = max(TELLING, 4.0 / math.sqrt(len(points)))
    values = [float(np.corrcoef(points[:, k], failed)[0, 1]) for k in range(len(chosen))]
    found = [(p.name, value) for p, value in zip(chosen, values, strict=True) if abs(value) > least]
    return tuple(sorted(found, key=lambda item: (-abs(item[1]), item[0]))[:MOST_TELLING])


def _marginal(parameter: Parameter, left: NDArray[np.float64], all_: NDArray[np.float64]) -> Marginal:
    low, high = np.quantile(left, (0.05, 0.95))
    shift = float(ks_2samp(left, all_).statistic)
    told = shift > SURE / math.sqrt(len(left))
    span = (float(left.min()), float(left.max()))
    return Marginal(parameter, float(left.mean()), float(left.std()), (float(low), float(high)), span, shift, told)
