"""The standard streams of a command, made safe: `print` never fails, and the end reports what could not be written.

While a command runs, `sys.stdout` and `sys.stderr` are `Stream`s. They replace what the encoding lacks, write out what
a terminal would obey, and remember the first failure instead of raising it, so that a full disk or a reader that has
gone away keeps no command from writing its files, and hides no exit code.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

from twin.errors import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

BAD_OUTPUT: Final = 2
"""Exit code of a command that did all but print."""

_PLAIN: Final = (
    {"…": "...", "→": "->", "←": "<-", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'"}
    | dict.fromkeys("–—·−‐‑", "-")
    | dict.fromkeys("×⨯", "x")
    | dict.fromkeys("µμ", "u")
    | dict.fromkeys("─━═┄┅┈┉╌╍╴╶╸╺", "-")
    | dict.fromkeys("│┃║┆┇┊┋╎╏╵╷╹╻▏", "|")
    | {"±": "+-", "²": "2", "³": "3", "°": " deg", "≥": ">=", "≤": "<=", "↑": "^", "↓": "v", "●": "o", "\xa0": " "}
)
"""What is written where an encoding lacks a character; other box lines become `+`, all else `?`."""

_COLOUR: Final = re.compile(r"(\x1b\[(?:[0-2]|(?:1;)?3[1-6])m)")
"""Bold, dim, six colours and the way back; nothing that hides a text."""
_CONTROL: Final = re.compile(r"(?:\x1b\[[0-9;]*[mHJK]|\r)+")


def plain(text: str, encoding: str) -> str:
    """A text that an encoding can hold, with stand-ins for what it lacks.

    >>> plain("1 × 2 µm … ü ┌─", "ascii")
    '1 x 2 um ... ? +-'
    >>> plain("1 × 2 µm … ü ┌─", "latin-1")
    '1 × 2 µm ... ü +-'
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(character if _fits(character, encoding) else _stand_in(character) for character in text)
    return text


def _fits(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _stand_in(character: str) -> str:
    return _PLAIN.get(character, "+" if "─" <= character <= "╿" else "?")


class Stream:
    """A text stream to print to, which never raises; `failure` is what first kept it from being written.

    Colours pass to a terminal only, and so does a text that is nothing but commands to it, such as clearing the screen.
    `raw` is None where the stream was closed before the command began.
    """

    errors = "replace"

    def __init__(self, raw: TextIO | None) -> None:
        self.raw = raw
        self.failure: Exception | None = None
        self.encoding: str = getattr(raw, "encoding", None) or "utf-8"

    def write(self, text: str) -> int:
        """Print a text; returns its length."""
        if text and self.failure is None:
            try:
                if self.raw is None:
                    raise OSError(errno.EBADF, "it is closed")  # noqa: TRY301 - the same as if it closes later
                self.raw.write(plain(self._harmless(text), self.encoding))
            except (OSError, ValueError) as error:  # ValueError: closed in the meantime
                self._fail(error)
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Print several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Pass on what has been printed."""
        if self.raw is not None and self.failure is None:
            try:
                self.raw.flush()
            except (OSError, ValueError) as error:
                self._fail(error)

    def isatty(self) -> bool:
        """Whether a person looks at it."""
        try:
            return self.raw is not None and self.raw.isatty()
        except ValueError:
            return False

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever else a stream has
        return getattr(self.raw if self.raw is not None else io.StringIO(), name)

    def _harmless(self, text: str) -> str:
        if not self.isatty():
            return visible(text)
        if _CONTROL.fullmatch(text):
            return text
        return "".join(part if number % 2 else visible(part) for number, part in enumerate(_COLOUR.split(text)))

    def _fail(self, error: Exception) -> None:
        """Remember a failure; what the stream still holds goes nowhere, so that Python does not complain at its end."""
        self.failure = error
        with suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            try:
                os.dup2(nowhere, self.fileno())
            finally:
                os.close(nowhere)


@contextmanager
def safe_streams() -> Iterator[Stream]:
    """Print safely in here; yields the output, whose `failure` is known at the end and reported on the error stream."""
    before = sys.stdin, sys.stdout, sys.stderr
    if None in before:
        _occupy_closed_descriptors()
    out, errors = Stream(sys.stdout), Stream(sys.stderr)
    sys.stdout, sys.stderr = cast("TextIO", out), cast("TextIO", errors)
    if sys.stdin is None:
        sys.stdin = io.StringIO()
    try:
        yield out
    finally:
        out.flush()
        if went_wrong(out):
            why = getattr(out.failure, "strerror", None) or out.failure
            errors.write(f"twin: the output could not be written: {why}\n")
        errors.flush()
        sys.stdin, sys.stdout, sys.stderr = before


def is_read(stream: TextIO) -> bool:
    """Whether it is worth while to print more: not if the reader of a pipe has seen enough, or a disk is full."""
    return getattr(stream, "failure", None) is None


def went_wrong(out: Stream) -> bool:
    """Whether output is missing; not if the reader of a pipe has seen enough, as in `twin scenes | head`."""
    return out.failure is not None and not isinstance(out.failure, BrokenPipeError)


def _occupy_closed_descriptors() -> None:
    """Keep a file that is opened later from getting the number of a standard stream that is closed."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
