"""Files: scenes and machines found by name or path, read with care, and written wholly or not at all."""

from __future__ import annotations

import difflib
import os
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from twin.errors import BadInputError, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES: Final = 1_000_000
"""Files above this size are refused unread; a machine file has about 10 kB."""

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


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file, or a `BadInputError` that names the file and says why it cannot be read."""
    try:
        if path.is_dir():
            problem = "must be a TOML file; it is a folder"
            raise BadInputError(problem, source=str(path))
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadInputError(f"cannot be read: {reason}", source=str(path)) from None
    if len(raw) > MAX_BYTES:
        problem = f"must be at most {MAX_BYTES:,} bytes"
        raise BadInputError(problem, source=str(path))
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        problem = f"must be UTF-8 text; byte {error.start} is not"
        raise BadInputError(problem, source=str(path)) from None
    except (ValueError, RecursionError) as error:  # ValueError: also numbers of thousands of digits
        raise BadInputError(f"must be valid TOML: {error}"[:300], source=str(path)) from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file (text as UTF-8) wholly or not at all: beside its place first, then renamed into it."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".twin-")
    except OSError as error:
        raise BadInputError(f"cannot be written: {error.strerror}", source=str(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise BadInputError(f"cannot be written: {error.strerror}", source=str(path)) from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def typed(data: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:  # noqa: ANN401 - as TOML gives it
    """The value of a key, or the default; a `BadInputError` if it is of another type."""
    value = data.get(key, default)
    if type(value) is not kind:
        names = {str: "text", int: "a whole number", dict: "a table", bool: "true or false", list: "a list"}
        raise BadInputError(f"must be {names[kind]}; got {shown(value)}", field=key)
    return value
