"""What a player can do with the moves left in its turn, as a tree: chance in the first move, the nominal hand below."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from twin.board.moves import Push
from twin.game.bots.outlook import BATCH, drags, physical_moves, positions, simulated
from twin.physics.hand import NOMINAL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State
    from twin.game.bots.evaluation import Worth
    from twin.physics.hand import Hand

MOVE_COST: Final = 0.99
"""What is left of a worth if it takes one more move to get it."""

AT_ONCE: Final = BATCH // 8
"""Positions that are expanded together; each has at most eight turns and pushes."""


@dataclass(eq=False)
class Node:
    """A position with some moves left."""

    state: State
    left: int
    worth: float
    """If the player stops here."""
    ways: dict[Move, list[list[Node]]] | None = None
    """By move, for each hand that was imagined, the positions to choose from (D4, D5); None before it is expanded."""

    def value(self) -> float:
        """The worth that can be reached from here; stopping is always possible."""
        best = self.worth
        for move in self.ways or ():
            best = max(best, self.value_of(move))
        return best

    def value_of(self, move: Move) -> float:
        """What a move leads to, averaged over the hands."""
        hands = (self.ways or {})[move]
        return MOVE_COST * sum(max(node.value() for node in choices) for choices in hands) / len(hands)


@dataclass
class Allowance:
    """How much may still be simulated."""

    simulations: int
    """Moves at most."""
    over: Callable[[], bool] = field(default=lambda: False)
    """Whether the time is up."""
    spent: int = 0

    @property
    def is_used_up(self) -> bool:
        """Whether nothing more may be simulated."""
        return self.spent >= self.simulations or self.over()


class Tree:
    """Grows from one or several positions, the most promising first, until the allowance is used up."""

    def __init__(self, worth: Worth, machine: Machine, allowance: Allowance) -> None:
        self.worth, self.machine, self.allowance = worth, machine, allowance
        self._known: dict[tuple[State, int], Node] = {}

    def node(self, state: State, left: int) -> Node:
        """The node of a position, always the same one."""
        key = (state, left)
        if key not in self._known:
            self._known[key] = Node(state, left, self.worth.of(state))
        return self._known[key]

    def grow(self, roots: Sequence[Node], hands: Sequence[Hand]) -> None:
        """Expand the roots by all hands, then level by level by the nominal hand."""
        self.expand(roots, hands)
        for left in range(max((node.left for node in roots), default=0) - 1, 0, -1):
            level = [node for (_, its), node in self._known.items() if its == left and node.ways is None]
            level.sort(key=lambda node: -node.worth)
            for first in range(0, len(level), AT_ONCE):
                if self.allowance.is_used_up:
                    return
                self.expand(level[first : first + AT_ONCE], (NOMINAL,))

    def add(self, node: Node, move: Move, state: State) -> Node:
        """Add a move that needs no simulation."""
        child = self.node(state, node.left - 1)
        node.ways = node.ways or {}
        node.ways[move] = [[child]]
        return child

    def expand(self, nodes: Sequence[Node], hands: Sequence[Hand]) -> None:
        """All turns, pushes and drags from some positions."""
        jobs = [(node, move, hand) for node in nodes for move in physical_moves(node.state) for hand in hands]
        guesses = simulated(
            [n.state for n, _, _ in jobs], [m for _, m, _ in jobs], [h for _, _, h in jobs], self.machine
        )
        self.allowance.spent += len(jobs)
        for node in nodes:
            for drag, state in drags(node.state, self.worth.own, self.machine):
                self.add(node, drag, state)
        for first in range(0, len(jobs), len(hands)):
            node, move, _ = jobs[first]
            some = guesses[first : first + len(hands)]
            node.ways = node.ways if node.ways is not None else {}
            if isinstance(move, Push) and some[0].barred:
                continue  # B6, by the nominal hand, which is the first
            node.ways[move] = [
                [self.node(state, node.left - 1) for state in positions(guess.pending, self.machine)] for guess in some
            ]
