"""The board as SVG for pages: painted as the window paints it, with rings for magnets, and arrows for what happens."""

from __future__ import annotations

import math
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.board.grid import SIDE
from twin.board.moves import Push, Relocate, Turn
from twin.board.state import magnets
from twin.drawing.board_picture import paint_board, paint_plug
from twin.drawing.floor_picture import TAB, paint_slider
from twin.drawing.ghost_picture import paint_ghost
from twin.drawing.palette import GHOSTS, INK, MAGNET_GRIPS, WHITE, faded
from twin.drawing.pose import lying
from twin.drawing.svg_pen import SvgPen, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State

_WIDEST: Final = 6.6
"""Width of the arrow of a certain end, mm."""
_MOVE: Final = 3.0
"""Width of the arrow of a move, mm."""
_BEYOND: Final = 0.95
"""Room on each side of the board and of sliders that stick out, in spaces: arrows and tabs lie there."""


class Arrow(NamedTuple):
    """Where a ghost goes, and how likely that is."""

    colour: str
    start: Place
    end: Place
    share: float


class Boards:
    """The boards of one page. A piece is described once, in `pieces`, however many boards show it."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def pieces(self) -> str:
        """An SVG without size that describes every piece; the page must contain it."""
        shapes = "".join(f'<g id="{name}">{content}</g>' for content, name in self._names.items())
        return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{shapes}</defs></svg>'

    def board(
        self, state: State, machine: Machine, words: str, *, moves: Sequence[Move] = (), arrows: Sequence[Arrow] = ()
    ) -> str:
        """A position as it lies, north up, with the arrows of moves and the arrows of ghosts; `words` describe it."""
        pen = SvgPen()
        for slider, x, y in [lying(slider, machine) for slider in state.sliders]:
            self._put(pen, partial(paint_slider, machine=machine, name=slider.name, flipped=slider.flipped), (x, y))
        self._put(pen, partial(paint_board, machine=machine), (0.0, 0.0), 90 * state.orientation)
        for magnet in magnets(state, machine):
            self._put(pen, partial(_paint_ring, machine=machine, polarity=magnet.polarity), (magnet.x, magnet.y))
        self._put(pen, partial(paint_plug, machine=machine), (0.0, 0.0))
        for colour, place in state.ghosts:
            self._put(pen, partial(paint_ghost, machine=machine, colour=colour), place)
        for arrow in arrows:
            _draw_arrow(pen, arrow, state, machine)
        for move in moves:
            _draw_move(pen, move, state, machine)
        wide = (SIDE + 2 * _BEYOND) * machine.space / 2
        offsets = [slider.offset for slider in state.sliders]
        north, south = (wide + max(0, *(sign * offset for offset in offsets)) * machine.space for sign in (1, -1))
        return (
            f'<svg class="board" viewBox="{-wide:g} {-north:g} {2 * wide:g} {north + south:g}" role="img" '
            f'font-family="DejaVu Sans, Verdana, sans-serif" aria-label="{escape(words)}">{pen.written()}</svg>'
        )

    def _put(self, pen: SvgPen, paint: Callable[[SvgPen], None], place: Place, turn: int = 0) -> None:
        """Show a piece with its middle at a place, turned by degrees clockwise."""
        piece = SvgPen()
        paint(piece)
        name = self._names.setdefault(piece.written(), f"piece-{len(self._names) + 1}")
        turned = f" rotate({turn})" if turn else ""
        pen.put(f'<use href="#{name}" transform="translate({place[0]:.2f} {-place[1]:.2f}){turned}"/>')


def _paint_ring(pen: SvgPen, machine: Machine, polarity: int) -> None:
    """Draw the ring of a magnet under the board, with a cross in it if the magnet repels."""
    radius = 0.15 * machine.space
    colour = MAGNET_GRIPS if polarity > 0 else INK
    pen.disc((0.0, 0.0), radius + 1.0, None, faded(WHITE, 190), 4.0)
    pen.disc((0.0, 0.0), radius, None, colour, 1.8)
    if polarity < 0:
        reach = 0.5 * radius
        pen.line([(-reach, -reach), (reach, reach)], colour, 1.4)
        pen.line([(-reach, reach), (reach, -reach)], colour, 1.4)


def _draw_arrow(pen: SvgPen, arrow: Arrow, state: State, machine: Machine) -> None:
    """Draw an arrow as wide as it is likely, from rim to rim, a little bent so that two can pass each other."""
    (x, y), (dx, dy) = arrow.start, (arrow.end[0] - arrow.start[0], arrow.end[1] - arrow.start[1])
    length = math.hypot(dx, dy)
    taken = any(math.dist(place, arrow.end) < machine.radius for other, place in state.ghosts if other != arrow.colour)
    first, last = 0.85 * machine.radius / length, 1.0 - (0.8 * machine.radius / length if taken else 0.0)
    bend = 0.0 if length < 1.4 * machine.space else 0.16
    red, green, blue, _ = GHOSTS[arrow.colour]
    ends = (x + first * dx, y + first * dy), (x + last * dx, y + last * dy)
    _bent(pen, *ends, bend, max(_WIDEST * arrow.share, 1.0), f"#{red:02x}{green:02x}{blue:02x}", "#20242d")


def _draw_move(pen: SvgPen, move: Move, state: State, machine: Machine) -> None:
    """Draw what the hand does: a bent arrow for a turn or a relocation, a straight one beside a pushed slider."""
    half, size = SIDE * machine.space / 2, machine.space
    if isinstance(move, Turn):
        side = move.quarter
        start, end = (side * (half - 0.9 * size), half + 0.35 * size), (side * (half + 0.35 * size), half - 0.9 * size)
        bend = -0.45 * side
    elif isinstance(move, Push):
        slider = state.slider(move.slider)
        x = machine.tunnels[slider.tunnel - 1] + 0.47 * size
        foot = half + max(move.step * slider.offset, 0) * size + 0.12 * size
        start, end, bend = (x, move.step * foot), (x, move.step * (foot + 0.75 * size)), 0.0
    elif isinstance(move, Relocate):
        here, there = machine.tunnels[state.slider(move.slider).tunnel - 1], machine.tunnels[move.tunnel - 1]
        low = -half - TAB - 0.1 * size
        start, end, bend = (here, low), (there, low), math.copysign(0.15, there - here)
    else:
        return
    _bent(pen, start, end, bend, _MOVE, "currentColor", "var(--plate)")


def _bent(pen: SvgPen, start: Place, end: Place, bend: float, width: float, colour: str, edge: str) -> None:
    """Draw an arrow on a parabola that leaves its chord by half of `bend` of its length, with an edge all round."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    control = (x + dx / 2 + bend * dy, y + dy / 2 - bend * dx)
    ahead = math.dist(control, end)
    ux, uy = (end[0] - control[0]) / ahead, (end[1] - control[1]) / ahead
    long, half = min(5.0 + 0.7 * width, 0.8 * math.hypot(dx, dy)), 2.6 + 0.55 * width
    base = (end[0] - long * ux, end[1] - long * uy)
    head = path_of([(base[0] - half * uy, base[1] + half * ux), end, (base[0] + half * uy, base[1] - half * ux)]) + "z"
    shaft = f"{path_of([start])}Q{control[0]:.2f},{-control[1]:.2f} {base[0]:.2f},{-base[1]:.2f}"
    for tone, more in ((edge, 1.6), (colour, 0.0)):
        pen.put(f'<path d="{shaft}" fill="none" stroke="{tone}" stroke-width="{width + more:.2f}"/>')
        pen.put(f'<path d="{head}" fill="{tone}" stroke="{tone}" stroke-width="{more:g}" stroke-linejoin="round"/>')
