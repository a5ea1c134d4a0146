"""What is to be seen at one instant: where everything is, and the notes on it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.state import Slider, State


@dataclass(frozen=True)
class GhostPose:
    """One ghost."""

    x: float
    y: float
    """Floor frame, mm."""
    spin: float = 0.0
    """Angle that it has turned by, radians, mathematically positive."""
    fallen: bool = False


@dataclass(frozen=True)
class Forces:
    """What acts on a ghost at an instant, µN."""

    magnet: Place
    friction: Place
    contact: Place


@dataclass(frozen=True)
class Pose:
    """Board, sliders and ghosts at one instant."""

    board: float
    """Angle of the board in the floor frame, radians, mathematically positive: 0 at orientation 0."""
    ghosts: Mapping[str, GhostPose]
    sliders: tuple[tuple[Slider, float, float], ...]
    """Each slider as it is named, with its x and the y of its middle, mm."""
    forces: Mapping[str, Forces] = field(default_factory=dict)


@dataclass(frozen=True)
class Layers:
    """What is shown besides the pieces."""

    hidden: bool = False
    """The board is seen through, so that sliders and magnets under it show."""
    trails: bool = True
    badges: bool = True
    forces: bool = False
    outlines: bool = True
    handles: bool = False
    """Arrows at the corners, by which the board is turned: in a window only."""


@dataclass(frozen=True)
class Notes:
    """Notes on a move, besides where everything is. Colours come with places of the floor frame."""

    trails: tuple[tuple[str, tuple[Place, ...]], ...] = ()
    fates: Mapping[str, str] = field(default_factory=dict)
    raw: Mapping[str, Place] = field(default_factory=dict)
    """Where physics left ghosts that were then put on their space."""
    choices: tuple[tuple[str, Place], ...] = ()
    """Spaces to choose from (D4, D5), and for whom."""
    proposed: Mapping[str, Place] = field(default_factory=dict)
    """Where ghosts would go, as long as the player does not choose otherwise."""
    planned: tuple[Slider, float, float] | None = None
    """A slider on its way to another tunnel, as it would lie there, with its x and the y of its middle, mm."""
    chances: tuple[tuple[str, Place, float], ...] = ()
    """Where a ghost would end, and how likely that is."""
    selected: str | None = None
    """A ghost's colour, or a slider's name."""
    handle: int | None = None
    """The corner of the board (0 to 3, in the order of its angles) that is about to be taken."""


def pose_of(state: State, machine: Machine) -> Pose:
    """A position at rest."""
    return Pose(
        board_angle(state.orientation),
        {colour: GhostPose(x, y) for colour, (x, y) in state.ghosts},
        tuple(lying(slider, machine) for slider in state.sliders),
    )


def lying(slider: Slider, machine: Machine) -> tuple[Slider, float, float]:
    """A slider with its x and the y of its middle, mm."""
    return slider, machine.tunnels[slider.tunnel - 1], slider.offset * machine.space


def board_angle(orientation: int) -> float:
    """The board's angle in the floor frame, radians."""
    return -orientation * math.pi / 2
