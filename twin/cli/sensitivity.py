"""The command `sensitivity`: which assumed values matter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from twin.board.machine import DEFAULT_MACHINE, load_machine
from twin.cli.calibrate import cores
from twin.cli.files import tell_written
from twin.cli.output import Progress, announce_compiling, heading, print_json
from twin.cli.scenes import changed, load_named
from twin.errors import BadInputError
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.board.machine import Machine
    from twin.calibrate.sobol_indices import Trial

POSITIONS: Final = 8
"""Random positions if nothing else is asked for: with a turn and a push each, 16 moves on every machine."""


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

        if options.png:
            write_whole(Path(options.png), sensitivity_png(found))
        if options.html:
            write_whole(Path(options.html), sensitivity_html(found))
    if options.json:
        print_json(sensitivity_json(found))
        return 0
    first, *rest = sensitivity_lines(found)
    heading(first)
    for line in rest:
        print(line)
    tell_written(options, options.png, options.html)
    return 0


def _trials(options: Namespace) -> tuple[Machine, tuple[Trial, ...]]:
    """The machine, and the moves that are made on each of its kind."""
    from twin.calibrate.sobol_indices import random_trials, trials_of

    if not options.scenes:
        machine = changed(load_machine(options.machine or DEFAULT_MACHINE), options)
        return machine, random_trials(machine, options.positions or POSITIONS, options.seed)
    scenes = [load_named(name, options) for name in options.scenes]
    machine = scenes[0].machine
    for scene in scenes[1:]:
        if scene.machine != machine:
            problem = f"is on {scene.machine.name}, the first scene on {machine.name}: choose one with --machine"
            raise BadInputError(problem, source=scene.name)
    return machine, tuple(trial for scene in scenes for trial in trials_of(scene))
