"""The pymunk world of one run: board, plug, walls, ghosts, and the joints that stand for dry friction.

Built for one move, run once, thrown away. Top-down, so there is no gravity in the plane; mm, g, s, and forces in
g·mm/s² = µN.

Friction with the board is a `PivotJoint` per ghost between the board and the ghost, anchored at the ghost's place *on
the board* and limited to the Coulomb force: the solver removes the velocity relative to the board's surface at that
point, with at most μ·N. (Anchored at the hub it would compare velocities at the hub, and carry no ghost.) A `GearJoint`
does the same for spin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pymunk

from twin.board.grid import PLUG_SPACE, cell, space_under
from twin.physics.numerics import COLLISION_BIAS, COLLISION_PERSISTENCE, COLLISION_SLOP, ITERATIONS
from twin.physics.trace import PLUG, WALL

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.state import State

WALL_THICKNESS: Final = 0.5
"""Half the thickness of a wall that stops a dragged ghost, mm: a line of print."""

HAND_STIFFNESS: Final = (1.0 - 0.3) ** 1000.0
"""Share of the distance to the hand that is left after a second, as pymunk counts it: 30 % are made good every ms."""

_FREE: Final = 0b01
_IN_HAND: Final = 0b10
"""Categories of ghosts: walls stop only the one that is dragged."""


def _setter(prop: property) -> Callable[[Any, Any], None]:
    """A property's own setter: half the price of going through pymunk's attributes, which counts in every step."""
    if prop.fset is None:
        raise TypeError(prop)
    return prop.fset


set_force: Final = _setter(pymunk.Body.force)
set_angle: Final = _setter(pymunk.Body.angle)
set_spin: Final = _setter(pymunk.Body.angular_velocity)
set_limit: Final = _setter(pymunk.Constraint.max_force)
set_anchor: Final = _setter(pymunk.PivotJoint.anchor_a)


@dataclass(frozen=True)
class GhostBody:
    """A ghost's parts in the world."""

    colour: str
    body: pymunk.Body
    shape: pymunk.Circle
    grip: pymunk.PivotJoint
    """Dry friction against sliding."""
    twist: pymunk.GearJoint
    """Dry friction against spinning."""


@dataclass(frozen=True)
class World:
    """Everything that a run needs to hold on to."""

    space: pymunk.Space
    board: pymunk.Body
    ghosts: tuple[GhostBody, ...]
    """In the canonical order: by start x, then y, never by colour, so that relabelled ghosts do the same."""
    names: dict[int, str]
    """Whose body an id is: a colour, `plug` or `wall`."""
    dragged: GhostBody | None = None
    """The ghost in the hand."""
    hand: pymunk.Body | None = None
    pull: pymunk.PivotJoint | None = None
    """The hand's hold on the ghost that it drags."""


def build_world(state: State, machine: Machine, dragged: str | None = None) -> World:
    """The world at the start of a move; walls are solid only where a ghost is dragged (A2, B7, D2)."""
    space = pymunk.Space()
    space.iterations = ITERATIONS
    space.collision_slop = COLLISION_SLOP
    space.collision_bias = COLLISION_BIAS
    space.collision_persistence = COLLISION_PERSISTENCE
    board = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    space.add(board)
    own = math.sqrt(machine["friction.ghost"])  # pymunk multiplies the two shapes' friction
    plug = pymunk.Circle(space.static_body, machine["plug.radius"])
    plug.friction = machine["friction.plug"] / own if own > 0 else 0.0
    space.add(plug)
    names = {space.static_body.id: PLUG, board.id: WALL}
    ghosts = tuple(
        _add_ghost(space, board, colour, place, machine, own)
        for colour, place in sorted(state.ghosts, key=lambda g: g[1])
    )
    names |= {ghost.body.id: ghost.colour for ghost in ghosts}
    if dragged is None:
        return World(space, board, ghosts, names)
    # A foot whose centre is over the plug's space must get out of it, whatever is printed round the plug.
    inside = space_under(state.board_place(dragged), machine.space) == PLUG_SPACE
    _add_walls(space, board, machine, without=PLUG_SPACE if inside else None)
    hand = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    held = next(ghost for ghost in ghosts if ghost.colour == dragged)
    held.shape.filter = pymunk.ShapeFilter(categories=_IN_HAND)
    hand.position = held.body.position
    pull = pymunk.PivotJoint(hand, held.body, (0.0, 0.0), (0.0, 0.0))
    pull.max_force = machine["hand.drag_force"] * 1000.0  # mN to µN
    pull.error_bias = HAND_STIFFNESS
    space.add(hand, pull)
    return World(space, board, ghosts, names, held, hand, pull)


def remove_ghost(world: World, ghost: GhostBody) -> None:
    """Take a fallen ghost out of the world."""
    if world.pull is not None and world.pull.b is ghost.body and world.pull in world.space.constraints:
        world.space.remove(world.pull)
    world.space.remove(ghost.grip, ghost.twist, ghost.shape, ghost.body)


def _add_ghost(
    space: pymunk.Space, board: pymunk.Body, colour: str, place: Place, machine: Machine, friction: float
) -> GhostBody:
    mass, radius = machine["ghost.mass"], machine.radius
    body = pymunk.Body(mass, pymunk.moment_for_circle(mass, 0.0, radius))
    body.position = place
    shape = pymunk.Circle(body, radius)
    shape.friction = friction
    shape.filter = pymunk.ShapeFilter(categories=_FREE)
    grip = pymunk.PivotJoint(board, body, place, (0.0, 0.0))
    twist = pymunk.GearJoint(board, body, 0.0, 1.0)
    for joint in (grip, twist):
        joint.max_bias = 0.0  # friction never pulls a foot back to where it was
    space.add(body, shape, grip, twist)
    return GhostBody(colour, body, shape, grip, twist)


def _add_walls(space: pymunk.Space, board: pymunk.Body, machine: Machine, without: str | None) -> None:
    """The printed walls as solid segments on the board, in the order of their spaces, but for those of one space."""
    size = machine.space
    for one, other in sorted(tuple(sorted(pair)) for pair in machine.castle.walls):
        if without in {one, other}:
            continue
        (ax, ay), (bx, by) = cell(one), cell(other)
        x, y = (ax + bx) * size / 2, (ay + by) * size / 2
        along = (0.0, size / 2) if ax != bx else (size / 2, 0.0)
        wall = pymunk.Segment(board, (x - along[0], y - along[1]), (x + along[0], y + along[1]), WALL_THICKNESS)
        wall.friction = 0.0
        wall.filter = pymunk.ShapeFilter(mask=_IN_HAND)
        space.add(wall)
