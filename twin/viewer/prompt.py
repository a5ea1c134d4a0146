"""A question that is answered by typing: a name, or one of a list that can also be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.scene import scene_names
from twin.viewer.letters import text_width
from twin.viewer.palette import BUTTON, HIGHLIGHT, NIGHT, PANEL, PANEL_DIM, PANEL_LINE, PANEL_TEXT, faded

if TYPE_CHECKING:
    from twin.viewer.layout import Layout
    from twin.viewer.screen.painter import Box, Painter

LISTED: Final = 12
"""Scenes that are listed at once."""

LONGEST: Final = 200
"""Letters of an answer at most."""

ROW: Final = 1.45
"""From name to name, in heights of letters."""


class Prompt:
    """What was typed so far, and the names that fit it."""

    def __init__(self, title: str, text: str, *, hint: str = "", scenes: bool = False) -> None:
        self.title, self.text, self.hint = title, text, hint
        self._scenes = scene_names() if scenes else []
        self.index = 0
        self._box: Box | None = None
        self._rows: list[tuple[int, Box]] = []

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
        self.text = (self.text + "".join(c for c in text if c.isprintable()))[:LONGEST]
        self.index = 0

    def press(self, key: str) -> None:
        """A key that is no letter, or a turn of the wheel."""
        match key:
            case "BACKSPACE":
                self.text = self.text[:-1]
                self.index = 0
            case "UP" | "DOWN":
                self.index += 1 if key == "DOWN" else -1

    def click(self, x: float, y: float) -> bool | None:
        """A click: True if it chose a listed name, False if it was beside the question, None if it changes nothing."""
        for index, row in self._rows:
            if row.holds(x, y):
                self.text, self.index = self.matches[index], 0
                return True
        return None if self._box is not None and self._box.holds(x, y) else False

    def paint(self, painter: Painter, layout: Layout) -> None:
        """Say the question, what was typed, and the list."""
        rows = min(LISTED, len(self._scenes))
        tall = 7.6 + ROW * rows
        unit = min(layout.unit, (layout.height - 20) / tall)
        painter.box(0, 0, layout.width, layout.height, faded(NIGHT, 200))
        width, height = min(unit * 42, layout.width - 20), unit * tall
        x, y = (layout.width - width) / 2, (layout.height - height) / 2
        painter.box(x - 2, y - 2, width + 4, height + 4, PANEL_DIM)
        self._box = painter.box(x, y, width, height, PANEL)
        top = y + height - unit
        painter.words(self.title, x + unit, top, unit * 1.1, HIGHLIGHT, bold=True)
        painter.box(x + unit, top - unit * 4.0, width - 2 * unit, unit * 2.0, PANEL_LINE)
        painter.words(self._end(unit, width - 3 * unit), x + unit * 1.4, top - unit * 2.4, unit, PANEL_TEXT)
        top -= unit * 4.7
        found = self.matches
        mark = self.index % len(found) if found else 0
        first = max(min(mark - LISTED // 2, len(found) - LISTED), 0)
        self._rows = []
        for number, name in enumerate(found[first : first + LISTED], start=first):
            ground = BUTTON if number == mark else PANEL
            row = painter.box(x + unit, top - unit * (ROW - 0.2), width - 2 * unit, unit * ROW, ground)
            self._rows.append((number, row))
            painter.words(name, x + unit * 1.4, top, unit * 0.95, HIGHLIGHT if number == mark else PANEL_TEXT)
            top -= unit * ROW
        painter.words(self.hint, x + unit, y + unit * 1.5, unit * 0.85, PANEL_DIM)

    def _end(self, size: float, room: float) -> str:
        """What was typed, with a cursor; only the end of what is too long to be shown."""
        shown = f"{self.text}▏"
        while text_width(shown, size) > room and len(shown) > 2:
            shown = f"…{shown[2:]}"
        return shown
