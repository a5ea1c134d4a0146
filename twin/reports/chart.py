"""Boards as pictures (matplotlib, without a window): positions, with arrows to where the ghosts end.

The board is drawn as it lies before the move. An arrow leads from a ghost to the space *of the board* on which it
ends, and is as wide as that is likely; a ghost that keeps its space has none. Colours are those of Okabe and Ito,
which people with any colour vision can tell apart; a letter says it again.
"""

from __future__ import annotations

import io
import math
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from twin.board.grid import DIRECTIONS, PLUG_SPACE, SIDE, SPACES, centre, neighbour
from twin.board.moves import Push, Relocate, Turn
from twin.board.state import covers, magnets
from twin.drawing.board_svg import Arrow
from twin.drawing.palette import CHART_FAINT, CHART_GREY, CHART_LINE, GHOSTS, css
from twin.errors import MissingExtraError
from twin.outcome.ensemble import OFF

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State
    from twin.explore.compare import Comparison, Ends, Example

INK: Final = {colour: css(tone) for colour, tone in GHOSTS.items()}
_LETTERS: Final = {"red": "R", "yellow": "Y", "green": "G", "blue": "B"}
_WIDEST: Final = 4.5
"""Width of the arrow of a certain end, points."""
_LEAST: Final = 0.02
"""Ends rarer than this are not drawn."""
WIDE: Final = 3.5
"""Width of one board's cell, inches."""
CAPTION: Final = 1.1
"""Height of its title and of four lines underneath, inches."""
HEAD: Final = 0.65
FOOT: Final = 0.4
_SIDEWAYS: Final = 0.95
"""Room on either side of the board, in spaces."""
NOTE: Final = (
    "Arrows lead to the space of the board on which a ghost ends, as wide as that is likely. Rings are magnets below."
)

Spread = dict[str, dict[str, float]]
"""By ghost: shares by covered spaces, joined by `+`, or `off`."""


