"""The command `tournament`: bots against each other, in parallel, with intervals."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Final

from twin.cli.options import add_json, count
from twin.cli.output import Progress, announce_compiling, heading, print_json

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.cli.options import Commands
    from twin.game.tournament import Standing

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
    sub.set_defaults(handler=tournament)
    sub.add_argument("bots", metavar="BOT", nargs="+", help="two to four: random, greedy, planner or planner@MS")
    sub.add_argument("--games", metavar="N", type=count(MOST_GAMES), default=200, help="(default 200)")
    sub.add_argument("--seed", metavar="S", type=int, default=1, help="of deals, hands and bots (default 1)")
    sub.add_argument(
        "--budget", metavar="MS", type=count(SLOWEST), default=50, help="ms a move of the planner (default 50)"
    )
    sub.add_argument(
        "--nodes", metavar="N", type=count(10_000_000), help="simulated moves a move instead: reproducible"
    )
    sub.add_argument("--workers", metavar="N", type=count(MOST_WORKERS), help="processes (default: one per core)")
    sub.add_argument("--hand", choices=("varied", "exact"), default="varied", help="how moves are made")
    sub.add_argument(
        "--max-turns", metavar="N", type=count(1_000_000), default=400, help="then it is unfinished (default 400)"
    )
    sub.add_argument("--machine", metavar="NAME", default="reconstruction", help="play on this machine")
    add_json(sub)


def tournament(options: Namespace) -> int:
    """`twin tournament planner greedy --games 200`."""
    from twin.game.tournament import Tournament, hold

    what = Tournament(
        bots=tuple(options.bots),
        games=options.games,
        seed=options.seed,
        budget=options.budget / 1000.0,
        nodes=options.nodes,
        hand=options.hand,
        max_turns=options.max_turns,
        machine=options.machine,
    )
    announce_compiling()
    workers = options.workers or os.cpu_count() or 1
    standing = hold(what, workers, clock=time.perf_counter, progress=Progress(what.games, "games"))
    if options.json:
        print_json(standing_json(standing))
    else:
        _print_table(standing)
    return 0


def standing_json(standing: Standing) -> dict[str, Any]:
    """A tournament as JSON; `interval` is of the first bot's share of all games."""
    what = standing.tournament
    return {
        "games": len(standing.results),
        "wins": standing.wins,
        "unfinished": standing.unfinished,
        "interval": [round(bound, 4) for bound in standing.interval()],
        "turns": {name: round(value, 2) for name, value in standing.turns().items()},
        "seed": what.seed,
        "budget_ms": round(1000 * what.budget) if what.nodes is None else None,
        "nodes": what.nodes,
        "reproducible": standing.is_reproducible,
    }


def _print_table(standing: Standing) -> None:
    """A table for people."""
    what, games = standing.tournament, len(standing.results)
    heading(f"{games} games, {what.hand} hands, seats changed round, seed {what.seed}")
    width = max(len("unfinished"), *(len(label) for label in what.labels))
    print(f"  {'bot':<{width}}  {'wins':>5}  {'share':>6}  95 % interval")
    for n, (label, wins) in enumerate(standing.wins.items()):
        low, high = standing.interval(n)
        print(f"  {label:<{width}}  {wins:>5}  {100 * wins / games:>5.1f}%  {100 * low:.1f} to {100 * high:.1f} %")
    print(f"  {'unfinished':<{width}}  {standing.unfinished:>5}  {100 * standing.unfinished / games:>5.1f}%")
    turns = standing.turns()
    print(
        f"turns a game: {turns['mean']:.1f} on average, half within {turns['p50']:.0f}, 90 % within {turns['p90']:.0f}"
    )
    if not standing.is_reproducible:
        print("a planner by the clock plays differently each time; --nodes N makes it repeatable")
