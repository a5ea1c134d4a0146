"""The board as a person sees it before a move: what only a simulation can tell is not among it (B2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.legality import judge

if TYPE_CHECKING:
    from twin.game.rules import Board, Happening
    from twin.game.state import Game
    from twin.machine import Machine
    from twin.moves import Move
    from twin.state import State


class NoForesight:
    """A board that does not tell which pushes would take a ghost off it (B6); what happens on it is the same."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.machine: Machine = board.machine

    def broken(self, state: State, move: Move) -> tuple[str, ...]:
        """Numbers of the rules that forbid a move, without B6."""
        return judge(state, move, self.machine).broken

    def happen(self, state: State, move: Move, game: Game) -> Happening:
        """Let a move happen, as on the board itself."""
        return self.board.happen(state, move, game)
