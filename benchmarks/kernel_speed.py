"""How many 4-ghost turns a second the kernel makes, against the plain pymunk loop on one core in the same run.

Random positions are drawn as arrays, so that neither Python objects nor their encoding are part of what is measured;
what is measured is `twin.many.read_jobs` as a whole: simulation, reading (covered spaces, fates, placements) and the
ordering of the results by colour. The plain loop only simulates: its ghosts' runs alone, which tell who was shoved,
are left out of its time, and are part of the kernel's. Rounds of both alternate, and the middle one counts.

Each ratio is given twice. By processor time: what two threads do if they have two cores to themselves, and what a
crowded computer can still measure. By the clock: what came out here and now, with whatever else was running. The first
turns are made by the reference engine, too, and must end alike.
"""

from __future__ import annotations

import math
import os
import resource
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from benchmarks.plain_loop import PlainRun
from twin.drive import plan
from twin.engine import Twin
from twin.grid import STANDING_SPACES, centre
from twin.machine import load_machine
from twin.many import read_jobs
from twin.moves import Turn
from twin.state import COLOURS, MAX_OFFSET, Slider, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from twin.kernel.jobs import Jobs
    from twin.machine import Machine

TITLE: Final = "Kernel speed: turns per second against the plain loop"

SEED: Final = 1
BATCH: Final = 50_000
"""Turns that are handed to the kernel at once."""
ROUNDS: Final = 3
SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
_PLAIN: Final = 12
"""Turns of the plain loop in each round."""
_KERNEL: Final = 10_000
"""Turns of the kernel in each round and way."""
_QUICK: Final = (3, 4, 4_000)


class Spent(NamedTuple):
    """Seconds, of all threads together and by the clock."""

    processor: float
    clock: float

    @staticmethod
    def now() -> Spent:
        """The present readings."""
        return Spent(time.process_time(), time.perf_counter())

    def plus(self, start: Spent) -> Spent:
        """What has been spent since `start`, added."""
        now = Spent.now()
        return Spent(self.processor + now.processor - start.processor, self.clock + now.clock - start.clock)

    def per(self, count: int) -> Spent:
        """The share of one of so many."""
        return Spent(self.processor / count, self.clock / count)


def measure(*, quick: bool) -> dict[str, object]:
    """Turns per second of both, their ratios, cost by size of the run, peak memory and agreement."""
    import numba

    rounds, plain, turns = _QUICK if quick else (ROUNDS, _PLAIN, _KERNEL)
    machine = load_machine()
    cores = min(2, numba.get_num_threads())
    ways = {
        f"{hand}_{threads}": (varied, threads)
        for hand, varied in (("nominal", False), ("varied", True))
        for threads in range(1, cores + 1)
    }
    for varied in (False, True):  # compiled, and in the cache
        timed(machine, 64, 0, varied=varied, threads=cores)
    spent: dict[str, list[Spent]] = {name: [] for name in ways}
    baseline = []
    for number in range(rounds):
        baseline.append(plain_time(machine, plain, number))
        for name, (varied, threads) in ways.items():
            spent[name].append(timed(machine, turns, number, varied=varied, threads=threads).per(turns))
    sizes = SIZES[:-1] if quick else SIZES
    costs = {size: timed(machine, size, 99, varied=False, threads=1).per(size) for size in sizes}
    pairs = {name: list(zip(baseline, own, strict=True)) for name, own in spent.items()}
    return {
        "cores": cores,
        "plain": 1.0 / statistics.median(one.processor for one in baseline),
        "rates": {name: ways[name][1] / statistics.median(one.processor for one in own) for name, own in spent.items()},
        "ratios": {
            name: ways[name][1] * statistics.median(one.processor / own.processor for one, own in both)
            for name, both in pairs.items()
        },
        "clock_ratios": {
            name: statistics.median(one.clock / own.clock for one, own in both) for name, both in pairs.items()
        },
        "microseconds_by_size": {str(size): 1e6 * cost.processor for size, cost in costs.items()},
        "agreement": agreement(machine, plain * rounds),
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 2**20),
        "load": os.getloadavg()[0],
    }


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    rates, ratios = cast("Mapping[str, float]", result["rates"]), cast("Mapping[str, float]", result["ratios"])
    clock = cast("Mapping[str, float]", result["clock_ratios"])
    said = [f"plain loop on one core: {result['plain']:.1f} turns a second of processor time"]
    for name, rate in rates.items():
        hand, threads = name.split("_")
        hand = "the nominal hand" if hand == "nominal" else "varied hands"
        said.append(
            f"kernel, {hand}, {threads} thread(s): {rate:,.0f} turns a second, {ratios[name]:,.0f} times the plain "
            f"loop by processor time, {clock[name]:,.0f} times by the clock"
        )
    costs = cast("Mapping[str, float]", result["microseconds_by_size"])
    said.append(
        "processor time per turn on one thread, nominal hand: "
        + ", ".join(f"{cost:.0f} µs in {int(size):,} turns" for size, cost in costs.items())
    )
    same = cast("Mapping[str, Any]", result["agreement"])
    said.append(f"ghosts that end as in the reference engine: {same['alike']} of {same['ghosts']}")
    said.append(f"peak memory of this process: {result['memory_mb']:.0f} MB; load at the end: {result['load']:.1f}")
    return said


