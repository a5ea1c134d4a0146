"""Every action under a number that never changes, whatever the seat, the players and the position.

Ghosts are numbered as the player sees them: its own, then those of the next players in the order of play. Sliders are
numbered in the order of their names. So one policy can play every seat.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final, cast

from twin.board.castle import PARTS
from twin.board.grid import DIRECTIONS, STANDING_SPACES
from twin.board.moves import Drag, DragDirection, Push, PushDirection, Relocate, Turn, TurnDirection
from twin.board.state import MAX_OFFSET
from twin.errors import BadInputError, BarredMoveError
from twin.game.actions import GiveBack, Put, Search, Stop
from twin.game.cards import DECKS

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.game.actions import Action
    from twin.game.positions import Game

SEATS: Final = ("own", "next", "third", "fourth")
"""Players as one of them sees them, in the order of play."""

SLIDERS: Final = ("A", "B", "C")
"""Stand for the machine's sliders in the order of their names."""

TUNNELS: Final = 5

Word = tuple[str | int | bool, ...]


def _words() -> tuple[Word, ...]:
    """All actions in the order of their numbers. New kinds may only be added at the end."""
    offsets = range(-MAX_OFFSET, MAX_OFFSET + 1)
    return (
        *(("turn", d) for d in ("cw", "ccw")),
        *(("push", s, d) for s, d in product(range(len(SLIDERS)), ("north", "south"))),
        *(("drag", d) for d in DIRECTIONS),
        *(("search", deck) for deck in range(1, DECKS + 1)),
        ("stop",),
        ("keep",),
        *(("top", part) for part in PARTS),
        *(("put", place) for place in range(1, DECKS + 1)),
        *(
            ("relocate", s, t, o, f)
            for s, t, o, f in product(range(len(SLIDERS)), range(1, TUNNELS + 1), offsets, (False, True))
        ),
        *(("place", k, space) for k, space in product(range(len(SEATS)), STANDING_SPACES)),
    )


WORDS: Final = _words()
ACTIONS: Final = len(WORDS)
"""How many actions there are: 369."""

_INDEX: Final = {word: index for index, word in enumerate(WORDS)}


def check_machine(machine: Machine) -> None:
    """Refuse a machine whose moves have no numbers."""
    if len(machine.sliders) != len(SLIDERS) or len(machine.tunnels) != TUNNELS:
        problem = f"the environments need {len(SLIDERS)} sliders and {TUNNELS} tunnels (S3)"
        raise BadInputError(f"{problem}; got {len(machine.sliders)} and {len(machine.tunnels)}", source=machine.name)


def action_name(index: int) -> str:
    """An action as its table writes it.

    >>> action_name(2), action_name(ACTIONS - 1)
    ('push A north', 'place fourth g7')
    """
    match WORDS[index]:
        case ("push", int(slider), direction):
            return f"push {SLIDERS[slider]} {direction}"
        case ("relocate", int(slider), tunnel, offset, flip):
            return f"relocate {SLIDERS[slider]} {tunnel} {offset}{' flip' if flip else ''}"
        case ("place", int(seat), space):
            return f"place {SEATS[seat]} {space}"
        case word:
            return " ".join(map(str, word))


def to_action(index: int, game: Game, machine: Machine) -> Action:  # noqa: C901, PLR0911 - one per kind
    """The action behind a number, for the player whose turn it is.

    Raises `BadInputError` for a number that there is not, `BarredMoveError` (S1) for a ghost without a player.
    """
    if not 0 <= index < ACTIONS:
        raise BadInputError(f"must be 0 to {ACTIONS - 1}; got {index}", field="action")
    word = WORDS[index]
    match word:
        case ("turn", direction):
            return Turn(cast("TurnDirection", direction))
        case ("push", int(slider), direction):
            return Push(_names(machine)[slider], cast("PushDirection", direction))
        case ("drag", direction):
            return Drag(game.options.players[game.seat], cast("DragDirection", direction))
        case ("relocate", int(slider), int(tunnel), int(offset), bool(flip)):
            return Relocate(_names(machine)[slider], tunnel, offset, flip)
        case ("search", int(deck)):
            return Search(deck)
        case ("stop",):
            return Stop()
        case ("keep",):
            return GiveBack()
        case ("top", str(part)):
            return GiveBack(top=part)
        case ("put", int(place)):
            return GiveBack(place=place)
        case ("place", int(seat), str(space)) if seat < len(game.options.players):
            return Put(game.options.players[(game.seat + seat) % len(game.options.players)], space)
    raise BarredMoveError(f"{action_name(index)}: nobody plays there", ("S1",))


def to_index(action: Action, game: Game, machine: Machine) -> int:  # noqa: PLR0911 - one per kind
    """The number of an action of the player whose turn it is."""
    match action:
        case Turn(direction):
            return _INDEX["turn", direction]
        case Push(slider, direction):
            return _INDEX["push", _names(machine).index(slider), direction]
        case Drag(_, direction):
            return _INDEX["drag", direction]
        case Relocate(slider, tunnel, offset, flip):
            return _INDEX["relocate", _names(machine).index(slider), tunnel, offset, flip]
        case Search(deck):
            return _INDEX["search", deck]
        case Stop():
            return _INDEX["stop",]
        case GiveBack(top, place):
            word: Word = ("keep",) if top is None and place is None else ("top", top or "")
            return _INDEX[word if place is None else ("put", place)]
        case Put(ghost, space):
            players = game.options.players
            return _INDEX["place", (players.index(ghost) - game.seat) % len(players), space]


@lru_cache(maxsize=64)
def _names(machine: Machine) -> tuple[str, ...]:
    return tuple(sorted(machine.sliders))


def action_rows() -> list[tuple[str, str, str]]:
    """The table of actions: numbers, names, meaning."""
    meanings = {
        "turn": "turn the board (D1)",
        "push": "push a slider by one segment (B1); A, B, C are the sliders in the order of their names",
        "drag": "drag your own ghost, in a direction of the floor (A1)",
        "search": "look for the garment under your ghost in one deck (Q2)",
        "stop": "make no more moves (T1, G8)",
        "keep": "put the searched deck back as it was (Q5)",
        "top": "put it back with another card on top, told by its back (Q5)",
        "put": "put it back to another place: the variant Q8 only",
        "relocate": "move a slider to another tunnel: tunnel, offset, turned end for end or not (C1-C3, G5)",
        "place": "put a ghost onto a space (D4, D5): your own, or the next player's …; all spaces but d4, a1 to g7",
    }
    rows = []
    for kind, meaning in meanings.items():
        members = [index for index, word in enumerate(WORDS) if word[0] == kind]
        first, last = members[0], members[-1]
        numbers = str(first) if first == last else f"{first}–{last}"
        names = [action_name(index) for index in members]
        shown = ", ".join(names) if len(names) <= 6 else f"{names[0]}, {names[1]} … {names[-1]}"
        rows.append((numbers, shown, meaning))
    return rows
