"""What one player can know, as a vector with a place for everything; the same layout for every seat.

Players are listed as the observer sees them: itself first, then the next ones in the order of play.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.castle import GARMENT_CODES, PARTS
from twin.board.grid import STANDING_SPACES, cell, to_board
from twin.board.state import MAX_OFFSET, home_space
from twin.environment.action_index import SEATS, SLIDERS, TUNNELS
from twin.game.cards import DECKS, back_on_top
from twin.game.positions import MOVES_A_TURN, PHASES
from twin.game.rules import joint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.board.state import Slider, State
    from twin.game.positions import Game

_CARDS: Final = tuple(GARMENT_CODES)
_CARD_INDEX: Final = {card: index for index, card in enumerate(_CARDS)}
_SPACE_INDEX: Final = {space: index for index, space in enumerate(STANDING_SPACES)}
_OFFSETS: Final = 2 * MAX_OFFSET + 1
_SLIDER: Final = TUNNELS + _OFFSETS + 1
_GHOST: Final = len(STANDING_SPACES) + 2
_DECK: Final = 1 + len(PARTS) + 1 + len(_CARDS)
_FULL_DECK: Final = len(PARTS)
"""Cards in a deck when it is dealt (S5)."""


@dataclass(frozen=True)
class Block:
    """A stretch of the vector."""

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """Numbers in it."""
        return int(np.prod(self.shape))


def _blocks() -> dict[str, Block]:
    layout: list[tuple[str, tuple[int, ...], str]] = [
        ("phase", (len(PHASES),), f"one of {', '.join(PHASES)}"),
        ("turn_of", (len(SEATS),), "whose turn it is, seen from you: you, next, third, fourth; none once it is over"),
        ("seats", (len(SEATS),), "1 for each player that there is, seen from you"),
        ("moves_left", (MOVES_A_TURN + 1,), "one of 0, 1, 2, 3"),
        ("time", (1,), "turns so far as a share of the limit"),
        ("orientation", (4,), "clockwise quarter turns of the board: one of 0, 1, 2, 3"),
        (
            "sliders",
            (len(SLIDERS), _SLIDER),
            "for each slider: one of tunnels 1…5, one of offsets -2…+2, 1 if it is turned end for end",
        ),
        (
            "ghosts",
            (len(SEATS), _GHOST),
            (
                "for each player: its space, or in phase `place` all that its ghost can be put on (a1, a2 … g7 without "
                "d4); then how far it stands from the middle of its space, x and y of the board in spaces "
                "(zero unless `as_is`)"
            ),
        ),
        (
            "cards",
            (len(SEATS), len(_CARDS)),
            f"for each player: the cards in front of it ({_CARDS[0]}, {_CARDS[1]} … {_CARDS[-1]})",
        ),
        (
            "decks",
            (DECKS, _DECK),
            (
                f"for each deck: cards left / {_FULL_DECK}; the back on top, one of {', '.join(PARTS)}; 1 if you have "
                "looked into it; the cards that you know to lie there"
            ),
        ),
        ("searched", (DECKS,), "the deck that somebody holds in its hand, if any"),
    ]
    blocks, start = {}, 0
    for name, shape, meaning in layout:
        blocks[name] = Block(name, start, shape, meaning)
        start += blocks[name].size
    return blocks


BLOCKS: Final = _blocks()
LENGTH: Final = sum(block.size for block in BLOCKS.values())
"""Numbers in an observation."""

_SLICES: Final = tuple((b.name, b.start, b.start + b.size, b.shape) for b in BLOCKS.values())

STATE_LENGTH: Final = LENGTH + DECKS * _FULL_DECK * len(_CARDS)
"""Numbers in the global view: the first player's observation, and every deck card by card."""


def observation_vector(game: Game, seat: int, machine: Machine) -> NDArray[np.float32]:
    """What a seat knows, shaped (LENGTH,), values in -1 … 1; nothing in it depends on cards that it has not seen."""
    vector = np.zeros(LENGTH, np.float32)
    views = {name: vector[start:end].reshape(shape) for name, start, end, shape in _SLICES}
    players = game.options.players
    count = len(players)
    views["phase"][PHASES.index(game.phase)] = 1.0
    if not game.is_over:
        views["turn_of"][(game.seat - seat) % count] = 1.0
    views["seats"][:count] = 1.0
    views["moves_left"][game.moves_left] = 1.0
    views["time"][0] = min(game.turn / game.options.max_turns, 1.0)
    pending = game.pending
    views["orientation"][game.board.orientation if pending is None else pending.orientation] = 1.0
    for row, slider in zip(views["sliders"], game.board.sliders if pending is None else pending.sliders, strict=True):
        row[list(_slider_ones(slider))] = 1.0
    options = _open_spaces(game)
    for offset in range(count):
        colour = players[(seat + offset) % count]
        row = views["ghosts"][offset]
        if options is not None:
            row[[_SPACE_INDEX[space] for space in options[colour]]] = 1.0
        else:
            space, dx, dy = _standing(game.board, colour, machine)
            row[space] = 1.0
            row[-2:] = dx, dy
        views["cards"][offset, [_CARD_INDEX[card] for card in game.owned[(seat + offset) % count]]] = 1.0
    for row, deck, known in zip(views["decks"], game.decks, game.seen[seat], strict=True):
        row[0] = len(deck) / _FULL_DECK
        back = back_on_top(deck)
        if back is not None:
            row[1 + PARTS.index(back)] = 1.0
        if known is not None:
            row[1 + len(PARTS)] = 1.0
            row[[2 + len(PARTS) + _CARD_INDEX[card] for card in known]] = 1.0
    if game.searched is not None:
        views["searched"][game.searched] = 1.0
    return vector


def state_vector(game: Game, machine: Machine) -> NDArray[np.float32]:
    """Everything, hidden cards too, shaped (STATE_LENGTH,): for training with a view that no player has."""
    cards = np.zeros((DECKS, _FULL_DECK, len(_CARDS)), np.float32)
    for place, deck in enumerate(game.decks):
        for depth, card in enumerate(deck):
            cards[place, depth, _CARD_INDEX[card]] = 1.0
    return np.concatenate([observation_vector(game, 0, machine), cards.ravel()])


def observation_rows() -> list[tuple[str, str, str, str]]:
    """The table of observations: numbers, name, shape, meaning."""
    rows = []
    for block in BLOCKS.values():
        last = block.start + block.size - 1
        numbers = str(block.start) if last == block.start else f"{block.start}–{last}"
        rows.append((numbers, block.name, " × ".join(map(str, block.shape)), block.meaning))
    return rows


@lru_cache(maxsize=512)
def _slider_ones(slider: Slider) -> tuple[int, ...]:
    ones = (slider.tunnel - 1, TUNNELS + slider.offset + MAX_OFFSET)
    return (*ones, _SLIDER - 1) if slider.flipped else ones


def _open_spaces(game: Game) -> dict[str, set[str]] | None:
    """The spaces that each ghost can be put on so that all can be; None if no ghost is to be placed."""
    if game.pending is None:
        return None
    ways = joint(game.pending)
    return {colour: {way[colour] for way in ways} for colour in ways[0]}


def _standing(board: State, colour: str, machine: Machine) -> tuple[int, float, float]:
    """Number of the space a ghost stands on, and its place in it (board frame, in spaces)."""
    space = home_space(board, colour, machine)
    x, y = to_board(board.places[colour], board.orientation)
    column, row = cell(space)
    # Adding zero makes a minus zero a plain one.
    return _SPACE_INDEX[space], x / machine.space - column + 0.0, y / machine.space - row + 0.0
