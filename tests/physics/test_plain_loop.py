"""The engine's shortcuts change nothing: the plain loop over the same laws gives the same bytes."""

from __future__ import annotations

import random

import pytest

from benchmarks.plain_loop import PlainRun
from twin.board.machine import load_machine
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.outcome.riding_share import random_state
from twin.physics.drive import plan
from twin.physics.reference import Run

MACHINE = load_machine()


def setups():
    dice = random.Random(7)
    for number in range(12):
        state = random_state(MACHINE, dice)
        yield pytest.param(state, Turn("cw" if number % 2 else "ccw"), id=f"turn-{number}")
        slider = dice.choice(state.sliders)
        yield pytest.param(state, Push(slider.name, "north" if slider.offset < 2 else "south"), id=f"push-{number}")
        if number % 4 == 0:
            free = next(t for t in range(1, 6) if t not in {s.tunnel for s in state.sliders})
            yield pytest.param(state, Relocate("A", free, 1, flip=True), id=f"relocate-{number}")
            yield pytest.param(state, Drag("red", "east"), id=f"drag-{number}")


@pytest.mark.parametrize(("state", "move"), list(setups()))
def test_engine_and_plain_loop_give_the_same_bytes(state, move):
    drive = plan(state, move, MACHINE)
    quick, plain = Run(state, MACHINE, drive).trace(), PlainRun(state, MACHINE, drive).trace()
    assert quick.checkpoints() == plain.checkpoints()
    assert quick.digest() == plain.digest()
