"""How many ghosts simply ride along: what a pattern of magnets is judged by."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

from twin.grid import STANDING_SPACES, centre
from twin.moves import Turn
from twin.state import COLOURS, MAX_OFFSET, Slider, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.engine import Twin
    from twin.machine import Machine


def random_state(machine: Machine, dice: random.Random, ghosts: int = 4) -> State:
    """Ghosts on random spaces of their own, sliders in random tunnels at random offsets, unflipped or flipped."""
    spaces = dice.sample(STANDING_SPACES, ghosts)
    places = {colour: centre(space, machine.space) for colour, space in zip(COLOURS, spaces, strict=False)}
    tunnels = dice.sample(range(1, len(machine.tunnels) + 1), len(machine.sliders))
    sliders = [
        Slider(name, tunnel, dice.randint(-MAX_OFFSET, MAX_OFFSET), dice.random() < 0.5)
        for name, tunnel in zip(machine.sliders, tunnels, strict=True)
    ]
    return State.of(0, places, sliders)


def count_fates(twin: Twin, turns: int, seed: int, progress: Callable[[int], None] | None = None) -> Counter[str]:
    """Fates of the ghosts over random 4-ghost turns."""
    dice = random.Random(seed)
    fates: Counter[str] = Counter()
    for done in range(turns):
        state = random_state(twin.machine, dice)
        outcome = twin.act(state, Turn("cw" if dice.random() < 0.5 else "ccw"), sensitivity=False)
        fates.update(ghost.fate for _, ghost in outcome.ghosts)
        if progress is not None:
            progress(done + 1)
    return fates
