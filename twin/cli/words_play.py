"""The words of the command `play`."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Final

from twin.cli.words import add_machine, command

if TYPE_CHECKING:
    from twin.cli.words import Commands

DEFAULT_BUDGET: Final = 50.0
"""How long a planner thinks about a move, ms."""
MOST_BUDGET: Final = 60_000.0


def add(commands: Commands) -> None:
    """Add `play`. What is settled before a game has no default here, so that a resumed game can keep its own."""
    play = command(commands, "play", ("play", "play"), "play the game at the terminal, people and bots in any mix")
    play.epilog = "Type ? in the game for help."
    play.add_argument(
        "--players",
        metavar="COLOUR=WHO,…",
        help="in the order of play: human, random, greedy or planner (asked for, else red=human,blue=greedy)",
    )
    play.add_argument("--seed", metavar="S", type=int, help="of the deal and of the hands (default 1)")
    play.add_argument(
        "--language", choices=("en", "de", "fr", "it", "nl"), help="of everything told (default: the system's)"
    )
    play.add_argument("--hand", choices=("varied", "exact"), help="how moves are made (default varied)")
    add_machine(play, "play on this machine")
    play.add_argument(
        "--casual", action="store_const", const=True, help="everything can be taken back, pushes and turns too (B2)"
    )
    play.add_argument(
        "--wandering-decks", action="store_const", const=True, help="a searched deck goes to another place (Q8)"
    )
    play.add_argument(
        "--strict-stop", action="store_const", const=True, help="a turn may be cut short only for a search (G8)"
    )
    play.add_argument("--as-is", action="store_const", const=True, help="settled ghosts stay off-centre (G7)")
    play.add_argument("--max-turns", metavar="N", type=int, help="then it is a draw (G6; default 400)")
    play.add_argument("--engine", choices=("kernel", "pymunk"), help="what simulates turns and pushes (default kernel)")
    play.add_argument(
        "--budget",
        metavar="MS",
        type=_milliseconds,
        default=DEFAULT_BUDGET,
        help="how long a planner thinks about a move (default 50 ms)",
    )
    play.add_argument("--save", metavar="FILE", help="keep the game here when the table is left")
    play.add_argument("--resume", metavar="FILE", help="go on with a saved game, or from the end of a record")
    play.add_argument("--record", metavar="FILE", help="write the beginning and all actions here, hidden cards too")
    play.add_argument("--script", metavar="FILE", help="people's actions, one a line, # for remarks")
    play.add_argument("--force", action="store_true", help="let --save and --record overwrite files that are there")


def _milliseconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0.0 < number <= MOST_BUDGET:
        raise argparse.ArgumentTypeError(f"must be a number of milliseconds up to {MOST_BUDGET:,.0f}; got {text!r}")
    return number
