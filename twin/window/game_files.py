"""What the window asks about the files of a game, when it is saved and before it closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.errors import BadInputError
from twin.window.prompt import Answer, Question
from twin.window.saving import Saving, SavingWords

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.window.game_session import GameSession
    from twin.window.prompt import Prompt


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
        files.leave(session.play)
    except BadInputError as error:
        place, problem = error.source, str(error)
    else:
        return None

    def write(name: str) -> str:
        nonlocal place
        try:
            files.move(place, name)
            files.leave(session.play)
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
    words = SavingWords(
        say("window.save_as"),
        say("window.save_hint"),
        lambda name: say("window.taken", file=name),
        say("window.other_name"),
        say("window.overwrite"),
        say("window.choose_answer"),
    )
    return Saving(words, may_write, write)
