"""How commands print: colours only for a terminal, JSON on one line per object, progress on the error stream.

They print to the streams that `console` has made safe.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from typing import TYPE_CHECKING, Any, TextIO

from twin.errors import visible

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from twin.board.machine import Machine
    from twin.board.state import State
    from twin.reports.board_text import Paint

BAR = 20
"""Width of a progress bar, letters."""


def paint_for(stream: TextIO) -> Paint:
    """Colours if a person looks at a terminal that has them (`NO_COLOR` turns them off)."""
    from twin.reports.board_text import Paint

    coloured = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Paint(coloured=coloured)


def shows_boxes(stream: TextIO) -> bool:
    """Whether a stream can show the lines that walls are drawn with."""
    try:
        "─│┼".encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def print_json(data: dict[str, Any]) -> None:
    """One object, the keys in the order of the contract."""
    print(json_line(data, getattr(sys.stdout, "encoding", None) or "utf-8"))


def json_line(data: dict[str, Any], encoding: str = "utf-8") -> str:
    r"""JSON that an encoding can hold and a terminal only shows; a number that is none, or without end, is null.

    >>> json_line({"x": math.inf, "µ": ["ü"]}), json_line({"µ": ["ü"]}, "ascii")
    ('{"x": null, "µ": ["ü"]}', '{"\\u00b5": ["\\u00fc"]}')
    """
    data = finite(data)
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        shows = False
    else:
        shows = visible(text) == text
    return text if shows else json.dumps(data, allow_nan=False)


def finite(data: Any) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """The same data with null for each number that JSON does not know: infinite ones, and those that are none."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [finite(value) for value in data]
    return data


def print_pictures(before: State, after: State, machine: Machine, *, legend: bool = True) -> None:
    """A position before and after a move, side by side."""
    from twin.reports.board_text import LEGEND, board_lines, side_by_side

    paint = paint_for(sys.stdout)
    left, right = board_lines(before, machine, paint), board_lines(after, machine, paint)
    print(f"  {'before':<38}   {'after'}")
    for line in side_by_side(left, right):
        print(line.rstrip())
    if legend:
        print(paint(LEGEND, "dim"))


def print_lines(lines: Iterable[str]) -> None:
    """Each of the lines."""
    for line in lines:
        print(line)


def heading(text: str) -> None:
    """A title, bold on a terminal."""
    print(paint_for(sys.stdout)(visible(text), "bold"))


def announce_compiling() -> None:
    """Report, before work that other processes may do, that the kernel is yet to be compiled."""
    from twin.caches import notice
    from twin.outcome.kernel_door import compiling, is_compiled

    if not is_compiled():
        notice(compiling())


def showing_notices() -> AbstractContextManager[None]:
    """Within this context, each notice about the cache is printed on the error stream, once."""
    from twin.caches import heard_by

    shown: set[str] = set()

    def show(text: str) -> None:
        if text not in shown:
            shown.add(text)
            bar = "\r\x1b[K" if sys.stderr.isatty() else ""  # a progress bar may stand there
            print(f"{bar}twin: {text}", file=sys.stderr, flush=True)

    return heard_by(show)


class Progress:
    """A bar on the error stream of a terminal: how far a long command is, how fast, and how long it will still take.

    Without `rated` it leaves out the rate, which means nothing where the total is a number of seconds.
    """

    def __init__(self, total: int, what: str, *, rated: bool = True) -> None:
        self.total, self.what, self.rated = total, what, rated
        self.start = self.shown = time.monotonic()
        self.watched = sys.stderr.isatty()

    def __call__(self, done: int) -> None:
        """Show that `done` of the total are done."""
        now = time.monotonic()
        if not self.watched or (now - self.shown < 0.1 and 0 < done < self.total):
            return
        self.shown = now
        text = progress_words(done, self.total, self.what, now - self.start, rated=self.rated)
        sys.stderr.write("\r\x1b[K")
        sys.stderr.write(text if done < self.total else "")
        sys.stderr.flush()


def progress_words(done: int, total: int, what: str, seconds: float, *, rated: bool = True) -> str:
    """How far a command is after so many seconds.

    >>> progress_words(5_000, 20_000, "turns", 10.0)
    '[=====>              ] 5,000/20,000 turns · 500/s · 30 s left'
    """
    rate = done / max(seconds, 1e-9)
    filled = BAR * done // max(total, 1)
    bar = ("=" * filled + ">").ljust(BAR)[:BAR]
    left = f"{(total - done) / rate:,.0f} s left" if done else "…"
    return " · ".join([f"[{bar}] {done:,}/{total:,} {what}", *([f"{rate:,.0f}/s"] if rated else []), left])
