"""Pictures without a window and without OpenGL: the stamps pasted one over the other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PIL import Image

from twin.drawing.palette import NIGHT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from twin.drawing.artwork import Artwork
    from twin.drawing.frame import Frame
    from twin.drawing.scene_picture import Stamp

_WHOLE: Final = 1e-6
"""Turns and shifts below this (degrees, pixels) leave a picture as it is."""


def pasted(stamps: Iterable[Stamp], artwork: Artwork, frame: Frame, size: tuple[int, int]) -> Image.Image:
    """A picture of `size` pixels; the artwork must be at the frame's scale."""
    canvas = Image.new("RGBA", size, NIGHT)
    for stamp in stamps:
        _paste(canvas, stamp, artwork, frame)
    return canvas.convert("RGB")


def _paste(canvas: Image.Image, stamp: Stamp, artwork: Artwork, frame: Frame) -> None:
    picture = artwork.picture(stamp.key)
    x, up = frame.to_pixels((stamp.x, stamp.y))
    y = canvas.height - up
    quarter, rest = divmod(stamp.turn + _WHOLE, 90.0)
    if rest < 2 * _WHOLE and stamp.stretch == 1.0:
        # Quarter turns keep every pixel, which is what makes a board at rest crisp.
        picture = _turned(picture, int(quarter) % 4)
        left, top = x - picture.width / 2, y - picture.height / 2
        if abs(left - round(left)) < 1e-3 and abs(top - round(top)) < 1e-3:
            _compose(canvas, _faded(picture, stamp.alpha), round(left), round(top))
            return
        turn = 0.0
    else:
        turn = math.radians(stamp.turn)
    # The rectangle of pixels that the turned picture touches, and from where in the picture each of them comes.
    cos, sin = math.cos(turn), math.sin(turn)
    half_w, half_h = picture.width * stamp.stretch / 2, picture.height / 2
    reach_x = abs(half_w * cos) + abs(half_h * sin) + 1
    reach_y = abs(half_w * sin) + abs(half_h * cos) + 1
    left, top = math.floor(x - reach_x), math.floor(y - reach_y)
    width, height = math.ceil(x + reach_x) - left, math.ceil(y + reach_y) - top
    dx, dy = left - x, top - y
    k = 1.0 / stamp.stretch
    data = (
        *(k * cos, k * sin, k * (cos * dx + sin * dy) + picture.width / 2),
        *(-sin, cos, -sin * dx + cos * dy + picture.height / 2),
    )
    turned = picture.transform((width, height), Image.Transform.AFFINE, data, Image.Resampling.BICUBIC)
    _compose(canvas, _faded(turned, stamp.alpha), left, top)


def _turned(picture: Image.Image, quarters: int) -> Image.Image:
    ways = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_90}
    return picture.transpose(ways[quarters]) if quarters else picture


def _faded(picture: Image.Image, alpha: int) -> Image.Image:
    if alpha == 255:
        return picture
    faded = picture.copy()
    faded.putalpha(picture.getchannel("A").point(lambda a: a * alpha // 255))
    return faded


def _compose(canvas: Image.Image, picture: Image.Image, left: int, top: int) -> None:
    """Lay a picture over the canvas, cut off at its edges."""
    box = (
        max(-left, 0),
        max(-top, 0),
        min(canvas.width - left, picture.width),
        min(canvas.height - top, picture.height),
    )
    if box[0] < box[2] and box[1] < box[3]:
        canvas.alpha_composite(picture, (left + box[0], top + box[1]), box)
