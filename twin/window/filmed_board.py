"""The game's board for people who watch: it keeps the film of the last move, which the rules have no use for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.game.board import Table, drawn_hand
from twin.outcome.engine import PYMUNK, Twin
from twin.outcome.legality import judge
from twin.physics.hand import NOMINAL
from twin.physics.numerics import FRAME_RATE

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.moves import Move, Push
    from twin.board.state import State
    from twin.game.positions import Game
    from twin.outcome.engine import Outcome
    from twin.physics.hand import Hand

_REMEMBERED: Final = 64
"""Pushes whose verdict by B6 is kept in mind."""


class ShowTable(Table):
    """A table whose moves can be looked at; by default on the reference engine, which keeps every instant.

    B6 is asked for the one push that somebody wants to make: all of them at once, as the rules' list of legal actions
    wants them, would stop the window for a quarter of a second.
    """

    def __init__(self, machine: Machine, engine: str = PYMUNK) -> None:
        super().__init__(machine, engine)
        self.twin = _FilmingTwin(machine, engine)
        self._camera = self.twin if engine == PYMUNK else _FilmingTwin(machine, PYMUNK)
        self._verdicts: dict[tuple[State, Push], bool] = {}

    def film(self, game: Game, move: Move) -> tuple[Outcome, Hand]:
        """A move of a game from beginning to end, made by the hand that the game's chance draws for it.

        On the kernel, which keeps no instants, the reference engine shows the same move: nearly always the same way.
        """
        hand = drawn_hand(self.machine, game, move)
        return self._camera.act(game.board, move, hand, sensitivity=False), hand

    def _takes_off(self, state: State, push: Push) -> bool:
        if self.twin.engine != PYMUNK:
            return super()._takes_off(state, push)
        if (state, push) not in self._verdicts:
            while len(self._verdicts) >= _REMEMBERED:
                self._verdicts.pop(next(iter(self._verdicts)))
            possible = judge(state, push, self.machine).feasible
            outcome = self.twin.act(state, push, sensitivity=False) if possible else None
            self._verdicts[state, push] = outcome is not None and "B6" in outcome.broken
        return self._verdicts[state, push]


class _FilmingTwin(Twin):
    """A twin that remembers its last move, so that it is not simulated twice: once for the rules, once to be seen."""

    _last: tuple[tuple[State, Move, Hand], Outcome] | None = None

    def act(
        self,
        state: State,
        move: Move,
        hand: Hand = NOMINAL,
        *,
        sensitivity: bool = True,
        frame_rate: float = FRAME_RATE,
    ) -> Outcome:
        """`Twin.act`, from memory if it was the last one."""
        if sensitivity:
            return super().act(state, move, hand, sensitivity=sensitivity, frame_rate=frame_rate)
        if self._last is None or self._last[0] != (state, move, hand):
            made = super().act(state, move, hand, sensitivity=False, frame_rate=frame_rate)
            self._last = ((state, move, hand), made)
        return self._last[1]
