"""Lines: how likely the trials are where one parameter is moved, over its whole range and beyond, all else as it is.

Each line goes through a draw from the posterior. Its points lie close about the draw, where the likelihood has its top,
and wide apart elsewhere; between them the log likelihood is taken to be straight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import logsumexp

from twin.calibrate.evidence.parameters import from_unit, to_unit
from twin.calibrate.fit.posterior import Asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from twin.calibrate.evidence.parameters import Parameter
    from twin.calibrate.fit.problem import Problem

    Ask = Callable[[Problem, Asked], NDArray[np.float64]]
    """(T + 1,) the result of `Problem.trial_logs` at a point; perhaps remembered."""

NEAR: Final = (0.6, 1.2, 2.0, 3.5)
"""Points this far on both sides of the draw, in sds of the parameter where all others are known, …"""
ACROSS: Final = 6
"""… so many evenly over the range, …"""
OUTSIDE: Final = 4
"""… and so many beyond each end that the posterior leans on, over another range's width."""
MOST_POINTS: Final = 2 * len(NEAR) + 1 + ACROSS + 2 * OUTSIDE
"""Of a line that goes beyond both ends."""
LEANING: Final = 0.1
"""It leans on an end if this share of the draws …"""
OUTER: Final = 0.2
"""… lies in this part of the range there."""


@dataclass(frozen=True)
class Lines:
    """L lines of K points along one parameter."""

    parameter: Parameter
    values: NDArray[np.float64]
    """(L, K) rising, in the parameter's unit."""
    trials: NDArray[np.float64]
    """(L, K, T) log likelihood of each trial."""
    bench: NDArray[np.float64]
    """(L, K) that of the bench measurements."""

    def log_evidence(self, logs: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
        """(L,) log of the integral of exp(logs), (L, K), from one value to another; per unit of the parameter."""
        return np.array([log_integral(x, own, low, high) for x, own in zip(self.values, logs, strict=True)])


def draw_lines(
    problem: Problem, draws: NDArray[np.float64], count: int, hands: int, seed: int, ask: Ask
) -> tuple[Lines, ...]:
    """`count` lines for each parameter, through some of the draws (D, d) of the unit cube."""
    picked = draws[np.linspace(0, len(draws) - 1, count).astype(np.int64)]
    alone = _alone(draws)
    found = []
    for k, parameter in enumerate(problem.parameters):
        wide = problem.widened(parameter.name)
        ends = _ends(parameter, wide.parameters[k], draws[:, k])
        rows, values = [], []
        for number, point in enumerate(picked):
            middle = from_unit(problem.parameters, point)
            values.append(_points(parameter, middle[k], alone[k] * parameter.width, ends))
            own = np.tile(middle, (len(values[-1]), 1))
            own[:, k] = values[-1]
            # One line has the same hands at all of its points, which keeps it smooth.
            fresh = seed + 1009 * (count * k + number + 1)
            cubes = to_unit(wide.parameters, own)
            rows.append(np.array([ask(wide, Asked(cube, hands, fresh)) for cube in cubes]))
        logs = np.array(rows)
        found.append(Lines(parameter, np.array(values), logs[:, :, :-1], logs[:, :, -1]))
    return tuple(found)


def log_integral(x: NDArray[np.float64], logs: NDArray[np.float64], low: float, high: float) -> float:
    """Log of the integral of exp(logs) from low to high, where logs (K,) are straight between their points x (K,).

    >>> round(log_integral(np.array([0.0, 1.0, 4.0]), np.zeros(3), 0.5, 2.5), 6)  # the log of 2
    0.693147
    """
    inside = (x > low) & (x < high)
    at = np.concatenate([[low], x[inside], [high]])
    heights = np.interp(at, x, logs)
    one, other, width = heights[:-1], heights[1:], np.diff(at)
    step = np.maximum(np.abs(other - one), 1e-9)
    # The integral of an exponential between two heights.
    parts = np.maximum(one, other) + np.log(-np.expm1(-step)) - np.log(step)
    keep = width > 0.0
    return float(logsumexp(parts[keep] + np.log(width[keep]))) if keep.any() else -np.inf


def _alone(draws: NDArray[np.float64]) -> NDArray[np.float64]:
    """(d,) sd of each parameter where all others are known, from draws of the unit cube."""
    covariance = np.atleast_2d(np.cov(draws.T)) + 1e-6 * np.eye(draws.shape[1])
    return np.asarray(1.0 / np.sqrt(np.diag(np.linalg.inv(covariance))))


def _ends(parameter: Parameter, wide: Parameter, draws: NDArray[np.float64]) -> tuple[float, float]:
    """How far a line goes: as far as the wider range, beyond an end that draws (D,) of the unit range lean on."""
    low = wide.low if np.mean(draws < OUTER) >= LEANING else parameter.low
    high = wide.high if np.mean(draws > 1.0 - OUTER) >= LEANING else parameter.high
    return low, high


def _points(parameter: Parameter, middle: float, sd: float, ends: tuple[float, float]) -> NDArray[np.float64]:
    """(K,) where a line's likelihood is computed, rising."""
    low, high = ends
    near = np.array([-far for far in NEAR] + [0.0] + [*NEAR]) * sd + middle
    across = np.linspace(parameter.low, parameter.high, ACROSS)
    outside = [
        np.linspace(end, edge, OUTSIDE, endpoint=False)
        for end, edge in ((low, parameter.low), (high, parameter.high))
        if end != edge
    ]
    return np.sort(np.concatenate([np.clip(near, low, high), across, *outside]))
