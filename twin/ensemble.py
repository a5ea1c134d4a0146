"""Ensembles: one move made many times by a hand that varies as a person's does, and how sure that makes us."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.engine import KERNEL
from twin.hand import varied_hand
from twin.many import simulate_many
from twin.moves import Push, Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twin.engine import Outcome, Twin
    from twin.machine import Machine
    from twin.moves import Move
    from twin.state import State

OFF: Final = "off"
BATCH: Final = 500
"""Samples that the kernel runs at once, between two reports of progress."""
_Z95: Final = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


@dataclass(frozen=True)
class GhostShares:
    """How often what became of one ghost, in an ensemble; the commonest first."""

    spaces: Mapping[str, int]
    """Counts by covered spaces, joined by `+`, or `off`."""
    fates: Mapping[str, int]


@dataclass(frozen=True)
class Ensemble:
    """The distribution of a move's outcomes."""

    size: int
    seed: int
    chancy: bool
    """Whether any sample's outcome differs from the nominal hand's."""
    ghosts: tuple[tuple[str, GhostShares], ...]
    broken_claims: int = 0


def wilson(hits: int, trials: int, z: float = _Z95) -> tuple[float, float]:
    """Wilson's interval for a share, 95 % by default.

    >>> [round(bound, 3) for bound in wilson(190, 200)]
    [0.91, 0.973]
    >>> wilson(0, 2000)[0], wilson(2000, 2000)[1]
    (0.0, 1.0)
    """
    if trials == 0:
        return 0.0, 1.0
    share = hits / trials
    scale = 1.0 + z * z / trials
    middle = (share + z * z / (2 * trials)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # Exact at both ends, where the difference of two equal numbers would leave 1e-19.
    return (max(middle - half, 0.0) if hits else 0.0), (min(middle + half, 1.0) if hits < trials else 1.0)


def sample_move(
    twin: Twin,
    state: State,
    move: Move,
    nominal: Outcome,
    *,
    size: int,
    seed: int,
    progress: Callable[[int], None] | None = None,
    holds: Callable[[Outcome], bool] | None = None,
) -> Ensemble:
    """Repeat a move with `size` varied hands, on the twin's engine.

    `holds` counts the samples in which a claim does not hold; it needs whole outcomes, one by one.
    """
    if twin.engine == KERNEL and holds is None and isinstance(move, Turn | Push):
        return _from_kernel(twin.machine, state, move, nominal, size, seed, progress)
    spaces = {colour: Counter[str]() for colour in state.colours}
    fates = {colour: Counter[str]() for colour in state.colours}
    chancy, broken = False, 0
    for index in range(size):
        hand = varied_hand(twin.machine, len(state.ghosts), seed, index)
        outcome = twin.act(state, move, hand, sensitivity=False)
        chancy = chancy or outcome.key != nominal.key
        broken += holds is not None and not holds(outcome)
        for colour, ghost in outcome.ghosts:
            spaces[colour]["+".join(ghost.covers) or OFF] += 1
            fates[colour][ghost.fate] += 1
        if progress is not None:
            progress(index + 1)
    shares = tuple((c, GhostShares(_sorted(spaces[c]), _sorted(fates[c]))) for c in state.colours)
    return Ensemble(size, seed, chancy, shares, broken)


def _from_kernel(
    machine: Machine,
    state: State,
    move: Move,
    nominal: Outcome,
    size: int,
    seed: int,
    progress: Callable[[int], None] | None,
) -> Ensemble:
    spaces = {colour: Counter[str]() for colour in state.colours}
    fates = {colour: Counter[str]() for colour in state.colours}
    chancy = False
    for first in range(0, size, BATCH):
        count = min(BATCH, size - first)
        hands = [varied_hand(machine, len(state.ghosts), seed, first + index) for index in range(count)]
        outcomes = simulate_many([state] * count, [move] * count, machine=machine, hands=hands)
        for index in range(count):
            key = outcomes.key(index)
            chancy = chancy or key != nominal.key
            for colour, (fate, covers) in key:
                spaces[colour]["+".join(covers) or OFF] += 1
                fates[colour][fate] += 1
        if progress is not None:
            progress(first + count)
    shares = tuple((c, GhostShares(_sorted(spaces[c]), _sorted(fates[c]))) for c in state.colours)
    return Ensemble(size, seed, chancy, shares)


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
