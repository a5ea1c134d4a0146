"""A move over time: what was where at each instant of an outcome, and what is known about it by then."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.moves import Drag, Push, Relocate
from twin.drawing.pose import Forces, GhostPose, Notes, Pose, board_angle, pose_of
from twin.physics.drive import plan, relocated
from twin.physics.hand import NOMINAL, Hand, minimum_jerk
from twin.physics.numerics import STEP
from twin.physics.trace import PLUG

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.board.grid import Place
    from twin.board.state import Slider, State
    from twin.outcome.engine import Outcome
    from twin.physics.drive import Drive
    from twin.physics.trace import Trace

GLIDE: Final = 0.35
"""How long ghosts take to their spaces once physics is done, s."""

_NEAR: Final = 0.6
"""Two bodies that touch are at most this far apart in a trace, mm."""

_MOVED: Final = 0.05
"""A ghost that is put on its space from nearer than this has not moved, mm."""


class Timeline:
    """One outcome that can be looked at at any time from 0 to `duration` (s).

    `after` is the position in the end: ghosts glide to it once physics is done. Without it, ghosts stay where physics
    left them: the player has yet to decide.
    """

    def __init__(self, outcome: Outcome, hand: Hand = NOMINAL, after: State | None = None) -> None:
        self.outcome, self.after = outcome, after
        self.trace: Trace | None = outcome.trace
        self._drive = plan(outcome.before, outcome.move, outcome.machine, hand) if outcome.done else None
        self.end: float = 0.0 if self.trace is None else float(self.trace.times[-1])
        """When physics is done, s."""
        self._raw = {colour: ghost.place for colour, ghost in outcome.ghosts}
        self._accelerations = None if self.trace is None else _accelerations(self.trace)

    @property
    def duration(self) -> float:
        """How long it all lasts, s."""
        return self.end + (GLIDE if self.trace is not None and self.after is not None else 0.0)

    def pose(self, time: float) -> Pose:
        """What is where at an instant."""
        if self.trace is None:
            return pose_of(self.after or self.outcome.before, self.outcome.machine)
        if time >= self.duration and self.after is not None:
            return pose_of(self.after, self.outcome.machine)
        low, high, share = _between(self.trace.times, min(time, self.end))
        board = _mixed(self.trace.board, low, high, share)
        ghosts = {colour: self._ghost(n, low, high, share) for n, colour in enumerate(self.trace.ghosts)}
        sliders = self._sliders(min(time, self.end))
        if time > self.end and self.after is not None:
            ghosts = self._gliding(ghosts, minimum_jerk(min((time - self.end) / GLIDE, 1.0)))
            board = _nearest_turn(board, board_angle(self.after.orientation))
        forces = {} if time > self.end else self._forces(low)
        return Pose(board, ghosts, sliders, forces)

    def notes(self, time: float) -> Notes:
        """Trails so far; once physics is done, fates, and where it left those who glide to their space."""
        if self.trace is None:
            return Notes()
        last = int(np.searchsorted(self.trace.times, time, side="right"))
        trails = []
        for number, colour in enumerate(self.trace.ghosts):
            path = self.trace.poses[:last, number, :2]
            path = path[np.isfinite(path[:, 0])]
            if len(path) > 1 and float(np.abs(path - path[0]).max()) > 1.0:
                trails.append((colour, tuple((float(x), float(y)) for x, y in path[::3])))
        if time < self.end:
            return Notes(trails=tuple(trails))
        # Ghosts that a drag or a relocation left alone need no label.
        idle = "stayed" if isinstance(self.outcome.move, Drag | Relocate) else ""
        fates = {colour: ghost.fate for colour, ghost in self.outcome.ghosts if ghost.fate != idle}
        ends = {} if self.after is None else self.after.places
        raw = {
            colour: place
            for colour, place in self._raw.items()
            if place is not None and colour in ends and math.dist(place, ends[colour]) > _MOVED
        }
        return Notes(trails=tuple(trails), fates=fates, raw=raw)

    # -- parts of a pose --------------------------------------------------------------------------------------------

    def _ghost(self, number: int, low: int, high: int, share: float) -> GhostPose:
        if self.trace is None:
            raise ValueError(self.outcome)
        poses = self.trace.poses[:, number]
        if not np.isfinite(poses[low, 0]):
            last = int(np.flatnonzero(np.isfinite(poses[:, 0]))[-1]) if np.isfinite(poses[0, 0]) else 0
            x, y = beyond(poses[last, 0], poses[last, 1])
            return GhostPose(x, y, float(poses[last, 2]), fallen=True)
        if not np.isfinite(poses[high, 0]):
            high = low
        x, y, spin = (_mixed(poses[:, k], low, high, share) for k in range(3))
        return GhostPose(x, y, spin)

    def _gliding(self, ghosts: dict[str, GhostPose], share: float) -> dict[str, GhostPose]:
        found = {}
        places = self.after.places if self.after is not None else {}
        for colour, ghost in ghosts.items():
            x, y = places[colour]
            found[colour] = GhostPose(
                ghost.x + share * (x - ghost.x),
                ghost.y + share * (y - ghost.y),
                ghost.spin,
                ghost.fallen and share < 0.5,
            )
        return found

    def _sliders(self, time: float) -> tuple[tuple[Slider, float, float], ...]:
        """Every slider where the hand has it at an instant."""
        outcome, machine = self.outcome, self.outcome.machine
        moving = outcome.move.slider if isinstance(outcome.move, Push | Relocate) else None
        found = []
        for slider in outcome.before.sliders:
            shown, shift = slider, 0.0
            if slider.name == moving and self._drive is not None:
                shown, shift = self._driven(slider, self._drive, time)
            found.append((shown, machine.tunnels[shown.tunnel - 1], shown.offset * machine.space + shift))
        return tuple(found)

    def _driven(self, slider: Slider, drive: Drive, time: float) -> tuple[Slider, float]:
        index = round(time / STEP)
        move = self.outcome.move
        for number, phase in enumerate(drive.phases[:-1]):
            if index <= phase.steps:
                there = relocated(self.outcome.before, move) if isinstance(move, Relocate) and number else slider
                return there, phase.shifts[index]
            index -= phase.steps
        return next(s for s in self.outcome.sliders if s.name == slider.name), 0.0

    def _forces(self, frame: int) -> dict[str, Forces]:
        """Forces on each ghost: magnets as recorded, contacts along the line between bodies, friction from the rest."""
        trace, machine = self.trace, self.outcome.machine
        if trace is None or self._accelerations is None:
            return {}
        mass, found = machine["ghost.mass"], {}
        for number, colour in enumerate(trace.ghosts):
            if not np.isfinite(trace.poses[frame, number, 0]):
                continue
            mx, my, normal, push = (float(v) for v in trace.forces[frame, number])
            cx, cy = self._contact(frame, number, push)
            ax, ay = (float(v) for v in self._accelerations[frame, number])
            fx, fy = mass * ax - mx - cx, mass * ay - my - cy
            most, have = machine["friction.board"] * normal, math.hypot(fx, fy)
            cut = min(1.0, most / have) if have > 0.0 else 0.0
            found[colour] = Forces((mx, my), (fx * cut, fy * cut), (cx, cy))
        return found

    def _contact(self, frame: int, number: int, push: float) -> Place:
        """The force of contacts as a vector: away from those that the ghost touches."""
        trace, machine = self.trace, self.outcome.machine
        if trace is None or push <= 0.0:
            return 0.0, 0.0
        x, y = (float(v) for v in trace.poses[frame, number, :2])
        bodies = [(PLUG, 0.0, 0.0, machine["plug.radius"] + machine.radius)]
        for other, name in enumerate(trace.ghosts):
            if other != number and np.isfinite(trace.poses[frame, other, 0]):
                ox, oy = (float(v) for v in trace.poses[frame, other, :2])
                bodies.append((name, ox, oy, 2 * machine.radius))
        dx = dy = 0.0
        for _, ox, oy, apart in bodies:
            distance = math.dist((x, y), (ox, oy))
            if 0.0 < distance < apart + _NEAR:
                dx += (x - ox) / distance
                dy += (y - oy) / distance
        length = math.hypot(dx, dy)
        return (push * dx / length, push * dy / length) if length > 0.0 else (0.0, 0.0)


def _accelerations(trace: Trace) -> NDArray[np.float64]:
    """(F, G, 2) mm/s², from the velocities of neighbouring frames."""
    if len(trace.times) < 2:
        return np.zeros((len(trace.times), len(trace.ghosts), 2))
    found: NDArray[np.float64] = np.nan_to_num(np.gradient(trace.velocities[:, :, :2], trace.times, axis=0))
    return found


def _between(times: NDArray[np.float64], time: float) -> tuple[int, int, float]:
    """The frames before and after an instant, and how far between them it is."""
    high = int(np.searchsorted(times, time, side="right"))
    low = max(high - 1, 0)
    high = min(high, len(times) - 1)
    gap = float(times[high] - times[low])
    return low, high, (time - float(times[low])) / gap if gap > 0.0 else 0.0


def _mixed(values: NDArray[np.float64], low: int, high: int, share: float) -> float:
    return float(values[low] + share * (values[high] - values[low]))


def beyond(x: float, y: float) -> Place:
    """Where a fallen ghost lies: a foot's width beyond the place where it went over the edge."""
    distance = math.hypot(x, y)
    out = 1.0 + 16.0 / distance if distance > 0.0 else 1.0
    return float(x) * out, float(y) * out


def _nearest_turn(angle: float, wanted: float) -> float:
    """The wanted angle of the board, plus whole turns, nearest to the one that it has."""
    return wanted + 2 * math.pi * round((angle - wanted) / (2 * math.pi))
