"""The longer a game lasts, the less a bot keeps to its plan: two of them could undo each other's moves for ever."""

from __future__ import annotations

from typing import Final

_TURNS: Final = 800
"""In so many turns all plans would be forgotten, …"""
_MOST: Final = 0.25
"""… but never more than this share of them."""


def unrest(turn: int) -> float:
    """How likely a bot departs from its plan, 0 … 1.

    >>> unrest(8), unrest(400)
    (0.01, 0.25)
    """
    return min(turn / _TURNS, _MOST)
