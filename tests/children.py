"""Processes that tests start: none outlives its test, and no test waits for one without end.

They begin with the usual signals, even where the tests themselves were started by `nohup` or in the background of a
script: `conftest.py` sees to that for all processes of a test, however they are started.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 120.0
"""How long a process may take, s; tests pass as soon as it has done what they wait for."""


def run(words: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """A program that is run to its end, with what it printed."""
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE, **options)


@contextmanager
def started(words: list[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A program in a process group of its own; all that is left of the group in the end is killed."""
    with subprocess.Popen(words, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


def twin(*words: str) -> list[str]:
    """A command of the twin, as words for a process."""
    return [sys.executable, "-m", "twin", *words]


def until(happened: Callable[[], object], what: str) -> None:
    """Wait until something has happened."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.01)


def let_children_hear_signals() -> None:
    """Go on ignoring the signals that this process ignores, but let its children have them.

    A program inherits what is ignored, but not what is handled.
    """
    for name in ("SIGINT", "SIGHUP", "SIGTERM"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
