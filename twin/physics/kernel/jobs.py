"""What the kernel is asked to do: positions, moves and hands as arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from twin.board.moves import Push, Turn
from twin.board.state import COLOURS
from twin.errors import BadInputError
from twin.physics.hand import NOMINAL, Hand
from twin.physics.kernel.columns import GHOSTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State

_T = TypeVar("_T")

TURN: Final = 0
PUSH: Final = 1
WARPS: Final = 3
"""Amplitudes in the warp of an uneven hand."""


class Jobs(NamedTuple):
    """What to run: N moves on one machine; ghosts in the order of `twin.board.state.COLOURS`."""

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
    """(N, 4, 2) displacements of the starts, mm, in the canonical order of the ghosts: by start x, then y."""


def empty_jobs(size: int, sliders: int) -> Jobs:
    """Jobs to be filled in: clockwise turns without ghosts, by the nominal hand."""
    return Jobs(
        places=np.full((size, GHOSTS, 2), np.nan),
        orientation=np.zeros(size, np.int64),
        sliders=np.zeros((size, sliders, 3), np.int64),
        kind=np.zeros(size, np.int64),
        sign=np.ones(size, np.int64),
        pushed=np.zeros(size, np.int64),
        hands=nominal_hands(size),
        shifts=np.zeros((size, GHOSTS, 2)),
    )


def encode(
    machine: Machine, states: Sequence[State], moves: Sequence[Move], hands: Sequence[Hand] | None = None
) -> Jobs:
    """States, moves and hands as jobs. A state, move or hand that is given many times is read once."""
    size = len(states)
    names = sorted(machine.sliders)
    different, rows = _different(states)
    ghosts, orientations, rods = _positions(different, names)
    kinds, which = _different(moves)
    codes = np.array([_move(move, names) for move in kinds], np.int64).reshape(-1, 3)[which]
    jobs = Jobs(
        places=ghosts[rows],
        orientation=orientations[rows],
        sliders=rods[rows],
        kind=codes[:, 0].copy(),
        sign=codes[:, 1].copy(),
        pushed=codes[:, 2].copy(),
        hands=nominal_hands(size),
        shifts=np.zeros((size, GHOSTS, 2)),
    )
    if hands is not None:
        for n, hand in enumerate(hands):
            if hand is not NOMINAL:
                jobs.hands[n, 0], jobs.hands[n, 1 + WARPS] = hand.pace, hand.misalignment
                jobs.hands[n, 1 : 1 + len(hand.warp)] = hand.warp
                for i, shift in enumerate(hand.shifts[: len(states[n].ghosts)]):
                    jobs.shifts[n, i] = shift
    return jobs


def nominal_hands(size: int) -> NDArray[np.float64]:
    """(N, 5) hands as `Jobs` has them, all nominal."""
    hands = np.zeros((size, 2 + WARPS))
    hands[:, 0] = 1.0
    return hands


def _different(things: Sequence[_T]) -> tuple[list[_T], NDArray[np.int64]]:
    """The different objects among some, and which of them stands in each place."""
    if len(things) == 1:
        return list(things), np.zeros(1, np.int64)
    ids = list(map(id, things))
    numbers = {key: number for number, key in enumerate(dict.fromkeys(ids))}
    first = dict(zip(reversed(ids), reversed(things), strict=True))
    return [first[key] for key in numbers], np.array([numbers[key] for key in ids], np.int64)


def _positions(
    states: Sequence[State], names: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Places (U, 4, 2), orientations (U,) and sliders (U, S, 3) of states."""
    canonical, absent = list(COLOURS), (math.nan, math.nan)
    places, rods = [], []
    for state in states:
        there = [place for _, place in state.ghosts]
        if len(there) < GHOSTS or [colour for colour, _ in state.ghosts] != canonical:
            by_colour = dict(state.ghosts)
            there = [by_colour.get(colour, absent) for colour in COLOURS]
        places.append(there)
        sliders = state.sliders
        if [slider.name for slider in sliders] != names:
            sliders = tuple(state.slider(name) for name in names)
        rods.append([(slider.tunnel - 1, slider.offset, slider.flipped) for slider in sliders])
    size = len(places)
    return (
        np.array(places, np.float64).reshape(size, GHOSTS, 2),
        np.array([state.orientation for state in states], np.int64),
        np.array(rods, np.int64).reshape(size, len(names), 3),
    )


def _move(move: Move, names: list[str]) -> tuple[int, int, int]:
    """Kind, sign and pushed slider of a move."""
    match move:
        case Turn():
            return TURN, move.quarter, 0
        case Push(slider) if slider in names:
            return PUSH, move.step, names.index(slider)
        case Push(slider):
            raise BadInputError(f"a slider must be one of {', '.join(names)}; got {slider!r}", field="move")
        case _:
            raise BadInputError(f"the kernel runs turns and pushes; {move} runs on pymunk", field="move")
