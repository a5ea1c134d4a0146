"""The cache: files that spare time (force tables, compiled code, samples) and change no result.

All of them lie in one folder, which `TWIN_CACHE` names. Each file begins with a hash of its content and of the recipe
that it was made by. A file that is torn, damaged, foreign or of another recipe is not read further than that, so that
it only costs the time to make its content anew; likewise a folder that cannot be written. Some contents are pickles
and machine code, which could do anything: nothing is read from a folder or file that another user owns or may write.

The cache is bounded: what has not been used for longest makes room.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from twin.errors import BadInputError
from twin.writing import clear_leftovers, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIMIT: Final = 100_000_000
"""Bytes that the cache holds at most."""

KERNEL: Final = "kernel"
MAGNETS: Final = "magnets"
REGION: Final = "region"

_FILE: Final = re.compile(rf"({MAGNETS}|{REGION})-[0-9a-f]{{20}}\.(cache|json)")
_FOLDER: Final = re.compile(rf"({KERNEL})-[0-9a-f]{{16}}")
"""Names in the cache folder; all others are the user's own. `.json` and numba's own files are of earlier versions."""
_CODE: Final = re.compile(r".+\.(cache|nb[ic](\.tmp\..+)?)")
"""Names of files in a folder of compiled code."""
_SEAL: Final = hashlib.sha256().digest_size

_in_use: Final[set[Path]] = set()
"""Folders of compiled code that this process reads from."""
_listener: list[Callable[[str], None]] = []


@dataclass(frozen=True)
class Entry:
    """One thing in the cache: a file, or the folder of all code that was compiled from one version of the sources."""

    path: Path
    kind: str
    size: int
    """Bytes."""
    used: float
    """When it was last used or made, seconds since 1970."""


@dataclass(frozen=True)
class Cache:
    """A folder of such files. No method but `clear` ever fails."""

    folder: Path

    def load(self, name: str, recipe: str) -> bytes | None:
        """What was kept under a name (`magnets`, or `kernel-HASH/FUNCTION`) and recipe; None if nothing sound is."""
        path = self._path(name, recipe)
        if self._refused(path.parent):
            return None
        raw = _read(path)
        if raw is None or raw[:_SEAL] != _seal(recipe, raw[_SEAL:]):
            return None
        with suppress(OSError):
            os.utime(path)
        return raw[_SEAL:]

    def keep(self, name: str, recipe: str, content: bytes) -> None:
        """Keep a content for later runs if that is possible."""
        path = self._path(name, recipe)
        try:
            if self.obstacle() is not None or self._refused(_made(path.parent)):
                return
            path.unlink(missing_ok=True)  # `write_whole` would keep its mode and owner, or follow a link
            write_whole(path, _seal(recipe, content) + content, private=True)
        except BadInputError as error:
            notice(f"{self.folder}: the cache {error.problem}")
        except OSError as error:
            notice(f"{error.filename or path}: cannot be used by the cache: {error.strerror}")
        else:
            with suppress(OSError):
                self._prune(path)

    def holds(self, name: str) -> bool:
        """Whether something is kept under a name, by whatever recipe."""
        path = self.folder / name
        return not self._refused(path.parent) and any(path.parent.glob(f"{path.name}-*.cache"))

    def refusal(self) -> str | None:
        """Why the folder must not be used, as a sentence; None if it may be, or does not exist."""
        return _refusal(self.folder)

    def obstacle(self) -> str | None:
        """Why nothing can be kept, as a sentence; None if it can. Makes the folder if it does not exist."""
        try:
            _made(self.folder)
        except OSError as error:
            return f"{self.folder}: cannot be used as the cache: {error.strerror}"
        refusal = self.refusal()
        effective = os.access in os.supports_effective_ids
        if refusal is None and not os.access(self.folder, os.W_OK | os.X_OK, effective_ids=effective):
            return f"{self.folder}: cannot be used as the cache: it cannot be written"
        return refusal

    def entries(self) -> tuple[Entry, ...]:
        """All that was put into the cache, the longest unused first."""
        found = []
        for path in _listed(self.folder):
            with suppress(OSError):
                match = _FILE.fullmatch(path.name) or _FOLDER.fullmatch(path.name)
                if match is None or path.is_symlink() or path.is_dir() != (match[1] == KERNEL):
                    continue
                parts = [part.stat() for part in _code_files(path)] if match[1] == KERNEL else [path.stat()]
                used = max((part.st_mtime for part in parts), default=0.0)
                found.append(Entry(path, match[1], sum(part.st_size for part in parts), used))
        return tuple(sorted(found, key=lambda entry: (entry.used, entry.path)))

    def clear(self) -> tuple[Entry, ...]:
        """Remove all entries and return them; files that were not put here by the twin stay."""
        if _belongs_to_another(self.folder):
            problem = "cannot be cleared: another user owns it"
            raise BadInputError(problem, source=str(self.folder))
        gone = self.entries()
        self._sweep()
        for entry in gone:
            _remove(entry.path)
        left = [entry for entry in self.entries() if entry.size]
        if left:
            problem = f"cannot be removed; {len(gone) - len(left)} of {len(gone)} entries were"
            raise BadInputError(problem, source=str(left[0].path))
        return gone

    def _path(self, name: str, recipe: str) -> Path:
        path = self.folder / f"{name}-{hashlib.sha256(recipe.encode()).hexdigest()[:20]}.cache"
        if path.parent != self.folder:
            _in_use.add(path.parent)
        return path

    def _refused(self, folder: Path) -> bool:
        """Whether a folder within the cache must not be used; if so, listeners get the reason as a notice."""
        refusal = self.refusal() or _refusal(folder)
        if refusal is not None:
            notice(refusal)
        return refusal is not None

    def _prune(self, newest: Path) -> None:
        """Remove what has not been used for longest until the rest is within the limit."""
        self._sweep()
        entries = self.entries()
        excess = sum(entry.size for entry in entries) - LIMIT
        for entry in entries:
            if excess <= 0:
                return
            if entry.path != newest and entry.path not in _in_use:
                _remove(entry.path)
                excess -= entry.size

    def _sweep(self) -> None:
        """Remove temporary files that a killed process has left behind."""
        clear_leftovers(self.folder)
        for path in _listed(self.folder):
            if _FOLDER.fullmatch(path.name) and not path.is_symlink():
                clear_leftovers(path)


def cache_folder() -> Path:
    """Where files are kept between runs: `TWIN_CACHE`, or `mauer-twin` in the user's cache folder.

    For a user without a home it is in the folder of temporary files.
    """
    chosen = os.environ.get("TWIN_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "mauer-twin"
    except RuntimeError:  # a user without a home, as in some containers
        return Path(tempfile.gettempdir()) / f"mauer-twin-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"


def notice(text: str) -> None:
    """Hand a sentence to the listener, if there is one. The same sentence may come many times."""
    for listener in _listener:
        listener(text)


@contextmanager
def heard_by(listener: Callable[[str], None]) -> Iterator[None]:
    """Within this context, `listener` gets what people should know about the cache, from all threads."""
    before = _listener[:]
    _listener[:] = [listener]
    try:
        yield
    finally:
        _listener[:] = before


def _seal(recipe: str, content: bytes) -> bytes:
    total = hashlib.sha256(recipe.encode() + b"\0")
    total.update(content)
    return total.digest()


def _read(path: Path) -> bytes | None:
    """The content of a regular file that only this user may write; None of anything else."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            found = os.fstat(file.fileno())
            sound = stat.S_ISREG(found.st_mode) and found.st_size <= LIMIT and _flaw(found) is None
            return file.read() if sound else None
    except (OSError, ValueError):
        return None


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe that has no writer would be waited for."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _flaw(found: os.stat_result) -> str | None:
    """Why a file or folder could have been written by another user, and what to do about it; None if it could not."""
    if not hasattr(os, "geteuid"):
        return None
    if found.st_uid != os.geteuid():
        return "another user owns it; name one of your own with TWIN_CACHE"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "other users may write to it; `twin cache clear` and `chmod go-w` make it usable"
    return None


def _refusal(folder: Path) -> str | None:
    try:
        flaw = _flaw(folder.stat())
    except (OSError, ValueError):
        return None
    return None if flaw is None else f"{folder}: is not used as the cache: {flaw}"


def _belongs_to_another(folder: Path) -> bool:
    with suppress(OSError):
        return hasattr(os, "geteuid") and folder.stat().st_uid != os.geteuid()
    return False


def _made(folder: Path) -> Path:
    """The folder, made for this user alone if it does not exist."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _code_files(folder: Path) -> list[Path]:
    """The files of compiled code in a folder and, of old versions, in those below it."""
    inner = [path for path in _listed(folder) if path.is_dir() and not path.is_symlink()]
    return [path for place in (folder, *inner) for path in _listed(place) if _CODE.fullmatch(path.name)]


def _remove(path: Path) -> None:
    """Remove an entry: of a folder, only the files of compiled code, and the folder if it is empty then."""
    with suppress(OSError):
        if not path.is_dir():
            path.unlink(missing_ok=True)
            return
    for part in _code_files(path):
        with suppress(OSError):
            part.unlink()
    for folder in (*(inner for inner in _listed(path) if inner.is_dir()), path):
        with suppress(OSError):
            folder.rmdir()
