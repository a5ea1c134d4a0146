"""A picture as a list of stamps: which of the artwork's pictures goes where, turned and stretched how, in order.

The window makes sprites of the stamps, and the renderer without a window pastes them; both show the same picture.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.board.grid import SIDE
from twin.drawing.floor_picture import TAB
from twin.drawing.ghost_picture import ARROW_LENGTH
from twin.drawing.palette import BADGES, FORCE_CONTACT, FORCE_FRICTION, FORCE_MAGNET, GHOSTS, INK, Colour, blend

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.drawing.artwork import Key
    from twin.drawing.pose import GhostPose, Layers, Notes, Pose

SEEN_THROUGH: Final = 90
"""Opacity of the board (of 255) when what is hidden under it is shown."""

FALLEN: Final = 110
"""Opacity of a ghost that has fallen."""

PROPOSED: Final = 165
"""Opacity of a ghost where it would go, and of a slider that is planned into another tunnel."""

MM_PER_ROOT_NEWTON: Final = 75.0
"""Length of the arrow of 1 N. Lengths grow with the root of the force: friction that makes a ghost ride (about 10 mN)
and the pull of a magnet that holds one (300 mN) can both be seen, and forces in balance have equal arrows."""

SHORTEST_ARROW: Final = 4.5
"""Forces with shorter arrows than this (mm) are not drawn: 4 mN."""

LONGEST_ARROW: Final = 75.0
LEAST_CHANCE: Final = 0.02
"""Places less likely than this are left out of a forecast."""

_DOTS: Final = 90
"""Dots of one trail at most."""
_MICRO: Final = 1e-6


class Stamp(NamedTuple):
    """One picture put down: its key, where its middle is (floor frame, mm), and how."""

    key: Key
    x: float
    y: float
    turn: float = 0.0
    """Degrees clockwise."""
    stretch: float = 1.0
    """Along its own x."""
    alpha: int = 255


def stamps(pose: Pose, machine: Machine, layers: Layers, notes: Notes) -> list[Stamp]:
    """Everything that is to be seen, from the floor up."""
    turn = -math.degrees(pose.board)
    found = [Stamp(("floor",), 0.0, 0.0)]
    found += [Stamp(("slider", slider.name, slider.flipped), x, y) for slider, x, y in pose.sliders]
    found.append(Stamp(("shadow",), 2.0, -3.5, turn, alpha=SEEN_THROUGH if layers.hidden else 255))
    found.append(Stamp(("board",), 0.0, 0.0, turn, alpha=SEEN_THROUGH if layers.hidden else 255))
    if layers.hidden:
        found += magnet_stamps(pose, machine)
    found.append(Stamp(("plug",), 0.0, 0.0))
    if layers.handles:
        found += _handles(pose, machine, notes)
    found += _slider_marks(pose, machine, notes, hidden=layers.hidden)
    found += [Stamp(("choice", colour), x, y, turn) for colour, (x, y) in notes.choices]
    found += _chances(notes)
    if layers.trails:
        for colour, path in notes.trails:
            found += _trail(colour, path)
    if layers.outlines:
        found += [Stamp(("outline", colour), x, y) for colour, (x, y) in notes.raw.items()]
    found += [Stamp(("ghost", colour), x, y, alpha=PROPOSED) for colour, (x, y) in notes.proposed.items()]
    for colour, ghost in pose.ghosts.items():
        found += _ghost(colour, ghost, selected=colour == notes.selected)
    if layers.forces:
        found += _forces(pose)
    if layers.badges:
        found += _badges(pose, machine, notes)
    found += _percentages(notes, machine)
    return found


def arrow_length(newtons: float) -> float:
    """Length of a force's arrow, mm, as long as it is drawn to scale.

    >>> arrow_length(0.01), arrow_length(0.25)
    (7.5, 37.5)
    """
    return MM_PER_ROOT_NEWTON * math.sqrt(newtons)


def corner_places(pose: Pose, machine: Machine) -> list[Place]:
    """Where the tips of the board's corners are (floor frame, mm)."""
    reach = SIDE * machine.space / 2 * math.sqrt(2)
    angles = [pose.board + math.pi / 4 + k * math.pi / 2 for k in range(4)]
    return [(reach * math.cos(a), reach * math.sin(a)) for a in angles]


def _handles(pose: Pose, machine: Machine, notes: Notes) -> Iterator[Stamp]:
    for index, (x, y) in enumerate(corner_places(pose, machine)):
        angle = math.atan2(y, x)
        out = 1.0 + 6.0 / math.hypot(x, y)
        yield Stamp(("handle", index == notes.handle), x * out, y * out, -math.degrees(angle))


