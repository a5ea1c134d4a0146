"""Tournaments: bots against each other over many games with the seats changed round, in several processes."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from twin.board.machine import load_machine
from twin.errors import BadInputError
from twin.game.board import Table
from twin.game.bots import BUDGET, NAMES, make_bot
from twin.game.positions import VARIED, Options, new_game
from twin.game.rules import apply
from twin.processes import run_all
from twin.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SEATS: Final = ("red", "blue", "yellow", "green")
"""Colours in the order of play; two players sit on the two corners of one side."""
MAX_TURNS: Final = 400
"""A game that has not ended by then counts as unfinished, without a winner."""


@dataclass(frozen=True)
class Tournament:
    """What is played: who against whom, how often and how."""

    bots: tuple[str, ...]
    """Names of two to four bots; the same one may play against itself. `planner@20` thinks 20 ms a move."""
    games: int
    seed: int = 1
    budget: float = BUDGET
    """Seconds a move, by the clock, of planners whose name gives no other budget."""
    nodes: int | None = None
    """Simulated moves a move in place of the clock; makes a planner's games reproducible."""
    hand: str = VARIED
    max_turns: int = MAX_TURNS
    machine: str = "reconstruction"
    engine: str = "kernel"

    def __post_init__(self) -> None:
        if not 2 <= len(self.bots) <= len(SEATS):
            raise BadInputError(f"two to four bots play; got {len(self.bots)}", field="bots")
        for bot in self.bots:
            entrant(bot)
        if self.games < 1:
            raise BadInputError(f"must be at least 1; got {self.games}", field="games")

    @property
    def labels(self) -> tuple[str, ...]:
        """A name of its own for each bot: the second `random` of a tournament is `random#2`."""
        found: list[str] = []
        for bot in self.bots:
            count = self.bots[: len(found) + 1].count(bot)
            found.append(bot if count == 1 else f"{bot}#{count}")
        return tuple(found)


@dataclass(frozen=True)
class Result:
    """How one game ended."""

    number: int
    winner: int | None
    """Which bot won, by its place in `Tournament.bots`; None if none did."""
    first: int
    """Which bot went first."""
    turns: int
    actions: int
    fates: tuple[tuple[str, int], ...]
    """How many ghosts met each fate, over all moves."""
    straddles: int
    """Ghosts that covered several spaces after a move."""
    conflicts: int
    """Moves after which ghosts could not all be placed."""


@dataclass(frozen=True)
class Standing:
    """The outcome of a tournament."""

    tournament: Tournament
    results: tuple[Result, ...]

    @property
    def wins(self) -> dict[str, int]:
        """Games won by each bot."""
        counts = Counter(result.winner for result in self.results)
        return {label: counts[n] for n, label in enumerate(self.tournament.labels)}

    @property
    def is_reproducible(self) -> bool:
        """Whether the same words give the same games again: not if a planner looks at the clock."""
        by_clock = any(entrant(bot)[0] == "planner" for bot in self.tournament.bots)
        return self.tournament.nodes is not None or not by_clock

    @property
    def unfinished(self) -> int:
        """Games without a winner."""
        return sum(result.winner is None for result in self.results)

    def interval(self, bot: int = 0) -> tuple[float, float]:
        """Wilson's 95 % interval for a bot's share of all games, unfinished ones among them."""
        return wilson(self.wins[self.tournament.labels[bot]], len(self.results))

    def turns(self) -> dict[str, float]:
        """Mean, median and 90th percentile of the turns that games took, unfinished ones among them."""
        lengths = sorted(result.turns for result in self.results)
        return {"mean": sum(lengths) / len(lengths), "p50": quantile(lengths, 0.5), "p90": quantile(lengths, 0.9)}


def quantile(ordered: Sequence[int], share: float) -> int:
    """The smallest of some rising values that a share of them does not exceed.

    >>> quantile([1, 2, 3, 4], 0.5), quantile([1, 2, 3, 4], 0.9)
    (2, 4)
    """
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]


def entrant(bot: str) -> tuple[str, float | None]:
    """The name of a bot and its own budget in seconds, if it has one.

    >>> entrant("planner@20"), entrant("greedy")
    (('planner', 0.02), ('greedy', None))
    """
    name, at, budget = bot.partition("@")
    if name not in NAMES or (at and name != "planner"):
        raise BadInputError(f"a bot must be one of {', '.join(NAMES)}, or planner@MS; got {bot!r}", field="bots")
    if not at:
        return name, None
    if not budget.isdecimal() or int(budget) < 1:
        raise BadInputError(f"a planner's budget must be whole milliseconds, planner@20; got {bot!r}", field="bots")
    return name, int(budget) / 1000.0


def play(tournament: Tournament, number: int, clock: Callable[[], float] | None = None) -> Result:
    """Play one game of a tournament, from its number alone.

    Games come in rounds, one for each bot: in a round the deal and the hands are the same and the seats move on.
    """
    table = _table(tournament.machine, tournament.engine)
    count = len(tournament.bots)
    seats = [(seat + number) % count for seat in range(count)]  # which bot sits where
    deal = random.Random(f"tournament {tournament.seed} {number // count}").getrandbits(32)
    players = []
    for seat, bot in enumerate(seats):
        name, own = entrant(tournament.bots[bot])
        seed = random.Random(f"bot {tournament.seed} {number} {seat}").getrandbits(32)
        players.append(make_bot(name, table, seed, own or tournament.budget, nodes=tournament.nodes, clock=clock))
    options = Options(SEATS[:count], seed=deal, hand=tournament.hand, max_turns=tournament.max_turns)
    game = new_game(table.machine, options)
    fates: Counter[str] = Counter()
    actions = straddles = conflicts = 0
    while not game.is_over:
        game, told = apply(game, players[game.seat].choose(game), table)
        actions += 1
        if told.happening is not None:
            words = dict(told.happening.fates)
            fates.update(words.values())
            conflicts += told.happening.conflict
            options_left = told.happening.pending.options
            straddles += sum(len(spaces) > 1 and words[colour] != "fell" for colour, spaces in options_left)
    winner = None if game.winner is None else seats[game.winner]
    return Result(number, winner, seats[0], game.turn, actions, tuple(sorted(fates.items())), straddles, conflicts)


def hold(
    tournament: Tournament,
    workers: int = 1,
    *,
    clock: Callable[[], float] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Standing:
    """Play all games; results do not depend on processes or order (but for planners by the clock)."""
    results: list[Result] = []
    for result in _played(tournament, min(workers, tournament.games), clock):
        results.append(result)
        if progress is not None:
            progress(len(results))
    return Standing(tournament, tuple(sorted(results, key=lambda result: result.number)))


def _played(tournament: Tournament, workers: int, clock: Callable[[], float] | None) -> Iterable[Result]:
    if workers <= 1:
        yield from (play(tournament, number, clock) for number in range(tournament.games))
        return
    game = partial(play, tournament, clock=clock)
    yield from (result for _, result in run_all(game, range(tournament.games), workers))


@lru_cache(maxsize=4)
def _table(machine: str, engine: str) -> Table:
    return Table(load_machine(machine), engine)
