"""The synthetic data set: measurements that the twin itself made on a hidden machine, and how they were made.

python -m tests.synthetic    plans the experiments and writes all of calibration/synthetic anew (some minutes)
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.recovery import first_rows
from twin.board.grid import space_under
from twin.board.machine import load_machine
from twin.board.moves import Push, Turn, parse_move
from twin.board.scene import Scene, load_scene, scene_toml
from twin.calibrate.experiment_plan import draws_of_ranges, make_plan
from twin.calibrate.experiments import Experiment, draw_experiments
from twin.calibrate.fit.likelihood import Reader
from twin.calibrate.fit.measurements import sheet_text
from twin.calibrate.fit.predictive_check import cells_of, made_up
from twin.calibrate.fit.problem import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER: Final = Path(__file__).parent.parent / "calibration" / "synthetic"
HIDDEN: Final = {
    "friction.board": 0.31,
    "magnet.remanence": 0.92,
    "magnet.gap": 5.6,
    "ghost.radius": 12.2,
    "spread.place": 1.3,
}
"""Told in calibration/README.md, too."""
SHEETS: Final = {"measurements": ("experiment", 20, 3, 60), "check": ("check", 12, 5, 40)}
"""By sheet: its scenes' names, how many set-ups it has, a seed, and how many rows; each set-up is made twice."""


def measured(sheet: str, experiments: Sequence[Experiment]) -> str:
    """The rows of a sheet, measured on the hidden machine."""
    name, _, seed, rows = SHEETS[sheet]
    hidden = load_machine().with_values(HIDDEN)
    found = first_rows(made_up(experiments, hidden, Reader(), seed, repeats=2), rows)
    cells = [row | {"scene": f"scenes/{row['scene'].replace('experiment', name)}"} for row in cells_of(found)]
    return sheet_text(cells)


def kept(sheet: str) -> list[Experiment]:
    """The experiments of a sheet as they were written."""
    machine, found = load_machine(), {}
    with (FOLDER / f"{sheet}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            state = load_scene(str(FOLDER / row["scene"])).state
            move = parse_move(row["move"])
            assert isinstance(move, Turn | Push)
            ghosts = tuple((colour, str(space_under(place, machine.space))) for colour, place in state.ghosts)
            found[row["scene"]] = Experiment(ghosts, state.sliders, move)
    return [found[scene] for scene in sorted(found)]


def main() -> None:
    """Plan the experiments, and write scenes and sheets."""
    machine = load_machine()
    parameters, known = draws_of_ranges(machine, DEFAULT, 1)
    for sheet, (name, count, seed, _) in SHEETS.items():
        if sheet == "measurements":
            plan = make_plan(machine, parameters, known, count=count, seed=seed, reader=Reader())
            experiments = [choice.experiment for choice in plan.choices]
        else:
            experiments = list(draw_experiments(machine, count, seed))
        for number, experiment in enumerate(experiments, 1):
            path = FOLDER / "scenes" / f"{name}-{number:02}.toml"
            title = f"Synthetic {name} {number}: {experiment.move}"
            scene = Scene(path.stem, title, machine, experiment.state(machine))
            path.write_text(scene_toml(scene, path.parent), encoding="utf-8")
        (FOLDER / f"{sheet}.csv").write_text(measured(sheet, experiments), encoding="utf-8")


if __name__ == "__main__":
    main()
