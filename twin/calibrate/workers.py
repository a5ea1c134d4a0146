"""Work on many points, in this process or in several; the result is the same, in the order of the points."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Task = Callable[[NDArray[np.float64]], NDArray[Any]]
    """From points (n, d) one row each, (n, …). For several processes it must be picklable."""

CHUNK: Final = 64
"""Points that a process takes at a time."""

WORTHWHILE: Final = 600
"""Fewer points than this are done sooner than processes are started."""


def over_points(
    task: Task, points: NDArray[np.float64], *, workers: int = 1, progress: Callable[[int], None] | None = None
) -> NDArray[Any]:
    """The task's rows for all points (N, d), N ≥ 1; `progress` hears how many points are done."""
    chunks = [points[first : first + CHUNK] for first in range(0, len(points), CHUNK)]
    rows: list[NDArray[Any]] = []
    done = 0

    def keep(found: NDArray[Any]) -> None:
        nonlocal done
        rows.append(found)
        done += len(found)
        if progress is not None:
            progress(done)

    if workers <= 1 or len(points) < WORTHWHILE:
        for chunk in chunks:
            keep(task(chunk))
        return np.concatenate(rows)
    # Spawned, not forked: the kernel's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        for found in pool.map(task, chunks):
            keep(found)
    return np.concatenate(rows)
