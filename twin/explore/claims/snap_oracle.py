"""An independent check of the snapping layer: what a person with a ruler would find, and which placements they allow.

Nothing here is shared with `twin.outcome.snap` or with the kernel's reading but the names of the spaces and the rules
D4 and D5 themselves, so that a mistake in either of those layers shows.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from twin.board.grid import SPACES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.outcome.snap import Landing, Placement

EVEN: Final = 1e-6
"""A foot this near to the outline at which a space begins to count (mm) is measured either way."""

_CORNER_SPACES: Final = frozenset({"a1", "a7", "g1", "g7"})
_PLUG: Final = SPACES.index("d4")

LEGAL: Final = "legal"
COMPLETE: Final = "complete"
CORNER: Final = "corner"
FALLBACK: Final = "fallback"


class Measured(NamedTuple):
    """Where ghosts stand on the board, by the ruler; N moves, 4 ghosts."""

    places: NDArray[np.float64]
    """(N, 4, 2) board frame, mm; NaN for ghosts that are not on the board."""
    covered: NDArray[np.bool_]
    """(N, 4, 49) which spaces each foot covers, numbered as in `twin.board.grid.SPACES`."""
    even: NDArray[np.bool_]
    """(N, 4) whether a foot ends within `EVEN` of an outline."""


def measure(
    ends: NDArray[np.float64], orientation: NDArray[np.int8], askew: NDArray[np.float64], machine: Machine
) -> Measured:
    """Measure final places (N, 4, 2; floor frame, mm) on boards `askew` radians off their orientation (N,)."""
    angle = askew - orientation.astype(np.float64) * (np.pi / 2)  # of the board, mathematically positive
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x, y = ends[:, :, 0], ends[:, :, 1]
    places = np.stack([cos * x + sin * y, cos * y - sin * x], axis=-1)
    size, reach = machine.space, machine["ghost.radius"] - machine["tolerance.line"]
    number = np.arange(len(SPACES))
    middle = np.stack([number // 7 - 3, number % 7 - 3], axis=-1) * size
    beyond = np.maximum(np.abs(places[:, :, None, :] - middle) - size / 2, 0.0)
    apart = np.hypot(beyond[..., 0], beyond[..., 1])
    apart[:, :, _PLUG] = np.nan  # the plug's space never counts
    with np.errstate(invalid="ignore"):
        even = np.abs(apart - reach) < EVEN
        return Measured(places, apart < reach, np.logical_or.reduce(even, axis=-1))


def faults(landing: Landing, options: Mapping[str, Sequence[str] | None], counted: int) -> set[str]:
    """What is wrong with a landing: any of `LEGAL`, `COMPLETE`, `CORNER`, `FALLBACK`.

    `options` gives the spaces that each ghost covers by the ruler, None once it has fallen; `counted` is the number of
    joint placements that the kernel found. Broken is

    - `LEGAL` by a listed placement that leaves a ghost out, puts two on one space, one on the plug's, a settled
      ghost elsewhere, a straddler on a space it does not cover or a fallen one anywhere but on a corner;
    - `COMPLETE` by a list that is longer or shorter than the kernel's count or than the ruler's own, or names a
      placement twice;
    - `CORNER` by a fallen ghost that has no corner of its own in a listed placement or in the fallback;
    - `FALLBACK` by a conflict without a legal position to fall back to, or a fallback without a conflict.
    """
    found = set()
    fallen = [colour for colour, covers in options.items() if covers is None]
    if any(not _is_legal(placement, options) for placement in landing.placements):
        found.add(LEGAL)
    number = _joint_placements(options)
    if not len(landing.placements) == len(set(landing.placements)) == number == counted:
        found.add(COMPLETE)
    told = [*landing.placements, *([landing.fallback] if landing.fallback is not None else [])]
    if fallen and (not told or any(not _has_corners(placement, fallen) for placement in told)):
        found.add(CORNER)
    if (landing.fallback is None) != (number > 0) or (
        landing.fallback is not None and not _stands(landing.fallback, options)
    ):
        found.add(FALLBACK)
    return found


def _is_legal(placement: Placement, options: Mapping[str, Sequence[str] | None]) -> bool:
    return _stands(placement, options) and all(
        (space in _CORNER_SPACES if covers is None else space in covers)
        for (_, space), covers in zip(placement, options.values(), strict=True)
    )


def _stands(placement: Placement, options: Mapping[str, Sequence[str] | None]) -> bool:
    """Whether every ghost has a space of its own to stand on, and fallen ghosts have corners."""
    spaces = [space for _, space in placement]
    all_placed = [colour for colour, _ in placement] == list(options)
    own = len(set(spaces)) == len(spaces) and "d4" not in spaces and set(spaces) <= set(SPACES)
    return all_placed and own and _has_corners(placement, [c for c, covers in options.items() if covers is None])


def _has_corners(placement: Placement, fallen: Sequence[str]) -> bool:
    spaces = dict(placement)
    others = [space for colour, space in placement if colour not in fallen]
    given = [spaces.get(colour) for colour in fallen]
    return len(set(given)) == len(given) and all(s in _CORNER_SPACES and s not in others for s in given)


def _joint_placements(options: Mapping[str, Sequence[str] | None]) -> int:
    choices = [sorted(_CORNER_SPACES) if covers is None else covers for covers in options.values()]
    return sum(len(set(spaces)) == len(spaces) for spaces in product(*choices))
