"""Fits and checks in words, as JSON and as a table of residuals."""

from __future__ import annotations

import csv
import io
import math
import textwrap
from typing import TYPE_CHECKING, Any

from twin.calibrate.fit.misfit import ODD
from twin.calibrate.fit.scores import code_words
from twin.reports.spreadsheet import as_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.calibrate.fit.bench import BenchValue
    from twin.calibrate.fit.fitting import Fit, Residual
    from twin.calibrate.fit.measurements import Measurements
    from twin.calibrate.fit.misfit import Misfit
    from twin.calibrate.fit.scores import Forecast, Score

RIVALS = 5
"""So many other explanations are shown."""
WIDE = 10_000
"""More than so many times likelier need no figure."""
RESIDUAL_COLUMNS = (
    *("line", "trial", "scene", "move", "ghost", "seen", "seen_x", "seen_y", "predicted", "probability"),
    *("predicted_x", "predicted_y", "dx", "dy", "oddness"),
)


def fit_json(fit: Fit, measurements: Measurements, out: str) -> dict[str, Any]:
    """A fit as an object: parameters, misfit, hold-out, and how it was made."""
    return {
        "schema": 1,
        "parameters": {
            e.name: {"mean": e.mean, "sd": e.sd, "interval90": list(e.interval90), "unit": e.unit}
            for e in fit.estimates
        },
        "misfit": misfit_json(fit.misfit, fit.problem.bench, measurements),
        "holdout": {"method": "leave one trial out", **score_json(fit.holdout)},
        "machine": {"file": out, "values": fit.centre},
        "trials": len(measurements.trials),
        "rows": len(measurements.rows),
        "evaluations": fit.posterior.evaluations,
        "effective_draws": round(fit.posterior.effective, 1),
    }


def misfit_json(misfit: Misfit, bench: Sequence[BenchValue], measurements: Measurements) -> dict[str, Any]:
    """What the fit does not explain."""
    rows = measurements.rows
    return {
        "flagged": misfit.flagged,
        "verdict": verdict(misfit),
        "reasons": list(misfit.reasons),
        "p_value": misfit.p_value,
        "deviance": {"observed": misfit.observed, "expected": misfit.expected},
        "odd_lines": [rows[row][1].line for row in misfit.odd_rows],
        "odd_p_value": misfit.odd_p_value,
        "rivals": [
            {
                "parameter": rival.parameter,
                "parts": list(rival.parts),
                "values": list(rival.values),
                "times_likelier": rival.factor,
            }
            for rival in misfit.rivals
        ],
        "bench": [
            {"quantity": value.quantity, "line": value.line, "sds": far}
            for value, far in zip(bench, misfit.bench, strict=True)
        ],
    }


def score_json(score: Score) -> dict[str, Any]:
    """A score as an object."""
    return {
        "rows": score.rows,
        "hits": score.hits,
        "hit_rate": score.rate,
        "interval": list(score.interval),
        "log_score": score.log_score,
        "calibration": [
            {
                "from": part.low,
                "to": part.high,
                "forecasts": part.forecasts,
                "said": part.said,
                "came_true": part.came_true / part.forecasts,
                "interval": list(part.interval),
            }
            for part in score.curve
        ],
    }


def verdict(misfit: Misfit) -> str:
    """One sentence on whether the fit may be trusted."""
    if misfit.flagged:
        return (
            "MISFIT: no machine of this model explains these measurements ("
            + "; ".join(misfit.reasons)
            + "); do not trust the values"
        )
    return "the measurements look like ones that the fitted machine would give"


def rival_cells(misfit: Misfit) -> list[list[str]]:
    """The likeliest other explanations: parameter, where it would have which value, how many times likelier."""
    cells = []
    for rival in misfit.rivals[:RIVALS]:
        parts = rival.parts or ("beyond its range",)
        values = ", ".join(f"{part}: {value:.3g}" for part, value in zip(parts, rival.values, strict=True))
        told = f"{rival.factor:.2g}" if rival.factor < WIDE else f"over {WIDE:,}"
        cells.append([rival.parameter, values, told])
    return cells


