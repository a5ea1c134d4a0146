"""The game for PettingZoo: one agent at a time, with action masks, and a state that can be taken and given back."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
from gymnasium.spaces import Box, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from twin.environment.action_index import ACTIONS, to_action
from twin.environment.masks import action_mask
from twin.environment.observation_vector import STATE_LENGTH, observation_vector, state_vector
from twin.environment.render import MODES, render
from twin.environment.screen import shut
from twin.environment.settings import Setup, later_seed, settings_from, timed_out
from twin.environment.spaces import observation_space
from twin.errors import BadInputError, BarredMoveError
from twin.game.positions import MOVE
from twin.game.rules import apply, legal_actions
from twin.game.saved import game_json, parse_game

if TYPE_CHECKING:
    from gymnasium.spaces import Dict
    from numpy.typing import NDArray

    from twin.game.positions import Game
    from twin.game.rules import Event

LOSE: Final = "lose"
IGNORE: Final = "ignore"
RAISE: Final = "raise"

ILLEGAL_REWARD: Final = -1.0
"""What a player gets who chooses what the mask forbids, as in PettingZoo's classic games."""

Observation = dict[str, Any]


class raw_env(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # noqa: N801 - PettingZoo's own name
    """The game without wrappers. Agents are `player_0` … in the order of play; the rules determine who acts.

    An illegal action raises `BarredMoveError` with the numbers of the rules and changes nothing; with
    `illegal="ignore"` it is wasted instead. `max_cycles` is the number of actions that each player has in a game: a
    player that has used them up passes, and when all have, the game is truncated.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(MODES),
        "name": "ab_durch_die_mauer_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        illegal: str = RAISE,
        **settings: Any,  # noqa: ANN401 - see `Settings`
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in MODES:
            raise BadInputError(f"must be one of {', '.join(MODES)}; got {render_mode!r}", field="render_mode")
        if illegal not in {RAISE, IGNORE}:
            raise BadInputError(f"must be {RAISE} or {IGNORE}; got {illegal!r}", field="illegal")
        if max_cycles is not None and max_cycles < 1:
            raise BadInputError(f"must be at least 1; got {max_cycles}", field="max_cycles")
        self.render_mode, self.max_cycles, self.illegal = render_mode, max_cycles, illegal
        self.setup = Setup(settings_from(settings))
        self.possible_agents = [f"player_{seat}" for seat in range(len(self.setup.options.players))]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(ACTIONS) for agent in self.possible_agents}
        self.state_space = Box(-1.0, 1.0, (STATE_LENGTH,), np.float32)
        self._seed, self._number = self.setup.settings.seed, 0
        self._game: Game | None = None
        self.event: Event | None = None
        """What the last action did."""

    @property
    def game(self) -> Game:
        """The game as it stands, hidden cards and all."""
        if self._game is None:
            raise BadInputError("reset() must be called first", source="environment")
        return self._game

    def observation_space(self, agent: str) -> Dict:
        """The same for every agent: the vector, and the mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The same for every agent: the numbers of the actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game; without a seed the next one of the row that the last seed began."""
        if seed is not None:
            self._seed, self._number = int(seed), 0
        self._game = self.setup.begin(later_seed(self._seed, self._number))
        self._number += 1
        self.event = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._acted = dict.fromkeys(self.agents, 0)
        self._refused: frozenset[int] = frozenset()
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._tell()

    def observe(self, agent: str) -> Observation:
        """What an agent knows: the vector, and the mask, which is all 0 unless it is the agent's turn."""
        seat = self.possible_agents.index(agent)
        return {
            "observation": observation_vector(self.game, seat, self.setup.machine),
            "action_mask": self._mask(agent),
        }

    def state(self) -> NDArray[np.float32]:
        """Everything, hidden cards too: for training only."""
        return state_vector(self.game, self.setup.machine)

    def step(self, action: int | None) -> None:
        """Let the agent whose turn it is act; the next one is chosen by the rules."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise BadInputError(f"{agent} must act; got no action", field="action")
        self._act(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._acted[agent] += 1
        capped = self._pass_on()
        game = self.game
        if game.is_over:
            self.rewards = dict(zip(self.agents, game.returns().values(), strict=True))
            drawn_out = timed_out(game)
            self.terminations = dict.fromkeys(self.agents, not drawn_out)
            self.truncations = dict.fromkeys(self.agents, drawn_out)
        elif capped:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0 if game.is_over or capped else game.seat]
        self._tell()
        if self.render_mode == "human":
            self.render()

    def _act(self, index: int) -> None:
        try:
            action = to_action(index, self.game, self.setup.machine)
            self._game, self.event = apply(self.game, action, self.setup.table)
            self._refused = frozenset()
        except BarredMoveError as error:
            if not self.setup.settings.mask_b6 and error.broken == ("B6",):
                self._refused |= {index}  # nothing moves, and the player chooses again
            elif self.illegal == RAISE:
                raise

    def _pass_on(self) -> bool:
        """Let players pass who have used up their actions; whether all have."""
        if self.max_cycles is None:
            return False
        if all(acted >= self.max_cycles for acted in self._acted.values()):
            return True
        while not self.game.is_over and self._acted[self.possible_agents[self.game.seat]] >= self.max_cycles:
            game = self.game
            turn = game.turn
            while game.turn == turn and game.phase != MOVE and not game.is_over:  # what is open is settled somehow
                game, _ = apply(game, legal_actions(game, self.setup.table)[0], self.setup.table)
            self._game = game if game.turn != turn or game.is_over else game.ends_turn()
            self._refused = frozenset()
        return False

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """A new array each time, which the caller may write into."""
        turn = agent == self.agent_selection and agent in self.agents
        if not turn or self.terminations[agent] or self.truncations[agent]:
            return np.zeros(ACTIONS, np.int8)
        return self._open.copy()

    def _tell(self) -> None:
        """Look at the rules once, and put the mask into the infos."""
        self._open = action_mask(self.game, self.setup.seen_board, self._refused)
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def render(self) -> NDArray[np.uint8] | str | None:
        """The table as all players see it: text, a picture, or a window for a person."""
        return render(self.game, self.setup.machine, self.render_mode, self.event)

    def close(self) -> None:
        """Close the window, if this environment has opened it."""
        if self.render_mode == "human":
            shut()

    def get_state(self) -> dict[str, Any]:
        """All that is needed to go on from here, as plain values for JSON; `set_state` takes it back."""
        if self._game is None:
            return {"game": None, "seed": self._seed, "number": self._number}
        return {
            "game": game_json(self._game),
            "seed": self._seed,
            "number": self._number,
            "agents": list(self.agents),
            "selection": self.agent_selection,
            "skip": getattr(self, "_skip_agent_selection", None),
            "rewards": dict(self.rewards),
            "cumulative": dict(self._cumulative_rewards),
            "terminations": dict(self.terminations),
            "truncations": dict(self.truncations),
            "acted": dict(self._acted),
            "refused": sorted(self._refused),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go back to where `get_state` was called, in this or in another environment with the same settings."""
        self._seed, self._number = state["seed"], state["number"]
        self.event = None
        if state["game"] is None:
            self._game, self.agents = None, []
            return
        game = parse_game(state["game"], self.setup.machine)
        if game.options != replace(self.setup.options, seed=game.options.seed):
            raise BadInputError("must come from an environment with the same settings", field="state")
        self._game = game
        self.agents, self.agent_selection = list(state["agents"]), state["selection"]
        self._skip_agent_selection = state["skip"]
        self.rewards, self._cumulative_rewards = dict(state["rewards"]), dict(state["cumulative"])
        self.terminations, self.truncations = dict(state["terminations"]), dict(state["truncations"])
        self._acted, self._refused = dict(state["acted"]), frozenset(state["refused"])
        self._tell()

    def clone(self) -> raw_env:
        """Another environment at the same point; the two go on independently."""
        return _raw_again(self._arguments(), self.get_state())

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to other processes as arguments and state."""
        return _raw_again, (self._arguments(), self.get_state())

    def _arguments(self) -> dict[str, Any]:
        """What makes another one like it."""
        settings = self.setup.settings
        return {field.name: getattr(settings, field.name) for field in fields(settings)} | {
            "render_mode": self.render_mode,
            "max_cycles": self.max_cycles,
            "illegal": self.illegal,
        }


class Environment(wrappers.OrderEnforcingWrapper[str, Observation, int | None]):  # type: ignore[misc]
    """`raw_env` in PettingZoo's wrappers; its state holds theirs too."""

    def __init__(self, raw: raw_env, illegal: str) -> None:
        inner: AECEnv[str, Observation, int | None] = raw
        if illegal == LOSE:
            inner = wrappers.TerminateIllegalWrapper(inner, illegal_reward=ILLEGAL_REWARD)
        super().__init__(wrappers.AssertOutOfBoundsWrapper(inner))
        self.raw, self.illegal = raw, illegal
        self._judge = inner if illegal == LOSE else None

    def __str__(self) -> str:
        return str(self.raw)

    def get_state(self) -> dict[str, Any]:
        """All that is needed to go on from here, as plain values for JSON."""
        return self.raw.get_state() | {
            "reset": self._has_reset,
            "updated": self._has_updated,
            "lost": self._judge is not None and self._judge._terminated,  # noqa: SLF001
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go back to where `get_state` was called."""
        self.raw.set_state(state)
        self._has_reset, self._has_updated = state["reset"], state["updated"]
        if self._judge is not None:
            self._judge._prev_obs = self._judge._prev_info = None  # noqa: SLF001
            self._judge._terminated = state["lost"]  # noqa: SLF001

    def clone(self) -> Environment:
        """Another environment at the same point; the two go on independently."""
        return _environment_again(self.raw.clone(), self.illegal, self.get_state())

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to other processes as arguments and state."""
        return _environment_again, (self.raw, self.illegal, self.get_state())


def env(
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    illegal: str | None = None,
    **settings: Any,  # noqa: ANN401 - see `Settings`
) -> Environment:
    """The game for PettingZoo: `env(players=2, engine="kernel", hand="varied", max_turns=400)`.

    `illegal="lose"` (the default) ends the game for a player that chooses what the mask forbids, with -1 for it and 0
    for the others; `"ignore"` (the default with `max_cycles`) wastes the action; `"raise"` names the rule. All other
    arguments are those of `Settings`.
    """
    how = illegal if illegal is not None else LOSE if max_cycles is None else IGNORE
    if how not in {LOSE, IGNORE, RAISE}:
        raise BadInputError(f"must be {LOSE}, {IGNORE} or {RAISE}; got {how!r}", field="illegal")
    inner = IGNORE if how == IGNORE else RAISE
    return Environment(raw_env(render_mode=render_mode, max_cycles=max_cycles, illegal=inner, **settings), how)


def _raw_again(arguments: dict[str, Any], state: dict[str, Any]) -> raw_env:
    again = raw_env(**arguments)
    again.set_state(state)
    return again


def _environment_again(raw: raw_env, illegal: str, state: dict[str, Any]) -> Environment:
    again = Environment(raw, illegal)
    again.set_state(state)
    return again
