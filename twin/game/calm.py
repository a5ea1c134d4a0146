"""Moves that are a matter of course, proved from bounds of the forces in place of a simulation.

Magnets lie under centres of spaces only, so a ghost on the centre of its space stands right on a magnet or at least a
whole space away from it. If friction holds a ghost against all magnets and ghosts at that distance at once, nobody
stirs by himself: relocations, which rules C1 and C2 keep out of every ghost's column, leave all ghosts alone, and a
drag, which rules A1 to A5 keep clear of everything, just takes its ghost to the next space.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from twin.board.grid import centre, neighbour
from twin.board.state import COLOURS, home_space, magnets
from twin.game.positions import Pending
from twin.game.rules import Happening
from twin.outcome.fates import gripping
from twin.physics.certainty import SURE
from twin.physics.magnets import ghost_table, grip_table

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.moves import Drag
    from twin.board.state import State

STRONG: Final = 0.5
"""The hand is certain to lead a ghost that never needs more than this share of its greatest force."""
_PEAK: Final = 10.0 / math.sqrt(3.0)
"""The greatest acceleration of a minimum-jerk movement, in way / time²."""


@lru_cache(maxsize=64)
def is_calm(machine: Machine) -> bool:
    """Whether friction holds every centred ghost against all magnets and ghosts a whole space away.

    A flat model is not sure of anything over a repelling magnet: a machine with one is not calm.
    """
    grip, between = grip_table(machine), ghost_table(machine)
    count = sum(len(slider) for slider in machine.sliders.values())
    away = min(int(machine.space), len(grip.tails) - 1)
    pull, lift = grip.tails[away]
    push, _ = between.tails[min(away, len(between.tails) - 1)]
    weight = machine["ghost.mass"] * machine["gravity.g"]
    sideways = count * pull + (len(COLOURS) - 1) * push
    grips = all(magnet.polarity > 0 for slider in machine.sliders.values() for magnet in slider)
    return grips and sideways <= SURE * machine["friction.board"] * (weight - count * lift)


@lru_cache(maxsize=64)
def leads(machine: Machine) -> bool:
    """Whether the hand overcomes friction and the strongest pull of a magnet, and brings a ghost up to speed."""
    pull, press = grip_table(machine).tails[0]
    mass, time = machine["ghost.mass"], machine["hand.drag_time"]
    friction = machine["friction.board"] * (mass * machine["gravity.g"] + press)
    speeding = mass * _PEAK * machine.space / (time * time)
    return pull + friction + speeding < STRONG * machine["hand.drag_force"] * 1000.0  # mN to µN


def all_centred(state: State, machine: Machine) -> bool:
    """Whether every ghost stands exactly on the centre of a space."""
    space = machine.space
    return all((x / space).is_integer() and (y / space).is_integer() for _, (x, y) in state.ghosts)


def surely_dragged(state: State, move: Drag, machine: Machine) -> Happening | None:
    """What an allowed drag does, if that is certain; None if it has to be simulated."""
    homes = {colour: home_space(state, colour, machine) for colour in state.colours}
    target = neighbour(homes[move.ghost], move.direction, state.orientation)
    if target is None or not (is_calm(machine) and leads(machine) and all_centred(state, machine)):
        return None
    around = magnets(state, machine)
    gripped = gripping(state.places[move.ghost], around, machine) is not None
    caught = gripping(centre(target, machine.space, state.orientation), around, machine) is not None
    spaces = homes | {move.ghost: target}
    fate = "left" if gripped and not caught else "dragged"
    return Happening(
        Pending(state.orientation, state.sliders, tuple((colour, (spaces[colour],)) for colour in state.colours)),
        fates=tuple((colour, fate if colour == move.ghost else "stayed") for colour in state.colours),
        walls=tuple((colour, 0) for colour in state.colours),
        conflict=False,
    )
