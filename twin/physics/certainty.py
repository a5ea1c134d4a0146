"""Ghosts that a relocation certainly leaves where they are: a proof from bounds of the forces, in place of a run.

A slider that is pulled out and pushed in elsewhere passes along two tunnels. Rules C1 and C2 keep ghosts off both
corridors, so its magnets stay at least a foot's reach beyond half a space away, where they hardly pull.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from twin.board.state import magnets
from twin.physics.magnets import ghost_table, grip_table

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.moves import Relocate
    from twin.board.state import State

SURE: Final = 0.95
"""A foot is certain to stick if it needs no more than this share of its friction."""


def stays_put(state: State, move: Relocate, machine: Machine) -> bool:
    """Whether no ghost can slip while a slider is moved to another tunnel; False if that is not certain."""
    table, between = grip_table(machine), ghost_table(machine)
    before = state.slider(move.slider)
    passes = [machine.tunnels[tunnel - 1] for tunnel in (before.tunnel, move.tunnel)]
    standing = [m for m in magnets(state, machine) if m.slider != move.slider]
    segments = sorted(m.segment for m in machine.sliders[move.slider])
    weight = machine["ghost.mass"] * machine["gravity.g"]
    for colour, (x, y) in state.ghosts:
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
        near = min(abs(x - tunnel) for tunnel in passes)
        pull, up = table.tails[min(int(near), len(table.tails) - 1)]
        if len(segments) > 1:
            spacing = machine.space * min(b - a for a, b in pairwise(segments))
            beyond = table.tails[min(int(math.hypot(near, spacing / 2)), len(table.tails) - 1)]
            pull += (len(segments) - 1) * beyond[0]
            up += (len(segments) - 1) * beyond[1]
        if math.hypot(fx, fy) + pull > SURE * machine["friction.board"] * (weight - lift - up):
            return False
    return True
