"""Hashes of an atlas' files, in one text file beside them, a line for each, as `sha256sum` prints it.

Lines are only added: to write the whole list anew with each of 146,000 files would take longer than to run the turns.
A line is added before its file takes its place, so a file without a line was put there by another program. A file that
was made twice has two lines, and may be as either says. Lines that a kill or a full disk has torn are passed over.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING, Final

from twin.errors import BadInputError
from twin.files import MAX_BYTES, read_bytes

if TYPE_CHECKING:
    from pathlib import Path

HASHES: Final = "hashes.txt"
MOST: Final = 200_000_000
"""Bytes that the list may have: twice what the largest atlas, a million files of four ghosts, needs."""
_EACH: Final = 1000
"""Bytes that the list may have for each file: ten lines."""
_LINE: Final = re.compile(rb"^([0-9a-f]{64})  (turns-[0-9]{6,15}\.parquet)$", re.MULTILINE)


def hash_of(content: bytes) -> str:
    """The SHA-256 of a file's content, as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def read_hashes(folder: Path, count: int) -> dict[str, frozenset[str]]:
    """The hashes known of each file, by its name; none if there is no list. `count` is how many files there may be.

    Raises `BadInputError` if the list cannot be read, or is longer than a build makes it.
    """
    path = folder / HASHES
    if not os.path.lexists(path):
        return {}
    found: dict[str, frozenset[str]] = {}
    for line in _LINE.finditer(read_bytes(path, min(MAX_BYTES + _EACH * count, MOST))):
        name = line[2].decode()
        found[name] = found.get(name, frozenset()) | {line[1].decode()}
    return found


def add_hash(folder: Path, name: str, digest: str) -> None:
    """Add a file's hash to the list."""
    path = folder / HASHES
    try:
        with path.open("a+b") as file:
            torn = False
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                torn = file.read(1) != b"\n"
            file.write((b"\n" if torn else b"") + f"{digest}  {name}\n".encode())
    except OSError as error:
        raise BadInputError(f"cannot be written: {error.strerror}", source=str(path)) from None
