"""Unfinished games: one file each in a folder of the user's own, from where they go on; the latest twenty are kept.

A file is a log of saves, one a line: the last whole line is the game.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from twin.errors import BadInputError
from twin.files import parse_json, read_text
from twin.play.save import parse_saved
from twin.writing import Hold, clear_leftovers

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from twin.play.save import Saved

MOST: Final = 20
"""How many unfinished games are kept."""
LONGEST_LOG: Final = 300_000
"""Bytes of a log, about four hundred saves, after which it begins anew."""


@dataclass(frozen=True)
class Unfinished:
    """A game that can go on. Its file is held, so that two programs do not go on with the same one."""

    hold: Hold
    saved: Saved
    written: float
    """When the file was written last, s since 1970."""


def games_folder(environment: Mapping[str, str]) -> Path:
    """Where unfinished games are: below `TWIN_STATE`, else below the folder in which programs keep their state.

    >>> games_folder({"TWIN_STATE": "/tmp/state"}).as_posix()
    '/tmp/state/games'
    >>> games_folder({"XDG_STATE_HOME": "/srv/state"}).as_posix()
    '/srv/state/mauer-twin/games'
    """
    if environment.get("TWIN_STATE"):
        return Path(environment["TWIN_STATE"]) / "games"
    named = [Path(environment.get(name, "")) for name in ("XDG_STATE_HOME", "LOCALAPPDATA")]
    base = next((path for path in named if path.is_absolute()), None)  # a relative path there means nothing
    if base is None:
        try:
            base = Path.home() / ".local" / "state"
        except RuntimeError:  # systems write so of users without a home; nothing can be kept there
            base = Path("/nonexistent")
    return base / "mauer-twin" / "games"


def unfinished_games(folder: Path, bots: Collection[str]) -> list[Unfinished]:
    """The games that can go on, the latest first. What another program is playing is left out, and what is damaged.

    Raises `BadInputError` if no game is left, with what is wrong with the latest of the damaged ones.
    """
    games, problems = [], []
    for path in _newest_first(folder):
        with suppress(BadInputError, OSError):
            hold = Hold(path)
            try:
                games.append(
                    Unfinished(hold, parse_saved(parse_json(latest(read_text(path))), bots), path.stat().st_mtime)
                )
            except BadInputError as error:
                hold.release()
                problems.append(error.within(source=str(path)))
    if not games:
        raise problems[0] if problems else BadInputError("there is no unfinished game")
    return games


def latest(log: str) -> str:
    r"""The last line of a log that is whole.

    >>> latest('{"turn": 1}\n{"turn": 2}\n{"tu')
    '{"turn": 2}'
    """
    return log[: log.rfind("\n") + 1].rstrip("\n").rpartition("\n")[2]


def make_room(folder: Path) -> None:
    """Make the folder, for its owner alone, and remove the oldest games so that one more can be kept."""
    try:
        for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
            missing.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"cannot be made: {error.strerror}", source=str(folder)) from None
    clear_leftovers(folder)
    for path in _newest_first(folder)[MOST - 1 :]:
        with suppress(BadInputError, OSError), Hold(path):
            path.unlink()


def _newest_first(folder: Path) -> list[Path]:
    dated = []
    for path in folder.glob("*.jsonl"):
        with suppress(OSError):  # finished in the meantime
            dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated, reverse=True)]
