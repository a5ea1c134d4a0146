"""The words of `twin tournament`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from twin.cli.words import Commands

MOST_GAMES: Final = 1_000_000
MOST_WORKERS: Final = 256
SLOWEST: Final = 60_000
"""The longest that a planner may think about one move, ms."""
ABOUT: Final = (
    "Let bots play against each other, the seats changed round from game to game. Bots are random, greedy and planner; "
    "planner@20 thinks 20 ms a move. A planner by the clock plays differently each time; with --nodes it does not."
)


def add(commands: Commands) -> None:
    """Add the command."""
    sub = commands.add_parser(
        "tournament", help="let bots play against each other", description=ABOUT, allow_abbrev=False
    )
    sub.set_defaults(handler=("tournament", "tournament"))
    sub.add_argument("bots", metavar="BOT", nargs="+", help="two to four: random, greedy, planner or planner@MS")
    sub.add_argument("--games", metavar="N", type=_whole(1, MOST_GAMES), default=200, help="(default 200)")
    sub.add_argument("--seed", metavar="S", type=int, default=1, help="of deals, hands and bots (default 1)")
    sub.add_argument(
        "--budget", metavar="MS", type=_whole(1, SLOWEST), default=50, help="ms a move of the planner (default 50)"
    )
    sub.add_argument(
        "--nodes", metavar="N", type=_whole(1, 10_000_000), help="simulated moves a move instead: reproducible"
    )
    sub.add_argument("--workers", metavar="N", type=_whole(1, MOST_WORKERS), help="processes (default: one per core)")
    sub.add_argument("--hand", choices=("varied", "exact"), default="varied", help="how moves are made")
    sub.add_argument(
        "--max-turns", metavar="N", type=_whole(1, 1_000_000), default=400, help="then it is unfinished (default 400)"
    )
    sub.add_argument("--machine", metavar="NAME", default="reconstruction", help="play on this machine")
    sub.add_argument("--json", action="store_true", help="print one JSON object, for programs")


class _whole:  # noqa: N801 - reads as a type in the words above
    """A whole number within limits, as a type for argparse."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __call__(self, text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise argparse.ArgumentTypeError(f"must be a whole number from {self.low} to {self.high:,}; got {text!r}")
        return number
