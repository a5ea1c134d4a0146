"""Measurements: what people saw on their own board, a CSV of `trial,scene,move,ghost,x,y,space`.

One row per trial and observed ghost: where it stood after the move, as a place in mm (floor frame), as a space or the
spaces it covered (`c2+c3`), as `off`, or several of these. A column `duration` (s) may tell how long the move took.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.board.grid import SIDE, Place, cell
from twin.board.moves import Move, Push, Turn, parse_move
from twin.board.scene import Scene, load_scene, scene_names
from twin.board.state import COLOURS, MAX_OFFSET, State, parse_space
from twin.calibrate.fit.sheet import Row, read_sheet
from twin.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from twin.board.machine import Machine

HEADER: Final = ("trial", "scene", "move", "ghost", "x", "y", "space")
OPTIONAL: Final = ("duration",)
OFF: Final = "off"
MOST_SPACES: Final = 4
"""A foot that is narrower than a space covers at most so many."""
SHORTEST: Final = 0.05
"""A move takes at least this long, s."""
LONGEST: Final = 60.0
OVERHANG: Final = 3.0
"""A centre may be read so far beyond the board's edge and still belong to a ghost that stands, mm."""


@dataclass(frozen=True)
class MeasuredSetup:
    """What was set up and done: a position by the name of its scene, and a move."""

    scene: str
    """As the sheet names it."""
    path: str
    """Name or path by which `twin.board.scene.load_scene` finds it."""
    move: Turn | Push
    duration: float | None = None
    """How long the move took, s, where the time was measured."""


@dataclass(frozen=True)
class Sighting:
    """Where one ghost was seen."""

    ghost: str
    place: Place | None
    """Floor frame, mm."""
    space: str | None
    """Covered spaces in the order of their names, joined by `+`; `off`; or None."""
    line: int
    """Of the sheet."""


@dataclass(frozen=True)
class Trial:
    """One move that was made once, and where its ghosts were seen."""

    name: str
    setup: MeasuredSetup
    sightings: tuple[Sighting, ...]


@dataclass(frozen=True)
class Measurements:
    """A sheet of trials, in its own order."""

    source: str
    trials: tuple[Trial, ...]

    @property
    def rows(self) -> tuple[tuple[Trial, Sighting], ...]:
        """Every sighting with its trial."""
        return tuple((trial, seen) for trial in self.trials for seen in trial.sightings)

    @property
    def setups(self) -> tuple[MeasuredSetup, ...]:
        """The different set-ups, in the order in which they first occur."""
        return tuple(dict.fromkeys(trial.setup for trial in self.trials))

    def states(self, machine: Machine) -> dict[MeasuredSetup, State]:
        """The position of each set-up on this machine."""
        return {setup: load_scene(setup.path, machine).state for setup in self.setups}


def read_measurements(path: Path, machine: Machine) -> Measurements:
    """Read a sheet; every position must be one that can stand on this machine."""
    trials: dict[str, tuple[MeasuredSetup, int, list[Sighting]]] = {}
    scenes: dict[str, tuple[str, Scene]] = {}
    for row in read_sheet(path, HEADER, OPTIONAL):
        name = row["trial"]
        if not name:
            raise row.wrong("trial", "must be a number or a name; the cell is empty")
        setup, state = _setup(row, path, machine, scenes)
        sighting = _sighting(row, state, machine)
        if name not in trials:
            trials[name] = setup, row.line, []
        before, line, seen = trials[name]
        if before != setup:
            column = next(c for c in ("scene", "move", "duration") if _cell_of(before, c) != _cell_of(setup, c))
            problem = f"trial {name} began otherwise in line {line}; another move must be another trial"
            raise row.wrong(column, problem)
        if any(other.ghost == sighting.ghost for other in seen):
            raise row.wrong("ghost", f"{sighting.ghost} was seen in trial {name} already; a repeat is another trial")
        seen.append(sighting)
    return Measurements(str(path), tuple(Trial(n, setup, tuple(seen)) for n, (setup, _, seen) in trials.items()))


def machine_of_scenes(path: Path) -> Machine:
    """The machine that the scenes of a sheet name; they must all name the same one."""
    scenes: dict[str, tuple[str, Scene]] = {}
    machines = []
    for row in read_sheet(path, HEADER, OPTIONAL):
        machines.append(_scene(row, path, None, scenes)[1].machine)
        if machines[-1] != machines[0]:
            problem = f"is on {machines[-1].name}, the first scene on {machines[0].name}: choose one with --machine"
            raise row.wrong("scene", problem)
    return machines[0]


def sheet_text(rows: Sequence[Mapping[str, str]], *, duration: bool = False) -> str:
    """A sheet with these cells by column; columns that a row does not name stay empty."""
    names = (*HEADER, *(OPTIONAL if duration else ()))
    lines = [",".join(names)]
    lines += [",".join(row.get(name, "") for name in names) for row in rows]
    return "\n".join(lines) + "\n"


