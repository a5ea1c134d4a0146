"""One ghost's foot during a run: what is remembered of it from step to step, and how it rocks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.physics.reference.world import GhostBody


@dataclass(slots=True, eq=False)
class Foot:
    """A ghost in a run. Places are in mm, forces in µN."""

    ghost: GhostBody
    index: int
    """Its number in the canonical order of the world's ghosts."""
    pose: tuple[float, ...] = ()
    """x, y, angle, vx, vy, spin: where it is about to be, and how fast it moves."""
    anchor: tuple[float, float] = (0.0, 0.0)
    """Its place in the board's frame."""
    shares: tuple[float, float] = (1.0, 1.0)
    """Shares of linear friction and of friction torque that the last step's sliding and spinning leave."""
    slip: float = 0.0
    slip_time: float | None = None
    fallen: float | None = None
    limit: float = -1.0
    """Friction that its joints are limited to at present, …"""
    twist: float = -1.0
    """… and friction torque, µN·mm."""
    normal: float = 0.0
    pull: tuple[float, float] = (0.0, 0.0)
    push: float = 0.0
    """Force of contacts, averaged over `CONTACT_WINDOW`."""
    tilt: float = 0.0
    tilt_rate: float = 0.0
    repelled: bool = False
    touching: frozenset[str] = frozenset()
    near: list[tuple[float, float, int, bool]] = field(default_factory=list)
    """Magnets that may be within reach until the lists are made anew: x, y, polarity, whether it moves."""
    listed: tuple[float, float] = (math.inf, math.inf)
    """Where it was when that list was made."""


@dataclass(frozen=True)
class Rocking:
    """How a ghost tips about the edge of its foot, from its build."""

    ratio: float
    """A lateral pull above this share of the normal force makes it rock."""
    lever: float
    """Height of the centre of mass above the magnet, mm."""
    lean_lever: float
    """The same for a ghost that leans on something: height of that contact above the magnet, mm."""
    radius: float
    inertia: float
    """About the edge, g·mm²."""
    topple_angle: float
    """Beyond this tilt it falls over, radians."""

    @staticmethod
    def of(machine: Machine) -> Rocking:
        """The build of a machine's ghosts: cone-like, a third more inertia than a point at the centre of mass."""
        height, magnet, radius = machine["ghost.cm_height"], machine["ghost.magnet_height"], machine.radius
        return Rocking(
            ratio=radius / (height - magnet),
            lever=height - magnet,
            lean_lever=max(machine["ghost.contact_height"] - magnet, 0.0),
            radius=radius,
            inertia=machine["ghost.mass"] * (height**2 + radius**2) * 4.0 / 3.0,
            topple_angle=math.atan2(radius, height),
        )

    def topples(self, foot: Foot, pull: float, dt: float) -> bool:
        """Follow how far a foot tilts about its edge; True once it falls over.

        A foot that is free turns about its centre of mass; one that leans on something, about the point where it leans.
        """
        moment = pull * (self.lean_lever if foot.touching else self.lever) - foot.normal * self.radius
        if moment <= 0.0 and foot.tilt <= 0.0:
            return False
        foot.tilt_rate += moment / self.inertia * dt
        foot.tilt += foot.tilt_rate * dt
        if foot.tilt <= 0.0:
            foot.tilt = foot.tilt_rate = 0.0
        return foot.tilt > self.topple_angle
