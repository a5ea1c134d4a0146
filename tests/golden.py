"""Golden files: what canonical moves did when somebody last looked at them, kept so that a change is noticed.

    python -m tests.golden                        writes all files of tests/golden anew
    python -m tests.golden --check-hashes FILE    prints the hashes of the moves named in FILE, computed here and now

`hashes.json` holds the hash of each run's trace; `outcomes.json` what it came to, unless that is too close to call;
`SCENE.txt` is a playthrough for people to read. All of it needs pymunk, numpy and magpylib alone, so that it can be
compared in another environment.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.board.grid import centre
from twin.board.machine import Machine, load_machine
from twin.board.moves import Move, Push, Turn
from twin.board.scene import load_scene, scene_names
from twin.board.state import MAX_OFFSET, Slider, State
from twin.outcome.engine import Twin
from twin.outcome.riding_share import random_state
from twin.reports.board_text import Paint, board_lines
from twin.reports.sentences import outcome_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twin.board.grid import Place
    from twin.outcome.engine import Outcome

FOLDER: Final = Path(__file__).parent / "golden"
HASHES: Final = FOLDER / "hashes.json"
OUTCOMES: Final = FOLDER / "outcomes.json"
COMMAND: Final = "python -m tests.golden"

SETTINGS: Final = (
    (Slider("A", 1), Slider("B", 3), Slider("C", 5)),
    (Slider("A", 2, 1), Slider("B", 4, -2, flipped=True), Slider("C", 3)),
)
"""Settings of the sliders for single ghosts: the start's, and one with everything different."""

TURNED: Final = ("a1", "a4", "b2", "b6", "c6", "d7", "e4", "g3")
PUSHED: Final = (("A", "b2"), ("A", "b5"), ("B", "d3"), ("B", "d6"), ("C", "f2"), ("C", "f5"))
SEEDS: Final = 8
"""Random positions of four ghosts."""


class Case(NamedTuple):
    """One canonical move."""

    machine: Machine
    state: State
    move: Move

    def run(self, *, sensitivity: bool = False) -> Outcome:
        """What comes of it, with the nominal hand."""
        return Twin(self.machine).act(self.state, self.move, sensitivity=sensitivity)


def cases() -> dict[str, Case]:
    """The canonical moves by readable names: single ghosts, random positions, and whatever a scene expects."""
    return _singles() | _randoms() | _scenes()


def hashes(names: Iterable[str] | None = None) -> dict[str, str]:
    """The hash of each run's trace; a move that can't be made at all has none."""
    known = cases()
    found = {}
    for name in known if names is None else names:
        trace = known[name].run().trace
        if trace is not None:
            found[name] = trace.digest()
    return found


def outcomes() -> dict[str, str]:
    """What each move came to, without those that are too close to call."""
    runs = {name: case.run(sensitivity=True) for name, case in cases().items()}
    return {name: summary(outcome) for name, outcome in runs.items() if not outcome.too_close}


def summary(outcome: Outcome) -> str:
    """Fates, covered spaces, broken rules and conflict in one line."""
    words = [f"{colour} {ghost.fate} {'+'.join(ghost.covers) or 'off'}" for colour, ghost in outcome.ghosts]
    words += [f"against {rule}" for rule in outcome.broken]
    if outcome.landing.conflict:
        words.append("conflict")
    return ", ".join(words)


def playthrough(name: str) -> str:
    """A scene and every move that it expects something of, told to people; places in mm, rounded to 0.01."""
    scene = load_scene(name)
    twin = Twin(scene.machine)
    lines = [scene.title, f"scene {name} on machine {scene.machine.name}", "", *_picture(scene.state, scene.machine)]
    for expectation in scene.expectations:
        outcome = twin.act(scene.state, expectation.move, sensitivity=False)
        lines += ["", f"> {expectation.move}", *outcome_sentences(outcome), ""]
        if outcome.done:
            lines += [f"{colour:<7}{_place(ghost.place)}" for colour, ghost in outcome.ghosts]
            lines += ["", *_picture(_landed(outcome), scene.machine)]
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


def playthrough_file(name: str, folder: Path = FOLDER) -> Path:
    """Where a scene's playthrough is kept."""
    return folder / f"{name.replace('/', '-')}.txt"


def write_all(folder: Path = FOLDER) -> None:
    """Write all golden files anew, and remove those of scenes that are gone."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    for name in scene_names():
        _write(playthrough_file(name, folder), playthrough(name))
    _write(folder / HASHES.name, _json(hashes()))
    _write(folder / OUTCOMES.name, _json(outcomes()))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if hashes differ from those in the file."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write the golden files anew, or compare hashes.")
    parser.add_argument("--check-hashes", metavar="FILE", type=Path, help="print the hashes of the moves named in FILE")
    options = parser.parse_args(arguments)
    if options.check_hashes is None:
        write_all()
        return 0
    kept = json.loads(options.check_hashes.read_text(encoding="utf-8"))
    now = hashes(kept)
    sys.stdout.write(_json(now))
    return 0 if now == kept else 1


def _singles() -> dict[str, Case]:
    machine = load_machine()
    found = {}
    for sliders in SETTINGS:
        label = " ".join(f"{s.name}{s.tunnel}:{s.offset}{'f' if s.flipped else ''}" for s in sliders)
        for space in TURNED:
            state = State.of(0, {"red": centre(space, machine.space)}, sliders)
            found[f"single {space} cw {label}"] = Case(machine, state, Turn("cw"))
            found[f"single {space} ccw {label}"] = Case(machine, state, Turn("ccw"))
    for slider, space in PUSHED:
        state = State.of(0, {"red": centre(space, machine.space)}, SETTINGS[0])
        found[f"single {space} push {slider} north"] = Case(machine, state, Push(slider, "north"))
        found[f"single {space} push {slider} south"] = Case(machine, state, Push(slider, "south"))
    return found


def _randoms() -> dict[str, Case]:
    machine = load_machine()
    found = {}
    for seed in range(SEEDS):
        dice = random.Random(seed)
        state = replace(random_state(machine, dice), orientation=seed % 4)
        slider = dice.choice(state.sliders)
        push = Push(slider.name, "north" if slider.offset < MAX_OFFSET else "south")
        for move in (Turn("cw"), Turn("ccw"), push):
            found[f"random {seed} {move}"] = Case(machine, state, move)
    return found


def _scenes() -> dict[str, Case]:
    scenes = [load_scene(name) for name in scene_names()]
    return {f"scene {s.name} {e.move}": Case(s.machine, s.state, e.move) for s in scenes for e in s.expectations}


def _picture(state: State, machine: Machine) -> list[str]:
    return board_lines(state, machine, Paint(coloured=False))


def _landed(outcome: Outcome) -> State:
    """The position as physics left it, before anybody is placed; fallen ghosts are gone."""
    places = {colour: ghost.place for colour, ghost in outcome.ghosts if ghost.place is not None}
    return State.of(outcome.orientation, places, outcome.sliders)


def _place(place: Place | None) -> str:
    if place is None:
        return "     off"
    x, y = (round(value, 2) + 0.0 for value in place)  # no negative zero
    return f"{x:8.2f} {y:8.2f}"


def _json(data: dict[str, str]) -> str:
    return json.dumps(data, indent=0, ensure_ascii=False) + "\n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
