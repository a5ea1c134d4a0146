"""The space of observations, as Gymnasium and PettingZoo want it described."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict

from twin.environment.action_index import ACTIONS
from twin.environment.observation_vector import LENGTH


def observation_space() -> Dict:
    """The space of one observation: the vector and the mask."""
    return Dict(
        {
            "observation": Box(-1.0, 1.0, (LENGTH,), np.float32),
            "action_mask": Box(0, 1, (ACTIONS,), np.int8),
        }
    )
