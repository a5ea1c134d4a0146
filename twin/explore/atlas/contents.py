"""What an atlas holds: every turn of the board from every position, numbered without a gap.

A turn's number is arithmetic: (slider setting · positions + position) · 2 + direction. So a stretch of an atlas is a
stretch of numbers, and nothing is ever listed before it is run.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from twin.board.grid import SPACES, STANDING_SPACES, centre
from twin.board.state import COLOURS, MAX_OFFSET
from twin.errors import BadInputError
from twin.explore.atlas.shuffle import shuffled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.outcome.kernel_door import Jobs

    Ints = NDArray[np.int64]

DIRECTIONS: Final = ("cw", "ccw")
OFFSETS: Final = 2 * MAX_OFFSET + 1
_STANDING: Final = np.array([SPACES.index(space) for space in STANDING_SPACES])
_RANK: Final = np.full(len(SPACES), -1)
_RANK[_STANDING] = np.arange(len(_STANDING))


class Turns(NamedTuple):
    """N turns as arrays; the board's orientation before each is 0."""

    spaces: Ints
    """(N, G) where the ghosts stand, as in `twin.board.grid.SPACES`, rising along G."""
    sliders: Ints
    """(N, S, 3) tunnel (from 0), offset, flipped (0 or 1), sliders sorted by name."""
    direction: Ints
    """(N,) as in `DIRECTIONS`."""


