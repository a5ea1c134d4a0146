"""A machine: one copy of the game, with every physical value, its tunnels, its sliders and its castle.

Machines are files in `calibration/machines`; `reconstruction` is the default. Values are reached by dotted key
(`machine["friction.board"]`), in mm, g, s and the units of `twin.board.quantities.KEYS`.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from twin.board.castle import Castle, parse_castle
from twin.board.grid import SIDE
from twin.board.quantities import KEYS, SOURCES, Quantity, parse_quantity, parse_value
from twin.errors import BadInputError, shown
from twin.files import data_folder, find, read_toml, shipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DEFAULT_MACHINE: Final = "reconstruction"
_FOLDER = ("calibration", "machines")


class SegmentMagnet(NamedTuple):
    """A magnet in a segment (1 … 7) of a slider; polarity +1 grips, -1 repels."""

    segment: int
    polarity: int


@dataclass(frozen=True)
class Machine:
    """One copy of the game; immutable. Equal machines behave alike, whatever their name."""

    name: str = field(compare=False)
    title: str = field(compare=False)
    quantities: Mapping[str, Quantity]
    columns: tuple[int, ...]
    """Columns of the floor (1 … 7) under which the tunnels lie, from left to right."""
    sliders: Mapping[str, tuple[SegmentMagnet, ...]]
    castle: Castle
    path: str = field(default="", compare=False)
    """The file it was loaded from, if that was given by path; empty for a machine that ships with the twin."""

    def __getitem__(self, key: str) -> float:
        return self.quantities[key].value

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    @cached_property
    def space(self) -> float:
        """Side of a space, mm."""
        return self["board.space"]

    @cached_property
    def radius(self) -> float:
        """Radius of a ghost's foot, mm."""
        return self["ghost.radius"]

    @cached_property
    def reach(self) -> float:
        """A foot covers a space whose square is nearer to its centre than this, mm."""
        return self["ghost.radius"] - self["tolerance.line"]

    @cached_property
    def tunnels(self) -> tuple[float, ...]:
        """Floor x of each tunnel, mm."""
        return tuple((column - 4) * self.space for column in self.columns)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that physics or rules depend on."""
        text = json.dumps([self.values(), self.columns, self.sliders, self.castle.drawing], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def values(self) -> dict[str, float]:
        """All values by dotted key, in the order of the documentation."""
        return {key: self.quantities[key].value for key in KEYS}

    def with_values(self, changes: Mapping[str, float], *, force: bool = False) -> Machine:
        """The same machine with some values changed, within their ranges unless `force`."""
        quantities = dict(self.quantities)
        for key, value in changes.items():
            if key not in KEYS:
                close = difflib.get_close_matches(key, KEYS, n=1)
                hint = f"did you mean {close[0]!r}?" if close else "`twin machine` lists them"
                problem = f"no such value: {hint}"
                raise BadInputError(problem, field=key)
            number = parse_value(key, value, key)
            low, high = quantities[key].range
            if not force and not low <= number <= high:
                problem = f"must lie within its range [{low:g}, {high:g}] (or use --beyond-range); got {number:g}"
                raise BadInputError(problem, field=key)
            quantities[key] = replace(quantities[key], value=number)
        return _checked(replace(self, quantities=quantities))


def machine_names() -> list[str]:
    """Names of the machines that ship with the twin."""
    return shipped(data_folder(*_FOLDER))


def load_machine(name: str = DEFAULT_MACHINE) -> Machine:
    """Load a machine by name or path.

    >>> load_machine()["board.space"]
    40.0
    """
    path = find(name, data_folder(*_FOLDER), "machine")
    try:
        name.encode()
    except UnicodeEncodeError:
        problem = "the name of a machine's file must be UTF-8 text, so that scenes, games and records can hold it"
        raise BadInputError(problem, source=str(path)) from None
    try:
        machine = parse_machine(read_toml(path), path.stem)
        return machine if name == path.stem else replace(machine, path=str(path))
    except BadInputError as error:
        raise error.within(source=error.source or str(path)) from None


def parse_machine(data: Mapping[str, Any], name: str) -> Machine:
    """A machine from the content of its file."""
    groups = {key.split(".")[0] for key in KEYS}
    for key in sorted(data.keys() - groups - {"title", "notes", "tunnels", "sliders", "castle"}):
        problem = f"unknown key; a machine has title, notes, {', '.join(sorted(groups))}, tunnels, sliders and castle"
        raise BadInputError(problem, field=str(key))
    title = data.get("title", name)
    for key in ("title", "notes"):
        if not isinstance(data.get(key, ""), str):
            raise BadInputError(f"must be text; got {shown(data[key])}", field=key)
    quantities = {key: _quantity(data, key) for key in KEYS}
    for group in sorted(groups):
        for key in data[group]:
            if f"{group}.{key}" not in KEYS:
                known = ", ".join(k.split(".")[1] for k in KEYS if k.startswith(f"{group}."))
                problem = f"unknown key; {group} has {known}"
                raise BadInputError(problem, field=f"{group}.{key}")
    drawing = _table(data, "castle", {"drawing", "garments", "source"})
    garments = drawing.get("garments", {})
    if not isinstance(drawing.get("drawing"), str) or not isinstance(garments, dict):
        problem = "must hold the text `drawing` and the table `garments`"
        raise BadInputError(problem, field="castle")
    castle = parse_castle(drawing["drawing"], garments)
    return _checked(Machine(name, title, quantities, _columns(data), _sliders(data), castle))


def _checked(machine: Machine) -> Machine:
    """Refuse combinations of values that no board could have."""
    space, radius, plug = machine.space, machine.radius, machine["plug.radius"]
    if 2 * radius >= space:
        problem = f"a foot must be narrower than a space of {space:g} mm; its diameter is {2 * radius:g}"
        raise BadInputError(problem, field="ghost.radius")
    if plug + radius > space:
        problem = f"a ghost beside the plug must find room: plug.radius + ghost.radius must be at most {space:g} mm"
        raise BadInputError(problem, field="plug.radius")
    if machine["tolerance.line"] >= radius:
        problem = f"must be below ghost.radius ({radius:g} mm); got {machine['tolerance.line']:g}"
        raise BadInputError(problem, field="tolerance.line")
    if space / 2 - (plug + radius) / math.sqrt(2) >= machine.reach:
        problem = "plug and foot must be wide enough that no ghost finds room on the plug's space alone"
        raise BadInputError(problem, field="plug.radius")
    if machine["ghost.magnet_height"] >= machine["ghost.cm_height"]:
        problem = "the foot's magnet must lie below the centre of mass (ghost.cm_height)"
        raise BadInputError(problem, field="ghost.magnet_height")
    return machine


def _quantity(data: Mapping[str, Any], key: str) -> Quantity:
    group, name = key.split(".")
    table = _table(data, group)
    if name not in table:
        kind = KEYS[key]
        problem = f"is missing ({kind.meaning}, {kind.unit})"
        raise BadInputError(problem, field=key)
    return parse_quantity(key, table[name])


def _table(data: Mapping[str, Any], name: str, allowed: Iterable[str] = ()) -> dict[str, Any]:
    table = data.get(name)
    if not isinstance(table, dict):
        problem = "the table is missing" if table is None else f"must be a table; got {shown(table)}"
        raise BadInputError(problem, field=name)
    for key in sorted(table.keys() - set(allowed)) if allowed else ():
        problem = f"unknown key; {name} has {', '.join(sorted(allowed))}"
        raise BadInputError(problem, field=f"{name}.{key}")
    source = table.get("source", SOURCES[0]) if "source" in allowed else SOURCES[0]
    if not isinstance(source, str) or source not in SOURCES:
        raise BadInputError(f"must be one of {', '.join(SOURCES)}; got {shown(source)}", field=f"{name}.source")
    return table


def _columns(data: Mapping[str, Any]) -> tuple[int, ...]:
    columns = _table(data, "tunnels", {"columns", "source"}).get("columns")
    if isinstance(columns, list) and all(type(c) is int and 1 <= c <= SIDE for c in columns):  # noqa: SIM102
        if len(columns) == 5 and columns == sorted(set(columns)):
            return tuple(columns)
    problem = f"must be five different columns of 1 to {SIDE}, rising; got {shown(columns)}"
    raise BadInputError(problem, field="tunnels.columns")


def _sliders(data: Mapping[str, Any]) -> dict[str, tuple[SegmentMagnet, ...]]:
    table = _table(data, "sliders")
    if not 1 <= len(table) <= 5:
        problem = f"there must be 1 to 5 sliders, three in the game; got {len(table)}"
        raise BadInputError(problem, field="sliders")
    sliders: dict[str, tuple[SegmentMagnet, ...]] = {}
    for name in sorted(table):
        where = f"sliders.{name}"
        if not name.isalnum() or len(name) > 8:
            problem = "a slider's name must be one to eight letters or digits"
            raise BadInputError(problem, field=where)
        try:
            magnets = _table(table, name, {"magnets", "source"}).get("magnets")
        except BadInputError as error:
            raise error.within(field="sliders") from None
        if not isinstance(magnets, list):
            problem = "magnets must be a list of { segment = 1 … 7, polarity = 1 or -1 }"
            raise BadInputError(problem, field=where)
        sliders[name] = tuple(sorted(_magnet(m, f"{where}.magnets") for m in magnets))
        segments = [m.segment for m in sliders[name]]
        if len(set(segments)) != len(segments):
            problem = f"each segment holds at most one magnet; got segments {segments}"
            raise BadInputError(problem, field=f"{where}.magnets")
    return sliders


def _magnet(data: object, where: str) -> SegmentMagnet:
    if isinstance(data, dict) and data.keys() == {"segment", "polarity"}:
        segment, polarity = data["segment"], data["polarity"]
        if type(segment) is int and 1 <= segment <= SIDE and type(polarity) is int and polarity in {1, -1}:
            return SegmentMagnet(segment, polarity)
    problem = f"a magnet must be {{ segment = 1 … {SIDE}, polarity = 1 or -1 }}; got {shown(data)}"
    raise BadInputError(problem, field=where)
