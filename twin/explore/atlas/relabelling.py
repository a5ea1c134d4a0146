"""What things are called in an atlas, and how names change when the board lies otherwise.

An atlas starts every turn at orientation 0. Physics knows only the floor, so a row holds for any orientation: the same
places have other names then. `relabel` and `relabel_row` give them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from twin.board.grid import SPACES, cell, space_at, to_board
from twin.board.state import MAX_OFFSET
from twin.errors import BadInputError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

OFF: Final = "off"
"""What a ghost covers that has fallen."""

NAMED_COLUMNS: Final = ("ghosts", "from_space", "covers")
"""Columns that hold names of spaces."""

_SPACE: Final = re.compile("[a-g][1-7]")
_SETTING: Final = re.compile(rf"([1-9])([+-][0-{MAX_OFFSET}])(f?)")


def known(value: object, names: Sequence[str], column: str) -> str:
    """A name in a column of an atlas; a `BadInputError` if no atlas has it there."""
    if value not in names:
        raise BadInputError(f"must be one of {', '.join(names)}; got {shown(value)}", field=f"turns.{column}")
    return str(value)


def ghosts_text(spaces: Iterable[int]) -> str:
    """Where the ghosts stand: `a1 c3`."""
    return " ".join(SPACES[space] for space in spaces)


def sliders_text(names: Sequence[str], sliders: Iterable[Sequence[int]]) -> str:
    """How the sliders are set, from rows of tunnel (from 0), offset and flip.

    >>> sliders_text("AB", [(0, 0, 0), (2, -1, 1)])
    'A1+0 B3-1f'
    """
    pairs = zip(names, sliders, strict=True)
    return " ".join(f"{name}{tunnel + 1}{offset:+d}{'f' if flip else ''}" for name, (tunnel, offset, flip) in pairs)


def setting_of(name: str, text: str) -> tuple[int, int, bool]:
    """Tunnel (from 1), offset and flip of one slider, from its word: `B3-1f` of slider B is (3, -1, True)."""
    own = _SETTING.fullmatch(text.removeprefix(name))
    if own is None or not text.startswith(name):
        problem = f"must hold a tunnel and an offset for slider {name}, like {name}3-1f; got {shown(text)}"
        raise BadInputError(problem, field="turns.sliders")
    return int(own[1]), int(own[2]), own[3] == "f"


def relabel(text: str, orientation: int) -> str:
    """Names of spaces in an atlas, as they are called if the board lies at `orientation` before the turn.

    Spaces joined by `+` are sorted, as `covers` has them. SQL over an atlas knows this as `relabel(covers, 1)`.

    >>> relabel("b5", 1), relabel("a1+a2", 1), relabel("a1 c3", 1), relabel("off", 1)
    ('c2', 'f1+g1', 'g1 e3', 'off')
    """
    if orientation not in range(4):
        raise BadInputError(f"an orientation must be 0 to 3; got {orientation!r}", field="orientation")

    def renamed(found: re.Match[str]) -> str:
        x, y = to_board(cell(found[0]), orientation)
        return str(space_at(int(x), int(y)))

    return "+".join(sorted(_SPACE.sub(renamed, text).split("+")))


def relabel_row(row: Mapping[str, Any], orientation: int) -> dict[str, Any]:
    """A row of an atlas for another orientation before the turn.

    Places, fates, margins, touches and slips stay, and so do the numbers of the ghosts. `walls` is None, unless
    the orientation is 0: the walls turn with the board, and an atlas has counted those of orientation 0.
    """
    if orientation not in range(4):
        raise BadInputError(f"an orientation must be 0 to 3; got {orientation!r}", field="orientation")
    changed: dict[str, Any] = {name: relabel(row[name], orientation) for name in NAMED_COLUMNS if name in row}
    if orientation and "walls" in row:
        changed["walls"] = None
    return {**row, **changed}
