"""Rectangles and words for panels: said anew for every picture, touched only where something has changed.

Boxes are sprites of one list, words are labels of one batch: two calls to OpenGL for a whole panel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import arcade
import pyglet.font
from pyglet.graphics import Batch

from twin.drawing.pen import font_file

if TYPE_CHECKING:
    from twin.drawing.palette import Colour

FONT: Final = "DejaVu Sans"
_POINTS: Final = 0.75
"""Points in a pixel, at 96 pixels to the inch."""


class Box(NamedTuple):
    """A filled rectangle, pixels from the bottom left."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies within."""
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


class Words(NamedTuple):
    """A piece of text, its top left corner, and the width at which it is wrapped (0: not at all)."""

    text: str
    x: float
    top: float
    size: float
    """Height of the letters' body, pixels."""
    colour: Colour
    width: float
    bold: bool


class Painter:
    """Boxes and words of one layer. Say everything between `begin` and `draw`, in the same order each time."""

    def __init__(self) -> None:
        self._boxes: arcade.SpriteList[arcade.SpriteSolidColor] = arcade.SpriteList(capacity=128)
        self._box_values: list[Box | None] = []
        self._batch = Batch()
        self._labels: list[arcade.Text] = []
        self._word_values: list[Words | None] = []
        self._box_count = self._word_count = 0

    def begin(self) -> None:
        """Start over."""
        self._box_count = self._word_count = 0

    def box(self, x: float, y: float, width: float, height: float, colour: Colour) -> Box:
        """A filled rectangle from its bottom left corner."""
        box = Box(x, y, width, height, colour)
        index = self._box_count
        self._box_count += 1
        if index == len(self._box_values):
            self._boxes.append(arcade.SpriteSolidColor(1, 1, color=(255, 255, 255, 255)))
            self._box_values.append(None)
        if self._box_values[index] != box:
            sprite = self._boxes[index]
            sprite.position = (x + width / 2, y + height / 2)
            sprite.size = (max(width, 0.1), max(height, 0.1))
            sprite.color = colour
            self._box_values[index] = box
        return box

    def words(
        self, text: str, x: float, top: float, size: float, colour: Colour, *, width: float = 0.0, bold: bool = False
    ) -> float:
        """Text from its top left corner; returns its height."""
        wanted = Words(text, round(x), round(top), round(size, 1), colour, round(width), bold)
        index = self._word_count
        self._word_count += 1
        if index == len(self._labels):
            self._labels.append(self._label(wanted))
            self._word_values.append(wanted)
        shown = self._word_values[index]
        if shown != wanted:
            if shown is None or shown[3:] != wanted[3:]:  # another font or width: a label of its own
                self._labels[index].text = ""
                self._labels[index] = self._label(wanted)
            else:
                label = self._labels[index]
                if shown.text != wanted.text:
                    label.text = wanted.text
                label.position = (wanted.x, wanted.top)
            self._word_values[index] = wanted
        return float(self._labels[index].content_height)

    def draw(self) -> None:
        """Draw what was said, and nothing that was said before."""
        for index in range(self._box_count, len(self._box_values)):
            if self._box_values[index] is not None:
                self._boxes[index].color = (0, 0, 0, 0)
                self._box_values[index] = None
        for index in range(self._word_count, len(self._labels)):
            shown = self._word_values[index]
            if shown is not None and shown.text:
                self._labels[index].text = ""
                self._word_values[index] = shown._replace(text="")
        self._boxes.draw()
        self._batch.draw()

    def _label(self, words: Words) -> arcade.Text:
        return arcade.Text(
            words.text,
            words.x,
            words.top,
            words.colour,
            words.size * _POINTS,
            width=int(words.width) or None,
            multiline=words.width > 0,
            font_name=FONT,
            bold=words.bold,
            anchor_y="top",
            batch=self._batch,
        )


def load_fonts() -> None:
    """Make the font of all pictures known to the window."""
    for bold in (False, True):
        with font_file(bold=bold).open("rb") as file:
            pyglet.font.add_file(file)