def fit_lines(fit: Fit, measurements: Measurements) -> list[str]:
    """A fit for people."""
    lines = [
        f"{len(measurements.rows)} rows of {len(measurements.trials)} trials, {len(measurements.setups)} set-ups",
        "",
    ]
    if fit.misfit.flagged:
        lines += ["!" * 78, *(f"!!  {part}" for part in _wrapped(verdict(fit.misfit))), "!" * 78, ""]
    for e in fit.estimates:
        unit = "" if e.unit == "1" else f" {e.unit}"
        low, high = e.interval90
        lines.append(f"  {e.name:<18} {e.mean:8.4g}{unit:<4}  90 % interval {low:.4g} to {high:.4g}")
    lines += ["", *_wrapped(verdict(fit.misfit) if not fit.misfit.flagged else "")]
    lines.append(score_line(fit.holdout, "each trial forecast from all others"))
    worst = sorted(fit.residuals, key=lambda r: r.tail)[:3]
    for residual in (r for r in worst if r.tail < ODD):
        trial, seen = measurements.rows[residual.row]
        told = f"{likeliest(residual.forecast)} expected ({trial.setup.move})"
        lines.append(f"  line {seen.line}: {seen.ghost} seen at {code_words(residual.seen)}, {told}")
    return lines


def score_line(score: Score, how: str) -> str:
    """A score in a line."""
    low, high = score.interval
    return (
        f"predicted spaces right in {score.hits} of {score.rows} rows: {score.rate:.1%} "
        f"(95 % interval {low:.1%} to {high:.1%}), log score {score.log_score:.3f}; {how}"
    )


def curve_lines(score: Score) -> list[str]:
    """The calibration curve for people."""
    lines = ["when it says …    … it happens"]
    for part in score.curve:
        low, high = part.interval
        lines.append(
            f"  {part.said:6.1%}  {part.came_true / part.forecasts:6.1%}  (95 % interval {low:.1%} to {high:.1%}; "
            f"{part.forecasts} forecasts)"
        )
    return lines


def residuals_csv(fit: Fit, measurements: Measurements) -> str:
    """A line for each row of the measurements, beside its forecast from the other trials."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(RESIDUAL_COLUMNS)
    for residual in fit.residuals:
        writer.writerow(as_cells(residual_cells(residual, measurements)))
    return text.getvalue()


def residual_cells(residual: Residual, measurements: Measurements) -> list[str]:
    """One row's cells, in the order of `RESIDUAL_COLUMNS`."""
    trial, seen = measurements.rows[residual.row]
    place, expected = seen.place, residual.expected
    away = ("", "")
    if place is not None and expected is not None:
        away = (f"{place[0] - expected[0]:.1f}", f"{place[1] - expected[1]:.1f}")
    setup = trial.setup
    return [
        *(str(seen.line), trial.name, setup.scene, str(setup.move), seen.ghost, code_words(residual.seen)),
        *(("", "") if place is None else (f"{place[0]:.1f}", f"{place[1]:.1f}")),
        *(likeliest(residual.forecast), f"{residual.forecast.get(residual.seen, 0.0):.3f}"),
        *(("", "") if expected is None else (f"{expected[0]:.1f}", f"{expected[1]:.1f}")),
        *away,
        f"{residual.tail:.3f}",
    ]


def likeliest(forecast: Forecast) -> str:
    """What a forecast says first, as people write it."""
    return code_words(next(iter(forecast)))


def distance(residual: Residual, measurements: Measurements) -> float:
    """How far a measured place lies from the expected one, mm; NaN where one of them is missing."""
    place, expected = measurements.rows[residual.row][1].place, residual.expected
    return math.nan if place is None or expected is None else math.dist(place, expected)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 74)
