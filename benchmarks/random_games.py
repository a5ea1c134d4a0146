"""Whole games by random bots: none breaks, how long they take, who wins, what befalls the ghosts, and how fast it goes.

Every game begins anew, with two players, varied hands and the game's usual limit of turns, in one process per core.
The reference engine plays a few games of the same kind beside it. `python -m benchmarks random_games` measures;
`python benchmarks/random_games.py --games N [--json] [--save FILE] [--page docs/random-games.md]` chooses the number,
keeps the figures and writes the page.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

from twin.game.tournament import MAX_TURNS, Standing, Tournament, hold, quantile
from twin.writing import write_whole

TITLE: Final = "Random games: whole games by random bots"

GAMES: Final = 10_000
SEED: Final = 1
REFERENCE: Final = 4
"""Games on the reference engine, for its rate."""
_QUICK: Final = 100
_SHARES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
_BARS: Final = 8
"""Classes of lengths in the page's table."""


def measure(*, quick: bool) -> dict[str, object]:
    """Games a second of both engines, lengths, wins by seat, fates and straddles."""
    return measured(_QUICK if quick else GAMES)


def measured(games: int) -> dict[str, object]:
    """The same for any number of games."""
    cores = os.cpu_count() or 1
    hold(
        Tournament(("random", "random"), 2 * cores, SEED), cores
    )  # tables are loaded and code compiled before the clock runs
    start, before = time.perf_counter(), _processor_time()
    standing = hold(Tournament(("random", "random"), games, SEED), cores)
    seconds, busy = time.perf_counter() - start, _processor_time() - before
    few = Tournament(("random", "random"), REFERENCE, SEED, engine="pymunk")
    start = time.perf_counter()
    hold(few, cores)
    reference = time.perf_counter() - start
    return {
        **summary(standing),
        "cores": cores,
        "seconds": round(seconds, 1),
        "games_a_second": round(games / seconds, 1),
        "processor_ms_a_game": round(1000 * busy / games, 1),
        "games_a_second_on_free_cores": round(cores * games / busy, 1),
        "reference_games": REFERENCE,
        "reference_games_a_second": round(REFERENCE / reference, 3),
    }


def summary(standing: Standing) -> dict[str, object]:
    """What came of the games, without times."""
    results = standing.results
    lengths = sorted(result.turns for result in results)
    fates: Counter[str] = Counter()
    for result in results:
        fates.update(dict(result.fates))
    finished = [result for result in results if result.winner is not None]
    width = MAX_TURNS // _BARS
    bars = Counter(min((result.turns - 1) // width, _BARS - 1) for result in finished)
    return {
        "games": len(results),
        "seed": standing.tournament.seed,
        "max_turns": standing.tournament.max_turns,
        "unfinished": standing.unfinished,
        "turns": {f"p{round(100 * share):02}": quantile(lengths, share) for share in _SHARES},
        "finished_in_turns": {f"{n * width + 1}-{(n + 1) * width}": bars[n] for n in range(_BARS)},
        "actions_a_game": round(sum(result.actions for result in results) / len(results), 1),
        "wins_by_seat": [
            sum(result.winner == result.first for result in finished),
            sum(result.winner != result.first for result in finished),
        ],
        "ghost_moves": sum(fates.values()),
        "fates": dict(sorted(fates.items(), key=lambda item: -item[1])),
        "straddles": sum(result.straddles for result in results),
        "conflicts": sum(result.conflicts for result in results),
    }


def lines(result: dict[str, Any]) -> list[str]:
    """The result in words."""
    first, second = result["wins_by_seat"]
    turns = ", ".join(f"{name[1:]} % within {value}" for name, value in result["turns"].items())
    fates = ", ".join(f"{count:,} {fate}" for fate, count in result["fates"].items())
    times = result["games_a_second"] / result["reference_games_a_second"]
    games, limit, times = result["games"], result["max_turns"], f"{times:.0f} times slower"
    kernel, reference = result["games_a_second"], result["reference_games_a_second"]
    free = f"{result['games_a_second_on_free_cores']:.1f} if nothing else ran, by processor time"
    told = f"{kernel:.1f} games a second on {result['cores']} cores with the kernel ({free})"
    return [
        f"{games:,} games without an error; {result['unfinished']:,} had no winner after {limit} turns",
        f"{told}; reference engine {reference:.2f} ({times})",
        f"turns a game: {turns}; {result['actions_a_game']:.0f} actions a game",
        f"won by who went first {first:,}, by the other {second:,}",
        f"ghosts in moves: {fates}; {result['straddles']:,} straddled, {result['conflicts']} moves jammed",
    ]


PAGE: Final = """# Games by random players

{games:,} games of two random bots on the twin: varied hands, at most {max_turns} turns, seed {seed}. Every action
is drawn from all that are allowed, each equally likely. No game broke. Written by
`python benchmarks/random_games.py --page docs/random-games.md`.

## How long they last

| turns | games won in them | share |
|---|---:|---:|
{lengths}
| no winner after {max_turns} | {unfinished:,} | {lost} |

{half}. A game has {actions_a_game:.0f} actions on average, most of them
relocations of sliders, since there are so many different ones.

## Who wins

Of {won:,} games with a winner, {first:,} ({share}) went to the player who began and {second:,} to the other.

## What befalls the ghosts

Over all moves, {ghost_moves:,} times a ghost stood on the board while one was made:

| fate | times | share |
|---|---:|---:|
{befell}

{straddles:,} times a ghost covered several spaces and was put onto one of them (D4), {fell:,} times one fell
and went to a corner (D5). After {conflicts:,} moves no joint placement existed, and the fallback was taken (G2).

## How fast they are played

{games_a_second:.1f} games a second on {cores} cores with the kernel, beside other work. A game takes
{processor_ms_a_game:.0f} ms of processor time, which makes {games_a_second_on_free_cores:.1f} games a second where
nothing else runs. The reference engine plays {reference_games_a_second:.2f} games a second (over {reference_games}
games).
"""


def page(result: dict[str, Any]) -> str:
    """The result as a page of the documentation."""
    first, second = result["wins_by_seat"]
    games, moved = result["games"], result["ghost_moves"]
    lengths = [
        f"| {turns.replace('-', ' to ')} | {count:,} | {_share(count, games)} |"
        for turns, count in result["finished_in_turns"].items()
    ]
    befell = [f"| {fate} | {count:,} | {_share(count, moved)} |" for fate, count in result["fates"].items()]
    return PAGE.format(
        **result,
        lengths="\n".join(lengths),
        lost=_share(result["unfinished"], games),
        half=_half(result["turns"]["p50"], result["max_turns"]),
        won=first + second,
        first=first,
        second=second,
        share=_share(first, first + second),
        befell="\n".join(befell),
        fell=result["fates"].get("fell", 0),
    )


def _processor_time() -> float:
    """Processor time of this process and of those that it has started and that have ended, s."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _half(median: int, limit: int) -> str:
    return "Half of the games or more reach the limit" if median >= limit else f"Half of them last up to {median} turns"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "none"


def main() -> None:
    """Measure as many games as asked for; print them, and write the page if asked to."""
    parser = argparse.ArgumentParser(description=TITLE)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the figures as JSON")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page of the documentation")
    options = parser.parse_args()
    result = measured(options.games)
    if options.save is not None:
        write_whole(options.save, json.dumps(result, indent=2) + "\n")
    if options.page is not None:
        write_whole(options.page, page(result))
    print(json.dumps(result, indent=2) if options.json else "\n".join(lines(result)))


if __name__ == "__main__":
    main()
