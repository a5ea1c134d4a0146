"""The mouse on the board: what lies under it, and what taking, pulling and letting go of it means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from twin.board.grid import PLUG_SPACE, SIDE, space_under, to_board
from twin.board.moves import Drag, Push, Relocate
from twin.board.state import MAX_OFFSET, home_space, magnets
from twin.drawing.floor_picture import TAB, slider_width
from twin.drawing.scene_picture import corner_places
from twin.outcome.fates import gripping

if TYPE_CHECKING:
    from twin.board.castle import Castle
    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.moves import DragDirection
    from twin.drawing.pose import Layers, Pose
    from twin.window.sandbox_session import SandboxSession

REACH: Final = 26.0
"""How near to the tip of a corner the board is taken by it, mm."""


@dataclass(frozen=True)
class Target:
    """What lies under the mouse."""

    kind: str
    """`ghost`, `slider`, `corner`, `choice` or `space`."""
    name: str
    """A colour, a slider, a corner's number or a space."""
    space: str = ""
    """For a choice: where the ghost would go."""


class SandboxPointer:
    """One mouse, in places of the floor (mm)."""

    def __init__(self, session: SandboxSession) -> None:
        self.session = session
        self.held: Target | None = None
        self._start: Place = (0.0, 0.0)
        self._now: Place = (0.0, 0.0)
        self._offset = 0
        self._angle = 0.0
        self._free = False
        self._refused: tuple[str, str] | None = None
        """A ghost's space and the direction in which it could not be dragged."""

    def target(self, place: Place) -> Target | None:
        """What lies under a place."""
        session = self.session
        orientation = session.sandbox.state.orientation
        return target_at(place, session.machine, session.pose(), orientation, session.options, session.layers)

    def press(self, place: Place, *, free: bool) -> None:
        """The button goes down; with `free`, a ghost is placed anywhere, and a slider turned end for end on its way."""
        session, target = self.session, self.target(place)
        self._start = self._now = place
        self._free, self._refused = free, None
        if target is None or session.live is not None:
            return
        match target.kind:
            case "choice":
                session.choose(target.name, target.space)
                return
            case "ghost" | "slider":
                session.selected = target.name
                if target.kind == "slider":
                    self._offset = session.sandbox.state.slider(target.name).offset
            case "corner":
                session.take_board()
                self._angle = math.atan2(place[1], place[0])
            case _:
                session.selected = None
                return
        self.held = target

    def pull(self, place: Place) -> None:
        """The mouse moves with the button down."""
        self._now = place
        if self.held is None:
            return
        if self.held.kind == "corner" and self.session.live is not None:
            angle = math.atan2(place[1], place[0])
            change = math.remainder(angle - self._angle, 2 * math.pi)
            self._angle = angle
            self.session.live.pull_by(change)
        elif self.held.kind == "ghost" and self._free:
            self.session.placing = (self.held.name, place)
        else:
            self.tick()

    def release(self) -> None:
        """The button goes up."""
        plan = self.plan
        held, self.held = self.held, None
        if held is None:
            return
        session = self.session
        if held.kind == "corner" and session.live is not None:
            session.live.release()
        elif held.kind == "ghost" and self._free and session.placing is not None:
            session.place_freely(held.name, self._now)
        elif plan is not None:
            session.make(plan)

    @property
    def plan(self) -> Relocate | None:
        """The tunnel, and how far in, to which the slider in the hand would be moved if it were let go now (C2)."""
        if self.held is None or self.held.kind != "slider":
            return None
        tunnels, size = self.session.machine.tunnels, self.session.machine.space
        if abs(self._now[0] - self._start[0]) <= size * 0.75 or not self.session.is_quiet:
            return None
        nearest = min(range(len(tunnels)), key=lambda k: abs(tunnels[k] - self._now[0])) + 1
        wanted = self._offset + round((self._now[1] - self._start[1]) / size)
        if nearest == self.session.sandbox.state.slider(self.held.name).tunnel:
            return None
        return Relocate(self.held.name, nearest, min(max(wanted, -MAX_OFFSET), MAX_OFFSET), self._free)

    def tick(self) -> None:
        """Go on with a drag or a push once the last one is over."""
        if self.held is None or not self.session.is_quiet or self._free:
            return
        if self.held.kind == "ghost":
            self._drag(self.held.name)
        elif self.held.kind == "slider":
            self._push(self.held.name)

    def tip(self, place: Place) -> str:
        """What can be said about what lies under the mouse."""
        session = self.session
        target, machine, state = self.target(place), session.machine, session.sandbox.state
        match target:
            case Target("ghost", colour):
                grip = gripping(state.places[colour], magnets(state, machine), machine)
                held = f"gripped by magnet {grip.label}" if grip else "gripped by nothing"
                return (
                    f"{colour} on {home_space(state, colour, machine)}, {held}: drag it; with Shift, place it anywhere"
                )
            case Target("slider", name):
                slider = state.slider(name)
                flipped = ", flipped" if slider.flipped else ""
                where = f"slider {name} in tunnel {slider.tunnel}, {slider.offset:+d}{flipped}"
                return f"{where}: drag it along, or to another tunnel; with Shift, turned end for end"
            case Target("corner", _):
                return "drag to turn the board by hand; the ghosts feel the path you make"
            case Target("choice", colour, space):
                return f"put {colour} on {space}"
            case Target("space", space):
                return f"{space}: {_shown_on(space, machine.castle)}"
        return ""

    # -- parts ------------------------------------------------------------------------------------------------------

    def _drag(self, colour: str) -> None:
        """One space towards the mouse, if the mouse is in another space."""
        session = self.session
        state, size = session.sandbox.state, session.machine.space
        x, y = state.places[colour]
        dx, dy = self._now[0] - x, self._now[1] - y
        if max(abs(dx), abs(dy)) <= size / 2:
            self._refused = None
            return
        across, along = ("east" if dx > 0 else "west"), ("north" if dy > 0 else "south")
        direction = across if abs(dx) >= abs(dy) else along
        attempt = (home_space(state, colour, session.machine), direction)
        if attempt == self._refused:
            return
        outcome = session.make(Drag(colour, cast("DragDirection", direction)))
        if outcome is None or not outcome.legal:
            self._refused = attempt

    def _push(self, name: str) -> None:
        """One segment towards the mouse."""
        session = self.session
        size = session.machine.space
        offset = session.sandbox.state.slider(name).offset
        wanted = self._offset + round((self._now[1] - self._start[1]) / size)
        if offset == wanted or abs(self._now[0] - self._start[0]) > size * 0.75:
            return
        push = Push(name, "north" if wanted > offset else "south")
        if self._refused != (name, push.direction):
            outcome = session.make(push)
            if outcome is None or not outcome.legal:
                self._refused = (name, push.direction)


