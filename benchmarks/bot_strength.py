"""How strong the planner is for the time that it may think: wins against greedy, and against itself at 50 ms a move.

Two-player games, seats changed round, varied hands, one process per core. A planner by the clock plays differently each
time, and worse on a busy machine. `python -m benchmarks.bot_strength` draws the kept figures as curves,
docs/pictures/planner.png.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, Final

from twin.game.tournament import Standing, Tournament, hold
from twin.stats import wilson

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
_ROOT: Final = Path(__file__).parent.parent
FIGURES: Final = _ROOT / "benchmarks" / "results" / "bot_strength.json"
PICTURE: Final = _ROOT / "docs" / "pictures" / "planner.png"


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


def draw(result: dict[str, Any], path: Path) -> None:
    """Shares of wins with their intervals over the budget, one curve for each opponent."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 3.6), dpi=110, layout="constrained")
    axes = figure.add_subplot()
    itself = f"against_planner_{YARDSTICK}"
    for key, name, colour in (("against_greedy", "greedy", "#2f7d46"), (itself, f"planner, {YARDSTICK} ms", "#3565b5")):
        rows = sorted((int(ms), row) for ms, row in result[key].items())
        shares = [100 * row["share"] for _, row in rows]
        below = [share - 100 * row["interval"][0] for share, (_, row) in zip(shares, rows, strict=True)]
        above = [100 * row["interval"][1] - share for share, (_, row) in zip(shares, rows, strict=True)]
        budgets = [ms for ms, _ in rows]
        axes.errorbar(budgets, shares, [below, above], label=f"against {name}", color=colour, marker="o", capsize=4)
    axes.axhline(50, color="#999999", linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.set_xticks(BUDGETS, [f"{ms} ms" for ms in BUDGETS])
    axes.minorticks_off()
    axes.set_ylim(0, 105)
    axes.set_xlabel("time a move of the planner")
    axes.set_ylabel("games won, % (95 % intervals)")
    axes.legend(loc="lower right", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Software": None})


if __name__ == "__main__":
    draw(json.loads(FIGURES.read_text(encoding="utf-8")), PICTURE)
