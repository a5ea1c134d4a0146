"""The words of the commands that look and check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.cli.words import add_changes, add_engine, add_json, add_machine, add_scene, add_seed, command, count

if TYPE_CHECKING:
    from twin.cli.words import Commands


def add(commands: Commands) -> None:
    """Add the commands to the parser's."""
    command(commands, "demo", ("demo", "demo"), "show in a minute what the twin can do")
    machine = command(commands, "machine", ("look", "machine"), "show a machine: its values, sliders and castle")
    machine.add_argument("name", metavar="NAME", nargs="?", default="reconstruction")
    machine.add_argument(
        "--riding", metavar="N", type=count(), help="also count how many ghosts simply ride in N random 4-ghost turns"
    )
    add_seed(machine, "those turns")
    add_json(machine)
    add_changes(machine)
    scenes = command(commands, "scenes", ("look", "scenes"), "list the scenes that ship with the twin")
    add_json(scenes)
    show = command(commands, "show", ("look", "show"), "draw a scene")
    add_scene(show)
    add_json(show)
    add_machine(show)
    check = command(commands, "check", ("check", "check"), "verify what scenes expect")
    check.add_argument("scenes", metavar="SCENE", nargs="*", help="all that ship with the twin, if none is named")
    check.add_argument(
        "--samples",
        metavar="N",
        type=count(),
        default=0,
        help="also refuse expectations that hold in less than 95 %% of N varied hands; whether a move is chancy is "
        "decided by 100 to 2,000",
    )
    add_seed(check, "the varied hands")
    add_engine(check)
    add_json(check)
    add_machine(check)
    add_changes(check)
    why = command(commands, "why", ("why", "why"), "tell the story of each ghost in a move")
    add_scene(why)
    why.add_argument("move", metavar='"MOVE"', help='for example "turn cw"')
    why.add_argument("--ghost", metavar="GHOST", help="only this one")
    add_json(why)
    add_machine(why)
    add_changes(why)
    replay = command(commands, "replay", ("check", "replay"), "run a recorded run again and compare")
    replay.add_argument("file", metavar="FILE", help="written with --record")
    add_json(replay)
