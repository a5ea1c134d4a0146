"""Signals that end a command in good order: what asks a program to end is met as Ctrl-C is."""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

ENDING: Final = ("SIGTERM", "SIGHUP")
"""Sent when a machine shuts down, and when a terminal closes; not every platform has both."""
TOGETHER: Final = 1.0
"""Signals within so many seconds are one: a terminal that closes sends its own, and its shell another."""


@dataclass
class Interruption:
    """What interrupts a command: Ctrl-C unless a signal did."""

    number: int = signal.SIGINT
    at: float = -TOGETHER
    is_over: bool = False
    """Whether the command has ended; then there is nothing left to interrupt."""

    @property
    def exit_code(self) -> int:
        """130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP: what shells report of a program that a signal ended."""
        return 128 + self.number

    @property
    def words(self) -> str:
        """What happened, for a message."""
        return "interrupted" if self.number == signal.SIGINT else f"ended by {signal.Signals(self.number).name}"


@contextmanager
def signals_as_interrupts() -> Iterator[Interruption]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt in here: what cleans up or saves at Ctrl-C does it then too.

    A signal that was ignored stays so (`nohup`), and one that the calling program handles stays with it. Outside of the
    main thread nothing changes, since signals arrive in that one only.
    """
    interruption = Interruption()

    def stop(number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if not interruption.is_over and now - interruption.at >= TOGETHER:
            interruption.number, interruption.at = number, now
            raise KeyboardInterrupt

    taken = []
    try:
        for number in (getattr(signal, name) for name in ENDING if hasattr(signal, name)):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, stop)
                taken.append(number)
    except ValueError:  # not the main thread
        pass
    try:
        yield interruption
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
