"""A pen that writes SVG: what is drawn for the window is drawn for pages by the same strokes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from twin.drawing.pen import Pen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.drawing.palette import Colour
    from twin.drawing.pen import Point


class SvgPen(Pen):
    """Elements of SVG in millimetres with the origin in the middle; their y runs down, the pen's y up.

    >>> pen = SvgPen()
    >>> pen.disc((1.0, 2.0), 3.0, (255, 0, 0, 255))
    >>> pen.written()
    '<ellipse cx="1" cy="-2" rx="3" ry="3" fill="#ff0000"/>'
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._clip = ""

    def written(self) -> str:
        """What was drawn, as elements to put into an SVG."""
        inside = "".join(self._parts)
        return f'<g style="clip-path:{self._clip}">{inside}</g>' if self._clip else inside

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """Draw a filled shape."""
        self._parts.append(f'<path d="{path_of(points)}z"{_paint("fill", fill)}/>')

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """Draw a line with round joints and ends."""
        self._parts.append(
            f'<path d="{path_of(points)}" fill="none" stroke-linecap="round" stroke-linejoin="round"'
            f"{_paint('stroke', colour)}{_width(width)}/>"
        )

    def oval(
        self, centre: Point, radii: Point, fill: Colour | None, outline: Colour | None = None, width: float = 0.0
    ) -> None:
        """Draw an oval with its axes along x and y, its outline inwards."""
        inset = width / 2 if outline else 0.0
        place = f'cx="{_number(centre[0])}" cy="{_number(-centre[1])}"'
        size = f'rx="{_number(radii[0] - inset)}" ry="{_number(radii[1] - inset)}"'
        self._parts.append(f"<ellipse {place} {size}{_area(fill, outline, width)}/>")

    def box(
        self, corner: Point, other: Point, fill: Colour | None, radius: float = 0.0, outline: Colour | None = None,
        width: float = 0.0,
    ) -> None:  # fmt: skip
        """Draw a rectangle between two corners, rounded by `radius` mm, its outline inwards."""
        inset = width / 2 if outline else 0.0
        left, top = min(corner[0], other[0]) + inset, -max(corner[1], other[1]) + inset
        wide, high = (abs(a - b) - 2 * inset for a, b in zip(corner, other, strict=True))
        place = f'x="{_number(left)}" y="{_number(top)}" width="{_number(wide)}" height="{_number(high)}"'
        rounded = f' rx="{_number(radius)}"' if radius else ""
        self._parts.append(f"<rect {place}{rounded}{_area(fill, outline, width)}/>")

    def cut(self, corner: Point, other: Point, radius: float) -> None:  # noqa: ARG002 - all that is drawn fills the box
        """Round the corners of what is drawn, which must fill the rectangle and nothing beyond it."""
        self._clip = f"inset(0 round {_number(radius)}px) fill-box"

    def text(self, centre: Point, words: str, size: float, colour: Colour, *, bold: bool = True) -> None:
        """Write words around a point; `size` is the height of a line in mm."""
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(
            f'<text x="{_number(centre[0])}" y="{_number(-centre[1])}" dy=".36em" text-anchor="middle"'
            f' font-size="{_number(size)}"{weight}{_paint("fill", colour)}>{escape(words)}</text>'
        )

    def put(self, element: str) -> None:
        """Add an element as it is."""
        self._parts.append(element)


def path_of(points: Sequence[Point]) -> str:
    """Straight lines from point to point, as the data of a path.

    >>> path_of([(0.0, 1.0), (2.5, 0.0)])
    'M0,-1L2.5,0'
    """
    return "M" + "L".join(f"{_number(x)},{_number(-y)}" for x, y in points)


def _number(value: float) -> str:
    """A length to a hundredth of a millimetre."""
    return f"{round(value, 2) + 0.0:g}"


def _paint(what: str, colour: Colour) -> str:
    red, green, blue, alpha = colour
    opacity = f' {what}-opacity="{alpha / 255:.2f}"' if alpha < 255 else ""
    return f' {what}="#{red:02x}{green:02x}{blue:02x}"{opacity}'


def _width(width: float) -> str:
    return f' stroke-width="{_number(width)}"'


def _area(fill: Colour | None, outline: Colour | None, width: float) -> str:
    inside = _paint("fill", fill) if fill else ' fill="none"'
    return inside + (_paint("stroke", outline) + _width(width) if outline else "")
