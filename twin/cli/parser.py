"""The words that `twin` understands."""

from __future__ import annotations

import argparse
import math
from typing import Final, TypeAlias

from twin import __version__
from twin.cli import words_atlas, words_explore, words_game, words_validate

EXIT_CODES: Final = """exit codes: 0 done · 2 bad input or usage · 3 not allowed by the rules · \
4 a check found something · 130 interrupted"""
MOST_SAMPLES: Final = 1_000_000


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands; `handler` names module and function of the one that was chosen."""
    parser = argparse.ArgumentParser(
        prog="twin",
        description='A physics-based digital twin of the board game "Ab durch die Mauer".',
        epilog=f"A scene or machine is a name that ships with the twin, or a path to a .toml file. {EXIT_CODES}",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"twin {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    _demo(commands)
    _moves(commands)
    _looking(commands)
    _checking(commands)
    words_explore.add(commands)
    words_atlas.add(commands)
    words_validate.add(commands)
    words_game.add(commands)
    return parser


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - argparse names it so


def _command(commands: Commands, name: str, handler: tuple[str, str], text: str) -> argparse.ArgumentParser:
    sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False)
    sub.set_defaults(handler=handler)
    return sub


def _demo(commands: Commands) -> None:
    _command(commands, "demo", ("demo", "demo"), "show in a minute what the twin can do")


def _moves(commands: Commands) -> None:
    turn = _command(commands, "turn", ("act", "turn"), "turn the board by 90° and see what becomes of the ghosts")
    _scene(turn)
    turn.add_argument("direction", metavar="cw|ccw", choices=("cw", "ccw"), help="seen from above")
    push = _command(commands, "push", ("act", "push"), "push a slider by one segment")
    _scene(push)
    push.add_argument("slider", metavar="SLIDER", help="its name, for example A")
    push.add_argument("direction", metavar="north|south", choices=("north", "south"))
    drag = _command(commands, "drag", ("act", "drag"), "drag a ghost to the next space")
    _scene(drag)
    drag.add_argument("ghost", metavar="GHOST", help="red, yellow, green or blue")
    drag.add_argument(
        "direction", metavar="north|east|south|west", choices=("north", "east", "south", "west"), help="of the floor"
    )
    relocate = _command(commands, "relocate", ("act", "relocate"), "move a slider to another tunnel")
    _scene(relocate)
    relocate.add_argument("slider", metavar="SLIDER")
    relocate.add_argument("tunnel", metavar="TUNNEL", type=int, help="where it goes: 1 to 5, from the left")
    relocate.add_argument("offset", metavar="OFFSET", type=int, help="how far north it ends, -2 to 2 segments")
    relocate.add_argument("--flip", action="store_true", help="turn it end for end on the way")
    run = _command(commands, "run", ("act", "run"), "make several moves one after the other")
    _scene(run)
    run.add_argument("moves", metavar='"MOVE"', nargs="+", help='for example "turn cw" "push A north"')
    for sub in (turn, push, drag, relocate, run):
        _act_options(sub)


def _looking(commands: Commands) -> None:
    machine = _command(commands, "machine", ("look", "machine"), "show a machine: its values, sliders and castle")
    machine.add_argument("name", metavar="NAME", nargs="?", default="reconstruction")
    machine.add_argument(
        "--riding", metavar="N", type=_count, help="also count how many ghosts simply ride in N random 4-ghost turns"
    )
    machine.add_argument("--seed", metavar="S", type=int, default=1, help="of those turns (default 1)")
    _json(machine)
    _set(machine)
    scenes = _command(commands, "scenes", ("look", "scenes"), "list the scenes that ship with the twin")
    _json(scenes)
    show = _command(commands, "show", ("look", "show"), "draw a scene")
    _scene(show)
    _json(show)
    _machine(show)


def _checking(commands: Commands) -> None:
    check = _command(commands, "check", ("check", "check"), "verify what scenes expect")
    check.add_argument("scenes", metavar="SCENE", nargs="*", help="all that ship with the twin, if none is named")
    check.add_argument(
        "--samples", metavar="N", type=_count, default=0, help="expectations must also hold with N varied hands"
    )
    check.add_argument("--seed", metavar="S", type=int, default=1, help="of the varied hands (default 1)")
    _json(check)
    _machine(check)
    _set(check)
    why = _command(commands, "why", ("why", "why"), "tell the story of each ghost in a move")
    _scene(why)
    why.add_argument("move", metavar='"MOVE"', help='for example "turn cw"')
    why.add_argument("--ghost", metavar="GHOST", help="only this one")
    _json(why)
    _machine(why)
    _set(why)
    replay = _command(commands, "replay", ("check", "replay"), "run a recorded run again and compare")
    replay.add_argument("file", metavar="FILE", help="written with --record")
    _json(replay)


def _scene(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("scene", metavar="SCENE", help="a name (`twin scenes` lists them) or a path")


def _json(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--json", action="store_true", help="print one JSON object, for programs")


def _machine(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--machine", metavar="NAME", help="use this machine instead of the scene's own")


def _set(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest="changes",
        action="append",
        default=[],
        type=_change,
        help="change a value of the machine, for example friction.board=0.3 (may be repeated)",
    )
    sub.add_argument("--force", action="store_true", help="allow values outside their range")


def _act_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--engine",
        choices=("pymunk", "kernel"),
        default="pymunk",
        help="what simulates turns and pushes: the reference (default) or the batch kernel",
    )
    sub.add_argument(
        "--samples",
        metavar="N",
        type=_count_or_none,
        help="also try N varied hands: how sure is it? (turn and push: 200 unless --json; 0: none)",
    )
    sub.add_argument("--seed", metavar="S", type=int, default=1, help="of the varied hands (default 1)")
    _json(sub)
    sub.add_argument("--save", metavar="FILE", help="write the scene afterwards (.toml)")
    sub.add_argument(
        "--place", metavar="GHOST=SPACE,…", type=_placing, default={}, help="choose among the placements (D4, D5)"
    )
    sub.add_argument("--as-is", action="store_true", help="settled ghosts stay where physics left them, off-centre")
    sub.add_argument("--trace", metavar="FILE", help="write poses, velocities, forces, energies (.csv or .parquet)")
    sub.add_argument(
        "--frames", metavar="N", type=_count, default=100, help="frames per second in --trace (default 100; 1000: all)"
    )
    sub.add_argument("--record", metavar="FILE", help="write the run, for `twin replay`")
    _machine(sub)
    _set(sub)


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= MOST_SAMPLES:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MOST_SAMPLES:,}; got {text!r}")
    return number


def _count_or_none(text: str) -> int:
    return 0 if text == "0" else _count(text)


def _change(text: str) -> tuple[str, float]:
    key, equals, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not (key and equals) or not math.isfinite(number):
        raise argparse.ArgumentTypeError(
            f"must be KEY=VALUE with a finite number, like friction.board=0.3; got {text!r}"
        )
    return key.strip(), number


def _placing(text: str) -> dict[str, str]:
    choice: dict[str, str] = {}
    for part in text.split(","):
        ghost, equals, space = part.partition("=")
        if not (ghost and equals and space) or ghost.strip() in choice:
            raise argparse.ArgumentTypeError(f"must be like red=c5,blue=a1, each ghost once; got {text!r}")
        choice[ghost.strip()] = space.strip()
    return choice
