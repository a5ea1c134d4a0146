"""Players without a person: random, greedy, and one that plans. They know no more than the seat that they sit on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from twin.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.game.actions import Action
    from twin.game.board import Table
    from twin.game.positions import Game

NAMES: Final = ("random", "greedy", "planner")
BUDGET: Final = 0.05
"""Time that a planner may think about one action, s."""


class Bot(Protocol):
    """A player without a person."""

    def choose(self, game: Game) -> Action:
        """A legal action of the player whose turn it is; raises nothing as long as the game is not over."""
        ...


def make_bot(
    name: str,
    table: Table,
    seed: int,
    budget: float | None = BUDGET,
    *,
    nodes: int | None = None,
    clock: Callable[[], float] | None = None,
) -> Bot:
    """A bot by its name. The same seed and the same games give the same choices, except by the clock.

    Only the planner has a budget: seconds a choice by `clock` (for example `time.perf_counter`), or `nodes`, a number
    of simulated moves a choice, which is reproducible. Without either, the seconds stand for a number of moves.
    """
    if budget is not None and not budget > 0.0:
        raise BadInputError(f"a bot's budget must be above 0 s; got {budget:g}", field="budget")
    if nodes is not None and nodes < 1:
        raise BadInputError(f"a bot must be allowed at least 1 simulated move; got {nodes}", field="nodes")
    if name == "random":
        from twin.game.bots.random_bot import RandomBot

        return RandomBot(table, seed)
    if name == "greedy":
        from twin.game.bots.greedy import GreedyBot

        return GreedyBot(table, seed)
    if name == "planner":
        from twin.game.bots.planner import Planner

        return Planner(table, seed, budget, nodes, clock)
    raise BadInputError(f"a bot must be one of {', '.join(NAMES)}; got {name!r}", field="bot")
