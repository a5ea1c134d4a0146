"""What the kernel needs of a machine, as plain arrays: the reference engine's tables and constants, none of its own."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from twin.board.grid import SIDE, SPACES, cell
from twin.physics.friction import limit_surface
from twin.physics.kernel.rides import LULL
from twin.physics.laws import rocking_of
from twin.physics.magnets import ghost_table, grip_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.board.machine import Machine

HOLD = 6.0
"""Nearer than this to a magnet (mm) a ghost is well within its grip."""


class Laws(NamedTuple):
    """One machine for the kernel; arrays are read-only, lengths in mm, forces in µN."""

    grip: NDArray[np.float64]
    """(K, 4) pull, its rise, lift, its rise per cell of the table over the squared distance."""
    repulsion: NDArray[np.float64]
    """(K, 2) pull between two ghosts and its rise."""
    tail: NDArray[np.float64]
    """(CUTOFF + 2, 3) the most that a magnet farther than d = 0, 1, 2 … mm can pull or lift, and a ghost push."""
    limit: NDArray[np.float64]
    """(C + 1, 2) shares of linear friction and of friction torque."""
    walls: NDArray[np.bool_]
    """(49, 2) whether there is a wall to the east, and to the north, of each space."""
    patterns: NDArray[np.int64]
    """(S, 7) polarity of the magnet in each segment of each slider, 0 for none; sliders sorted by name."""
    tunnels: NDArray[np.float64]
    """(5,) floor x."""
    space: float
    radius: float
    plug: float
    mass: float
    weight: float
    friction: float
    ghost_friction: float
    plug_friction: float
    rocking_rate: float
    rocking_ratio: float
    lever: float
    lean_lever: float
    edge_inertia: float
    topple_angle: float
    magnet_height: float
    contact_height: float
    rest: float
    reach: float
    grip_range: float
    shove: float
    turn_time: float
    push_time: float
    settle_time: float
    hold_normal: float
    """A normal force that a ghost has only well within the grip of a magnet, µN."""
    landing: int
    """So many steps before the hand comes to rest, a ghost in the grip of a magnet is no longer stepped coarsely.

    Its swing dies down only then, as it sticks to the slowing board now and then. `LULL` by default, which leaves it up
    to a millimetre from where single steps would; 150 leave a hundredth of that, and cost a fifth more.
    """


@lru_cache(maxsize=64)
def laws(machine: Machine) -> Laws:
    """The laws of a machine, kept while it is in use."""
    grip, repulsion = grip_table(machine), ghost_table(machine)
    own = math.sqrt(machine["friction.ghost"])
    slide, spin = limit_surface()
    rocking = rocking_of(machine)
    return Laws(
        grip=_fixed(np.array(grip.cells)),
        repulsion=_fixed(np.array(repulsion.cells)[:, :2].copy()),
        tail=_fixed(_tail(machine)),
        limit=_fixed(np.column_stack([slide, spin])),
        walls=_fixed(_walls(machine)),
        patterns=_fixed(_patterns(machine)),
        tunnels=_fixed(np.array(machine.tunnels)),
        space=machine.space,
        radius=machine.radius,
        plug=machine["plug.radius"],
        mass=machine["ghost.mass"],
        weight=machine["ghost.mass"] * machine["gravity.g"],
        friction=machine["friction.board"],
        # As pymunk multiplies the two shapes' coefficients.
        ghost_friction=own * own,
        plug_friction=own * (machine["friction.plug"] / own) if own > 0 else 0.0,
        rocking_rate=machine["rocking.rate"],
        rocking_ratio=rocking.ratio,
        lever=rocking.lever,
        lean_lever=rocking.lean_lever,
        edge_inertia=rocking.inertia,
        topple_angle=rocking.topple_angle,
        magnet_height=machine["ghost.magnet_height"],
        contact_height=machine["ghost.contact_height"],
        rest=machine["tolerance.rest"],
        reach=machine.reach,
        grip_range=machine["tolerance.grip"],
        shove=machine["tolerance.shove"],
        turn_time=machine["hand.turn_time"],
        push_time=machine["hand.push_time"],
        settle_time=machine["hand.settle_time"],
        hold_normal=machine["ghost.mass"] * machine["gravity.g"] - min(grip.at(HOLD)[1], 0.0),
        landing=LULL,
    )


def _tail(machine: Machine) -> NDArray[np.float64]:
    """Bounds of the forces beyond a distance, from the tables themselves; none beyond the last row."""
    grip, repulsion = np.array(grip_table(machine).tails), np.array(ghost_table(machine).tails)
    return np.vstack([np.column_stack([grip, repulsion[:, 0]]), np.zeros((1, 3))])


def _walls(machine: Machine) -> NDArray[np.bool_]:
    walls = np.zeros((SIDE * SIDE, 2), dtype=np.bool_)
    for index, space in enumerate(SPACES):
        column, row = cell(space)
        if column < SIDE // 2:
            walls[index, 0] = machine.castle.wall_between(space, SPACES[index + SIDE])
        if row < SIDE // 2:
            walls[index, 1] = machine.castle.wall_between(space, SPACES[index + 1])
    return walls


def _patterns(machine: Machine) -> NDArray[np.int64]:
    patterns = np.zeros((len(machine.sliders), SIDE), dtype=np.int64)
    for index, name in enumerate(sorted(machine.sliders)):
        for magnet in machine.sliders[name]:
            patterns[index, magnet.segment - 1] = magnet.polarity
    return patterns


def _fixed(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
