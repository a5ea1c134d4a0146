"""Kills of every command that writes, at random calls and moments: what is left is whole, and the next run works."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.faults import COMMANDS, Faults
from twin.processes import run_all

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults import Fault, Prepared
    from tests.long.trial import Trial

KILLS: Final = 200
"""Of each command."""


@dataclass(frozen=True)
class Job:
    """Kills of one command."""

    name: str
    kills: int
    seed: int
    scratch: Path


@dataclass(frozen=True)
class Killed:
    """What came of them."""

    calls: int
    """That change a file, in a run that nothing befalls."""
    ended: int
    """Kills that came too late: the command had ended."""
    seconds: float
    findings: tuple[str, ...]


def run(trial: Trial) -> None:
    """All commands, shared out among processes."""
    names = list(COMMANDS)
    jobs = [Job(name, trial.size(KILLS), trial.seed, trial.folder / str(number)) for number, name in enumerate(names)]
    done = run_all(killed, jobs, trial.workers) if trial.workers else enumerate(map(killed, jobs))
    kills = 0
    for number, result in done:
        kills += jobs[number].kills
        for what in result.findings:
            trial.found(f"{names[number]}: {what}")
        trial.say(
            f"{names[number]}: {jobs[number].kills} kills within {result.calls} calls that write, {result.ended} too "
            f"late, {len(result.findings)} findings, {result.seconds:.0f} s"
        )
    trial.say(f"{kills:,} kills of {len(names)} commands")


def killed(job: Job) -> Killed:
    """Kill one command again and again; half of the kills come at a call, the others after a time."""
    dice = random.Random(f"{job.seed} {job.name}")
    start = time.perf_counter()
    findings: list[str] = []
    ended = 0
    with Faults(job.scratch) as faults, faults.on(COMMANDS[job.name]) as prepared:
        for _ in range(job.kills):
            ended += _strike(prepared, prepared.at_random("SIGKILL", dice), findings)
    return Killed(prepared.calls, ended, time.perf_counter() - start, tuple(findings))


def _strike(prepared: Prepared, fault: Fault, findings: list[str]) -> bool:
    """Whether the command ended before its kill."""
    try:
        return prepared.strike(fault) == 0
    except AssertionError as error:
        findings.append(f"{fault}: {error!s:.300}")
        return False
