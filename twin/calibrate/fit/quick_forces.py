"""Forces of any pair of magnets within a millisecond, for machines by the thousand.

`twin.physics.magnets` cuts a magnet into 400 cells and asks magpylib, which takes half a second for each new shape. But
an axially magnetised cylinder is two uniformly charged discs, and for those the force is known in closed form. With the
magnetisations (T) along the axis, radii a and b, heights h and l, and faces a gap g apart, at the lateral distance r:

    F_z = -(π a b B² / µ0) ∫ J1(ka) J1(kb) J0(kr) exp(-kg) (1 - exp(-kh)) (1 - exp(-kl)) dk/k

and the lateral force is the same with J1(kr) in place of J0(kr). The integral is a sum over fixed nodes k, so a table
is one product of a vector with a matrix that all machines share: nothing is interpolated over gap, sizes or remanence.
The tables agree with those of `twin.physics.magnets` within 0.4 % of their peaks, most of it magpylib's mesh.

Two ghosts' magnets lie side by side, where g < 0 and the integral does not converge. Farther apart than their
diameter the same discs have a series in 1/r, which is what is used there, as far as `TERMS` terms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import j0, j1

from twin.physics.laws import SPACING
from twin.physics.magnets import CUTOFF, FADE, ForceTable, TabledMachine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from twin.board.machine import Machine

DISTANCES: Final = 260
"""Lateral distances at which the force is summed up, evenly from 0 to the cutoff; a spline lies between them."""

REACH: Final = 24.0
"""The integral ends at k = REACH / gap, where the exponential has fallen to 4e-11."""

LEAST_REACH: Final = 8.0
"""It never ends before this k (1/mm), so that all gaps of 3 mm and more share one set of nodes."""

PANEL: Final = 2.0
"""The integral is summed over panels of this width (1/mm) …"""

NODES: Final = 80
"""… by Gauss's rule with so many nodes: enough for waves of all distances r, r · PANEL radians of them in a panel."""

TERMS: Final = 48
"""Terms of the series for coplanar magnets: at the nearest distance in the table they leave less than 1e-3."""

ROOM: Final = 1.0
"""Coplanar magnets come no nearer than side by side and this much apart (mm), as in `twin.physics.magnets`."""

_PER_AREA: Final = 2.5e6
"""π/µ0 at 1 T, µN per mm²."""

_COUNT: Final = round(CUTOFF * CUTOFF / SPACING) + 1


class Rows(Sequence[Any]):
    """An array that reads like a tuple of plain numbers, or of tuples of them, and is an array again at no cost."""

    def __init__(self, array: NDArray[np.float64]) -> None:
        self.array = array
        array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, index: int) -> Any: ...  # noqa: ANN401 - a number or a tuple, by the array's shape
    @overload
    def __getitem__(self, index: slice) -> Rows: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return Rows(self.array[index])
        row = self.array[index].tolist()
        return tuple(row) if isinstance(row, list) else row

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.float64]:  # noqa: ANN401, FBT001
        return np.array(self.array, dtype=dtype, copy=copy)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and np.array_equal(self.array, other.array)

    def __hash__(self) -> int:
        return hash(self.array.tobytes())


class QuickTable(ForceTable):
    """A `ForceTable` made of arrays, with what the kernel wants of it computed as arrays."""

    def __init__(self, pull: NDArray[np.float64], lift: NDArray[np.float64]) -> None:
        super().__init__(Rows(pull), Rows(lift))
        cells = np.column_stack([pull[:-1], np.diff(pull), lift[:-1], np.diff(lift)])
        # The same bounds as in `ForceTable.tails`.
        strongest = np.maximum(np.abs(pull[:-1]), np.abs(pull[1:]))
        sideways = np.append(strongest * np.sqrt(np.arange(1, len(pull)) * SPACING), 0.0)
        tails = np.column_stack([np.maximum.accumulate(v[::-1])[::-1] for v in (sideways, np.abs(lift))])
        firsts = [min(max(int(d * d / SPACING) - 1, 0), len(pull) - 2) for d in range(int(CUTOFF) + 1)]
        # They stand in for the properties of the same names, whose loops take 20 ms.
        self.__dict__ |= {"cells": Rows(cells), "tails": Rows(tails[firsts])}


def quick_machine(base: Machine, values: Mapping[str, float]) -> TabledMachine:
    """The machine with these values, and with tables of forces that cost a millisecond instead of half a second.

    Raises `BadInputError` where a value leaves its range, or where no board could have them all.
    """
    return _tabled(base.with_values(values))


def unchecked_machine(base: Machine, values: Mapping[str, float]) -> TabledMachine:
    """The same, also where no board could have them all: for designs that need every corner of a box."""
    quantities = {key: replace(base.quantities[key], value=float(value)) for key, value in values.items()}
    return _tabled(replace(base, quantities={**base.quantities, **quantities}))


def force_tables(machine: Machine) -> tuple[ForceTable, ForceTable]:
    """The tables of a machine, as `twin.physics.magnets.grip_table` and `ghost_table` give them."""
    radius, height = machine["magnet.ghost_diameter"] / 2, machine["magnet.ghost_height"]
    below, depth = machine["magnet.slider_diameter"] / 2, machine["magnet.slider_height"]
    return _tables(radius, height, below, depth, machine["magnet.gap"], machine["magnet.remanence"])


