"""How likely measurements are under a machine.

For each set-up some dozens of hands are run (`twin.calibrate.fit.predict`). Their ends come in clumps: here the ghost
was held, there it rode on. Each clump is smoothed to a density by kernels that share its covariance, with their centres
drawn in towards its middle so that the clump does not grow wider. A ruler's error is added, and a small chance of
a misreading. Ghosts of one trial were moved by one hand, so they are multiplied hand by hand before hands are
averaged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from scipy.special import log_ndtr, logsumexp

from twin.board.grid import PLUG_SPACE, SIDE, SPACES, cell
from twin.board.state import COLOURS
from twin.calibrate.fit.measurements import OFF
from twin.calibrate.fit.predict import in_board_frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.calibrate.fit.measurements import MeasuredSetup, Measurements
    from twin.calibrate.fit.predict import Predicted

REACH: Final = 8.0
"""Ends nearer to each other than this belong to one clump, mm."""
USUAL: Final = 1.5
"""Scatter of a clump of which too few ends are known, per axis, mm: that of a ghost that rides along."""
WEIGHT: Final = 3.0
"""How many ends that guess is worth."""
JUDGEMENT: Final = 0.5
"""Error with which people see whether a foot overlaps a line, mm."""
CERTAIN: Final = 8.0
"""At so many sds from a line, no reading is ambiguous."""
WRONG_SPACES: Final = 8
"""A misread space is taken to be any of so many around the right one."""
EULER: Final = float(np.e)
"""A hand explains a row if it makes it so many times likelier than a misreading."""
BLOCK: Final = 256
"""Rows whose spaces are judged at once: with 256 hands they take some 25 MB."""
_COLUMN, _ROW = np.array([cell(space) for space in SPACES], np.int64).T + SIDE // 2
_LINES: Final = np.arange(SIDE) - SIDE // 2
_PLUG: Final = SPACES.index(PLUG_SPACE)


Kernels: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64]]"
"""Centres (R, H, 2), mm, and the terms xx, yy, xy of their covariances (R, H, 3), mm²."""


@dataclass(frozen=True)
class Reader:
    """How well people read what they see."""

    noise: float = 1.0
    """Error of a place, per axis, mm: a ruler's."""
    misread: float = 0.02
    """Share of spaces, and of places, that are simply wrong."""


@dataclass(frozen=True)
class Seen:
    """Measurements as arrays: R rows of T trials; `setups` in the order that predictions must have."""

    setups: tuple[MeasuredSetup, ...]
    setup: NDArray[np.int64]
    """(R,)"""
    trial: NDArray[np.int64]
    """(R,)"""
    ghost: NDArray[np.int64]
    """(R,) in `COLOURS`"""
    place: NDArray[np.float64]
    """(R, 2) mm; NaN where none was given."""
    label: NDArray[np.bool_]
    """(R, 49) the spaces that it was seen to cover."""
    named: NDArray[np.bool_]
    """(R,) whether spaces were given."""
    off: NDArray[np.bool_]
    """(R,)"""

    def __len__(self) -> int:
        return len(self.setup)

    @property
    def trials(self) -> int:
        """How many trials there are."""
        return int(self.trial.max()) + 1


def as_seen(measurements: Measurements) -> Seen:
    """A sheet as arrays."""
    setups = measurements.setups
    number = {setup: k for k, setup in enumerate(setups)}
    trial = {id(t): k for k, t in enumerate(measurements.trials)}
    rows = measurements.rows
    label = np.zeros((len(rows), len(SPACES)), np.bool_)
    for r, (_, seen) in enumerate(rows):
        if seen.space not in {None, OFF}:
            label[r, [SPACES.index(s) for s in str(seen.space).split("+")]] = True
    return Seen(
        setups,
        np.array([number[t.setup] for t, _ in rows]),
        np.array([trial[id(t)] for t, _ in rows]),
        np.array([COLOURS.index(seen.ghost) for _, seen in rows]),
        np.array([seen.place or (np.nan, np.nan) for _, seen in rows], np.float64),
        label,
        np.array([seen.space not in {None, OFF} for _, seen in rows]),
        np.array([seen.space == OFF for _, seen in rows]),
    )


