"""Random turns without a list of them: a seeded shuffle of 0 … N - 1 that is computed place by place.

A Feistel network permutes the smallest square power of two that holds N; numbers beyond N are permuted again until
they fall inside. So the first K places are K distinct random numbers, any stretch of them is known without the rest,
and a sample of 23 thousand million turns needs no memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROUNDS: Final = 6


def shuffled(places: NDArray[np.int64], size: int, seed: int) -> NDArray[np.int64]:
    """What stands at places (N,) of the shuffled numbers 0 … size - 1.

    >>> sorted(shuffled(np.arange(10), 10, seed=1).tolist())
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    keys = np.random.SeedSequence(seed).generate_state(ROUNDS, np.uint64).astype(np.uint64)
    values = _permuted(places.astype(np.uint64), half, keys)
    beyond = np.flatnonzero(values >= size)
    while len(beyond):
        values[beyond] = _permuted(values[beyond], half, keys)
        beyond = beyond[values[beyond] >= size]
    return values.astype(np.int64)


def _permuted(values: NDArray[np.uint64], half: int, keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One pass of the network over numbers of 2 · `half` bits."""
    mask, shift = np.uint64((1 << half) - 1), np.uint64(half)
    left, right = values >> shift, values & mask
    for key in keys:
        left, right = right, left ^ (_mixed(right ^ key) & mask)
    joined: NDArray[np.uint64] = left << shift | right
    return joined


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each number's bits stirred into all others (the finish of splitmix64; wraps around by design)."""
    values = (values ^ values >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ values >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return values ^ values >> np.uint64(31)
