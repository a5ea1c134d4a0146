"""A pen that draws in millimetres on a picture that is larger than needed, and hands it over smoothly shrunk."""

from __future__ import annotations

import math
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.drawing.palette import Colour

FINER: Final = 3
"""Pictures are drawn this many times as large and then shrunk: edges become smooth."""

FINEST: Final = 2400
"""Larger pictures than this many pixels a side are drawn at twice the size only: more would not be visible."""

Point = tuple[float, float]


class Pen:
    """A transparent picture of `width` × `height` mm with its origin in the middle, y up.

    >>> Pen(10.0, 20.0, 2.0).finished().size
    (20, 40)
    """

    def __init__(self, width: float, height: float, scale: float) -> None:
        # Even numbers of pixels, so that the middle lies between pixels in both directions, on every picture.
        self.size = (2 * max(math.ceil(width * scale / 2), 1), 2 * max(math.ceil(height * scale / 2), 1))
        self.finer = FINER if max(self.size) * FINER <= FINEST else 2
        self.scale = scale * self.finer
        self.image = Image.new("RGBA", (self.size[0] * self.finer, self.size[1] * self.finer), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self.image)

    def finished(self) -> Image.Image:
        """The picture at its own size."""
        return self.image.reduce(self.finer)

    def at(self, point: Point) -> Point:
        """A point in pixels of the large picture."""
        return self.image.width / 2 + point[0] * self.scale, self.image.height / 2 - point[1] * self.scale

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """A filled shape."""
        self._draw.polygon([self.at(point) for point in points], fill=fill)

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """A line with round joints and ends, `width` in mm."""
        pixels = max(round(width * self.scale), 1)
        placed = [self.at(point) for point in points]
        self._draw.line(placed, fill=colour, width=pixels, joint="curve")
        r = (pixels - 1) / 2
        for x, y in (placed[0], placed[-1]):
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def disc(
        self, centre: Point, radius: float, fill: Colour | None, outline: Colour | None = None, width: float = 0.0
    ) -> None:
        """A disc, its outline drawn inwards."""
        self.oval(centre, (radius, radius), fill, outline, width)

    def oval(
        self, centre: Point, radii: Point, fill: Colour | None, outline: Colour | None = None, width: float = 0.0
    ) -> None:
        """An oval with its axes along x and y."""
        x, y = self.at(centre)
        rx, ry = radii[0] * self.scale, radii[1] * self.scale
        box = (x - rx, y - ry, x + rx, y + ry)
        self._draw.ellipse(box, fill=fill, outline=outline, width=max(round(width * self.scale), 1) if outline else 0)

    def arc(self, centre: Point, radius: float, angles: Point, colour: Colour, width: float) -> None:
        """Part of a circle from one angle to another, degrees counterclockwise from east."""
        steps = 24
        start, end = angles
        points = []
        for k in range(steps + 1):
            a = math.radians(start + (end - start) * k / steps)
            points.append((centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)))
        self.line(points, colour, width)

    def box(
        self, corner: Point, other: Point, fill: Colour | None, radius: float = 0.0, outline: Colour | None = None,
        width: float = 0.0,
    ) -> None:  # fmt: skip
        """A rectangle between two corners, rounded by `radius` mm."""
        (x0, y0), (x1, y1) = self.at(corner), self.at(other)
        area = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        pixels = max(round(width * self.scale), 1) if outline else 0
        self._draw.rounded_rectangle(area, radius * self.scale, fill=fill, outline=outline, width=pixels)

    def cut(self, corner: Point, other: Point, radius: float) -> None:
        """Leave nothing beyond a rounded rectangle, and nothing transparent within it."""
        (x0, y0), (x1, y1) = self.at(corner), self.at(other)
        mask = Image.new("L", self.image.size, 0)
        area = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        ImageDraw.Draw(mask).rounded_rectangle(area, radius * self.scale, fill=255)
        self.image.putalpha(mask)

    def text(self, centre: Point, words: str, size: float, colour: Colour, *, bold: bool = True) -> None:
        """Words around a point; `size` is the height of a line in mm."""
        font = font_of(max(round(size * self.scale), 4), bold=bold)
        self._draw.text(self.at(centre), words, font=font, fill=colour, anchor="mm")


@lru_cache(maxsize=64)
def font_of(pixels: int, *, bold: bool) -> ImageFont.FreeTypeFont:
    """The font of all pictures at a size in pixels."""
    return ImageFont.truetype(str(font_file(bold=bold)), pixels)


def font_file(*, bold: bool) -> Path:
    """DejaVu Sans, which comes with matplotlib: found without loading matplotlib, and the same on every machine."""
    home = find_spec("matplotlib")
    if home is None or home.origin is None:
        raise ModuleNotFoundError(name="matplotlib")
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return Path(home.origin).parent / "mpl-data" / "fonts" / "ttf" / name


def star(points: int, outer: float, inner: float, centre: Point = (0.0, 0.0)) -> list[Point]:
    """The outline of a star."""
    found = []
    for k in range(2 * points):
        radius, angle = (outer if k % 2 == 0 else inner), math.pi / 2 + k * math.pi / points
        found.append((centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)))
    return found
