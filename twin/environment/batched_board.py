"""A board that has been asked for many moves at once: turns, pushes and B6 of many games in one run of the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.board.moves import Push, Turn
from twin.board.state import MAX_OFFSET
from twin.game.board import drawn_hand, happening
from twin.outcome.engine import KERNEL
from twin.outcome.legality import judge
from twin.outcome.many import falls, simulate_shifted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State
    from twin.game.board import Table
    from twin.game.positions import Game
    from twin.game.rules import Happening

    Question = tuple[State, Turn | Push, int, int]
    """A move, and the seed and the number of the hand that makes it."""


class Foresight:
    """The same answers as the table gives one by one, thought out beforehand for many games.

    What was not asked for beforehand is left to the table, and so are ghosts that stay off-centre (G7) and the
    reference engine.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.machine: Machine = table.machine
        self._happenings: dict[Question, Happening] = {}
        self._falls: dict[State, frozenset[Push]] = {}

    def ask_moves(self, games: Sequence[Game], moves: Sequence[Move]) -> None:
        """Find out what comes of one move in each game; earlier answers are forgotten."""
        self._happenings = {}
        if self.table.twin.engine != KERNEL:
            return
        asked = [
            (game, move)
            for game, move in zip(games, moves, strict=True)
            if isinstance(move, Turn | Push) and not game.options.as_is and self._can(game.board, move)
        ]
        if not asked:
            return
        hands = [drawn_hand(self.machine, game, move) for game, move in asked]
        outcomes = simulate_shifted(self.machine, [game.board for game, _ in asked], [move for _, move in asked], hands)
        for n, (game, move) in enumerate(asked):
            self._happenings[_question(game, move)] = happening(outcomes, n)

    def ask_pushes(self, states: Sequence[State]) -> None:
        """Find out which pushes B6 forbids in each position; answers about other positions are forgotten."""
        old, self._falls = self._falls, {}
        new = []
        for state in states:
            if state in old:
                self._falls[state] = old[state]
            elif self.table.twin.engine == KERNEL:
                new.append(state)
        asked = [
            (state, push)
            for state in dict.fromkeys(new)
            for push in (Push(s.name, d) for s in state.sliders for d in ("north", "south"))
            if self._can(state, push)
        ]
        off: dict[State, set[Push]] = {state: set() for state in new}
        if asked:
            fallen = falls(self.machine, [state for state, _ in asked], [push for _, push in asked])
            for (state, push), fell in zip(asked, fallen, strict=True):
                if fell:
                    off[state].add(push)
        self._falls |= {state: frozenset(pushes) for state, pushes in off.items()}

    def broken(self, state: State, move: Move) -> tuple[str, ...]:
        """Numbers of the rules that forbid a move."""
        if not isinstance(move, Push) or state not in self._falls:
            return self.table.broken(state, move)
        verdict = judge(state, move, self.machine)
        return (verdict.taking_off() if move in self._falls[state] else verdict).broken

    def happen(self, state: State, move: Move, game: Game) -> Happening:
        """Let a move happen, by the hand that the game's chance draws next."""
        if isinstance(move, Turn | Push):
            known = self._happenings.get(_question(game, move))
            if known is not None:
                return known
        return self.table.happen(state, move, game)

    def _can(self, state: State, move: Turn | Push) -> bool:
        """Whether physics can do a move: B5 is the only thing in its way."""
        return isinstance(move, Turn) or abs(state.slider(move.slider).offset + move.step) <= MAX_OFFSET


def _question(game: Game, move: Turn | Push) -> Question:
    return game.board, move, game.options.seed, game.chance
