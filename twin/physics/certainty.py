"""What is certain without a run, proved from bounds of the forces: ghosts that stay where they are, drags that succeed.

Magnets lie under centres of spaces only, so a ghost on the centre of its space stands right on a magnet or at least a
whole space away from it. A machine whose friction holds a ghost against all magnets and ghosts at that distance at
once is *calm*: with every ghost centred, none moves by itself. A slider that is pulled out and pushed in elsewhere
passes along two tunnels. Rules C1 and C2 keep ghosts off both corridors, so its magnets stay at least a foot's reach
beyond half a space away, where they hardly pull.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from twin.board.state import COLOURS, magnets
from twin.physics.laws import sure_grip
from twin.physics.magnets import ghost_table, grip_table

if TYPE_CHECKING:
    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.moves import Relocate
    from twin.board.state import State

STRONG: Final = 0.5
"""The hand is certain to lead a ghost that never needs more than this share of its greatest force."""
CAUTION: Final = 2.0
"""How many times the pull of the nearest magnet is reckoned with: its slider has others, farther away."""
_PEAK: Final = 10.0 / math.sqrt(3.0)
"""The greatest acceleration of a minimum-jerk movement, in way / time²."""


def stays_put(state: State, move: Relocate, machine: Machine) -> bool:
    """Whether no ghost can slip while a slider is moved to another tunnel; False if that is not certain."""
    near = [_distance(place, state, move.slider, move.tunnel, machine) for _, place in state.ghosts]
    if rests_centred(state, machine) and min(near, default=math.inf) > machine.space / 2:
        return True
    table, between = grip_table(machine), ghost_table(machine)
    standing = [m for m in magnets(state, machine) if m.slider != move.slider]
    segments = sorted(m.segment for m in machine.sliders[move.slider])
    weight = machine["ghost.mass"] * machine["gravity.g"]
    for (colour, (x, y)), distance in zip(state.ghosts, near, strict=True):
        fx = fy = lift = 0.0
        for m in standing:
            d = math.dist((x, y), (m.x, m.y))
            pull, up = table.at(d)
            if d > 0.0:
                fx += m.polarity * pull * (x - m.x) / d
                fy += m.polarity * pull * (y - m.y) / d
            lift += m.polarity * up
        for other, place in state.ghosts:
            if other != colour:
                d = math.dist((x, y), place)
                push, _ = between.at(d)
                fx += push * (x - place[0]) / d
                fy += push * (y - place[1]) / d
        # One magnet of the slider may come as near as its tunnels are, the next ones stay half their spacing along.
        pull, up = table.beyond(distance)
        if len(segments) > 1:
            spacing = machine.space * min(b - a for a, b in pairwise(segments))
            beyond = table.beyond(math.hypot(distance, spacing / 2))
            pull += (len(segments) - 1) * beyond[0]
            up += (len(segments) - 1) * beyond[1]
        if math.hypot(fx, fy) + pull > sure_grip(machine["friction.board"], weight - lift - up):
            return False
    return True


def passes_clear(state: State, slider: str, tunnel: int, machine: Machine, astray: float = 0.0) -> bool:
    """Whether a slider that leaves its tunnel for another one passes all ghosts where it is too weak to move them.

    A cheaper question than `stays_put`: of ghosts at rest, which the other magnets do not move anyway. They may stand
    up to `astray` mm beside their places.
    """
    reach = pulling_distance(machine) + astray
    return all(_distance(place, state, slider, tunnel, machine) >= reach for _, place in state.ghosts)


@lru_cache(maxsize=64)
def pulling_distance(machine: Machine) -> float:
    """Beyond this distance (mm) a magnet's pull, `CAUTION` times over, is weaker than a ghost's friction."""
    table, weight = grip_table(machine), machine["ghost.mass"] * machine["gravity.g"]
    for distance in range(80, 0, -1):
        pull, lift = table.at(float(distance))
        if CAUTION * abs(pull) > machine["friction.board"] * max(weight - abs(lift), 0.0):
            return float(distance + 1)
    return 0.0


def is_led_surely(state: State, machine: Machine) -> bool:
    """Whether a drag that rules A1 to A5 allow just takes its ghost to the next space, and no other ghost moves."""
    return rests_centred(state, machine) and leads(machine)


def rests_centred(state: State, machine: Machine) -> bool:
    """Whether every ghost stands exactly on the centre of a space of a calm machine, and so stays there by itself."""
    space = machine.space
    return is_calm(machine) and all((x / space).is_integer() and (y / space).is_integer() for _, (x, y) in state.ghosts)


@lru_cache(maxsize=64)
def is_calm(machine: Machine) -> bool:
    """Whether friction holds every centred ghost against all magnets and ghosts a whole space away.

    A flat model is not sure of anything over a repelling magnet: a machine with one is not calm.
    """
    count = sum(len(slider) for slider in machine.sliders.values())
    pull, lift = grip_table(machine).beyond(machine.space)
    push, _ = ghost_table(machine).beyond(machine.space)
    weight = machine["ghost.mass"] * machine["gravity.g"]
    sideways = count * pull + (len(COLOURS) - 1) * push
    grips = all(magnet.polarity > 0 for slider in machine.sliders.values() for magnet in slider)
    return grips and sideways <= sure_grip(machine["friction.board"], weight - count * lift)


@lru_cache(maxsize=64)
def leads(machine: Machine) -> bool:
    """Whether the hand overcomes friction and the strongest pull of a magnet, and brings a ghost up to speed."""
    pull, press = grip_table(machine).beyond(0.0)
    mass, time = machine["ghost.mass"], machine["hand.drag_time"]
    friction = machine["friction.board"] * (mass * machine["gravity.g"] + press)
    speeding = mass * _PEAK * machine.space / (time * time)
    return pull + friction + speeding < STRONG * machine["hand.drag_force"] * 1000.0  # mN to µN


def _distance(place: Place, state: State, slider: str, tunnel: int, machine: Machine) -> float:
    """How near (mm) a slider's magnets come to a place on their way out of its tunnel and into another one.

    They pass the whole length of both tunnels; what counts is the distance from those.
    """
    return min(abs(place[0] - machine.tunnels[number - 1]) for number in (state.slider(slider).tunnel, tunnel))
