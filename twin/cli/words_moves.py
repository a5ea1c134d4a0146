"""The words of the commands that make a move: `turn`, `push`, `drag`, `relocate`, `run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.cli.words import (
    add_changes,
    add_engine,
    add_json,
    add_machine,
    add_output,
    add_samples,
    add_scene,
    command,
    count,
    placing,
)
from twin.cli.words_calibrate import add_region

if TYPE_CHECKING:
    import argparse

    from twin.cli.words import Commands


def add(commands: Commands) -> None:
    """Add the commands to the parser's."""
    turn = command(commands, "turn", ("act", "turn"), "turn the board by 90° and see what becomes of the ghosts")
    add_scene(turn)
    turn.add_argument("direction", metavar="cw|ccw", choices=("cw", "ccw"), help="seen from above")
    turn.add_argument(
        "--path", metavar="FILE", help="turn along a measured path: a table of time_s and angle_rad or angle_deg (.csv)"
    )
    add_region(turn)
    push = command(commands, "push", ("act", "push"), "push a slider by one segment")
    add_scene(push)
    push.add_argument("slider", metavar="SLIDER", help="its name, for example A")
    push.add_argument("direction", metavar="north|south", choices=("north", "south"))
    drag = command(commands, "drag", ("act", "drag"), "drag a ghost to the next space")
    add_scene(drag)
    drag.add_argument("ghost", metavar="GHOST", help="red, yellow, green or blue")
    drag.add_argument(
        "direction", metavar="north|east|south|west", choices=("north", "east", "south", "west"), help="of the floor"
    )
    relocate = command(commands, "relocate", ("act", "relocate"), "move a slider to another tunnel")
    add_scene(relocate)
    relocate.add_argument("slider", metavar="SLIDER")
    relocate.add_argument("tunnel", metavar="TUNNEL", type=int, help="where it goes: 1 to 5, from the left")
    relocate.add_argument("offset", metavar="OFFSET", type=int, help="how far north it ends, -2 to 2 segments")
    relocate.add_argument("--flip", action="store_true", help="turn it end for end on the way")
    run = command(commands, "run", ("act", "run"), "make several moves one after the other")
    add_scene(run)
    run.add_argument("moves", metavar='"MOVE"', nargs="+", help='for example "turn cw" "push A north"')
    for sub in (turn, push, drag, relocate, run):
        _act_options(sub)


def _act_options(sub: argparse.ArgumentParser) -> None:
    add_engine(sub)
    add_samples(
        sub,
        "also draw N varied hands: how sure is it? auto: 100 to 2,000, until it is decided (turn and push draw so "
        "unless --json); 0: none",
        least=0,
    )
    add_json(sub)
    add_output(sub, "--save", "write the scene afterwards (.toml)", ending=".toml")
    sub.add_argument(
        "--place", metavar="GHOST=SPACE,…", type=placing, default={}, help="choose among the placements (D4, D5)"
    )
    sub.add_argument("--as-is", action="store_true", help="settled ghosts stay where physics left them, off-centre")
    add_output(sub, "--trace", "write poses, velocities, forces, energies (.csv or .parquet)")
    sub.add_argument(
        "--frames", metavar="N", type=count(), default=100, help="frames per second in --trace (default 100; 1000: all)"
    )
    add_output(sub, "--record", "write the run, for `twin replay`")
    add_machine(sub)
    add_changes(sub)
