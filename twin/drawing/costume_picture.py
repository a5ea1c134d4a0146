"""The players as figures: a ghost that stands before its owner and puts on every garment that is found."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from twin.board.castle import GARMENT_CODES, Garment
from twin.drawing.garment_picture import draw_garment
from twin.drawing.palette import GHOSTS, INK, WHITE, blend, faded
from twin.drawing.pen import Pen

if TYPE_CHECKING:
    from PIL import Image

    from twin.board.machine import Machine

WIDTH: Final = 76.0
HEIGHT: Final = 116.0
"""Room for a figure with a feather crown and an umbrella, mm."""

WORN: Final = {
    "legs": ((0.0, -27.0), 1.55),
    "body": ((0.0, -6.0), 1.75),
    "face": ((0.0, 21.0), 1.22),
    "headgear": ((0.0, 39.0), 1.5),
    "hand": ((25.0, 4.0), 1.3),
}
"""Where each part of the body is on a figure, mm, and how much larger than on the board its garment is; in the order
in which they are put on, so that a coat hides the top of the stockings."""

BEARD: Final = 9.0
"""A beard is worn so much lower than a mask, mm."""

_HEAD: Final = 17.0
_SHOULDER: Final = 16.0


def garment_of(machine: Machine, card: str) -> Garment:
    """The garment on a card."""
    return Garment(machine.castle.legend()[card], GARMENT_CODES[card])


def draw_figure(machine: Machine, scale: float, size: float, colour: str, *cards: str) -> Image.Image:
    """A figure, `size` times as large as described, with the garments of its cards."""
    pen = Pen(WIDTH * size, HEIGHT * size, scale)
    hue = GHOSTS[colour]
    sheet, edge = blend(hue, WHITE, 0.62), blend(hue, INK, 0.35)

    def at(x: float, y: float) -> tuple[float, float]:
        return x * size, y * size

    pen.oval(at(0, -47), (28 * size, 10 * size), faded(INK, 70))
    pen.oval(at(0, -45.5), (26.5 * size, 10 * size), edge)
    pen.oval(at(0, -45), (25 * size, 8.8 * size), hue)
    for grown, tone in ((1.4, edge), (0.0, sheet)):
        pen.polygon([at(x, y) for x, y in _outline(grown)], tone)
        for side in (-1, 1):
            pen.oval(at(side * 21.5, 1.0), ((6.0 + grown) * size, (4.6 + grown) * size), tone)
    pen.polygon([at(x, y) for x, y in _outline(0.0)], sheet)
    parts = {GARMENT_CODES[card]: card for card in cards}
    pen.text(at(0, -48.5), colour[0].upper(), 8.4 * size, blend(hue, INK, 0.75))
    if "face" not in parts:
        pen.arc(at(0, 14.4), 3.6 * size, (200, 340), INK, 1.4 * size)
    for part, (place, larger) in WORN.items():
        if part in parts:
            garment = garment_of(machine, parts[part])
            low = BEARD if garment.name == "false beard" else 0.0
            draw_garment(pen, at(place[0], place[1] - low), garment, larger * size)
        if part == "face":
            _eyes(pen, size)
    return pen.finished()


def draw_piece(machine: Machine, scale: float, card: str) -> Image.Image:
    """One garment on its own, as large as on a figure."""
    garment = garment_of(machine, card)
    larger = WORN[garment.part][1]
    pen = Pen(26 * larger, 26 * larger, scale)
    pen.disc((0, 0), 12.6 * larger, faded(WHITE, 225))
    draw_garment(pen, (0, 0), garment, larger)
    return pen.finished()


def _outline(grown: float) -> list[tuple[float, float]]:
    """A head, and a sheet that widens to a hem in waves; `grown` mm larger all round."""
    head = []
    for angle in range(-18, 199, 9):
        a = math.radians(angle)
        head.append(((_HEAD + grown) * math.cos(a), 19.0 + (_HEAD + grown) * math.sin(a)))
    hem = []
    for k in range(49):
        x = -1.0 + k / 24
        hem.append((x * (24.0 + grown), -39.0 - grown + 2.6 * math.cos(7 * math.pi * x)))
    left = [(-_SHOULDER - grown, 4.0), (-20.0 - grown, -22.0)]
    right = [(20.0 + grown, -22.0), (_SHOULDER + grown, 4.0)]
    return [*head, *left, *hem, *right]


def _eyes(pen: Pen, size: float) -> None:
    """The ghost's own eyes, which look out of every mask."""
    for side in (-1, 1):
        pen.oval((side * 5.6 * size, 21.0 * size), (2.5 * size, 3.7 * size), INK)
        pen.disc(((side * 5.6 + 0.9) * size, 22.5 * size), 0.95 * size, WHITE)
