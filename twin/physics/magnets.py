"""Forces between axial disc magnets, tabulated once per pair of magnets with the full cylinder model.

A `ForceTable` gives, for the squared horizontal distance s (mm²) of two magnets of polarity +1 at a remanence of 1 T,
`pull(s)`: lateral force divided by the distance (µN/mm; negative pulls towards the other magnet), and `lift(s)`:
vertical force on the upper magnet (µN; negative presses it onto the board). Both are smooth in s, so a linear table
over s needs no square root, is exact at s = 0, and is shared by every engine. Forces scale with the square of the
remanence.

Point dipoles would overstate the pull of these magnets 2 to 7 times at their usual distances, so the far field is
where the dipole law may be used, and only as a test.
"""

from __future__ import annotations

import json
import math
import sys
from array import array
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.metadata import version
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from twin.board.machine import Machine
from twin.caches import MAGNETS, Cache, cache_folder
from twin.physics.laws import SPACING, along_cell, bound_row, table_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CUTOFF: Final = 90.0
"""Magnets farther apart than this (mm) are taken not to feel each other: below half a percent of a ghost's friction."""

FADE: Final = 80.0
"""From this distance on (mm) forces are faded out towards the cutoff. A jump would let rounding decide whether two
ghosts that ride a whole number of spaces apart feel each other."""

MESH: Final = 400
"""Cells into which the target magnet is cut; 3,000 cells change the force by less than 0.05 %."""

_MICRONEWTON: Final = 1e6
_MAKERS: Final = ("magpylib", "numpy", "scipy")
"""Packages that the last digits of a table depend on: each version keeps tables of its own."""
_DIGITS: Final = 9
"""Significant digits that are kept, so that the last bits of a maths library do not reach a trace's hash."""


@dataclass(frozen=True)
class Disc:
    """An axially magnetised disc magnet, mm."""

    diameter: float
    height: float


@dataclass(frozen=True)
class ForceTable:
    """Lateral and vertical force over the squared distance, at 1 T, at s = 0, `SPACING`, 2·`SPACING` … `CUTOFF`²."""

    pull: Sequence[float]
    """Lateral force / distance, µN/mm."""
    lift: Sequence[float]
    """Vertical force, µN, upwards."""

    @cached_property
    def cells(self) -> Sequence[tuple[float, float, float, float]]:
        """Pull, its rise, lift and its rise over each step of the table: one look-up where both are wanted."""
        return tuple(
            (p, q - p, a, b - a) for (p, q), (a, b) in zip(pairwise(self.pull), pairwise(self.lift), strict=True)
        )

    @cached_property
    def tails(self) -> Sequence[tuple[float, float]]:
        """The most that the pair can pull sideways, and lift or press, beyond 0, 1, 2 … `CUTOFF` mm; µN."""
        # Within a cell, the force is at most the stronger pull at the cell's far end.
        sideways = [max(abs(p), abs(q)) * math.sqrt((k + 1) * SPACING) for k, (p, q) in enumerate(pairwise(self.pull))]
        pulls = list(accumulate(reversed(sideways), max))[::-1]
        lifts = list(accumulate(map(abs, reversed(self.lift)), max))[::-1]
        # One cell earlier, since d² may be rounded.
        firsts = [max(int(d * d / SPACING) - 1, 0) for d in range(int(CUTOFF) + 1)]
        return tuple((pulls[k], lifts[k]) for k in firsts)

    def scaled(self, remanence: float) -> ForceTable:
        """The same pair of magnets at another remanence (T)."""
        k = remanence * remanence
        return ForceTable(tuple(k * v for v in self.pull), tuple(k * v for v in self.lift))

    def at(self, distance: float) -> tuple[float, float]:
        """Lateral (µN, negative attracts) and vertical force (µN, negative presses down) at a distance in mm.

        >>> ForceTable((2.0,) * 12801, (-1.0,) * 12801).at(3.0)
        (6.0, -1.0)
        """
        cell, part = table_cell(distance * distance)
        if cell >= len(self.pull) - 1:
            return 0.0, 0.0
        pull, pull_rise, lift, lift_rise = self.cells[cell]
        return along_cell(pull, pull_rise, part) * distance, along_cell(lift, lift_rise, part)

    def beyond(self, distance: float) -> tuple[float, float]:
        """The most that the pair can pull sideways, and lift or press, farther apart than a distance in mm; µN."""
        return self.tails[bound_row(distance, len(self.tails) - 1)]

    def energy(self) -> tuple[float, ...]:
        """Potential energy (µN·mm = nJ) at the same s, zero at the cutoff: the exact integral of the pull."""
        total = 0.0
        energies = [0.0]
        for a, b in zip(self.pull[-2::-1], self.pull[:0:-1], strict=True):
            total += 0.5 * SPACING * 0.5 * (a + b)
            energies.append(total)
        return tuple(reversed(energies))


