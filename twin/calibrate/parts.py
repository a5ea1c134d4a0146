"""Parts: whether turns and pushes, or the first trials and the last ones, ask for the same machine.

A model that lacks something can often be bent to lie in between: a friction that is too high for turns and too low for
pushes makes no single row odd. But then the parts pull at the fit from two sides. A part's pull is the slope of its log
likelihood over draws from the posterior. Replicas come from one machine each, so they tell how far parts pull apart by
chance; of what both pull alike (a replica's own best machine is another one) each part has its share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from twin.moves import Turn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.calibrate.likelihood import Seen

FEWEST: Final = 4
"""A part of fewer trials than this is not asked."""


def splits(seen: Seen) -> dict[str, NDArray[np.bool_]]:
    """Ways to part the trials in two, each with the (T,) trials of the first part; only those with enough of both."""
    setup = np.zeros(seen.trials, np.int64)
    setup[seen.trial] = seen.setup
    turns = np.array([isinstance(own.move, Turn) for own in seen.setups])[setup]
    early = np.arange(seen.trials) < seen.trials // 2
    found = {"turns and pushes": turns, "the first trials and the last": early}
    return {name: part for name, part in found.items() if min(part.sum(), (~part).sum()) >= FEWEST}


def pulls(points: NDArray[np.float64], logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(T, d) slopes of the log likelihood of trials, (J, T), over draws (J, d), in units of the draws' own spread."""
    away = points - points.mean(axis=0)
    axes, widths, _ = np.linalg.svd(away, full_matrices=False)
    axes = axes[:, widths > 1e-6 * widths[0]] * np.sqrt(len(points))
    return np.asarray(((logs - logs.mean(axis=0)).T @ axes) / len(points))


def strife(
    part: NDArray[np.bool_], observed: NDArray[np.float64], replicas: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """How far two parts pull apart, (T, d), and how far those of replicas do, (N, T, d): squared, in their spread."""
    own, whole = replicas[:, part].sum(axis=1), replicas.sum(axis=1)  # (N, d)
    share, *_ = np.linalg.lstsq(whole, own, rcond=None)
    rest = own - whole @ share
    here = observed[part].sum(axis=0) - observed.sum(axis=0) @ share
    spread = rest.T @ rest / len(rest) + 1e-9 * np.eye(rest.shape[1])
    inverse = np.linalg.inv(spread)
    return float(here @ inverse @ here), np.asarray(np.einsum("ni,ij,nj->n", rest, inverse, rest))
