"""What lies over everything: the key card, and the line in which a name is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.scene import scene_names
from twin.viewer.keys import GROUPS, key_name
from twin.viewer.palette import HIGHLIGHT, NIGHT, PANEL, PANEL_DIM, PANEL_LINE, PANEL_TEXT, faded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.viewer.panel import Layout
    from twin.viewer.screen.painter import Painter

LISTED: Final = 12
"""Scenes that are listed at once."""


def paint_keys(painter: Painter, layout: Layout) -> None:
    """The key card: everything that can be done, and how, in two columns."""
    groups = [(title, [(key_name(b.command), b.text) for b in bindings]) for title, bindings in GROUPS]
    paint_card(painter, layout, ("Keys", "Esc closes this card."), groups)


def paint_card(
    painter: Painter, layout: Layout, heading: tuple[str, str], groups: Sequence[tuple[str, Sequence[tuple[str, str]]]]
) -> None:
    """A card over the whole window: a heading and how to close it, then groups of keys and what they do."""
    painter.box(0, 0, layout.width, layout.height, faded(NIGHT, 235))
    rows = sum(len(entries) + 2 for _, entries in groups)
    columns = 2 if layout.width > 760 else 1
    unit = min(layout.unit, layout.height * columns / (rows + 8 * columns) / 1.24, layout.width / columns / 46)
    line, margin = unit * 1.24, unit * 2
    painter.words(heading[0], margin, layout.height - unit, unit * 1.5, HIGHLIGHT, bold=True)
    painter.words(heading[1], margin + unit * (2 + len(heading[0])), layout.height - unit * 1.3, unit * 1.1, PANEL_DIM)
    start = layout.height - unit * 4.2
    x, top, column = margin, start, 0
    for title, entries in groups:
        if column < columns - 1 and top - (len(entries) + 1) * line < unit * 2:
            column += 1
            x, top = margin + column * (layout.width - margin) / columns, start
        painter.words(title, x, top, unit * 1.02, HIGHLIGHT, bold=True)
        top -= line * 1.1
        for key, text in entries:
            painter.words(key, x, top, unit * 0.95, PANEL_TEXT, bold=True)
            painter.words(text, x + unit * 6.4, top, unit * 0.95, PANEL_TEXT)
            top -= line
        top -= line * 0.5


class Prompt:
    """A question that is answered by typing: a name, or one of a list."""

    def __init__(self, title: str, text: str, *, scenes: bool = False) -> None:
        self.title, self.text = title, text
        self._scenes = scene_names() if scenes else []
        self.index = 0

    @property
    def matches(self) -> list[str]:
        """The listed names that fit what was typed."""
        return [name for name in self._scenes if self.text in name]

    @property
    def answer(self) -> str:
        """What was typed, or the listed name that is marked."""
        found = self.matches
        return found[self.index % len(found)] if found and self.text not in self._scenes else self.text

    def type(self, text: str) -> None:
        """Letters come in."""
        self.text = (self.text + "".join(c for c in text if c.isprintable()))[:200]
        self.index = 0

    def press(self, key: str) -> None:
        """A key that is no letter."""
        match key:
            case "BACKSPACE":
                self.text = self.text[:-1]
                self.index = 0
            case "UP" | "DOWN":
                self.index += 1 if key == "DOWN" else -1

    def paint(self, painter: Painter, layout: Layout) -> None:
        """Say the question, what was typed, and the list."""
        unit = layout.unit
        painter.box(0, 0, layout.width, layout.height, faded(NIGHT, 200))
        width = min(unit * 42, layout.width - 40)
        height = unit * (6.5 + (1.4 * LISTED if self._scenes else 0))
        x, y = (layout.width - width) / 2, (layout.height - height) / 2
        painter.box(x - 2, y - 2, width + 4, height + 4, PANEL_DIM)
        painter.box(x, y, width, height, PANEL)
        top = y + height - unit
        painter.words(self.title, x + unit, top, unit * 1.1, HIGHLIGHT, bold=True)
        painter.box(x + unit, top - unit * 3.6, width - 2 * unit, unit * 1.8, PANEL_LINE)
        painter.words(f"{self.text}_", x + unit * 1.4, top - unit * 2.1, unit, PANEL_TEXT)
        top -= unit * 4.4
        found = self.matches
        mark = self.index % len(found) if found else 0
        first = max(min(mark - LISTED // 2, len(found) - LISTED), 0)
        for number, name in enumerate(found[first : first + LISTED], start=first):
            tone = HIGHLIGHT if number == mark else PANEL_TEXT
            painter.words(("› " if number == mark else "  ") + name, x + unit * 1.4, top, unit * 0.95, tone)
            top -= unit * 1.4
