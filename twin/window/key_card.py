"""What lies over everything: the key card, tooltips, what is told where there is no panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.drawing.palette import HIGHLIGHT, NIGHT, PANEL, PANEL_DIM, PANEL_TEXT, WRONG, faded
from twin.drawing.text_measure import text_width, wrapped
from twin.window.sandbox_keys import card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.window.layout import Layout
    from twin.window.sandbox_session import SandboxSession
    from twin.window.screen.painter import Painter

Group = tuple[str, "Sequence[tuple[str, str]]"]
"""A heading, and keys with what they do."""

LINE: Final = 1.3
"""From line to line, in heights of letters."""

TIP: Final = 27.0
"""Width of a tooltip at most, in heights of letters."""


def paint_keys(painter: Painter, layout: Layout) -> None:
    """The key card: everything that can be done, and how."""
    paint_card(painter, layout, ("Keys", "Esc closes this card."), card())


def paint_card(painter: Painter, layout: Layout, heading: tuple[str, str], groups: Sequence[Group]) -> None:
    """A card over the whole window: a heading and how to close it, then groups of keys and what they do.

    Letters are as large as one column allows, or two, whichever lets them be larger.
    """
    painter.box(0, 0, layout.width, layout.height, faded(NIGHT, 244))
    sizes = {count: _card_size(layout, columns) for count, columns in ((1, [groups]), (2, _halves(groups)))}
    count = max(sizes, key=lambda n: sizes[n])
    columns, unit = ([groups] if count == 1 else _halves(groups)), sizes[count]
    line, margin, top = unit * LINE, unit * 2, layout.height - unit
    painter.words(heading[0], margin, top, unit * 1.5, HIGHLIGHT, bold=True)
    after = margin + text_width(heading[0], unit * 1.5, bold=True) + unit * 1.5
    painter.words(heading[1], after, top - unit * 0.4, unit * 1.05, PANEL_DIM)
    x = margin
    for column in columns:
        y = layout.height - unit * 4.0
        keys = _key_width(column) * unit
        for title, entries in column:
            painter.words(title, x, y, unit * 1.05, HIGHLIGHT, bold=True)
            y -= line * 1.1
            for key, text in entries:
                painter.words(key, x, y, unit, PANEL_TEXT, bold=True)
                painter.words(text, x + keys, y, unit, PANEL_TEXT)
                y -= line
            y -= line * 0.5
        x += _column_width(column) * unit + margin


def paint_tip(painter: Painter, layout: Layout, text: str, mouse: tuple[float, float]) -> None:
    """Say a tooltip beside the mouse."""
    unit = layout.unit * 0.9
    lines = wrapped(text, unit, min(unit * TIP, layout.width - 3 * unit))
    width = max(text_width(line, unit) for line in lines) + unit * 1.2
    height = (len(lines) * LINE + 0.7) * unit
    x = min(mouse[0] + 14, layout.width - width - 4)
    y = mouse[1] - height - 10
    if y < 4:  # no room below the mouse
        y = mouse[1] + 14
    _sign(painter, (x, y, width, height), lines, unit)


def paint_note(painter: Painter, layout: Layout, session: SandboxSession) -> None:
    """What must be told although there is no side panel, at the top of the window."""
    told = [*session.message, *([session.advice] if session.advice else [])]
    if layout.panel > 0.0 or not told:
        return
    unit = layout.unit * 0.95
    lines = [line for text in told for line in wrapped(text, unit, layout.width - 3.5 * unit)]
    width = max(text_width(line, unit) for line in lines) + unit * 1.2
    height = (len(lines) * LINE + 0.7) * unit
    area = ((layout.width - width) / 2, layout.height - height - 6, width, height)
    _sign(painter, area, lines, unit, WRONG if session.message_is_wrong else HIGHLIGHT)


def _sign(
    painter: Painter,
    area: tuple[float, float, float, float],
    lines: Sequence[str],
    unit: float,
    tone: tuple[int, int, int, int] = PANEL_TEXT,
) -> None:
    x, y, width, height = area
    painter.box(x - 1, y - 1, width + 2, height + 2, PANEL_DIM)
    painter.box(x, y, width, height, PANEL)
    for number, line in enumerate(lines):
        painter.words(line, x + unit * 0.6, y + height - unit * 0.45 - number * unit * LINE, unit, tone)


def _card_size(layout: Layout, columns: Sequence[Sequence[Group]]) -> float:
    """How large letters can be for all of these columns to find room side by side."""
    rows = max(_rows(column) for column in columns)
    wide = sum(_column_width(column) + 2.0 for column in columns) + 2.0
    return min(layout.unit * 1.2, layout.height / (rows * LINE + 4.5), layout.width / wide)


def _halves(groups: Sequence[Group]) -> list[Sequence[Group]]:
    """Two columns, as even as groups can be kept together."""
    cut = min(range(1, len(groups)), key=lambda n: max(_rows(groups[:n]), _rows(groups[n:])))
    return [groups[:cut], groups[cut:]]


def _rows(groups: Sequence[Group]) -> float:
    return sum(len(entries) + 1.6 for _, entries in groups)


def _key_width(groups: Sequence[Group]) -> float:
    """Width of the column of keys, in heights of letters."""
    return max(text_width(key, 1.0, bold=True) for _, entries in groups for key, _ in entries) + 1.0


def _column_width(groups: Sequence[Group]) -> float:
    return _key_width(groups) + max(text_width(text, 1.0) for _, entries in groups for _, text in entries)
