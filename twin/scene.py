"""Scenes: what stands where, on which machine, and what is expected to happen. Files in `scenes/NAME.toml`."""

from __future__ import annotations

import math
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from twin.errors import BadInputError
from twin.grid import SPACES, Place, centre
from twin.library import data_folder, find, read_toml, shipped
from twin.machine import DEFAULT_MACHINE, Machine, load_machine
from twin.moves import Move, Push, Relocate, parse_move
from twin.moves import Drag as DragMove
from twin.state import COLOURS, Slider, State, parse_space, validate_state

if TYPE_CHECKING:
    from collections.abc import Mapping

FATES: Final = ("fell", "blocked", "shoved", "caught", "carried", "held", "left", "rode", "stayed", "dragged")
"""What can become of a ghost in a move; if several apply, the first in this order."""


@dataclass(frozen=True)
class Expectation:
    """What a move is expected to do, and why. What is None, or not named, is not claimed."""

    move: Move
    because: str
    fates: tuple[tuple[str, str], ...] = ()
    covers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Spaces each ghost covers afterwards; none for a ghost that is off the board."""
    broken: tuple[str, ...] | None = None
    conflict: bool | None = None
    chancy: bool | None = None
    """True: the outcome flips within a person's variation; then the rest is claimed for the nominal hand only."""


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
    try:
        return parse_scene(read_toml(path), path.stem, machine, path.parent)
    except BadInputError as error:
        raise error.within(source=error.source or str(path)) from None


def parse_scene(data: Mapping[str, Any], name: str, machine: Machine | None = None, folder: Path | None = None) -> Scene:
    """A scene from the content of its file; a machine given by path is looked up from `folder`."""
    known = {"title", "machine", "orientation", "ghosts", "sliders", "expect"}
    for key in sorted(data.keys() - known):
        problem = f"unknown key; a scene has {', '.join(sorted(known))}"
        raise BadInputError(problem, field=str(key))
    title = _typed(data, "title", str, name)
    machine_name = _typed(data, "machine", str, DEFAULT_MACHINE)
    if machine is None:
        beside = (folder or Path()) / machine_name
        machine = load_machine(str(beside) if machine_name.endswith(".toml") else machine_name)
    orientation = _typed(data, "orientation", int, 0)
    if orientation not in range(4):
        problem = f"must be 0, 1, 2 or 3 clockwise quarter turns; got {orientation}"
        raise BadInputError(problem, field="orientation")
    ghosts = _ghosts(_typed(data, "ghosts", dict, {}), machine, orientation)
    sliders = [_slider(item, f"sliders[{i}]") for i, item in enumerate(_tables(data, "sliders"))]
    state = State.of(orientation, ghosts, sliders)
    if len(state.sliders) != len(machine.sliders):
        expected = ", ".join(machine.sliders)
        problem = f"a scene must have exactly the machine's sliders {expected}; got {len(sliders)} of them"
        raise BadInputError(problem, field="sliders")
    validate_state(state, machine)
    expectations = tuple(_expectation(e, f"expect[{i}]", state) for i, e in enumerate(_tables(data, "expect")))
    return Scene(name, title, machine, state, expectations)


def scene_toml(scene: Scene, machine_name: str | None = None) -> str:
    """A scene file for a position, without expectations; ghosts on the centre of a space are written by its name."""
    lines = [f"title = {_quoted(scene.title)}", f"machine = {_quoted(machine_name or scene.machine.name)}"]
    lines += [f"orientation = {scene.state.orientation}", "", "[ghosts]"]
    for colour, place in scene.state.ghosts:
        exact = [s for s in SPACES if centre(s, scene.machine.space, scene.state.orientation) == place]
        where = f'"{exact[0]}"' if exact else f"{{ x = {place[0]!r}, y = {place[1]!r} }}"
        lines.append(f"{colour} = {where}")
    for slider in scene.state.sliders:
        lines += ["", "[[sliders]]", f"name = {_quoted(slider.name)}", f"tunnel = {slider.tunnel}"]
        lines += [f"offset = {slider.offset}", f"flipped = {str(slider.flipped).lower()}"]
    return "\n".join(lines) + "\n"


