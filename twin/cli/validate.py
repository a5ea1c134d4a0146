"""The command `validate`: rules put to the proof over many moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from twin.board.machine import load_machine
from twin.cli.files import check_free, made_folder, tell_written
from twin.cli.output import Progress, announce_compiling, print_json
from twin.cli.scenes import changed
from twin.outcome.snap import snap as usual_snap
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.board.machine import Machine
    from twin.explore.claims.let_it_happen import Snap, Validation

FOUND = 4
REPORT = "report.html"


def validate(options: Namespace, snap: Snap = usual_snap) -> int:
    """`twin validate let-it-happen`; `snap` is the snapping layer under test."""
    from twin.explore.claims.let_it_happen import validate as put_to_the_proof
    from twin.reports.claims_page import validation_html, validation_json, validation_lines

    machine = changed(load_machine(options.machine or "reconstruction"), options)
    folder = None
    if options.out is not None:
        folder = made_folder(options.out, "--out")
        names = ["claim-*-worst-*.toml", *([] if options.html else [REPORT])]
        check_free(folder, names, "--out", overwrite=options.overwrite)
    announce_compiling()
    progress = Progress(options.samples, "moves")
    found = put_to_the_proof(machine, options.samples, options.seed, snap=snap, progress=progress)
    scenes = _saved(found, machine, folder) if folder is not None else {}
    page = options.html or (folder and folder / REPORT)
    if page:
        write_whole(Path(page), validation_html(found, scenes))
    if options.json:
        print_json(validation_json(found, scenes))
    else:
        for line in validation_lines(found):
            print(line)
        for claim, names in scenes.items():
            print(f"saved for '{claim}': {', '.join(names)}")
        tell_written(options, page)
    return FOUND if found.broken else 0


def _saved(found: Validation, machine: Machine, folder: Path) -> dict[str, list[str]]:
    """Save the worst cases of each claim as scenes; returns their files by claim."""
    from twin.explore.hunt.case_file import case_toml, replay_command

    scenes: dict[str, list[str]] = {}
    for index, claim in enumerate(found.claims, 1):
        for rank, (_, number, case) in enumerate(claim.worst, 1):
            path = folder / f"claim-{index:02}-worst-{rank}.toml"
            comment = [
                f"Not so here: {claim.claim}.",
                f"Move {number} of a validation with seed {found.seed}: {replay_command(case, path.name)}",
            ]
            write_whole(path, case_toml(case, machine, f"{claim.claim[:1].upper()}{claim.claim[1:]}?", comment, folder))
            scenes.setdefault(claim.claim, []).append(str(path))
    return scenes
