"""Games as JSON: saved, read again with care, and shown to one player without what that player cannot know."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, Final

from twin.board.castle import GARMENT_CODES
from twin.board.grid import STANDING_SPACES
from twin.board.state import COLOURS, Slider, State
from twin.errors import BadInputError, shown
from twin.game.cards import DECKS, back_on_top
from twin.game.fields import flag, place, row, table, whole, word, words
from twin.game.plausibility import scrutinise
from twin.game.positions import EXACT, MOVES_A_TURN, PHASES, RETURN, VARIED, Game, Options, Pending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.machine import Machine

KIND: Final = "twin game"
SCHEMA: Final = 1
_FIELDS: Final = tuple(field.name for field in fields(Game))
"""A saved game has them all, and may have more: who plays, and on which machine."""


def game_json(game: Game) -> dict[str, Any]:
    """The whole game, hidden cards and all."""
    pending = game.pending
    return {
        "kind": KIND,
        "schema": SCHEMA,
        "options": asdict(game.options) | {"players": list(game.options.players)},
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
    for field in _FIELDS:
        if field not in data:
            raise BadInputError("is missing: this is not a whole game", field=field)
    game = _game(data)
    scrutinise(game, machine)
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


def _sliders(value: object, field: str) -> tuple[Slider, ...]:
    """Sliders as rows of name, tunnel, offset, and whether they lie the other way round; `validate_state` judges."""
    found = []
    for item in row(value, field):
        name, tunnel, offset, flipped = row(item, field, 4)
        if not isinstance(name, str):
            raise BadInputError(f"must begin with a slider's name; got {shown(name)}", field=field)
        found.append(Slider(name, whole(tunnel, field), whole(offset, field), flipped=flag(flipped, field)))
    return tuple(found)


def _options(value: object) -> Options:
    data = table(value, "options", [field.name for field in fields(Options)])
    return Options(
        players=words(data["players"], "options.players", COLOURS),
        seed=whole(data["seed"], "options.seed"),
        hand=word(data["hand"], "options.hand", (VARIED, EXACT)),
        stop_early=flag(data["stop_early"], "options.stop_early"),
        wandering_decks=flag(data["wandering_decks"], "options.wandering_decks"),
        as_is=flag(data["as_is"], "options.as_is"),
        max_turns=whole(data["max_turns"], "options.max_turns", 1),
    )


def _board(value: object, players: tuple[str, ...]) -> State:
    data = table(value, "board", ("orientation", "ghosts", "sliders"))
    ghosts = table(data["ghosts"], "board.ghosts", players)
    return State.of(
        whole(data["orientation"], "board.orientation", 0, 3),
        {colour: place(ghosts[colour], f"board.ghosts.{colour}") for colour in players},
        _sliders(data["sliders"], "board.sliders"),
    )


def _pending(value: object, players: tuple[str, ...]) -> Pending | None:
    if value is None:
        return None
    data = table(value, "pending", ("orientation", "sliders", "options", "still"))
    options, still = table(data["options"], "pending.options", players), data["still"]
    if not isinstance(still, dict) or not set(still) <= set(players):
        raise BadInputError(f"must give places of ghosts in play; got {shown(still)}", field="pending.still")
    return Pending(
        whole(data["orientation"], "pending.orientation", 0, 3),
        _sliders(data["sliders"], "pending.sliders"),
        tuple((c, words(spaces, f"pending.options.{c}", STANDING_SPACES)) for c, spaces in options.items()),
        tuple((str(c), place(spot, f"pending.still.{c}")) for c, spot in still.items()),
    )


def _piles(value: object, field: str, count: int) -> tuple[tuple[str, ...], ...]:
    return tuple(words(pile, field, GARMENT_CODES) for pile in row(value, field, count))


def _game(data: Mapping[str, object]) -> Game:
    options = _options(data["options"])
    players, seats = options.players, len(options.players)
    seen = tuple(
        tuple(None if known is None else frozenset(words(known, "seen", GARMENT_CODES)) for known in known_by_one)
        for known_by_one in (row(item, "seen", DECKS) for item in row(data["seen"], "seen", seats))
    )
    return Game(
        options=options,
        board=_board(data["board"], players),
        decks=_piles(data["decks"], "decks", DECKS),
        owned=_piles(data["owned"], "owned", seats),
        seen=seen,
        seat=whole(data["seat"], "seat", 0, seats - 1),
        turn=whole(data["turn"], "turn", 1, options.max_turns),
        moves=whole(data["moves"], "moves", 0, MOVES_A_TURN),
        phase=word(data["phase"], "phase", PHASES),
        pending=_pending(data["pending"], players),
        searched=None if data["searched"] is None else whole(data["searched"], "searched", 0, DECKS - 1),
        chance=whole(data["chance"], "chance", 0),
        winner=None if data["winner"] is None else whole(data["winner"], "winner", 0, seats - 1),
    )
