"""The physical values of a machine: their dotted keys, units and the limits that no machine can leave.

A machine file gives each of them as `{ value, unit, source, range }`. The limits here are those of sense (a mass is
positive); the range in the file is what is plausible for the real game.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from twin.errors import BadInputError, shown

SOURCES: Final = ("rulebook", "review", "physics", "assumed", "measured")


class Kind(NamedTuple):
    """What a key means."""

    unit: str
    low: float
    high: float
    meaning: str


KEYS: Final[dict[str, Kind]] = {
    "board.space": Kind("mm", 10, 200, "side of one space"),
    "ghost.radius": Kind("mm", 2, 100, "radius of a ghost's foot"),
    "ghost.mass": Kind("g", 0.5, 500, "mass of a ghost with its magnet"),
    "ghost.cm_height": Kind("mm", 2, 100, "height of a ghost's centre of mass above the board"),
    "ghost.magnet_height": Kind("mm", 0, 50, "height of the middle of the foot's magnet above the board"),
    "ghost.contact_height": Kind("mm", 0, 100, "height at which two ghosts touch"),
    "plug.radius": Kind("mm", 1, 100, "radius of the plug"),
    "friction.board": Kind("1", 0, 2, "Coulomb friction, ghost on board"),
    "friction.ghost": Kind("1", 0, 2, "Coulomb friction, ghost on ghost"),
    "friction.plug": Kind("1", 0, 2, "Coulomb friction, ghost on plug"),
    "magnet.remanence": Kind("T", 0, 1.5, "effective remanence of all magnets"),
    "magnet.gap": Kind("mm", 0.5, 40, "between the faces of a ghost's and a slider's magnet"),
    "magnet.ghost_diameter": Kind("mm", 1, 50, "diameter of a ghost's magnet"),
    "magnet.ghost_height": Kind("mm", 0.5, 30, "height of a ghost's magnet"),
    "magnet.slider_diameter": Kind("mm", 1, 50, "diameter of a slider's magnet"),
    "magnet.slider_height": Kind("mm", 0.5, 30, "height of a slider's magnet"),
    "rocking.rate": Kind("1/s", 0, 200, "rate at which a rocking ghost loses its velocity"),
    "gravity.g": Kind("mm/s²", 100, 30000, "gravity"),
    "hand.turn_time": Kind("s", 0.05, 60, "duration of a quarter turn, nominal hand"),
    "hand.push_time": Kind("s", 0.05, 60, "duration of a push by one segment, nominal hand"),
    "hand.drag_time": Kind("s", 0.05, 60, "duration of a drag by one space, nominal hand"),
    "hand.relocate_time": Kind("s", 0.05, 60, "duration of each of the two strokes of a relocation"),
    "hand.drag_force": Kind("mN", 1, 100000, "greatest force of the hand on a ghost that it drags"),
    "hand.settle_time": Kind("s", 0, 60, "longest wait for everything to come to rest"),
    "spread.time": Kind("1", 0, 2, "relative sd of a move's duration (lognormal)"),
    "spread.time_min": Kind("1", 0.05, 1, "shortest duration, in nominal ones"),
    "spread.time_max": Kind("1", 1, 20, "longest duration, in nominal ones"),
    "spread.evenness": Kind("1", 0, 0.25, "relative sd of the hand's pace about its profile"),
    "spread.place": Kind("mm", 0, 20, "sd of a ghost's place in its space, per axis"),
    "spread.place_max": Kind("mm", 0, 50, "largest such displacement, per axis"),
    "spread.angle": Kind("°", 0, 20, "sd of the board's misalignment after a turn"),
    "tolerance.line": Kind("mm", 0, 50, "how far a foot may overlap a line and not count as over it"),
    "tolerance.grip": Kind("mm", 0.1, 100, "a magnet within this distance of a ghost grips it"),
    "tolerance.shove": Kind("mm", 0, 100, "a ghost displaced by more than this through others was shoved"),
    "tolerance.rest": Kind("mm/s", 0.001, 100, "slower than this is at rest"),
}


@dataclass(frozen=True)
class Quantity:
    """One value with its provenance."""

    value: float
    unit: str
    source: str
    range: tuple[float, float]


def parse_quantity(key: str, data: object) -> Quantity:
    """Read `{ value, unit, source, range }`; errors name the key and say what would be right."""
    kind = KEYS[key]
    if not isinstance(data, dict):
        shape = f'{{ value = …, unit = "{kind.unit}", source = "…", range = [low, high] }}'
        problem = f"must be a table {shape}; got {shown(data)}"
        raise BadInputError(problem, field=key)
    wanted = {"value", "unit", "source", "range"}
    for name in sorted(wanted - data.keys()):
        problem = f"{name} is missing; a value must have value, unit, source and range"
        raise BadInputError(problem, field=key)
    for name in sorted(data.keys() - wanted):
        problem = f"unknown key {name!r}; a value must have value, unit, source and range only"
        raise BadInputError(problem, field=key)
    if data["unit"] != kind.unit:
        problem = f"must be {kind.unit!r}; got {shown(data['unit'])}"
        raise BadInputError(problem, field=f"{key}.unit")
    if not isinstance(data["source"], str) or data["source"] not in SOURCES:
        problem = f"must be one of {', '.join(SOURCES)}; got {shown(data['source'])}"
        raise BadInputError(problem, field=f"{key}.source")
    bounds = data["range"]
    if not isinstance(bounds, list) or len(bounds) != 2:
        problem = f"must be two numbers [low, high]; got {shown(bounds)}"
        raise BadInputError(problem, field=f"{key}.range")
    low = parse_value(key, bounds[0], f"{key}.range")
    high = parse_value(key, bounds[1], f"{key}.range")
    if low > high:
        raise BadInputError(f"must be [low, high] with low at most high; got [{low:g}, {high:g}]", field=f"{key}.range")
    value = parse_value(key, data["value"], f"{key}.value")
    if not low <= value <= high:
        problem = f"must lie within its range [{low:g}, {high:g}]; got {value:g}"
        raise BadInputError(problem, field=f"{key}.value")
    return Quantity(value, kind.unit, data["source"], (low, high))


def parse_value(key: str, value: Any, field: str) -> float:  # noqa: ANN401 - whatever a file held
    """A finite number within the limits of sense for this key."""
    kind = KEYS[key]
    if not is_number(value):
        unit = "" if kind.unit == "1" else f" in {kind.unit}"
        problem = f"must be a finite number{unit}; got {shown(value)}"
        raise BadInputError(problem, field=field)
    if not kind.low <= value <= kind.high:
        unit = "" if kind.unit == "1" else f" {kind.unit}"
        problem = f"must be {kind.low:g} to {kind.high:g}{unit} ({kind.meaning}); got {value:g}"
        raise BadInputError(problem, field=field)
    return float(value)


def is_number(value: object) -> bool:
    """Whether a value of a file is a finite number; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond every float
        return False
