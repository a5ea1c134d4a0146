"""The command `calibrate rulebook`: what the rulebook leaves of the ranges."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from twin.board.machine import DEFAULT_MACHINE, load_machine
from twin.cli.files import tell_written
from twin.cli.output import Progress, announce_compiling, print_json
from twin.cli.scenes import changed
from twin.errors import BadInputError
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.calibrate.evidence.rulebook_region import Study


def rulebook(options: Namespace) -> int:
    """`twin calibrate rulebook`: sample machines, keep those that do all that is known, tell what is left."""
    from twin.calibrate.evidence.facts import load_evidence
    from twin.calibrate.evidence.parameters import parameters
    from twin.calibrate.evidence.rulebook_region import study
    from twin.reports.region_words import study_json, study_lines

    machine = changed(load_machine(options.machine or DEFAULT_MACHINE), options)
    chosen = [p for p in parameters(machine) if p.name not in dict(options.changes)]
    if not chosen:
        raise BadInputError("has no assumed values with a range: there is nothing to sample", source=machine.name)
    evidence = load_evidence(options.evidence)
    announce_compiling()
    progress = Progress(options.machines, "machines")
    found = study(evidence, machine, options.machines, options.seed, chosen=chosen, workers=cores(), progress=progress)
    if options.png or options.html:
        from twin.reports.region_page import study_html, study_png

        if options.png:
            write_whole(Path(options.png), study_png(found))
        if options.html:
            write_whole(Path(options.html), study_html(found))
    if options.csv:
        write_whole(Path(options.csv), _csv(found))
    if options.json:
        print_json(study_json(found))
    else:
        for line in study_lines(found):
            print(line)
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
