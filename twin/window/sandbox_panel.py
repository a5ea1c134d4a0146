"""The side panel of the sandbox: what is shown, buttons, the story under them, and what led here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.drawing.frame import fitted
from twin.drawing.palette import PANEL, PANEL_DIM, PANEL_LINE, PANEL_TEXT
from twin.drawing.text_measure import wrapped
from twin.window.button import Button, paint_button
from twin.window.sandbox_keys import tip_of
from twin.window.sandbox_story import legend_height, paint_legend, paint_story

if TYPE_CHECKING:
    from twin.window.layout import Layout
    from twin.window.sandbox_session import SandboxSession
    from twin.window.screen.painter import Painter

BUTTONS: Final = (
    *(("turn_ccw", "⟲ turn"), ("turn_cw", "⟳ turn"), ("forecast", "forecast")),
    *(("undo", "undo"), ("redo", "redo"), ("reset", "reset")),
    *(("random", "random"), ("save", "save …"), ("load", "load …")),
    *(("hidden", "look under"), ("forces", "forces"), ("trails", "trails")),
    *(("badges", "fates"), ("outlines", "raw places"), ("help", "keys  ?")),
)
COLUMNS: Final = 3
GAP: Final = 6.0
"""Between buttons, pixels."""


def paint_panel(painter: Painter, layout: Layout, session: SandboxSession, mouse: tuple[float, float]) -> list[Button]:
    """Say the side panel; returns its buttons."""
    if layout.panel == 0.0:
        return []
    left, unit = layout.width - layout.panel, layout.unit
    inner = layout.panel - 2 * unit
    painter.box(left, 0, layout.panel, layout.height, PANEL)
    painter.box(left, 0, 2, layout.height, PANEL_LINE)
    sandbox = session.sandbox
    left, top = left + unit, layout.height - unit
    top -= painter.words(sandbox.title, left, top, unit * 1.2, PANEL_TEXT, width=inner, bold=True)
    turned = ("not turned", "turned once", "turned twice", "turned three times")[sandbox.state.orientation]
    top -= painter.words(
        f"machine {session.machine.name} · board {turned}", left, top - 2, unit * 0.85, PANEL_DIM, width=inner
    )  # fmt: skip
    buttons, top = _buttons(painter, session, (left, top - unit * 0.9, inner), unit, mouse)
    bottom = unit * 0.7 + _history(painter, session, (left, unit * 0.7, inner), unit)
    low = bottom + (legend_height(unit) if session.layers.forces else 0.0)
    top = paint_story(painter, session, (left, top, inner, top - low), unit)
    if session.layers.forces:
        paint_legend(painter, (left, top, inner), unit, fitted(*layout.stage).scale)
    return buttons


def _buttons(
    painter: Painter, session: SandboxSession, area: tuple[float, float, float], unit: float, mouse: tuple[float, float]
) -> tuple[list[Button], float]:
    """All buttons, in rows of three; returns them, and where the next thing goes."""
    left, top, inner = area
    layers, sandbox = session.layers, session.sandbox
    on = {name: getattr(layers, name) for name in ("hidden", "forces", "trails", "badges", "outlines")}
    on["forecast"] = session.forecasting is not None
    off = {"undo": not sandbox.can_undo, "redo": not sandbox.can_redo}
    wide, tall = (inner - (COLUMNS - 1) * GAP) / COLUMNS, unit * 1.8
    found = []
    for number, (command, word) in enumerate(BUTTONS):
        x = left + (number % COLUMNS) * (wide + GAP)
        y = top - tall - (number // COLUMNS) * (tall + GAP)
        lit, idle = on.get(command, False), off.get(command, False)
        box = paint_button(painter, (x, y, wide, tall), word, unit * 0.92, mouse, on=lit, idle=idle)
        found.append(Button(box, command, tip_of(command)))
    return found, top - -(-len(BUTTONS) // COLUMNS) * (tall + GAP) - unit * 0.5


def _history(painter: Painter, session: SandboxSession, area: tuple[float, float, float], unit: float) -> float:
    """The last moves, at the foot of the panel; returns how high they are."""
    left, bottom, inner = area
    moves = session.sandbox.labels[1:]
    if not moves:
        return 0.0
    more = f"… {len(moves) - 4} more → " if len(moves) > 4 else ""
    size = unit * 0.8
    lines = wrapped(more + " → ".join(moves[-4:]), size, inner)[-3:]
    for number, line in enumerate(reversed(lines)):
        painter.words(line, left, bottom + (number + 1) * size * 1.3, size, PANEL_DIM)
    return len(lines) * size * 1.3 + unit * 0.5
