"""The game for PettingZoo's parallel interface: all players name an action, the rules heed the one whose turn it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pettingzoo import ParallelEnv

from twin.environment.pettingzoo_env import IGNORE, Observation, raw_env

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from gymnasium.spaces import Dict, Discrete
    from numpy.typing import NDArray


class parallel_env(ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # noqa: N801 - PettingZoo's own name
    """A game in which all are asked each time; an illegal action, or one out of turn, does nothing.

    `max_cycles` is the number of times that all players are asked before the game is truncated.
    """

    metadata: ClassVar[dict[str, Any]] = raw_env.metadata

    def __init__(
        self,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **settings: Any,  # noqa: ANN401 - see `Settings`
    ) -> None:
        self.inner = raw_env(render_mode=render_mode, illegal=IGNORE, **settings)
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.possible_agents = list(self.inner.possible_agents)
        self.agents: list[str] = []
        self.state_space = self.inner.state_space
        self._cycles = 0

    def observation_space(self, agent: str) -> Dict:
        """The same for every agent."""
        return self.inner.observation_space(agent)

    def action_space(self, agent: str) -> Discrete:
        """The same for every agent."""
        return self.inner.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game."""
        self.inner.reset(seed, options)
        self.agents, self._cycles = list(self.possible_agents), 0
        return self._observations(), dict(self.inner.infos)

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Let the one whose turn it is act."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        self.inner.step(actions[self.inner.agent_selection])
        self._cycles += 1
        rewards, terminations = dict(self.inner.rewards), dict(self.inner.terminations)
        truncations = dict(self.inner.truncations)
        over = any(terminations.values()) or any(truncations.values())
        if self.max_cycles is not None and self._cycles >= self.max_cycles and not over:
            truncations, over = dict.fromkeys(self.agents, True), True
        observations, infos = self._observations(), dict(self.inner.infos)
        if over:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def state(self) -> NDArray[np.float32]:
        """Everything, hidden cards too: for training only."""
        return self.inner.state()

    def render(self) -> NDArray[np.uint8] | str | None:
        """The table as all players see it."""
        return self.inner.render()

    def close(self) -> None:
        """Close the window, if this environment has opened it."""
        self.inner.close()

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.inner.observe(agent) for agent in self.agents}
