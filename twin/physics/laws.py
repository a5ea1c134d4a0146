"""The laws of physics as functions of plain numbers, stated once for both engines.

The reference engine calls them; `twin.physics.kernel.compiled_laws` compiles them. So they use only what Python and
numba read alike: numbers in, numbers out, and no law calls another. Lengths are in mm, forces in µN,
masses in g. Where the reference engine repeats a law inline, since calls cost it time, tests compare the two.

The geometry of spaces, which both engines share in the same way, is in `twin.board.grid`; how a hand moves, in
`twin.physics.hand`. Contacts are not here: pymunk solves them for one engine, the kernel's own sweeps for the other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.physics.numerics import FAINT

if TYPE_CHECKING:
    from twin.board.machine import Machine

SPACING: Final = 0.5
"""Step of the force tables in the squared distance, mm². Linear interpolation is off by below 2e-4 of the peak."""

CELLS: Final = 128
"""Steps of the limit surface's tables over λ = rim / (rim + slide), 0 … 1."""

SURE: Final = 0.95
"""A foot is certain to stick if it needs no more than this share of its friction."""


class Rocking(NamedTuple):
    """How a ghost tips about the edge of its foot, from its build."""

    ratio: float
    """A lateral pull above this share of the normal force makes it rock."""
    lever: float
    """Height of the centre of mass above the magnet, mm."""
    lean_lever: float
    """The same for a ghost that leans on something: height of that contact above the magnet, mm."""
    inertia: float
    """About the edge, g·mm²."""
    topple_angle: float
    """Beyond this tilt it falls over, radians."""


# -- magnets ----------------------------------------------------------------------------------------------------------


def table_cell(squared: float) -> tuple[int, float]:
    """The cell of a force table for a squared distance (mm²), and how far along that cell it lies, 0 … 1.

    >>> table_cell(0.625)
    (1, 0.25)
    """
    u = squared / SPACING
    cell = int(u)
    return cell, u - cell


def along_cell(start: float, rise: float, part: float) -> float:
    """A force, or a share of friction, where a part (0 … 1) of a table's cell is passed: a straight line over it."""
    return start + part * rise


def bound_row(distance: float, last: int) -> int:
    """The row of a table of bounds, one for each whole mm, that holds for all that is farther away than this (mm).

    >>> bound_row(-3.0, 90), bound_row(41.7, 90), bound_row(200.0, 90)
    (0, 41, 90)
    """
    return min(max(int(distance), 0), last)


# -- friction ---------------------------------------------------------------------------------------------------------


def share_cell(slide: float, rim: float) -> tuple[int, float]:
    """The cell of `twin.physics.friction.limit_surface` for a foot that slides while its rim spins, and how far along.

    `slide` and `rim` are speeds, or ways in the same time, and not both zero. The share of friction follows by
    `along_cell`.

    >>> share_cell(1.0, 0.0), share_cell(0.0, 1.0), share_cell(3.0, 1.0)
    ((0, 0.0), (127, 1.0), (32, 0.0))
    """
    u = rim / (slide + rim) * CELLS
    cell = min(int(u), CELLS - 1)
    return cell, u - cell


def sure_grip(friction: float, normal: float) -> float:
    """The force that a foot is certain to withstand without slipping, by its coefficient and normal force.

    >>> sure_grip(0.5, 100.0)
    47.5
    """
    return SURE * friction * normal


# -- rocking ----------------------------------------------------------------------------------------------------------


def rocking_of(machine: Machine) -> Rocking:
    """How a machine's ghosts rock: cone-like, a third more inertia than a point at the centre of mass."""
    height, magnet, radius = machine["ghost.cm_height"], machine["ghost.magnet_height"], machine.radius
    return Rocking(
        ratio=radius / (height - magnet),
        lever=height - magnet,
        lean_lever=max(machine["ghost.contact_height"] - magnet, 0.0),
        inertia=machine["ghost.mass"] * (height * height + radius * radius) * 4.0 / 3.0,
        topple_angle=math.atan2(radius, height),
    )


def edge_moment(pull: float, lever: float, normal: float, radius: float) -> float:
    """The moment about the edge of a foot (µN·mm): what the pull tips, less what the normal force rights."""
    return pull * lever - normal * radius


def tilted(tilt: float, rate: float, moment: float, inertia: float, span: float) -> tuple[float, float]:
    """How far a foot tilts about its edge (radians) after a `span` (s) under a moment (µN·mm), and how fast.

    >>> tilted(0.0, 0.0, -1.0, 8.0, 0.5), tilted(0.0, 0.0, 4.0, 8.0, 0.5), tilted(0.25, -1.0, 0.0, 8.0, 0.5)
    ((0.0, 0.0), (0.125, 0.25), (0.0, 0.0))
    """
    if moment <= 0.0 and tilt <= 0.0:
        return tilt, rate
    rate += moment / inertia * span
    tilt += rate * span
    return (tilt, rate) if tilt > 0.0 else (0.0, 0.0)


def averaged(average: float, force: float, share: float) -> float:
    """The average force of contacts once a step with `force` has passed, a `share` of the averaging window long."""
    average += (force - average) * share
    return average if average >= FAINT else 0.0


def tips(push: float, pull: float, normal: float, heights: tuple[float, float], radius: float) -> bool:
    """Whether a push tips a ghost over its edge, against its magnet's pull; not if no normal force rights it.

    `heights` (mm): where the push acts, that of the contact, and where the pull does, that of the foot's magnet.
    """
    return push * heights[0] - pull * heights[1] > normal * radius > 0.0


# -- paths ------------------------------------------------------------------------------------------------------------


def first_line(
    cell: tuple[int, int],
    goal: tuple[int, int],
    start: tuple[float, float],
    end: tuple[float, float],
    size: float,
) -> tuple[int, float]:
    """The grid line that a straight path meets first on its way from its present cell to another one.

    Returns its axis, 0 for a line between columns and 1 for one between rows, and the share of the path (0 … 1) up to
    it. A path over a crossing of lines meets the one between columns first. Cells are columns and rows of spaces of
    `size` mm, counted from the plug; the path leads from `start` to `end` (mm) and is longer than the part in question.

    >>> first_line((0, 0), (1, 1), (10.0, 0.0), (30.0, 30.0), 40.0)
    (0, 0.5)
    """
    across, up = math.inf, math.inf
    if cell[0] != goal[0]:
        across = ((cell[0] + (0.5 if goal[0] > cell[0] else -0.5)) * size - start[0]) / (end[0] - start[0])
    if cell[1] != goal[1]:
        up = ((cell[1] + (0.5 if goal[1] > cell[1] else -0.5)) * size - start[1]) / (end[1] - start[1])
    return (0, across) if across <= up else (1, up)
