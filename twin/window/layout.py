"""How a window's pixels are shared out: the board, the strip under it, the panel beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

USUAL: Final = 15.5
"""The size of letters in a window of 800 pixels' height."""

USUAL_STRIP: Final = 46.0
"""Height of the strip under the board there, pixels."""

NARROWEST: Final = 640
"""In a narrower window there is no room for the side panel."""


@dataclass(frozen=True)
class Layout:
    """How a window's pixels are shared out."""

    width: float
    height: float
    panel: float
    """Width of the side panel."""

    @property
    def unit(self) -> float:
        """Size of the letters: larger in a larger window, readable from farther away."""
        return min(max(min(self.height / 800, self.width / 1100) * USUAL, 12.0), 26.0)

    @property
    def strip(self) -> float:
        """Height of the strip under the board."""
        return round(USUAL_STRIP * min(max(self.unit / USUAL, 0.85), 1.6))

    @property
    def stage(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of what is left for the board."""
        return 0.0, self.strip, max(self.width - self.panel, 1.0), max(self.height - self.strip, 1.0)


def layout_of(width: float, height: float, *, panel: bool) -> Layout:
    """The layout of a window."""
    if not panel or width < NARROWEST:
        return Layout(width, height, 0.0)
    return Layout(width, height, round(min(max(0.33 * width, 290.0), 640.0)))
