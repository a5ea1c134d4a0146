"""The board as a person sees it before a move: without what only a simulation can find out (B2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.outcome.legality import judge

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State
    from twin.game.positions import Game
    from twin.game.rules import Board, Happening


class NoForesight:
    """A board that does not reveal which pushes would take a ghost off it (B6); what happens on it is the same."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.machine: Machine = board.machine

    def broken(self, state: State, move: Move) -> tuple[str, ...]:
        """Numbers of the rules that forbid a move, without B6."""
        return judge(state, move, self.machine).broken

    def happen(self, state: State, move: Move, game: Game) -> Happening:
        """Let a move happen, as on the board itself."""
        return self.board.happen(state, move, game)