@dataclass(frozen=True)
class TabledMachine(Machine):
    """A machine that brings its force tables along, in place of those of the full computation.

    It equals only machines of its own kind, so that nothing that is kept for one kind is used for the other.
    """

    tables: Callable[[Machine], tuple[ForceTable, ForceTable]] = field(kw_only=True)
    """From a machine its tables as `grip_table` and `ghost_table` give them; asked for the values that it has now."""

    def __hash__(self) -> int:
        return hash((self.fingerprint, self.tables))


def grip_table(machine: Machine) -> ForceTable:
    """Force on a ghost's magnet from a gripping magnet of a slider below the board."""
    if isinstance(machine, TabledMachine):
        return machine.tables(machine)[0]
    upper = Disc(machine["magnet.ghost_diameter"], machine["magnet.ghost_height"])
    lower = Disc(machine["magnet.slider_diameter"], machine["magnet.slider_height"])
    rise = machine["magnet.gap"] + (upper.height + lower.height) / 2
    return _scaled(upper, lower, rise, machine["magnet.remanence"])


def ghost_table(machine: Machine) -> ForceTable:
    """Force between the magnets of two ghosts, side by side at one height: they repel each other."""
    if isinstance(machine, TabledMachine):
        return machine.tables(machine)[1]
    disc = Disc(machine["magnet.ghost_diameter"], machine["magnet.ghost_height"])
    return _scaled(disc, disc, 0.0, machine["magnet.remanence"])


@lru_cache(maxsize=64)
def _scaled(upper: Disc, lower: Disc, rise: float, remanence: float) -> ForceTable:
    return _table(upper, lower, rise).scaled(remanence)


@lru_cache(maxsize=64)
def _table(upper: Disc, lower: Disc, rise: float) -> ForceTable:
    """The table of a pair whose centres are `rise` mm apart in height, from the disk if it was computed before."""
    recipe = json.dumps(
        [
            5,
            *map(version, _MAKERS),
            sys.byteorder,
            upper.diameter,
            upper.height,
            lower.diameter,
            lower.height,
            rise,
            CUTOFF,
            FADE,
            SPACING,
            MESH,
        ]
    )
    cache = Cache(cache_folder())
    numbers = array("d", cache.load(MAGNETS, recipe) or b"")
    if numbers:
        half = len(numbers) // 2
        return ForceTable(tuple(numbers[:half]), tuple(numbers[half:]))
    table = _compute(upper, lower, rise, round(CUTOFF * CUTOFF / SPACING) + 1)
    cache.keep(MAGNETS, recipe, array("d", (*table.pull, *table.lift)).tobytes())
    return table


def _compute(upper: Disc, lower: Disc, rise: float, count: int) -> ForceTable:
    """Ask magpylib (SI units) for the force at some hundred distances and lay a smooth curve through pull and lift."""
    import magpylib
    import numpy as np
    from scipy.interpolate import CubicSpline

    # Coplanar magnets cannot come nearer than side by side; below that the force of overlapping magnets means nothing.
    nearest = 0.0 if rise > (upper.height + lower.height) / 2 else (upper.diameter + lower.diameter) / 2 + 1.0
    s = np.linspace(max(nearest, 0.5), CUTOFF, 260) ** 2
    r = np.sqrt(s) / 1000
    source = magpylib.magnet.Cylinder(dimension=(lower.diameter / 1000, lower.height / 1000), polarization=(0, 0, 1))
    places = np.column_stack([r, np.zeros_like(r), np.full_like(r, rise / 1000)])
    target = magpylib.magnet.Cylinder(
        dimension=(upper.diameter / 1000, upper.height / 1000), polarization=(0, 0, 1), position=places
    )
    force = np.squeeze(magpylib.getFT(source, target, meshing=MESH)[0]) * _MICRONEWTON
    grid = np.clip(np.arange(count) * SPACING, s[0], None)
    pull = CubicSpline(s, force[:, 0] / np.sqrt(s))(grid)
    lift = CubicSpline(s, force[:, 2])(grid)
    if nearest == 0.0:
        # Pull and lift are even in r, so smooth in s: the first half millimetre is the straight line to s = 0.
        first = int(np.searchsorted(np.arange(count) * SPACING, s[0]))
        for curve in (pull, lift):
            slope = (curve[first + 1] - curve[first]) / SPACING
            curve[:first] = curve[first] + slope * (np.arange(first) - first) * SPACING
    fade = np.clip((CUTOFF - np.sqrt(np.arange(count) * SPACING)) / (CUTOFF - FADE), 0.0, 1.0)
    return ForceTable(tuple(_rounded(v) for v in pull * fade), tuple(_rounded(v) for v in lift * fade))


def _rounded(value: float) -> float:
    return float(f"{float(value):.{_DIGITS}g}")
