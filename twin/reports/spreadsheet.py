"""Rows for spreadsheets, which take a cell that begins like a formula for one, and would work it out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_BEGINS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def as_cells(row: Iterable[object]) -> list[object]:
    """A row for `csv.writer` with an apostrophe in front of each text that a spreadsheet would take for a formula.

    Spreadsheets show such a cell as text. Numbers stay as they are, also those that are written as text.

    >>> as_cells(["=1+1", "@a1", "-2.5", -2.5, "a1", None])
    ["'=1+1", "'@a1", '-2.5', -2.5, 'a1', None]
    """
    return [_as_text(value) if isinstance(value, str) else value for value in row]


def _as_text(text: str) -> str:
    if text.startswith(_BEGINS_A_FORMULA) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text
