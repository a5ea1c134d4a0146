"""The 7 × 7 spaces of the board, where they lie, and what a foot covers.

Two frames, both centred on the plug, x right and y up, in mm. The *floor* frame stands still. The *board* frame is
printed on the board: column a is left, row 1 is at the bottom, so that both frames agree at orientation 0.
`orientation` counts clockwise quarter turns modulo 4; each takes a place of the board from floor (x, y) to (y, -x).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

SIDE: Final = 7
"""Spaces along one side of the board."""

COLUMNS: Final = "abcdefg"
PLUG_SPACE: Final = "d4"
SPACES: Final = tuple(f"{column}{row}" for column in COLUMNS for row in range(1, SIDE + 1))
"""All 49 names, a1, a2 … g7, the plug's among them."""

STANDING_SPACES: Final = tuple(space for space in SPACES if space != PLUG_SPACE)
"""The 48 spaces that a ghost can stand on."""

CORNERS: Final = ("a1", "a7", "g1", "g7")
DIRECTIONS: Final = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
"""Unit steps of the floor; rules of dragging and pushing speak of the floor, however the board lies."""

Place = tuple[float, float]


def cell(space: str) -> tuple[int, int]:
    """Column and row of a space, counted from the plug: a1 is (-3, -3), d4 is (0, 0).

    >>> cell("c5")
    (-1, 1)
    """
    return COLUMNS.index(space[0]) - 3, int(space[1]) - 4


def space_at(column: int, row: int) -> str | None:
    """The space in a column and row counted from the plug, or None beyond the edge."""
    if abs(column) > 3 or abs(row) > 3:
        return None
    return f"{COLUMNS[column + 3]}{row + 4}"


def to_floor(place: Place, orientation: int) -> Place:
    """A place of the board frame, seen from the floor.

    >>> to_floor((-40.0, -80.0), 1)
    (-80.0, 40.0)
    """
    x, y = place
    for _ in range(orientation % 4):
        x, y = y, -x
    return x, y


def to_board(place: Place, orientation: int) -> Place:
    """A place of the floor frame, seen from the board."""
    return to_floor(place, -orientation)


def centre(space: str, size: float, orientation: int = 0) -> Place:
    """Centre of a space in the floor frame, mm, for spaces of `size` mm.

    >>> centre("a1", 40.0)
    (-120.0, -120.0)
    """
    column, row = cell(space)
    return to_floor((column * size, row * size), orientation)


def cell_index(value: float, size: float) -> int:
    """Column or row of a coordinate of the board frame, counted from the plug; lines belong to the higher one.

    >>> cell_index(19.9, 40.0), cell_index(20.0, 40.0), cell_index(-20.0, 40.0)
    (0, 1, 0)
    """
    return math.floor(value / size + 0.5)


def space_under(place: Place, size: float) -> str | None:
    """The space whose square holds a place of the board frame, or None; lines belong to the higher space."""
    return space_at(cell_index(place[0], size), cell_index(place[1], size))


def neighbour(space: str, direction: str, orientation: int = 0) -> str | None:
    """The space next to this one towards a direction *of the floor*, or None beyond the edge.

    >>> neighbour("a1", "north"), neighbour("a1", "north", orientation=1)
    ('a2', None)
    """
    dx, dy = to_board(DIRECTIONS[direction], orientation)
    column, row = cell(space)
    return space_at(column + int(dx), row + int(dy))


def distance_to_space(place: Place, space: str, size: float) -> float:
    """Distance (mm) from a place of the board frame to the square of a space; negative inside, down to -size/2."""
    column, row = cell(space)
    return distance_to_square(place[0] - column * size, place[1] - row * size, size)


def distance_to_square(dx: float, dy: float, size: float) -> float:
    """Distance (mm) to a square of `size` mm from a place that lies (dx, dy) from its centre; negative inside.

    >>> distance_to_square(-23.0, 24.0, 40.0), distance_to_square(5.0, 0.0, 40.0)
    (5.0, -15.0)
    """
    across, up = abs(dx) - 0.5 * size, abs(dy) - 0.5 * size
    if across <= 0.0 and up <= 0.0:
        return max(across, up)
    return math.hypot(max(across, 0.0), max(up, 0.0))


@lru_cache(maxsize=4096)
def covered_spaces(place: Place, reach: float, size: float) -> tuple[str, ...]:
    """The spaces that a foot at a place of the board frame covers, in the order of their names.

    `reach` is the foot's radius less the tolerance for lines (mm). The plug's space and places beyond the edge never
    count.
    """
    column, row = place[0] / size, place[1] / size
    near: Iterable[str | None] = (
        space_at(c, r)
        for c in range(math.floor(column - 0.5), math.ceil(column + 0.5) + 1)
        for r in range(math.floor(row - 0.5), math.ceil(row + 0.5) + 1)
    )
    covered = {s for s in near if s is not None and s != PLUG_SPACE and distance_to_space(place, s, size) < reach}
    return tuple(sorted(covered))


def edge_distance(place: Place, size: float) -> float:
    """How far inside the board a place of the board frame lies (mm); negative beyond the edge."""
    half = SIDE * size / 2
    return half - max(abs(place[0]), abs(place[1]))


def cover_margin(place: Place, reach: float, size: float) -> float:
    """How far a foot could shift (mm) before the set of covered spaces, or being on the board, changes.

    A space is covered inside its square grown by `reach`; the distance to that outline is exact on both sides of it.
    """
    margin = edge_distance(place, size)
    for space in STANDING_SPACES:
        margin = min(margin, abs(distance_to_space(place, space, size) - reach))
    return max(margin, 0.0)
