"""Points that fill a cube evenly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import qmc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def sobol_points(dimensions: int, count: int, seed: Sequence[int]) -> NDArray[np.float64]:
    """(count, dimensions) the first points of a scrambled Sobol sequence; most even where `count` is a power of two."""
    whole = 1 << max(count - 1, 0).bit_length()
    points = qmc.Sobol(dimensions, rng=np.random.default_rng(list(seed))).random(whole)
    return np.asarray(points[:count])
