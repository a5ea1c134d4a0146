"""Keeping a game on the disk while it is played: every action as soon as it is made.

A game is in the files that were agreed on, a save and a record; if there are none, or none of them can be written, it
is among the user's unfinished games. Each write is done wholly or not at all, and waits for the disk, so that a program
that is killed, or a machine that loses its power, leaves the game as it stood.
"""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from twin.errors import BadInputError
from twin.play.record import actions, beginning, ending
from twin.play.save import save, save_text
from twin.play.unfinished import LONGEST_LOG, make_room
from twin.writing import Hold, is_taken

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.board.machine import Machine
    from twin.play.catalogue import Catalogue
    from twin.play.session import Seats, Session, Step


class Keeper:
    """Writes one game: `saved` and `record` are the agreed files, `unfinished` is its place among unfinished games."""

    def __init__(
        self,
        seats: Seats,
        machine: Machine,
        engine: str,
        catalogue: Catalogue,
        unfinished: Hold,
        *,
        saved: Hold | None = None,
        record: Hold | None = None,
        own: str | None = None,
    ) -> None:
        """`own` is one more file that the game may be saved to, since it came from there."""
        self._seats, self._machine, self._say = seats, machine, catalogue

        def snapshot(play: Session) -> str:
            return save_text(play, seats, machine)

        def head(play: Session) -> str:
            return beginning(play, seats, machine, engine)

        self._saved = None if saved is None else _Kept(saved, snapshot)
        self._record = None if record is None else _Record(record, head)
        self._agreed = [kept for kept in (self._saved, self._record) if kept is not None]
        self._among = _Among(unfinished, snapshot)
        self._own = [] if own is None else [Path(own)]

    @property
    def are_agreed(self) -> bool:
        """Whether the game can be saved without asking for a name."""
        return self._saved is not None or bool(self._own)

    def begin(self, play: Session) -> None:
        """Write the agreed files before the first action; raises `BadInputError` if one of them cannot be written."""
        for kept in self._agreed:
            if kept.is_lasting:
                kept.write(play)

    def follow(self, play: Session) -> str:
        """Write the game as it stands after an action, or after one was taken back; returns what to report.

        That is nothing, but once for each file that cannot be written. The game goes on all the same.
        """
        problems = self._write(play, [kept for kept in self._agreed if kept.is_lasting])
        news = [kept for kept in problems if not kept.told]
        for kept in news:
            kept.told = True
        if not news:
            return ""
        told = self._say("keep.fails", problem="; ".join(str(kept.problem) for kept in news))
        if self._first() is not None:
            return told
        return f"{told} {self._say('keep.instead' if self._among.written else 'keep.nowhere')}"

    def leave(self, play: Session) -> None:
        """Write all for the last time, a record with its end; raises `BadInputError` after everything was tried."""
        problems = self._write(play, self._agreed, left=True)
        failed = [kept.problem for kept in problems if kept in self._agreed and kept.problem is not None]
        if failed:
            raise failed[0]

    def where(self, play: Session, command: str) -> str:
        """Where the game is that is left, and how to go on; '' if it is over. `command` is the one that was given."""
        if play.game.is_over:
            return ""
        kept = self._first()
        if kept is not None:
            name = str(kept.hold.path)
            return self._say("keep.in_file", file=name, command=f"{command} --resume {shlex.quote(name)}")
        if self._among.written:
            return self._say("keep.goes_on", command=f"{command} --continue")
        return "" if self._among.problem is None else self._say("keep.nowhere")

    def save(self, play: Session, name: str = "") -> str | None:
        """Save the game under a name, '' for the agreed one; returns which, None if none was agreed.

        If the game is kept in a file that cannot be written, it is kept under the new name from now on; else what is
        written is a copy. `may_write` tells what a name costs.
        """
        saved = self._saved
        if saved is not None and (not name or Path(name) == saved.hold.path or saved.problem is not None):
            if name and Path(name) != saved.hold.path:
                saved.move(Path(name))
            saved.write(play)
            return str(saved.hold.path)
        path = Path(name) if name else next(iter(self._own), None)
        if path is None:
            return None
        save(path, play, self._seats, self._machine)
        self._own.insert(0, path)
        return str(path)

    def may_write(self, name: str, place: str = "") -> bool:
        """Whether writing this file, in place of another, costs nothing: it is free, or this game's own save."""
        path = Path(name)
        if place:
            others = {kept.hold.path for kept in self._agreed} - {Path(place)}
        else:
            others = set() if self._record is None else {self._record.hold.path}
        own = {*self._own, Path(place), *([] if self._saved is None else [self._saved.hold.path])}
        return path not in others and (path in own or not is_taken(path))

    def move(self, place: str, name: str) -> None:
        """Keep under another name, from now on, what was kept in a place."""
        for kept in self._agreed:
            if kept.hold.path == Path(place):
                kept.move(Path(name))

    def release(self) -> None:
        """Let other programs write the game's files."""
        for kept in (*self._agreed, self._among):
            kept.hold.release()

    def _first(self) -> _Kept | None:
        """The first agreed file that holds the game as it stands."""
        return next((kept for kept in self._agreed if kept.written and kept.is_lasting), None)

    def _write(self, play: Session, agreed: list[_Kept], *, left: bool = False) -> list[_Kept]:
        """Write agreed files, and the unfinished game if it is there or needed; returns what cannot be written."""
        for kept in agreed:
            kept.attempt(play, left=left)
        tried = list(agreed)
        if self._among.is_there or self._first() is None:
            self._among.attempt(play)
            tried.append(self._among)
        return [kept for kept in tried if kept.problem is not None]


