"""A surrogate of a costly log density on the unit cube: a Gaussian process over the points where it is known.

What is far below the best known point is cut off at a floor, which is also what the surrogate says where nothing is
known: it never promises anything beyond the data. Errors of the density itself, which comes from a sample of hands,
are taken for noise and smoothed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEPTH: Final = 30.0
"""How far below the best point the floor lies, in units of log density; e^-30 is never sampled."""
MOST: Final = 900
"""Points that the process is laid through; of more, the best are taken, and of the poor ones every so many."""
_LENGTHS: Final = (0.03, 5.0)
"""Bounds of the length scales, in units of the cube's side."""
_NOISES: Final = (0.05, 2.0)
"""Bounds of the noise, in units of log density."""
_TUNING: Final = 350
"""Points on which length scales and noise are chosen."""


@dataclass(frozen=True)
class Surrogate:
    """A Gaussian process with a squared-exponential kernel, one length for each dimension."""

    points: NDArray[np.float64]
    """(N, d) in units of the length scales."""
    weights: NDArray[np.float64]
    """(N,)"""
    lengths: NDArray[np.float64]
    """(d,)"""
    floor: float
    noise: float
    """Standard deviation of the density about the surface, in units of log density."""

    def __call__(self, cube: NDArray[np.float64]) -> NDArray[np.float64]:
        """(M,) the log density at points (M, d) of the unit cube."""
        return np.asarray(self.floor + _kernel(cube / self.lengths, self.points) @ self.weights)


def fit_surrogate(cube: NDArray[np.float64], logs: NDArray[np.float64], start: Surrogate | None = None) -> Surrogate:
    """Lay a process through log densities (N,) at points (N, d); `start` lends its length scales as a first guess."""
    best = float(np.max(logs))
    floor = best - DEPTH
    keep = _chosen(logs, MOST)
    points, values = cube[keep], np.maximum(logs[keep], floor) - floor
    few = _chosen(logs[keep], _TUNING)
    dimensions = cube.shape[1]
    guess = np.full(dimensions, 0.3) if start is None else start.lengths
    first = np.log([*guess, 0.6 if start is None else max(start.noise, 2 * _NOISES[0])])
    bounds = [*[tuple(np.log(_LENGTHS))] * dimensions, tuple(np.log(_NOISES))]
    found = minimize(
        _evidence,
        first,
        (points[few], values[few]),
        method="L-BFGS-B",
        jac=True,
        bounds=bounds,
        options={"maxiter": 40},
    )
    lengths, noise = np.exp(found.x[:dimensions]), float(np.exp(found.x[-1]))
    scaled = points / lengths
    kernel = _kernel(scaled, scaled)
    amplitude = _amplitude(values, noise)
    kernel[np.diag_indices_from(kernel)] += noise**2 / amplitude
    weights = cho_solve(cho_factor(kernel, lower=True), values)
    return Surrogate(scaled, weights, lengths, floor, noise)


def _chosen(logs: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """Indices of the points to use: the best three quarters of `most`, and of the others evenly many, by rank."""
    order = np.argsort(-logs, kind="stable")
    if len(order) <= most:
        return order
    good = 3 * most // 4
    rest = order[good:]
    return np.concatenate([order[:good], rest[np.linspace(0, len(rest) - 1, most - good).astype(np.int64)]])


def _kernel(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    square = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None] - 2.0 * one @ other.T
    return np.asarray(np.exp(-0.5 * np.maximum(square, 0.0)))


def _amplitude(values: NDArray[np.float64], noise: float) -> float:
    """Variance of the process: the mean square of its values, which are heights above the floor."""
    return max(float(np.mean(values**2)), noise**2)


def _evidence(
    logs: NDArray[np.float64], points: NDArray[np.float64], values: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Minus the log marginal likelihood, and its gradient by the logs of lengths and noise."""
    lengths, noise = np.exp(logs[:-1]), float(np.exp(logs[-1]))
    scaled = points / lengths
    amplitude = _amplitude(values, noise)
    bare = amplitude * _kernel(scaled, scaled)
    kernel = bare.copy()
    kernel[np.diag_indices_from(kernel)] += noise**2
    factor = cho_factor(kernel, lower=True)
    weights = cho_solve(factor, values)
    value = 0.5 * values @ weights + np.log(np.diag(factor[0])).sum()
    inverse = cho_solve(factor, np.eye(len(values)))
    inner = np.outer(weights, weights) - inverse
    product = inner * bare
    gradient = np.empty_like(logs)
    for k in range(len(lengths)):
        square = (scaled[:, None, k] - scaled[None, :, k]) ** 2
        gradient[k] = -0.5 * float(np.einsum("ij,ij", product, square))
    gradient[-1] = -0.5 * 2.0 * noise**2 * float(np.trace(inner))
    return float(value), gradient
