"""A game as one immutable value: board, decks, who owns and has seen what, whose turn it is, and chance so far."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from twin.board.castle import PARTS
from twin.board.state import COLOURS, Slider, State
from twin.errors import BadInputError
from twin.game.cards import DECKS, Deck, deal, part_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.board.machine import Machine

MOVES_A_TURN: Final = 3
"""Magical moves that a turn has at most (T1)."""

VARIED: Final = "varied"
EXACT: Final = "exact"

MOVE: Final = "move"
PLACE: Final = "place"
RETURN: Final = "return"
OVER: Final = "over"
PHASES: Final = (MOVE, PLACE, RETURN, OVER)


@dataclass(frozen=True)
class Options:
    """What is settled at the table before the game."""

    players: tuple[str, ...]
    """Colours in the order of play, the one that goes first first (S1, S6)."""
    seed: int = 1
    """Of the deal and of the hands."""
    hand: str = VARIED
    """`varied`: hands vary as a person's does; `exact`: each move is made by the nominal hand."""
    stop_early: bool = True
    """Whether a player may stop after one or two moves anywhere (G8), not only on a usable garment (T3)."""
    wandering_decks: bool = False
    """The variant Q8: a searched deck goes back to another place."""
    as_is: bool = False
    """Whether settled ghosts stay off-centre, exactly where physics left them (G7)."""
    max_turns: int = 400
    """A game that has not ended by then is a draw (G6)."""

    def __post_init__(self) -> None:
        players = self.players
        if not 2 <= len(players) <= 4 or len(set(players)) != len(players) or not set(players) <= set(COLOURS):
            problem = f"must be two to four different ones of {', '.join(COLOURS)} (S1); got {', '.join(players)}"
            raise BadInputError(problem, field="players")
        if self.hand not in {VARIED, EXACT}:
            raise BadInputError(f"must be {VARIED} or {EXACT}; got {self.hand!r}", field="hand")
        if self.max_turns < 1:
            raise BadInputError(f"must be at least 1; got {self.max_turns}", field="max_turns")


@dataclass(frozen=True)
class Pending:
    """Ghosts that the player whose turn it is must place (D4, D5), one by one in any order (G9)."""

    orientation: int
    sliders: tuple[Slider, ...]
    options: tuple[tuple[str, tuple[str, ...]], ...]
    """For every ghost the spaces that it may still be put on; one for those that are settled or placed."""
    still: tuple[tuple[str, tuple[float, float]], ...] = ()
    """Places of settled ghosts that stay off-centre (G7), floor frame, mm."""


@dataclass(frozen=True)
class Game:
    """A game at one moment; equal values are equal games. Fork it by keeping it."""

    options: Options
    board: State
    decks: tuple[Deck, ...]
    """By place on the table; hidden from all players."""
    owned: tuple[tuple[str, ...], ...]
    """Cards of each seat, face up, in the order in which they were found."""
    seen: tuple[tuple[frozenset[str] | None, ...], ...]
    """By seat and deck place: what the seat knows to lie there, None if it has never looked."""
    seat: int = 0
    """Whose turn it is."""
    turn: int = 1
    moves: int = 0
    """Moves made in this turn."""
    phase: str = MOVE
    pending: Pending | None = None
    searched: int | None = None
    """The deck in hand while its return is chosen (Q5, Q8)."""
    chance: int = 0
    """Hands drawn so far."""
    winner: int | None = None

    @property
    def current_player(self) -> str | None:
        """Whose turn it is; None once the game is over."""
        return None if self.phase == OVER else self.options.players[self.seat]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended and no action is left."""
        return self.phase == OVER

    @property
    def moves_left(self) -> int:
        """Magical moves that the turn still has."""
        return MOVES_A_TURN - self.moves

    def returns(self) -> dict[str, float]:
        """1 for the winner, -1 shared among the others; 0 for all in a draw or before the end."""
        players = self.options.players
        if self.winner is None:
            return dict.fromkeys(players, 0.0)
        lost = -1.0 / (len(players) - 1)
        return {colour: 1.0 if seat == self.winner else lost for seat, colour in enumerate(players)}

    def parts(self, seat: int) -> frozenset[str]:
        """Body parts that a seat has a garment for."""
        return frozenset(part_of(card) for card in self.owned[seat])

    def ends_turn(self) -> Game:
        """The same game with the next player to move, or over if it has lasted too long (G6)."""
        if self.turn >= self.options.max_turns or not any(self.can_finish(s) for s in range(len(self.owned))):
            return replace(self, phase=OVER, pending=None, searched=None)
        seat = (self.seat + 1) % len(self.options.players)
        return replace(self, seat=seat, turn=self.turn + 1, moves=0, phase=MOVE, pending=None, searched=None)

    def can_finish(self, seat: int) -> bool:
        """Whether cards that no other player owns could still complete a seat's costume (G6)."""
        left = {part_of(card) for deck in self.decks for card in deck}
        return all(part in left or part in self.parts(seat) for part in PARTS)


def new_game(machine: Machine, options: Options, sliders: Sequence[str] = ()) -> Game:
    """The start of a game: board and sliders in their start position, ghosts in corners, decks dealt (S1-S6).

    `sliders` names the ones in the first, the middle and the last tunnel, each alone or with `flip` behind it for the
    other way round: `("C", "A flip", "B")`. That is free (S3); by default they lie in the order of their names.
    """
    corners = machine.castle.corners
    board = State.of(0, {}, _sunk_in(machine, sliders))
    places = {colour: corners[colour] for colour in options.players}
    seats = len(options.players)
    return Game(
        options=options,
        board=State.of(0, dict.fromkeys(options.players, (0.0, 0.0)), board.sliders).on_spaces(places, machine.space),
        decks=deal(random.Random(f"deal {options.seed}")),
        owned=((),) * seats,
        seen=((None,) * DECKS,) * seats,
    )


def _sunk_in(machine: Machine, sliders: Sequence[str]) -> list[Slider]:
    """The three sliders in the middle and the outer tunnels, offset 0 (S3)."""
    tunnels = (1, (len(machine.tunnels) + 1) // 2, len(machine.tunnels))
    names = sorted(machine.sliders)
    if len(names) != len(tunnels):
        raise BadInputError(f"the game is played with three sliders (S3); the machine has {len(names)}")
    words = [text.split() for text in sliders or names]
    if sorted(word[0] for word in words if word) != names or any(word[1:] not in ([], ["flip"]) for word in words):
        problem = f"must be {', '.join(names)} in any order, each alone or with `flip` (S3); got {', '.join(sliders)}"
        raise BadInputError(problem[:200], field="sliders")
    pairs = zip(words, tunnels, strict=True)
    return [Slider(word[0], tunnel, flipped="flip" in word) for word, tunnel in pairs]
