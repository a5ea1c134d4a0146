"""Where the floor's millimetres lie in a picture: how large, and with which point in the middle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from twin.board.grid import Place

WIDTH: Final = 2 * 218.0
"""What must find room from left to right, mm: the board's corners while it turns, and ghosts that fall off there."""

HEIGHT: Final = 2 * 242.0
"""From bottom to top: a slider that sticks out by two segments."""

STILL: Final = 2 * 164.0
"""What a board needs that is not turned, with the numbers of the tunnels and the tabs of sliders beside it, mm."""

OUT: Final = 2 * 40.0
"""What each segment by which a slider sticks out needs besides, mm."""


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


def room_for(farthest: int, *, turning: bool) -> tuple[float, float]:
    """Width and height, mm, for a board that turns or not, and sliders that stick out by so many segments at most.

    >>> room_for(0, turning=False), room_for(2, turning=True)
    ((328.0, 328.0), (436.0, 488.0))
    """
    least = WIDTH if turning else STILL
    return least, max(least, STILL + OUT * farthest)


def fitted(
    left: float, bottom: float, width: float, height: float, room: tuple[float, float] = (WIDTH, HEIGHT)
) -> Frame:
    """The frame that shows `room` (width and height, mm) as large as possible within a rectangle of pixels.

    >>> fitted(0, 0, 872, 968)
    Frame(scale=2.0, centre=(436, 484))
    """
    scale = max(min(width / room[0], height / room[1]), 0.05)
    return Frame(scale, (round(left + width / 2), round(bottom + height / 2)))
