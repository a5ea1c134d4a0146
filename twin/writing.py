"""Writing files: wholly or not at all, through links, with the mode and owner that they had.

A new content is written beside its place first, into a file `.twin-…`, and renamed into it, so that whatever stops a
program leaves the old content or the new one. The program holds a lock on each such file while it writes: a file
`.twin-…` that nothing locks was left behind by a program that was killed, and is cleared by the next one.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from twin.errors import BadInputError

fcntl: Any
try:
    fcntl = import_module("fcntl")
except ImportError:  # a platform without these locks does without: nothing is cleared there, and nothing is refused
    fcntl = None

if TYPE_CHECKING:
    from types import TracebackType

TEMPORARY: Final = ".twin-"
"""How the names of files begin that are not whole yet."""
PRIVATE: Final = 0o600
"""Mode of a file that its owner alone may read."""
_ANY: Final = 0o666
_NONBLOCK: Final = getattr(os, "O_NONBLOCK", 0)
_TRIES: Final = 100


def write_whole(path: Path, content: str | bytes, *, durable: bool = False, private: bool = False) -> None:
    """Write a file (text as UTF-8) wholly or not at all.

    A symbolic link stays, and its target is written. A file that is there keeps its mode and owner; a new one gets what
    the umask leaves, or 0600 if `private`. Pipes and character devices such as `/dev/stdout` are written to.
    `durable` waits until the content is on the disk. Raises `BadInputError` if the file cannot be written.
    """
    descriptor = _write(path, content, durable=durable, private=private)
    if descriptor is not None:
        os.close(descriptor)


def is_taken(path: Path) -> bool:
    """Whether a file is there and not empty, so that writing it would cost what it holds."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size > 0


def clear_leftovers(folder: Path) -> None:
    """Remove all files that killed programs left half written in a folder.

    What a running program is writing stays: it is locked.
    """
    for leftover in folder.glob(f"{TEMPORARY}*"):
        _clear(leftover)


