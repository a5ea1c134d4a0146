"""What matters for outcomes and what does not, drawn: bars for all together, and a map of every number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from twin.reports.chart import figure_of, png_of
from twin.reports.html_page import html_page
from twin.reports.sensitivity_words import MEANINGS, sentences

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from twin.calibrate.sobol_indices import Sensitivity

_OUTCOMES: Final = "#0072B2"
_MARGIN: Final = "#E69F00"
_ROW: Final = 0.27
"""Height of a parameter's row, inches."""


def sensitivity_png(found: Sensitivity) -> bytes:
    """Bars of the total shares in outcomes and margin; beside them the total index of every number, as a map."""
    names = [name for name, _ in found.ranking or found.margin_ranking] or [p.name for p in found.parameters]
    height = 1.8 + _ROW * len(names)
    figure = figure_of(12.5, height)
    bottom, top = 0.75 / height, 1 - 0.95 / height
    bars = figure.add_axes((0.15, bottom, 0.36, top - bottom))
    _draw_bars(bars, found, names)
    if found.indices:
        tiles = figure.add_axes((0.54, bottom, 0.44, top - bottom))
        _draw_map(tiles, found, names)
    title = f"What matters on {found.machine.name}, within the ranges of its values"
    figure.text(0.5, 1 - 0.3 / height, title, ha="center", va="center", fontsize=14)
    return png_of(figure, dpi=100)


def sensitivity_html(found: Sensitivity) -> str:
    """One page that needs nothing else."""
    numbers = [
        (one.name, MEANINGS.get(one.name, f"share of ghosts: {one.name}"), f"{one.mean:.3g}", f"{one.sd:.2g}")
        for one in found.indices
    ]
    indices = []
    for one in found.indices:
        rows = [
            (p.name, *(f"{100 * value:.1f} ± {100 * half:.1f}" for value, half in ((a, da), (t, dt))))
            for p, a, da, t, dt in sorted(
                zip(found.parameters, one.first, one.first_interval, one.total, one.total_interval, strict=True),
                key=lambda row: -row[3],
            )
            if t + dt >= 0.01
        ]
        pairs = "; ".join(f"{a} with {b} {100 * value:.0f} %" for a, b, value in one.pairs[:5])
        indices.append((one.name, rows, pairs))
    return html_page(
        "sensitivity",
        f"What matters on {found.machine.name}",
        found=found,
        sentences=sentences(found),
        png=sensitivity_png(found),
        numbers=numbers,
        indices=indices,
    )


def _draw_bars(axes: Axes, found: Sensitivity, names: list[str]) -> None:
    places = np.arange(len(names))[::-1]
    outcomes, margin = dict(found.ranking), dict(found.margin_ranking)
    axes.barh(places + 0.2, [100 * outcomes.get(n, 0.0) for n in names], 0.4, color=_OUTCOMES, label="outcomes")
    axes.barh(places - 0.2, [100 * margin.get(n, 0.0) for n in names], 0.4, color=_MARGIN, label="margin")
    axes.set_yticks(places, names, fontsize=9)
    for label, name in zip(axes.get_yticklabels(), names, strict=True):
        label.set_color("#999999" if name in found.nothing else "#222222")
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel("takes part in so much of the variance, %", fontsize=9)
    axes.legend(fontsize=9, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _draw_map(axes: Axes, found: Sensitivity, names: list[str]) -> None:
    order = [[p.name for p in found.parameters].index(name) for name in names]
    values = 100 * np.clip(np.array([one.total[order] for one in found.indices]).T, 0.0, 1.0)
    axes.imshow(values, aspect="auto", cmap="Blues", vmin=0.0, vmax=100.0)
    axes.set_xticks(range(len(found.indices)), [one.name for one in found.indices], fontsize=9)
    axes.xaxis.tick_top()
    axes.set_yticks([])
    axes.set_xlabel("total index of each number, % (grey names: does not matter at all)", fontsize=9)
    for row in range(values.shape[0]):
        for column in range(values.shape[1]):
            if values[row, column] >= 0.5:
                dark = values[row, column] > 55
                shade = "white" if dark else "#222222"
                axes.text(column, row, f"{values[row, column]:.0f}", ha="center", va="center", fontsize=8, color=shade)
