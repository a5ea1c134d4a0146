"""A plan as a sheet to print: a picture of each set-up, boxes to fill in, and the files that the results go into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from twin.board.moves import Turn
from twin.board.scene import Scene, scene_toml
from twin.calibrate.fit.measurements import sheet_text
from twin.drawing.board_svg import Boards
from twin.reports.html_page import html_page

if TYPE_CHECKING:
    from pathlib import Path

    from twin.calibrate.experiment_plan import ExperimentPlan
    from twin.calibrate.experiments import Experiment

TRIALS: Final = "ab"
"""Each experiment is made once for each of these letters: a hand varies, and only repeats show by how much."""


def scene_folder(out: Path) -> Path:
    """Where the scenes of a sheet go."""
    return out.with_name(f"{out.stem}-scenes")


def sheet_files(plan: ExperimentPlan, out: Path) -> dict[Path, str]:
    """The empty CSV and the scenes that belong to a sheet, by path: beside it, named after it."""
    files = {}
    folder = scene_folder(out)
    rows = []
    for number, choice in enumerate(plan.choices, 1):
        experiment = choice.experiment
        path = folder / f"{number:02}.toml"
        scene = Scene(
            path.stem, f"Experiment {number}: {experiment.move}", plan.machine, experiment.state(plan.machine)
        )
        files[path] = scene_toml(scene, folder)
        for letter in TRIALS:
            for colour, _ in experiment.ghosts:
                cells = {
                    "trial": f"{number}{letter}",
                    "scene": f"{folder.name}/{path.name}",
                    "move": str(experiment.move),
                }
                rows.append(cells | {"ghost": colour})
    files[out.with_suffix(".csv")] = sheet_text(rows)
    return files


def sheet_html(plan: ExperimentPlan, out: Path) -> str:
    """The sheet itself."""
    boards = Boards()
    experiments = [_experiment(choice.experiment, plan, boards) for choice in plan.choices]
    return html_page(
        "plan",
        "What to try next",
        csv=out.with_suffix(".csv").name,
        trials=TRIALS,
        experiments=experiments,
        pieces=boards.pieces(),
    )


def plan_json(plan: ExperimentPlan, out: Path | None, files: list[Path]) -> dict[str, Any]:
    """A plan as an object; information in nats. Files are null where none were written."""
    return {
        "schema": 1,
        "machine": plan.machine.name,
        "parameters": [p.name for p in plan.parameters],
        "candidates": plan.candidates,
        "typical_information": plan.typical,
        "experiments": [
            {
                "number": number,
                "scene": str(files[number - 1]) if files else None,
                "move": str(choice.experiment.move),
                "ghosts": dict(choice.experiment.ghosts),
                "sliders": {
                    s.name: {"tunnel": s.tunnel, "offset": s.offset, "flipped": s.flipped}
                    for s in choice.experiment.sliders
                },
                "information": choice.gain,
                "information_alone": choice.alone,
            }
            for number, choice in enumerate(plan.choices, 1)
        ],
        "sheet": str(out) if out else None,
        "csv": str(out.with_suffix(".csv")) if out else None,
    }


def plan_lines(plan: ExperimentPlan) -> list[str]:
    """A plan for people."""
    lines = [f"the {len(plan.choices)} of {plan.candidates} experiments that tell most about {_names(plan)}:"]
    for number, choice in enumerate(plan.choices, 1):
        lines.append(f"{number:>3}. {_words(choice.experiment)}  (adds {choice.gain:.2f} nats)")
    lines.append(f"an experiment drawn at random tells {plan.typical:.2f} nats by itself")
    return lines


def _names(plan: ExperimentPlan) -> str:
    names = [p.name for p in plan.parameters]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _words(experiment: Experiment) -> str:
    ghosts = ", ".join(f"{colour} on {space}" for colour, space in experiment.ghosts)
    sliders = ", ".join(f"{s.name} in tunnel {s.tunnel} at {s.offset:+d}" for s in experiment.sliders)
    return f"{experiment.move}: {ghosts}; {sliders}"


def _experiment(experiment: Experiment, plan: ExperimentPlan, boards: Boards) -> dict[str, Any]:
    """What the template shows of an experiment."""
    move = experiment.move
    how = (
        f"turn the board {'clockwise' if move.direction == 'cw' else 'counterclockwise'}"
        if isinstance(move, Turn)
        else (
            f"push slider {move.slider} one segment {'away from you' if move.direction == 'north' else 'towards you'}"
        )
    )
    ghosts = ", ".join(f"{colour} on {space}" for colour, space in experiment.ghosts)
    sliders = "; ".join(
        f"{s.name} in tunnel {s.tunnel}, {_offset(s.offset)}{', turned end for end' if s.flipped else ''}"
        for s in experiment.sliders
    )
    return {
        "how": how,
        "colours": [colour for colour, _ in experiment.ghosts],
        "ghosts": ghosts,
        "sliders": sliders,
        "picture": boards.board(experiment.state(plan.machine), plan.machine, how, moves=[move]),
    }


def _offset(offset: int) -> str:
    if offset == 0:
        return "sunk in"
    way = "away from you" if offset > 0 else "towards you"
    return f"{abs(offset)} {'segment' if abs(offset) == 1 else 'segments'} out {way}"
