"""The strip under the board: the last move's time line, its clock, and how fast time passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.drawing.palette import BUTTON_ON, GHOSTS, HIGHLIGHT, NIGHT, PANEL, PANEL_DIM, PANEL_LINE, PANEL_TEXT, blend
from twin.drawing.text_measure import text_width
from twin.window.button import Button, paint_button
from twin.window.layout import USUAL_STRIP
from twin.window.sandbox_keys import tip_of

if TYPE_CHECKING:
    from twin.window.layout import Layout
    from twin.window.playback import Playback
    from twin.window.sandbox_session import SandboxSession
    from twin.window.screen.painter import Box, Painter


def paint_strip(
    painter: Painter, layout: Layout, session: SandboxSession, mouse: tuple[float, float]
) -> tuple[Box, list[Button]]:
    """Say the strip; returns the bar that can be dragged along, and the buttons."""
    width, strip = layout.stage[2], layout.strip
    grown, middle = strip / USUAL_STRIP, strip / 2
    size = 13.0 * grown
    painter.box(0, 0, width, strip, blend(NIGHT, PANEL, 0.7))
    playback = session.playback if session.live is None else None
    if playback is None or playback.timeline.duration <= 0.0:
        now = "you turn the board …" if session.live is not None else "no move yet"
        long = text_width(now, size) + 32 * grown
        bar = painter.box(18 * grown, middle - 4 * grown, max(width - 18 * grown - long, 1.0), 8 * grown, PANEL_LINE)
        painter.words(now, width - long + 16 * grown, middle + size * 0.62, size, PANEL_DIM)
        return bar, []
    word = "go on" if playback.paused else "again" if playback.over else "pause"
    wide = text_width("pause", size) + 16 * grown
    buttons = [_button(painter, (10 * grown, wide, strip), "pause", word, mouse)]
    clock = f"{playback.time:.2f} / {playback.timeline.duration:.2f} s"
    small = width < 460 * grown
    right = width - 10 * grown
    right = _speed(painter, playback, (right, strip, size), buttons, mouse)
    if not small:
        right -= text_width("0.00 / 0.00 s", size) + 14 * grown
        painter.words(clock, right, middle + size * 0.62, size, PANEL_TEXT)
    left = 10 * grown + wide + 14 * grown
    bar = painter.box(left, middle - 4 * grown, max(right - 14 * grown - left, 1.0), 8 * grown, PANEL_LINE)
    _time_line(painter, playback, bar, grown)
    return bar, buttons


def _time_line(painter: Painter, playback: Playback, bar: Box, grown: float) -> None:
    """How far the move has come, and when ghosts touched something, each in its colour."""
    share, middle = playback.time / playback.timeline.duration, bar.y + bar.height / 2
    painter.box(bar.x, bar.y, bar.width * share, bar.height, BUTTON_ON)
    trace = playback.timeline.trace
    for contact in [] if trace is None else trace.contacts[:40]:
        at = bar.x + bar.width * contact.time / playback.timeline.duration
        painter.box(at - grown, middle - 9 * grown, 2 * grown, 18 * grown, GHOSTS.get(contact.ghost, PANEL_DIM))
    painter.box(bar.x + bar.width * share - 4 * grown, middle - 11 * grown, 8 * grown, 22 * grown, HIGHLIGHT)


def _speed(
    painter: Painter,
    playback: Playback,
    area: tuple[float, float, float],
    buttons: list[Button],
    mouse: tuple[float, float],
) -> float:
    """Slower, how fast, faster; returns where they begin."""
    right, strip, size = area
    square, room = size * 1.7, text_width("×0.05", size) + size * 0.6
    buttons.append(_button(painter, (right - square, square, strip), "faster", "+", mouse))
    factor = f"×{playback.factor:g}"
    middle = right - square - room / 2
    tone = PANEL_TEXT if playback.factor == 1.0 else HIGHLIGHT
    painter.words(factor, middle - text_width(factor, size) / 2, strip / 2 + size * 0.62, size, tone)
    left = right - 2 * square - room
    buttons.append(_button(painter, (left, square, strip), "slower", "−", mouse))
    return left


def _button(
    painter: Painter, area: tuple[float, float, float], command: str, word: str, mouse: tuple[float, float]
) -> Button:
    x, wide, strip = area
    tall, size = strip * 0.58, strip * 13 / USUAL_STRIP
    y = (strip - tall) / 2
    box = paint_button(painter, (x, y, wide, tall), word, size, mouse)
    return Button(box, command, tip_of(command))
