"""Options of a game that people sit down to: who plays, what is settled before, and which files are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.cli.options import add_output, number

if TYPE_CHECKING:
    import argparse

DEFAULT_BUDGET: Final = 50.0
"""How long a planner thinks about a move, ms."""
MOST_BUDGET: Final = 60_000.0


def add_table(sub: argparse._ActionsContainer, engine: str) -> None:
    """Everything but --seed and --machine; what a resumed game has settled already has no default."""
    sub.add_argument(
        "--players",
        metavar="COLOUR=WHO,…",
        help="in the order of play: human, random, greedy or planner (default red=human,blue=greedy)",
    )
    sub.add_argument(
        "--language", choices=("en", "de", "fr", "it", "nl"), help="of everything told (default: the system's)"
    )
    sub.add_argument("--hand", choices=("varied", "exact"), help="how moves are made (default varied)")
    sub.add_argument(
        "--casual", action="store_const", const=True, help="everything can be taken back, pushes and turns too (B2)"
    )
    sub.add_argument(
        "--wandering-decks", action="store_const", const=True, help="a searched deck goes to another place (Q8)"
    )
    sub.add_argument(
        "--strict-stop", action="store_const", const=True, help="a turn may be cut short only on a usable garment (G8)"
    )
    add_sliders(sub)
    sub.add_argument("--as-is", action="store_const", const=True, help="settled ghosts stay off-centre (G7)")
    sub.add_argument("--max-turns", metavar="N", type=int, help="then it is a draw (G6; default 400)")
    sub.add_argument(
        "--engine", choices=("kernel", "pymunk"), help=f"what simulates turns and pushes (default {engine})"
    )
    sub.add_argument(
        "--budget",
        metavar="MS",
        type=number(f"a number of milliseconds up to {MOST_BUDGET:,.0f}", lambda ms: 0.0 < ms <= MOST_BUDGET),
        default=DEFAULT_BUDGET,
        help="how long a planner thinks about a move (default 50 ms)",
    )
    add_output(sub, "--save", "keep the game here, each action as soon as it is made")
    sub.add_argument("--resume", metavar="FILE", help="go on with a saved game, or from the end of a record")
    add_output(sub, "--record", "write the beginning and all actions here, hidden cards too")
    sub.add_argument(
        "--continue",
        dest="go_on",
        action="store_true",
        help="go on with an unfinished game that was kept without --save (the latest, or ask which)",
    )


def add_sliders(sub: argparse._ActionsContainer) -> None:
    """Which slider begins in which tunnel."""
    sub.add_argument(
        "--sliders",
        metavar="A,B,C",
        help="which lies in the first, middle and last tunnel at the start, with “flip” the other way round (S3)",
    )


def sliders_of(text: str | None) -> tuple[str, ...]:
    """The sliders that --sliders names, in the order of their tunnels; none if it is not given."""
    return () if text is None else tuple(text.split(","))