@lru_cache(maxsize=8)
def _tables(a: float, h: float, b: float, l: float, gap: float, remanence: float) -> tuple[ForceTable, ForceTable]:
    """Both tables, kept while one machine is in use; shapes are kept longer, since remanence only scales."""
    square = remanence * remanence
    between = repulsion(a, h) * square
    return QuickTable(*(grip(a, h, b, l, gap) * square)), QuickTable(between, np.zeros_like(between))


@lru_cache(maxsize=8)
def grip(a: float, h: float, b: float, l: float, gap: float) -> NDArray[np.float64]:
    """(2, K) pull and lift at 1 T of two magnets one above the other: radii, heights and the gap of their faces, mm."""
    reach = max(LEAST_REACH, 2.0 ** math.ceil(math.log2(REACH / gap)))
    k, weights, sideways, upwards = _waves(reach)
    density = weights * j1(k * a) * j1(k * b) / k * np.exp(-k * gap) * np.expm1(-k * h) * np.expm1(-k * l)
    density *= -_PER_AREA * a * b
    return _laid(np.linspace(0.0, CUTOFF, DISTANCES), np.column_stack([density @ sideways, density @ upwards])).T


@lru_cache(maxsize=8)
def repulsion(a: float, h: float) -> NDArray[np.float64]:
    """(K,) pull at 1 T of two equal magnets side by side at one height: radius and height, mm. They lift no ghost."""
    r = np.linspace(2 * a + ROOM, CUTOFF, DISTANCES)
    # Charges of one sign face each other at the same height, twice, and those of opposite signs h apart, twice.
    pull = _PER_AREA / 4 * a**4 * 2.0 * (_series(r, 0.0, a) - _series(r, h, a))
    return _laid(r, pull[:, None])[:, 0]


@lru_cache(maxsize=4)
def _waves(reach: float) -> tuple[NDArray[np.float64], ...]:
    """Nodes k (N,), their weights (N,), and J1(kr)/r and J0(kr) at all distances, (N, DISTANCES)."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    panels = np.arange(0.0, reach, PANEL)
    k, weights = np.add.outer(panels, (nodes + 1.0) * PANEL / 2).ravel(), np.tile(weights * PANEL / 2, len(panels))
    r = np.linspace(0.0, CUTOFF, DISTANCES)
    kr = np.outer(k, r)
    sideways = j1(kr) / np.where(r > 0.0, r, 1.0)
    sideways[:, 0] = k / 2
    return k, weights, sideways, j0(kr)


def _tabled(machine: Machine) -> TabledMachine:
    names = ("name", "title", "quantities", "columns", "sliders", "castle", "path")
    return TabledMachine(**{name: getattr(machine, name) for name in names}, tables=force_tables)


def _series(r: NDArray[np.float64], z: float, a: float) -> NDArray[np.float64]:
    """Lateral force / distance of two discs of radius a, z apart in height, in units of charge²/(4π µ0); (N,) 1/mm³.

    Averaging a potential over a disc is the operator 2·J1(ka)/(ka) with k² = ∂²/∂z², so that two discs feel
    Σ c_n a^2n ∂^2n/∂z^2n (1/R), and each term is a Legendre polynomial over a power of R = √(r² + z²).
    """
    R = np.hypot(r, z)
    cosine, ratio = z / R, (a / R) ** 2
    before, now = np.zeros_like(r), np.ones_like(r)  # P'_0 and P'_1
    total, power = np.zeros_like(r), np.ones_like(r)
    for n, weight in enumerate(_disc_weights()):
        total += weight * power * now
        power = power * ratio
        for m in (2 * n + 1, 2 * n + 2):  # (m) P'_{m+1} = (2m + 1) x P'_m - (m + 1) P'_{m-1}
            before, now = now, ((2 * m + 1) * cosine * now - (m + 1) * before) / m
    force: NDArray[np.float64] = total / R**3
    return force


@lru_cache(maxsize=1)
def _disc_weights() -> tuple[float, ...]:
    """(2n)! times the coefficient of (ka)^2n in (2·J1(ka)/(ka))², for n = 0 … TERMS - 1."""
    one = [(-1) ** n / (4**n * math.factorial(n) * math.factorial(n + 1)) for n in range(TERMS)]
    return tuple(math.factorial(2 * n) * math.fsum(one[i] * one[n - i] for i in range(n + 1)) for n in range(TERMS))


def _laid(r: NDArray[np.float64], forces: NDArray[np.float64]) -> NDArray[np.float64]:
    """Curves through forces (N, c) at distances r (N,), at the points of a `ForceTable`: (K, c), faded out at the end.

    Below the first distance they stay as they are there.
    """
    s = np.arange(_COUNT) * SPACING
    curves: NDArray[np.float64] = CubicSpline(r * r, forces)(np.clip(s, r[0] ** 2, None))
    curves *= np.clip((CUTOFF - np.sqrt(s)) / (CUTOFF - FADE), 0.0, 1.0)[:, None]
    curves.setflags(write=False)
    return curves
