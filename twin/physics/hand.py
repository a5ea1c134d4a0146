"""The hand that makes a move: its smooth profile, and how one person's hand varies.

The nominal hand follows a minimum-jerk profile. A varied hand is faster or slower, paces itself unevenly, leaves the
board a little askew, and the ghosts do not stand exactly where they should: all of it drawn from a seed.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twin.board.machine import Machine

_WAVES: Final = 3
"""Half waves in the warp of an uneven hand: a few slow changes of pace within one move."""


@dataclass(frozen=True)
class Hand:
    """How one move is made. The default is the nominal hand."""

    pace: float = 1.0
    """Duration in units of the nominal one."""
    warp: tuple[float, ...] = ()
    """Amplitudes of the half waves by which the pace differs from even."""
    misalignment: float = 0.0
    """Angle by which a turn ends too far, radians, in the turn's own direction."""
    shifts: tuple[tuple[float, float], ...] = ()
    """By how much each ghost starts displaced (mm), in the canonical order of ghosts: by start x, then y."""


NOMINAL: Final = Hand()


def minimum_jerk(tau: float) -> float:
    """Progress (0 … 1) of the smoothest movement from rest to rest at the share `tau` of its time.

    >>> minimum_jerk(0.0), minimum_jerk(0.5), minimum_jerk(1.0)
    (0.0, 0.5, 1.0)
    """
    return tau * tau * tau * (10.0 + tau * (-15.0 + 6.0 * tau))


def warped(warp: Sequence[float], tau: float) -> float:
    """The share of its time at which an even hand would be where this uneven one is at `tau`."""
    at = tau
    for k in range(len(warp)):
        at += warp[k] * math.sin((k + 1) * math.pi * tau) / ((k + 1) * math.pi)
    return min(max(at, 0.0), 1.0)


def progress(hand: Hand, tau: float) -> float:
    """Progress of this hand at the share `tau` of its time; rises from 0 to 1."""
    return 1.0 if tau >= 1.0 else minimum_jerk(warped(hand.warp, tau))


def varied_hand(machine: Machine, ghosts: int, seed: int, index: int) -> Hand:
    """The hand of sample `index`, from the seed and the index alone: longer ensembles extend shorter ones."""
    dice = random.Random(f"hand {seed} {index}")
    # A lognormal with this sigma has exactly the wanted relative sd; its median is set so that its mean is the nominal.
    sigma = math.sqrt(math.log1p(machine["spread.time"] ** 2))
    low, high = machine["spread.time_min"], machine["spread.time_max"]
    pace = _cut(lambda: dice.lognormvariate(-sigma * sigma / 2, sigma), low, high, 1.0)
    # The mean square of the pace's deviation, sum of a²/2 over the waves, is the square of the wanted relative sd.
    each = machine["spread.evenness"] * math.sqrt(2 / _WAVES)
    warp = tuple(dice.gauss(0.0, each) for _ in range(_WAVES))
    total = sum(abs(a) for a in warp)
    if total > 0.9:  # a hand never turns back
        warp = tuple(a * 0.9 / total for a in warp)
    misalignment = math.radians(dice.gauss(0.0, machine["spread.angle"]))
    sd, cut = machine["spread.place"], machine["spread.place_max"]
    shifts = tuple(
        (_cut(lambda: dice.gauss(0.0, sd), -cut, cut, 0.0), _cut(lambda: dice.gauss(0.0, sd), -cut, cut, 0.0))
        for _ in range(ghosts)
    )
    return Hand(pace, warp, misalignment, shifts)


def _cut(draw: Callable[[], float], low: float, high: float, otherwise: float) -> float:
    """A deviate, drawn again while it lies beyond the cuts; `otherwise` if it hardly ever lies between them."""
    for _ in range(100):
        value = draw()
        if low <= value <= high:
            return value
    return otherwise
