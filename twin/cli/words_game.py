"""The words of the command `game`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.cli.words import add_force, add_json, add_output, add_seed, command, family
from twin.cli.words_table import add_sliders

if TYPE_CHECKING:
    import argparse

    from twin.cli.words import Commands


def add(commands: Commands) -> None:
    """Add `game new`, `game show` and `game act`."""
    parts = family(commands, "game", "new|show|act", "play a saved game, action by action")
    new = command(parts, "new", ("game", "new"), "begin a game and save it")
    add_output(new, "file", "the saved game (.json)")
    add_json(new)
    new.add_argument("--players", metavar="COLOURS", default="red,blue", help="in the order of play: red,blue")
    add_seed(new, "the deal and of the hands")
    new.add_argument("--hand", choices=("varied", "exact"), default="varied", help="how moves are made")
    new.add_argument("--strict-stop", action="store_true", help="a turn may be cut short only on a usable garment (G8)")
    new.add_argument("--wandering-decks", action="store_true", help="a searched deck goes to another place (Q8)")
    add_sliders(new)
    new.add_argument("--as-is", action="store_true", help="settled ghosts stay off-centre (G7)")
    new.add_argument("--max-turns", metavar="N", type=int, default=400, help="then it is a draw (G6)")
    new.add_argument("--machine", metavar="NAME", help="play on this machine")
    add_force(new)
    show = _part(parts, "show", "show a saved game as one player sees it")
    show.add_argument("--player", metavar="COLOUR", help="whose view; the one to move if not given")
    act = _part(parts, "act", "make actions in a saved game")
    act.add_argument("actions", metavar='"ACTION"', nargs="+", help='"turn cw", "search 2", "place red c5", "stop" …')


def _part(parts: Commands, name: str, text: str) -> argparse.ArgumentParser:
    part = command(parts, name, ("game", name), text)
    part.add_argument("file", metavar="FILE", help="the saved game (.json)")
    add_json(part)
    return part