class _Kept:
    """A file that holds a game as it stands, if it can be written."""

    def __init__(self, hold: Hold, text: Callable[[Session], str]) -> None:
        self.hold, self.text = hold, text
        self.problem: BadInputError | None = None
        """Why it could not be written the last time."""
        self.written = self.told = False
        self._content = ""
        """What was written last; a save that has not changed is not written again."""

    @property
    def is_lasting(self) -> bool:
        """Whether it is a file; to a pipe or a device a game is written once, in the end."""
        return self.hold.path.is_file() or not self.hold.path.exists()

    def move(self, path: Path) -> None:
        """Keep the game in another file from now on; raises `BadInputError` if another program has it in use."""
        hold = Hold(path)
        self.hold.release()
        self.hold, self._content, self.told = hold, "", False

    def attempt(self, play: Session, *, left: bool = False) -> None:
        """Write a session if that is possible."""
        self.written = False
        try:
            self.write(play, left=left)
        except BadInputError as error:
            self.problem = error

    def write(self, play: Session, *, left: bool = False) -> None:
        """Write a session, and return when it is on the disk; raises `BadInputError`."""
        self.put(play, left=left)
        self.written, self.problem = True, None

    def put(self, play: Session, *, left: bool) -> None:  # noqa: ARG002 - a save does not record whether it was left
        """Write the content."""
        text = self.text(play)
        if text != self._content or not is_taken(self.hold.path):
            self.hold.write(text, private=True)
            self._content = text


class _Record(_Kept):
    """A record grows by a line for each action; it is written anew if an action was taken back."""

    _steps: tuple[Step, ...] = ()
    _is_ended = False

    def put(self, play: Session, *, left: bool) -> None:
        """Append what is not there yet, or write all."""
        known = len(self._steps)
        end = ending(play.game) if left else ""
        grown = not self._is_ended and play.steps[:known] == self._steps
        if not (grown and self.hold.append(actions(play.steps[known:]) + end)):
            self.hold.write(self.text(play) + actions(play.steps) + end, private=True)
        self._steps, self._is_ended = play.steps, left


class _Among(_Kept):
    """A game among the unfinished ones, from its first action until it is over: a log of saves."""

    _size = 0

    @property
    def is_there(self) -> bool:
        """Whether the game has been kept here before."""
        return is_taken(self.hold.path)

    def write(self, play: Session, *, left: bool = False) -> None:
        """Write a session, or remove one that is over."""
        if play.game.is_over:
            self.written, self.problem = False, None
            with suppress(OSError):
                self.hold.path.unlink(missing_ok=True)
            self.hold.release()
        elif self.is_there or play.steps:
            super().write(play, left=left)

    def put(self, play: Session, *, left: bool) -> None:  # noqa: ARG002
        """Append a save to the log, or begin the log anew once it is long."""
        line = self.text(play)
        if line == self._content and self.is_there:
            return
        if not (self._size < LONGEST_LOG and self.hold.append(line)):
            if not self.is_there:
                make_room(self.hold.path.parent)
            self.hold.write(line, private=True)
            self._size = 0
        self._size, self._content = self._size + len(line), line
