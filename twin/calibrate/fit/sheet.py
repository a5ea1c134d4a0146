"""Sheets: small CSV files that people fill in by hand, read with care. Every complaint names its line and column."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.errors import BadInputError, shown, visible
from twin.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MAX_BYTES: Final = 2_000_000
"""Larger files are refused unread; a thousand measurements take 50 kB."""
MAX_ROWS: Final = 5_000
"""Five thousand rows are weeks of work with a ruler."""
MAX_CELL: Final = 300
"""Letters in a cell."""

_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Row:
    """One line of a sheet."""

    source: str
    line: int
    """In the file, counted from 1, the header's line among them."""
    names: tuple[str, ...]
    cells: tuple[str, ...]

    def __getitem__(self, name: str) -> str:
        """The text of a cell without blanks at its ends; empty where the sheet has no such column."""
        return self.cells[self.names.index(name)] if name in self.names else ""

    def wrong(self, name: str, problem: str) -> BadInputError:
        """A complaint about one cell."""
        return BadInputError(problem, source=self.source, field=place(self.line, self.names.index(name) + 1, name))

    def number(self, name: str, unit: str) -> float:
        """A finite number of a cell, or an error that shows how to write it."""
        text = self[name]
        if not _NUMBER.fullmatch(text):
            raise self.wrong(name, _why_no_number(text, unit))
        value = float(text)
        if not math.isfinite(value):
            raise self.wrong(name, f"must be a finite number{_in(unit)}; got {shown(text)}")
        return value


def place(line: int, column: int | None = None, name: str = "") -> str:
    """A place in a sheet, in words."""
    where = f"line {line}" if column is None else f"line {line}, column {column}"
    return f"{where} ({name})" if name else where


def read_sheet(path: Path, required: Sequence[str], optional: Sequence[str] = ()) -> list[Row]:
    """The rows of a CSV file (UTF-8, commas, a header); lines that are wholly empty are passed over.

    A byte order mark is allowed, since spreadsheets write one. Columns may stand in any order.
    """
    source = str(path)
    lines = _text(path).splitlines(keepends=True)
    reader = csv.reader(lines, strict=True)
    rows = list(_rows(reader, source))
    if not rows:
        raise BadInputError(f"is empty; the first line must be {','.join(required)}", source=source, field=place(1, 1))
    (line, header), *rest = rows
    names = _header(header, required, optional, source, line)
    if not rest:
        raise BadInputError("there must be at least one row below the header", source=source, field=place(line + 1, 1))
    return [Row(source, number, names, _cells(cells, names, source, number)) for number, cells in rest]


def _text(path: Path) -> str:
    source = str(path)
    raw = read_bytes(path, MAX_BYTES)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _position(raw, error.start)
        problem = "must be UTF-8 text; save it as CSV UTF-8"
        raise BadInputError(problem, source=source, field=place(line, column)) from None
    if "\0" in text:
        line, column = _position(raw, raw.index(b"\0"))
        raise BadInputError("must be text; it holds a zero byte", source=source, field=place(line, column))
    return text


def _position(raw: bytes, index: int) -> tuple[int, int]:
    """Line and column (cells, counted by commas) of a byte."""
    line = raw.count(b"\n", 0, index) + 1
    start = raw.rfind(b"\n", 0, index) + 1
    return line, raw.count(b",", start, index) + 1


def _rows(reader: Iterator[list[str]], source: str) -> Iterator[tuple[int, list[str]]]:
    count = 0
    while True:
        line = reader.line_num + 1  # type: ignore[attr-defined]
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadInputError(f"must be a line of CSV: {error}", source=source, field=place(line, 1)) from None
        cells = [visible(cell.strip()) for cell in cells]
        if not any(cells):
            continue
        count += 1
        if count > MAX_ROWS + 1:
            raise BadInputError(f"must have at most {MAX_ROWS:,} rows", source=source, field=place(line, 1))
        long = next((k for k, cell in enumerate(cells) if len(cell) > MAX_CELL), None)
        if long is not None:
            problem = f"a cell must have at most {MAX_CELL} letters; got {len(cells[long]):,}"
            raise BadInputError(problem, source=source, field=place(line, long + 1))
        yield line, cells


def _header(
    header: list[str], required: Sequence[str], optional: Sequence[str], source: str, line: int
) -> tuple[str, ...]:
    wanted = ",".join(required)
    if len(header) == 1 and any(mark in header[0] for mark in ";\t"):
        problem = f"columns must be parted by commas: {wanted}"
        raise BadInputError(problem, source=source, field=place(line, 1))
    for column, name in enumerate(header, 1):
        if name not in {*required, *optional}:
            more = f" (and may have {', '.join(optional)})" if optional else ""
            problem = f"unknown column {shown(name)}; the header must be {wanted}{more}"
            raise BadInputError(problem, source=source, field=place(line, column))
        if name in header[: column - 1]:
            raise BadInputError("this column is given twice", source=source, field=place(line, column, name))
    for name in required:
        if name not in header:
            problem = f"the column {name!r} is missing; the header must be {wanted}"
            raise BadInputError(problem, source=source, field=place(line, len(header) + 1))
    return tuple(header)


def _cells(cells: list[str], names: tuple[str, ...], source: str, line: int) -> tuple[str, ...]:
    if len(cells) > len(names):
        problem = (
            f"a row must have {len(names)} cells; got {len(cells)} (numbers take a decimal point, and text that holds "
            "a comma takes quotes)"
        )
        raise BadInputError(problem, source=source, field=place(line, len(names) + 1))
    if len(cells) < len(names):
        problem = f"a row must have {len(names)} cells; got {len(cells)} (leave a cell empty, but keep its comma)"
        raise BadInputError(problem, source=source, field=place(line, len(cells) + 1, names[len(cells)]))
    return tuple(cells)


def _in(unit: str) -> str:
    return f" in {unit}" if unit else ""


def _why_no_number(text: str, unit: str) -> str:
    if not text:
        return f"must be a number{_in(unit)}; the cell is empty"
    if re.fullmatch(r"[+-]?\d*,\d+", text):
        return f"numbers take a decimal point, not a comma: {text.replace(',', '.')}; got {shown(text)}"
    if re.match(r"[+-]?[\d.]+\s*[^\d\s.eE]", text):
        return f"must be a bare number{_in(unit)}, without a unit or a word in the cell; got {shown(text)}"
    return f"must be a number{_in(unit)}; got {shown(text)}"