def _shown_on(space: str, castle: Castle) -> str:
    """What the board shows on a space."""
    if space in castle.garments:
        return f"{castle.garments[space].name} ({castle.garments[space].part})"
    for colour, corner in castle.corners.items():
        if corner == space:
            return f"the corner on which {colour} starts"
    return "the plug" if space == PLUG_SPACE else "a bare space"


def target_at(
    place: Place,
    machine: Machine,
    pose: Pose,
    orientation: int,
    options: tuple[tuple[str, str], ...],
    layers: Layers,
) -> Target | None:
    """What lies under a place of the floor; `options` are the ghosts and spaces that can be chosen."""
    under = space_under(to_board(place, orientation), machine.space)
    open_here = [colour for colour, space in options if space == under]
    if open_here and under is not None:
        return Target("choice", open_here[0], under)
    for colour, ghost in pose.ghosts.items():
        if math.dist(place, (ghost.x, ghost.y)) <= machine.radius and not ghost.fallen:
            return Target("ghost", colour)
    for index, tip in enumerate(corner_places(pose, machine)):
        if math.dist(place, tip) <= REACH and (under is None or math.dist(place, tip) <= REACH / 2):
            return Target("corner", str(index))
    half, wide = SIDE * machine.space / 2, slider_width(machine) / 2 + 2
    for slider, x, y in pose.sliders:
        sticks_out = layers.hidden or abs(place[1]) > half
        if abs(place[0] - x) <= wide and abs(place[1] - y) <= half + TAB and sticks_out:
            return Target("slider", slider.name)
    return None if under is None else Target("space", under)