class Hold:
    """A file that this program alone writes, for as long as it is held; a second program is refused.

    The lock is on the file itself, so a program that is killed leaves no trace of it. Every write locks the new file
    before it takes the old one's place. A file that is not there yet is held from the first write on.

    >>> with Hold(Path("game.json")) as game:  # doctest: +SKIP
    ...     game.write("{}")
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None
        self._is_written = False
        self._lock()

    def write(self, content: str | bytes, *, private: bool = False) -> None:
        """Put a new content into the file, durably, and keep hold of it."""
        if self._descriptor is None:
            self._lock()  # another program may have made the file in the meantime
        descriptor = _write(self.path, content, durable=True, private=private)
        self.release()
        self._descriptor, self._is_written = descriptor, descriptor is not None

    def append(self, content: str) -> bool:
        """Put more behind what was written, durably: all of it or nothing. It costs a third of writing it all.

        Returns False if that is not possible, since the file is none that this has written, or has been replaced.
        """
        if self._descriptor is None or not self._is_written:
            return False
        try:
            status = os.fstat(self._descriptor)
            if not os.path.samestat(status, self.path.stat()):
                return False
            try:
                os.lseek(self._descriptor, 0, os.SEEK_END)
                _write_all(self._descriptor, content.encode())
                os.fsync(self._descriptor)
            except BaseException:
                os.ftruncate(self._descriptor, status.st_size)
                raise
        except (FileNotFoundError, UnicodeEncodeError):
            return False  # `write` says what is wrong with such a text
        except OSError as error:
            raise _unwritable(self.path, error) from None
        return True

    def release(self) -> None:
        """Let other programs write the file."""
        self._is_written = False
        descriptor, self._descriptor = self._descriptor, None  # first: an interrupt must not have it closed twice
        if descriptor is not None:
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _lock(self) -> None:
        if fcntl is None:
            return
        for _ in range(_TRIES):
            try:
                descriptor = os.open(self.path, os.O_RDONLY | _NONBLOCK)
            except (OSError, ValueError):
                return  # not there, or not readable: reading and writing it say why
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                os.close(descriptor)
                return
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                raise BadInputError("another program has this file in use", source=str(self.path)) from None
            except OSError:  # a file system without locks
                os.close(descriptor)
                return
            # While it was opened, the file may have been replaced: then the lock is on what is gone.
            with contextlib.suppress(OSError):
                if os.path.samestat(self.path.stat(), status):
                    self._descriptor = descriptor
                    return
            os.close(descriptor)


def lock_folder(folder: Path, what: str) -> int | None:
    """Lock a folder against a second program; the descriptor holds the lock until it is closed. None if impossible.

    `what` names the program for the message: "another `atlas build`".
    """
    if fcntl is None:
        return None
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise BadInputError(f"{what} has this folder in use", source=str(folder)) from None
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _write(path: Path, content: str | bytes, *, durable: bool, private: bool) -> int | None:
    """Write a file; the descriptor of what is in its place now, locked, or None for a device."""
    try:
        raw = content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError:
        problem = "cannot be written: its text must be UTF-8, names of files in it, too"
        raise BadInputError(problem, source=str(path)) from None
    try:
        target = Path(os.path.realpath(path))
        old = _status(target)
        if old is not None and not stat.S_ISREG(old.st_mode):
            _write_through(target, old.st_mode, raw)
            return None
        descriptor: int | None
        temporary, descriptor = _temporary(target, _ANY if old is None and not private else PRIVATE)
        try:
            _keep_owner(descriptor, old)
            _write_all(descriptor, raw)
            if durable:
                os.fsync(descriptor)
            if fcntl is None:  # where there are no such locks, an open file may not be renamed either
                os.close(descriptor)
                descriptor = None
            temporary.replace(target)
        except BaseException:
            if descriptor is not None:
                os.close(descriptor)
            temporary.unlink(missing_ok=True)
            raise
        if durable:
            _sync_folder(target.parent)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    return descriptor


def _unwritable(path: Path, error: Exception) -> BadInputError:
    reason = getattr(error, "strerror", None) or "no file can have this name"
    return BadInputError(f"cannot be written: {reason}", source=str(path))


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _write_through(path: Path, mode: int, raw: bytes) -> None:
    """Write to what is no plain file, without replacing it."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not (stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)):
        raise OSError(errno.EINVAL, "it is neither a file nor a pipe")
    try:
        # Without O_NONBLOCK a pipe that has no reader would wait for one.
        descriptor = os.open(path, os.O_WRONLY | _NONBLOCK)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "no program reads this pipe") from None
        raise
    try:
        os.set_blocking(descriptor, True)
        _write_all(descriptor, raw)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, raw: bytes) -> None:
    rest = memoryview(raw)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _temporary(target: Path, mode: int) -> tuple[Path, int]:
    """A new file beside the target, open and locked; what a killed program left of the same target makes room."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for number in range(_TRIES):
        path = target.parent / f"{TEMPORARY}{_mark(target)}-{number}"
        if path.exists():
            _clear(path)
        descriptor = None
        try:
            descriptor = os.open(path, flags, mode)
            if fcntl is not None:
                with contextlib.suppress(OSError):  # a file system without locks
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
                if os.fstat(descriptor).st_nlink == 0:  # cleared by another program before it was locked
                    os.close(descriptor)
                    continue
        except FileExistsError:
            continue
        except BaseException:  # Ctrl-C, as early as before the descriptor is known
            if descriptor is not None:
                os.close(descriptor)
            _clear(path)
            raise
        return path, descriptor
    raise FileExistsError(errno.EEXIST, "no name is free for a temporary file")


def _clear(leftover: Path) -> None:
    """Remove a file that is not whole, unless the program that writes it still runs."""
    if fcntl is None:
        if os.name == "nt":  # which removes no file that a program has open
            with contextlib.suppress(OSError):
                leftover.unlink()
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(leftover, os.O_RDONLY | os.O_NOFOLLOW | _NONBLOCK)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            leftover.unlink()
        finally:
            os.close(descriptor)


def _mark(target: Path) -> str:
    """What stands for a target in the names of its temporary files; short, however long its own name is."""
    return hashlib.sha256(os.fsencode(target.name)).hexdigest()[:8]


def _keep_owner(descriptor: int, old: os.stat_result | None) -> None:
    """Give a new file the owner and mode of the one that it replaces, as far as this user may; it is private before."""
    if old is None or not hasattr(os, "fchown"):
        return
    with contextlib.suppress(OSError):
        if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    with contextlib.suppress(OSError):
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make a rename durable; file systems that cannot sync a folder do without."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
