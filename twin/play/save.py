"""Saved games of the table: the file of `twin game`, with who plays and how; read with care."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from twin.board.machine import load_machine
from twin.errors import BadInputError
from twin.game.saved import game_json, parse_game
from twin.play.session import HUMAN, Seats, parse_seats
from twin.writing import Hold

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from twin.board.machine import Machine
    from twin.game.positions import Game
    from twin.play.session import Session

EXTRA: Final = "play"
"""The key for what `twin game` does not know of; a file that it has written has none."""


@dataclass(frozen=True)
class Saved:
    """What a file holds."""

    game: Game
    machine: Machine
    seats: Seats
    casual: bool


def save(path: Path, session: Session, seats: Seats, machine: Machine) -> None:
    """Write the game as it stands, wholly or not at all; refused while another program has the file in use."""
    with Hold(path) as file:
        file.write(save_text(session, seats, machine), private=True)


def save_text(session: Session, seats: Seats, machine: Machine) -> str:
    """The content of a file that holds the game as it stands; the steps that led here are not in it."""
    data = saved_json(session.game, seats, machine, casual=session.casual)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def saved_json(game: Game, seats: Seats, machine: Machine, *, casual: bool) -> dict[str, Any]:
    """A game with its machine and its players; hidden cards and all."""
    extra = {"seats": dict(seats.players), "casual": casual}
    return game_json(game) | {"machine": machine.path or machine.name, EXTRA: extra}


def parse_saved(data: object, bots: Collection[str]) -> Saved:
    """A saved game from its JSON; whatever cannot be is refused with the field that is wrong."""
    if not isinstance(data, dict) or not isinstance(data.get("machine"), str):
        raise BadInputError("must be a saved game with its machine's name", field="machine")
    machine = load_machine(data["machine"])
    game = parse_game(data, machine)
    extra = data.get(EXTRA, {"seats": dict.fromkeys(game.options.players, HUMAN), "casual": False})
    try:
        seats = parse_seats(",".join(f"{colour}={who}" for colour, who in extra["seats"].items()), bots)
        casual = extra["casual"]
    except (KeyError, TypeError, AttributeError):
        raise BadInputError("must tell who plays, in `seats`, and whether `casual`", field=EXTRA) from None
    except BadInputError as error:
        raise error.within(field=f"{EXTRA}.seats") from None
    if seats.colours != game.options.players or not isinstance(casual, bool):
        raise BadInputError("must fit the players of the game", field=EXTRA)
    return Saved(game, machine, seats, casual)
