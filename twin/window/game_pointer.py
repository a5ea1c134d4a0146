"""The mouse on the board in a game: what taking, pulling and letting go mean, one move at a time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, cast

from twin.board.moves import Drag, Push, Turn
from twin.game.actions import Put
from twin.window.game_commands import begin_plan, number
from twin.window.sandbox_pointer import Target, target_at
from twin.window.search_picture import card_at

if TYPE_CHECKING:
    from twin.board.grid import Place
    from twin.board.moves import DragDirection
    from twin.window.game_session import GameSession

TAKEN: Final = math.radians(8.0)
"""How far a corner is pulled before the board turns. There is no way back then (B2)."""

ASIDE: Final = 0.75
"""A slider that is pulled farther to the side than this share of a space is on its way to another tunnel."""


class GamePointer:
    """One mouse, in places of the floor (mm). A gesture is one move at most, since a turn has but three (T1)."""

    def __init__(self, session: GameSession) -> None:
        self.session = session
        self.held: Target | None = None
        self.now: Place = (0.0, 0.0)
        self._start: Place = (0.0, 0.0)

    def target(self, place: Place) -> Target | None:
        """What lies under a place."""
        s = self.session
        return target_at(place, s.machine, s.pose(), s.orientation, s.options, s.layers)

    def press(self, place: Place) -> None:
        """The button goes down."""
        session = self.session
        self._start = self.now = place
        seen = session.curtain.seen
        if seen is not None and not seen.decided:
            card = card_at(place, session)
            if card is not None:
                number(session, card)
            return
        if not session.curtain.is_clear:
            session.accept()
            return
        target = self.target(place)
        if target is None or not session.may_act or session.plan is not None:
            return
        if target.kind == "choice":
            session.wish(Put(target.name, target.space))
        elif target.kind in {"ghost", "slider", "corner"}:
            self.held = target
            if target.kind == "slider" or target.name == session.player:
                session.selected = target.name

    def pull(self, place: Place) -> None:
        """The mouse moves with the button down."""
        self.now = place
        held, session = self.held, self.session
        if held is None or not session.may_act:
            return
        dx, dy = place[0] - self._start[0], place[1] - self._start[1]
        size = session.machine.space
        if held.kind == "corner":
            angle = math.atan2(place[1], place[0]) - math.atan2(self._start[1], self._start[0])
            angle = math.remainder(angle, 2 * math.pi)
            if abs(angle) > TAKEN:
                self.held = None
                session.wish(Turn("cw" if angle < 0.0 else "ccw"))
        elif held.kind == "ghost":
            x, y = session.game.board.places[held.name]
            dx, dy = place[0] - x, place[1] - y
            if max(abs(dx), abs(dy)) > size / 2:
                across, along = ("east" if dx > 0 else "west"), ("north" if dy > 0 else "south")
                self.held = None
                session.wish(Drag(held.name, cast("DragDirection", across if abs(dx) >= abs(dy) else along)))
        elif abs(dy) > size / 2 and abs(dx) < size * ASIDE / 2:
            self.held = None
            session.wish(Push(held.name, "north" if dy > 0 else "south"))

    def release(self) -> None:
        """The button goes up: a slider that was pulled aside is planned into the tunnel where it is."""
        held, self.held = self.held, None
        session = self.session
        if held is None or held.kind != "slider" or not session.may_act:
            return
        size, tunnels = session.machine.space, session.machine.tunnels
        dx, dy = self.now[0] - self._start[0], self.now[1] - self._start[1]
        if abs(dx) > size * ASIDE:
            nearest = min(range(len(tunnels)), key=lambda k: abs(tunnels[k] - self.now[0])) + 1
            slider = session.game.board.slider(held.name)
            if nearest != slider.tunnel:
                begin_plan(session, held.name, nearest, slider.offset + round(dy / size))

    def tip(self, place: Place) -> str:
        """What can be said about what lies under the mouse."""
        session, say = self.session, self.session.say
        if not session.curtain.is_clear:
            return ""
        target, garments = self.target(place), session.machine.castle.garments
        text = ""
        match target:
            case Target("corner"):
                text = say("help.turn")
            case Target("slider", name):
                text = f"{name}: {say('help.push')}; {say('help.relocate')}"
            case Target("ghost", colour):
                text = say("help.drag") if colour == session.player else say.colour(colour)
            case Target("choice", colour, space):
                text = say("action.place", ghost=say.colour(colour), space=space)
            case Target("space", space) if space in garments:
                text = f"{space}: {say.garment(garments[space].name)} ({say.part(garments[space].part)})"
        return text
