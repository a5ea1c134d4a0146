"""Misfit: whether a fit says so when no machine of the model can have made the measurements.

Four kinds of boards, each with several hidden machines and 60 readings: one that is just such a machine (a misfit told
there is a false alarm), one measured on the reference engine in place of the kernel, one whose friction depends on the
speed (low in turns, high in pushes), which no machine has, and one whose friction lies beyond the range. A confident
wrong answer is a fit that tells no misfit and whose 90 % intervals miss the truth in more than two of five values; of a
board with two frictions there is no truth, and any friction known to half its range or better is wrong.
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
from twin.machine import Machine, load_machine
from twin.moves import Turn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.calibrate.experiments import Experiment

TITLE: Final = "Misfit: fits to boards that the model does not have"

MACHINES: Final = 5
_QUICK: Final = 1
SAME, ENGINE, SPEED, BEYOND = "kernel", "pymunk", "friction by speed", "friction beyond its range"
KINDS: Final = (SAME, ENGINE, SPEED, BEYOND)
FRICTION: Final = "friction.board"
SLOW, FAST = 0.15, 0.4
"""Of turns and of pushes: the ends of the range."""
ROUGH: Final = 0.7
"""Beyond the range."""
FIRST: Final = 40
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
        words = f"{kind}: misfit told in {told} of {len(each)} fits; confident and wrong: {wrong}"
        if kind in {SAME, ENGINE}:
            held = sum(own["held"] for own in each)
            words += f"; 90 % intervals hold {held} of {len(DEFAULT) * len(each)} values"
        said.append(words)
    return said


def fitted(kind: str, number: int) -> dict[str, object]:
    """Measure and fit one hidden machine."""
    base = load_machine()
    parameters = named(base, DEFAULT)
    values = named_values(parameters, from_unit(parameters, np.random.default_rng([number, 4]).random(len(DEFAULT))))
    if kind == BEYOND:
        values[FRICTION] = ROUGH
    experiments = draw_experiments(base, READINGS // REPEATS, number)

    def board(experiment: Experiment) -> Machine:
        friction = SLOW if isinstance(experiment.move, Turn) else FAST
        own = {**values, FRICTION: friction} if kind == SPEED else values
        return base.with_values(own, force=True) if kind == BEYOND else quick_machine(base, own)

    engine = ENGINE if kind == ENGINE else SAME
    made = made_up(experiments, base, Reader(), number, repeats=REPEATS, engine=engine, board=board)
    fit = run_fit(problem_of(first_rows(made, READINGS), experiments, base), seed=1)
    held = sum(e.interval90[0] <= values[e.name] <= e.interval90[1] for e in fit.estimates)
    low, high = next(e.interval90 for e in fit.estimates if e.name == FRICTION)
    sure = high - low < (FAST - SLOW) / 2
    return {
        "machine": number,
        "misfit": bool(fit.misfit.flagged),
        "reasons": list(fit.misfit.reasons),
        "p_value": float(fit.misfit.p_value),
        "part_p_value": fit.misfit.part_p_value,
        "friction": [low, high],
        "held": held,
        "confident_and_wrong": not fit.misfit.flagged and (sure if kind == SPEED else held < len(DEFAULT) - 2),
    }
