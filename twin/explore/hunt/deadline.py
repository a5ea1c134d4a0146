"""Time for work of unknown length: by a clock that is handed in, nothing is begun that would probably end too late."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    T = TypeVar("T")

FIRST_GUESS: Final = 0.2
"""What a run is taken to last before one was made, s."""

FORGETTING: Final = 0.8
"""What is left of a long run's weight with each shorter one after it."""


class Pace:
    """How long a run takes, learnt from those that were made."""

    def __init__(self) -> None:
        self.seconds = FIRST_GUESS

    def learn(self, seconds: float) -> None:
        """Take note of one run: a longer one counts at once, a shorter one little by little."""
        self.seconds = max(seconds, FORGETTING * self.seconds)


class Deadline:
    """A moment by which work must be done; without one, there is always time."""

    def __init__(
        self, clock: Callable[[], float] = lambda: 0.0, end: float = math.inf, pace: Pace | None = None
    ) -> None:
        self.clock, self.end = clock, end
        self.pace = Pace() if pace is None else pace

    def allows(self, runs: float = 1.0) -> bool:
        """Whether so many runs would probably be done in time; with 0, whether there is any time left."""
        return self.clock() + runs * self.pace.seconds < self.end

    def run(self, work: Callable[[], T]) -> T:
        """Make one run, and learn how long it takes, if that matters."""
        if self.end == math.inf:
            return work()
        start = self.clock()
        result = work()
        self.pace.learn(self.clock() - start)
        return result

    def share(self, part: float, runs: float = 0.0) -> Deadline:
        """An earlier deadline: after this part (0 … 1) of the time left, or so many runs if they take longer."""
        if self.end == math.inf:
            return self
        now = self.clock()
        own = max(part * max(self.end - now, 0.0), runs * self.pace.seconds)
        return Deadline(self.clock, min(now + own, max(self.end, now)), self.pace)
