"""What the rulebook leaves of the ranges: how long it takes to find out, and whether quick forces change a verdict.

Three things are measured: the study of `twin calibrate rulebook` on all cores; quick tables of forces against
magpylib's, at random sizes, gaps and remanences; and the verdicts on machines with quick tables against those on the
same machines with full ones.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from twin.board.machine import load_machine
from twin.calibrate.evidence.facts import load_evidence
from twin.calibrate.evidence.machine_samples import sample
from twin.calibrate.evidence.parameters import named_values, parameters, with_values
from twin.calibrate.evidence.rulebook_region import study
from twin.calibrate.evidence.verdicts import docket
from twin.calibrate.fit.quick_forces import force_tables
from twin.cli.calibrate_commands import cores
from twin.errors import BadInputError
from twin.physics.laws import SPACING
from twin.physics.magnets import FADE, ghost_table, grip_table
from twin.reports.region_words import study_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.machine import Machine
    from twin.physics.magnets import ForceTable

TITLE: Final = "Rulebook: the region that is left, its cost, and quick forces against full ones"

MACHINES: Final = 4096
TABLES: Final = 40
SEED: Final = 1
_QUICK_MACHINES: Final = 48
_QUICK_TABLES: Final = 2


def measure(*, quick: bool) -> dict[str, object]:
    """Seconds and the study's figures; errors of forces and verdicts."""
    machine = load_machine()
    evidence = load_evidence()
    docket(evidence, machine).judge(machine)  # compiled and loaded before the clock starts
    count = _QUICK_MACHINES if quick else MACHINES
    start, before = time.perf_counter(), sum(os.times()[:4])
    found = study(evidence, machine, count, SEED, workers=cores())
    seconds, worked = time.perf_counter() - start, sum(os.times()[:4]) - before
    told = study_json(found)
    kept = ("machines", "possible", "kept", "share", "interval", "fits", "facts", "parameters", "entangled", "central")
    return {
        "cores": cores(),
        "seconds": round(seconds, 1),
        "processor_seconds": round(worked, 1),
        "load": round(os.getloadavg()[0], 1),
        "study": {key: told[key] for key in kept},
        "forces": compare_forces(machine, _QUICK_TABLES if quick else TABLES),
    }


def compare_forces(machine: Machine, count: int) -> dict[str, Any]:
    """Quick tables against magpylib's on machines from the ranges, in the norms of the tests; and their verdicts."""
    chosen = parameters(machine)
    drawn = sample(machine, chosen, count, SEED + 1)
    court = docket(load_evidence(), machine)
    pulls, lifts, pushes, verdicts, differ = [], [], [], 0, 0
    for index, point in enumerate(drawn.points):
        try:
            full = with_values(machine, named_values(chosen, point))
        except BadInputError:
            continue
        fast = drawn.machine(index)
        grip, between = force_tables(full)
        pulls.append(_error(grip, grip_table(full), "pull", 0.0, peak=True))
        lifts.append(_error(grip, grip_table(full), "lift", 0.0, peak=True))
        pushes.append(_error(between, ghost_table(full), "pull", 2 * full.radius, peak=False))
        if fast is not None:
            first, second = court.judge(full), court.judge(fast)
            verdicts += len(first)
            differ += int(np.sum(first != second))
    worst = {"pull": max(pulls), "lift": max(lifts), "repulsion": max(pushes)}
    return {"machines": len(pulls), "worst": worst, "verdicts": verdicts, "verdicts_differ": differ}


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    told = cast("Mapping[str, Any]", result["study"])
    forces = cast("Mapping[str, Any]", result["forces"])
    low, high = told["interval"]
    worst = ", ".join(f"{name} {100 * value:.2f} %" for name, value in forces["worst"].items())
    facts = ", ".join(f"{fact['name']} {100 * fact['share']:.1f} %" for fact in told["facts"])
    cost = f"{result['seconds']} s, {result['processor_seconds']} s of processor time (load {result['load']})"
    return [
        f"{told['machines']} machines on {result['cores']} cores in {cost}",
        f"{told['kept']} of {told['possible']} fit ({100 * low:.1f} to {100 * high:.1f} %); ruled out by {facts}",
        f"quick forces on {forces['machines']} machines, worst: {worst}",
        f"{forces['verdicts_differ']} of {forces['verdicts']} verdicts differ from those with full tables",
    ]


def _error(quick: ForceTable, full: ForceTable, what: str, nearest: float, *, peak: bool) -> float:
    """Largest difference up to the fade, in units of the full table's peak, or of its value at the same distance."""
    r = np.sqrt(np.arange(len(full.pull)) * SPACING)
    ours, theirs = (np.array(getattr(table, what)) * (r if what == "pull" else 1.0) for table in (quick, full))
    where = (r >= nearest) & (r <= FADE)
    scale = np.abs(theirs[where]).max() if peak else np.abs(theirs[where])
    return float(np.max(np.abs(ours - theirs)[where] / scale))
