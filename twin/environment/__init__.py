"""The game as an environment for learning programs: PettingZoo, Gymnasium, OpenSpiel, and many games at once.

    from twin.environment import env
    game = env(players=2, hand="exact")
    game.reset(seed=7)

Each interface needs an optional package, which an error names if it is missing. Tables of actions and observations
are in docs/environments.md.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from twin.errors import MissingExtraError

if TYPE_CHECKING:
    from twin.environment.gymnasium_env import SinglePlayer, register_gymnasium
    from twin.environment.openspiel_game import register_openspiel
    from twin.environment.pettingzoo_env import env, raw_env
    from twin.environment.pettingzoo_parallel import parallel_env
    from twin.environment.vector import VectorGames

_HOMES: Final = {
    "env": ("pettingzoo_env", "pettingzoo"),
    "raw_env": ("pettingzoo_env", "pettingzoo"),
    "parallel_env": ("pettingzoo_parallel", "pettingzoo"),
    "SinglePlayer": ("gymnasium_env", "gymnasium"),
    "register_gymnasium": ("gymnasium_env", "gymnasium"),
    "register_openspiel": ("openspiel_game", "openspiel"),
    "VectorGames": ("vector", ""),
}
"""Where each name lives, and the extra that it needs."""

_PACKAGES: Final = {"pettingzoo": "pettingzoo", "gymnasium": "gymnasium", "openspiel": "pyspiel"}
"""What an extra brings, as it is imported."""

__all__ = [
    "SinglePlayer",
    "VectorGames",
    "env",
    "parallel_env",
    "raw_env",
    "register_gymnasium",
    "register_openspiel",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module 'twin.environment' has no attribute {name!r}"
        raise AttributeError(message)
    home, extra = _HOMES[name]
    package = _PACKAGES.get(extra)
    if package is not None and find_spec(package) is None:
        problem = f"twin.environment.{name} needs the package {package}: pip install 'mauer-twin[{extra}]'"
        raise MissingExtraError(problem)
    return getattr(import_module(f"twin.environment.{home}"), name)
