"""Checks: how well one machine forecasts measurements that it was not fitted to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.calibrate.fit.likelihood import as_seen
from twin.calibrate.fit.predict import draw_hands, make_stage, predict
from twin.calibrate.fit.scores import Forecast, Score, codes, forecast, score, seen_codes

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.calibrate.fit.likelihood import Reader
    from twin.calibrate.fit.measurements import Measurements

BATCH: Final = 256
"""Hands that are run at once; all set-ups with so many keep within a few megabytes."""


@dataclass(frozen=True)
class Checked:
    """A machine's forecasts of all rows, and their score."""

    machine: str
    forecasts: tuple[Forecast, ...]
    seen: tuple[int, ...]
    """Codes of what was seen."""
    score: Score


def check_machine(machine: Machine, measurements: Measurements, hands: int, seed: int, reader: Reader) -> Checked:
    """Forecast every row with `hands` varied hands and compare with what was seen."""
    seen = as_seen(measurements)
    stage = make_stage(machine, measurements.states(machine))
    found = []
    for first in range(0, hands, BATCH):
        drawn = draw_hands(min(BATCH, hands - first), len(stage), seed + first)
        predicted = predict(stage, machine, drawn)
        found.append(codes(seen, predicted))
    covers = np.concatenate(found, axis=1)
    told = tuple(forecast(row, np.full(len(row), 1.0 / len(row))) for row in covers)
    observed = seen_codes(seen, predicted.orientation, machine)
    return Checked(machine.name, told, tuple(int(code) for code in observed), score(told, observed, reader))
