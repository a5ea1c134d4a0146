"""What every environment is made from: the options of a game, a board to play on, and how the mask sees."""

from __future__ import annotations

import random
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from twin.board.machine import DEFAULT_MACHINE, Machine, load_machine
from twin.board.state import COLOURS
from twin.environment.action_index import check_machine
from twin.errors import BadInputError
from twin.game.board import Table
from twin.game.no_preview import NoForesight
from twin.game.positions import VARIED, Options, new_game
from twin.outcome.engine import KERNEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.game.positions import Game
    from twin.game.rules import Board

MAX_TURNS: Final = 400
"""Turns after which a game is a draw (G6), by default."""

_SEEDS: Final = 2**31
"""Seeds that later games of an environment are drawn from."""


@dataclass(frozen=True)
class Settings:
    """How an environment's games are played; the arguments of `env`, in words of the game."""

    players: int | Sequence[str] = 2
    """How many, or their colours in the order of play."""
    engine: str = KERNEL
    hand: str = VARIED
    max_turns: int = MAX_TURNS
    seed: int = 1
    """Of the first game, if `reset` is not given one."""
    machine: str | Machine = DEFAULT_MACHINE
    stop_early: bool = True
    wandering_decks: bool = False
    as_is: bool = False
    sliders: Sequence[str] = ()
    """Which one begins in the first, the middle and the last tunnel (S3); in the order of their names if not given."""
    mask_b6: bool = True
    """Whether the mask leaves out pushes that B6 forbids, which is a preview that no person has."""

    def options(self) -> Options:
        """The game's own options."""
        if isinstance(self.players, int):
            if not 2 <= self.players <= len(COLOURS):
                raise BadInputError(f"must be 2 to 4 (S1); got {self.players}", field="players")
            players: tuple[str, ...] = COLOURS[: self.players]
        else:
            players = tuple(self.players)
        return Options(players, self.seed, self.hand, self.stop_early, self.wandering_decks, self.as_is, self.max_turns)


class Setup:
    """A board and the rules agreed on; begins games on it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.options = settings.options()
        self.machine = settings.machine if isinstance(settings.machine, Machine) else load_machine(settings.machine)
        check_machine(self.machine)
        self.table = Table(self.machine, settings.engine)
        self.seen_board: Board = self.table if settings.mask_b6 else NoForesight(self.table)
        """The board that masks are made from."""

    def begin(self, seed: int) -> Game:
        """A new game, the same for the same seed."""
        return new_game(self.machine, replace(self.options, seed=seed), self.settings.sliders)


def later_seed(seed: int, number: int) -> int:
    """The seed of game `number` of a row that began with `seed`: the first game has the seed itself.

    >>> later_seed(7, 0)
    7
    """
    return seed if number == 0 else random.Random(f"game {number} of {seed}").randrange(_SEEDS)


def settings_from(arguments: dict[str, Any]) -> Settings:
    """Settings from the arguments of an environment; an unknown one is refused by name."""
    known = {field.name for field in fields(Settings)}
    for name in arguments:
        if name not in known:
            raise BadInputError(f"unknown argument; there are {', '.join(sorted(known))}", field=name)
    return Settings(**arguments)


def timed_out(game: Game) -> bool:
    """Whether a game was cut off by its limit, and not decided."""
    can_finish = any(game.can_finish(seat) for seat in range(len(game.owned)))
    return game.is_over and game.winner is None and can_finish
