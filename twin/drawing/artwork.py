"""All pictures that scenes are put together from, at one scale, each drawn when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.drawing import board_picture, costume_picture, deck_picture, floor_picture, ghost_picture
from twin.drawing.palette import BADGES, GHOSTS, HIGHLIGHT, PANEL_DIM, Colour, faded

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from twin.board.machine import Machine

Key = tuple[str | int | float | bool | Colour, ...]
"""What a picture is called: a kind and its particulars, for example `("ghost", "red")`."""


class Artwork:
    """Pictures of one machine at `scale` pixels per mm; the same key gives the same picture."""

    def __init__(self, machine: Machine, scale: float) -> None:
        self.machine, self.scale = machine, scale
        self._made: dict[Key, Image.Image] = {}

    def picture(self, key: Key) -> Image.Image:
        """The picture of a key."""
        if key not in self._made:
            self._made[key] = self._draw(key)
        return self._made[key]

    def _draw(self, key: Key) -> Image.Image:
        kind, *particulars = key
        return _DRAWN[str(kind)](self.machine, self.scale, *particulars)


def _chance(machine: Machine, scale: float, colour: str) -> Image.Image:
    hue = GHOSTS[colour]
    return ghost_picture.draw_ring(machine.radius, 1.4, hue, scale, faded(hue, 110))


_DRAWN: Final[dict[str, Callable[..., Image.Image]]] = {
    "floor": floor_picture.draw_floor,
    "slider": lambda machine, scale, name, flipped: floor_picture.draw_slider(machine, name, scale, flipped=flipped),
    "magnet": floor_picture.draw_lone_magnet,
    "board": board_picture.draw_board,
    "shadow": board_picture.draw_shadow,
    "plug": board_picture.draw_plug,
    "handle": lambda _, scale, lit: ghost_picture.draw_handle(scale, HIGHLIGHT if lit else PANEL_DIM),
    "ghost": lambda machine, scale, colour: ghost_picture.draw_ghost(machine, colour, scale),
    "tick": ghost_picture.draw_tick,
    "outline": lambda machine, scale, colour: ghost_picture.draw_outline(machine, colour, scale),
    "selected": lambda machine, scale: ghost_picture.draw_ring(machine.radius + 3.4, 2.2, HIGHLIGHT, scale),
    "chance": _chance,
    "dot": lambda _, scale, colour: ghost_picture.draw_dot(GHOSTS[colour], scale),
    "choice": lambda machine, scale, colour: ghost_picture.draw_square(machine, GHOSTS[colour], scale),
    "shaft": lambda _, scale, tone: ghost_picture.draw_shaft(tone, scale),
    "head": lambda _, scale, tone: ghost_picture.draw_head(tone, scale),
    "badge": lambda _, scale, word: ghost_picture.draw_badge(word, BADGES[word], scale),
    "sign": lambda _, scale, words, tone: ghost_picture.draw_badge(words, tone, scale),
    "figure": costume_picture.draw_figure,
    "piece": costume_picture.draw_piece,
    "deck": deck_picture.draw_deck,
    "card": deck_picture.draw_card,
    "place": deck_picture.draw_place,
    "curtain": deck_picture.draw_curtain,
    "veil": deck_picture.draw_veil,
    "confetti": deck_picture.draw_confetti,
}
"""How each kind of picture is drawn, from the machine, the scale and the particulars of its key."""