@dataclass(frozen=True)
class Plan:
    """Which turns an atlas holds: all of them, a random sample (`sample`, `seed`), or the first `limit` of either.

    Ghosts differ in colour only, so a position is a set of spaces: 48, 1,128, 17,296 or 194,580 for 1 to 4 ghosts.
    """

    machine: Machine
    ghosts: int = 1
    flips: bool = False
    """Whether sliders are also turned end for end."""
    sample: int | None = None
    seed: int = 1
    limit: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.ghosts <= len(COLOURS):
            raise BadInputError(f"must be 1 to {len(COLOURS)}; got {self.ghosts}", field="--ghosts")
        if self.sample is not None and not 1 <= self.sample <= self.every:
            raise BadInputError(f"must be 1 to {self.every:,}, which is all; got {self.sample:,}", field="--sample")
        if self.limit is not None and self.limit < 1:
            raise BadInputError(f"must be at least 1; got {self.limit}", field="--limit")
        if self.seed < 0:
            raise BadInputError(f"must not be negative; got {self.seed}", field="--seed")

    @cached_property
    def positions(self) -> int:
        """How many sets of spaces the ghosts can stand on."""
        return math.comb(len(STANDING_SPACES), self.ghosts)

    @cached_property
    def settings(self) -> int:
        """How many ways there are to set the sliders: orders in the tunnels, offsets, and flips if they count."""
        return count_settings(len(self.machine.tunnels), len(self.machine.sliders), flips=self.flips)

    @property
    def every(self) -> int:
        """How many turns there are in all, whether or not they are run."""
        return count_every(self.ghosts, len(self.machine.tunnels), len(self.machine.sliders), flips=self.flips)

    @property
    def total(self) -> int:
        """How many turns this atlas holds."""
        return count_total(self.every, self.sample, self.limit)

    @property
    def exhaustive(self) -> bool:
        """Whether no turn is left out."""
        return self.total == self.every

    def turns(self, first: int, last: int) -> Ints:
        """Numbers of the turns that stand in the places `first` to `last` - 1 of this atlas, rising."""
        places = np.arange(first, min(last, self.total), dtype=np.int64)
        return places if self.sample is None else np.sort(shuffled(places, self.every, self.seed))

    def decode(self, turns: Ints) -> Turns:
        """What the numbers (N,) of turns stand for.

        >>> from twin.board.machine import load_machine
        >>> plan = Plan(load_machine())
        >>> plan.total
        720000
        >>> turn = plan.decode(np.array([3]))
        >>> SPACES[turn.spaces[0, 0]], turn.sliders[0].tolist(), DIRECTIONS[turn.direction[0]]
        ('a2', [[0, -2, 0], [1, -2, 0], [2, -2, 0]], 'ccw')
        """
        rest, direction = np.divmod(np.asarray(turns, np.int64), len(DIRECTIONS))
        setting, position = np.divmod(rest, self.positions)
        return Turns(self.spaces_of(position), self.sliders_of(setting), direction)

    def encode(self, turns: Turns) -> Ints:
        """The numbers (N,) of turns; undoes `decode`."""
        count = turns.sliders.shape[1]
        order = np.zeros(len(turns.direction), np.int64)
        tail = np.zeros_like(order)
        for s in range(count):
            order = order * len(self.machine.tunnels) + turns.sliders[:, s, 0]
            tail = tail * OFFSETS + turns.sliders[:, s, 1] + MAX_OFFSET
        for s in range(count if self.flips else 0):
            tail = tail * 2 + turns.sliders[:, s, 2]
        setting = self._order_rank[order] * (self.settings // len(self._orders)) + tail
        ranks = _RANK[turns.spaces]
        position = np.zeros_like(order)
        for g in range(self.ghosts):
            position += _choices(g + 1)[ranks[:, g]]
        return (setting * self.positions + position) * len(DIRECTIONS) + turns.direction

    def spaces_of(self, position: Ints) -> Ints:
        """(N, G) spaces of positions (N,): the position's digits in the combinatorial number system."""
        spaces = np.empty((len(position), self.ghosts), np.int64)
        rest = position.copy()
        for g in reversed(range(self.ghosts)):
            choices = _choices(g + 1)
            spaces[:, g] = np.searchsorted(choices, rest, side="right") - 1
            rest -= choices[spaces[:, g]]
        return _STANDING[spaces]

    def sliders_of(self, setting: Ints) -> Ints:
        """(N, S, 3) tunnel (from 0), offset and flip of each slider in settings (N,)."""
        count = len(self.machine.sliders)
        sliders = np.zeros((len(setting), count, 3), np.int64)
        rest = setting
        for s in reversed(range(count if self.flips else 0)):
            rest, sliders[:, s, 2] = np.divmod(rest, 2)
        for s in reversed(range(count)):
            rest, offset = np.divmod(rest, OFFSETS)
            sliders[:, s, 1] = offset - MAX_OFFSET
        sliders[:, :, 0] = self._orders[rest]
        return sliders

    def jobs(self, turns: Ints) -> Jobs:
        """Turns (N,) as jobs; the ghosts take the colours in the order of `COLOURS`."""
        from twin.outcome.kernel_door import empty_jobs

        decoded = self.decode(turns)
        jobs = empty_jobs(len(turns), len(self.machine.sliders))
        centres = np.array([centre(space, self.machine.space) for space in SPACES])
        jobs.places[:, : self.ghosts] = centres[decoded.spaces]
        jobs.sliders[:] = decoded.sliders
        jobs.sign[:] = np.where(decoded.direction == DIRECTIONS.index("cw"), 1, -1)
        return jobs

    @cached_property
    def _orders(self) -> Ints:
        """(O, S) tunnels of the sliders, in the order of their numbers."""
        ways = itertools.permutations(range(len(self.machine.tunnels)), len(self.machine.sliders))
        return np.array(list(ways), np.int64)

    @cached_property
    def _order_rank(self) -> Ints:
        """Which row of `_orders` the tunnels are, by their digits."""
        tunnels, count = len(self.machine.tunnels), len(self.machine.sliders)
        ranks = np.full(tunnels**count, -1, np.int64)
        ranks[self._orders @ tunnels ** np.arange(count)[::-1]] = np.arange(len(self._orders))
        return ranks


def count_every(ghosts: int, tunnels: int, sliders: int, *, flips: bool) -> int:
    """How many turns there are of so many ghosts with so many sliders in so many tunnels.

    >>> count_every(1, tunnels=5, sliders=3, flips=False)
    720000
    """
    positions = math.comb(len(STANDING_SPACES), ghosts)
    return count_settings(tunnels, sliders, flips=flips) * positions * len(DIRECTIONS)


def count_settings(tunnels: int, sliders: int, *, flips: bool) -> int:
    """How many ways there are to set so many sliders in so many tunnels."""
    each = OFFSETS * (2 if flips else 1)
    return math.perm(tunnels, sliders) * int(each**sliders)


def count_total(every: int, sample: int | None, limit: int | None) -> int:
    """How many of all turns an atlas holds."""
    some = every if sample is None else sample
    return some if limit is None else min(some, limit)


def _choices(of: int) -> Ints:
    """(49,) how many ways there are to choose `of` spaces below each rank."""
    return np.array([math.comb(n, of) for n in range(len(STANDING_SPACES) + 1)], np.int64)
