"""The game for Gymnasium: one seat is yours, the others are played by bots."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from twin.environment.action_index import ACTIONS, to_action
from twin.environment.masks import action_mask
from twin.environment.observation_vector import observation_vector
from twin.environment.render import MODES, render
from twin.environment.screen import shut
from twin.environment.settings import Setup, settings_from, timed_out
from twin.environment.spaces import observation_space
from twin.errors import BadInputError, BarredMoveError
from twin.game.rules import apply, legal_actions

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from twin.game.actions import Action
    from twin.game.positions import Game

    Policy = Callable[[dict[str, Any]], int]
    """From an observation, mask and all, to the number of an action: what another agent would do."""

ENVIRONMENT_ID: Final = "twin/AbDurchDieMauer-v0"
RANDOM: Final = "random"
ILLEGAL_REWARD: Final = -1.0
_SEEDS: Final = 2**31


class SinglePlayer(gymnasium.Env[dict[str, Any], int]):
    """One seat of the game; opponents move between your turns. The reward is 1, or your share of -1, at the end.

    `opponent` is `random` (any legal action, each kind equally likely), the name of a bot of the twin, or a function
    from an observation to the number of an action. An illegal action of yours ends the game with -1; the info then has
    `broken`, the numbers of the rules.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        *,
        seat: int = 0,
        opponent: str | Policy = RANDOM,
        budget: float = 0.05,
        render_mode: str | None = None,
        **settings: Any,  # noqa: ANN401 - see `Settings`
    ) -> None:
        self.setup = Setup(settings_from(settings))
        if not 0 <= seat < len(self.setup.options.players):
            problem = f"must be 0 to {len(self.setup.options.players) - 1}; got {seat}"
            raise BadInputError(problem, field="seat")
        if render_mode is not None and render_mode not in MODES:
            raise BadInputError(f"must be one of {', '.join(MODES)}; got {render_mode!r}", field="render_mode")
        self.seat, self.opponent, self.budget, self.render_mode = seat, opponent, budget, render_mode
        self.observation_space = observation_space()
        self.action_space = Discrete(ACTIONS)  # type: ignore[assignment]
        self._game: Game | None = None
        self._refused: frozenset[int] = frozenset()
        self._lost = False

    @property
    def game(self) -> Game:
        """The game as it stands, hidden cards and all."""
        if self._game is None:
            raise BadInputError("reset() must be called first", source="environment")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game, with the given seed or the next one drawn, and play on to your first turn."""
        super().reset(seed=seed, options=options)
        own = int(self.np_random.integers(_SEEDS))
        self._game = self.setup.begin(own if seed is None else seed)
        self._refused, self._lost = frozenset(), False
        self._choose = self._opponents(self._game.options.seed)
        self._play_on()
        return self._observed(), self._info()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Act, and let the others play until it is your turn again or the game is over."""
        if self._lost or self.game.is_over:
            raise BadInputError("the game is over: reset() begins another", source="environment")
        broken: tuple[str, ...] = ()
        try:
            chosen = to_action(int(action), self.game, self.setup.machine)
            self._game, _ = apply(self.game, chosen, self.setup.table)
            self._refused = frozenset()
        except BarredMoveError as error:
            broken = error.broken
            if not self.setup.settings.mask_b6 and broken == ("B6",):
                self._refused |= {int(action)}
            else:
                self._lost = True
        self._play_on()
        game = self.game
        reward = ILLEGAL_REWARD if self._lost else game.returns()[game.options.players[self.seat]]
        cut = timed_out(game)
        info = self._info() | ({"broken": list(broken)} if broken else {})
        if self.render_mode == "human":
            self.render()
        return self._observed(), reward, self._lost or (game.is_over and not cut), cut, info

    def render(self) -> NDArray[np.uint8] | str | None:
        """The table as all players see it."""
        return render(self.game, self.setup.machine, self.render_mode)

    def close(self) -> None:
        """Close the window, if this environment has opened it."""
        if self.render_mode == "human":
            shut()

    def _play_on(self) -> None:
        """Let the others act until it is your turn."""
        while not (self._lost or self.game.is_over or self.game.seat == self.seat):
            self._game, _ = apply(self.game, self._choose(self.game), self.setup.table)

    def _observed(self) -> dict[str, Any]:
        """What you know; fresh arrays each time."""
        return {
            "observation": observation_vector(self.game, self.seat, self.setup.machine),
            "action_mask": self._mask(),
        }

    def _mask(self) -> NDArray[np.int8]:
        if self._lost or self.game.is_over:
            return np.zeros(ACTIONS, np.int8)
        return action_mask(self.game, self.setup.seen_board, self._refused)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _opponents(self, seed: int) -> Callable[[Game], Action]:
        """How the others choose in the game with this seed."""
        table = self.setup.table
        if self.opponent == RANDOM:
            dice = random.Random(f"opponents {seed}")
            return lambda game: random_action(legal_actions(game, table), dice)
        if isinstance(self.opponent, str):
            from twin.game.bots import make_bot

            bot = make_bot(self.opponent, table, seed, self.budget)
            return bot.choose
        policy = self.opponent
        machine = self.setup.machine

        def asked(game: Game) -> Action:
            seen = {
                "observation": observation_vector(game, game.seat, machine),
                "action_mask": action_mask(game, table),
            }
            return to_action(int(policy(seen)), game, machine)

        return asked


def random_action(actions: tuple[Action, ...], dice: random.Random) -> Action:
    """One of the actions, each kind equally likely: relocations would otherwise crowd out the rest."""
    kinds: dict[str, list[Action]] = {}
    for action in actions:
        kinds.setdefault(type(action).__name__, []).append(action)
    return dice.choice(kinds[dice.choice(sorted(kinds))])


def register_gymnasium() -> str:
    """Make the game known to `gymnasium.make`, under the name that is returned."""
    if ENVIRONMENT_ID not in gymnasium.registry:
        gymnasium.register(ENVIRONMENT_ID, entry_point="twin.environment.gymnasium_env:SinglePlayer")
    return ENVIRONMENT_ID
