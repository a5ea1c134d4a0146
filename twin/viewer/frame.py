"""Where the floor's millimetres lie in a picture: how large, and with which point in the middle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from twin.grid import Place

WIDTH: Final = 2 * 218.0
"""What must find room from left to right, mm: the board's corners while it turns."""

HEIGHT: Final = 2 * 242.0
"""From bottom to top: a slider that sticks out by two segments."""


@dataclass(frozen=True)
class Frame:
    """A part of a picture that shows the floor; pixels count from the bottom left."""

    scale: float
    """Pixels per mm."""
    centre: tuple[float, float]
    """The pixel on which the plug lies."""

    def to_pixels(self, place: Place) -> tuple[float, float]:
        """The pixel of a place (floor frame, mm)."""
        return self.centre[0] + place[0] * self.scale, self.centre[1] + place[1] * self.scale

    def to_place(self, pixel: tuple[float, float]) -> Place:
        """The place under a pixel, mm."""
        return (pixel[0] - self.centre[0]) / self.scale, (pixel[1] - self.centre[1]) / self.scale


def fitted(left: float, bottom: float, width: float, height: float) -> Frame:
    """The frame that shows everything as large as possible within a rectangle of pixels.

    >>> fitted(0, 0, 872, 968)
    Frame(scale=2.0, centre=(436, 484))
    """
    scale = max(min(width / WIDTH, height / HEIGHT), 0.05)
    return Frame(scale, (round(left + width / 2), round(bottom + height / 2)))
