"""How many actions a second the environments make: many games at once beside as many single environments.

Both play the same games with the same actions, chosen at random by the same masks, and must come to the same games.
Figures are of processor time with the kernel on one thread, so that they do not depend on who else is at work; the
time for choosing is left out.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import numba
import numpy as np

from twin.environment import VectorGames, raw_env
from twin.environment.action_index import ACTIONS, action_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

TITLE: Final = "Environment speed: many games at once beside single ones"

GAMES: Final = 64
STEPS: Final = 150
SEED: Final = 1
_QUICK_GAMES: Final = 8
_QUICK_STEPS: Final = 25
_CASES: Final = ((2, True), (2, False), (4, True), (4, False))
"""Players, and whether the mask leaves out what B6 forbids."""
_RELOCATIONS: Final = np.array([action_name(number).startswith("relocate") for number in range(ACTIONS)])


def measure(*, quick: bool) -> dict[str, object]:
    """Actions a second of both, for two and four players, with and without B6 in the mask."""
    games, steps = (_QUICK_GAMES, _QUICK_STEPS) if quick else (GAMES, STEPS)
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        many(2, 2, mask_b6=True, steps=2)  # the kernel is compiled before the clock runs
        rows = []
        for players, mask_b6 in _CASES:
            fast, ends = many(games, players, mask_b6=mask_b6, steps=steps)
            slow, also = one_by_one(games, players, mask_b6=mask_b6, steps=steps)
            rows.append(
                {
                    "players": players,
                    "mask_b6": mask_b6,
                    "many": games * steps / fast,
                    "single": games * steps / slow,
                    "same_games": ends == also,
                }
            )
    finally:
        numba.set_num_threads(threads)
    return {"games": games, "steps": steps, "rows": rows}


def lines(result: dict[str, Any]) -> list[str]:
    """The result in words."""
    found = [f"{result['games']} games, {result['steps']} actions each, one core"]
    for row in result["rows"]:
        same = "the same games" if row["same_games"] else "DIFFERENT games"
        mask = "B6 in the mask" if row["mask_b6"] else "B6 not in the mask"
        found.append(
            f"{row['players']} players, {mask}: {row['many']:.0f} actions a second at once, {row['single']:.0f} one by "
            f"one ({row['many'] / row['single']:.2f} times), {same}"
        )
    return found


def many(games: int, players: int, *, mask_b6: bool, steps: int) -> tuple[float, list[object]]:
    """Seconds of processor time for all games at once, and the games they come to."""
    dice = [np.random.default_rng(SEED + n) for n in range(games)]
    vector = VectorGames(games, players=players, mask_b6=mask_b6)
    step = vector.reset(seed=SEED)
    spent = 0.0
    for _ in range(steps):
        actions = [choose(step.action_mask[n], dice[n]) for n in range(games)]
        start = time.process_time()
        step = vector.step(actions)
        spent += time.process_time() - start
    return spent, list(vector.games)


def one_by_one(games: int, players: int, *, mask_b6: bool, steps: int) -> tuple[float, list[object]]:
    """The same with single environments."""
    dice = [np.random.default_rng(SEED + n) for n in range(games)]
    singles = [raw_env(players=players, mask_b6=mask_b6) for _ in range(games)]
    for n, single in enumerate(singles):
        single.reset(seed=SEED + n)
    spent = 0.0
    for _ in range(steps):
        for n, single in enumerate(singles):
            action = choose(single.infos[single.agent_selection]["action_mask"], dice[n])
            start = time.process_time()
            single.step(action)
            single.observe(single.agent_selection)
            if any(single.terminations.values()) or any(single.truncations.values()):
                single.reset()
            spent += time.process_time() - start
    return spent, [single.game for single in singles]


def choose(mask: NDArray[np.int8], dice: np.random.Generator) -> int:
    """A legal action; relocations, which are the most, only now and then."""
    numbers = np.flatnonzero(mask.astype(bool) & ~_RELOCATIONS)
    return int(dice.choice(numbers if len(numbers) and dice.random() < 0.9 else np.flatnonzero(mask)))
