"""The page of a fit: values, posterior, predicted against observed, the worst misses and all residuals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.calibrate.fit.alternatives import BEYOND, CHANGING
from twin.reports.figures import curve_png, places_png, posterior_png
from twin.reports.fit_words import RESIDUAL_COLUMNS, residual_cells, rival_cells, score_line, verdict
from twin.reports.html_page import html_page

if TYPE_CHECKING:
    from twin.calibrate.fit.fitting import Fit
    from twin.calibrate.fit.measurements import Measurements


def fit_html(fit: Fit, measurements: Measurements, name: str) -> str:
    """A fit as one page; the oddest rows come first in its table."""
    told = verdict(fit.misfit)
    estimates = [
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
    made = (
        f"{len(measurements.rows)} rows of {len(measurements.trials)} trials; {fit.posterior.evaluations} machines "
        f"tried, {fit.posterior.effective:.0f} effective draws; replicas as unlikely as the measurements: "
        f"{fit.misfit.p_value:.1%}."
    )
    return html_page(
        "fit",
        f"Fit of {name}",
        flagged=fit.misfit.flagged,
        verdict=told[0].upper() + told[1:],
        estimates=estimates,
        made=made,
        changing=f"{CHANGING:g}",
        beyond=f"{BEYOND:g}",
        rivals=rival_cells(fit.misfit),
        posterior=posterior_png(fit),
        places=places_png(fit, measurements),
        score=score_line(fit.holdout, "each trial is forecast from all others"),
        curve=curve_png(fit.holdout),
        residual_head=RESIDUAL_COLUMNS,
        residuals=[residual_cells(r, measurements) for r in sorted(fit.residuals, key=lambda r: (r.tail, r.row))],
    )
