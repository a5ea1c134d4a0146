"""Buttons of the panels and the strip: painted in one way, and what a click on them means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from twin.drawing.palette import BUTTON, BUTTON_HOVER, BUTTON_ON, PANEL_DIM, WHITE
from twin.drawing.text_measure import text_width

if TYPE_CHECKING:
    from twin.window.screen.painter import Box, Painter


class Button(NamedTuple):
    """A place to click on, the command that it gives, and its tooltip."""

    box: Box
    command: str
    tip: str


def paint_button(
    painter: Painter,
    area: tuple[float, float, float, float],
    word: str,
    size: float,
    mouse: tuple[float, float],
    *,
    on: bool = False,
    idle: bool = False,
) -> Box:
    """Paint a button: left, bottom, width and height in pixels, and a word, smaller than `size` if it must be."""
    x, y, wide, tall = area
    hover = x <= mouse[0] <= x + wide and y <= mouse[1] <= y + tall
    box = painter.box(x, y, wide, tall, BUTTON_ON if on else BUTTON_HOVER if hover and not idle else BUTTON)
    size = min(size, size * (wide - 8) / text_width(word, size))
    middle = x + (wide - text_width(word, size)) / 2
    painter.words(word, middle, y + tall / 2 + size * 0.62, size, PANEL_DIM if idle else WHITE)
    return box
