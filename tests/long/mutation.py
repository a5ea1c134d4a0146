"""Mutants: copies of good files with a few things wrong, made with an eye for how such files are built."""

from __future__ import annotations

import copy
import datetime as dt
import io
import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence

    Way = tuple[Any, ...]

TOML: Final = "toml"
JSON: Final = "json"
LINES: Final = "lines"
"""A JSON object in each line."""
CSV: Final = "csv"
PACKED: Final = "packed"
"""Arrays in a zip file, as numpy packs them."""
PLAIN: Final = "plain"

LARGEST: Final = 300_000
"""Bytes above which a mutant grows no more, so that many can be tried."""

STRANGE: Final[tuple[Any, ...]] = (
    *(
        None,
        True,
        False,
        -1,
        0,
        1,
        2,
        7,
        99,
        2**31,
        2**63,
        10**30,
        10**400,
        -0.0,
        0.5,
        1e-320,
        1e-9,
        1e9,
        1e300,
        -1e308,
    ),
    *(
        float("nan"),
        float("inf"),
        float("-inf"),
        "",
        " ",
        "x",
        "1",
        "a1",
        "d4",
        "h8",
        "red",
        "A",
        "turn cw",
        "push A up",
    ),
    *("start", "../start.toml", "/dev/zero", "é", "\u202e", "\x1b[2J", "\x00", "\ud800", "x" * 5000, "[[" * 300),
    *([], {}, [1], [[]], [[1, 2], [3]], {"a": 1}, {"": {}}, ["a1", "a1"], [0.0, 0.0], dt.date(1979, 5, 27)),
)
JUNK: Final = (
    *(
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\r",
        b"\n",
        b"\r\n",
        b'"',
        b"'",
        b'"""',
        b"\\",
        b"\\u",
        b"{",
        b"}",
        b"[",
        b"]",
    ),
    *(
        b"[[",
        b"]]",
        b",",
        b";",
        b":",
        b"=",
        b".",
        b"#",
        b"-",
        b"+",
        b"e",
        b"1e999",
        b"nan",
        b"Infinity",
        b"null",
        b"true",
    ),
    *(
        b"1979-05-27",
        b"0x1F",
        b"1_0",
        "\u202e".encode(),
        "\U0001f47b".encode(),
        b"\xed\xa0\x80",
        b"9" * 5000,
        b"[" * 2000,
    ),
    *(b"a.b.c.d = 1\n", b"a = 1\na = 1\n", b"PK\x03\x04", b"PAR1", b"=cmd|' /C calc'!A0"),
)
_NUMBER: Final = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def mutant(kind: str, bases: Sequence[bytes], dice: random.Random) -> bytes:
    """A copy of one of the good files with one to eight things wrong."""
    content = dice.choice(bases)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 8))):
        structured = _STRUCTURED.get(kind)
        if structured is not None and dice.random() < 0.65:
            try:
                content = structured(content, dice)
            except Exception:  # noqa: BLE001 - it was too broken already
                content = _text(content, bases, dice)
        else:
            content = _text(content, bases, dice)
    return content


