"""One ghost's foot during a run: what is remembered of it from step to step."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
