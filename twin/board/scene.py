"""Scenes: what stands where, on which machine, and what is expected to happen. Files in `scenes/NAME.toml`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twin.board.expectation import Expectation, parse_expectation
from twin.board.grid import SPACES, Place, centre
from twin.board.machine import DEFAULT_MACHINE, Machine, load_machine
from twin.board.quantities import is_number
from twin.board.state import COLOURS, Slider, State, parse_space, validate_state
from twin.errors import BadInputError, shown
from twin.files import data_folder, find, read_toml, shipped, typed

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Scene:
    """A position on a machine, with a title and expectations."""

    name: str
    title: str
    machine: Machine
    state: State
    expectations: tuple[Expectation, ...] = ()


def scene_names() -> list[str]:
    """Names of the scenes that ship with the twin."""
    return shipped(data_folder("scenes"))


def load_scene(name: str, machine: Machine | None = None) -> Scene:
    """Load a scene by name or path; `machine` overrides the one that the file names.

    >>> load_scene("start").state.orientation
    0
    """
    path = find(name, data_folder("scenes"), "scene")
    called = name if name in scene_names() else path.stem
    try:
        return parse_scene(read_toml(path), called, machine, path.parent)
    except BadInputError as error:
        raise error.within(source=error.source or str(path)) from None


def parse_scene(
    data: Mapping[str, Any], name: str, machine: Machine | None = None, folder: Path | None = None
) -> Scene:
    """A scene from the content of its file; a machine given by path is looked up from `folder`."""
    known = {"title", "machine", "orientation", "ghosts", "sliders", "expect"}
    for key in sorted(data.keys() - known):
        problem = f"unknown key; a scene has {', '.join(sorted(known))}"
        raise BadInputError(problem, field=str(key))
    title = typed(data, "title", str, name)
    machine_name = typed(data, "machine", str, DEFAULT_MACHINE)
    if machine is None:
        beside = (folder or Path()) / machine_name
        try:
            machine = load_machine(str(beside) if machine_name.endswith(".toml") else machine_name)
        except BadInputError as error:
            raise BadInputError(str(error), field="machine") from None
    orientation = typed(data, "orientation", int, 0)
    if orientation not in range(4):
        problem = f"must be 0, 1, 2 or 3 clockwise quarter turns; got {orientation}"
        raise BadInputError(problem, field="orientation")
    ghosts = _ghosts(typed(data, "ghosts", dict, {}), machine, orientation)
    sliders = [_slider(item, f"sliders[{i}]") for i, item in enumerate(_tables(data, "sliders"))]
    state = State.of(orientation, ghosts, sliders)
    if len(state.sliders) != len(machine.sliders):
        expected = ", ".join(machine.sliders)
        problem = f"a scene must have exactly the machine's sliders {expected}; got {len(sliders)} of them"
        raise BadInputError(problem, field="sliders")
    validate_state(state, machine)
    expectations = tuple(parse_expectation(e, f"expect[{i}]", state) for i, e in enumerate(_tables(data, "expect")))
    return Scene(name, title, machine, state, expectations)


def scene_toml(scene: Scene, folder: Path | None = None) -> str:
    """A scene file for a position, without expectations; ghosts on the centre of a space are written by its name.

    A machine that was given by path is named relative to `folder`, where the scene will lie.
    """
    machine = scene.machine.name
    if scene.machine.path:
        machine = Path(os.path.relpath(scene.machine.path, folder or Path())).as_posix()
    lines = [f"title = {_quoted(scene.title)}", f"machine = {_quoted(machine)}"]
    lines += [f"orientation = {scene.state.orientation}", "", "[ghosts]"]
    for colour, place in scene.state.ghosts:
        exact = [s for s in SPACES if centre(s, scene.machine.space, scene.state.orientation) == place]
        where = f'"{exact[0]}"' if exact else f"{{ x = {place[0]!r}, y = {place[1]!r} }}"
        lines.append(f"{colour} = {where}")
    for slider in scene.state.sliders:
        lines += ["", "[[sliders]]", f"name = {_quoted(slider.name)}", f"tunnel = {slider.tunnel}"]
        lines += [f"offset = {slider.offset}", f"flipped = {str(slider.flipped).lower()}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'


def _tables(data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    items = typed(data, key, list, [])
    if not all(isinstance(item, dict) for item in items):
        problem = f"must be tables, each headed [[{key}]]; got {shown(items)}"
        raise BadInputError(problem, field=key)
    return list(items)


def _ghosts(table: Mapping[str, Any], machine: Machine, orientation: int) -> dict[str, Place]:
    places: dict[str, Place] = {}
    for colour, value in table.items():
        field = f"ghosts.{colour}"
        if colour not in COLOURS:
            problem = f"a ghost must be one of {', '.join(COLOURS)}"
            raise BadInputError(problem, field=field)
        if isinstance(value, str):
            try:
                places[colour] = centre(parse_space(value), machine.space, orientation)
            except BadInputError as error:
                raise error.within(field=field) from None
            twin = next((c for c, p in places.items() if c != colour and p == places[colour]), None)
            if twin is not None:
                problem = f"two ghosts must not stand on one space: {twin} stands on {value} already"
                raise BadInputError(problem, field=field)
        elif isinstance(value, dict) and value.keys() == {"x", "y"} and all(is_number(v) for v in value.values()):
            places[colour] = (float(value["x"]), float(value["y"]))
        else:
            problem = f'must be a space ("c3") or a place {{ x = mm, y = mm }} of finite numbers; got {shown(value)}'
            raise BadInputError(problem, field=field)
    return places


def _slider(item: Mapping[str, Any], where: str) -> Slider:
    for key in sorted(item.keys() - {"name", "tunnel", "offset", "flipped"}):
        problem = "unknown key; a slider has name, tunnel, offset and flipped"
        raise BadInputError(problem, field=f"{where}.{key}")
    for key in ("name", "tunnel", "offset"):
        if key not in item:
            problem = "is missing; a slider has name, tunnel and offset"
            raise BadInputError(problem, field=f"{where}.{key}")
    try:
        name = typed(item, "name", str, "")
        tunnel, offset = typed(item, "tunnel", int, 0), typed(item, "offset", int, 0)
        return Slider(name, tunnel, offset, flipped=typed(item, "flipped", bool, default=False))
    except BadInputError as error:
        raise error.within(field=where) from None
