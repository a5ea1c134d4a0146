"""Rivals: what would explain the measurements better than one machine within its ranges.

A model that lacks something can often be bent to lie in between: a friction that is too high for the first half of the
trials and too low for the second makes no single row odd. So richer explanations are held against the fitted one, each
for one parameter: its value lies beyond the range, or it is one in this part of the trials and another in that. How
many times likelier a rival makes the measurements is the ratio of two integrals over the parameter, on average over
draws of all others: where the rival is wrong, that is 1 on average over all machines, so it is seldom large.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import logsumexp

from twin.board.moves import Turn
from twin.board.quantities import KEYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from twin.calibrate.fit.likelihood import Seen
    from twin.calibrate.fit.profiles import Lines

FEWEST: Final = 4
"""A part of fewer trials than this is not asked."""
CHANGING: Final = 10.0
"""A value that changes is reported if it makes the measurements so many times likelier, …"""
BEYOND: Final = 20.0
"""… one beyond its range only from here on: what lies far outside is explained by chance more often."""


@dataclass(frozen=True)
class Rival:
    """One other explanation."""

    parameter: str
    parts: tuple[str, ...]
    """The parts of the trials that would have values of their own; none if the value lies beyond its range."""
    values: tuple[float, ...]
    """The value beyond the range, or that of each part, in the parameter's unit."""
    log_factor: float
    """Log (base e) of how many times likelier it makes the measurements."""

    @property
    def factor(self) -> float:
        """How many times likelier, at most 1e9."""
        return math.exp(min(self.log_factor, math.log(1e9)))

    @property
    def told(self) -> bool:
        """Whether it is so likely that the fit must not be trusted."""
        return self.factor >= (CHANGING if self.parts else BEYOND)

    @property
    def words(self) -> str:
        """The alternative as a sentence."""
        told = f"{self.factor:.0f} times likelier" if self.factor < 1e4 else "far likelier"
        unit = KEYS[self.parameter].unit
        values = [f"{value:.3g}" if unit == "1" else f"{value:.3g} {unit}" for value in self.values]
        if not self.parts:
            return f"{self.parameter} seems to lie beyond its range, about {values[0]}: {told}"
        each = " and ".join(f"{value} in {part}" for part, value in zip(self.parts, values, strict=True))
        return f"{self.parameter} seems to change, {each}: {told}"


def find_rivals(seen: Seen, lines: Sequence[Lines]) -> tuple[Rival, ...]:
    """All other explanations, the likeliest first."""
    found = []
    for line in lines:
        found += _beyond(line)
        found += [_changing(line, names, part) for names, part in splits(seen).items()]
    return tuple(sorted(found, key=lambda rival: -rival.log_factor))


def splits(seen: Seen) -> dict[tuple[str, str], NDArray[np.bool_]]:
    """Ways to part the trials in two, each with the (T,) trials of the first part; only those with enough of both."""
    setup = np.zeros(seen.trials, np.int64)
    setup[seen.trial] = seen.setup
    turns = np.array([isinstance(own.move, Turn) for own in seen.setups])[setup]
    early = np.arange(seen.trials) < seen.trials // 2
    found = {("turns", "pushes"): turns, ("the first half of the trials", "the second"): early}
    return {names: part for names, part in found.items() if min(part.sum(), (~part).sum()) >= FEWEST}


def _beyond(line: Lines) -> list[Rival]:
    """The value beyond the ends of its range, where lines go there; what lies outside counts by its width."""
    low, high = line.parameter.low, line.parameter.high
    logs = line.trials.sum(axis=2) + line.bench
    inside = line.log_evidence(logs, low, high)
    found = []
    for start, end in ((float(line.values.min()), low), (high, float(line.values.max()))):
        if end > start:
            outside = line.log_evidence(logs, start, end)
            value = _mean(line, logs, start, end, outside - inside)
            found.append(Rival(line.parameter.name, (), (value,), _log_mean(outside - inside)))
    return found


def _changing(line: Lines, names: tuple[str, str], part: NDArray[np.bool_]) -> Rival:
    """A value for each part; bench measurements are prior knowledge of both."""
    low, high = line.parameter.low, line.parameter.high
    known = line.log_evidence(line.bench, low, high)
    own = [line.trials[:, :, which].sum(axis=2) + line.bench for which in (part, ~part)]
    together = own[0] + own[1] - line.bench
    one, other = (line.log_evidence(logs, low, high) - known for logs in own)
    factors = one + other - (line.log_evidence(together, low, high) - known)
    values = tuple(_mean(line, logs, low, high, factors) for logs in own)
    return Rival(line.parameter.name, names, values, _log_mean(factors))


def _mean(line: Lines, logs: NDArray[np.float64], low: float, high: float, weights: NDArray[np.float64]) -> float:
    """Mean of the parameter between two values under exp(logs), lines weighted by exp(weights)."""
    at = np.linspace(low, high, 201)
    heights = np.array([np.interp(at, x, own) for x, own in zip(line.values, logs, strict=True)])
    heights += (weights - heights.max(axis=1))[:, None]
    share = np.exp(heights - heights.max())
    return float((share * at).sum() / share.sum())


def _log_mean(logs: NDArray[np.float64]) -> float:
    return float(logsumexp(logs) - math.log(len(logs)))
