"""Walls that a ghost passes over, in compiled code: the same straight lines from frame to frame as in a trace."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from twin.board.grid import SIDE, SPACES
from twin.physics.kernel.columns import AX, AY
from twin.physics.kernel.compiled import compiled
from twin.physics.kernel.compiled_laws import cell_index, first_line, to_floor

MOST_WALLS: Final = 8
"""Walls that are kept one by one; more are only counted."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def decode(code: int) -> tuple[str, str]:
    """The spaces on either side of a crossed wall, in the order in which it was crossed."""
    forward, axis, space = code % 2, code // 2 % 2, code // 4
    pair = SPACES[space], SPACES[space + (SIDE if axis == 0 else 1)]
    return pair if forward else (pair[1], pair[0])


@compiled
def cross(
    now: Floats,
    i: int,
    frame: Floats,
    orientation: int,
    walls: NDArray[np.bool_],
    size: float,
    crossed: Ints,
) -> None:
    """Note the walls between a ghost's last frame and this one.

    `frame` is (4, 4): where each ghost was, and the centre of its space, which is brought up to date.
    `crossed` is (4, 1 + MOST_WALLS): how many, then codes ((space · 2 + axis) · 2 + whether towards higher names).
    """
    x, y, last_x, last_y = now[i, AX], now[i, AY], frame[i, 0], frame[i, 1]
    frame[i, 2], frame[i, 3] = cell_index(x, size) * size, cell_index(y, size) * size
    start, end = to_floor((last_x, last_y), -orientation), to_floor((x, y), -orientation)
    column, row = cell_index(start[0], size), cell_index(start[1], size)
    last_column, last_row = cell_index(end[0], size), cell_index(end[1], size)
    while column != last_column or row != last_row:
        axis, _ = first_line((column, row), (last_column, last_row), start, end, size)
        old_column, old_row = column, row
        if axis == 0:
            column += 1 if last_column > column else -1
        else:
            row += 1 if last_row > row else -1
        half = SIDE // 2
        if max(abs(column), abs(row), abs(old_column), abs(old_row)) <= half:
            space = (min(column, old_column) + half) * SIDE + min(row, old_row) + half
            if walls[space, axis]:
                crossed[i, 0] += 1
                if crossed[i, 0] <= MOST_WALLS:
                    forward = 1 if column + row > old_column + old_row else 0
                    crossed[i, crossed[i, 0]] = (space * 2 + axis) * 2 + forward
