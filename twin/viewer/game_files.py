"""The files of a game at the window: what was agreed on is written after every action, and nothing else is lost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from twin.errors import BadInputError
from twin.play.record import record_text
from twin.play.save import save
from twin.viewer.prompt import Answer, Question
from twin.viewer.saving import Saving, Words
from twin.writing import is_taken, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twin.machine import Machine
    from twin.play.session import Seats, Session
    from twin.viewer.game_session import GameSession
    from twin.viewer.prompt import Prompt


class GameFiles:
    """Where a game is saved and recorded, if anywhere; `own` are more files that may be written over."""

    def __init__(
        self,
        seats: Seats,
        machine: Machine,
        engine: str,
        *,
        saved: str | None = None,
        record: str | None = None,
        own: Iterable[str] = (),
    ) -> None:
        self._seats, self._machine, self._engine = seats, machine, engine
        self._saved = None if saved is None else Path(saved)
        self._record = None if record is None else Path(record)
        self._own = [path for path in (self._saved, *map(Path, own)) if path is not None]

    @property
    def are_agreed(self) -> bool:
        """Whether it was agreed where the game is saved."""
        return bool(self._own)

    def keep(self, play: Session) -> None:
        """Write the game and its record where that was agreed; raises `BadInputError` after both were tried."""
        problems = []
        for path, write in ((self._saved, self._save), (self._record, self._write_record)):
            try:
                if path is not None:
                    write(path, play)
            except BadInputError as error:
                problems.append(error)
        if problems:
            raise problems[0]

    def save(self, play: Session, name: str = "") -> str | None:
        """Save the game under a name, '' for the agreed one; returns which, None if none was agreed.

        If the game is kept in a file that cannot be written, it is kept under the new name from now on.
        """
        path = Path(name) if name else next(iter(self._own), None)
        if path is None:
            return None
        self._save(path, play)
        self._own = [path, *self._own]
        if name and self._saved is not None:
            self._saved = path
        return str(path)

    def may_write(self, name: str, place: str = "") -> bool:
        """Whether writing this file, in place of another, costs nothing: it is free, or this game's own save."""
        path = Path(name)
        if path in ({self._saved, self._record} - {Path(place)} if place else {self._record}):
            return False
        return path in {*self._own, Path(place)} or not is_taken(path)

    def move(self, place: str, name: str) -> None:
        """Keep under another name, from now on, what was kept in a place."""
        if self._record == Path(place):
            self._record = Path(name)
        else:
            self._saved = Path(name)

    def _save(self, path: Path, play: Session) -> None:
        save(path, play, self._seats, self._machine)

    def _write_record(self, path: Path, play: Session) -> None:
        text = record_text(play, self._seats, self._machine, self._engine)
        write_whole(path, text, durable=True)


def ask_to_save(session: GameSession) -> Prompt | None:
    """Save the game where that was agreed; what to ask if nothing was, or if it cannot be written."""
    if session.save():
        return None

    def write(name: str) -> str:
        return "" if session.save(name) else session.message

    problem = session.message if session.files.are_agreed else ""
    return _saving(session, session.files.may_write, write).ask("game.json", problem)


def ask_to_leave(session: GameSession, leave: Callable[[], None]) -> Question | None:
    """What to ask before the window closes: nothing if all is kept, else where to keep it, or whether to leave so."""
    files, say = session.files, session.say
    try:
        files.keep(session.play)
    except BadInputError as error:
        place, problem = error.source, str(error)
    else:
        return None

    def write(name: str) -> str:
        nonlocal place
        files.move(place, name)
        try:
            files.keep(session.play)
        except BadInputError as error:
            place = error.source
            return str(error)
        leave()
        return ""

    saving = _saving(session, lambda name: files.may_write(name, place), write)
    answers = (
        Answer(say("window.other_place"), lambda: saving.ask(place)),
        Answer(say("window.go_on"), lambda: None),
        Answer(say("window.leave_unsaved"), leave),
    )
    return Question(say("window.unsaved"), answers, hint=say("window.choose_answer"), problem=problem)


def _saving(session: GameSession, may_write: Callable[[str], bool], write: Callable[[str], str]) -> Saving:
    """How a game is saved under another name, in the players' language."""
    say = session.say
    words = Words(
        say("window.save_as"),
        say("window.save_hint"),
        lambda name: say("window.taken", file=name),
        say("window.other_name"),
        say("window.overwrite"),
        say("window.choose_answer"),
    )
    return Saving(words, may_write, write)
