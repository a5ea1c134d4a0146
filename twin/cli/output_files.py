"""Files that a command will write: looked at before anything is computed, and named once they are written."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from twin.errors import BadInputError
from twin.writing import is_taken, write_whole

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable

TAKEN: Final = "there is a file already; --overwrite replaces it"
_IMPOSSIBLE: Final = "no file can have this name"


def check_outputs(options: Namespace) -> None:
    """Refuse files that a command's options name and that it could not write, or may not without --overwrite.

    A saved game that goes on (`--resume F --save F`) is not asked about.
    """
    resumed = getattr(options, "resume", None)
    seen: set[str] = set()
    for output in getattr(options, "outputs", ()):
        name = getattr(options, output.dest)
        if name is None:
            continue
        goes_on = isinstance(resumed, str) and same_file(name, resumed)
        check_output(name, output.option, output.ending, overwrite=options.overwrite or goes_on)
        target = os.path.realpath(name)
        if target in seen and not _is_device(target):
            raise BadInputError("another option names this file, too", source=name, field=output.option)
        seen.add(target)


def check_output(name: str, field: str, ending: str = "", *, overwrite: bool = False) -> None:
    """Refuse a file that could not be written, whose name does not end as it must, or that is there and not empty."""
    if not name.endswith(ending):
        raise BadInputError(f"the file's name must end in {ending}", source=name, field=field)
    problem = _problem(name)
    if problem is None and not overwrite and is_taken(Path(name)):
        problem = TAKEN
    if problem is not None:
        raise BadInputError(problem, source=name, field=field)


def check_free(folder: Path, patterns: Iterable[str], field: str, *, overwrite: bool) -> None:
    """Refuse a folder in which files of the names that a command may write are taken."""
    if overwrite:
        return
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            check_output(str(path), field)


def made_folder(name: str, field: str) -> Path:
    """The folder of this name, made if it is not there; refused if nothing can be written into it."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"cannot be made: {error.strerror}", source=name, field=field) from None
    except ValueError:
        raise BadInputError("no folder can have this name", source=name, field=field) from None
    if not _is_writable(folder, os.W_OK | os.X_OK):
        raise BadInputError("no file can be written into this folder", source=name, field=field)
    return folder


def same_file(name: str, other: str) -> bool:
    """Whether two names lead to one file."""
    return os.path.realpath(name) == os.path.realpath(other)


def write_pictures(options: Namespace, png: Callable[[], bytes], page: Callable[[], str]) -> None:
    """Write the files of --png and --html, each made only if it is asked for."""
    if options.png:
        write_whole(Path(options.png), png())
    if options.html:
        write_whole(Path(options.html), page())


def tell_written(options: Namespace, *files: str | Path | None) -> None:
    """Name the files that were written to a person; what --json prints stays as it is."""
    names = [str(file) for file in files if file is not None]
    if names and not getattr(options, "json", False):
        print(f"written: {', '.join(names)}")


def _problem(name: str) -> str | None:
    """Why no file of this name could be written, as far as it can be known before."""
    try:
        target = Path(os.path.realpath(name))
    except OSError:
        return "the working folder is gone: change to one that is there"
    except ValueError:
        return _IMPOSSIBLE
    if not target.parent.is_dir():
        return "the folder does not exist"
    try:
        mode = target.stat().st_mode if name else 0
    except FileNotFoundError:
        mode = stat.S_IFREG
    except OSError:
        mode = 0
    writable = "cannot be written: you may not" if not _is_writable(target, os.W_OK) else None
    folder = None if _is_writable(target.parent, os.W_OK | os.X_OK) else "no file can be written into this folder"
    problems = {0: _IMPOSSIBLE, stat.S_IFDIR: "must be a file; it is a folder", stat.S_IFREG: folder}
    return problems.get(stat.S_IFMT(mode), writable)


def _is_writable(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _is_device(target: str) -> bool:
    path = Path(target)
    return path.exists() and not path.is_file()
