"""Many games side by side, for training: one step of all of them asks the kernel twice, however many they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from twin.board.moves import Push, Turn
from twin.environment.action_index import ACTIONS, to_action
from twin.environment.batched_board import Foresight
from twin.environment.masks import action_mask
from twin.environment.observation_vector import LENGTH, observation_vector
from twin.environment.settings import Setup, later_seed, settings_from, timed_out
from twin.errors import BadInputError, BarredMoveError
from twin.game.no_preview import NoForesight
from twin.game.positions import MOVE
from twin.game.rules import apply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from twin.game.positions import Game
    from twin.game.rules import Board


@dataclass(frozen=True)
class Step:
    """What N games look like to the players whose turn it is, and what the last actions brought."""

    observation: NDArray[np.float32]
    """(N, LENGTH)"""
    action_mask: NDArray[np.int8]
    """(N, ACTIONS)"""
    seat: NDArray[np.int64]
    """(N,) whose turn it is."""
    reward: NDArray[np.float32]
    """(N, players) for each player; not zero only where a game ended."""
    terminated: NDArray[np.bool_]
    """(N,) the game was decided; the rest of the row is the beginning of the next one."""
    truncated: NDArray[np.bool_]
    """(N,) the game was cut off by its limit of turns; likewise."""


class VectorGames:
    """N games stepped at once; the same, game by game, as N single environments.

    Game i begins with the seed `seed + i` and goes on, when it is over, with the games that `raw_env.reset()` would
    give. A single environment raises on an illegal action, and so does this: then no game has moved.

    >>> games = VectorGames(2, hand="exact")
    >>> step = games.reset(seed=5)
    >>> step.observation.shape, int(step.seat[0])
    ((2, 446), 0)
    """

    def __init__(self, count: int, **settings: Any) -> None:  # noqa: ANN401 - see `Settings`
        if count < 1:
            raise BadInputError(f"must be at least 1; got {count}", field="count")
        self.count = count
        self.setup = Setup(settings_from(settings))
        self._board = Foresight(self.setup.table)
        self._seen: Board = self._board if self.setup.settings.mask_b6 else NoForesight(self._board)
        self._games: list[Game] = []
        self._seeds: list[int] = []
        self._numbers: list[int] = []
        self._refused: list[frozenset[int]] = []

    @property
    def games(self) -> tuple[Game, ...]:
        """The games as they stand, hidden cards and all."""
        return tuple(self._games)

    def reset(self, seed: int | None = None) -> Step:
        """Begin all games anew; without a seed with the environment's own."""
        first = self.setup.settings.seed if seed is None else seed
        self._seeds = [first + n for n in range(self.count)]
        self._numbers = [1] * self.count
        self._games = [self.setup.begin(own) for own in self._seeds]
        self._refused = [frozenset()] * self.count
        players = len(self.setup.options.players)
        nothing = np.zeros(self.count, np.bool_)
        return self._told(np.zeros((self.count, players), np.float32), nothing, nothing.copy())

    def step(self, actions: Sequence[int] | NDArray[np.integer[Any]]) -> Step:
        """One action in each game, by its number, for the player whose turn it is there."""
        if len(self._games) != len(actions):
            raise BadInputError(f"must be {len(self._games)}, one for each game; got {len(actions)}", field="actions")
        chosen = [to_action(int(a), game, self.setup.machine) for a, game in zip(actions, self._games, strict=True)]
        moving = [n for n, action in enumerate(chosen) if isinstance(action, Turn | Push)]
        self._board.ask_moves([self._games[n] for n in moving], [chosen[n] for n in moving])  # type: ignore[misc]
        after, refused = list(self._games), list(self._refused)
        for n, action in enumerate(chosen):
            try:
                after[n], _ = apply(after[n], action, self._board)
                refused[n] = frozenset()
            except BarredMoveError as error:
                if self.setup.settings.mask_b6 or error.broken != ("B6",):
                    raise BarredMoveError(f"game {n}: {error}", error.broken) from None
                refused[n] |= {int(actions[n])}
        self._games, self._refused = after, refused
        return self._ended()

    def _ended(self) -> Step:
        """Begin the next game where one is over."""
        players = len(self.setup.options.players)
        rewards = np.zeros((self.count, players), np.float32)
        terminated, truncated = np.zeros(self.count, np.bool_), np.zeros(self.count, np.bool_)
        for n, game in enumerate(self._games):
            if game.is_over:
                rewards[n] = list(game.returns().values())
                truncated[n] = timed_out(game)
                terminated[n] = not truncated[n]
                self._games[n] = self.setup.begin(later_seed(self._seeds[n], self._numbers[n]))
                self._numbers[n] += 1
        return self._told(rewards, terminated, truncated)

    def _told(self, reward: NDArray[np.float32], terminated: NDArray[np.bool_], truncated: NDArray[np.bool_]) -> Step:
        if self.setup.settings.mask_b6:
            self._board.ask_pushes([game.board for game in self._games if game.phase == MOVE and game.moves_left])
        observation = np.empty((self.count, LENGTH), np.float32)
        mask = np.empty((self.count, ACTIONS), np.int8)
        for n, game in enumerate(self._games):
            observation[n] = observation_vector(game, game.seat, self.setup.machine)
            mask[n] = action_mask(game, self._seen, self._refused[n])
        seats = np.array([game.seat for game in self._games])
        return Step(observation, mask, seats, reward, terminated, truncated)
