"""How much room words take, in the one font of all pictures: measured before they are drawn, so that nothing is cut."""

from __future__ import annotations

from functools import lru_cache

from twin.drawing.pen import font_of

TO_SPARE = 1.03
"""Screens round letters to whole pixels."""


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is at a size in pixels, with a little to spare."""
    return _length(text, bold) * size * TO_SPARE


def wrapped(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """A text in lines of at most so many pixels; a word that is longer than that, such as a path, is broken.

    >>> wrapped("one two three", 10.0, 55.0), wrapped("a/long/path", 10.0, 30.0)
    (['one two', 'three'], ['a/lon', 'g/pat', 'h'])
    """
    lines: list[str] = []
    for whole in text.split():
        word = whole
        while text_width(word, size, bold=bold) > width and len(word) > 1:
            fits = next((n for n in range(len(word) - 1, 1, -1) if text_width(word[:n], size, bold=bold) <= width), 1)
            lines.append(word[:fits])
            word = word[fits:]
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines or [""]


@lru_cache(maxsize=4096)
def _length(text: str, bold: bool) -> float:  # noqa: FBT001 - a cache's key
    return font_of(100, bold=bold).getlength(text) / 100
