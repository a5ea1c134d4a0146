"""Figures of calibration as pictures (matplotlib, without a window)."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.grid import SIDE
from twin.drawing.palette import CHART_FAINT, CHART_GREY, CHART_LINE
from twin.reports.chart import INK
from twin.reports.fit_words import distance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from twin.calibrate.fit.fitting import Fit
    from twin.calibrate.fit.measurements import Measurements
    from twin.calibrate.fit.scores import Score

WORST: Final = 12
"""Rows that the picture of misses shows."""


def posterior_png(fit: Fit) -> bytes:
    """Each parameter's draws on the diagonal, pairs below it; axes run over the ranges that the fit began with."""
    parameters, draws = fit.problem.parameters, fit.draws
    count = len(parameters)
    figure = _figure(2.1 * count + 0.9, 2.0 * count + 0.9)
    grid = figure.subplots(count, count, squeeze=False)
    for row, own in enumerate(parameters):
        for column, other in enumerate(parameters):
            axes = grid[row, column]
            if column > row:
                axes.set_axis_off()
                continue
            axes.set_xlim(other.low, other.high)
            if column == row:
                axes.hist(draws[:, row], bins=np.linspace(own.low, own.high, 31), color=INK["blue"], alpha=0.75)
                for bound in fit.estimates[row].interval90:
                    axes.axvline(bound, color=INK["red"], lw=1.2)
                axes.set_yticks([])
            else:
                axes.plot(draws[:, column], draws[:, row], ".", color=INK["blue"], markersize=2.5, alpha=0.5)
                axes.plot(fit.centre[other.name], fit.centre[own.name], "+", color=INK["red"], markersize=9, mew=1.8)
                axes.set_ylim(own.low, own.high)
            axes.tick_params(labelsize=7)
            if row < count - 1:
                axes.set_xticklabels([])
            else:
                axes.set_xlabel(_label(other.name, other.unit), fontsize=9)
            if column > 0 or row == 0:
                axes.set_yticklabels([])
            elif row > 0:
                axes.set_ylabel(_label(own.name, own.unit), fontsize=9)
    figure.suptitle(
        "What the measurements leave of the ranges (orange: 90 % intervals, the file's values)", fontsize=11
    )
    figure.tight_layout()
    return _png(figure)


def places_png(fit: Fit, measurements: Measurements) -> bytes:
    """Measured places beside expected ones on the board, and how far apart the worst of them are."""
    machine = fit.problem.machine
    half = SIDE * machine.space / 2
    figure = _figure(11.0, 5.2)
    board, bars = figure.subplots(1, 2, width_ratios=[1.0, 1.0])
    board.set_aspect("equal")
    for k in range(SIDE + 1):
        at = -half + k * machine.space
        board.plot([at, at], [-half, half], color=CHART_FAINT, lw=0.7)
        board.plot([-half, half], [at, at], color=CHART_FAINT, lw=0.7)
    board.set_xlim(-half - 8, half + 8)
    board.set_ylim(-half - 8, half + 8)
    missed = []
    for residual in fit.residuals:
        trial, seen = measurements.rows[residual.row]
        if seen.place is None or residual.expected is None:
            continue
        (x, y), (a, b) = seen.place, residual.expected
        board.plot([a, x], [b, y], color=CHART_GREY, lw=0.9, zorder=2)
        board.plot(a, b, "+", color=CHART_LINE, markersize=6, zorder=3)
        board.plot(x, y, "o", color=INK[seen.ghost], markeredgecolor=CHART_LINE, mew=0.5, markersize=5, zorder=4)
        missed.append((distance(residual, measurements), f"line {seen.line}: {seen.ghost}, {trial.setup.move}"))
    board.set_title("Seen (dots) and expected (crosses) places, mm", fontsize=10)
    board.tick_params(labelsize=8)
    missed.sort(reverse=True)
    _bars(bars, missed[:WORST])
    figure.tight_layout()
    return _png(figure)


def curve_png(score: Score) -> bytes:
    """The calibration curve: what was forecast against what happened, with 95 % intervals."""
    figure = _figure(5.2, 5.0)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color=CHART_GREY, lw=1.0, ls="--")
    for part in score.curve:
        low, high = part.interval
        axes.plot([part.said, part.said], [low, high], color=INK["blue"], lw=1.5)
        size = 4 + 3 * np.log10(part.forecasts)
        axes.plot(part.said, part.came_true / part.forecasts, "o", color=INK["blue"], markersize=size)
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.set_aspect("equal")
    axes.set_xlabel("the twin says", fontsize=10)
    axes.set_ylabel("it happens", fontsize=10)
    axes.set_title("When the twin says 80 %, is it 80 %?", fontsize=11)
    figure.tight_layout()
    return _png(figure)


def _bars(axes: Axes, missed: list[tuple[float, str]]) -> None:
    axes.set_title("The worst misses: distance between seen and expected, mm", fontsize=10)
    if not missed:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "no places were measured", ha="center", va="center", transform=axes.transAxes)
        return
    rows = np.arange(len(missed))
    axes.barh(rows, [far for far, _ in missed], color=INK["blue"], alpha=0.75)
    axes.set_yticks(rows, [words for _, words in missed], fontsize=8)
    axes.invert_yaxis()
    axes.tick_params(axis="x", labelsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _label(name: str, unit: str) -> str:
    return name if unit == "1" else f"{name} ({unit})"


def _figure(width: float, height: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Blank

    figure = Blank(figsize=(width, height), dpi=110)
    FigureCanvasAgg(figure)
    return figure


def _png(figure: Figure) -> bytes:
    content = io.BytesIO()
    figure.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()
