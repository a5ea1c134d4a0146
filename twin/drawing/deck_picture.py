"""Cards: decks as they lie on the table, cards from both sides, and the curtain that keeps them from the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.board.castle import GARMENT_CODES, Garment
from twin.drawing.costume_picture import garment_of
from twin.drawing.garment_picture import draw_garment
from twin.drawing.palette import HIGHLIGHT, INK, PANEL_DIM, PANEL_LINE, PARTS, blend, faded, rgb
from twin.drawing.pen import Pen, font_of

if TYPE_CHECKING:
    from PIL import Image

    from twin.board.machine import Machine
    from twin.drawing.palette import Colour

CARD: Final = (62.0, 86.0)
"""Width and height of a card that is looked at, mm."""

BACK: Final = (44.0, 58.0)
"""Width and height of a card in a deck, mm."""

LONG: Final = 13
"""Longer names than this many letters are written in two lines, if they are several words."""

_THICK: Final = 1.7
"""How far each card of a deck shows under the one above, mm."""

_CORNER: Final = 5.0
_PAPER: Final = rgb("#fbf7ec")
VELVET: Final = rgb("#8e2338")
"""The curtain's colour."""

_GOLD: Final = rgb("#d9a441")
_FOLDS: Final = 15


def draw_deck(_: Machine, scale: float, part: str, count: int, lit: bool) -> Image.Image:  # noqa: FBT001 - part of a key
    """A deck of `count` cards, the back of the topmost showing its part of the body; `lit` if it may be searched."""
    wide, tall = BACK
    pen = Pen(wide + 18, tall + 18, scale)
    if count == 0:
        box = ((-wide / 2, -tall / 2), (wide / 2, tall / 2))
        pen.box(*box, faded(PANEL_LINE, 120), _CORNER, PANEL_DIM, 1.0)
        return pen.finished()
    hue = PARTS[part]
    for number in range(count):
        up = (number - (count - 1) / 2) * _THICK
        x0, y0 = -wide / 2 - up * 0.8, -tall / 2 + up
        top = number == count - 1
        if top and lit:
            pen.box((x0 - 3, y0 - 3), (x0 + wide + 3, y0 + tall + 3), HIGHLIGHT, _CORNER + 2)
        edge = blend(_PAPER, INK, 0.35)
        pen.box((x0, y0), (x0 + wide, y0 + tall), _PAPER, _CORNER, edge, 0.9)
        if top:
            middle = (x0 + wide / 2, y0 + tall / 2)
            pen.box((x0 + 3, y0 + 3), (x0 + wide - 3, y0 + tall - 3), hue, _CORNER - 2)
            pen.disc(middle, 17.0, _PAPER)
            draw_garment(pen, middle, Garment("", part), 1.3)
    return pen.finished()


def draw_card(machine: Machine, scale: float, card: str, name: str, part: str) -> Image.Image:
    """A card from its front, with the garment's and the part's name in the players' language."""
    wide, tall = CARD
    hue = PARTS[GARMENT_CODES[card]]
    pen = Pen(wide + 8, tall + 8, scale)
    pen.box((-wide / 2 + 1, -tall / 2 - 2), (wide / 2 + 2, tall / 2 - 1), faded(INK, 90), _CORNER)
    pen.box((-wide / 2, -tall / 2), (wide / 2, tall / 2), hue, _CORNER)
    pen.box((-wide / 2 + 3, -tall / 2 + 3), (wide / 2 - 3, tall / 2 - 3), _PAPER, _CORNER - 2)
    draw_garment(pen, (0, 13), garment_of(machine, card), 2.05)
    lines = name.split(" ", 1) if len(name) > LONG else [name]
    for number, line in enumerate(reversed(lines)):
        _fitted(pen, (0, -tall / 2 + 20 + number * 8.4), line, 7.4, INK, wide - 10)
    _fitted(pen, (0, -tall / 2 + 11), part, 6.0, hue, wide - 10)
    return pen.finished()


def draw_place(_: Machine, scale: float, number: int, part: str) -> Image.Image:
    """A place on the table to which a deck can go (Q8), with the back that lies there now."""
    wide, tall = CARD
    pen = Pen(wide + 8, tall + 8, scale)
    pen.box((-wide / 2, -tall / 2), (wide / 2, tall / 2), faded(_PAPER, 235), _CORNER, HIGHLIGHT, 2.4)
    if part:
        draw_garment(pen, (0, 16), Garment("", part), 1.4)
    pen.text((0, -18), str(number), 30.0, INK)
    return pen.finished()


def draw_curtain(_: Machine, scale: float, width: float, height: float) -> Image.Image:
    """One wing of the curtain, in folds, with a golden hem at its foot."""
    pen = Pen(width, height, scale)
    fold = width / _FOLDS
    steps = 8
    for k in range(_FOLDS * steps):
        x = -width / 2 + k * fold / steps
        share = abs((k % steps) / steps - 0.45) * 1.35
        pen.box((x, -height / 2), (x + fold / steps + 0.4, height / 2), blend(VELVET, INK, min(share, 0.72)))
    pen.box((-width / 2, -height / 2 + 6), (width / 2, -height / 2 + 13), _GOLD)
    pen.box((-width / 2, -height / 2 + 13), (width / 2, -height / 2 + 14.4), blend(_GOLD, INK, 0.45))
    return pen.finished()


def draw_veil(_: Machine, scale: float, width: float, height: float) -> Image.Image:
    """Dusk over the board, so that what lies above it stands out."""
    pen = Pen(width, height, scale)
    pen.box((-width / 2, -height / 2), (width / 2, height / 2), faded(INK, 190))
    return pen.finished()


def draw_confetti(_: Machine, scale: float, tint: Colour) -> Image.Image:
    """One piece of the confetti that is thrown when a player has won."""
    pen = Pen(8.0, 12.0, scale)
    pen.box((-3.0, -5.0), (3.0, 5.0), tint, 1.0)
    return pen.finished()


def _fitted(pen: Pen, at: tuple[float, float], words: str, size: float, ink: Colour, room: float) -> None:
    """Words that never grow wider than there is room for."""
    length = font_of(100, bold=True).getlength(words) / 100 * size
    pen.text(at, words, size * min(room / length, 1.0) if length > 0.0 else size, ink)
