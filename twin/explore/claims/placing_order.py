"""Placing ghosts one by one (gap G9): whether the order, or a careless choice, can lead to a dead end.

Settled ghosts stand where they are. The others are placed one after the other, each on one of its options that is
still free.

Fallen ghosts never cause a dead end by themselves. There are four corners and at most four ghosts: when one of them is
about to be placed, at most three others stand on spaces of their own, so at least one corner is empty. With k fallen
ghosts the 4 - k others take at most 4 - k corners, which leaves k. But a fallen ghost that is placed *first* may take
the corner that a straddler needs.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Options = tuple[int, ...]
"""Spaces that one ghost may be put on, numbered; the nearest first."""


def can_dead_end(settled: Sequence[int], options: Sequence[Options]) -> bool:
    """Whether some order and some choice of free spaces leaves a ghost without a space.

    >>> can_dead_end([], [(1, 2), (2, 3), (2,)])
    True
    >>> can_dead_end([], [(1, 2), (3, 4)])
    False
    """
    return _stuck(frozenset(settled), tuple(options))


def nearest_dead_end(settled: Sequence[int], options: Sequence[Options]) -> bool:
    """Whether some order leaves a ghost without a space, if each is put on the first of its options that is free."""
    for order in permutations(options):
        taken = set(settled)
        for own in order:
            space = next((s for s in own if s not in taken), None)
            if space is None:
                return True
            taken.add(space)
    return False


def _stuck(taken: frozenset[int], left: tuple[Options, ...]) -> bool:
    for index, own in enumerate(left):
        free = [space for space in own if space not in taken]
        if not free:
            return True
        others = left[:index] + left[index + 1 :]
        if others and any(_stuck(taken | {space}, others) for space in free):
            return True
    return False
