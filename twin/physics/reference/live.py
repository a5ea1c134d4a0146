"""A turn that is made while it is simulated: a hand at a mouse decides, step by step, where the board goes next.

The run is the reference engine's own, in pieces. Once the turn is over, `path` is all that is needed to run it again:
`Twin.act` with `measured_turn(path)` gives the same places, to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.board.state import magnets
from twin.physics.drive import Drive, Phase
from twin.physics.numerics import FRAME_RATE, STEP
from twin.physics.reference.loop import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.state import State


class LiveTurn(Run):
    """A turn in the making. Angles are in radians beyond the start, mathematically positive."""

    def __init__(self, state: State, machine: Machine, frame_rate: float = FRAME_RATE) -> None:
        self._still = magnets(state, machine)
        self._none = (False,) * len(self._still)
        super().__init__(state, machine, Drive((Phase(0, self._still, self._none),), STEP), frame_rate)
        self.path: list[float] = [0.0]
        """The board's angle at 0, 1, 2 … ms."""

    def turn_through(self, angles: Sequence[float]) -> None:
        """Turn the board on through these angles, one per step."""
        if angles:
            course = (self.path[-1], *angles)
            self._driven(Phase(len(angles), self._still, self._none, angles=course), len(self.path) - 1)
            self.path += angles

    @property
    def time(self) -> float:
        """How long the turn has lasted so far, s."""
        return (len(self.path) - 1) * STEP

    @property
    def places(self) -> dict[str, tuple[float, float, float] | None]:
        """x, y (floor frame, mm) and angle (radians) of every ghost, as a trace tells them; None once fallen."""
        return {foot.ghost.colour: self._pose(foot.index) for foot in self.feet}

    @property
    def fallen_at(self) -> dict[str, Place]:
        """Where ghosts that have fallen went over the edge (floor frame, mm)."""
        return {f.ghost.colour: (f.pose[0], f.pose[1]) for f in self.feet if f.fallen is not None}

    @property
    def at_rest(self) -> bool:
        """Whether no ghost moves faster than what counts as rest."""
        rest2 = self.machine["tolerance.rest"] ** 2
        return all(foot.pose[3] ** 2 + foot.pose[4] ** 2 < rest2 for foot in self.alive if foot.pose)

    @property
    def pulls(self) -> dict[str, Place]:
        """Pull of the magnets (x, y) on every ghost that stands, µN."""
        return {foot.ghost.colour: foot.pull for foot in self.alive}

    def _pose(self, index: int) -> tuple[float, float, float] | None:
        foot = self.feet[index]
        if foot.fallen is not None:
            return None
        body = foot.ghost.body
        (x, y), (vx, vy) = body.position, body.velocity
        return x + vx * STEP, y + vy * STEP, body.angle + body.angular_velocity * STEP
