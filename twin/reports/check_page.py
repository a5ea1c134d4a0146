"""The page of a check: hit rate, log score, calibration curve, and every row beside its forecast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twin.calibrate.fit.scores import code_words
from twin.reports.figures import curve_png
from twin.reports.fit_words import curve_lines, score_json, score_line
from twin.reports.html_page import html_page

if TYPE_CHECKING:
    from twin.calibrate.fit.holdout import Checked
    from twin.calibrate.fit.measurements import Measurements


def check_json(checked: Checked, measurements: Measurements) -> dict[str, Any]:
    """A check as an object; `misses` lists the rows whose likeliest spaces were not those seen."""
    missed = []
    for (trial, seen), told, code in zip(measurements.rows, checked.forecasts, checked.seen, strict=True):
        first = next(iter(told))
        if first != code:
            missed.append(
                {
                    "line": seen.line,
                    "trial": trial.name,
                    "ghost": seen.ghost,
                    "seen": code_words(code),
                    "predicted": code_words(first),
                    "probability_of_seen": told.get(code, 0.0),
                }
            )
    trials = len(measurements.trials)
    return {"schema": 1, "machine": checked.machine, "trials": trials, **score_json(checked.score), "misses": missed}


def check_lines(checked: Checked) -> list[str]:
    """A check for people."""
    return [f"{checked.machine}: {score_line(checked.score, 'every row counts')}", "", *curve_lines(checked.score)]


def check_html(checked: Checked, measurements: Measurements) -> str:
    """A check as one page; rows that the machine thought unlikely come first."""
    rows = []
    for (trial, seen), told, code in zip(measurements.rows, checked.forecasts, checked.seen, strict=True):
        first = next(iter(told))
        setup = trial.setup
        rows.append(
            (
                (told.get(code, 0.0), seen.line),
                (
                    *(str(seen.line), trial.name, setup.scene, str(setup.move), seen.ghost, code_words(code)),
                    *(f"{told.get(code, 0.0):.1%}", code_words(first), f"{told[first]:.1%}"),
                ),
            )
        )
    parts = [
        (
            f"{b.said:.1%}",
            f"{b.came_true / b.forecasts:.1%}",
            f"{b.interval[0]:.1%} to {b.interval[1]:.1%}",
            str(b.forecasts),
        )
        for b in checked.score.curve
    ]
    return html_page(
        "check",
        f"Check of {checked.machine}",
        score=score_line(checked.score, "every row counts"),
        curve=curve_png(checked.score),
        parts=parts,
        rows=[cells for _, cells in sorted(rows)],
    )
