"""Which assumed values matter: eight of them with 1,024 points of Saltelli's design, 18,432 machines, on all cores."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Final, cast

from twin.board.machine import load_machine
from twin.calibrate.evidence.parameters import named
from twin.calibrate.sobol_indices import random_trials, sensitivity
from twin.cli.calibrate_commands import cores
from twin.reports.sensitivity_words import sensitivity_json

if TYPE_CHECKING:
    from collections.abc import Mapping

TITLE: Final = "Sensitivity: eight values, 18,432 machines"

EIGHT: Final = (
    "friction.board",
    "magnet.remanence",
    "magnet.gap",
    "hand.turn_time",
    "ghost.radius",
    "board.space",
    "ghost.mass",
    "friction.ghost",
)
SAMPLES: Final = 1024
POSITIONS: Final = 8
SEED: Final = 1
_QUICK: Final = 8


def measure(*, quick: bool) -> dict[str, object]:
    """Seconds, and the indices."""
    machine = load_machine()
    trials = random_trials(machine, POSITIONS, SEED)
    chosen = named(machine, EIGHT)
    sensitivity(machine, trials, chosen[:1], 2, SEED)  # compiled and loaded before the clock starts
    start, before = time.perf_counter(), sum(os.times()[:4])
    found = sensitivity(machine, trials, chosen, _QUICK if quick else SAMPLES, SEED, workers=cores())
    seconds, worked = time.perf_counter() - start, sum(os.times()[:4]) - before
    costs = {"seconds": round(seconds, 1), "processor_seconds": round(worked, 1), "load": round(os.getloadavg()[0], 1)}
    return {"cores": cores(), **costs, **sensitivity_json(found)}


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    ranking = cast("Mapping[str, Any]", result["ranking"])
    told = ", ".join(f"{name} {100 * value:.0f} %" for name, value in ranking.items())
    cost = f"{result['seconds']} s, {result['processor_seconds']} s of processor time (load {result['load']})"
    return [
        f"{result['machines']} machines, {result['runs']} moves on {result['cores']} cores in {cost}",
        f"outcomes: {told}",
        str(result["sentence"]),
    ]
