"""The side panel and the time line: buttons, what happened in sentences, the forecast, and the clock."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.state import COLOURS
from twin.viewer.keys import TEXTS, key_name
from twin.viewer.palette import (
    BUTTON,
    BUTTON_HOVER,
    BUTTON_ON,
    FORCE_CONTACT,
    FORCE_FRICTION,
    FORCE_MAGNET,
    GHOSTS,
    HIGHLIGHT,
    NIGHT,
    PANEL,
    PANEL_DIM,
    PANEL_LINE,
    PANEL_TEXT,
    WHITE,
    WRONG,
    blend,
)

if TYPE_CHECKING:
    from twin.viewer.screen.painter import Box, Painter
    from twin.viewer.session import Session

STRIP: Final = 46
"""Height of the time line, pixels."""

NARROWEST: Final = 640
"""In a narrower window there is no room for the side panel."""

BUTTONS: Final = (
    *(("turn_ccw", "⟲ turn"), ("turn_cw", "⟳ turn"), ("forecast", "forecast")),
    *(("undo", "undo"), ("redo", "redo"), ("reset", "reset")),
    *(("random", "random"), ("save", "save …"), ("load", "load …")),
    *(("hidden", "under it"), ("forces", "forces"), ("help", "keys  ?")),
)


class Button(NamedTuple):
    """Something to click on."""

    box: Box
    command: str

    @property
    def tip(self) -> str:
        """What it does, and its key."""
        return f"{TEXTS[self.command]}  [{key_name(self.command)}]"


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
        return min(max(self.height / 800 * 14.5, 12.0), 26.0)

    @property
    def stage(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of what is left for the board."""
        return 0.0, STRIP, max(self.width - self.panel, 1.0), max(self.height - STRIP, 1.0)


def layout_of(width: float, height: float, *, panel: bool) -> Layout:
    """The layout of a window."""
    if not panel or width < NARROWEST:
        return Layout(width, height, 0.0)
    return Layout(width, height, round(min(max(0.33 * width, 290.0), 560.0)))


