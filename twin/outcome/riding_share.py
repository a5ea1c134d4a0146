"""How many ghosts simply ride along: what a pattern of magnets is judged by."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Final

from twin.board.expectation import FATES
from twin.board.grid import STANDING_SPACES, centre
from twin.board.moves import Turn
from twin.board.state import COLOURS, MAX_OFFSET, Slider, State
from twin.outcome.many import simulate_many

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.board.machine import Machine

BATCH: Final = 500
"""Turns that are run at once, between two reports of progress."""


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


def count_fates(machine: Machine, turns: int, seed: int, progress: Callable[[int], None] | None = None) -> Counter[str]:
    """Fates of the ghosts over random 4-ghost turns, on the kernel."""
    dice = random.Random(seed)
    fates: Counter[str] = Counter()
    for first in range(0, turns, BATCH):
        count = min(BATCH, turns - first)
        states, moves = [], []
        for _ in range(count):
            states.append(random_state(machine, dice))
            moves.append(Turn("cw" if dice.random() < 0.5 else "ccw"))
        outcomes = simulate_many(states, moves, machine=machine)
        fates.update(FATES[fate] for fate in outcomes.fate.ravel().tolist())
        if progress is not None:
            progress(first + count)
    return fates
