"""How sure is it? One rule that judges a share of hands, and the words and numbers that people read.

A share is judged by Wilson's 95 % interval against `SURE`. Hands are drawn by `STEPS` and judged only there: to judge
after every hand would err far more often.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SURE: Final = 0.95
"""A move is sure if at least this share of hands ends alike, else chancy."""

STEPS: Final = (100, 200, 400, 800, 1600, 2000)
"""Numbers of hands after which a share is judged where hands are drawn until it is decided."""

HAND: Final = (
    "A hand makes the move as a person would: duration, evenness, where the ghosts stand and how exactly the board is "
    f"aligned vary a little. Sure: at least {100 * SURE:.0f} % of hands end alike; chancy: fewer do."
)
"""What a hand is and what the verdicts mean, for people who read them for the first time."""

VERDICTS: Final[Mapping[bool | None, str]] = {False: "sure", True: "chancy", None: "too few hands to say"}

_Z95: Final = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


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


def is_chancy(hits: int, trials: int) -> bool | None:
    """Whether the commonest outcome, which came up in `hits` of `trials` hands, has a share below `SURE`.

    False is sure, True is chancy, None is too few hands to decide.

    >>> is_chancy(100, 100), is_chancy(70, 100), is_chancy(1, 1)
    (False, True, None)
    """
    low, high = wilson(hits, trials)
    if low >= SURE:
        return False
    return True if high < SURE else None


def stops(size: int | None) -> tuple[int, ...]:
    """The numbers of hands after which to judge: `size` alone, or without a size all the `STEPS`."""
    return STEPS if size is None else (size,)


def judged(size: int | None, draw_to: Callable[[int], int]) -> bool | None:
    """Draw hands and judge them: `size` of them, or without a size by `STEPS` until they are decided.

    `draw_to(n)` draws on until there are n hands, and returns in how many the commonest outcome came up.
    """
    verdict = None
    for stop in stops(size):
        verdict = is_chancy(draw_to(stop), stop)
        if verdict is not None:
            break
    return verdict


def percent(share: float, decimals: int = 0) -> str:
    """A share in per cent, with more decimals where it would otherwise pass for never or always.

    >>> percent(0.7), percent(1.0), percent(0.995), percent(0.9999), percent(0.00201, 1), percent(0.0)
    ('70', '100', '99.5', '99.99', '0.20', '0')
    """
    value = 100.0 * share
    off = min(value, 100.0 - value)
    if off <= 0.0:
        return f"{value:.0f}"
    if off < 1.0:
        decimals += max(-math.floor(math.log10(off)), 0)
    return f"{value:.{decimals}f}"


def interval_words(low: float, high: float, decimals: int = 0) -> str:
    """An interval of a share.

    >>> interval_words(*wilson(200, 200))
    '98–100 %'
    """
    return f"{percent(low, decimals)}–{percent(high, decimals)} %"


def share_words(hits: int, trials: int, decimals: int = 0) -> str:
    """A share with Wilson's 95 % interval.

    >>> share_words(140, 200)
    '70 % (63–76 %)'
    """
    return f"{percent(hits / max(trials, 1), decimals)} % ({interval_words(*wilson(hits, trials), decimals)})"


def count_words(hits: int, trials: int, what: str = "hand") -> str:
    """A count of hands, of plays, with its share and interval.

    >>> count_words(1, 1)
    '1 of 1 hand, 100 % (21–100 %)'
    """
    return f"{hits:,} of {trials:,} {what}{'' if trials == 1 else 's'}, {share_words(hits, trials)}"
