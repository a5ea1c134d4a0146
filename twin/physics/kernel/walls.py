"""Walls that a ghost passes over, in compiled code: the same straight lines from frame to frame as in a trace."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from twin.board.grid import SIDE, SPACES
from twin.physics.kernel.columns import AX, AY
from twin.physics.kernel.compiled import compiled

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
    frame[i, 2], frame[i, 3] = cell_of(x, size) * size, cell_of(y, size) * size
    ax, ay = turned(last_x, last_y, orientation)
    bx, by = turned(x, y, orientation)
    column, row = cell_of(ax, size), cell_of(ay, size)
    last_column, last_row = cell_of(bx, size), cell_of(by, size)
    while column != last_column or row != last_row:
        across, up = math.inf, math.inf
        if column != last_column:
            across = ((column + (0.5 if last_column > column else -0.5)) * size - ax) / (bx - ax)
        if row != last_row:
            up = ((row + (0.5 if last_row > row else -0.5)) * size - ay) / (by - ay)
        old_column, old_row = column, row
        axis = 0 if across <= up else 1
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


@compiled
def turned(x: float, y: float, orientation: int) -> tuple[float, float]:
    """A place of the board as it lay at the start, in the board's own frame."""
    for _ in range((4 - orientation) % 4):
        x, y = y, -x
    return x, y


@compiled
def cell_of(value: float, size: float) -> int:
    """Column or row of a coordinate, counted from the plug; lines belong to the higher one."""
    return math.floor(value / size + 0.5)
