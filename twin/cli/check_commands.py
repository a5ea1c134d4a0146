"""Commands that compare and explain: `check` (what scenes expect), `why`, and `replay` (recorded runs)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from twin.cli.options import (
    FOUND,
    NOT_ALLOWED,
    add_changes,
    add_engine,
    add_json,
    add_machine,
    add_scene,
    add_seed,
    command,
    count,
)
from twin.cli.output import announce_compiling, heading, paint_for, print_json, print_lines
from twin.cli.scenes import check_ghost, load, load_named

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.cli.options import Commands


def add(commands: Commands) -> None:
    """Add the commands to the parser's."""
    sub = command(commands, "check", check, "verify what scenes expect")
    sub.add_argument("scenes", metavar="SCENE", nargs="*", help="all that ship with the twin, if none is named")
    sub.add_argument(
        "--samples",
        metavar="N",
        type=count(),
        default=0,
        help="also refuse expectations that hold in less than 95 %% of N varied hands; whether a move is chancy is "
        "decided by 100 to 2,000",
    )
    add_seed(sub, "the varied hands")
    add_engine(sub)
    add_json(sub)
    add_machine(sub)
    add_changes(sub)
    sub = command(commands, "why", why, "tell the story of each ghost in a move")
    add_scene(sub)
    sub.add_argument("move", metavar='"MOVE"', help='for example "turn cw"')
    sub.add_argument("--ghost", metavar="GHOST", help="only this one")
    add_json(sub)
    add_machine(sub)
    add_changes(sub)
    sub = command(commands, "replay", replay, "run a recorded run again and compare")
    sub.add_argument("file", metavar="FILE", help="written with --record")
    add_json(sub)


def check(options: Namespace) -> int:
    """`twin check [SCENE…]`."""
    from twin.board.scene import scene_names
    from twin.outcome.engine import Twin
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


def why(options: Namespace) -> int:
    """`twin why SCENE "MOVE" [--ghost red]`."""
    from twin.board.moves import move_json, parse_move
    from twin.outcome.engine import Twin
    from twin.reports.why_story import story_json, story_lines, tell

    scene = load(options)
    move = parse_move(options.move)
    if options.ghost is not None:
        check_ghost(scene, options.ghost, "--ghost")
    outcome = Twin(scene.machine).act(scene.state, move)
    stories = [tell(outcome, colour) for colour in scene.state.colours if options.ghost in {None, colour}]
    if options.json:
        ghosts = {story.ghost: story_json(story) for story in stories}
        print_json({"schema": 1, "move": move_json(move), "broken": list(outcome.broken), "ghosts": ghosts})
    else:
        heading(f"{scene.title}: {move}")
        for rule, reason in zip(outcome.broken, outcome.reasons, strict=True):
            print(f"Not allowed by {rule}: {reason}.")
        for story in stories:
            print_lines(story_lines(story))
    return 0 if outcome.legal else NOT_ALLOWED
