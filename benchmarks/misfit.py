"""Misfit: whether a fit says so when no machine of the model can have made the measurements.

Boards of three kinds, each with several hidden machines and 60 readings, measured on the reference engine while fits
run on the kernel: one whose friction lies beyond the range, one that somebody waxes after half of the trials, and one
on which ghosts slide more easily when a slider takes them along than on a turning board. False alarms on boards that
are machines of the model are counted by `recovery`. A confident wrong answer is a fit that tells no misfit and whose
90 % intervals miss the truth in more than two of five values. A changing board has no one friction: there, the other
four are counted, and a friction known to half its range or better is missed as well.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from benchmarks.recovery import READINGS, REPEATS, first_rows, problem_of
from twin.board.machine import Machine, load_machine
from twin.board.moves import Turn
from twin.calibrate.evidence.parameters import from_unit, named, named_values
from twin.calibrate.experiments import draw_experiments
from twin.calibrate.fit.fitting import run_fit
from twin.calibrate.fit.likelihood import Reader
from twin.calibrate.fit.predictive_check import made_up
from twin.calibrate.fit.problem import DEFAULT
from twin.calibrate.fit.quick_forces import quick_machine

if TYPE_CHECKING:
    from collections.abc import Mapping

TITLE: Final = "Misfit: fits to boards that the model does not have"

MACHINES: Final = 5
_QUICK: Final = 1
BEYOND, WAXED, MOVING = (
    "friction beyond its range",
    "friction that changes half way",
    "friction that depends on the move",
)
KINDS: Final = (BEYOND, WAXED, MOVING)
FRICTION: Final = "friction.board"
DRY, WAX = 0.4, 0.15
"""Frictions of a changing board: the ends of the range."""
HALF: Final = 19
"""Trials before it is waxed: 60 readings are 36 to 40 trials."""
ROUGH: Final = 0.7
"""Beyond the range."""
WORTH: Final = 3.0
"""Rivals that are likelier by less are left out of the results."""
FIRST: Final = 200
"""Number of the first hidden machine: not one of those of the recovery."""


def measure(*, quick: bool) -> dict[str, object]:
    """How many fits of each kind tell a misfit, and how many are confident and wrong."""
    numbers = range(FIRST, FIRST + (_QUICK if quick else MACHINES))
    return {"machines": len(numbers), **{kind: [fitted(kind, number) for number in numbers] for kind in KINDS}}


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    said = []
    for kind in KINDS:
        each = cast("list[Mapping[str, Any]]", result[kind])
        told, wrong = (sum(bool(own[key]) for own in each) for key in ("misfit", "confident_and_wrong"))
        said.append(f"{kind}: misfit told in {told} of {len(each)} fits; confident and wrong: {wrong}")
    return said


def fitted(kind: str, number: int) -> dict[str, object]:
    """Measure and fit one hidden machine."""
    base = load_machine()
    parameters = named(base, DEFAULT)
    values = named_values(parameters, from_unit(parameters, np.random.default_rng([number, 4]).random(len(DEFAULT))))
    frictions = (ROUGH, ROUGH) if kind == BEYOND else (DRY, WAX)
    boards = [quick_machine(_wide(base), {**values, FRICTION: friction}) for friction in frictions]
    experiments = draw_experiments(base, READINGS // REPEATS, number)

    def board(trial: int) -> Machine:
        pushed = not isinstance(experiments[trial % len(experiments)].move, Turn)
        return boards[pushed if kind == MOVING else trial >= HALF]

    made = made_up(experiments, base, Reader(), number, repeats=REPEATS, board=board)
    fit = run_fit(problem_of(first_rows(made, READINGS), experiments, base), seed=1)
    low, high = next(e.interval90 for e in fit.estimates if e.name == FRICTION)
    held = {e.name: e.interval90[0] <= values[e.name] <= e.interval90[1] for e in fit.estimates}
    held[FRICTION] = kind != BEYOND and high - low > (DRY - WAX) / 2
    count = sum(held.values())
    return {
        "machine": number,
        "misfit": bool(fit.misfit.flagged),
        "reasons": list(fit.misfit.reasons),
        "p_value": float(fit.misfit.p_value),
        "odd_p_value": float(fit.misfit.odd_p_value),
        "rivals": [[r.parameter, *r.parts, *r.values, r.factor] for r in fit.misfit.rivals if r.factor >= WORTH],
        "friction": [low, high],
        "held": count,
        "confident_and_wrong": not fit.misfit.flagged and count < len(DEFAULT) - 2,
    }


def _wide(machine: Machine) -> Machine:
    """The machine with any friction in its range."""
    own = machine.quantities[FRICTION]
    return replace(machine, quantities={**machine.quantities, FRICTION: replace(own, range=(0.01, 1.0))})
