"""How far it is from space to space for a ghost that can be dragged inside rooms and carried through walls."""

from __future__ import annotations

import heapq
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from twin.board.grid import DIRECTIONS, PLUG_SPACE, STANDING_SPACES, neighbour

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.castle import Castle

WALL: Final = 3.0
"""What getting past a wall costs, in drags: about as many moves as it takes to be carried through one."""


@lru_cache(maxsize=16)
def distances(castle: Castle) -> Mapping[str, Mapping[str, float]]:
    """Drags from each space to each other one, walls counted as `WALL` of them; other ghosts are not in the way."""
    return {space: _from(space, castle) for space in STANDING_SPACES}


def _from(start: str, castle: Castle) -> dict[str, float]:
    best = {start: 0.0}
    waiting = [(0.0, start)]
    while waiting:
        so_far, here = heapq.heappop(waiting)
        if so_far > best[here]:
            continue
        for direction in DIRECTIONS:
            there = neighbour(here, direction)
            if there is None or there == PLUG_SPACE:
                continue
            way = so_far + (WALL if castle.wall_between(here, there) else 1.0)
            if way < best.get(there, float("inf")):
                best[there] = way
                heapq.heappush(waiting, (way, there))
    return best
