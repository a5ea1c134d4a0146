"""A survey as pictures: a board for each turn and push, for each ghost's drags, for each slider's relocations.

Chancy moves have a frame and a title in one colour, barred ones in grey.
"""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.board.grid import SIDE
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import covers
from twin.drawing.palette import CHANCY, CHART_GREY, CHART_LINE
from twin.reports.chart import (
    CAPTION,
    FOOT,
    HEAD,
    NOTE,
    WIDE,
    caption,
    cell_of,
    draw_board,
    draw_move,
    draw_spread,
    figure_of,
    png_of,
    rectangle,
    sure_spread,
    tall_of,
)
from twin.reports.exploring import hands_words, option_name, percent, verdict_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from twin.explore.survey import Option, Survey
    from twin.reports.chart import Spread

_COLUMNS: Final = 4
_LETTERS_WIDE: Final = 48
"""Letters in a line of a caption."""


class Panel(NamedTuple):
    """Moves that are drawn on one board."""

    title: str
    options: tuple[Option, ...]

    @property
    def broken(self) -> bool:
        """Whether the rules bar it."""
        return any(option.broken for option in self.options)

    @property
    def chancy(self) -> bool:
        """Whether any of its moves is chancy."""
        return any(option.chancy for option in self.options)


def panels_of(survey: Survey) -> list[Panel]:
    """One board for each turn and push; one for all that a ghost's, or a slider's, other moves may do."""
    found = [Panel(_title(o), (o,)) for o in survey.options if isinstance(o.move, Turn | Push)]
    allowed = [option for option in survey.options if option.legal]
    for colour in survey.scene.state.colours:
        drags = tuple(o for o in allowed if isinstance(o.move, Drag) and o.move.ghost == colour)
        found += [Panel(_together(f"drag {colour}", drags), drags)] if drags else []
    for slider in survey.scene.state.sliders:
        ways = tuple(o for o in allowed if isinstance(o.move, Relocate) and o.move.slider == slider.name)
        found += [Panel(_together(f"relocate {slider.name}", ways), ways)] if ways else []
    return found


def survey_png(survey: Survey) -> bytes:
    """All boards, four in a row."""
    panels = panels_of(survey)
    tall = tall_of([survey.scene.state]) + CAPTION
    width, height = WIDE * _COLUMNS, tall * math.ceil(len(panels) / _COLUMNS) + HEAD + FOOT
    figure = figure_of(width, height)
    for index, panel in enumerate(panels):
        left, top = index % _COLUMNS * WIDE, height - HEAD - index // _COLUMNS * tall
        draw_panel(cell_of(figure, left, top, tall), survey, panel)
    hands = hands_words(survey)
    figure.text(0.5, 1 - 0.22 / height, f"{survey.scene.title}: {hands}", ha="center", va="top", fontsize=15)
    figure.text(0.5, 0.1 / height, NOTE, ha="center", va="bottom", fontsize=10, color=CHART_LINE)
    return png_of(figure)


def draw_panel(axes: Axes, survey: Survey, panel: Panel) -> None:
    """One board: the position, arrows, a title with the verdict of rules and samples, shares underneath."""
    state, machine = survey.scene.state, survey.scene.machine
    draw_board(axes, state, machine)
    for option in panel.options:
        draw_spread(axes, state, machine, spread_of(option))
        draw_move(axes, state, machine, option.move)
    colour, weight = (
        (CHART_GREY, "normal") if panel.broken else (CHANCY, "bold") if panel.chancy else (CHART_LINE, "normal")
    )
    axes.set_title(panel.title, fontsize=12, color=colour, fontweight=weight, pad=4)
    half = SIDE * machine.space / 2
    if panel.chancy or panel.broken:
        rectangle(axes, -half, -half, 2 * half, 2 * half, fill=False, edgecolor=colour, linewidth=3.0, zorder=3)
    caption(axes, panel_lines(panel, survey))


def spread_of(option: Option) -> Spread:
    """Shares of where each ghost ends: sampled, or the one nominal end."""
    if option.samples is None:
        return sure_spread(option.ghosts or ())
    size = option.samples.size
    return {colour: {key: n / size for key, n in shares.spaces.items()} for colour, shares in option.samples.ghosts}


def _title(option: Option) -> str:
    return " – ".join([option_name(option), *filter(None, [verdict_words(option)])])


def _together(name: str, options: tuple[Option, ...]) -> str:
    return f"{name} – chancy" if any(option.chancy for option in options) else name


def panel_lines(panel: Panel, survey: Survey) -> list[str]:
    """What stands under a board: for one move a line per ghost, for several a line per move."""
    first = panel.options[0]
    if isinstance(first.move, Turn | Push):
        told = _shares(first, survey)
        return told or textwrap.wrap("; ".join(first.reasons), _LETTERS_WIDE) or ["no ghost changes space"]
    return [
        textwrap.shorten(f"{_way(option)}: {'; '.join(_shares(option, survey)) or 'nobody changes space'}", 64)
        for option in panel.options
    ]


def _way(option: Option) -> str:
    """What distinguishes a move from the others on its board."""
    if isinstance(option.move, Relocate):
        return f"to tunnel {option.move.tunnel}, {len(option.alike)} ways"
    return option.move.direction


def _shares(option: Option, survey: Survey) -> list[str]:
    """A line for each ghost that may end elsewhere than it stood."""
    lines = []
    for colour, shares in spread_of(option).items():
        here = "+".join(covers(survey.scene.state, colour, survey.scene.machine))
        if list(shares) != [here]:
            parts = [key if share == 1.0 else f"{key} {percent(share).strip()}" for key, share in shares.items()]
            line = f"{colour} {dict(option.ghosts or ())[colour].fate} → {parts[0]}"
            for number, part in enumerate(parts[1:], start=1):
                if len(line) + len(part) > _LETTERS_WIDE - 8:
                    line += f", {len(parts) - number} more"
                    break
                line += f", {part}"
            lines.append(line)
    return lines
