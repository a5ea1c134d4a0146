"""Commands that compare: `check` (what scenes expect) and `replay` (recorded runs)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from twin.board.scene import scene_names
from twin.cli.output import announce_compiling, paint_for, print_json
from twin.cli.scenes import load_named
from twin.outcome.engine import Twin

if TYPE_CHECKING:
    from argparse import Namespace

FOUND = 4


def check(options: Namespace) -> int:
    """`twin check [SCENE…]`."""
    from twin.reports.expectations import check as check_scene

    paint = paint_for(sys.stdout)
    report = []
    for name in options.scenes or scene_names():
        scene = load_named(name, options)
        twin = Twin(scene.machine, options.engine)
        if options.samples or any(expectation.chancy is not None for expectation in scene.expectations):
            announce_compiling()
        findings = check_scene(scene, twin, samples=options.samples, seed=options.seed)
        for finding in findings:
            move, because = str(finding.expectation.move), finding.expectation.because
            report.append({"scene": name, "move": move, "because": because, "unmet": list(finding.unmet)})
            if not options.json:
                verdict = paint("NOT AS EXPECTED", "red") if finding.unmet else paint("as expected", "green")
                print(f"{name}: {move}: {verdict} ({because})")
                for text in finding.unmet:
                    print(f"    {text}")
        if not findings and not options.json:
            print(f"{name}: expects nothing")
    failed = sum(bool(item["unmet"]) for item in report)
    if options.json:
        print_json({"checked": len(report), "failed": failed, "expectations": report})
    else:
        print(f"{len(report)} expectations checked, {failed} not as expected")
    return FOUND if failed else 0


def replay(options: Namespace) -> int:
    """`twin replay FILE`."""
    from twin.reports.run_record import read_record, versions
    from twin.reports.run_record import replay as run_again

    path = Path(options.file)
    recorded = read_record(path).get("versions", {})
    divergence = run_again(path)
    changed = {
        name: f"{recorded.get(name)} then, {now} now" for name, now in versions().items() if recorded.get(name) != now
    }
    if options.json:
        where = None if divergence is None else divergence._asdict()
        print_json({"same": divergence is None, "first": where, "versions": changed})
    elif divergence is None:
        print("same")
    else:
        at = "" if divergence.time is None else f" from {divergence.time:.2f} s on"
        print(f"DIVERGED in move {divergence.move}{at}: {divergence.what}")
    if not options.json:
        for name, text in changed.items():
            print(f"  {name}: {text}")
    return 0 if divergence is None else FOUND
