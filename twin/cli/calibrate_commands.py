"""The commands `calibrate`, with `rulebook` and the parts of `fit_commands`, and `sensitivity`."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from twin.cli import fit_commands
from twin.cli.options import (
    add_changes,
    add_json,
    add_machine,
    add_output,
    add_pictures,
    add_seed,
    command,
    count,
    family,
    keys,
)
from twin.cli.output import Progress, announce_compiling, heading, print_json, print_lines
from twin.cli.output_files import tell_written, write_pictures
from twin.cli.scenes import load_named, machine_of
from twin.errors import BadInputError
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.board.machine import Machine
    from twin.calibrate.evidence.rulebook_region import Study
    from twin.calibrate.sobol_indices import SensitivityTrial
    from twin.cli.options import Commands

POSITIONS: Final = 8
"""Random positions if nothing else is asked for: with a turn and a push each, 16 moves on every machine."""


def add(commands: Commands) -> None:
    """Add `calibrate` with its parts, and `sensitivity`."""
    parts = family(commands, "calibrate", "PART", "learn about a machine from what is known or measured of a board")
    text = "find which machines do all that the rulebook says, and what is left of the ranges"
    sub = command(parts, "rulebook", rulebook, text)
    sub.add_argument("--machines", metavar="N", type=count(), default=4096, help="drawn from the ranges (default 4096)")
    add_seed(sub, "the machines", natural=True)
    sub.add_argument("--evidence", metavar="FILE", default="rulebook", help="other facts than the rulebook's")
    add_json(sub)
    add_pictures(sub, "draw what is left, by pairs of values")
    add_output(sub, "--csv", "write all machines, and which facts each of them does", ending=".csv")
    add_machine(sub, "whose ranges (default reconstruction); values given by --set are not varied")
    add_changes(sub)
    fit_commands.add(parts)
    text = "tell which assumed values matter for outcomes, and which do not"
    sub = command(commands, "sensitivity", sensitivity, text)
    what = sub.add_mutually_exclusive_group()
    what.add_argument("--scene", metavar="SCENE", nargs="+", dest="scenes", help="the moves that scenes are about")
    what.add_argument(
        "--positions", metavar="N", type=count(10_000), help="random positions, each with a turn and a push (default 8)"
    )
    text = "points of the design, best a power of 2 (default 256)"
    sub.add_argument("--samples", metavar="N", type=count(), default=256, help=text)
    sub.add_argument(
        "--parameters",
        metavar="KEY,KEY…",
        type=keys,
        help="only these values (default: all that are assumed)",
    )
    add_seed(sub, "the design, the positions and the hands", natural=True)
    add_json(sub)
    add_pictures(sub, "draw how much each value matters")
    add_machine(sub, "whose ranges (default reconstruction, or the scenes' own); --set fixes values")
    add_changes(sub)


def rulebook(options: Namespace) -> int:
    """`twin calibrate rulebook`: sample machines, keep those that do all that is known, print what is left."""
    from twin.calibrate.evidence.facts import load_evidence
    from twin.calibrate.evidence.parameters import parameters
    from twin.calibrate.evidence.rulebook_region import study
    from twin.reports.region_words import study_json, study_lines

    machine = machine_of(options)
    chosen = [p for p in parameters(machine) if p.name not in dict(options.changes)]
    if not chosen:
        raise BadInputError("has no assumed values with a range: there is nothing to sample", source=machine.name)
    evidence = load_evidence(options.evidence)
    announce_compiling()
    progress = Progress(options.machines, "machines")
    found = study(evidence, machine, options.machines, options.seed, chosen=chosen, workers=cores(), progress=progress)
    if options.png or options.html:
        from twin.reports.region_page import study_html, study_png

        write_pictures(options, lambda: study_png(found), lambda: study_html(found))
    if options.csv:
        write_whole(Path(options.csv), _csv(found))
    if options.json:
        print_json(study_json(found))
    else:
        print_lines(study_lines(found))
    tell_written(options, options.png, options.html, options.csv)
    return 0


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _csv(found: Study) -> str:
    """A row for each machine: kept, possible, its values, and 1 or 0 for each fact (empty if it was not judged)."""
    from twin.reports.spreadsheet import as_cells

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [*(p.name for p in found.sample.parameters), *(f.name for f in found.court.evidence.facts)]
    writer.writerow(as_cells(["kept", "possible", *names]))
    for index, point in enumerate(found.sample.points):
        verdicts = ["" if verdict < 0 else int(verdict) for verdict in found.verdicts[index]]
        values = [f"{value:.6g}" for value in point]
        writer.writerow([int(found.kept[index]), int(found.possible[index]), *values, *verdicts])
    return text.getvalue()


def sensitivity(options: Namespace) -> int:
    """`twin sensitivity`: Sobol' indices of outcomes and margins."""
    from twin.calibrate.evidence.parameters import named, parameters
    from twin.calibrate.sobol_indices import machines_in_all, require_salib
    from twin.calibrate.sobol_indices import sensitivity as measure
    from twin.reports.sensitivity_words import sensitivity_json, sensitivity_lines

    require_salib()
    machine, trials = _trials(options)
    try:
        wanted = named(machine, options.parameters) if options.parameters else parameters(machine)
    except BadInputError as error:
        raise error.within(source="--parameters") from None
    chosen = [p for p in wanted if p.name not in dict(options.changes)]
    if not chosen:
        raise BadInputError("has no assumed values with a range: there is nothing to vary", source=machine.name)
    announce_compiling()
    progress = Progress(machines_in_all(len(chosen), options.samples), "machines")
    found = measure(machine, trials, chosen, options.samples, options.seed, workers=cores(), progress=progress)
    if options.png or options.html:
        from twin.reports.sensitivity_page import sensitivity_html, sensitivity_png

        write_pictures(options, lambda: sensitivity_png(found), lambda: sensitivity_html(found))
    if options.json:
        print_json(sensitivity_json(found))
        return 0
    first, *rest = sensitivity_lines(found)
    heading(first)
    print_lines(rest)
    tell_written(options, options.png, options.html)
    return 0


def _trials(options: Namespace) -> tuple[Machine, tuple[SensitivityTrial, ...]]:
    """The machine, and the moves that are made on each of its kind."""
    from twin.calibrate.sobol_indices import random_trials, trials_of

    if not options.scenes:
        machine = machine_of(options)
        return machine, random_trials(machine, options.positions or POSITIONS, options.seed)
    scenes = [load_named(name, options) for name in options.scenes]
    machine = scenes[0].machine
    for scene in scenes[1:]:
        if scene.machine != machine:
            problem = f"is on {scene.machine.name}, the first scene on {machine.name}: choose one with --machine"
            raise BadInputError(problem, source=scene.name)
    return machine, tuple(trial for scene in scenes for trial in trials_of(scene))
