"""The command `stress`: a hunt for extreme positions."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING, Any

from twin.board.machine import load_machine
from twin.cli.files import check_free, made_folder
from twin.cli.output import Progress, announce_compiling, paint_for, print_json
from twin.cli.scenes import changed
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

DEFAULT_SECONDS = 60.0


def stress(options: Namespace) -> int:
    """`twin stress`."""
    from twin.explore.hunt.deadline import Deadline
    from twin.explore.hunt.evolution import ALL_KINDS, TELLING, hunt

    seconds = options.seconds
    if seconds is None and options.count is None:
        seconds = DEFAULT_SECONDS
    start = time.monotonic()
    machine = changed(load_machine(options.machine or "reconstruction"), options)
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