def paint_panel(painter: Painter, layout: Layout, session: Session, mouse: tuple[float, float]) -> list[Button]:
    """Say the side panel; returns its buttons."""
    if layout.panel == 0.0:
        return []
    left, unit = layout.width - layout.panel, layout.unit
    pad = unit
    inner = layout.panel - 2 * pad
    painter.box(left, 0, layout.panel, layout.height, PANEL)
    painter.box(left, 0, 2, layout.height, PANEL_LINE)
    sandbox = session.sandbox
    top = layout.height - pad
    top -= painter.words(sandbox.scene.title, left + pad, top, unit * 1.25, PANEL_TEXT, width=inner, bold=True)
    turned = ("not turned", "turned once", "turned twice", "turned three times")[sandbox.state.orientation]
    top -= painter.words(
        f"machine {session.machine.name} · board {turned}", left + pad, top - 2, unit * 0.85, PANEL_DIM, width=inner
    )  # fmt: skip
    top -= pad
    buttons = []
    on = {"hidden": session.layers.hidden, "forces": session.layers.forces, "forecast": session.forecasting is not None}
    off = {"undo": not sandbox.can_undo, "redo": not sandbox.can_redo}
    wide, tall, gap = (inner - 2 * 6) / 3, unit * 1.9, 6
    for number, (command, word) in enumerate(BUTTONS):
        x = left + pad + (number % 3) * (wide + gap)
        y = top - tall - (number // 3) * (tall + gap)
        hover = x <= mouse[0] <= x + wide and y <= mouse[1] <= y + tall
        ground = BUTTON_ON if on.get(command) else BUTTON_HOVER if hover else BUTTON
        box = painter.box(x, y, wide, tall, ground)
        ink = PANEL_DIM if off.get(command) else WHITE
        painter.words(word, x + unit * 0.55, y + tall - unit * 0.38, unit * 0.92, ink)
        buttons.append(Button(box, command))
    top -= (len(BUTTONS) + 2) // 3 * (tall + gap) + pad * 0.6
    top = _sentences(painter, session, (left + pad, top, inner), unit)
    if session.layers.forces:
        top = _legend(painter, (left + pad, top, inner), unit)
    _history(painter, session, (left + pad, unit * 0.9, inner), unit)
    return buttons


def paint_strip(painter: Painter, layout: Layout, session: Session) -> Box:
    """Say the time line under the board; returns the bar that can be dragged along."""
    width = layout.stage[2]
    painter.box(0, 0, width, STRIP, blend(NIGHT, PANEL, 0.7))
    playback = session.playback if session.live is None else None
    left, right = 92.0, max(width - 190.0, 140.0)
    bar = painter.box(left, STRIP / 2 - 4, right - left, 8, PANEL_LINE)
    unit = 13.0
    if playback is None or playback.timeline.duration <= 0.0:
        now = "turning by hand …" if session.live is not None else "no move yet"
        painter.words(now, right + 14, STRIP / 2 + 8, unit, PANEL_DIM)
        return bar
    share = playback.time / playback.timeline.duration
    painter.box(left, STRIP / 2 - 4, (right - left) * share, 8, BUTTON_ON)
    trace = playback.timeline.trace
    if trace is not None:
        for contact in trace.contacts[:40]:
            at = left + (right - left) * contact.time / playback.timeline.duration
            painter.box(at - 1, STRIP / 2 - 9, 2, 18, GHOSTS.get(contact.ghost, PANEL_DIM))
    painter.box(left + (right - left) * share - 4, STRIP / 2 - 11, 8, 22, HIGHLIGHT)
    word = "paused" if playback.paused else "replay" if playback.over else "playing"
    painter.words(word, 18, STRIP / 2 + 8, unit, HIGHLIGHT if playback.paused else PANEL_TEXT)
    clock = f"{playback.time:.2f} of {playback.timeline.duration:.2f} s  ×{playback.factor:g}"
    painter.words(clock, right + 14, STRIP / 2 + 8, unit, PANEL_TEXT)
    return bar


def paint_tip(painter: Painter, layout: Layout, text: str, mouse: tuple[float, float]) -> None:
    """Say a tooltip beside the mouse."""
    unit = layout.unit * 0.9
    lines = textwrap.wrap(text, 44) or [text]
    width, height = max(map(len, lines)) * unit * 0.63 + unit, len(lines) * unit * 1.3 + unit * 0.8
    x = min(mouse[0] + 14, layout.width - width - 4)
    y = max(mouse[1] - height - 8, 4)
    painter.box(x - 1, y - 1, width + 2, height + 2, PANEL_DIM)
    painter.box(x, y, width, height, PANEL)
    for number, line in enumerate(lines):
        painter.words(line, x + unit * 0.5, y + height - unit * 0.35 - number * unit * 1.3, unit, PANEL_TEXT)


def _sentences(painter: Painter, session: Session, area: tuple[float, float, float], unit: float) -> float:
    """Messages, what happened, and the forecast; returns where the next thing goes."""
    left, top, inner = area
    for line in session.message:
        tone = WRONG if session.message_is_wrong else HIGHLIGHT
        top -= painter.words(line, left, top, unit * 0.95, tone, width=inner) + unit * 0.3
    if session.advice:
        top -= painter.words(session.advice, left, top, unit * 0.95, HIGHLIGHT, width=inner) + unit * 0.3
    told = session.sentences
    if told:
        top -= unit * 0.4
        top -= painter.words("What happened", left, top, unit, PANEL_DIM, bold=True) + unit * 0.4
    for line in told:
        top = _told(painter, line, (left, top, inner), unit)
    if session.forecast is not None:
        top -= unit * 0.6
        for number, line in enumerate(session.forecast.lines()):
            if number == 0:
                top -= painter.words(line, left, top, unit * 0.95, PANEL_DIM, width=inner, bold=True) + unit * 0.3
            else:
                top = _told(painter, line, (left, top, inner), unit)
    elif session.forecasting is not None:
        top -= painter.words(f"Forecasting {session.forecasting} …", left, top, unit, PANEL_DIM, width=inner)
    return top


def _told(painter: Painter, line: str, area: tuple[float, float, float], unit: float) -> float:
    """A sentence, with a spot in the colour of the ghost that it is about."""
    left, top, inner = area
    who = line.split(" ", 1)[0].rstrip(":")
    tone = GHOSTS[who] if who in COLOURS else PANEL_DIM
    painter.words("●", left, top, unit * 0.95, tone)
    return (
        top
        - painter.words(line, left + unit * 1.3, top, unit * 0.95, PANEL_TEXT, width=inner - unit * 1.3)
        - unit * 0.3
    )


def _legend(painter: Painter, area: tuple[float, float, float], unit: float) -> float:
    left, top, _ = area
    top -= unit * 0.5
    for word, tone in (("magnets", FORCE_MAGNET), ("friction", FORCE_FRICTION), ("contacts", FORCE_CONTACT)):
        painter.box(left, top - unit * 0.85, unit * 1.6, unit * 0.45, blend(tone, WHITE, 0.25))
        top -= painter.words(f"force of {word}", left + unit * 2.2, top, unit * 0.9, PANEL_TEXT) + unit * 0.1
    return top


def _history(painter: Painter, session: Session, area: tuple[float, float, float], unit: float) -> None:
    """The last moves, at the foot of the panel."""
    left, bottom, inner = area
    moves = session.sandbox.labels[1:]
    text = " → ".join(moves[-4:])
    if text:
        more = f"… {len(moves) - 4} more → " if len(moves) > 4 else ""
        lines = textwrap.wrap(more + text, max(int(inner / (unit * 0.52)), 10))[-2:]
        for number, line in enumerate(reversed(lines)):
            painter.words(line, left, bottom + unit * 0.8 + number * unit * 1.2, unit * 0.8, PANEL_DIM)