def require_charts() -> None:
    """Raise unless what draws is installed."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError("pictures need the package matplotlib: pip install matplotlib")


def comparison_png(comparison: Comparison) -> bytes:
    """The examples of a comparison, two in a row: of each the first machine on the left, the second on the right."""
    examples = comparison.examples
    states = [state for example in examples for state in example.states]
    tall = (tall_of(states) if states else 1.0) + CAPTION
    height = HEAD + FOOT + tall * max(math.ceil(len(examples) / 2), 1)
    figure = figure_of(4 * WIDE, height)
    names = " and ".join(machine.name for machine in comparison.machines)
    told = "the firmest differences" if examples else "no difference found"
    figure.text(0.5, 1 - 0.22 / height, f"{names}: {told}", ha="center", va="top", fontsize=15)
    figure.text(0.5, 0.1 / height, NOTE, ha="center", va="bottom", fontsize=10, color=CHART_LINE)
    for index, example in enumerate(examples):
        for side, (state, machine) in enumerate(zip(example.states, comparison.machines, strict=True)):
            left, top = (2 * (index % 2) + side) * WIDE, height - HEAD - index // 2 * tall
            axes = cell_of(figure, left, top, tall)
            draw_board(axes, state, machine, margins=margins_of(states))
            draw_spread(axes, state, machine, sure_spread(example.ends[side]))
            draw_move(axes, state, machine, example.move)
            axes.set_title(f"{machine.name}: {example.move}", fontsize=12, pad=4)
            caption(axes, [ending_words(example, side)])
    return png_of(figure)


def ending_words(example: Example, side: int) -> str:
    """What becomes of the ghost of an example on the first (0) or the second (1) machine."""
    end = dict(example.ends[side])[example.ghost]
    return f"{example.ghost} {end.fate} → {'+'.join(end.covers) or OFF}"


def draw_board(axes: Axes, state: State, machine: Machine, *, margins: tuple[float, float] | None = None) -> None:
    """Spaces, walls, names, plug, sliders, magnets and ghosts, as the board lies; the floor's north is up.

    `margins` is the room south and north of the board, in spaces; as much as the sliders need by default.
    """
    south, north = margins or margins_of([state])
    size, half = machine.space, SIDE * machine.space / 2
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_xlim(-half - _SIDEWAYS * size, half + _SIDEWAYS * size)
    axes.set_ylim(-half - south * size, half + north * size)
    for slider in state.sliders:
        x, y = machine.tunnels[slider.tunnel - 1], slider.offset * size
        rectangle(
            axes, x - 0.42 * size, y - half, 0.84 * size, 2 * half, facecolor="#F2EFE6", edgecolor="#C9C2AC", lw=0.7
        )
        end = y + half if slider.offset >= 0 else y - half
        out = end + (0.38 if slider.offset >= 0 else -0.38) * size
        axes.text(x, out, slider.name, ha="center", va="center", fontsize=8, color="#7A7256")
    rectangle(axes, -half, -half, 2 * half, 2 * half, facecolor=(1, 1, 1, 0.72), edgecolor=CHART_LINE, linewidth=1.6)
    for space in SPACES:
        x, y = centre(space, size, state.orientation)
        rectangle(axes, x - size / 2, y - size / 2, size, size, fill=False, edgecolor=CHART_FAINT, linewidth=0.5)
        axes.text(x - 0.44 * size, y + 0.43 * size, space, fontsize=5.5, color="#9A9A9A", ha="left", va="top")
        _walls_of(axes, space, state, machine)
    for magnet in magnets(state, machine):
        _disc(axes, (magnet.x, magnet.y), 0.15 * size, facecolor="none", edgecolor=CHART_GREY, lw=1.1, zorder=2.5)
        if magnet.polarity < 0:
            axes.plot(magnet.x, magnet.y, "x", color=CHART_GREY, markersize=3.5, zorder=2.5)
    _disc(axes, (0.0, 0.0), machine["plug.radius"], facecolor="#555555", edgecolor=CHART_LINE, zorder=2.6)
    for colour, place in state.ghosts:
        _disc(axes, place, machine.radius, facecolor=INK[colour], edgecolor=CHART_LINE, lw=0.9, zorder=5)
        ink = "black" if colour == "yellow" else "white"
        axes.text(*place, _LETTERS[colour], ha="center", va="center", fontsize=8, color=ink, weight="bold", zorder=8)


def draw_spread(axes: Axes, state: State, machine: Machine, spread: Spread) -> None:
    """Arrows from each ghost to the spaces on which it ends, the likeliest on top."""
    for arrow in arrows_of(state, machine, spread):
        _draw_arrow(axes, state, machine, arrow)


def arrows_of(state: State, machine: Machine, spread: Spread) -> list[Arrow]:
    """Arrows from each ghost to the spaces on which it ends, the likeliest last; none to the space that it keeps."""
    arrows = []
    for colour, shares in spread.items():
        start, here = state.places[colour], "+".join(covers(state, colour, machine))
        for key, share in sorted(shares.items(), key=lambda item: item[1]):
            if key != here and share >= _LEAST:
                arrows.append(Arrow(colour, start, _end(key, start, state, machine), share))
    return arrows


def draw_move(axes: Axes, state: State, machine: Machine, move: Move) -> None:
    """What the hand does: a bent arrow beside the board for a turn, a straight one on the slider for a push.

    A relocation is a bent arrow from tunnel to tunnel south of the board.
    """
    half, size = SIDE * machine.space / 2, machine.space
    style = {"arrowstyle": "-|>,head_length=6,head_width=3.2", "mutation_scale": 1.0, "color": CHART_LINE, "lw": 2.0}
    if isinstance(move, Turn):
        side = move.quarter
        start, tip = (side * (half - 0.9 * size), half + 0.25 * size), (side * (half + 0.25 * size), half - 0.9 * size)
        bend = f"arc3,rad={-0.45 * side}"
        axes.annotate("", tip, start, arrowprops={**style, "connectionstyle": bend}, annotation_clip=False)
    elif isinstance(move, Push):
        slider = state.slider(move.slider)
        x, way = machine.tunnels[slider.tunnel - 1], move.step
        foot = way * (half + (max(way * slider.offset, 0) + 0.1) * size)
        arrow = {**style, "shrinkA": 0.0, "shrinkB": 0.0}
        axes.annotate(
            "", (x + 0.3 * size, foot + way * size), (x + 0.3 * size, foot), arrowprops=arrow, annotation_clip=False
        )
    elif isinstance(move, Relocate):
        here, there = machine.tunnels[state.slider(move.slider).tunnel - 1], machine.tunnels[move.tunnel - 1]
        low, bend = -half - 0.15 * size, f"arc3,rad={math.copysign(0.3, there - here)}"
        bent = {**style, "connectionstyle": bend}
        axes.annotate("", (there, low), (here, low), arrowprops=bent, annotation_clip=False)


def sure_spread(ends: Ends) -> Spread:
    """Ends that are certain."""
    return {colour: {"+".join(end.covers) or OFF: 1.0} for colour, end in ends}


def caption(axes: Axes, lines: list[str]) -> None:
    """Up to four lines of text under a board."""
    axes.text(
        0.5,
        -0.01,
        "\n".join(lines[:4]),
        ha="center",
        va="top",
        fontsize=8.5,
        color=CHART_LINE,
        transform=axes.transAxes,
    )


def figure_of(width: float, height: float) -> Figure:
    """An empty picture of so many inches."""
    require_charts()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), facecolor="white")


def cell_of(figure: Figure, left: float, top: float, tall: float) -> Axes:
    """Axes for a board in a cell of `WIDE` × `tall` inches, with room for its title and caption."""
    width, height = figure.get_size_inches()
    lower = 0.72
    upper = CAPTION - lower
    box = (left + 0.05, top - tall + lower, WIDE - 0.1, tall - lower - upper)
    return figure.add_axes((box[0] / width, box[1] / height, box[2] / width, box[3] / height))


def tall_of(states: list[State]) -> float:
    """Height of a board with its sliders in a cell of `WIDE`, inches."""
    return (WIDE - 0.1) * (SIDE + sum(margins_of(states))) / (SIDE + 2 * _SIDEWAYS)


def margins_of(states: list[State]) -> tuple[float, float]:
    """Room that the sliders of some positions need south and north of the board, in spaces, arrows included."""
    offsets = [slider.offset for state in states for slider in state.sliders]
    return max(-min(offsets), 0) + 1.3, max(*offsets, 0) + 1.3


def rectangle(axes: Axes, x: float, y: float, width: float, height: float, **style: Any) -> None:  # noqa: ANN401 - matplotlib's
    """A box from its lower left corner (floor frame, mm)."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((x, y), width, height, **style))


