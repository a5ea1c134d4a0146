"""Misfit: whether a fit says so when no machine of the model can have made the measurements.

Three kinds of boards, each with several hidden machines and 60 readings: one that is just such a machine (a false alarm
is a misfit told there), one measured on the reference engine in place of the kernel, and one whose friction is low in
every other trial and high in the next, which no machine has. A confident wrong answer is a fit that tells no misfit and
whose 90 % intervals miss the truth in more than two of five values; of the last board there is no truth to miss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from benchmarks.recovery import READINGS, REPEATS, first_rows, problem_of
from twin.calibrate.experiments import draw_experiments
from twin.calibrate.fit import run_fit
from twin.calibrate.forces import quick_machine
from twin.calibrate.likelihood import Reader
from twin.calibrate.parameters import from_unit, named, named_values
from twin.calibrate.problem import DEFAULT
from twin.calibrate.replicas import made_up
from twin.machine import load_machine

if TYPE_CHECKING:
    from collections.abc import Mapping

TITLE: Final = "Misfit: fits to boards that the model does not have"

MACHINES: Final = 5
_QUICK: Final = 1
KINDS: Final = ("kernel", "pymunk", "two frictions")
FRICTIONS: Final = (0.15, 0.4)
"""Of the board that is two boards: the ends of the range."""
FIRST: Final = 40
"""Number of the first hidden machine: not one of those of the recovery."""


def measure(*, quick: bool) -> dict[str, object]:
    """How many fits of each kind tell a misfit, and how many values their intervals hold."""
    numbers = range(FIRST, FIRST + (_QUICK if quick else MACHINES))
    return {"machines": len(numbers), **{kind: [fitted(kind, number) for number in numbers] for kind in KINDS}}


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    said = []
    for kind in KINDS:
        each = cast("list[Mapping[str, Any]]", result[kind])
        told = sum(bool(own["misfit"]) for own in each)
        words = f"{kind}: misfit told in {told} of {len(each)} fits"
        if kind != KINDS[-1]:
            held = sum(own["held"] for own in each)
            wrong = sum(not own["misfit"] and own["held"] < len(DEFAULT) - 2 for own in each)
            words += f"; 90 % intervals hold {held} of {len(DEFAULT) * len(each)} values; confident and wrong: {wrong}"
        said.append(words)
    return said


def fitted(kind: str, number: int) -> dict[str, object]:
    """Measure and fit one hidden machine."""
    base = load_machine()
    parameters = named(base, DEFAULT)
    values = named_values(parameters, from_unit(parameters, np.random.default_rng([number, 4]).random(len(DEFAULT))))
    experiments = draw_experiments(base, READINGS // REPEATS, number)
    if kind == KINDS[-1]:
        boards = [quick_machine(base, {**values, "friction.board": friction}) for friction in FRICTIONS]
        made = made_up(experiments, boards[0], Reader(), number, repeats=REPEATS, machines=boards)
    else:
        made = made_up(experiments, quick_machine(base, values), Reader(), number, repeats=REPEATS, engine=kind)
    fit = run_fit(problem_of(first_rows(made, READINGS), experiments, base), seed=1)
    held = sum(e.interval90[0] <= values[e.name] <= e.interval90[1] for e in fit.estimates)
    return {"machine": number, "misfit": fit.misfit.flagged, "p_value": fit.misfit.p_value, "held": held}
