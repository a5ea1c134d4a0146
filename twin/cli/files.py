"""Files that a command will write: looked at before anything is computed."""

from __future__ import annotations

from pathlib import Path

from twin.errors import BadInputError


def check_output(name: str | None, field: str, ending: str | None = None) -> None:
    """Refuse a file that could not be written, or whose name does not end as it must; None is fine."""
    if not name:
        return
    if ending is not None and not name.endswith(ending):
        raise BadInputError(f"the file's name must end in {ending}", source=name, field=field)
    try:
        folder, is_folder = Path(name).absolute().parent.is_dir(), Path(name).is_dir()
    except (OSError, ValueError):
        raise BadInputError("no file can have this name", source=name, field=field) from None
    if not folder:
        raise BadInputError("the folder does not exist", source=name, field=field)
    if is_folder:
        raise BadInputError("must be a file; it is a folder", source=name, field=field)


def made_folder(name: str) -> Path:
    """The folder of this name, made if it is not there."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"cannot be made: {error.strerror}", source=name) from None
    return folder
