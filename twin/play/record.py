"""Records: how a game began and every action since, one JSON object a line, so that it can be played again.

A record holds everything, the hidden cards too: it is a file for afterwards, not for the table.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from twin.errors import BadInputError, TwinError
from twin.files import parse_json
from twin.game.actions import parse_action
from twin.game.saved import dumps
from twin.outcome.engine import ENGINES
from twin.play.save import Saved, parse_saved, saved_json
from twin.play.session import Session

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twin.board.machine import Machine
    from twin.game.positions import Game
    from twin.game.rules import Board
    from twin.play.session import Seats, Step

KIND: Final = "twin play record"
SCHEMA: Final = 1


@dataclass(frozen=True)
class Record:
    """What a record holds."""

    start: Saved
    engine: str
    actions: tuple[str, ...]
    digest: str | None
    """Of the last game; None in a record of a game that was not left in good order."""


def digest(game: Game) -> str:
    """A short name for a game: equal for equal games."""
    return hashlib.sha256(dumps(game).encode()).hexdigest()[:16]


def record_text(session: Session, seats: Seats, machine: Machine, engine: str) -> str:
    """A record of a session, line by line: the beginning, the actions, the end."""
    return beginning(session, seats, machine, engine) + actions(session.steps) + ending(session.game)


def beginning(session: Session, seats: Seats, machine: Machine, engine: str) -> str:
    """The first line: how the game began."""
    start = saved_json(session.start, seats, machine, casual=session.casual)
    return _written({"kind": KIND, "schema": SCHEMA, "engine": engine, "start": start})


def actions(steps: Sequence[Step]) -> str:
    """One line for each action."""
    return "".join(
        _written({"turn": step.before.turn, "player": step.player, "action": str(step.action)}) for step in steps
    )


def ending(game: Game) -> str:
    """The last line, by which a replay is checked; a game that is still being played has none."""
    winner = None if game.winner is None else game.options.players[game.winner]
    return _written({"over": game.is_over, "winner": winner, "digest": digest(game)})


def _written(line: dict[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def is_record(text: str) -> bool:
    """Whether a text begins like a record."""
    return text.startswith(f'{{"kind":"{KIND}"')


def parse_record(text: str, bots: Collection[str]) -> Record:
    """Read a record; `BadInputError` names the line that is wrong.

    A last line without its end was torn when the machine lost its power: the record is whole up to there.
    """
    head, *lines = text.splitlines() or [""]
    if lines and not text.endswith("\n") and _is_torn(lines[-1]):
        lines.pop()
    data = _line(head, 1)
    if data.get("schema") != SCHEMA or data.get("engine") not in ENGINES:
        raise BadInputError(f"must be of schema {SCHEMA}, by one of {', '.join(ENGINES)}", field="line 1")
    try:
        start = parse_saved(data.get("start"), bots)
    except BadInputError as error:
        raise error.within(field="line 1") from None
    played: list[str] = []
    end: str | None = None
    for number, line in enumerate(lines, 2):
        entry = _line(line, number)
        if isinstance(entry.get("digest"), str) and number == len(lines) + 1:
            end = entry["digest"]
        elif isinstance(entry.get("action"), str):
            played.append(entry["action"])
        else:
            raise BadInputError("must be an action, or the end in the last line", field=f"line {number}")
    return Record(start, str(data["engine"]), tuple(played), end)


def replay(record: Record, board: Board) -> Session:
    """Play a record again; `BadInputError` if it does not go as it went."""
    session = Session(record.start.game, casual=record.start.casual)
    for number, text in enumerate(record.actions, 2):
        try:
            session = session.act(parse_action(text), board)
        except TwinError as error:
            raise BadInputError(f"{text[:60]}: {error}", field=f"line {number}") from None
    if record.digest is not None and digest(session.game) != record.digest:
        raise BadInputError("does not end as it was recorded: another engine, or another version of it?")
    return session


def _is_torn(line: str) -> bool:
    try:
        parse_json(line)
    except BadInputError:
        return True
    return False


def _line(text: str, number: int) -> dict[str, Any]:
    try:
        data = parse_json(text)
    except BadInputError as error:
        raise error.within(field=f"line {number}") from None
    if not isinstance(data, dict):
        raise BadInputError("must be a JSON object", field=f"line {number}")
    return data
