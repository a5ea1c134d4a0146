"""The colours of all pictures, chosen so that people with any kind of colour vision can tell ghosts apart.

The four ghosts have the vermilion, yellow, green and blue of Okabe and Ito's palette, and a letter each.
"""

from __future__ import annotations

from typing import Final

Colour = tuple[int, int, int, int]
"""Red, green, blue and opacity, 0 to 255."""


def rgb(text: str, alpha: int = 255) -> Colour:
    """A colour from `#rrggbb`.

    >>> rgb("#0072b2")
    (0, 114, 178, 255)
    """
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16), alpha


def css(colour: Colour) -> str:
    """A colour as `#rrggbb`, for charts and pages.

    >>> css((0, 114, 178, 255))
    '#0072b2'
    """
    return f"#{bytes(colour[:3]).hex()}"


def blend(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two: `share` of the other."""
    r, g, b, a = (round(p + share * (q - p)) for p, q in zip(one, other, strict=True))
    return r, g, b, a


def faded(colour: Colour, alpha: int) -> Colour:
    """The same colour at another opacity."""
    return (*colour[:3], alpha)


WHITE: Final = rgb("#ffffff")
INK: Final = rgb("#20242d")
"""Outlines and letters on light ground."""

NIGHT: Final = rgb("#272c3a")
"""The table on which the game lies."""

PANEL: Final = rgb("#1d212c")
PANEL_LINE: Final = rgb("#3b4254")
PANEL_TEXT: Final = rgb("#e6e9f0")
PANEL_DIM: Final = rgb("#9aa3b8")
BUTTON: Final = rgb("#343b4d")
BUTTON_HOVER: Final = rgb("#465069")
BUTTON_ON: Final = rgb("#2f6f8f")
HIGHLIGHT: Final = rgb("#ffd166")
"""What is selected, and what waits for a decision."""

WRONG: Final = rgb("#ff8a66")
"""What the rules forbid."""

GHOSTS: Final = {
    "red": rgb("#d55e00"),
    "yellow": rgb("#f0e442"),
    "green": rgb("#009e73"),
    "blue": rgb("#0072b2"),
}

FLOOR: Final = rgb("#4b5165")
FLOOR_EDGE: Final = rgb("#363b4b")
FLOOR_STONE: Final = rgb("#555c72")
TUNNEL: Final = rgb("#2c303d")
SLIDER: Final = rgb("#c8a26a")
SLIDER_EDGE: Final = rgb("#7a5c30")
SLIDER_HATCH: Final = rgb("#9d7a45")
MAGNET_GRIPS: Final = rgb("#8f2fb0")
MAGNET_REPELS: Final = rgb("#e0e0e0")

ROOMS: Final = (rgb("#f4e7cb"), rgb("#e8ddc8"), rgb("#dfe3cf"), rgb("#f0d9c4"))
"""Tints of the rooms; no two that adjoin have the same."""

GRID: Final = rgb("#b9a888")
WALL: Final = rgb("#5b4636")
WALL_LIGHT: Final = rgb("#8a6d55")
PLUG: Final = rgb("#a9adb8")
PLUG_EDGE: Final = rgb("#5d6270")

PARTS: Final = {
    "headgear": rgb("#a6495a"),
    "face": rgb("#3f7f93"),
    "body": rgb("#6b7d3a"),
    "legs": rgb("#b07528"),
    "hand": rgb("#6f5a9e"),
}
"""Garments are painted in one hue for each part of the body."""

FORCE_MAGNET: Final = rgb("#7a1fa0")
FORCE_FRICTION: Final = rgb("#d98200")
FORCE_CONTACT: Final = rgb("#2bb3d6")
"""Arrows of forces carry no letters: they differ in lightness too, for those who take purple for blue."""

CHART_LINE: Final = "#333333"
CHART_GREY: Final = "#888888"
CHART_FAINT: Final = "#dddddd"
CHANCY: Final = "#aa3377"
"""Charts stand on white: lines and letters, what is less important, grids, and titles of what is chancy."""

BADGES: Final = {
    "fell": rgb("#a12626"),
    "blocked": rgb("#7c3a12"),
    "shoved": rgb("#8a4b00"),
    "caught": rgb("#6b2a8a"),
    "carried": rgb("#6b2a8a"),
    "held": rgb("#4b2a8a"),
    "left": rgb("#5b5f6b"),
    "rode": rgb("#2d6a4f"),
    "stayed": rgb("#44506b"),
    "dragged": rgb("#1b5fa8"),
}
