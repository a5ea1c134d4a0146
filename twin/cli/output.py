"""How commands talk: colours only for a terminal, JSON on one line per object, progress on the error stream."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any, TextIO

from twin.reports.picture import LEGEND, Paint, board_lines, side_by_side

if TYPE_CHECKING:
    from twin.machine import Machine
    from twin.state import State


def paint_for(stream: TextIO) -> Paint:
    """Colours if a person looks at a terminal that has them (`NO_COLOR` turns them off)."""
    coloured = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Paint(coloured=coloured)


def print_json(data: dict[str, Any]) -> None:
    """One object, the keys in the order of the contract."""
    print(json.dumps(data, ensure_ascii=False))


def print_pictures(before: State, after: State, machine: Machine, *, legend: bool = True) -> None:
    """A position before and after a move, side by side."""
    paint = paint_for(sys.stdout)
    left, right = board_lines(before, machine, paint), board_lines(after, machine, paint)
    print(f"  {'before':<38}   {'after'}")
    for line in side_by_side(left, right):
        print(line.rstrip())
    if legend:
        print(paint(LEGEND, "dim"))


def heading(text: str) -> None:
    """A title, bold on a terminal."""
    print(paint_for(sys.stdout)(text, "bold"))


def announce_compiling() -> None:
    """Tell a person who waits for the first use of the kernel why it takes a while."""
    if sys.stderr.isatty():
        from twin.kernel import is_compiled

        if not is_compiled():
            print("compiling the batch kernel, once: this takes half a minute …", file=sys.stderr, flush=True)


class Progress:
    """A line on the error stream that tells how far a long command is, if a person is watching."""

    def __init__(self, total: int, what: str) -> None:
        self.total, self.what = total, what
        self.start = self.shown = time.monotonic()
        self.watched = sys.stderr.isatty()

    def __call__(self, done: int) -> None:
        """Tell that `done` of the total are done."""
        now = time.monotonic()
        if not self.watched or (now - self.shown < 0.1 and done < self.total):
            return
        self.shown = now
        rate = done / max(now - self.start, 1e-9)
        left = (self.total - done) / rate
        text = f"{done}/{self.total} {self.what} · {rate:.0f}/s · {left:.0f} s left"
        sys.stderr.write("\r\x1b[K" + (text if done < self.total else ""))
        sys.stderr.flush()
