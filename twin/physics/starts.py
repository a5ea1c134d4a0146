"""Where a move really starts: ghosts as a varied hand finds them, or nudged to see how close an outcome is."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Final

from twin.board.state import State, validate_state
from twin.errors import BadInputError

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.physics.hand import Hand

NUDGE: Final = 0.1
"""Displacement of the starts by which it is tested whether an outcome is too close to call, mm."""

NUDGES: Final = 8
"""Directions of that displacement."""

_NUDGE_SEED: Final = 20190731


def shifted(state: State, hand: Hand, machine: Machine) -> State:
    """The position as this hand finds it: ghosts displaced, but never into each other, the plug or off the board."""
    if not hand.shifts:
        return state
    order = sorted(state.colours, key=lambda colour: state.places[colour])
    places = state.places
    for colour, (dx, dy) in zip(order, hand.shifts, strict=False):
        x, y = places[colour]
        moved = {**places, colour: (x + dx, y + dy)}
        try:
            validate_state(State.of(state.orientation, moved, state.sliders), machine)
        except BadInputError:
            continue  # no room to stand there
        places = moved
    return State.of(state.orientation, places, state.sliders)


def nudged(state: State, number: int) -> State:
    """The position with every ghost displaced by `NUDGE` in its own seeded direction, turned by an eighth each time."""
    places = {}
    for index, (colour, (x, y)) in enumerate(sorted(state.ghosts, key=lambda g: g[1])):
        angle = 2.0 * math.pi * (number / NUDGES + random.Random(_NUDGE_SEED + index).random())
        places[colour] = (x + NUDGE * math.cos(angle), y + NUDGE * math.sin(angle))
    return State.of(state.orientation, places, state.sliders)
