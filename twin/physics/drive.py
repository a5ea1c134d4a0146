"""What is driven in a move, step by step: the board's angle, the magnets that move, the hand's grip on a ghost.

A `Drive` is worked out before a run, from the move and the hand, and is the same for every engine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from twin.board.grid import DIRECTIONS, SIDE, Place, centre, to_floor
from twin.board.moves import Drag, Move, Push, Relocate, Turn
from twin.board.state import Magnet, Slider, home_space, magnets
from twin.physics.hand import NOMINAL, Hand, progress
from twin.physics.measured import MeasuredTurn
from twin.physics.numerics import STEP

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.state import State


@dataclass(frozen=True)
class Phase:
    """A stretch of a move; all sequences have `steps` + 1 entries, one per instant."""

    steps: int
    magnets: tuple[Magnet, ...]
    """Where the magnets stand before they are shifted."""
    moving: tuple[bool, ...]
    """Which of them move."""
    angles: tuple[float, ...] = ()
    """Angle of the board beyond its start, radians, mathematically positive; empty if it stands still."""
    shifts: tuple[float, ...] = ()
    """How far the moving magnets have come along y, mm; empty if none moves."""
    grip: tuple[Place, ...] = ()
    """Where the hand wants the dragged ghost to be; empty without one."""


@dataclass(frozen=True)
class Drive:
    """The whole move: what is driven, then the wait for rest."""

    phases: tuple[Phase, ...]
    step: float
    dragged: str | None = None
    final_angle: float = 0.0
    """Angle of the board beyond its start once the move is done, radians."""


def plan(state: State, move: Move, machine: Machine, hand: Hand = NOMINAL, step: float = STEP) -> Drive:
    """The drive of a move; the caller keeps away what cannot be made at all (offset 3, a taken tunnel)."""
    still = magnets(state, machine)
    match move:
        case Turn():
            angles = _angles(move, machine, hand, step)
            end = angles[-1]
            turning = Phase(len(angles) - 1, still, _none(still), angles=angles)
            drive = Drive((turning, _settle(still, machine, step)), step, final_angle=end)
        case Push(slider):
            course = _course(hand, machine["hand.push_time"], step)
            way = move.step * machine.space
            pushing = Phase(
                len(course) - 1, still, tuple(m.slider == slider for m in still), shifts=tuple(way * s for s in course)
            )
            drive = Drive((pushing, _settle(magnets(driven(state, move), machine), machine, step)), step)
        case Drag(ghost):
            course = _course(hand, machine["hand.drag_time"], step)
            start, target = state.places[ghost], drag_target(state, move, machine)
            grip = tuple((start[0] + s * (target[0] - start[0]), start[1] + s * (target[1] - start[1])) for s in course)
            dragging = Phase(len(course) - 1, still, _none(still), grip=grip)
            drive = Drive((dragging, _settle(still, machine, step)), step, dragged=ghost)
        case Relocate():
            drive = Drive(_strokes(state, move, machine, hand, step), step)
    return drive


def askew(move: Move, hand: Hand) -> float:
    """The angle by which a hand leaves the board beyond a quarter turn, radians, mathematically positive."""
    return -move.quarter * hand.misalignment if isinstance(move, Turn) else 0.0


def drag_target(state: State, move: Drag, machine: Machine) -> Place:
    """Where the hand drags a ghost to: the centre of the next space, or one space beyond the edge (floor frame, mm)."""
    x, y = centre(home_space(state, move.ghost, machine), machine.space)
    x, y = to_floor((x, y), state.orientation)
    dx, dy = DIRECTIONS[move.direction]
    return x + dx * machine.space, y + dy * machine.space


def driven(state: State, move: Move) -> State:
    """The position with board and sliders as a move leaves them, and the ghosts where they were."""
    match move:
        case Turn():
            return replace(state, orientation=(state.orientation + move.quarter) % 4)
        case Push(slider):
            old = state.slider(slider)
            return state.with_slider(replace(old, offset=old.offset + move.step))
        case Relocate():
            return state.with_slider(relocated(state, move))
    return state


def relocated(state: State, move: Relocate) -> Slider:
    """The slider as a relocation leaves it."""
    before = state.slider(move.slider)
    return Slider(move.slider, move.tunnel, move.offset, flipped=before.flipped != move.flip)


def _course(hand: Hand, duration: float, step: float) -> tuple[float, ...]:
    steps = max(round(duration * hand.pace / step), 1)
    return tuple(progress(hand, index / steps) for index in range(steps + 1))


def _angles(move: Turn, machine: Machine, hand: Hand, step: float) -> tuple[float, ...]:
    """The board's angle at every instant of a turn: measured, or along the hand's profile."""
    if isinstance(hand, MeasuredTurn):
        return tuple(-move.quarter * angle for angle in hand.course(step))
    end = -move.quarter * (math.pi / 2 + hand.misalignment)
    return tuple(end * s for s in _course(hand, machine["hand.turn_time"], step))


def _settle(still: tuple[Magnet, ...], machine: Machine, step: float) -> Phase:
    return Phase(round(machine["hand.settle_time"] / step), still, _none(still))


def _none(still: tuple[Magnet, ...]) -> tuple[bool, ...]:
    return (False,) * len(still)


def _strokes(state: State, move: Relocate, machine: Machine, hand: Hand, step: float) -> tuple[Phase, ...]:
    """Out of the one tunnel and into the other, on the side where it sticks out, until no magnet is near the board."""
    before = state.slider(move.slider)
    side = 1 if before.offset >= 0 else -1
    way = side * 2 * SIDE * machine.space
    course = _course(hand, machine["hand.relocate_time"], step)
    here = magnets(state, machine)
    there = magnets(driven(state, move), machine)
    out = Phase(
        len(course) - 1, here, tuple(m.slider == move.slider for m in here), shifts=tuple(way * s for s in course)
    )
    back = Phase(
        len(course) - 1,
        there,
        tuple(m.slider == move.slider for m in there),
        shifts=tuple(way * (1 - s) for s in course),
    )
    return out, back, _settle(there, machine, step)
