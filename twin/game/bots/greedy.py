"""A player that looks one move ahead: towards the nearest garment that it can use, by the expected outcome."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from twin.board.moves import Push
from twin.board.state import home_space
from twin.game.actions import Put, Search, Stop
from twin.game.bots.distance import distances
from twin.game.bots.evaluation import usable
from twin.game.bots.exploration import unrest
from twin.game.bots.knowledge import View
from twin.game.bots.outlook import drags, imagined_hands, physical_moves, positions, simulated
from twin.game.positions import EXACT, MOVE, MOVES_A_TURN, PLACE
from twin.game.rules import joint, legal_actions, may_search, may_stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.state import State
    from twin.game.actions import Action
    from twin.game.board import Table
    from twin.game.positions import Game

SAMPLES: Final = 4
"""Hands by which it imagines each turn and push."""
FAR: Final = 99.0
"""The distance of a garment that is nowhere."""


class GreedyBot:
    """Searches wherever it can, in any deck; otherwise makes the move that brings it nearest to a usable garment.

    It thinks of distances only: cards that it saw in a deck it does not remember.
    """

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.seed = seed
        self.dice = random.Random(f"greedy bot {seed}")

    def choose(self, game: Game) -> Action:
        """The action that leads nearest to a garment."""
        view = View.of(game)
        near = self._nearness(view)
        if game.phase == PLACE:
            return self._placed(view, near)
        if game.phase != MOVE:
            return self.dice.choice(legal_actions(view.game, self.table))
        if may_search(view.game, self.table.machine):
            return Search(1 + self.dice.choice([n for n, deck in enumerate(view.game.decks) if deck]))
        return self._moved(view.game, near)

    def _moved(self, game: Game, near: Mapping[str, float]) -> Action:
        """The move that is expected to lead nearest, or no more moves."""
        if game.moves >= MOVES_A_TURN:
            return Stop()
        expected = self._expected(game, near)
        if self.dice.random() < unrest(game.turn):
            return self.dice.choice(list(expected))
        best = min(expected, key=lambda action: (round(expected[action], 9), self.dice.random()))
        here = near[home_space(game.board, game.options.players[game.seat], self.table.machine)]
        if expected[best] >= here and may_stop(game, self.table.machine):
            return Stop()
        return best

    def _nearness(self, view: View) -> Mapping[str, float]:
        """By space, how far the nearest usable garment is."""
        machine = self.table.machine
        wanted, far = usable(view, view.game.seat, machine), distances(machine.castle)
        return {here: min((way[there] for there in wanted), default=FAR) for here, way in far.items()}

    def _expected(self, game: Game, near: Mapping[str, float]) -> dict[Action, float]:
        """The expected distance after each move that brings ghosts about."""
        machine, own = self.table.machine, game.options.players[game.seat]
        count = 1 if game.options.hand == EXACT else SAMPLES
        hands = imagined_hands(machine, len(game.board.ghosts), self.seed)[:count]
        moves = [(move, hand) for move in physical_moves(game.board) for hand in hands]
        guesses = simulated([game.board] * len(moves), [m for m, _ in moves], [h for _, h in moves], machine)
        expected: dict[Action, float] = {d: self._at(s, own, near) for d, s in drags(game.board, own, machine)}
        for first in range(0, len(moves), count):
            move, some = moves[first][0], guesses[first : first + count]
            if isinstance(move, Push) and some[0].barred:
                continue  # B6, by the nominal hand, which is the first
            ends = [min(self._at(s, own, near) for s in positions(guess.pending, machine)) for guess in some]
            expected[move] = sum(ends) / count
        return expected

    def _placed(self, view: View, near: Mapping[str, float]) -> Action:
        """Put the ghosts so that the own one is nearest, one ghost after the other."""
        pending = view.game.pending
        own = view.game.options.players[view.game.seat]
        actions = [a for a in legal_actions(view.game, self.table) if isinstance(a, Put)]
        if pending is None:
            return actions[0]
        best = min(joint(pending), key=lambda way: near[way[own]])
        return next(action for action in actions if best[action.ghost] == action.space)

    def _at(self, state: State, own: str, near: Mapping[str, float]) -> float:
        return near[home_space(state, own, self.table.machine)]
