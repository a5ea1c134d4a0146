"""The reference engine: one move, run step by step in pymunk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.physics.drive import plan
from twin.physics.hand import NOMINAL, Hand
from twin.physics.numerics import FRAME_RATE, STEP
from twin.physics.reference.foot import Foot
from twin.physics.reference.loop import Run

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State
    from twin.physics.trace import Trace

__all__ = ["Foot", "Run", "simulate"]


def simulate(
    state: State,
    move: Move,
    machine: Machine,
    hand: Hand = NOMINAL,
    *,
    step: float = STEP,
    frame_rate: float = FRAME_RATE,
) -> Trace:
    """Run a move and tell what happened. A `frame_rate` (1/s) beyond 1 / step keeps every step.

    >>> from twin import Turn, load_scene
    >>> scene = load_scene("start")
    >>> trace = simulate(scene.state, Turn("cw"), scene.machine)
    >>> [round(c, 3) for c in trace.final("red")]
    [-120.0, 120.0]
    """
    return Run(state, machine, plan(state, move, machine, hand, step), frame_rate).trace()
