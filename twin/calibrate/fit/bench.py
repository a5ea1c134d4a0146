"""Bench measurements: values that need no board in motion, a CSV of `quantity,value,unit,sd`.

Each says something about one value of the machine, or about a formula of several: the angle at which a ghost slides
is friction, a pull on a ghost above a magnet is remanence, gap and mass together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.board.grid import SIDE
from twin.board.quantities import KEYS
from twin.calibrate.fit.sheet import read_sheet
from twin.errors import BadInputError
from twin.physics.magnets import grip_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from twin.board.machine import Machine

HEADER: Final = ("quantity", "value", "unit", "sd")
STEEPEST: Final = 60.0
"""A ghost slides before its board is as steep as this, degrees: a friction of 1.7."""

FINEST, COARSEST = 1e-6, 1e6
"""Limits of sense of an sd, as shares of the measured value; sds far beyond them are no numbers any more."""


class Measurable(NamedTuple):
    """A quantity that people can measure."""

    units: dict[str, float]
    """Units that may stand in the sheet, each with its factor to the first of them."""
    sd: float
    """What a careful person is off by, in the first unit, if the sheet gives no error; the tool's resolution."""
    predicted: Callable[[Machine], float]
    """Its value on a machine, in the first unit."""
    key: str = ""
    """The machine's value that it is a measurement of, if it is of one alone."""
    value: Callable[[float], float] = float
    """From the measured quantity to that value."""
    tool: str = ""


def pull_off_force(machine: Machine) -> float:
    """The force that lifts a ghost off its place above the middle of a magnet: the magnet's pull and its weight, mN."""
    return (machine["ghost.mass"] * machine["gravity.g"] - grip_table(machine).at(0.0)[1]) / 1000.0


def _own(key: str, units: dict[str, float], sd: float, tool: str, times: float = 1.0) -> Measurable:
    """A quantity that is `times` a machine's value."""
    return Measurable(units, sd, lambda machine: machine[key] * times, key, lambda value: value / times, tool)


_MM: Final = {"mm": 1.0, "cm": 10.0}
_SECONDS: Final = {"s": 1.0, "ms": 0.001}

KINDS: Final[dict[str, Measurable]] = {
    "slide_angle": Measurable(
        {"°": 1.0, "deg": 1.0},
        1.0,
        lambda machine: math.degrees(math.atan(machine["friction.board"])),
        "friction.board",
        lambda angle: math.tan(math.radians(angle)),
        "tilt the board until a ghost slides; a phone's level shows the angle",
    ),
    "pull_off_force": Measurable(
        {"mN": 1.0, "N": 1000.0, "g": 9.81},
        50.0,
        pull_off_force,
        tool="board and ghost on a kitchen scale, tared; lift the ghost off a magnet and read the lowest figure",
    ),
    "gap": _own("magnet.gap", _MM, 0.5, "from the foot's magnet to the slider's, board and floor between them"),
    "ghost_mass": _own("ghost.mass", {"g": 1.0, "kg": 1000.0}, 0.5, "kitchen scale"),
    "ghost_diameter": _own("ghost.radius", _MM, 0.3, "ruler across the foot", 2.0),
    "plug_diameter": _own("plug.radius", _MM, 0.3, "ruler across the plug", 2.0),
    "space": _own("board.space", _MM, 0.1, "ruler over seven spaces, divided by seven"),
    "board": _own("board.space", _MM, 0.5, "ruler along the whole board", float(SIDE)),
    "ghost_magnet_diameter": _own("magnet.ghost_diameter", _MM, 0.3, "ruler"),
    "ghost_magnet_height": _own("magnet.ghost_height", _MM, 0.3, "ruler"),
    "slider_magnet_diameter": _own("magnet.slider_diameter", _MM, 0.3, "ruler"),
    "slider_magnet_height": _own("magnet.slider_height", _MM, 0.3, "ruler"),
    "turn_time": _own("hand.turn_time", _SECONDS, 0.1, "a phone's video of your usual turn"),
    "push_time": _own("hand.push_time", _SECONDS, 0.1, "a phone's video of your usual push"),
}


@dataclass(frozen=True)
class BenchValue:
    """One bench measurement, in the first unit of its kind."""

    quantity: str
    value: float
    sd: float
    line: int

    @property
    def kind(self) -> Measurable:
        """What kind of quantity it is."""
        return KINDS[self.quantity]

    @property
    def unit(self) -> str:
        """The unit of value and sd."""
        return next(iter(self.kind.units))

    def surprise(self, machine: Machine) -> float:
        """How many of its own sds it lies above the machine's value."""
        return (self.value - self.kind.predicted(machine)) / self.sd

    def own_value(self) -> tuple[float, float]:
        """The machine's value that it measures, and that value's sd; only where `kind.key` names one."""
        low, high = self.kind.value(self.value - self.sd / 2), self.kind.value(self.value + self.sd / 2)
        return self.kind.value(self.value), abs(high - low)


def read_bench(path: Path) -> tuple[BenchValue, ...]:
    """Read a sheet of bench measurements; a quantity may be measured several times."""
    found = []
    for row in read_sheet(path, HEADER):
        name = row["quantity"]
        if name not in KINDS:
            raise row.wrong("quantity", f"must be one of {', '.join(KINDS)}; got {name!r}")
        kind = KINDS[name]
        if row["unit"] not in kind.units:
            raise row.wrong("unit", f"must be {' or '.join(kind.units)} for {name}; got {row['unit']!r}")
        factor, unit = kind.units[row["unit"]], row["unit"]
        value = row.number("value", unit) * factor
        sd = row.number("sd", unit) * factor if row["sd"] else kind.sd
        if sd <= 0.0:
            raise row.wrong("sd", f"must be above 0 {unit}, or empty for {kind.sd:g} {next(iter(kind.units))}")
        if value <= 0.0:
            raise row.wrong("value", f"must be above 0 {unit}; got {row['value']}")
        if row["sd"] and not value * FINEST <= sd <= value * COARSEST:
            low, high = row.number("value", unit) * FINEST, row.number("value", unit) * COARSEST
            raise row.wrong("sd", f"must be {low:g} to {high:g} {unit} for this value; got {row['sd']}")
        if name == "slide_angle" and value > STEEPEST:
            raise row.wrong("value", f"must be at most {STEEPEST:g}°; got {row['value']}")
        measured = BenchValue(name, value, sd, row.line)
        if kind.key:
            own, limits = measured.own_value()[0], KEYS[kind.key]
            if not limits.low <= own <= limits.high:
                problem = f"makes {kind.key} {own:g}; it must be {limits.low:g} to {limits.high:g} {limits.unit}"
                raise row.wrong("value", problem)
        found.append(measured)
    return tuple(found)


def combined(values: tuple[BenchValue, ...]) -> dict[str, tuple[float, float]]:
    """By the machine's key: value and sd of all its measurements together, weighted by their precision."""
    own: dict[str, list[tuple[float, float]]] = {}
    for value in values:
        if value.kind.key:
            own.setdefault(value.kind.key, []).append(value.own_value())
    together = {}
    for key, pairs in own.items():
        weight = sum(sd**-2 for _, sd in pairs)
        together[key] = (sum(v * sd**-2 for v, sd in pairs) / weight, weight**-0.5)
    return together


def check_bench(values: tuple[BenchValue, ...], machine: Machine, source: str) -> None:
    """Complain where a machine's other values cannot go together with what was measured."""
    changes = {key: value for key, (value, _) in combined(values).items()}
    try:
        machine.with_values(changes, force=True)
    except BadInputError as error:
        raise BadInputError(f"no board has these values together: {error}", source=source) from None
