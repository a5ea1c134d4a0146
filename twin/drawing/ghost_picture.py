"""The ghosts, and the marks that go with them: outlines, trails, badges, arrows, choices and hints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from twin.drawing.palette import GHOSTS, INK, WHITE, Colour, blend, faded
from twin.drawing.pen import Pen, font_of

if TYPE_CHECKING:
    from PIL import Image

    from twin.board.machine import Machine

_BADGE_HEIGHT: Final = 8.4
ARROW_LENGTH: Final = 20.0
"""Length at which an arrow's picture is drawn, mm; it is stretched to what is needed."""

DOT: Final = 1.7
"""Radius of a dot of a trail, mm."""


def draw_ghost(machine: Machine, colour: str, scale: float) -> Image.Image:
    """A ghost from above: its foot to scale, a sheet with a face, and the letter of its colour."""
    side = 2 * machine.radius + 6
    pen = Pen(side, side, scale)
    paint_ghost(pen, machine, colour)
    return pen.finished()


def paint_ghost(pen: Pen, machine: Machine, colour: str) -> None:
    """Draw a ghost around the origin."""
    r, hue = machine.radius, GHOSTS[colour]
    pen.disc((0.5, -0.9), r + 1.0, faded(INK, 80))
    pen.disc((0, 0), r, hue, INK, 1.1)
    sheet = blend(hue, WHITE, 0.82)
    # A head, a body, and a hem in waves.
    outline = [
        (r * 0.58 * math.cos(math.radians(a)), r * (0.18 + 0.58 * math.sin(math.radians(a)))) for a in range(0, 181, 12)
    ]
    hem = []
    for k in range(25):
        x = -0.62 + 1.24 * k / 24
        hem.append((r * x, r * (-0.60 + 0.09 * math.cos(3 * 2 * math.pi * k / 24))))
    pen.polygon([*outline, (-r * 0.62, -r * 0.3), *hem, (r * 0.62, -r * 0.3)], sheet)
    for side in (-1, 1):
        pen.oval((side * r * 0.24, r * 0.30), (r * 0.125, r * 0.185), INK)
        pen.disc((side * r * 0.24 + r * 0.04, r * 0.36), r * 0.05, WHITE)
    pen.arc((0, r * 0.12), r * 0.16, (200, 340), INK, 0.8)
    pen.text((0, -r * 0.32), colour[0].upper(), r * 0.56, blend(hue, INK, 0.62))


def draw_tick(machine: Machine, scale: float) -> Image.Image:
    """A notch in the rim of a foot, which shows how the ghost has spun."""
    r = machine.radius
    pen = Pen(2 * r + 6, 2 * r + 6, scale)
    pen.polygon([(0, r * 0.80), (-2.0, r + 0.2), (2.0, r + 0.2)], WHITE)
    return pen.finished()


def draw_outline(machine: Machine, colour: str, scale: float) -> Image.Image:
    """A dashed ring: where physics left a ghost before it was put on its space."""
    r = machine.radius
    pen = Pen(2 * r + 4, 2 * r + 4, scale)
    for k in range(12):
        pen.arc((0, 0), r - 0.2, (k * 30.0, k * 30.0 + 17.0), INK, 2.4)
    for k in range(12):
        pen.arc((0, 0), r - 0.2, (k * 30.0, k * 30.0 + 17.0), GHOSTS[colour], 1.3)
    return pen.finished()


def draw_ring(radius: float, width: float, colour: Colour, scale: float, fill: Colour | None = None) -> Image.Image:
    """A ring, for selections and uncertainties."""
    pen = Pen(2 * radius + 3, 2 * radius + 3, scale)
    pen.disc((0, 0), radius, fill, colour, width)
    return pen.finished()


def draw_dot(colour: Colour, scale: float) -> Image.Image:
    """One dot of a trail."""
    pen = Pen(2 * DOT + 1, 2 * DOT + 1, scale)
    pen.disc((0, 0), DOT, faded(INK, 150))
    pen.disc((0, 0), DOT * 0.72, colour)
    return pen.finished()


def draw_square(machine: Machine, colour: Colour, scale: float) -> Image.Image:
    """A space that can be chosen: a frame that stands out on ground of any colour, its own too."""
    r = machine.space / 2 - 2.2
    pen = Pen(machine.space, machine.space, scale)
    pen.box((-r, -r), (r, r), faded(WHITE, 125), radius=4.5)
    for inset, line, tone in ((0.0, 5.2, INK), (1.0, 3.2, colour), (4.2, 1.0, WHITE)):
        edge = r - inset
        pen.box((-edge, -edge), (edge, edge), None, radius=4.5 - inset, outline=tone, width=line)
    return pen.finished()


def draw_shaft(colour: Colour, scale: float) -> Image.Image:
    """The shaft of an arrow, pointing east, `ARROW_LENGTH` long, to be stretched."""
    pen = Pen(ARROW_LENGTH, 3.2, scale)
    half = ARROW_LENGTH / 2
    pen.box((-half, -1.5), (half, 1.5), WHITE)
    pen.box((-half, -1.0), (half, 1.0), colour)
    return pen.finished()


def draw_head(colour: Colour, scale: float) -> Image.Image:
    """The head of an arrow, pointing east, its tip in the middle of the right edge."""
    pen = Pen(9.0, 9.0, scale)
    pen.polygon([(-4.4, -4.4), (4.4, 0), (-4.4, 4.4)], WHITE)
    pen.polygon([(-3.8, -3.1), (3.0, 0), (-3.8, 3.1)], colour)
    return pen.finished()


def draw_badge(words: str, colour: Colour, scale: float) -> Image.Image:
    """A word on a small rounded sign."""
    length = font_of(100, bold=True).getlength(words) / 100 * _BADGE_HEIGHT * 0.82
    pen = Pen(length + 7, _BADGE_HEIGHT + 3, scale)
    half, tall = length / 2 + 2.8, _BADGE_HEIGHT / 2 + 0.6
    pen.box((-half, -tall), (half, tall), WHITE, radius=tall)
    pen.box((-half + 0.7, -tall + 0.7), (half - 0.7, tall - 0.7), colour, radius=tall - 0.7)
    pen.text((0, 0.2), words, _BADGE_HEIGHT * 0.82, WHITE)
    return pen.finished()


def draw_handle(scale: float, colour: Colour) -> Image.Image:
    """The curved double arrow beyond a corner of the board by which it is turned: drawn for the corner in the east."""
    pen = Pen(26.0, 60.0, scale)
    radius = 60.0
    pen.arc((-radius, 0), radius + 4, (-18, 18), colour, 2.6)
    for side in (-1, 1):
        angle = math.radians(side * 21)
        x, y = -radius + (radius + 4) * math.cos(angle), (radius + 4) * math.sin(angle)
        along = (-math.sin(angle) * side, math.cos(angle) * side)
        out = (math.cos(angle), math.sin(angle))
        pen.polygon(
            [
                (x + along[0] * 5, y + along[1] * 5),
                (x - along[0] * 2 + out[0] * 4, y - along[1] * 2 + out[1] * 4),
                (x - along[0] * 2 - out[0] * 4, y - along[1] * 2 - out[1] * 4),
            ],
            colour,
        )
    return pen.finished()