def timed(machine: Machine, turns: int, seed: int, *, varied: bool, threads: int) -> Spent:
    """What the kernel needs for so many random turns, on so many threads; drawing them is not counted."""
    import numba

    before = numba.get_num_threads()
    numba.set_num_threads(threads)
    total = Spent(0.0, 0.0)
    dice = np.random.default_rng((SEED, seed))
    colours = np.tile(np.arange(len(COLOURS)), (BATCH, 1))
    try:
        for first in range(0, turns, BATCH):
            jobs = random_jobs(machine, min(BATCH, turns - first), dice, varied=varied)
            start = Spent.now()
            read_jobs(machine, jobs, colours[: len(jobs.kind)])
            total = total.plus(start)
    finally:
        numba.set_num_threads(before)
    return total


def random_jobs(machine: Machine, size: int, dice: np.random.Generator, *, varied: bool) -> Jobs:
    """Random turns of four ghosts: as `twin.riding.random_state` draws them, in arrays."""
    from twin.kernel.jobs import empty_jobs

    jobs = empty_jobs(size, len(machine.sliders))
    ghosts = len(COLOURS)
    centres = np.array([centre(space, machine.space) for space in STANDING_SPACES])
    # The first few of a random order; sorted, since the spaces' own order is the canonical one of the ghosts.
    chosen = dice.random((size, len(centres))).argpartition(ghosts, axis=1)[:, :ghosts]
    jobs.places[:] = _canonical(centres[chosen])
    order = dice.random((size, len(machine.tunnels))).argsort(axis=1)
    jobs.sliders[:, :, 0] = order[:, : len(machine.sliders)]
    jobs.sliders[:, :, 1] = dice.integers(-MAX_OFFSET, MAX_OFFSET + 1, jobs.sliders.shape[:2])
    jobs.sliders[:, :, 2] = dice.integers(0, 2, jobs.sliders.shape[:2])
    jobs.sign[:] = dice.choice([-1, 1], size)
    jobs.orientation[:] = dice.integers(0, 4, size)
    if varied:
        sigma = math.sqrt(math.log1p(machine["spread.time"] ** 2))
        pace = dice.lognormal(-sigma * sigma / 2, sigma, size)
        jobs.hands[:, 0] = np.clip(pace, machine["spread.time_min"], machine["spread.time_max"])
        jobs.hands[:, 1:4] = dice.normal(0.0, machine["spread.evenness"] * math.sqrt(2 / 3), (size, 3))
        jobs.hands[:, 4] = np.radians(dice.normal(0.0, machine["spread.angle"], size))
        cut = machine["spread.place_max"]
        jobs.shifts[:] = np.clip(dice.normal(0.0, machine["spread.place"], jobs.shifts.shape), -cut, cut)
    return jobs


def plain_time(machine: Machine, turns: int, seed: int) -> Spent:
    """What the plain loop spends on a turn."""
    setups = states(machine, random_jobs(machine, turns, np.random.default_rng((SEED, seed)), varied=False))
    drives = [(state, plan(state, move, machine)) for state, move in setups]
    start = Spent.now()
    for state, drive in drives:
        PlainRun(state, machine, drive).trace()
    return Spent(0.0, 0.0).plus(start).per(turns)


def agreement(machine: Machine, turns: int) -> dict[str, int]:
    """How many ghosts end as in the reference engine: fate and covered spaces."""
    jobs = random_jobs(machine, turns, np.random.default_rng((SEED, 0)), varied=False)
    outcomes = read_jobs(machine, jobs, np.tile(np.arange(len(COLOURS)), (turns, 1)))
    twin, alike = Twin(machine), 0
    for n, (state, move) in enumerate(states(machine, jobs)):
        key = dict(twin.act(state, move, sensitivity=False).key)
        alike += sum(key[colour] == own for colour, own in outcomes.key(n))
    return {"ghosts": turns * len(COLOURS), "alike": alike}


def states(machine: Machine, jobs: Jobs) -> list[tuple[State, Turn]]:
    """Jobs as positions and turns."""
    names = sorted(machine.sliders)
    found = []
    for places, orientation, sliders, sign in zip(jobs.places, jobs.orientation, jobs.sliders, jobs.sign, strict=True):
        ghosts = {colour: (float(x), float(y)) for colour, (x, y) in zip(COLOURS, places, strict=True)}
        rods = [
            Slider(name, int(tunnel) + 1, int(offset), bool(flipped))
            for name, (tunnel, offset, flipped) in zip(names, sliders, strict=True)
        ]
        found.append((State.of(int(orientation), ghosts, rods), Turn("cw" if sign > 0 else "ccw")))
    return found


def _canonical(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places (N, 4, 2) sorted by x, then y, as the kernel wants its ghosts."""
    order = np.lexsort((places[:, :, 1], places[:, :, 0]), axis=1)
    sorted_places: NDArray[np.float64] = np.take_along_axis(places, order[:, :, None], axis=1)
    return sorted_places
