"""Parameters: the values of a machine that have not been measured, as a box of plausible ranges.

A point of the box is a vector in the order of its parameters; `to_unit` and `from_unit` lead to the unit cube and
back, which is where samplers and optimisers live.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.quantities import KEYS
from twin.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from twin.board.machine import Machine

ASSUMED: Final = "assumed"
"""The source of a value that is our guess."""


@dataclass(frozen=True)
class Parameter:
    """One value of a machine that may vary, and how far."""

    name: str
    """Its dotted key, as in machine files and `--set`: `friction.board`."""
    low: float
    high: float
    unit: str
    source: str
    """Where the machine's own value comes from: one of `twin.board.quantities.SOURCES`."""
    meaning: str

    @property
    def width(self) -> float:
        """Length of the range, in its unit; above 0."""
        return self.high - self.low


def parameters(machine: Machine) -> tuple[Parameter, ...]:
    """Every assumed value of a machine that has a range of more than one point, in the order of `KEYS`.

    >>> from twin.board.machine import load_machine
    >>> parameters(load_machine())[0].name
    'board.space'
    """
    return tuple(parameter for parameter in _ranged(machine) if parameter.source == ASSUMED)


def named(machine: Machine, names: Iterable[str]) -> tuple[Parameter, ...]:
    """The parameters of these names, in this order, each once; from any source, as long as they have a range."""
    known = {parameter.name: parameter for parameter in _ranged(machine)}
    wanted = list(dict.fromkeys(names))
    if not wanted:
        raise BadInputError(f"name at least one of {', '.join(known)}", field="parameters")
    for name in wanted:
        if name in known:
            continue
        if name in KEYS:
            problem = f"has no range to vary in on {machine.name}: low and high are {machine[name]:g} both"
        else:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            problem = f"no such parameter; {hint}{machine.name} has {', '.join(known)}"
        raise BadInputError(problem, field=name)
    return tuple(known[name] for name in wanted)


def with_values(machine: Machine, values: Mapping[str, float]) -> Machine:
    """The machine with these values by name; each within its range, and together such as a board can have."""
    return machine.with_values(values)


def values_of(machine: Machine, chosen: Sequence[Parameter]) -> NDArray[np.float64]:
    """(d,) the machine's own values of some parameters."""
    return np.array([machine[parameter.name] for parameter in chosen])


def to_unit(chosen: Sequence[Parameter], points: ArrayLike) -> NDArray[np.float64]:
    """Points of the box, shaped (…, d), as points of the unit cube."""
    low, width = _bounds(chosen)
    return (np.asarray(points, np.float64) - low) / width


def from_unit(chosen: Sequence[Parameter], points: ArrayLike) -> NDArray[np.float64]:
    """Points of the unit cube, shaped (…, d), as points of the box; never beyond it by rounding."""
    low, width = _bounds(chosen)
    high = np.array([parameter.high for parameter in chosen])
    return np.clip(low + np.asarray(points, np.float64) * width, low, high)


def named_values(chosen: Sequence[Parameter], point: Sequence[float] | NDArray[np.float64]) -> dict[str, float]:
    """A point of the box as values by name."""
    return {parameter.name: float(value) for parameter, value in zip(chosen, point, strict=True)}


def _ranged(machine: Machine) -> tuple[Parameter, ...]:
    found = []
    for key, kind in KEYS.items():
        quantity = machine.quantities[key]
        low, high = quantity.range
        if low < high:
            found.append(Parameter(key, low, high, kind.unit, quantity.source, kind.meaning))
    return tuple(found)


def _bounds(chosen: Sequence[Parameter]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.array([p.low for p in chosen]), np.array([p.width for p in chosen])