def write_whole(path: Path, content: str) -> None:
    """Write a text file wholly or not at all: beside its place first, then renamed into it."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise BadInputError(f"cannot be written: {error.strerror}", source=str(path)) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise BadInputError(f"cannot be written: {error.strerror}", source=str(path)) from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _typed(data: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:  # noqa: ANN401 - as TOML gives it
    value = data.get(key, default)
    if type(value) is not kind:
        names = {str: "text", int: "a whole number", dict: "a table", bool: "true or false", list: "a list"}
        problem = f"must be {names[kind]}; got {value!r}"
        raise BadInputError(problem[:300], field=key)
    return value


def _tables(data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    items = _typed(data, key, list, [])
    if not all(isinstance(item, dict) for item in items):
        problem = f"must be tables, each headed [[{key}]]; got {items!r}"
        raise BadInputError(problem[:300], field=key)
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
        elif isinstance(value, dict) and value.keys() == {"x", "y"} and all(_number(v) for v in value.values()):
            places[colour] = (float(value["x"]), float(value["y"]))
        else:
            problem = f'must be a space ("c3") or a place {{ x = mm, y = mm }} of finite numbers; got {value!r}'
            raise BadInputError(problem[:300], field=field)
    return places


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _slider(item: Mapping[str, Any], where: str) -> Slider:
    for key in sorted(item.keys() - {"name", "tunnel", "offset", "flipped"}):
        problem = "unknown key; a slider has name, tunnel, offset and flipped"
        raise BadInputError(problem, field=f"{where}.{key}")
    for key in ("name", "tunnel", "offset"):
        if key not in item:
            problem = "is missing; a slider has name, tunnel and offset"
            raise BadInputError(problem, field=f"{where}.{key}")
    try:
        name = _typed(item, "name", str, "")
        tunnel, offset = _typed(item, "tunnel", int, 0), _typed(item, "offset", int, 0)
        return Slider(name, tunnel, offset, flipped=_typed(item, "flipped", bool, default=False))
    except BadInputError as error:
        raise error.within(field=where) from None


def _expectation(item: Mapping[str, Any], where: str, state: State) -> Expectation:
    claims = {"fates", "covers", "broken", "conflict", "chancy"}
    for key in sorted(item.keys() - claims - {"move", "because"}):
        problem = f"unknown key; an expectation has move, because and any of {', '.join(sorted(claims))}"
        raise BadInputError(problem, field=f"{where}.{key}")
    for key in ("move", "because"):
        if key not in item:
            problem = "is missing; an expectation has a move and a because"
            raise BadInputError(problem, field=f"{where}.{key}")
    if not item.keys() & claims:
        problem = f"an expectation must claim something: any of {', '.join(sorted(claims))}"
        raise BadInputError(problem, field=where)
    try:
        move = parse_move(_typed(item, "move", str, ""))
        match move:
            case Push(slider) | Relocate(slider):
                state.slider(slider)
            case DragMove(ghost) if ghost not in state.colours:
                problem = f"a dragged ghost must be one of the scene's; got {ghost!r}"
                raise BadInputError(problem, field="move")  # noqa: TRY301 - one place adds the field
        fates = _claims(item, "fates", state)
        for colour, fate in fates.items():
            if fate not in FATES:
                problem = f"a fate must be one of {', '.join(FATES)}; got {fate!r}"
                raise BadInputError(problem, field=f"fates.{colour}")  # noqa: TRY301
        covers = _claims(item, "covers", state)
        for colour, spaces in covers.items():
            if not isinstance(spaces, list) or not all(s in SPACES for s in spaces):
                problem = f"must be a list of spaces, empty if the ghost is off the board; got {spaces!r}"
                raise BadInputError(problem[:300], field=f"covers.{colour}")  # noqa: TRY301
        broken = _typed(item, "broken", list, []) if "broken" in item else None
        if broken is not None and not all(isinstance(rule, str) for rule in broken):
            problem = f"must be a list of rule numbers; got {broken!r}"
            raise BadInputError(problem[:300], field="broken")  # noqa: TRY301
        return Expectation(
            move,
            _typed(item, "because", str, ""),
            tuple(sorted(fates.items())),
            tuple(sorted((colour, tuple(sorted(spaces))) for colour, spaces in covers.items())),
            None if broken is None else tuple(broken),
            _typed(item, "conflict", bool, default=False) if "conflict" in item else None,
            _typed(item, "chancy", bool, default=False) if "chancy" in item else None,
        )
    except BadInputError as error:
        raise error.within(field=where) from None


def _claims(item: Mapping[str, Any], key: str, state: State) -> dict[str, Any]:
    table: dict[str, Any] = _typed(item, key, dict, {})
    for colour in table:
        if colour not in state.colours:
            problem = f"must be one of the scene's ghosts {', '.join(state.colours)}"
            raise BadInputError(problem, field=f"{key}.{colour}")
    return table
