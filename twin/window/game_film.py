"""The film of a game's last move: where everything is while it runs, and while its ghosts wait to be placed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from twin.board.grid import CORNERS, centre
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import State
from twin.drawing.pose import GhostPose, Notes, Pose, pose_of
from twin.drawing.timeline import Timeline
from twin.game.actions import Put
from twin.game.positions import PLACE
from twin.window.playback import Playback

if TYPE_CHECKING:
    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.game.positions import Pending
    from twin.outcome.engine import Outcome
    from twin.physics.hand import Hand
    from twin.play.session import Session
    from twin.window.filmed_board import ShowTable

OFF_BOARD: Final = 196.0
"""Where a fallen ghost waits for its corner in a game that was resumed just then, mm left of the middle."""


class Film:
    """What moves on the board, from the table that made it move."""

    def __init__(self, table: ShowTable) -> None:
        self.table = table
        self.playback: Playback | None = None
        """None while nothing has moved yet."""

    @property
    def runs(self) -> bool:
        """Whether something still moves."""
        return self.playback is not None and not self.playback.over

    @property
    def notes(self) -> Notes:
        """What is told about it by now."""
        return Notes() if self.playback is None else self.playback.notes()

    def watch(self, play: Session) -> None:
        """Set the film of a game's last step going."""
        step = play.steps[-1]
        after = None if step.after.phase == PLACE else step.after.board
        if isinstance(step.action, Turn | Push | Drag | Relocate):
            outcome, hand = self.table.film(step.before, step.action)
            self.playback = Playback(Timeline(outcome, hand, after)) if outcome.trace is not None else None
        elif isinstance(step.action, Put) and self.playback is not None and after is not None:
            timeline = Timeline(*self._before_placing(play), after)
            self.playback = Playback(timeline, timeline.end)

    def rewind(self, play: Session) -> None:
        """A step was taken back: nothing moves, and ghosts that are to be placed are where the move left them."""
        self.playback = None
        if play.game.phase == PLACE and not all(isinstance(step.action, Put) for step in play.steps):
            timeline = Timeline(*self._before_placing(play))
            self.playback = Playback(timeline, timeline.end)

    def pose(self, play: Session) -> Pose:
        """Where everything is now."""
        pending, machine = play.game.pending, self.table.machine
        if self.playback is not None:
            found = self.playback.pose()
        elif pending is not None:
            found = waiting(pending, machine)
        else:
            found = pose_of(play.game.board, machine)
        if pending is None or self.runs:
            return found
        put = {c: centre(space, machine.space, pending.orientation) for c, space in _put_so_far(play).items()}
        return replace(found, ghosts={**found.ghosts, **{c: GhostPose(*place) for c, place in put.items()}})

    def _before_placing(self, play: Session) -> tuple[Outcome, Hand]:
        """The move whose ghosts are being placed, once more."""
        step = next(step for step in reversed(play.steps) if not isinstance(step.action, Put))
        return self.table.film(step.before, cast("Move", step.action))


def waiting(pending: Pending, machine: Machine) -> Pose:
    """A game that was resumed while ghosts are to be placed: between their spaces, or beside the board."""
    places: dict[str, Place] = {}
    fallen = [colour for colour, spaces in pending.options if spaces == CORNERS]
    for colour, spaces in pending.options:
        spots = [centre(space, machine.space, pending.orientation) for space in spaces]
        places[colour] = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
        if colour in fallen:
            places[colour] = (-OFF_BOARD, 60.0 - 40.0 * fallen.index(colour))
    still = pose_of(State.of(pending.orientation, places, pending.sliders), machine)
    return replace(still, ghosts={c: replace(ghost, fallen=c in fallen) for c, ghost in still.ghosts.items()})


def _put_so_far(play: Session) -> dict[str, str]:
    """Ghosts that were put on a space while others still wait."""
    found: dict[str, str] = {}
    for step in reversed(play.steps):
        if not isinstance(step.action, Put):
            break
        found[step.action.ghost] = step.action.space
    return found
