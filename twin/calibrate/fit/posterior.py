"""The posterior: which machines measurements leave, as draws.

First a look all over the ranges (Sobol points), then an optimiser from the best of them (Nelder and Mead's, from
scipy), then rounds in which a surrogate is laid through all that is known, emcee samples it, and the log likelihood
is computed at some of its draws. The last round's draws are weighted by the truth over the surrogate, so that the
surrogate's errors cost effective draws and not honesty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from twin.calibrate.evidence.sobol import sobol_points
from twin.calibrate.fit.surrogate import Surrogate, fit_surrogate

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from twin.calibrate.fit.budget import Effort

WALKERS: Final = 40
HOT: Final = 3.0
WARM: Final = 1.3
"""Temperatures at which the surrogate is sampled: wider than the posterior, for the weights to put right."""
GOOD: Final = 0.5
"""The surrogate is good enough if this share of a round's draws is effective."""
_UNLIKELY: Final = -1e9


class Asked(NamedTuple):
    """A point of which the log density is wanted."""

    cube: NDArray[np.float64]
    """(d,) in the unit cube."""
    hands: int
    seed: int
    """Of its hands."""


@dataclass(frozen=True)
class Posterior:
    """Equally likely draws from the posterior, and how they came about."""

    draws: NDArray[np.float64]
    """(D, d) in the unit cube."""
    effective: float
    """Effective number of draws behind them."""
    evaluations: int
    noise: float
    """Scatter of the log likelihood that comes from the sample of hands."""


def find_posterior(
    dimensions: int,
    density: Callable[[list[Asked]], NDArray[np.float64]],
    effort: Effort,
    seed: int,
) -> Posterior:
    """Draw from a log density on the unit cube; `density` answers a list of points, (N,), in whatever order it likes.

    Deterministic under the seed, as long as `density` is.
    """
    search = _Search(dimensions, density, effort, seed)
    search.look_around()
    search.optimise()
    surrogate = None
    for number in range(effort.rounds):
        surrogate = fit_surrogate(search.points, search.values, surrogate)
        # Hotter at first, so that the surrogate also learns where the posterior ends.
        heat = HOT if number == 0 else WARM
        drawn = _sample(surrogate, search, effort.batch, heat, [seed, 10 + number])
        weights = _tamed(search.add(drawn, effort.hands) - surrogate(drawn) / heat)
        if number > 0 and 1.0 / np.sum(weights**2) >= GOOD * effort.batch:
            break
    surrogate = fit_surrogate(search.points, search.values, surrogate)
    drawn = _sample(surrogate, search, effort.draws, WARM, [seed, 99])
    weights = _tamed(search.add(drawn, effort.final_hands) - surrogate(drawn) / WARM)
    rng = np.random.default_rng([seed, 3])
    chosen = _resampled(weights, len(drawn), rng)
    return Posterior(drawn[chosen], float(1.0 / np.sum(weights**2)), len(search.values), surrogate.noise)


class _Search:
    """What is known of the density so far."""

    def __init__(
        self, dimensions: int, density: Callable[[list[Asked]], NDArray[np.float64]], effort: Effort, seed: int
    ) -> None:
        self.density, self.effort, self.seed = density, effort, seed
        self.points = np.zeros((0, dimensions))
        self.values = np.zeros(0)

    def add(self, points: NDArray[np.float64], hands: int, *, same: bool = False) -> NDArray[np.float64]:
        """Ask for points (N, d); with `same` hands for all, else with fresh hands for each, so that errors average."""
        first = len(self.values)
        asked = [
            Asked(point, hands, self.seed if same else self.seed + 1_000_003 * (first + k + 1))
            for k, point in enumerate(points)
        ]
        values = np.maximum(self.density(asked), _UNLIKELY)
        self.points = np.concatenate([self.points, points])
        self.values = np.concatenate([self.values, values])
        return values

    def look_around(self) -> None:
        self.add(sobol_points(self.points.shape[1], self.effort.first, [self.seed, 5]), self.effort.quick_hands)

    def optimise(self) -> None:
        """Climb from the best point; all its hands are the same, which makes the slope smooth."""
        start = self.points[int(np.argmax(self.values))]
        dimensions = len(start)
        corners = np.tile(start, (dimensions + 1, 1))
        for k in range(dimensions):
            corners[k + 1, k] += 0.12 if start[k] < 0.5 else -0.12

        def minus(point: NDArray[np.float64]) -> float:
            return -float(self.add(point[None], self.effort.hands, same=True)[0])

        options = {"maxfev": self.effort.optimise, "initial_simplex": corners, "xatol": 1e-3, "fatol": 0.1}
        minimize(minus, start, method="Nelder-Mead", bounds=[(0.0, 1.0)] * dimensions, options=options)


def _sample(surrogate: Surrogate, search: _Search, count: int, heat: float, seed: list[int]) -> NDArray[np.float64]:
    """(count, d) points from emcee on the surrogate, cooled or heated; walkers start at the best known points."""
    import emcee  # type: ignore[import-untyped]

    dimensions = search.points.shape[1]

    def log_density(points: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = np.all((points >= 0.0) & (points <= 1.0), axis=1)
        return np.where(inside, surrogate(np.clip(points, 0.0, 1.0)) / heat, -np.inf)

    rng = np.random.default_rng(seed)
    smooth = surrogate(search.points)
    walkers = max(WALKERS, 4 * dimensions)
    starts = _resampled(_softmax(smooth / heat), walkers, rng)
    first = np.clip(search.points[starts] + rng.normal(0.0, 0.01, (walkers, dimensions)), 0.001, 0.999)
    moves = [(emcee.moves.DEMove(), 0.6), (emcee.moves.StretchMove(), 0.4)]
    sampler = emcee.EnsembleSampler(walkers, dimensions, log_density, vectorize=True, moves=moves)
    # Its public setter wants a state of numpy's legacy kind and passes over one that it cannot use.
    sampler._random.seed(int(rng.integers(2**31)))  # noqa: SLF001
    sampler.run_mcmc(first, search.effort.steps, skip_initial_state_check=True)
    chain: NDArray[np.float64] = sampler.get_chain(discard=search.effort.steps // 3, flat=True)
    picked = np.linspace(0, len(chain) - 1, count).astype(np.int64)
    return np.asarray(chain[picked])


def _softmax(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.exp(logs - logsumexp(logs)))


def _tamed(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights from their logs, adding up to 1, the largest cut at √N times the mean (Ionides), against noise."""
    weights = _softmax(logs)
    weights = np.minimum(weights, 1.0 / np.sqrt(len(weights)))
    return np.asarray(weights / weights.sum())


def _resampled(weights: NDArray[np.float64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Indices drawn by weight, evenly spread (systematic resampling)."""
    at = (np.arange(count) + rng.random()) / count
    return np.minimum(np.searchsorted(np.cumsum(weights), at), len(weights) - 1)