def magnet_stamps(pose: Pose, machine: Machine) -> Iterator[Stamp]:
    """The magnets once more, over a board that is seen through: they are what it is seen through for."""
    for slider, x, y in pose.sliders:
        for magnet in machine.sliders[slider.name]:
            along = (4 - magnet.segment if slider.flipped else magnet.segment - 4) * machine.space
            yield Stamp(("magnet", magnet.polarity), x, y + along)


def _slider_marks(pose: Pose, machine: Machine, notes: Notes, *, hidden: bool) -> Iterator[Stamp]:
    """Rings round those tabs of the selected slider that can be seen; or of a planned one, and that slider."""
    marked = [(x, y) for slider, x, y in pose.sliders if slider.name == notes.selected]
    if notes.planned is not None:
        slider, x, y = notes.planned
        marked = [(x, y)]
        yield Stamp(("slider", slider.name, slider.flipped), x, y, alpha=PROPOSED)
    half = SIDE * machine.space / 2
    for x, y in marked:
        for tab in (y - half - TAB / 2, y + half + TAB / 2):
            if abs(tab) > half or hidden:
                yield Stamp(("selected",), x, tab)


def _ghost(colour: str, ghost: GhostPose, *, selected: bool) -> Iterator[Stamp]:
    alpha = FALLEN if ghost.fallen else 255
    if selected:
        yield Stamp(("selected",), ghost.x, ghost.y)
    yield Stamp(("ghost", colour), ghost.x, ghost.y, alpha=alpha)
    if not ghost.fallen:
        yield Stamp(("tick",), ghost.x, ghost.y, -math.degrees(ghost.spin))


def _trail(colour: str, path: tuple[Place, ...]) -> Iterator[Stamp]:
    stride = max(math.ceil(len(path) / _DOTS), 1)
    chosen = path[::stride]
    for number, (x, y) in enumerate(chosen):
        yield Stamp(("dot", colour), x, y, alpha=90 + round(150 * number / max(len(chosen), 1)))


def _forces(pose: Pose) -> Iterator[Stamp]:
    for colour, forces in pose.forces.items():
        ghost = pose.ghosts.get(colour)
        if ghost is None or ghost.fallen:
            continue
        tones = ((FORCE_FRICTION, forces.friction), (FORCE_MAGNET, forces.magnet), (FORCE_CONTACT, forces.contact))
        for tone, force in tones:
            yield from _arrow((ghost.x, ghost.y), force, tone)


def _arrow(start: Place, force: Place, tone: Colour) -> Iterator[Stamp]:
    length = arrow_length(math.hypot(*force) * _MICRO)
    if length < SHORTEST_ARROW:
        return
    length = min(length, LONGEST_ARROW)
    angle = math.atan2(force[1], force[0])
    dx, dy = math.cos(angle), math.sin(angle)
    turn = -math.degrees(angle)
    middle, tip = length / 2, length
    yield Stamp(("shaft", tone), start[0] + dx * middle, start[1] + dy * middle, turn, length / ARROW_LENGTH)
    yield Stamp(("head", tone), start[0] + dx * tip, start[1] + dy * tip, turn)


def _badges(pose: Pose, machine: Machine, notes: Notes) -> Iterator[Stamp]:
    for colour, fate in notes.fates.items():
        if colour in pose.ghosts and fate in BADGES:
            ghost = pose.ghosts[colour]
            yield Stamp(("badge", fate), ghost.x, ghost.y + machine.radius + 6.5)


def _chances(notes: Notes) -> Iterator[Stamp]:
    for colour, (x, y), share in notes.chances:
        if share >= LEAST_CHANCE:
            yield Stamp(("chance", colour), x, y, alpha=70 + round(185 * share))


def _percentages(notes: Notes, machine: Machine) -> Iterator[Stamp]:
    """A sign at each likely place, below the likeliest of a ghost's and above the next, so that both can be read."""
    seen: dict[str, int] = {}
    for colour, (x, y), share in notes.chances:
        if share >= LEAST_CHANCE:
            side = 1 if seen.get(colour, 0) % 2 else -1
            seen[colour] = seen.get(colour, 0) + 1
            sign = ("sign", f"{100 * share:.0f} %", blend(GHOSTS[colour], INK, 0.55))
            yield Stamp(sign, x, y + side * (machine.radius + 4.0))
