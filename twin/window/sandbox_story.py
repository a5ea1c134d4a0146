"""What the side panel tells: messages, what happened, the forecast, and how long the arrows of forces are.

It is measured before it is said, and written smaller where there is much to tell: nothing is cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from twin.board.state import COLOURS
from twin.drawing.palette import (
    FORCE_CONTACT,
    FORCE_FRICTION,
    FORCE_MAGNET,
    GHOSTS,
    HIGHLIGHT,
    PANEL_DIM,
    PANEL_TEXT,
    WHITE,
    WRONG,
    blend,
)
from twin.drawing.scene_picture import arrow_length
from twin.drawing.text_measure import text_width, wrapped

if TYPE_CHECKING:
    from twin.drawing.palette import Colour
    from twin.window.sandbox_session import SandboxSession
    from twin.window.screen.painter import Painter

LINE: Final = 1.28
"""From line to line, in heights of letters."""

INDENT: Final = 1.35
"""Room for a spot in front of a sentence, in heights of letters."""

SMALLEST: Final = 0.72
"""Before letters become so much smaller than usual, something is left out."""

SAMPLES: Final = ((0.01, "10 mN"), (0.25, "250 mN"))
"""Forces whose arrows the legend shows."""


class StoryEntry(NamedTuple):
    """One thing to tell."""

    text: str
    tone: Colour = PANEL_TEXT
    spot: Colour | None = None
    """A spot in front of it, in the colour of the ghost that it is about."""
    bold: bool = False
    above: float = 0.3
    """Room above it, in heights of letters."""


def entries(session: SandboxSession, *, past: bool = True) -> list[StoryEntry]:
    """Everything that there is to tell; without the `past`, everything but what happened."""
    tone = WRONG if session.message_is_wrong else HIGHLIGHT
    found = [StoryEntry(line, tone) for line in session.message]
    if session.advice:
        found.append(StoryEntry(session.advice, HIGHLIGHT))
    sentences = session.sentences if past else []
    if sentences:
        found.append(StoryEntry("What happened", PANEL_DIM, bold=True, above=0.8))
        found += [_about(line) for line in sentences]
    heading, *chances = session.forecast_lines or [""]
    if heading:
        found.append(StoryEntry(heading, PANEL_DIM, bold=bool(chances), above=0.8))
        found += [_about(line) for line in chances]
    return found


def paint_story(
    painter: Painter, session: SandboxSession, area: tuple[float, float, float, float], unit: float
) -> float:
    """Say it all within `area` (left, top, width and height, pixels); returns where the next thing goes."""
    left, top, inner, room = area
    told = entries(session)
    size = _fitting(told, unit * 0.95, inner, room)
    if size < unit * SMALLEST:  # then the forecast, which was asked for last, comes before what is over
        told = entries(session, past=session.forecasting is None)
        size = _fitting(told, unit * 0.95, inner, room)
    for entry in told:
        top -= size * entry.above
        indent = size * INDENT if entry.spot is not None else 0.0
        if entry.spot is not None:
            painter.words("●", left, top, size, entry.spot)
        for line in wrapped(entry.text, size, inner - indent, bold=entry.bold):
            painter.words(line, left + indent, top, size, entry.tone, bold=entry.bold)
            top -= size * LINE
    return top


def legend_height(unit: float) -> float:
    """How much room the legend of forces takes, pixels."""
    return unit * 0.9 * 3.6


def paint_legend(painter: Painter, area: tuple[float, float, float], unit: float, scale: float) -> None:
    """Which arrow is which force, and how long they are at `scale` pixels per mm."""
    left, top, inner = area
    size = unit * 0.9
    words = ("magnets", "friction", "contacts")
    # Three entries of a stroke and a word, side by side.
    needed = sum(text_width(word, size) for word in words) + len(words) * size * 2.6
    size *= min(inner / needed, 1.0)
    x, top = left, top - size * 0.9
    for word, tone in zip(words, (FORCE_MAGNET, FORCE_FRICTION, FORCE_CONTACT), strict=True):
        painter.box(x, top - size * 0.85, size * 1.3, size * 0.5, blend(tone, WHITE, 0.25))
        painter.words(word, x + size * 1.7, top, size, PANEL_TEXT)
        x += size * 2.6 + text_width(word, size)
    x, top = left, top - size * 1.5
    for newtons, word in SAMPLES:
        long = arrow_length(newtons) * scale
        painter.box(x, top - size * 0.72, long, size * 0.2, PANEL_DIM)
        painter.words(word, x + long + size * 0.5, top, size, PANEL_DIM)
        x += long + size * 1.6 + text_width(word, size)


def _about(line: str) -> StoryEntry:
    who = line.split(" ", 1)[0].rstrip(":")
    return StoryEntry(line, spot=GHOSTS[who] if who in COLOURS else PANEL_DIM)


def _fitting(told: list[StoryEntry], size: float, inner: float, room: float) -> float:
    """The size, this one or a smaller one, at which all of it finds room."""
    for _ in range(8):  # smaller letters need fewer lines, too
        high = sum(_height(entry, size, inner) for entry in told)
        if high <= room:
            break
        size *= min(max(max(room, 0.0) / high, 0.5) ** 0.5, 0.98)
    return size


def _height(entry: StoryEntry, size: float, inner: float) -> float:
    indent = size * INDENT if entry.spot is not None else 0.0
    return size * (entry.above + LINE * len(wrapped(entry.text, size, inner - indent, bold=entry.bold)))
