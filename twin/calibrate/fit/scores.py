"""Scores: how well predicted spaces meet what was seen. Hit rate, log score and a calibration curve."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.grid import SPACES
from twin.calibrate.fit.likelihood import WRONG_SPACES, Reader, Seen, covered
from twin.calibrate.fit.predict import in_board_frame
from twin.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.calibrate.fit.predict import Predicted

FALLEN: Final = -1
"""Code of a ghost that is off the board; a standing one's code has a bit for each covered space."""
BINS: Final = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0)
"""Edges between which forecasts are counted together."""
LEAST: Final = 0.02
"""Forecasts below this are left out of the calibration curve: there are endlessly many of them."""
_BITS: Final = 1 << np.arange(len(SPACES), dtype=np.int64)


@dataclass(frozen=True)
class Bin:
    """Forecasts of about the same probability, and how often they came true."""

    low: float
    high: float
    forecasts: int
    said: float
    """Mean probability that was forecast."""
    came_true: int

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the share that came true."""
        return wilson(self.came_true, self.forecasts)


@dataclass(frozen=True)
class Score:
    """How well forecasts did; rows are sightings."""

    rows: int
    hits: int
    """Rows whose likeliest spaces were those seen."""
    log_score: float
    """Mean log (base e) of the probability given to what was seen; 0 is perfect."""
    curve: tuple[Bin, ...]

    @property
    def rate(self) -> float:
        """Share of hits."""
        return self.hits / self.rows

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the hit rate (Wilson)."""
        return wilson(self.hits, self.rows)


Forecast = dict[int, float]
"""Probability by code."""


def codes(seen: Seen, predicted: Predicted) -> NDArray[np.int64]:
    """(R, H) what each row's ghost covers in the end, by code."""
    ends = predicted.ends[seen.setup, :, seen.ghost]
    board = in_board_frame(ends, predicted.askew[seen.setup], predicted.orientation[seen.setup, None])
    return _codes(board, predicted.machine)


def seen_codes(seen: Seen, orientation: NDArray[np.int64], machine: Machine) -> NDArray[np.int64]:
    """(R,) what was seen, by code; where only a place was given, what a foot of this machine covers there."""
    board = in_board_frame(seen.place, np.zeros(len(seen)), orientation[seen.setup])
    found = _codes(board, machine)
    found[seen.named] = (seen.label[seen.named] * _BITS).sum(axis=1)
    found[seen.off] = FALLEN
    return found


def code_words(code: int) -> str:
    """A code as people write it: `c2+c3`, or `off`."""
    if code == FALLEN:
        return "off"
    return "+".join(space for k, space in enumerate(SPACES) if code >> k & 1) or "beside"


def forecast(values: NDArray[np.int64], weights: NDArray[np.float64]) -> Forecast:
    """Shares by code, the greatest first; `weights` add up to 1."""
    found, where = np.unique(values, return_inverse=True)
    shares = np.bincount(where.ravel(), weights.ravel())
    order = np.argsort(-shares, kind="stable")
    return {int(found[k]): float(shares[k]) for k in order}


def score(forecasts: Sequence[Forecast], seen: NDArray[np.int64], reader: Reader) -> Score:
    """Score the forecasts of all rows; a reader who misreads now and then keeps every probability above 0."""
    hits = sum(next(iter(f)) == code for f, code in zip(forecasts, seen, strict=True))
    told = [(1 - reader.misread) * f.get(int(c), 0.0) for f, c in zip(forecasts, seen, strict=True)]
    log_score = float(np.mean(np.log(np.array(told) + reader.misread / WRONG_SPACES)))
    said = [(p, c == code) for f, code in zip(forecasts, seen, strict=True) for c, p in f.items() if p >= LEAST]
    return Score(len(forecasts), int(hits), log_score, _curve(said))


def _curve(said: list[tuple[float, bool]]) -> tuple[Bin, ...]:
    chance = np.array([p for p, _ in said])
    true = np.array([t for _, t in said], np.bool_)
    bins = []
    for low, high in pairwise(BINS):
        inside = (chance > low) & (chance <= high)
        if inside.any():
            bins.append(Bin(low, high, int(inside.sum()), float(chance[inside].mean()), int(true[inside].sum())))
    return tuple(bins)


def _codes(board: NDArray[np.float64], machine: Machine) -> NDArray[np.int64]:
    fallen = np.isnan(board[..., 0])
    there = covered(np.where(fallen[..., None], 0.0, board), machine) > 0.0
    return np.asarray(np.where(fallen, FALLEN, (there * _BITS).sum(axis=-1)))
