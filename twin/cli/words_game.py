"""The words of the command `game`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from twin.cli.parser import Commands


def add(commands: Commands) -> None:
    """Add `game new`, `game show` and `game act`."""
    game = commands.add_parser(
        "game", help="play a saved game, action by action", description="Play a saved game, action by action."
    )
    parts = game.add_subparsers(dest="part", metavar="new|show|act", required=True)
    new = _part(parts, "new", "begin a game and save it")
    new.add_argument("--players", metavar="COLOURS", default="red,blue", help="in the order of play: red,blue")
    new.add_argument("--seed", metavar="S", type=int, default=1, help="of the deal and of the hands (default 1)")
    new.add_argument("--hand", choices=("varied", "exact"), default="varied", help="how moves are made")
    new.add_argument("--strict-stop", action="store_true", help="a turn may be cut short only for a search (G8)")
    new.add_argument("--wandering-decks", action="store_true", help="a searched deck goes to another place (Q8)")
    new.add_argument("--as-is", action="store_true", help="settled ghosts stay off-centre (G7)")
    new.add_argument("--max-turns", metavar="N", type=int, default=400, help="then it is a draw (G6)")
    new.add_argument("--machine", metavar="NAME", help="play on this machine")
    new.add_argument("--force", action="store_true", help="overwrite a file that is there")
    show = _part(parts, "show", "show a saved game as one player sees it")
    show.add_argument("--player", metavar="COLOUR", help="whose view; the one to move if not given")
    act = _part(parts, "act", "make actions in a saved game")
    act.add_argument("actions", metavar='"ACTION"', nargs="+", help='"turn cw", "search 2", "place red c5", "stop" …')


def _part(
    parts: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    text: str,
) -> argparse.ArgumentParser:
    part = parts.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.", allow_abbrev=False)
    part.set_defaults(handler=("game", name))
    part.add_argument("file", metavar="FILE", help="the saved game (.json)")
    part.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    return part
