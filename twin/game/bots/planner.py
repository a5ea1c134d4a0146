"""A player that thinks its whole turn through on the twin, weighs chance and remembers the cards it has seen."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from twin.board.moves import Relocate
from twin.board.state import MAX_OFFSET
from twin.game.actions import Put, Search, Stop
from twin.game.bots.evaluation import Worth
from twin.game.bots.exploration import unrest
from twin.game.bots.knowledge import View
from twin.game.bots.outlook import imagined_hands, positions
from twin.game.bots.tree import AT_ONCE, Allowance, Tree
from twin.game.positions import EXACT, MOVE, MOVES_A_TURN, PLACE
from twin.game.rules import garment_under, joint, legal_actions, may_search, may_stop
from twin.physics.drive import driven
from twin.physics.hand import NOMINAL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twin.board.moves import Move
    from twin.game.actions import Action
    from twin.game.board import Table
    from twin.game.bots.tree import Node
    from twin.game.positions import Game
    from twin.physics.hand import Hand

PACE: Final = 8000.0
"""Moves a second that a planner without a clock is taken to simulate: about what one core does."""
FEW: Final = 4
"""Hands by which it imagines the next move if others follow."""
MANY: Final = 12
"""Hands by which it imagines the last move of a turn."""
SLACK: Final = 0.006
"""Time that one more batch takes, s: with less than that left it stops thinking."""


class Planner:
    """Searches up to three moves deep, most promising first, until its budget is used up.

    The budget of a choice is a number of simulations (`nodes`), which makes it reproducible, or a time (`budget`, s)
    by the `clock` that it is given; without a clock the time is taken as so many simulations.
    """

    def __init__(
        self,
        table: Table,
        seed: int,
        budget: float | None = 0.05,
        nodes: int | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.table, self.seed = table, seed
        self.budget = budget if nodes is None else None
        self.clock = clock
        self.nodes = nodes if nodes is not None else round(PACE * (budget or 0.0))
        self.dice = random.Random(f"planner {seed}")

    def choose(self, game: Game) -> Action:
        """The action that promises most."""
        allowance = self._allowance()
        view = View.of(game)
        tree = Tree(Worth(view, self.table.machine), self.table.machine, allowance)
        if game.phase == PLACE:
            return self._placed(view, tree)
        if game.phase != MOVE:
            return legal_actions(view.game, self.table)[0]
        return self._moved(view, tree)

    def _allowance(self) -> Allowance:
        if self.budget is None or self.clock is None:
            return Allowance(self.nodes)
        clock, end = self.clock, self.clock() + self.budget - SLACK
        return Allowance(1_000_000, lambda: clock() > end)

    def _hands(self, game: Game) -> Sequence[Hand]:
        """The nominal hand, and varied ones if hands vary in this game."""
        if game.options.hand == EXACT:
            return (NOMINAL,)
        count = MANY if game.moves_left == 1 else FEW
        return imagined_hands(self.table.machine, len(game.board.ghosts), self.seed)[:count]

    def _moved(self, view: View, tree: Tree) -> Action:
        """A move, a search, or the end of the turn."""
        game, machine = view.game, self.table.machine
        card = garment_under(game, machine) if may_search(game, machine) else None
        root = tree.node(game.board, game.moves_left)
        best: Move | None = None
        if game.moves < MOVES_A_TURN:
            tree.grow([root], self._hands(game))
            if game.moves_left > 1:
                self._try_relocations(tree, root)
            ways = list(root.ways or {})
            doubt = unrest(game.turn)
            values = {move: root.value_of(move) * (1.0 - doubt * self.dice.random()) for move in ways}
            best = max(ways, key=lambda move: (values[move], str(move)), default=None)
            if best is not None and values[best] <= root.worth and (card is not None or may_stop(game, machine)):
                best = None
        if best is not None:
            return best
        if card is not None:
            deck, chance = view.best_deck(card)
            if chance > 0.0 or not may_stop(game, machine):
                return Search(deck + 1)
        return Stop()

    def _try_relocations(self, tree: Tree, root: Node) -> None:
        """Spend what is left of the budget on relocations, in any order, and one move after each."""
        board = root.state
        moves = [
            Relocate(slider, tunnel, offset, flip)
            for slider, tunnel in self.table.open_relocations(board)
            for offset in range(-MAX_OFFSET, MAX_OFFSET + 1)
            for flip in (False, True)
        ]
        self.dice.shuffle(moves)
        while moves and not tree.allowance.is_used_up:
            some, moves = moves[:AT_ONCE], moves[AT_ONCE:]
            tree.expand([tree.add(root, move, driven(board, move)) for move in some], (NOMINAL,))

    def _placed(self, view: View, tree: Tree) -> Action:
        """Put the ghosts where most can be made of the moves that are left."""
        game = view.game
        actions = [action for action in legal_actions(game, self.table) if isinstance(action, Put)]
        if game.pending is None:
            return actions[0]
        ways = joint(game.pending)
        nodes = [tree.node(state, game.moves_left) for state in positions(game.pending, self.table.machine)]
        if game.moves_left > 0:
            tree.grow(nodes, (NOMINAL,))
        best = max(range(len(ways)), key=lambda n: (nodes[n].value(), -n))
        return next(action for action in actions if ways[best][action.ghost] == action.space)
