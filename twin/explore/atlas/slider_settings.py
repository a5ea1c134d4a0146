"""An atlas by slider setting: how many ghosts met which fate from which space, for every way the sliders were set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from twin.board.grid import STANDING_SPACES
from twin.board.state import MAX_OFFSET
from twin.errors import BadInputError, shown
from twin.explore.atlas.contents import DIRECTIONS
from twin.explore.atlas.relabelling import known, setting_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from twin.explore.atlas.queries import Atlas

MOST_CELLS: Final = 8_000_000
"""Numbers that a page can hold; beyond this, sliders are reported one at a time."""

_ANY: Final = (0, 0, 0)
"""A slider that a row does not describe."""


@dataclass(frozen=True)
class SettingCounts:
    """Counts of ghosts by setting; N rows, S sliders, F fates."""

    whole: bool
    """Whether a row describes all sliders together; if not, it describes one, whatever the others did."""
    keys: NDArray[np.uint8]
    """(N, 3 · S + 1) for each slider its tunnel (from 1; 0 for any), offset + 2 and flip (0 or 1); the direction."""
    counts: NDArray[np.uint32]
    """(N, F, 48) ghosts by fate and by the space they started from."""


def settings_of(atlas: Atlas, fates: Sequence[str]) -> SettingCounts:
    """Count the turns of an atlas by whole slider settings, or by single sliders where there are too many."""
    names = sorted(atlas.manifest["machine"]["sliders"])
    different = atlas.rows("SELECT count(DISTINCT sliders) FROM turns")[0][0]
    whole = different * len(DIRECTIONS) * len(fates) * len(STANDING_SPACES) <= MOST_CELLS
    asked = ["sliders"] if whole else [f"split_part(sliders, ' ', {k + 1})" for k in range(len(names))]
    rows: dict[tuple[Any, ...], NDArray[np.uint32]] = {}
    for number, setting in enumerate(asked):
        answer = atlas.ask(
            f"SELECT {setting}, direction, fate, from_space, count(*) FROM turns GROUP BY ALL ORDER BY ALL"  # noqa: S608 - a number
        )
        for text, direction, fate, space, count in answer.rows:
            key = (number, text, direction)
            if key not in rows:
                rows[key] = np.zeros((len(fates), len(STANDING_SPACES)), np.uint32)
            rows[key][fates.index(fate), STANDING_SPACES.index(space)] = count
    keys = [_key(names, None if whole else number, text, direction) for number, text, direction in rows]
    return SettingCounts(whole, np.array(keys, np.uint8), np.array(list(rows.values()), np.uint32))


def _key(names: Sequence[str], only: int | None, text: str, direction: str) -> list[int]:
    """A row of `Settings.keys`; `only` is the number of the one slider that the text describes."""
    words = text.split() if only is None else [text]
    told = names if only is None else [names[only]]
    if len(words) != len(told):
        raise BadInputError(
            f"must hold a setting for each of {', '.join(told)}; got {shown(text)}", field="turns.sliders"
        )
    found = {name: setting_of(name, word) for name, word in zip(told, words, strict=True)}
    shifted = {name: (tunnel, offset + MAX_OFFSET, int(flip)) for name, (tunnel, offset, flip) in found.items()}
    numbers = [value for name in names for value in shifted.get(name, _ANY)]
    return [*numbers, DIRECTIONS.index(known(direction, DIRECTIONS, "direction"))]
