"""How many ghosts simply ride along in a turn, on every machine that ships: what a pattern of magnets is judged by.

Over random positions of four ghosts at most 75 % should; else the sliders hardly matter. Intervals take the ghosts as
independent of each other, which those that touch are not.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import TYPE_CHECKING, Any, Final, cast

from twin.board.machine import load_machine, machine_names
from twin.outcome.riding_share import count_fates
from twin.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Mapping

TITLE: Final = "Riding: what random turns do to four ghosts"

TURNS: Final = 400
SEED: Final = 1
_QUICK: Final = 40
_CHUNK: Final = 20
"""Turns that share one seed, so that chunks can be spread over cores and still repeat."""


def measure(*, quick: bool) -> dict[str, object]:
    """Counts of fates and the share that rode, with its 95 % interval, by machine."""
    names = machine_names()
    fates = count_all(names, _QUICK if quick else TURNS)
    machines = {}
    for name in names:
        ghosts, rode = fates[name].total(), fates[name]["rode"]
        machines[name] = {
            "ghosts": ghosts,
            "rode": rode / ghosts,
            "interval": wilson(rode, ghosts),
            "fates": dict(fates[name].most_common()),
        }
    return {"turns": _QUICK if quick else TURNS, "seed": SEED, "machines": machines}


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    said = []
    for name, part in cast("Mapping[str, Mapping[str, Any]]", result["machines"]).items():
        low, high = part["interval"]
        others = ", ".join(f"{count} {fate}" for fate, count in part["fates"].items() if fate != "rode")
        rode = f"{part['rode']:.1%} of {part['ghosts']} ghosts rode (95 % interval {low:.1%} to {high:.1%})"
        said.append(f"{name}: {rode}; {others}")
    return said


def count_all(names: list[str], turns: int, seed: int = SEED) -> dict[str, Counter[str]]:
    """Fates by machine over `turns` random turns (a multiple of 20), spread over all cores."""
    jobs = list(product(names, range(turns // _CHUNK)))
    fates = {name: Counter[str]() for name in names}
    spawn = multiprocessing.get_context("spawn")  # the same on every platform
    with ProcessPoolExecutor(os.cpu_count(), spawn) as pool:
        chunks = pool.map(_count, [name for name, _ in jobs], [1000 * seed + part for _, part in jobs])
        for (name, _), counted in zip(jobs, chunks, strict=True):
            fates[name] += counted
    return fates


def _count(name: str, seed: int) -> Counter[str]:
    return count_fates(load_machine(name), _CHUNK, seed)
