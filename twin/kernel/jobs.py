"""What the kernel is asked to do: positions, moves and hands as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twin.errors import BadInputError
from twin.hand import NOMINAL, Hand
from twin.kernel.columns import GHOSTS
from twin.moves import Push, Turn
from twin.state import COLOURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.machine import Machine
    from twin.moves import Move
    from twin.state import State

TURN: Final = 0
PUSH: Final = 1
WARPS: Final = 3
"""Amplitudes in the warp of an uneven hand."""


class Jobs(NamedTuple):
    """What to run: N moves on one machine; ghosts in the canonical order of their starts."""

    places: NDArray[np.float64]
    """(N, 4, 2) floor frame, mm; NaN for ghosts that are not there."""
    orientation: NDArray[np.int64]
    """(N,)"""
    sliders: NDArray[np.int64]
    """(N, S, 3) tunnel (from 0), offset, flipped (0 or 1), sliders sorted by name."""
    kind: NDArray[np.int64]
    """(N,) `TURN` or `PUSH`."""
    sign: NDArray[np.int64]
    """(N,) +1 for clockwise and north, -1 for counterclockwise and south."""
    pushed: NDArray[np.int64]
    """(N,) which slider is pushed."""
    hands: NDArray[np.float64]
    """(N, 5) pace, three amplitudes of the warp, misalignment (radians)."""
    shifts: NDArray[np.float64]
    """(N, 4, 2) displacements of the starts, mm."""


def empty_jobs(size: int, sliders: int) -> Jobs:
    """Jobs to be filled in: clockwise turns of nobody, by the nominal hand."""
    hands = np.zeros((size, 2 + WARPS))
    hands[:, 0] = 1.0
    return Jobs(
        places=np.full((size, GHOSTS, 2), np.nan),
        orientation=np.zeros(size, np.int64),
        sliders=np.zeros((size, sliders, 3), np.int64),
        kind=np.zeros(size, np.int64),
        sign=np.ones(size, np.int64),
        pushed=np.zeros(size, np.int64),
        hands=hands,
        shifts=np.zeros((size, GHOSTS, 2)),
    )


def encode(
    machine: Machine, states: Sequence[State], moves: Sequence[Move], hands: Sequence[Hand] | None = None
) -> tuple[Jobs, NDArray[np.int64]]:
    """States, moves and hands as jobs, and which colour each of their ghosts has: (N, 4), -1 where there is none."""
    jobs = empty_jobs(len(states), len(machine.sliders))
    colours = np.full((len(states), GHOSTS), -1, np.int64)
    names = sorted(machine.sliders)
    for n, (state, move) in enumerate(zip(states, moves, strict=True)):
        for i, (colour, place) in enumerate(sorted(state.ghosts, key=lambda ghost: ghost[1])):
            jobs.places[n, i] = place
            colours[n, i] = COLOURS.index(colour)
        jobs.orientation[n] = state.orientation
        for s, name in enumerate(names):
            slider = state.slider(name)
            jobs.sliders[n, s] = slider.tunnel - 1, slider.offset, slider.flipped
        _encode_move(jobs, n, move, names)
        hand = NOMINAL if hands is None else hands[n]
        jobs.hands[n, 0], jobs.hands[n, 1 + WARPS] = hand.pace, hand.misalignment
        jobs.hands[n, 1 : 1 + len(hand.warp)] = hand.warp
        for i, shift in enumerate(hand.shifts[: len(state.ghosts)]):
            jobs.shifts[n, i] = shift
    return jobs, colours


def _encode_move(jobs: Jobs, n: int, move: Move, names: list[str]) -> None:
    match move:
        case Turn():
            jobs.kind[n], jobs.sign[n] = TURN, move.quarter
        case Push(slider) if slider in names:
            jobs.kind[n], jobs.sign[n], jobs.pushed[n] = PUSH, move.step, names.index(slider)
        case Push(slider):
            raise BadInputError(f"a slider must be one of {', '.join(names)}; got {slider!r}", field="move")
        case _:
            raise BadInputError(f"the kernel runs turns and pushes; {move} runs on pymunk", field="move")