def ways(value: object, way: Way = ()) -> Iterator[Way]:
    """The way to every value within tables and lists, but not to the whole."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield (*way, key)
        yield from ways(item, (*way, key))


def toml_text(data: dict[str, Any]) -> str:
    """A TOML document: one line for each key, tables within tables in line."""
    return "".join(f"{_key(key)} = {_toml(value)}\n" for key, value in data.items())


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


# -- tables and lists --------------------------------------------------------------------------------------------------


def _tree(data: Any, dice: random.Random) -> Any:
    """A copy with one value, key or item changed."""
    data = copy.deepcopy(data)
    places = list(ways(data))
    if not places:
        return dice.choice(STRANGE)
    way = dice.choice(places)
    inner = _at(data, way[:-1])
    key, value = way[-1], inner[way[-1]]
    change = dice.randrange(9)
    if change == 0:
        del inner[key]
    elif change == 1:
        inner[key] = copy.deepcopy(_at(data, dice.choice(places)))
    elif change == 2 and isinstance(value, bool | int | float):
        inner[key] = dice.choice((value + 1, value - 1, -value, value * 1000, value + 0.001, float(value), value / 7))
    elif change == 3 and isinstance(value, str):
        inner[key] = dice.choice(
            (value.upper(), value + "x", value[1:], f" {value}", value * 50, value[::-1], "é" + value)
        )
    elif change == 4 and isinstance(inner, list):
        inner.insert(dice.randrange(len(inner) + 1), copy.deepcopy(value))
    elif change == 5 and isinstance(inner, dict):
        inner[dice.choice((f"{key}s", str(key).upper(), "x", "", "\u202e", "a" * 300))] = inner.pop(key)
    elif change == 6 and isinstance(value, list) and value:
        inner[key] = dice.choice(
            (value[:-1], value[::-1], value * dice.choice((2, 200)), [*value, dice.choice(STRANGE)])
        )
    elif change == 7:
        inner[key] = dice.choice(([value], {"value": value}, _nested(value, dice.choice((5, 150)))))
    else:
        inner[key] = dice.choice(STRANGE)
    return data


def _at(data: Any, way: Way) -> Any:
    for key in way:
        data = data[key]
    return data


def _nested(value: object, depth: int) -> object:
    for _ in range(depth):
        value = [value]
    return value


def _toml_step(content: bytes, dice: random.Random) -> bytes:
    return toml_text(_tree(tomllib.loads(content.decode()), dice)).encode("utf-8", "surrogatepass")


def _json_step(content: bytes, dice: random.Random) -> bytes:
    data = _tree(json.loads(content), dice)
    text = json.dumps(data, ensure_ascii=dice.random() < 0.5, default=str)
    return text.encode("utf-8", "surrogatepass")


def _lines_step(content: bytes, dice: random.Random) -> bytes:
    """A line changed in itself, or lines left out, repeated or exchanged."""
    lines = content.splitlines()
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    change = dice.randrange(6)
    if change == 0:
        del lines[one]
    elif change == 1:
        lines.insert(one, lines[other])
    elif change == 2:
        lines[one], lines[other] = lines[other], lines[one]
    elif change == 3:
        lines = lines[: one + 1]
    else:
        lines[one] = _json_step(lines[one], dice)
    return b"\n".join(lines) + dice.choice((b"\n", b"\n", b""))


def _csv_step(content: bytes, dice: random.Random) -> bytes:
    """A cell, a row or a column changed, left out or repeated."""
    rows = [line.split(b",") for line in content.splitlines()]
    row = dice.randrange(len(rows))
    column = dice.randrange(len(rows[row]))
    change = dice.randrange(8)
    if change == 0:
        rows.insert(row, list(rows[dice.randrange(len(rows))]))
    elif change == 1:
        del rows[row]
    elif change == 2:
        rows = [cells[:column] + cells[column + 1 :] for cells in rows]
    elif change == 3:
        rows = [[*cells, cells[min(column, len(cells) - 1)]] for cells in rows]
    elif change == 4:
        rows[row][column] = b'"' + rows[row][column] + dice.choice((b'"', b'""', b'"x', b""))
    elif change == 5 and sum(map(len, rows[row])) * 6000 < LARGEST:
        rows[row:row] = [rows[row]] * 6000
    else:
        strange = dice.choice(STRANGE)
        text = strange if isinstance(strange, str) else str(strange) if strange != 10**400 else "1" + "0" * 400
        rows[row][column] = text.encode("utf-8", "surrogatepass")
    return dice.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r")).join(map(b",".join, rows)) + b"\n"


def _packed_step(content: bytes, dice: random.Random) -> bytes:
    """One of the arrays of another kind or shape, left out or added."""
    with np.load(io.BytesIO(content), allow_pickle=False) as packed:
        arrays: dict[str, Any] = {name: packed[name] for name in packed.files}
    name = dice.choice(sorted(arrays))
    array = arrays[name]
    strange = (array[..., None], array.ravel(), array.astype("U9"), array.astype(object), array[:0], np.array(3.0))
    arrays[dice.choice((name, name, name, "more"))] = dice.choice(
        (*strange, np.full(array.shape, np.nan), np.array(b"x"), np.zeros((3, 0)), np.zeros(2, [("a", "i4")]))
    )
    if dice.random() < 0.2:
        del arrays[name]
    target = io.BytesIO()
    dice.choice((np.savez, np.savez_compressed))(target, **arrays)
    return target.getvalue()


_STRUCTURED: Final[dict[str, Callable[[bytes, random.Random], bytes]]] = {
    TOML: _toml_step,
    JSON: _json_step,
    LINES: _lines_step,
    CSV: _csv_step,
    PACKED: _packed_step,
}


# -- text and bytes ----------------------------------------------------------------------------------------------------


def _text(content: bytes, bases: Sequence[bytes], dice: random.Random) -> bytes:
    """Bits turned over, pieces cut, repeated, put in or exchanged, numbers replaced."""
    at, other = dice.randrange(len(content) + 1), dice.randrange(len(content) + 1)
    start, end = min(at, other), min(max(at, other), min(at, other) + 400)
    base = dice.choice(bases)
    new = dice.choice(JUNK)
    match dice.randrange(9):
        case 0:
            start, end = at, min(at + 1, len(content))
            new = bytes(byte ^ 1 << dice.randrange(8) for byte in content[start:end])
        case 1:
            new = b""
        case 2 if len(content) < LARGEST:
            new = content[start:end] * dice.choice((2, 2, 20))
        case 3:
            start, end, new = at, len(content), b""
        case 4:
            start, end, new = at, len(content), base[dice.randrange(len(base) + 1) :]
        case 5 | 6 if numbers := list(_NUMBER.finditer(content, max(start - 200, 0), end + 200)):
            found = dice.choice(numbers)
            start, end = found.span()
            new = dice.choice((b"0", b"-1", b"1e999", b"nan", b"1e-320", b"007", b"9" * 400, b"1e5", found[0] + b"1"))
        case _:
            end = start
    return content[:start] + new + content[end:]
