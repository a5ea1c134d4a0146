"""Machines, positions and drives that several tests of physics start from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.machine import Machine, SegmentMagnet, load_machine
from twin.board.state import COLOURS, Slider, State, magnets
from twin.physics.drive import Drive, Phase
from twin.physics.numerics import STEP
from twin.physics.reference import Run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from twin.board.grid import Place
    from twin.physics.trace import Trace

MACHINE: Final = load_machine()
BARE: Final = replace(MACHINE, sliders=dict.fromkeys(MACHINE.sliders, ()))
"""The default machine without magnets in its sliders."""

SLIDERS: Final = (Slider("A", 1), Slider("B", 3), Slider("C", 5))
MAGNET: Final = (-80.0, -80.0)
"""Where the one magnet of `single_magnet` is, while the sliders stand as in `SLIDERS`."""


def single_magnet(polarity: int = 1, **values: float) -> Machine:
    """The default machine with one magnet, under b2; values by key with a double underscore for the dot."""
    machine = replace(BARE, sliders={**BARE.sliders, "A": (SegmentMagnet(2, polarity),)})
    return changed(machine, values)


def changed(machine: Machine, values: Mapping[str, float]) -> Machine:
    """A machine with values changed beyond their ranges, by key with a double underscore for the dot."""
    return machine.with_values({key.replace("__", "."): value for key, value in values.items()}, force=True)


def standing(*places: Place, orientation: int = 0) -> State:
    """Ghosts at floor places, the sliders as in `SLIDERS`."""
    return State.of(orientation, dict(zip(COLOURS, places, strict=False)), SLIDERS)


def board_drive(state: State, machine: Machine, angles: Sequence[float], step: float = STEP) -> Drive:
    """The board turned through given angles (radians, one per instant) and stopped; the run ends there."""
    still = magnets(state, machine)
    none = (False,) * len(still)
    turning = Phase(len(angles) - 1, still, none, angles=tuple(angles))
    return Drive((turning, Phase(0, still, none)), step, final_angle=angles[-1])


def undriven(state: State, machine: Machine, seconds: float, step: float = STEP) -> Drive:
    """Nothing is driven for so long."""
    return board_drive(state, machine, [0.0] * (round(seconds / step) + 1), step)


def every_step(state: State, machine: Machine, drive: Drive) -> Trace:
    """A run with a frame for each step."""
    return Run(state, machine, drive, 1.0 / drive.step).trace()


def on_board(trace: Trace) -> NDArray[np.float64]:
    """Places of the ghosts in the frame of the turning board, shaped (F, G, 2), mm."""
    x, y = trace.poses[:, :, 0], trace.poses[:, :, 1]
    cos, sin = np.cos(trace.board)[:, None], np.sin(trace.board)[:, None]
    return np.stack([cos * x + sin * y, cos * y - sin * x], axis=-1)
