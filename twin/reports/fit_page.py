"""The page of a fit: values, posterior, predicted against observed, the worst misses and all residuals."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from twin.calibrate.fit.alternatives import BEYOND, CHANGING
from twin.reports.figures import curve_png, places_png, posterior_png
from twin.reports.fit_words import RESIDUAL_COLUMNS, residual_cells, rival_cells, score_line, verdict
from twin.reports.sheet_style import page, picture, table

if TYPE_CHECKING:
    from twin.calibrate.fit.fitting import Fit
    from twin.calibrate.fit.measurements import Measurements


def fit_html(fit: Fit, measurements: Measurements, name: str) -> str:
    """A fit as one page; the oddest rows come first in its table."""
    kind = "alarm" if fit.misfit.flagged else "note"
    told = verdict(fit.misfit)
    body = f'<p class="{kind}">{escape(told[0].upper() + told[1:])}.</p>'
    rows = [
        (
            e.name,
            f"{e.mean:.4g}",
            f"{e.sd:.2g}",
            f"{e.interval90[0]:.4g}",
            f"{e.interval90[1]:.4g}",
            "" if e.unit == "1" else e.unit,
        )
        for e in fit.estimates
    ]
    body += table(("value", "mean", "sd", "90 % from", "to", "unit"), rows)
    made = (
        f"{len(measurements.rows)} rows of {len(measurements.trials)} trials; {fit.posterior.evaluations} machines "
        f"tried, {fit.posterior.effective:.0f} effective draws; replicas as unlikely as the measurements: "
        f"{fit.misfit.p_value:.1%}."
    )
    body += f'<p class="note">{escape(made)}</p>'
    rivals = table(("value", "would be", "times likelier"), rival_cells(fit.misfit))
    limits = f"One value that changes (told from {CHANGING:g} on), or one beyond its range (from {BEYOND:g} on)."
    body += f"<h2>Other explanations</h2><p>{limits}</p>{rivals}"
    body += "<h2>Posterior</h2>" + picture(posterior_png(fit), "draws of all parameters and of their pairs")
    body += "<h2>Seen and expected</h2>" + picture(places_png(fit, measurements), "places on the board, worst misses")
    how = "each trial is forecast from all others"
    body += f"<h2>Forecasts</h2><p>{escape(score_line(fit.holdout, how))}.</p>"
    body += picture(curve_png(fit.holdout), "calibration curve")
    cells = [residual_cells(r, measurements) for r in sorted(fit.residuals, key=lambda r: (r.tail, r.row))]
    body += f'<h2>All rows, the oddest first</h2><div class="wide">{table(RESIDUAL_COLUMNS, cells)}</div>'
    return page(f"Fit of {name}", body)
