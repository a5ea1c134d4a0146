"""Building an atlas in several processes on this computer.

The processes talk through pipes that they inherit: nothing listens on the network, and no other account can reach them.
Each runs whole pieces on one thread of the kernel and hands the finished Parquet bytes back. A piece depends on its
plan and stretch alone, so the pieces of a process that is lost are run by another one, to the same bytes.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from twin.explore.atlas.build import make_piece
from twin.processes import LostProcessError, run_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twin.explore.atlas.build import Maker, Piece
    from twin.explore.atlas.contents import Plan

LOSSES: Final = 3
"""How often in a row processes may be lost without a piece being finished."""
_MOST: Final = 61
"""Processes that a pool can have on every platform."""


@contextmanager
def on_processes(count: int | None = None) -> Iterator[Maker]:
    """Run pieces in so many processes of this computer, or in one per core.

    As with everything that starts processes, a script needs the guard `if __name__ == "__main__"`.
    """
    yield partial(_run, min(count or os.cpu_count() or 1, _MOST))


def make_in_process(plan: Plan, piece: Piece) -> tuple[Piece, bytes]:
    """What a process does; all processes together use each core once."""
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")  # read when the kernel is loaded, with the first piece
    return piece, make_piece(plan, piece)


def _run(count: int, plan: Plan, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, bytes]]:
    """Pieces as they are finished; where a process is lost, new ones take over."""
    under_way: dict[int, Piece] = {}
    losses = 0

    def handed_out() -> Iterator[Piece]:
        for piece in pieces:
            under_way[piece.number] = piece
            yield piece

    waiting = handed_out()
    while True:
        try:
            for _, (piece, content) in run_all(
                partial(make_in_process, plan), chain([*under_way.values()], waiting), count
            ):
                del under_way[piece.number]
                losses = 0
                yield piece, content
        except LostProcessError:
            losses += 1
            if losses >= LOSSES:
                raise
        else:
            return
