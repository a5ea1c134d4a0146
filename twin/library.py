"""Where scenes and machines are found: by name in the folders that ship with the twin, or by path."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any, Final

import tomllib

from twin.errors import BadInputError

MAX_BYTES: Final = 1_000_000
"""Files above this size are refused unread; a machine file has about 10 kB."""


def data_folder(*parts: str) -> Path:
    """A folder of shipped data: inside the installed package, or beside it in the repository."""
    package = Path(__file__).parent
    root = package / "_data" if (package / "_data").is_dir() else package.parent
    return root.joinpath(*parts)


def shipped(folder: Path) -> list[str]:
    """Names of the TOML files in a folder, sorted."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def find(name: str, folder: Path, kind: str) -> Path:
    """The file for a name (`start`) or a path (`mine/start.toml`)."""
    if name.endswith(".toml") or "/" in name or "\\" in name:
        return Path(name)
    path = folder / f"{name}.toml"
    if path.is_file():
        return path
    names = shipped(folder)
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(names)}"
    problem = f"no {kind} of this name: {hint}; a path must end in .toml or hold a slash"
    raise BadInputError(problem, source=name)


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file, or a `BadInputError` that names the file and says why it cannot be read."""
    try:
        if path.is_dir():
            problem = "must be a TOML file; it is a folder"
            raise BadInputError(problem, source=str(path))
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise BadInputError(f"cannot be read: {reason}", source=str(path)) from None
    if len(raw) > MAX_BYTES:
        problem = f"must be at most {MAX_BYTES:,} bytes"
        raise BadInputError(problem, source=str(path))
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        problem = f"must be UTF-8 text; byte {error.start} is not"
        raise BadInputError(problem, source=str(path)) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInputError(f"must be valid TOML: {error}"[:300], source=str(path)) from None
