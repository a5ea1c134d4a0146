"""The hand that turns the board live: it pulls the board after the mouse, and physics follows the board.

A mouse moves in jerks of whole pixels. The board hangs on it as on a short, damped spring, so that its path is smooth
where the hand is smooth, and as sudden as the hand where it is not. The path of the board, not the mouse's, is what
the ghosts feel, and what is kept.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from twin.board.moves import Turn
from twin.physics.measured import QUARTER, measured_turn
from twin.physics.numerics import STEP
from twin.physics.reference.live import LiveTurn

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.state import State
    from twin.physics.measured import MeasuredTurn

STIFFNESS: Final = 45.0
"""How fast the board follows the hand, 1/s: it lags by 2/45 s, a twentieth of a second."""

MOST_STEPS: Final = 60
"""Steps of physics in one picture at most: a slow computer shows slow motion rather than stopping."""

HOME: Final = 2e-4
"""A board nearer than this to where it belongs is there, radians: 0.04 mm at a corner."""

LONGEST: Final = 60.0
"""A turn that has gone on for so long is let go, s."""


class LiveHand:
    """A turn by hand, from taking the board to its coming to rest. Angles in radians, mathematically positive."""

    def __init__(self, state: State, machine: Machine) -> None:
        self.turn = LiveTurn(state, machine)
        self._wanted = 0.0
        self._speed = 0.0
        self._rest = 0.0
        self.released = False
        self.done = False

    @property
    def angle(self) -> float:
        """How far the board has been turned."""
        return self.turn.path[-1]

    @property
    def move(self) -> Turn | None:
        """The turn that was made, once it is done; None if the board was brought back."""
        if not self.done or self.angle == 0.0:
            return None
        return Turn("cw" if self.angle < 0.0 else "ccw")

    @property
    def hand(self) -> MeasuredTurn:
        """The path that was made, to make it again."""
        sign = -1.0 if self.angle < 0.0 else 1.0
        return measured_turn([sign * angle + 0.0 for angle in self.turn.path])

    def pull_to(self, angle: float) -> None:
        """The hand moves: the board shall be turned so far, a quarter at most."""
        if not self.released:
            self._wanted = min(max(angle, -QUARTER), QUARTER)

    def pull_by(self, angle: float) -> None:
        """The hand moves on by so much."""
        self.pull_to(self._wanted + angle)

    def release(self) -> None:
        """Let go: the board glides on, or back, to where it covers the floor again (D1)."""
        if not self.released:
            self.released = True
            self._wanted = QUARTER * round(self._wanted / QUARTER)

    def advance(self, seconds: float) -> None:
        """Let time pass for board and ghosts; while nothing moves, it does not."""
        if self.done:
            return
        if self.turn.time > LONGEST:
            self.release()
        self._rest = min(self._rest + seconds, MOST_STEPS * STEP)
        steps = int(self._rest / STEP)
        self._rest -= steps * STEP
        still = abs(self._wanted - self.angle) < HOME and abs(self._speed) < HOME
        if still and not self.released and self.turn.at_rest:
            return
        angles = []
        angle = self.angle
        for _ in range(steps):
            angle = self._next(angle)
            angles.append(angle)
            if self.released and abs(self._wanted - angle) < HOME and abs(self._speed) < HOME * STIFFNESS:
                angles[-1] = self._wanted
                self.done = True
                break
        self.turn.turn_through(angles)

    def _next(self, angle: float) -> float:
        """The board's angle a step later, on a critically damped spring, solved exactly."""
        gap = angle - self._wanted
        drift = self._speed + STIFFNESS * gap
        fade = math.exp(-STIFFNESS * STEP)
        self._speed = (self._speed - STIFFNESS * STEP * drift) * fade
        return self._wanted + (gap + drift * STEP) * fade
