"""Signals that ask a program to end: they close the window, as a person would."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""To end, and because the terminal is gone; not every platform has both."""


@contextmanager
def asked_to_end() -> Iterator[list[int]]:
    """A list that the signals which ask to end come into, as long as this lasts; afterwards the first takes effect.

    A signal that is ignored, as under `nohup`, stays so.
    """
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in SIGNALS}
    heard = [number for number in SIGNALS if before[number] not in {signal.SIG_IGN, None}]
    for number in heard:
        signal.signal(number, lambda which, _: came.append(which))
    try:
        yield came
    finally:
        for number in heard:
            signal.signal(number, before[number])
    if came:
        signal.raise_signal(came[0])
