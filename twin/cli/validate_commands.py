"""Commands that put rules and engines to the proof: `validate` and `stress`."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from twin.cli.options import (
    FOUND,
    add_changes,
    add_json,
    add_machine,
    add_output,
    add_overwrite,
    add_region,
    add_seed,
    command,
    count,
    number,
)
from twin.cli.output import Progress, announce_compiling, paint_for, print_json, print_lines
from twin.cli.output_files import check_free, made_folder, tell_written
from twin.cli.scenes import machine_of
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from twin.board.machine import Machine
    from twin.cli.options import Commands
    from twin.explore.claims.let_it_happen import Snap, Validation

MOST: Final = 10_000_000
KINDS: Final = (
    *("thin-margin", "shove-chain", "most-fallen", "jam", "never-settles"),
    *("lifted", "tipping", "topples", "engines-differ"),
)
"""What a hunt can be after; `twin.explore.hunt.evolution.ALL_KINDS`, which takes too long to load for a parser."""
REPORT: Final = "report.html"
DEFAULT_SECONDS: Final = 60.0


def add(commands: Commands) -> None:
    """Add both commands to the parser's."""
    sub = command(commands, "validate", validate, "put rules to the proof over many random and adversarial moves")
    sub.add_argument(
        "what", metavar="let-it-happen", choices=("let-it-happen",), help="rules D3 to D5: hands off, then place"
    )
    sub.add_argument("--samples", metavar="N", type=count(MOST), default=5000, help="moves to try (default 5000)")
    add_seed(sub, "the moves")
    sub.add_argument("--out", metavar="DIR", help="save the worst cases there, as scenes, and report.html")
    add_output(sub, "--html", "write the report there, as one page", ending=".html")
    add_region(sub)
    _shared_options(sub)
    sub = command(commands, "stress", stress, "hunt for extreme positions")
    sub.add_argument(
        "--seconds",
        metavar="S",
        type=number("a number of seconds above 0", lambda seconds: 0.0 < seconds < 1e6),
        help="stop after so long (default 60, without limit if --count is given)",
    )
    sub.add_argument("--count", metavar="N", type=count(MOST), help="moves to try; makes a hunt repeatable")
    add_seed(sub, "the hunt")
    sub.add_argument(
        "--kind",
        metavar="KIND",
        dest="kinds",
        action="append",
        choices=KINDS,
        help=f"only {', '.join(KINDS)} (may be repeated)",
    )
    sub.add_argument("--out", metavar="DIR", help="save what is found there, as scenes")
    add_overwrite(sub)
    _shared_options(sub)


def _shared_options(sub: ArgumentParser) -> None:
    add_json(sub)
    add_machine(sub, "on this machine (default reconstruction)")
    add_changes(sub)


def validate(options: Namespace, snap: Snap | None = None) -> int:
    """`twin validate let-it-happen`; `snap` replaces the snapping layer, for tests."""
    from twin.explore.claims.let_it_happen import validate as put_to_the_proof
    from twin.outcome.snap import snap as usual_snap
    from twin.reports.claims_page import validation_html, validation_json, validation_lines

    if options.machines is not None:
        from twin.cli import over_region

        return over_region.validate(options)
    machine = machine_of(options)
    folder = None
    if options.out is not None:
        folder = made_folder(options.out, "--out")
        names = ["claim-*-worst-*.toml", *([] if options.html else [REPORT])]
        check_free(folder, names, "--out", overwrite=options.overwrite)
    announce_compiling()
    progress = Progress(options.samples, "moves")
    found = put_to_the_proof(machine, options.samples, options.seed, snap=snap or usual_snap, progress=progress)
    scenes = _saved(found, machine, folder) if folder is not None else {}
    page = options.html or (folder and folder / REPORT)
    if page:
        write_whole(Path(page), validation_html(found, scenes))
    if options.json:
        print_json(validation_json(found, scenes))
    else:
        print_lines(validation_lines(found))
        for claim, names in scenes.items():
            print(f"saved for '{claim}': {', '.join(names)}")
        tell_written(options, page)
    return FOUND if found.broken else 0


def _saved(found: Validation, machine: Machine, folder: Path) -> dict[str, list[str]]:
    """Save the worst cases of each claim as scenes; returns their files by claim."""
    from twin.explore.hunt.case_file import case_toml, replay_command

    scenes: dict[str, list[str]] = {}
    for index, claim in enumerate(found.claims, 1):
        for rank, (_, tried, case) in enumerate(claim.worst, 1):
            path = folder / f"claim-{index:02}-worst-{rank}.toml"
            comment = [
                f"Not so here: {claim.claim}.",
                f"Move {tried} of a validation with seed {found.seed}: {replay_command(case, path.name)}",
            ]
            write_whole(path, case_toml(case, machine, f"{claim.claim[:1].upper()}{claim.claim[1:]}?", comment, folder))
            scenes.setdefault(claim.claim, []).append(str(path))
    return scenes


def stress(options: Namespace) -> int:
    """`twin stress`."""
    from twin.explore.hunt.deadline import Deadline
    from twin.explore.hunt.evolution import ALL_KINDS, TELLING, hunt

    seconds = options.seconds
    if seconds is None and options.count is None:
        seconds = DEFAULT_SECONDS
    start = time.monotonic()
    machine = machine_of(options)
    kinds = options.kinds or ALL_KINDS
    folder = None
    if options.out is not None:
        folder = made_folder(options.out, "--out")
        names = [f"{kind}-{way}.toml" for kind in kinds for way in ("turn", "push")]
        check_free(folder, names, "--out", overwrite=options.overwrite)
    announce_compiling()
    limit = math.inf if seconds is None else seconds
    if options.count:
        progress: Callable[[int], None] = Progress(options.count, "moves")
    else:
        bar = Progress(math.ceil(limit - min(TELLING, limit / 2)), "s of hunting", rated=False)

        def progress(_tried: int) -> None:
            bar(int(time.monotonic() - start))

    finds = hunt(
        machine,
        options.seed,
        kinds=kinds,
        count=options.count,
        time=Deadline(time.monotonic, start + limit),
        progress=progress,
    )
    report: list[dict[str, Any]] = []
    for find in finds:
        path = None
        if folder is not None:
            path = folder / f"{find.name}.toml"
            write_whole(path, find.toml(machine, folder))
        scene = None if path is None else str(path)
        said = {"kind": find.kind, "score": round(find.score, 3), "scene": scene, "why": find.why}
        report.append({**said, "confirmed": find.confirmed, "move": str(find.case.move), "chancy": find.chancy})
    if options.json:
        print_json({"finds": report})
        return 0
    paint = paint_for(sys.stdout)
    print(f"{'kind':<15} {'move':<14} {'score':>6}  {'confirmed':<9}  why")
    words: dict[object, str] = {
        True: paint("yes      ", "green"),
        False: paint("no       ", "red"),
        None: paint("no time  ", "dim"),
    }
    for item in report:
        sure = words[item["confirmed"]]
        print(f"{item['kind']:<15} {item['move']:<14} {item['score']:>6.4g}  {sure}  {item['why']}")
        if item["scene"]:
            print(f"{'':<15} saved as {item['scene']}")
    return 0