def row_logs(seen: Seen, predicted: Predicted, reader: Reader, kernels: Kernels | None = None) -> NDArray[np.float64]:
    """(R, H) log likelihood of each row for each hand; densities of places are per mm².

    `kernels` are those of these rows under this prediction, if they are at hand.
    """
    fallen = np.isnan(predicted.ends[seen.setup, :, seen.ghost, 0])
    centres, spread = kernels or row_kernels(seen, predicted)
    logs = np.zeros(fallen.shape)
    board = (SIDE * predicted.machine.space) ** 2
    placed = ~np.isnan(seen.place[:, 0])
    if placed.any():
        away = seen.place[placed, None] - centres[placed]
        density = _log_normal(away, spread[placed], reader.noise**2)
        logs[placed] += _mixed(np.where(fallen[placed], -np.inf, density), reader.misread, 1.0 / board)
    if seen.named.any():
        rows = seen.named
        inside = in_board_frame(
            centres[rows], predicted.askew[seen.setup[rows]], predicted.orientation[seen.setup[rows], None]
        )
        blur = np.sqrt((spread[rows, :, 0] + spread[rows, :, 1]) / 2 + JUDGEMENT**2)
        sure = _log_label(inside, blur, seen.label[rows], predicted.machine)
        logs[rows] += _mixed(np.where(fallen[rows], -np.inf, sure), reader.misread, 1.0 / WRONG_SPACES)
    if seen.off.any():
        sure = np.where(fallen[seen.off], 0.0, -np.inf)
        logs[seen.off] += _mixed(sure, reader.misread, 1.0 / WRONG_SPACES)
    return logs


def row_kernels(seen: Seen, predicted: Predicted) -> Kernels:
    """The kernels of every row's ghost: centres (R, H, 2) and covariances (R, H, 3); repeats share theirs."""
    different, which = np.unique(np.stack([seen.setup, seen.ghost]), axis=1, return_inverse=True)
    centres, spread = clumps(predicted.ends[different[0], :, different[1]])
    return centres[which.ravel()], spread[which.ravel()]


