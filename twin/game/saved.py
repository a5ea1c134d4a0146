"""Games as JSON: saved, read again with care, and shown to one player without what that player cannot know."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from twin.castle import GARMENT_CODES
from twin.errors import BadInputError
from twin.game.cards import DECKS, back_on_top
from twin.game.rules import joint
from twin.game.state import PHASES, RETURN, Game, Options, Pending
from twin.grid import STANDING_SPACES
from twin.quantities import is_number
from twin.state import Slider, State, validate_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.machine import Machine

KIND: Final = "twin game"
SCHEMA: Final = 1


def game_json(game: Game) -> dict[str, Any]:
    """The whole game, hidden cards and all."""
    pending = game.pending
    return {
        "kind": KIND,
        "schema": SCHEMA,
        "options": asdict(game.options),
        "board": _board_json(game.board),
        "decks": [list(deck) for deck in game.decks],
        "owned": [list(cards) for cards in game.owned],
        "seen": [[None if known is None else sorted(known) for known in row] for row in game.seen],
        "seat": game.seat,
        "turn": game.turn,
        "moves": game.moves,
        "phase": game.phase,
        "pending": None if pending is None else _pending_json(pending),
        "searched": game.searched,
        "chance": game.chance,
        "winner": game.winner,
    }


def parse_game(data: object, machine: Machine) -> Game:
    """A game from its JSON; whatever cannot be is refused with the field that is wrong."""
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise BadInputError(f"must be a saved game (kind = {KIND!r})")
    if data.get("schema") != SCHEMA:
        raise BadInputError(f"must be {SCHEMA}: this file is of another version", field="schema")
    try:
        game = _game(data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadInputError(f"is not a whole game: {error!r}"[:200]) from None
    _check(game, machine)
    return game


def observation(game: Game, player: str, machine: Machine) -> dict[str, Any]:
    """What one player knows: everything on the table, backs of decks, and what it has seen in them; no more.

    While the player holds a deck in its hand, its cards are shown in their order.
    """
    seat = game.options.players.index(player)
    holding = game.phase == RETURN and game.seat == seat and game.searched is not None
    return {
        "players": list(game.options.players),
        "machine": machine.name,
        "board": _board_json(game.board),
        "owned": dict(zip(game.options.players, (list(cards) for cards in game.owned), strict=True)),
        "decks": [
            {"cards": len(deck), "back": back_on_top(deck), "seen": None if known is None else sorted(known)}
            for deck, known in zip(game.decks, game.seen[seat], strict=True)
        ],
        "in_hand": list(game.decks[game.searched]) if holding and game.searched is not None else None,
        "current_player": game.current_player,
        "turn": game.turn,
        "moves_left": game.moves_left,
        "phase": game.phase,
        "pending": None if game.pending is None else dict(game.pending.options),
        "winner": None if game.winner is None else game.options.players[game.winner],
    }


def dumps(game: Game) -> str:
    """The game as one line of text."""
    return json.dumps(game_json(game), ensure_ascii=False, separators=(",", ":")) + "\n"


def _board_json(state: State) -> dict[str, Any]:
    return {
        "orientation": state.orientation,
        "ghosts": {colour: list(place) for colour, place in state.ghosts},
        "sliders": [[s.name, s.tunnel, s.offset, s.flipped] for s in state.sliders],
    }


def _pending_json(pending: Pending) -> dict[str, Any]:
    return {
        "orientation": pending.orientation,
        "sliders": [[s.name, s.tunnel, s.offset, s.flipped] for s in pending.sliders],
        "options": {colour: list(spaces) for colour, spaces in pending.options},
        "still": {colour: list(place) for colour, place in pending.still},
    }


def _place(values: object) -> tuple[float, float]:
    if not isinstance(values, list) or len(values) != 2 or not all(is_number(v) for v in values):
        raise ValueError(values)
    return float(values[0]), float(values[1])


def _sliders(rows: list[list[Any]]) -> tuple[Slider, ...]:
    return tuple(Slider(str(n), int(t), int(o), flipped=bool(f)) for n, t, o, f in rows)


def _game(data: Mapping[str, Any]) -> Game:
    options = Options(**{**data["options"], "players": tuple(data["options"]["players"])})
    board, pending = data["board"], data["pending"]
    waiting = None
    if pending is not None:
        waiting = Pending(
            int(pending["orientation"]),
            _sliders(pending["sliders"]),
            tuple((str(c), tuple(map(str, spaces))) for c, spaces in pending["options"].items()),
            tuple((str(c), _place(place)) for c, place in pending["still"].items()),
        )
    return Game(
        options=options,
        board=State.of(
            int(board["orientation"]),
            {str(c): _place(place) for c, place in board["ghosts"].items()},
            _sliders(board["sliders"]),
        ),
        decks=tuple(tuple(map(str, deck)) for deck in data["decks"]),
        owned=tuple(tuple(map(str, cards)) for cards in data["owned"]),
        seen=tuple(tuple(None if k is None else frozenset(map(str, k)) for k in row) for row in data["seen"]),
        seat=int(data["seat"]),
        turn=int(data["turn"]),
        moves=int(data["moves"]),
        phase=str(data["phase"]),
        pending=waiting,
        searched=None if data["searched"] is None else int(data["searched"]),
        chance=int(data["chance"]),
        winner=None if data["winner"] is None else int(data["winner"]),
    )


def _check(game: Game, machine: Machine) -> None:
    """Refuse what no game can come to."""
    try:
        validate_state(game.board, machine)
    except BadInputError as error:
        raise error.within(field="board") from None
    seats = len(game.options.players)
    cards = sorted(card for pile in (*game.decks, *game.owned) for card in pile)
    problems = {
        "board": set(game.board.colours) != set(game.options.players),
        "decks": len(game.decks) != DECKS or cards != sorted(GARMENT_CODES),
        "owned": len(game.owned) != seats or any(len(game.parts(s)) != len(game.owned[s]) for s in range(seats)),
        "seen": len(game.seen) != seats or any(len(row) != DECKS for row in game.seen),
        "seat": not 0 <= game.seat < seats,
        "moves": not 0 <= game.moves <= 3,
        "turn": game.turn < 1,
        "chance": game.chance < 0,
        "phase": game.phase not in PHASES or (game.phase == "place") != (game.pending is not None),
        "searched": (game.phase == RETURN) != (game.searched is not None),
        "winner": game.winner is not None and not 0 <= game.winner < seats,
    }
    for field, wrong in problems.items():
        if wrong:
            raise BadInputError("cannot be so in any game", field=field)
    if game.pending is not None:
        _check_pending(game, game.pending)


def _check_pending(game: Game, pending: Pending) -> None:
    """Refuse placings that no move can leave: a choice there must be, of real spaces, for the ghosts in play."""
    options = dict(pending.options)
    known = all(space in STANDING_SPACES for spaces in options.values() for space in spaces)
    if set(options) != set(game.options.players) or not known or len(joint(pending)) < 2:
        raise BadInputError("cannot be so in any game", field="pending")
