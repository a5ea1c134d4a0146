"""How fast the reference engine makes a 4-ghost turn, against the plain loop over the same laws, and its memory.

Both make the same random turns in the same process, one after the other, and must give the same bytes; the ratio of
their processor times is the figure. Memory is the peak of a whole `twin turn` on the reference engine, in a process of
its own.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

from benchmarks.plain_loop import PlainRun
from twin.board.machine import load_machine
from twin.board.moves import Turn
from twin.outcome.riding_share import random_state
from twin.physics.drive import plan
from twin.physics.reference import Run

if TYPE_CHECKING:
    from twin.board.state import State
    from twin.physics.drive import Drive

TITLE: Final = "Turn speed: the reference engine against the plain loop"

TURNS: Final = 60
SEED: Final = 1
_QUICK: Final = 8


def measure(*, quick: bool) -> dict[str, object]:
    """Milliseconds of processor time per turn of both, their ratio, and whether all traces are the same."""
    machine = load_machine()
    setups = drives(_QUICK if quick else TURNS)
    spent = {Run: 0.0, PlainRun: 0.0}
    same = 0
    Run(setups[0][0], machine, setups[0][1]).trace()  # tables are loaded before the clock runs
    for state, drive in setups:
        hashes = []
        for kind in spent:
            start = time.process_time()
            trace = kind(state, machine, drive).trace()
            spent[kind] += time.process_time() - start
            hashes.append(trace.digest())
        same += hashes[0] == hashes[1]
    count = len(setups)
    return {
        "turns": count,
        "engine_ms": 1000 * spent[Run] / count,
        "plain_ms": 1000 * spent[PlainRun] / count,
        "ratio": spent[PlainRun] / spent[Run],
        "same_bytes": same == count,
        "memory_mb": peak_memory(),
    }


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    same = "the same bytes" if result["same_bytes"] else "DIFFERENT bytes"
    return [
        f"{result['ratio']:.2f} times as fast as the plain loop, with {same} in {result['turns']} turns",
        f"engine {result['engine_ms']:.1f} ms a turn, plain loop {result['plain_ms']:.1f} ms",
        f"peak memory of `twin turn start cw --samples 0`: {result['memory_mb']:.0f} MB",
    ]


def drives(count: int) -> list[tuple[State, Drive]]:
    """Random positions of four ghosts, and a turn of each."""
    machine, dice = load_machine(), random.Random(SEED)
    found = []
    for _ in range(count):
        state = random_state(machine, dice)
        found.append((state, plan(state, Turn("cw" if dice.random() < 0.5 else "ccw"), machine)))
    return found


def peak_memory() -> float:
    """Peak resident memory of one `twin turn start cw --samples 0`, MB."""
    code = (
        "import contextlib, io, resource; from twin.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()): main(['turn', 'start', 'cw', '--samples', '0'])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024  # Linux counts in kB, macOS in bytes
    return int(run.stdout) / unit
