r"""Reading files: found by name or path, refused unread if they are not plain files or too large, cleaned and checked.

What a file holds reaches the program in one of four forms: bytes, text, TOML or JSON. Control characters and the
characters that reverse the direction of writing come out as escapes (`\x1b`), so that no file writes to a terminal
what it should not. `twin.writing` writes files.
"""

from __future__ import annotations

import difflib
import json
import math
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from twin.errors import BadInputError, shown, visible

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES: Final = 1_000_000
"""Files above this size are refused unread; a machine file has about 10 kB."""

DEEPEST: Final = 20
"""Parts that a dotted key may have. The time and memory that `tomllib` takes grow with the square of their number."""

_TOO_MUCH: Final = "must hold fewer tables; there is not enough memory for them"
LONGEST_KEY: Final = 100
"""Letters that a key may have; messages name it."""

_PART: Final = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DEEP_KEY: Final = re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEEPEST}}}")
_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)

FEW: Final = 10
"""Names that an error lists; the rest is a command away."""


def data_folder(*parts: str) -> Path:
    """A folder of shipped data: inside the installed package, or beside it in the repository."""
    package = Path(__file__).parent
    root = package / "_data" if (package / "_data").is_dir() else package.parent
    return root.joinpath(*parts)


def shipped(folder: Path) -> list[str]:
    """Names of the TOML files in a folder and in those below it (`edge/topples`), sorted."""
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.toml"))


def find(name: str, folder: Path, kind: str) -> Path:
    """The file for a name (`start`, `edge/topples`) or a path (`mine/start.toml`)."""
    if name.endswith(".toml"):
        return Path(name)
    names = shipped(folder)
    if name in names:
        return folder / f"{name}.toml"
    if "/" in name or "\\" in name:
        return Path(name)
    close = difflib.get_close_matches(name, names, n=1)
    more = f" and {len(names) - FEW} more, see `twin {kind}s`" if len(names) > FEW else ""
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(names[:FEW])}{more}"
    problem = f"no {kind} of this name: {hint}; a path must end in .toml or hold a slash"
    raise BadInputError(problem, source=name if len(name) <= 80 else f"{name[:80]}…")


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """The content of a plain file of at most `most` bytes, or a `BadInputError` that names the file and says why not.

    Folders, pipes, devices and sockets are refused unread, and so are files above the limit: a pipe would wait for
    ever, and a device has no end.
    """
    try:
        # Without O_NONBLOCK a pipe that takes the place of a file at this very moment would wait for its other end.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:  # noqa: PTH123 - the descriptor is open already
            status = os.fstat(descriptor)
            _require_plain(status.st_mode, path)
            raw = b"" if status.st_size > most else file.read(most + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, BadInputError):
            raise
        raise _unreadable(path, error) from None
    if status.st_size > most or len(raw) > most:
        raise BadInputError(f"must be at most {most:,} bytes", source=str(path))
    return raw


def _unreadable(path: Path, error: Exception) -> BadInputError:
    """Why a file cannot be read; what it is, if it is no plain file."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        mode = stat.S_IFREG
    try:
        _require_plain(mode, path)
    except BadInputError as what:
        return what
    reason = getattr(error, "strerror", None) or "no file can have this name"
    return BadInputError(f"cannot be read: {reason}", source=str(path))


def _require_plain(mode: int, path: Path) -> None:
    for is_kind, what in _KINDS:
        if is_kind(mode):
            raise BadInputError(f"must be a file; it is {what}", source=str(path))


def read_text(path: Path, most: int = MAX_BYTES) -> str:
    """The text of a file, as UTF-8 and as it stands: not cleaned, with its line ends."""
    return _decoded(read_bytes(path, most), path)


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file, or a `BadInputError` that names the file and says why it cannot be read."""
    text = _decoded(read_bytes(path), path)
    try:
        return parse_toml(text)
    except BadInputError as error:
        raise error.within(source=str(path)) from None


def read_json(path: Path, most: int = MAX_BYTES) -> Any:  # noqa: ANN401 - as JSON gives it
    """The value in a JSON file, or a `BadInputError` that names the file and says why it cannot be read."""
    text = _decoded(read_bytes(path, most), path)
    try:
        return parse_json(text)
    except BadInputError as error:
        raise error.within(source=str(path)) from None


def parse_toml(text: str) -> dict[str, Any]:
    """A TOML document, cleaned; refused before it is parsed where a key has more than `DEEPEST` parts."""
    deep = _DEEP_KEY.search(text)
    if deep is not None:
        line = text.count("\n", 0, deep.start()) + 1
        raise BadInputError(f"a key must have at most {DEEPEST} parts; see line {line}")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also numbers of thousands of digits
        raise BadInputError(f"must be valid TOML: {visible(str(error))}"[:300]) from None
    except MemoryError:
        raise BadInputError(_TOO_MUCH) from None
    cleaned: dict[str, Any] = clean(data)
    return cleaned


def parse_json(text: str) -> Any:  # noqa: ANN401 - as JSON gives it
    """A JSON value, cleaned; `NaN`, `Infinity` and numbers that no float holds are refused."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"must be JSON: {visible(str(error))}"[:200]) from None
    except MemoryError:
        raise BadInputError(_TOO_MUCH) from None
    return clean(data, finite=True)


def clean(value: Any, *, finite: bool = False) -> Any:  # noqa: ANN401 - as TOML and JSON give it
    r"""A value with all control characters of its texts and keys escaped.

    Raises `BadInputError` with the field for numbers beyond what a float holds, with `finite` also for `NaN` and
    `Infinity`, and for tables nested without end.

    >>> clean({"title": "a\x1b[2Jb"})
    {'title': 'a\\x1b[2Jb'}
    """
    try:
        return _clean(value, "", finite=finite)
    except RecursionError:
        raise BadInputError("tables are nested too deep") from None
    except MemoryError:
        raise BadInputError(_TOO_MUCH) from None


def _clean(value: Any, field: str, *, finite: bool) -> Any:  # noqa: ANN401 - as TOML and JSON give it
    match value:
        case str():
            return visible(value)
        case bool():
            return value
        case int():
            try:
                float(value)
            except OverflowError:
                raise BadInputError("must be a finite number; no float holds it", field=field) from None
        case float() if finite and not math.isfinite(value):
            raise BadInputError(f"must be a finite number; got {value}", field=field)
        case dict():
            inner = f"{field}." if field else ""
            for key in value:
                if len(key) > LONGEST_KEY:
                    problem = f"a key must have at most {LONGEST_KEY} letters; {shown(key)} has {len(key):,}"
                    raise BadInputError(problem, field=field)
            names = [(visible(key), item) for key, item in value.items()]
            return {name: _clean(item, f"{inner}{name}", finite=finite) for name, item in names}
        case list():
            return [_clean(item, f"{field}[{number}]", finite=finite) for number, item in enumerate(value)]
    return value


def _decoded(raw: bytes, path: Path) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"must be UTF-8 text; byte {error.start} is not"
        raise BadInputError(problem, source=str(path)) from None


def typed(data: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:  # noqa: ANN401 - as TOML gives it
    """The value of a key, or the default; a `BadInputError` if it is of another type."""
    value = data.get(key, default)
    if type(value) is not kind:
        names = {str: "text", int: "a whole number", dict: "a table", bool: "true or false", list: "a list"}
        raise BadInputError(f"must be {names[kind]}; got {shown(value)}", field=key)
    return value