def by_trial(seen: Seen, logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(T, H) log likelihood of each trial for each hand, from that of its rows, (R, H)."""
    together = np.zeros((seen.trials, logs.shape[1]))
    np.add.at(together, seen.trial, logs)
    return together


def trial_logs(seen: Seen, logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(T,) log likelihood of each trial over all hands, from that of its rows by hand, (R, H)."""
    return np.asarray(logsumexp(by_trial(seen, logs), axis=1) - np.log(logs.shape[1]))


def floors(seen: Seen, machine: Machine, reader: Reader) -> NDArray[np.float64]:
    """(R,) the least log likelihood that a row can have for a hand: that of a misreading."""
    place = np.log(reader.misread / (SIDE * machine.space) ** 2)
    space = np.log(reader.misread / WRONG_SPACES)
    return np.where(np.isnan(seen.place[:, 0]), 0.0, place) + np.where(seen.named | seen.off, space, 0.0)


def support(logs: NDArray[np.float64], floor: NDArray[np.float64]) -> NDArray[np.float64]:
    """(R,) how many hands carry the likelihood of a row, from (R, H), but for misreadings: 0 if no hand does."""
    above = np.maximum(np.exp(np.minimum(logs - floor[:, None], 300.0)) - EULER, 0.0)
    total = above.sum(axis=1)
    return np.asarray(np.where(total > 0.0, total**2 / np.maximum((above**2).sum(axis=1), 1e-300), 0.0))


def of_setups(seen: Seen, setups: NDArray[np.int64]) -> tuple[Seen, NDArray[np.int64]]:
    """The rows of some set-ups alone, and which trials these are; set-ups and trials are numbered anew."""
    keep = np.isin(seen.setup, setups)
    trials, trial = np.unique(seen.trial[keep], return_inverse=True)
    part = Seen(
        tuple(seen.setups[k] for k in setups),
        np.searchsorted(setups, seen.setup[keep]),
        trial,
        seen.ghost[keep],
        seen.place[keep],
        seen.label[keep],
        seen.named[keep],
        seen.off[keep],
    )
    return part, trials


def clumps(ends: NDArray[np.float64]) -> Kernels:
    """Kernels for ends (R, H, 2): their centres, and the terms xx, yy, xy of their covariance (R, H, 3), mm².

    Fallen ends (NaN) belong to no clump; their centres and covariances mean nothing.
    """
    standing = ~np.isnan(ends[..., 0])
    at = np.where(standing[..., None], ends, 0.0)
    x, y = at[..., 0], at[..., 1]
    square = (x[:, :, None] - x[:, None]) ** 2 + (y[:, :, None] - y[:, None]) ** 2
    near = (square < REACH * REACH) & standing[:, :, None] & standing[:, None]
    label = np.broadcast_to(np.arange(ends.shape[1], dtype=np.int16), standing.shape)
    while True:  # each takes the least number among its neighbours, until no number changes
        least = np.where(near, label[:, None, :], np.int16(ends.shape[1])).min(axis=2)
        if np.array_equal(np.where(standing, least, label), label):
            break
        label = np.where(standing, least, label)
    member = ((label[:, :, None] == label[:, None]) & standing[:, :, None] & standing[:, None]).astype(np.float64)
    count = np.maximum(member.sum(axis=2), 1.0)
    middle = np.matmul(member, at) / count[..., None]
    off = at - middle
    products = np.stack([off[..., 0] ** 2, off[..., 1] ** 2, off[..., 0] * off[..., 1]], axis=-1)
    total = np.matmul(member, products)
    guess = np.array([USUAL**2, USUAL**2, 0.0])
    covariance = (total + WEIGHT * guess) / (count + WEIGHT - 1.0)[..., None]
    covariance[count == 1.0] = guess
    # Silverman's width in two dimensions, and the shrinkage of West that keeps the clump's own covariance.
    share = count ** (-1.0 / 3.0)
    return middle + np.sqrt(1.0 - share)[..., None] * off, covariance * share[..., None]


def covered(places: NDArray[np.float64], machine: Machine) -> NDArray[np.float64]:
    """(…, 49) how far inside each space's reach places of the board (…, 2) are, mm; covered where above 0."""
    # Column by column and row by row first: seven distances each, not forty-nine.
    beyond = np.abs(places[..., None] - _LINES * machine.space) - machine.space / 2  # (…, 2, 7)
    square = np.maximum(beyond, 0.0) ** 2
    outside = square[..., 0, _COLUMN] + square[..., 1, _ROW]
    within = np.maximum(beyond[..., 0, _COLUMN], beyond[..., 1, _ROW])
    inside = machine.reach - np.where(outside > 0.0, np.sqrt(outside), within)
    inside[..., _PLUG] = -np.inf
    return np.asarray(inside)


def _log_label(
    places: NDArray[np.float64], blur: NDArray[np.float64], label: NDArray[np.bool_], machine: Machine
) -> NDArray[np.float64]:
    """(R, H) log probability that exactly these spaces are covered, from blurred places (R, H, 2) of the board."""
    logs = np.empty(blur.shape)
    for first in range(0, len(label), BLOCK):
        rows = slice(first, first + BLOCK)
        inside = covered(places[rows], machine) / blur[rows, :, None]
        signed = np.where(label[rows, None], inside, -inside)
        # Most spaces are so far away that there is no doubt about them.
        doubtful = signed < CERTAIN
        terms = np.zeros(signed.shape)
        terms[doubtful] = log_ndtr(np.maximum(signed[doubtful], -30.0))
        logs[rows] = terms.sum(axis=-1)
    return logs


def _log_normal(away: NDArray[np.float64], spread: NDArray[np.float64], noise: float) -> NDArray[np.float64]:
    xx, yy, xy = spread[..., 0] + noise, spread[..., 1] + noise, spread[..., 2]
    determinant = xx * yy - xy * xy
    x, y = away[..., 0], away[..., 1]
    square = (yy * x * x + xx * y * y - 2.0 * xy * x * y) / determinant
    return np.asarray(-0.5 * square - 0.5 * np.log(determinant) - np.log(2.0 * np.pi))


def _mixed(logs: NDArray[np.float64], share: float, flat: float) -> NDArray[np.float64]:
    """Log of a mixture with something that knows nothing."""
    return np.asarray(np.logaddexp(np.log1p(-share) + logs, np.log(share * flat)))
