"""A player that takes any allowed action, all of them equally likely."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import MAX_OFFSET, State
from twin.game.actions import Search, Stop
from twin.game.cards import DECKS
from twin.game.positions import MOVE, MOVES_A_TURN
from twin.game.rules import legal_actions, may_search, may_stop
from twin.outcome.legality import judge

if TYPE_CHECKING:
    from twin.board.moves import Move
    from twin.game.actions import Action
    from twin.game.board import Table
    from twin.game.positions import Game

_OFFSETS: Final = range(-MAX_OFFSET, MAX_OFFSET + 1)
_REMEMBERED: Final = 256
"""Positions whose drags are kept in mind: relocations, most of what is drawn, leave the ghosts where they are."""


class RandomBot:
    """Uniform over the legal actions, from its own dice; it remembers nothing but how often they were thrown.

    It does not list what is legal: whether a push takes a ghost off the board (B6) needs a simulation, so only a push
    that was drawn is asked about, and another action is drawn if it is barred. That leaves the rest equally likely.
    """

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self._drags = lru_cache(maxsize=_REMEMBERED)(self._allowed_drags)
        self.dice = random.Random(f"random bot {seed}")

    def choose(self, game: Game) -> Action:
        """Any legal action."""
        if game.phase != MOVE:
            return self.dice.choice(legal_actions(game, self.table))
        simple = self._simple(game)
        relocations = self.table.open_relocations(game.board) if game.moves < MOVES_A_TURN else []
        ways = 2 * len(_OFFSETS)
        while True:
            drawn = self.dice.randrange(len(simple) + len(relocations) * ways)
            if drawn >= len(simple):
                (slider, tunnel), way = relocations[(drawn - len(simple)) // ways], (drawn - len(simple)) % ways
                return Relocate(slider, tunnel, _OFFSETS[way // 2], flip=bool(way % 2))
            action = simple[drawn]
            if not (isinstance(action, Push) and self.table.bars_push(game.board, action)):
                return action

    def _simple(self, game: Game) -> list[Action]:
        """All that is allowed but relocations, and pushes of which B6 is still to be asked."""
        board, machine = game.board, self.table.machine
        found: list[Action] = []
        if game.moves < MOVES_A_TURN:
            own = game.options.players[game.seat]
            moves: list[Move] = [Turn("cw"), Turn("ccw")]
            moves += [Push(s.name, "north") for s in board.sliders if s.offset < MAX_OFFSET]
            moves += [Push(s.name, "south") for s in board.sliders if s.offset > -MAX_OFFSET]
            found += [*moves, *self._drags(State(board.orientation, board.ghosts, ()), own)]
        if may_search(game, machine):
            found += [Search(deck) for deck in range(1, DECKS + 1) if game.decks[deck - 1]]
        if may_stop(game, machine):
            found.append(Stop())
        return found

    def _allowed_drags(self, ghosts: State, own: str) -> list[Drag]:
        """Drags of the own ghost that A1 to A5 allow; sliders do not matter for them."""
        drags = [Drag(own, "north"), Drag(own, "east"), Drag(own, "south"), Drag(own, "west")]
        return [drag for drag in drags if not judge(ghosts, drag, self.table.machine).broken]