def _setup(row: Row, path: Path, machine: Machine, scenes: dict[str, tuple[str, Scene]]) -> tuple[MeasuredSetup, State]:
    found, scene = _scene(row, path, machine, scenes)
    try:
        move = parse_move(row["move"])
    except BadInputError as error:
        raise row.wrong("move", error.problem) from None
    return MeasuredSetup(row["scene"], found, _measurable(row, move, scene.state), _duration(row)), scene.state


def _scene(row: Row, path: Path, machine: Machine | None, known: dict[str, tuple[str, Scene]]) -> tuple[str, Scene]:
    """The name or path by which a row's scene is found, and the scene; `known` are those of the rows before."""
    name = row["scene"]
    if not name:
        raise row.wrong("scene", "must be a scene's name, or a path relative to this file; the cell is empty")
    if name not in known:
        is_path = name.endswith(".toml") or (("/" in name or "\\" in name) and name not in scene_names())
        found = str(path.parent / name) if is_path else name
        try:
            known[name] = found, load_scene(found, machine)
        except BadInputError as error:
            raise row.wrong("scene", str(error)) from None
    return known[name]


def _measurable(row: Row, move: Move, state: State) -> Turn | Push:
    if not isinstance(move, Turn | Push):
        problem = f"must be a turn or a push: a hand leads the ghosts of other moves; got {str(move)!r}"
        raise row.wrong("move", problem)
    if isinstance(move, Push):
        try:
            offset = state.slider(move.slider).offset + move.step
        except BadInputError as error:
            raise row.wrong("move", error.problem) from None
        if abs(offset) > MAX_OFFSET:
            raise row.wrong("move", f"slider {move.slider} would stick out by {abs(offset)} segments (rule B5)")
    return move


def _duration(row: Row) -> float | None:
    if not row["duration"]:
        return None
    value = row.number("duration", "s")
    if not SHORTEST <= value <= LONGEST:
        raise row.wrong("duration", f"must be {SHORTEST:g} to {LONGEST:g} s; got {value:g}")
    return value


def _sighting(row: Row, state: State, machine: Machine) -> Sighting:
    ghost = row["ghost"]
    if ghost not in COLOURS:
        raise row.wrong("ghost", f"must be one of {', '.join(COLOURS)}; got {ghost!r}")
    if ghost not in state.colours:
        raise row.wrong("ghost", f"does not stand in the scene; there are {', '.join(state.colours)}")
    space = _space(row)
    place = _place(row, machine)
    if place is None and space is None:
        raise row.wrong("space", "say where the ghost ended: x and y, a space, or off; or delete the row")
    if place is not None and space == OFF:
        raise row.wrong("x", "a ghost that is off the board has no place; leave x and y empty")
    return Sighting(ghost, place, space, row.line)


def _place(row: Row, machine: Machine) -> Place | None:
    if not row["x"] and not row["y"]:
        return None
    for name, other in (("x", "y"), ("y", "x")):
        if not row[name]:
            raise row.wrong(name, f"is empty, but {other} is not; a place has both")
    place = row.number("x", "mm"), row.number("y", "mm")
    most = SIDE * machine.space / 2 + OVERHANG
    for name, value in zip(("x", "y"), place, strict=True):
        if abs(value) > most:
            problem = f"must lie on the board, within ±{SIDE * machine.space / 2:g} mm of the plug; got {value:g}"
            raise row.wrong(name, f"{problem} (a ghost beside the board is `off` in the column space)")
    if max(abs(place[0]), abs(place[1])) < (machine["plug.radius"] + machine.radius) / 2:
        raise row.wrong("x", f"no ghost can stand there: the plug has a radius of {machine['plug.radius']:g} mm")
    return place


def _space(row: Row) -> str | None:
    text = row["space"]
    if not text:
        return None
    if text == OFF:
        return OFF
    names = [name.strip() for name in text.split("+")]
    for name in names:
        try:
            parse_space(name)
        except BadInputError as error:
            raise row.wrong("space", f"{error.problem}; or write several joined by +, or off") from None
    if len(set(names)) < len(names):
        raise row.wrong("space", f"names a space twice; got {text!r}")
    columns, rows = ([cell(name)[axis] for name in names] for axis in (0, 1))
    if len(names) > MOST_SPACES or max(columns) - min(columns) > 1 or max(rows) - min(rows) > 1:
        raise row.wrong("space", f"no foot is wide enough to cover all of these; got {text!r}")
    return "+".join(sorted(names))


def _cell_of(setup: MeasuredSetup, column: str) -> object:
    return {"scene": setup.path, "move": setup.move, "duration": setup.duration}[column]
