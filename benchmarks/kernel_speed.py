"""How many 4-ghost turns a second the kernel makes, against the plain pymunk loop on one core in the same run.

Random positions are drawn as arrays of spaces; what is measured is what users call, `twin.simulate_arrays` as a whole:
checks, simulation and reading (covered spaces, fates, placements). The plain loop only simulates: its ghosts' runs
alone, which tell who was shoved, are left out of its time, and are part of the kernel's. Rounds of both alternate, and
the middle one counts.

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
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from benchmarks.plain_loop import PlainRun
from twin.board.grid import SPACES, STANDING_SPACES, centre
from twin.board.machine import load_machine
from twin.board.moves import Turn
from twin.board.scene import Scene
from twin.board.state import COLOURS, MAX_OFFSET, Slider, State
from twin.outcome.engine import Twin
from twin.outcome.many import simulate_many
from twin.outcome.move_arrays import MoveArrays, simulate_arrays
from twin.physics.drive import plan
from twin.physics.kernel.jobs import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from twin.board.machine import Machine
    from twin.physics.kernel.jobs import Jobs

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
        "door": door(machine, quick=quick),
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
    ways = cast("Mapping[str, float]", result["door"])
    said.append(
        f"of the bare kernel and reading, users get {100 * ways['arrays']:.1f} % from arrays and "
        f"{100 * ways['scenes']:.1f} % from 20,000 scenes of 400 files"
    )
    said.append(f"peak memory of this process: {result['memory_mb']:.0f} MB; load at the end: {result['load']:.1f}")
    return said


def timed(machine: Machine, turns: int, seed: int, *, varied: bool, threads: int) -> Spent:
    """What the kernel needs for so many random turns, on so many threads; drawing them is not counted."""
    import numba

    before = numba.get_num_threads()
    numba.set_num_threads(threads)
    total = Spent(0.0, 0.0)
    dice = np.random.default_rng((SEED, seed))
    try:
        for first in range(0, turns, BATCH):
            given = random_turns(machine, min(BATCH, turns - first), dice, varied=varied)
            start = Spent.now()
            simulate_arrays(MoveArrays(machine, **given))
            total = total.plus(start)
    finally:
        numba.set_num_threads(before)
    return total


def random_turns(machine: Machine, size: int, dice: np.random.Generator, *, varied: bool) -> dict[str, Any]:
    """Random turns of four ghosts, as `MoveArrays` takes them, drawn as `random_state` draws positions."""
    ghosts, count = len(COLOURS), len(machine.sliders)
    standing = np.array([SPACES.index(space) for space in STANDING_SPACES], np.int8)
    # The first few of a random order.
    spaces = standing[dice.random((size, len(standing))).argpartition(ghosts, axis=1)[:, :ghosts]]
    sliders = np.zeros((size, count, 3), np.int8)
    sliders[:, :, 0] = dice.random((size, len(machine.tunnels))).argsort(axis=1)[:, :count] + 1
    sliders[:, :, 1] = dice.integers(-MAX_OFFSET, MAX_OFFSET + 1, (size, count))
    sliders[:, :, 2] = dice.integers(0, 2, (size, count))
    given: dict[str, Any] = {
        "spaces": spaces,
        "sliders": sliders,
        "moves": dice.integers(0, 2, size).astype(np.int8),
        "orientation": dice.integers(0, 4, size).astype(np.int8),
    }
    if varied:
        sigma = math.sqrt(math.log1p(machine["spread.time"] ** 2))
        pace = dice.lognormal(-sigma * sigma / 2, sigma, size)
        hands, cut = np.empty((size, 5)), machine["spread.place_max"]
        hands[:, 0] = np.clip(pace, machine["spread.time_min"], machine["spread.time_max"])
        warp = dice.normal(0.0, machine["spread.evenness"] * math.sqrt(2 / 3), (size, 3))
        hands[:, 1:4] = warp * np.minimum(1.0, 0.9 / np.abs(warp).sum(axis=1))[:, None]
        hands[:, 4] = np.radians(dice.normal(0.0, machine["spread.angle"], size))
        shifts = np.clip(dice.normal(0.0, machine["spread.place"], (size, ghosts, 2)), -cut, cut)
        given |= {"hands": hands, "shifts": shifts}
    return given


def plain_time(machine: Machine, turns: int, seed: int) -> Spent:
    """What the plain loop spends on a turn."""
    setups = objects(machine, random_turns(machine, turns, np.random.default_rng((SEED, seed)), varied=False))
    drives = [(state, plan(state, move, machine)) for state, move in setups]
    start = Spent.now()
    for state, drive in drives:
        PlainRun(state, machine, drive).trace()
    return Spent(0.0, 0.0).plus(start).per(turns)


def agreement(machine: Machine, turns: int) -> dict[str, int]:
    """How many ghosts end as in the reference engine: fate and covered spaces."""
    given = random_turns(machine, turns, np.random.default_rng((SEED, 0)), varied=False)
    outcomes = simulate_arrays(MoveArrays(machine, **given))
    twin, alike = Twin(machine), 0
    for n, (state, move) in enumerate(objects(machine, given)):
        key = dict(twin.act(state, move, sensitivity=False).key)
        alike += sum(key[colour] == own for colour, own in outcomes.key(n))
    return {"ghosts": turns * len(COLOURS), "alike": alike}


def door(machine: Machine, *, quick: bool) -> dict[str, float]:
    """How fast users are who come by the front door, as a share of the bare kernel and reading; by the clock."""
    from twin.physics.kernel.batch import simulate_jobs
    from twin.physics.kernel.machine_arrays import laws
    from twin.physics.kernel.reading import read_batch

    size, own = (100_000 if quick else 1_000_000), laws(machine)
    dice = np.random.default_rng((SEED, 7))
    pieces = [random_turns(machine, BATCH, dice, varied=False) for _ in range(size // BATCH)]
    whole = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    scenes, turns, jobs = scenes_of_files(machine, pieces[0])

    def bare(batches: Iterable[Jobs]) -> float:
        return sum(_clock(lambda j=j: read_batch(own, j, simulate_jobs(own, j))) for j in batches)  # type: ignore[misc]

    rounds: list[tuple[float, float]] = []
    for _ in range(1 if quick else 3):
        plain = bare(MoveArrays(machine, **piece).jobs() for piece in pieces)
        arrays = _clock(lambda: [len(one) for one in MoveArrays(machine, **whole).outcomes(BATCH)])
        rounds.append((plain / arrays, bare([jobs]) / _clock(lambda: simulate_many(scenes, turns))))
    return {
        "arrays": statistics.median(one for one, _ in rounds),
        "scenes": statistics.median(other for _, other in rounds),
    }


def scenes_of_files(machine: Machine, given: Mapping[str, Any]) -> tuple[list[Scene], list[Turn], Jobs]:
    """20,000 scenes of 400 files, each with a machine of its own that equals the others; and the same as jobs."""
    files = objects(machine, {name: values[:400] for name, values in given.items()})
    scenes = [Scene(f"{n}", f"{n}", replace(machine, name=f"{n}"), state) for n, (state, _) in enumerate(files)] * 50
    turns = [move for _, move in files] * 50
    return scenes, turns, encode(machine, [scene.state for scene in scenes], turns)


def objects(machine: Machine, given: Mapping[str, Any]) -> list[tuple[State, Turn]]:
    """Turns given as arrays, as positions and moves."""
    names = sorted(machine.sliders)
    found = []
    columns = (given["spaces"], given["orientation"], given["sliders"], given["moves"])
    for spaces, orientation, sliders, number in zip(*columns, strict=True):
        ghosts = {
            colour: centre(SPACES[space], machine.space, int(orientation))
            for colour, space in zip(COLOURS, spaces, strict=True)
        }
        rods = [
            Slider(name, int(tunnel), int(offset), bool(flipped))
            for name, (tunnel, offset, flipped) in zip(names, sliders, strict=True)
        ]
        found.append((State.of(int(orientation), ghosts, rods), Turn("cw" if number == 0 else "ccw")))
    return found


def _clock(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
