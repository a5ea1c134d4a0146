"""The region that evidence leaves, drawn: which fact rules out what, and pairs of values with what is left of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from twin.calibrate.evidence.parameters import values_of
from twin.reports.chart import figure_of, png_of
from twin.reports.html_page import html_page
from twin.reports.region_words import fact_rows, parameter_rows, silence, study_summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from twin.calibrate.evidence.parameters import Parameter
    from twin.calibrate.evidence.rulebook_region import Study

KEPT: Final = "#0072B2"
RULED_OUT: Final = "#E69F00"
ITSELF: Final = "#000000"
"""Colours of Okabe and Ito, which people with any colour vision can tell apart."""

_GREY: Final = "#BBBBBB"
_MOST: Final = 5
"""Parameters in the matrix of pairs: those that the evidence tells most about."""
_LEAST: Final = 3
_BINS: Final = 20
_CELL: Final = 2.3
"""Width of one panel of the matrix, inches."""


def study_png(study: Study) -> bytes:
    """One picture: what each fact rules out, and the matrix of pairs."""
    chosen = _chosen(study)
    size = len(chosen)
    figure = figure_of(_CELL * size + 1.0, _CELL * size + 1.2)
    grid = figure.add_gridspec(size, size, left=0.09, right=0.98, bottom=0.07, top=0.93, wspace=0.08, hspace=0.08)
    _draw_matrix(figure, grid, study, chosen)
    # The upper triangle is free: the facts stand there.
    half = size // 2
    room = grid[0 : max(half, 1), size - half :].get_position(figure)
    axes = figure.add_axes((room.x0 + 0.1, room.y0 + 0.05, room.width - 0.1, room.height - 0.05))
    _draw_facts(axes, study)
    kept, possible = int(study.kept.sum()), int(study.possible.sum())
    title = f"{study.court.evidence.name}: {kept} of {possible} machines are left"
    figure.suptitle(title, x=0.5, y=0.985, fontsize=14)
    return png_of(figure, dpi=100)


def study_html(study: Study) -> str:
    """One page that needs nothing else: sentences, tables and the picture."""
    facts = [
        (found.fact.says, found.fact.source, *row[1:]) for found, row in zip(study.facts, fact_rows(study), strict=True)
    ]
    left_out = [f"case {number} of {name} ({why})" for name, number, why in study.court.left_out]
    central = study.central
    return html_page(
        "region",
        f"{study.sample.base.name}: what {study.court.evidence.name} leaves of its ranges",
        summary=study_summary(study),
        facts=facts,
        left_out="; ".join(left_out),
        png=study_png(study),
        parameters=parameter_rows(study),
        silence=silence(study),
        central=None if central is None else [(name, f"{central[name]:.4g}") for name in study.known],
        base=study.sample.base.name,
    )


def _chosen(study: Study) -> list[int]:
    """The columns of the parameters that are drawn: those that the evidence tells most about, and at least three."""
    names = [p.name for p in study.sample.parameters]
    told = list(study.known[:_MOST])
    wanted = told + [name for name in names if name not in told][: max(_LEAST - len(told), 0)]
    return [names.index(name) for name in wanted]


def _draw_matrix(figure: Figure, grid: Any, study: Study, chosen: list[int]) -> None:  # noqa: ANN401 - a GridSpec
    from matplotlib.ticker import MaxNLocator

    kept = study.kept
    out = study.possible & ~kept
    points = study.sample.points
    own = values_of(study.sample.base, study.sample.parameters)
    size = max(1.0, min(9.0, 6000 / max(len(points), 1)))
    for row, down in enumerate(chosen):
        for column, across in enumerate(chosen[: row + 1]):
            axes = figure.add_subplot(grid[row, column])
            a, b = study.sample.parameters[across], study.sample.parameters[down]
            axes.set_xlim(a.low, a.high)
            axes.xaxis.set_major_locator(MaxNLocator(4, prune="both"))
            if row == column:
                _draw_histogram(axes, points[study.possible, across], points[kept, across], a)
            else:
                axes.scatter(points[kept, across], points[kept, down], s=size, c=KEPT, alpha=0.35, linewidths=0)
                axes.scatter(points[out, across], points[out, down], s=1.6 * size, c=RULED_OUT, alpha=0.8, linewidths=0)
                axes.plot(own[across], own[down], "o", ms=8, mfc="white", mec=ITSELF, mew=1.8)
                axes.set_ylim(b.low, b.high)
                axes.yaxis.set_major_locator(MaxNLocator(4, prune="both"))
            axes.tick_params(labelsize=8, labelbottom=row == len(chosen) - 1, labelleft=column == 0 and row > 0)
            if row == len(chosen) - 1:
                axes.set_xlabel(_label(a), fontsize=9)
            if column == 0 and row > 0:
                axes.set_ylabel(_label(b), fontsize=9)


def _draw_histogram(axes: Axes, all_: NDArray[np.float64], left: NDArray[np.float64], parameter: Parameter) -> None:
    bins = np.linspace(parameter.low, parameter.high, _BINS + 1)
    axes.hist(all_, bins=bins.tolist(), color=_GREY)
    axes.hist(left, bins=bins.tolist(), color=KEPT)
    axes.set_yticks([])
    axes.set_title(parameter.name, fontsize=9, pad=3)


def _draw_facts(axes: Axes, study: Study) -> None:
    possible = max(int(study.possible.sum()), 1)
    judged = [found for found in study.facts if found.judged][::-1]
    places = np.arange(len(judged))
    axes.barh(places, [100 * f.excluded / possible for f in judged], color=RULED_OUT, alpha=0.55, label="by it")
    axes.barh(places, [100 * f.only / possible for f in judged], color=RULED_OUT, label="by it alone")
    axes.set_yticks(places, [f.fact.name for f in judged], fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel("machines ruled out, %", fontsize=8)
    axes.legend(fontsize=8, loc="lower right", frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _label(parameter: Parameter) -> str:
    return parameter.name if parameter.unit == "1" else f"{parameter.name}, {parameter.unit}"
