"""The garments as simple shapes of our own, about 20 mm across, in the hue of the part of the body they are worn on.

A shape is a list of strokes: what is drawn, in which of four tones, and its numbers in mm. Garments with names of
their own, from other machine files, are shown by the plain shape of their part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.drawing.palette import INK, PARTS, WHITE, Colour, blend
from twin.drawing.pen import star

if TYPE_CHECKING:
    from twin.board.castle import Garment
    from twin.drawing.pen import Pen

Stroke = tuple[str, str, tuple[float, ...]]
"""`fill` (points), `line` (width, points), `oval` (x, y, radius x, radius y), `ring` (x, y, radius, width), `arc`
(x, y, radius, from, to, width) or `star` (points, outer, inner, x, y); a tone; and numbers."""

_HAT: Final = (("oval", "main", (0, -4, 10, 2.6)), ("fill", "main", (-5, -4, -4, 5, 4, 5, 5, -4)))

SHAPES: Final[dict[str, tuple[Stroke, ...]]] = {
    "sombrero": (
        ("oval", "dark", (0, -4, 11, 4)),
        ("oval", "main", (0, -3.2, 10.4, 3.4)),
        ("fill", "main", (-4.5, -3, -3, 6, 0, 7, 3, 6, 4.5, -3)),
        ("line", "light", (1.4, -4.4, -2.2, 0, -3.2, 4.4, -2.2)),
    ),
    "feather crown": (
        ("fill", "light", (-9, -3, -10, 5, -6, 1)),
        ("fill", "main", (-6.5, -2, -6, 8, -2.5, 0)),
        ("fill", "light", (-2.6, 0, 0, 9.5, 2.6, 0)),
        ("fill", "main", (2.5, 0, 6, 8, 6.5, -2)),
        ("fill", "light", (6, 1, 10, 5, 9, -3)),
        ("line", "dark", (3, -8.5, -3.5, 0, -1.8, 8.5, -3.5)),
    ),
    "top hat": (
        ("oval", "dark", (0, -6, 9.5, 2.6)),
        ("fill", "main", (-6, -5.6, -6.4, 7, 6.4, 7, 6, -5.6)),
        ("oval", "dark", (0, 7, 6.4, 1.8)),
        ("line", "light", (2.2, -5.6, -3, 5.6, -3)),
    ),
    "bobble hat": (
        ("fill", "main", (-8, -4, -7, 2, -3.5, 5.4, 3.5, 5.4, 7, 2, 8, -4)),
        ("line", "light", (3.4, -7.6, -5, 7.6, -5)),
        ("oval", "light", (0, 7.4, 3, 3)),
        ("line", "dark", (1.0, -3, -3, -2, 4.6)),
        ("line", "dark", (1.0, 3, -3, 2, 4.6)),
    ),
    "diving mask": (
        ("line", "dark", (2.2, -10, 1, 10, 1)),
        ("oval", "main", (0, 1, 8.4, 6.2)),
        ("oval", "white", (0, 1.4, 6.4, 4.2)),
        ("line", "dark", (1.8, 8.6, -5, 8.6, 8)),
        ("arc", "light", (-2, 2, 2.6, 100, 190, 1.0)),
    ),
    "cat mask": (
        ("fill", "main", (-9, 9, -9, -1, -5, -6, 0, -7.5, 5, -6, 9, -1, 9, 9, 4, 4.6, -4, 4.6)),
        ("oval", "white", (-4, 0.5, 2.4, 1.8)),
        ("oval", "white", (4, 0.5, 2.4, 1.8)),
        ("oval", "dark", (-4, 0.5, 0.9, 1.8)),
        ("oval", "dark", (4, 0.5, 0.9, 1.8)),
        ("fill", "light", (-1.4, -3, 1.4, -3, 0, -4.8)),
        ("line", "dark", (0.7, 2, -4.4, 9, -3.2)),
        ("line", "dark", (0.7, -2, -4.4, -9, -3.2)),
    ),
    "false beard": (
        ("line", "dark", (1.0, -9, 7, -7, 3)),
        ("line", "dark", (1.0, 9, 7, 7, 3)),
        ("fill", "main", (-8, 4, -7, -4, -3, -9, 0, -7, 3, -9, 7, -4, 8, 4, 4, 5.4, 0, 4, -4, 5.4)),
        ("oval", "light", (0, 1.2, 3, 1.3)),
        ("arc", "dark", (-3.4, -2.6, 2.2, 200, 330, 0.8)),
        ("arc", "dark", (3.4, -2.6, 2.2, 210, 340, 0.8)),
    ),
    "star-shaped glasses": (
        ("star", "main", (5, 6.4, 3.2, -5, 0)),
        ("star", "main", (5, 6.4, 3.2, 5, 0)),
        ("star", "white", (5, 3.6, 1.8, -5, 0)),
        ("star", "white", (5, 3.6, 1.8, 5, 0)),
        ("line", "dark", (1.2, -1.2, 1, 1.2, 1)),
    ),
    "pirate coat": (
        ("fill", "main", (-4, 8, -10, 4, -8, -1, -5.4, 1, -7, -9, 7, -9, 5.4, 1, 8, -1, 10, 4, 4, 8)),
        ("fill", "light", (-3, 8, 0, 1, 3, 8)),
        ("line", "dark", (0.8, 0, 1, 0, -9)),
        ("oval", "light", (2, -1.5, 0.9, 0.9)),
        ("oval", "light", (2, -4.5, 0.9, 0.9)),
        ("oval", "light", (-2, -1.5, 0.9, 0.9)),
        ("oval", "light", (-2, -4.5, 0.9, 0.9)),
    ),
    "poncho": (
        ("fill", "main", (-2, 8, -11, -4, 0, -9.5, 11, -4, 2, 8)),
        ("line", "light", (1.5, -7.4, 0, 0, -4, 7.4, 0)),
        ("line", "dark", (1.2, -9, -2.4, 0, -6.8, 9, -2.4)),
        ("oval", "dark", (0, 7, 2.6, 1.6)),
    ),
    "life jacket": (
        ("fill", "main", (-7, 7, -7.6, -8, -0.6, -8, -0.6, 2, -3, 8)),
        ("fill", "main", (7, 7, 7.6, -8, 0.6, -8, 0.6, 2, 3, 8)),
        ("line", "light", (1.6, -7.2, -1, 7.2, -1)),
        ("line", "light", (1.6, -7.4, -5, 7.4, -5)),
        ("oval", "dark", (0, -1, 1.2, 1.2)),
        ("oval", "dark", (0, -5, 1.2, 1.2)),
    ),
    "spotted bathrobe": (
        ("fill", "main", (-3, 8, -10, 3, -7.6, -1, -5.4, 0.6, -6.6, -9, 6.6, -9, 5.4, 0.6, 7.6, -1, 10, 3, 3, 8)),
        ("line", "dark", (1.6, -5.8, -2.2, 5.8, -2.2)),
        ("oval", "light", (-3.2, 2.4, 1.2, 1.2)),
        ("oval", "light", (3.2, 3.4, 1.2, 1.2)),
        ("oval", "light", (-3, -5.6, 1.2, 1.2)),
        ("oval", "light", (3.2, -6, 1.2, 1.2)),
        ("line", "light", (0.9, -2, 7.6, 0, 1, 2, 7.6)),
    ),
    "lederhosen": (
        ("line", "dark", (1.6, -4.4, 2, -4, 9)),
        ("line", "dark", (1.6, 4.4, 2, 4, 9)),
        ("line", "dark", (1.6, -4, 5.4, 4, 5.4)),
        ("fill", "main", (-7, 2.6, -8, -8, -1, -8, 0, -2.6, 1, -8, 8, -8, 7, 2.6)),
        ("fill", "light", (-2.6, 2.6, -2, -1.2, 2, -1.2, 2.6, 2.6)),
    ),
    "tutu": (
        ("oval", "light", (0, -3.4, 11, 4.6)),
        ("fill", "main", (-3.4, 3, -10, -3, -6.6, -6.4, -3.4, -4.6, 0, -7, 3.4, -4.6, 6.6, -6.4, 10, -3, 3.4, 3)),
        ("fill", "dark", (-3.4, 3, -3.8, 7, 3.8, 7, 3.4, 3)),
    ),
    "striped stockings": (
        ("fill", "main", (-7, 9, -6.6, -5, -9.6, -8.6, -2.4, -8.6, -2, 9)),
        ("fill", "main", (7, 9, 6.6, -5, 9.6, -8.6, 2.4, -8.6, 2, 9)),
        *(("line", "light", (1.3, -6, y, -2.9, y)) for y in (6.4, 2.8, -0.8, -4.4)),
        *(("line", "light", (1.3, 2.9, y, 6, y)) for y in (6.4, 2.8, -0.8, -4.4)),
    ),
    "flippers": (
        ("fill", "main", (-4.6, 7, -2, 7, -0.8, -9, -9.4, -9)),
        ("fill", "main", (2, 7, 4.6, 7, 9.4, -9, 0.8, -9)),
        ("oval", "dark", (-3.4, 6, 2.4, 2.6)),
        ("oval", "dark", (3.4, 6, 2.4, 2.6)),
        ("line", "light", (0.8, -3.6, 2, -5, -7.4)),
        ("line", "light", (0.8, 3.6, 2, 5, -7.4)),
    ),
    "wand": (
        ("line", "dark", (2.0, -8, -8, 4, 4)),
        ("star", "main", (5, 6, 2.6, 5, 5)),
        ("oval", "light", (-4, 6, 0.9, 0.9)),
        ("oval", "light", (7.6, -3.4, 0.9, 0.9)),
        ("oval", "light", (0, 8.4, 0.7, 0.7)),
    ),
    "umbrella": (
        ("line", "dark", (1.4, 0, 7, 0, -7)),
        ("arc", "dark", (2, -7, 2, 180, 360, 1.4)),
        ("fill", "main", (-10, 0, -8, 5, -4, 8, 0, 9, 4, 8, 8, 5, 10, 0, 6.6, 1.6, 3.4, 0, 0, 1.6, -3.4, 0, -6.6, 1.6)),
        ("line", "light", (0.8, -3.4, 0.4, 0, 8.6)),
        ("line", "light", (0.8, 3.4, 0.4, 0, 8.6)),
    ),
    "butterfly net": (
        ("line", "dark", (1.6, -9, -9, 1, 1)),
        ("fill", "light", (-1.4, 5, 5, -1.4, 10, -3, 0, -2)),
        ("oval", "light", (4, 4, 5.4, 5.4)),
        ("ring", "main", (4, 4, 5.8, 1.5)),
        ("line", "main", (0.6, 0, 2, 8, 5)),
        ("line", "main", (0.6, 2, 0, 5, 8)),
    ),
    "storm lantern": (
        ("arc", "dark", (0, 5, 4, 0, 180, 1.2)),
        ("fill", "main", (-5, 5, 5, 5, 4, 2.6, -4, 2.6)),
        ("fill", "light", (-4, 2.6, 4, 2.6, 4.6, -5, -4.6, -5)),
        ("oval", "white", (0, -2, 1.8, 2.8)),
        ("fill", "main", (-5.6, -5, 5.6, -5, 5.6, -8, -5.6, -8)),
        ("line", "dark", (0.8, -4, 2.6, -4.6, -5)),
        ("line", "dark", (0.8, 4, 2.6, 4.6, -5)),
    ),
}
"""Shapes of the garments by name."""

PLAIN: Final[dict[str, tuple[Stroke, ...]]] = {
    "headgear": _HAT,
    "face": SHAPES["cat mask"],
    "body": SHAPES["poncho"],
    "legs": SHAPES["lederhosen"],
    "hand": SHAPES["wand"],
}
"""Shapes by part of the body, for garments of other names."""


def draw_garment(pen: Pen, centre: tuple[float, float], garment: Garment, size: float = 1.0) -> None:
    """Draw a garment around a point, `size` times as large as described."""
    main = PARTS[garment.part]
    tones = {"main": main, "dark": blend(main, INK, 0.45), "light": blend(main, WHITE, 0.55), "white": WHITE}
    for kind, tone, numbers in SHAPES.get(garment.name, PLAIN[garment.part]):
        _stroke(pen, centre, kind, tones[tone], tuple(size * n for n in numbers), numbers)


def _stroke(
    pen: Pen, centre: tuple[float, float], kind: str, colour: Colour, sized: tuple[float, ...], raw: tuple[float, ...]
) -> None:
    cx, cy = centre
    match kind:
        case "fill":
            pen.polygon([(cx + x, cy + y) for x, y in zip(sized[::2], sized[1::2], strict=True)], colour)
        case "line":
            pen.line([(cx + x, cy + y) for x, y in zip(sized[1::2], sized[2::2], strict=True)], colour, sized[0])
        case "oval":
            pen.oval((cx + sized[0], cy + sized[1]), (sized[2], sized[3]), colour)
        case "ring":
            pen.disc((cx + sized[0], cy + sized[1]), sized[2], None, colour, sized[3])
        case "arc":
            pen.arc((cx + sized[0], cy + sized[1]), sized[2], (raw[3], raw[4]), colour, sized[5])
        case "star":
            pen.polygon(star(round(raw[0]), sized[1], sized[2], (cx + sized[3], cy + sized[4])), colour)
