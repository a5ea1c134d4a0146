"""What lies under the board: the floor with its tunnels, and the sliders with segments, hatching and magnets."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Final

from twin.board.grid import SIDE
from twin.drawing.palette import (
    FLOOR,
    FLOOR_EDGE,
    FLOOR_STONE,
    INK,
    MAGNET_GRIPS,
    MAGNET_REPELS,
    PANEL_DIM,
    SLIDER,
    SLIDER_EDGE,
    SLIDER_HATCH,
    TUNNEL,
    WHITE,
    blend,
    faded,
)
from twin.drawing.pen import Pen

if TYPE_CHECKING:
    from PIL import Image

    from twin.board.machine import Machine

TAB: Final = 15.0
"""Length of the tab at each end of a slider, mm: ours, so that a slider that is sunk in can be seen and taken."""

NUMBERS: Final = 150.0
"""Where the tunnels' numbers are written, mm from the middle; a slider's tab hides them."""

_HATCHED: Final = (1, 2, SIDE - 1, SIDE)
"""Segments that must not leave the floor altogether (rule B5)."""


def slider_width(machine: Machine) -> float:
    """Width of a slider, mm."""
    return machine.space * 0.7


def draw_floor(machine: Machine, scale: float) -> Image.Image:
    """The fixed floor, its tunnels open at both ends, and their numbers beyond."""
    half = SIDE * machine.space / 2
    pen = Pen(2 * half + 24, 2 * (NUMBERS + 8), scale)
    pen.box((-half, -half), (half, half), FLOOR, radius=5.0, outline=FLOOR_EDGE, width=2.0)
    dice = random.Random("stones")
    for row in range(14):
        y = -half + (row + 0.5) * half / 7
        x = -half + dice.uniform(0.0, 20.0)
        while x < half - 6:
            width = dice.uniform(14.0, 34.0)
            left, right = max(x, -half + 3), min(x + width - 2, half - 3)
            if right - left > 4:
                pen.box((left, y - 8), (right, y + 8), FLOOR_STONE, radius=2.0)
            x += width
    width = slider_width(machine) + 3
    for number, x in enumerate(machine.tunnels, start=1):
        pen.box((x - width / 2, -half - 0.5), (x + width / 2, half + 0.5), TUNNEL)
        for side in (-1, 1):
            pen.text((x, side * NUMBERS), str(number), 11.0, PANEL_DIM)
    return pen.finished()


def draw_slider(machine: Machine, name: str, scale: float, *, flipped: bool) -> Image.Image:
    """A slider at offset 0, segment 1 at the bottom, or at the top if it is flipped; magnets as discs."""
    pen = Pen(slider_width(machine) + 4, SIDE * machine.space + 2 * TAB + 4, scale)
    paint_slider(pen, machine, name, flipped=flipped)
    return pen.finished()


def paint_slider(pen: Pen, machine: Machine, name: str, *, flipped: bool) -> None:
    """Draw a slider at offset 0."""
    size = machine.space
    length, width = SIDE * size, slider_width(machine)
    for side in (-1, 1):
        tip, root = side * (length / 2 + TAB), side * (length / 2 - 4)
        pen.box((-width * 0.36, root), (width * 0.36, tip), SLIDER_EDGE, radius=4.0)
        pen.box((-width * 0.36 + 1, root), (width * 0.36 - 1, tip - side), blend(SLIDER, WHITE, 0.25), radius=3.4)
        pen.text((0, side * (length / 2 + TAB / 2 - 0.5)), name, 10.0, INK)
    pen.box((-width / 2, -length / 2), (width / 2, length / 2), SLIDER_EDGE, radius=2.0)
    magnets = {magnet.segment: magnet.polarity for magnet in machine.sliders[name]}
    for segment in range(1, SIDE + 1):
        y = (4 - segment if flipped else segment - 4) * size
        inner = width / 2 - 1.2
        pen.box((-inner, y - size / 2 + 0.6), (inner, y + size / 2 - 0.6), SLIDER, radius=1.0)
        if segment in _HATCHED:
            _hatch(pen, inner, y, size / 2 - 0.6)
        if segment in magnets:
            draw_magnet(pen, (0.0, y), machine["magnet.slider_diameter"] / 2, magnets[segment])
        pen.text((-inner + 4.2, y + size / 2 - 5.4), str(segment), 6.0, SLIDER_EDGE)


def draw_lone_magnet(machine: Machine, scale: float, polarity: int) -> Image.Image:
    """A magnet without its slider."""
    radius = machine["magnet.slider_diameter"] / 2
    pen = Pen(2 * radius + 4, 2 * radius + 4, scale)
    draw_magnet(pen, (0.0, 0.0), radius, polarity)
    return pen.finished()


def draw_magnet(pen: Pen, at: tuple[float, float], radius: float, polarity: int) -> None:
    """A magnet: + grips, - repels."""
    colour = MAGNET_GRIPS if polarity > 0 else MAGNET_REPELS
    mark = WHITE if polarity > 0 else INK
    pen.disc(at, radius + 1.4, faded(WHITE, 150))
    pen.disc(at, radius, colour, INK, 0.8)
    reach = radius * 0.5
    pen.line([(at[0] - reach, at[1]), (at[0] + reach, at[1])], mark, 1.4)
    if polarity > 0:
        pen.line([(at[0], at[1] - reach), (at[0], at[1] + reach)], mark, 1.4)


def _hatch(pen: Pen, half_width: float, y: float, half_height: float) -> None:
    """Slanted lines over a segment, cut off at its edges."""
    step = 7.0
    count = math.ceil(2 * (half_width + half_height) / step)
    for k in range(1, count):
        # The line x + (y' - bottom) = k·step, from where it enters the segment to where it leaves it.
        total = k * step
        low, high = max(total - 2 * half_height, 0.0), min(total, 2 * half_width)
        if low < high:
            points = [(-half_width + x, y - half_height + total - x) for x in (low, high)]
            pen.line(points, SLIDER_HATCH, 1.0)
