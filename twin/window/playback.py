"""A move being played: at which instant it is, how fast time passes, and whether it passes at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from twin.drawing.pose import Notes, Pose
    from twin.drawing.timeline import Timeline

SPEEDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""How fast time can pass."""

NORMAL: Final = SPEEDS.index(1.0)
SINGLE: Final = 0.01
"""A single step, s: one frame of a trace."""


class Playback:
    """A timeline with a hand on its clock."""

    def __init__(self, timeline: Timeline, time: float = 0.0, speed: int = NORMAL) -> None:
        self.timeline, self.time, self.speed = timeline, min(time, timeline.duration), speed
        self.paused = False

    @property
    def over(self) -> bool:
        """Whether the end is reached."""
        return self.time >= self.timeline.duration

    @property
    def factor(self) -> float:
        """How fast time passes."""
        return SPEEDS[self.speed]

    def pose(self) -> Pose:
        """Where everything is now."""
        return self.timeline.pose(self.time)

    def notes(self) -> Notes:
        """What is told about it by now."""
        return self.timeline.notes(self.time)

    def advance(self, seconds: float) -> None:
        """Let time pass, unless paused."""
        if not self.paused:
            self.seek(self.time + seconds * self.factor)

    def seek(self, time: float) -> None:
        """Go to an instant."""
        self.time = min(max(time, 0.0), self.timeline.duration)

    def do(self, command: str) -> None:
        """Carry out one of the commands of time."""
        match command:
            case "pause":
                if self.over:
                    self.seek(0.0)
                    self.paused = False
                else:
                    self.paused = not self.paused
            case "step_on" | "step_back":
                self.paused = True
                self.seek(self.time + (SINGLE if command == "step_on" else -SINGLE))
            case "slower" | "faster":
                self.speed = min(max(self.speed + (1 if command == "faster" else -1), 0), len(SPEEDS) - 1)
            case "to_start":
                self.paused = True
                self.seek(0.0)
            case "to_end":
                self.paused = False
                self.seek(self.timeline.duration)