def png_of(figure: Figure, dpi: int = 110) -> bytes:
    """The picture as a file; the same picture, the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


def _end(key: str, start: Place, state: State, machine: Machine) -> Place:
    """Where an arrow leads: to the middle of the spaces, or past the nearest edge."""
    if key != OFF:
        places = [centre(space, machine.space, state.orientation) for space in key.split("+")]
        return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
    x, y = start
    beyond = (SIDE / 2 + 0.75) * machine.space
    return (math.copysign(beyond, x), y) if abs(x) >= abs(y) else (x, math.copysign(beyond, y))


def _draw_arrow(axes: Axes, state: State, machine: Machine, arrow: Arrow) -> None:
    """An arrow whose width is the share, from rim to rim, a little bent so that two can pass each other."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.patheffects import Normal, Stroke

    colour, start, end, share = arrow
    length = math.dist(start, end)
    ahead = any(math.dist(place, end) < machine.radius for other, place in state.ghosts if other != colour)
    first = 0.85 * machine.radius / length
    last = 1 - (0.8 * machine.radius / length if ahead else 0.0)
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    width = max(_WIDEST * share, 0.7)
    patch = FancyArrowPatch(
        (x + first * dx, y + first * dy),
        (x + last * dx, y + last * dy),
        arrowstyle=f"-|>,head_length={3.5 + 0.7 * width},head_width={2.0 + 0.55 * width}",
        connectionstyle=f"arc3,rad={0.0 if length < 1.4 * machine.space else 0.16}",
        color=INK[colour],
        linewidth=width,
        mutation_scale=1.0,
        shrinkA=0.0,
        shrinkB=0.0,
        zorder=7,
        joinstyle="miter",
        capstyle="butt",
    )
    patch.set_path_effects([Stroke(linewidth=width + 1.1, foreground=CHART_LINE), Normal()])
    axes.add_patch(patch)


def _walls_of(axes: Axes, space: str, state: State, machine: Machine) -> None:
    x, y = centre(space, machine.space, state.orientation)
    half = machine.space / 2
    for direction in ("north", "east"):
        other = neighbour(space, direction, state.orientation)
        if other is not None and PLUG_SPACE not in {space, other} and machine.castle.wall_between(space, other):
            dx, dy = DIRECTIONS[direction]
            middle = (x + dx * half, y + dy * half)
            ends = [(middle[0] - dy * half, middle[1] - dx * half), (middle[0] + dy * half, middle[1] + dx * half)]
            axes.plot(*zip(*ends, strict=True), color="#6B4E2E", linewidth=1.9, solid_capstyle="projecting", zorder=2.2)


def _disc(axes: Axes, at: Place, radius: float, **style: Any) -> None:  # noqa: ANN401 - matplotlib's
    from matplotlib.patches import Circle

    axes.add_patch(Circle(at, radius, **style))
