"""The stamps of a scene as arcade sprites: all in one list and one texture, so that a picture is one call to OpenGL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import arcade

from twin.drawing.artwork import Artwork

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.drawing.artwork import Key
    from twin.drawing.frame import Frame
    from twin.drawing.scene_picture import Stamp

ATLAS: Final = (2048, 2048)
"""Size of the texture that holds all pictures, pixels; it grows if it must."""

_BOX: Final = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
"""Nobody collides with anything here: any outline will do, and none has to be computed."""


class Stage:
    """Draws stamps. Pictures are made for the frame's scale and the screen's pixels, and anew when those change."""

    def __init__(self, machine: Machine, frame: Frame, ratio: float) -> None:
        self.frame = frame
        self._moved = False
        self._make(machine, frame.scale * ratio)

    def suits(self, machine: Machine, frame: Frame, ratio: float) -> bool:
        """Whether the pictures are those of this machine, sharp at this scale."""
        art = self.artwork
        return art.machine is machine and abs(art.scale - frame.scale * ratio) < 1e-6

    def remake(self, machine: Machine, frame: Frame, ratio: float) -> None:
        """Make all pictures anew."""
        self.frame = frame
        self._make(machine, frame.scale * ratio)

    def show(self, stamps: list[Stamp]) -> None:
        """Let the sprites be these stamps; only what has changed is touched."""
        stretch = self.frame.scale / self.artwork.scale
        for index, stamp in enumerate(stamps):
            if index < len(self._shown) and self._shown[index] == stamp and not self._moved:
                continue
            if index == len(self._sprites):
                self._sprites.append(arcade.Sprite(self._texture(stamp.key)))
                self._shown.append(None)
            sprite = self._sprites[index]
            shown = self._shown[index]
            if shown is None or shown.key != stamp.key:
                sprite.texture = self._texture(stamp.key)
            sprite.position = self.frame.to_pixels((stamp.x, stamp.y))
            sprite.angle = stamp.turn
            sprite.scale = (stretch * stamp.stretch, stretch)
            sprite.alpha = stamp.alpha
            self._shown[index] = stamp
        for index in range(len(stamps), len(self._sprites)):
            if self._shown[index] is not None:
                self._sprites[index].alpha = 0
                self._shown[index] = None
        self._moved = False

    def move_to(self, frame: Frame) -> None:
        """Show everything in another frame, stretched if need be."""
        self.frame = frame
        self._moved = True

    def draw(self) -> None:
        """Draw what is shown."""
        self._sprites.draw()

    def _make(self, machine: Machine, scale: float) -> None:
        self.artwork = Artwork(machine, scale)
        self._atlas = arcade.DefaultTextureAtlas(ATLAS)
        self._sprites: arcade.SpriteList[arcade.Sprite] = arcade.SpriteList(atlas=self._atlas, capacity=512)
        self._textures: dict[Key, arcade.Texture] = {}
        self._shown: list[Stamp | None] = []
        self._moved = False

    def _texture(self, key: Key) -> arcade.Texture:
        if key not in self._textures:
            self._textures[key] = arcade.Texture(self.artwork.picture(key), hit_box_points=_BOX)
        return self._textures[key]
