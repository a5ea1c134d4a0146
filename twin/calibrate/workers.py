"""Work on many points, in this process or in several; the result is the same, in the order of the points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from twin.processes import run_all

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
    alone = workers <= 1 or len(points) < WORTHWHILE
    rows: dict[int, NDArray[Any]] = {}
    done = 0
    for number, found in enumerate(map(task, chunks)) if alone else run_all(task, chunks, workers):
        rows[number] = found
        done += len(found)
        if progress is not None:
            progress(done)
    return np.concatenate([rows[number] for number in sorted(rows)])
