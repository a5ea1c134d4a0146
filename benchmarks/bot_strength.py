"""How strong the planner is for the time that it may think: wins against greedy, and against itself at 50 ms a move.

Two-player games, seats changed round, varied hands, one process per core. A planner by the clock plays differently each
time, and worse on a busy machine.
"""

from __future__ import annotations

import os
import time
from typing import Any, Final

from twin.ensemble import wilson
from twin.game.tournament import Standing, Tournament, hold

TITLE: Final = "Bot strength: the planner's share of wins against its budget"

BUDGETS: Final = (5, 20, 50, 200)
"""Milliseconds a move."""
YARDSTICK: Final = 50
"""Budget of the planner that other planners play against, ms."""
SEED: Final = 1
GAMES: Final = 200
SLOW_GAMES: Final = 60
"""Games of a planner that thinks longer than `YARDSTICK`; its share is less certain."""
PLANNER_GAMES: Final = 30
_QUICK: Final = 4


def measure(*, quick: bool) -> dict[str, object]:
    """Shares of wins with intervals, for each budget and for greedy against random."""

    def held(one: str, other: str, games: int) -> dict[str, object]:
        what = Tournament((one, other), _QUICK if quick else games, SEED)
        return _row(hold(what, os.cpu_count() or 1, clock=time.perf_counter))

    return {
        "greedy_against_random": held("greedy", "random", GAMES),
        "against_greedy": {
            str(ms): held(f"planner@{ms}", "greedy", GAMES if ms <= YARDSTICK else SLOW_GAMES) for ms in BUDGETS
        },
        f"against_planner_{YARDSTICK}": {
            str(ms): held(f"planner@{ms}", f"planner@{YARDSTICK}", PLANNER_GAMES) for ms in BUDGETS if ms != YARDSTICK
        },
    }


def lines(result: dict[str, Any]) -> list[str]:
    """The result in words."""
    told = [f"greedy against random: {_words(result['greedy_against_random'])}"]
    told += [f"planner {ms} ms a move against greedy: {_words(row)}" for ms, row in result["against_greedy"].items()]
    for ms, row in result[f"against_planner_{YARDSTICK}"].items():
        told.append(f"planner {ms} ms a move against itself at {YARDSTICK} ms: {_words(row)}")
    return told


def _row(standing: Standing) -> dict[str, object]:
    games = len(standing.results)
    wins = next(iter(standing.wins.values()))
    return {
        "games": games,
        "wins": wins,
        "unfinished": standing.unfinished,
        "share": round(wins / games, 4),
        "interval": [round(bound, 4) for bound in wilson(wins, games)],
        "turns_mean": round(standing.turns()["mean"], 2),
    }


def _words(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    return (
        f"{row['wins']} of {row['games']} won ({100 * low:.0f} to {100 * high:.0f} %), "
        f"{row['unfinished']} unfinished, {row['turns_mean']:.1f} turns a game"
    )
