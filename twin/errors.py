"""What can go wrong, as one family of exceptions.

Everything that the twin raises on purpose derives from `TwinError`, so that a caller can tell a bad file from a bug
in the program. The command line turns them into one sentence and an exit code (design: 2 bad input, 3 not allowed by
the rules, 4 a finding).
"""

from __future__ import annotations

import re
import reprlib

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 100
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but for line ends and tabs, marks that turn the direction of writing, halves of characters."""


class TwinError(Exception):
    """Base of all errors raised on purpose; its text is meant for people."""

    exit_code = 2


class BadInputError(TwinError):
    """A file, a value or a word that cannot be used.

    `source` is the file or the option, `field` the place within it (for example `ghosts.red`), `problem` says what is
    wrong and what would be right. The message joins the three.
    """

    def __init__(self, problem: str, *, source: str = "", field: str = "") -> None:
        self.problem = problem
        self.source = source
        self.field = field
        super().__init__(": ".join(part for part in (source, field, problem) if part))

    def within(self, source: str = "", field: str = "") -> BadInputError:
        """The same error, seen from farther out: with the file, or the enclosing table, in front."""
        path = ".".join(part for part in (field, self.field) if part)
        return BadInputError(self.problem, source=source or self.source, field=path)


class BarredMoveError(TwinError):
    """A move that the rules forbid, where the caller insisted on a legal one.

    `broken` are the rules' numbers; the message names them, at its end if `problem` does not.
    """

    exit_code = 3

    def __init__(self, problem: str, broken: tuple[str, ...]) -> None:
        self.broken = broken
        unnamed = [number for number in broken if not re.search(rf"\b{number}\b", problem)]
        super().__init__(f"{problem} ({', '.join(unnamed)})" if unnamed else problem)


class MissingExtraError(TwinError):
    """An optional part is not installed."""


def shown(value: object) -> str:
    """A value as it appears in a message: short, however long or deep what was put into a file."""
    try:
        return _SHORT.repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or tables in tables without end
        return f"a very large {type(value).__name__}"


def visible(text: str) -> str:
    r"""A text that commands no terminal: control characters, marks of direction and lone surrogates are written out.

    Line ends and tabs stay, so that a text of several lines keeps its shape.

    >>> print(visible("\x1b[31mred\u202e"))
    \x1b[31mred\u202e
    """
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
