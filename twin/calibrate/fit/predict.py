"""Predictions: where the ghosts of many set-ups end under a machine, for a sample of hands as a person's vary.

The hands are points of a scrambled Sobol sequence, put through the same laws as `twin.physics.hand.varied_hand`: they
fill the range of hands evenly, so that few of them tell what many random ones would. All set-ups share the hands but
for the ghosts' places, since planning the course of a hand takes longer than a ride.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from twin.calibrate.evidence.sobol import sobol_points
from twin.outcome.kernel_door import GHOSTS, TURN, WARPS, Jobs, encode
from twin.outcome.many import ends

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.board.state import State
    from twin.calibrate.fit.measurements import MeasuredSetup

PACE: Final = 0
ASKEW: Final = 1 + WARPS
LANDING: Final = 150
"""Steps before the hand comes to rest that are taken one by one. The kernel usually takes fewer so, and leaves held
ghosts 0.35 mm behind the reference engine's on average, which thirty readings with a ruler would show."""
DIMENSIONS: Final = 2 + WARPS + 2 * GHOSTS
"""Numbers that make a hand: pace, warps, misalignment, and the shift of each ghost in x and y."""
_EDGE: Final = 1e-9
"""Quantiles are kept this far inside 0 and 1."""


class Hands(NamedTuple):
    """H hands, as points of the unit cube; the machine's spread turns them into paces and shifts."""

    cube: NDArray[np.float64]
    """(H, `DIMENSIONS`)"""
    turns: NDArray[np.float64]
    """(S, 2 · GHOSTS) by how much the shifts of each set-up are moved round the cube."""


@dataclass(frozen=True)
class Predicted:
    """Where the ghosts of S set-ups end, with H hands each."""

    ends: NDArray[np.float64]
    """(S, H, 4, 2) floor frame, mm, ghosts in the order of `COLOURS`; NaN once fallen, or not there."""
    askew: NDArray[np.float64]
    """(S, H) angle by which the board lies askew in the end, radians."""
    orientation: NDArray[np.int64]
    """(S,) of the board after the move."""
    machine: Machine


@dataclass(frozen=True)
class SetupBatch:
    """Set-ups ready to be run on machines that differ in their values, but not in their spaces' size."""

    jobs: Jobs
    """Of one hand each, (S, …)."""
    duration: NDArray[np.float64]
    """(S,) s; NaN where no time was measured."""

    def __len__(self) -> int:
        return len(self.duration)

    def only(self, setups: NDArray[np.int64]) -> SetupBatch:
        """Some of the set-ups, by number."""
        return SetupBatch(Jobs._make(part[setups] for part in self.jobs), self.duration[setups])


def draw_hands(count: int, setups: int, seed: int) -> Hands:
    """`count` hands (best a power of two) from a seed alone."""
    cube = sobol_points(DIMENSIONS, count, [seed, 1])
    turns = np.random.default_rng([seed, 2]).random((setups, 2 * GHOSTS))
    return Hands(np.clip(cube, _EDGE, 1.0 - _EDGE), turns)


def make_stage(machine: Machine, states: Mapping[MeasuredSetup, State]) -> SetupBatch:
    """Set-ups as jobs, in the order of the mapping."""
    setups = list(states)
    jobs = encode(machine, list(states.values()), [setup.move for setup in setups])
    duration = [math.nan if setup.duration is None else setup.duration for setup in setups]
    return SetupBatch(jobs, np.array(duration))


def predict(stage: SetupBatch, machine: Machine, hands: Hands) -> Predicted:
    """Run every set-up with every hand on one machine; on all cores."""
    many, size = len(hands.cube), len(stage)
    own = np.tile(_hands(machine, hands.cube), (size, 1, 1)).transpose(1, 0, 2).copy()
    nominal = np.where(stage.jobs.kind == TURN, machine["hand.turn_time"], machine["hand.push_time"])
    timed = ~np.isnan(stage.duration)
    own[:, timed, PACE] = (stage.duration / nominal)[timed]
    shifts = _shifts(machine, hands)
    # Hand by hand, and within a hand set-ups of a kind side by side: a course is planned once for all of them.
    order = np.lexsort((stage.duration, stage.jobs.sign, stage.jobs.kind))
    rows = np.tile(order, many)
    jobs = Jobs(
        places=stage.jobs.places[rows],
        orientation=stage.jobs.orientation[rows],
        sliders=stage.jobs.sliders[rows],
        kind=stage.jobs.kind[rows],
        sign=stage.jobs.sign[rows],
        pushed=stage.jobs.pushed[rows],
        hands=own[:, order].reshape(many * size, -1),
        shifts=shifts[:, order].reshape(many * size, GHOSTS, 2),
    )
    end = ends(machine, jobs, landing=LANDING).reshape(many, size, GHOSTS, 2)
    back = np.empty_like(order)
    back[order] = np.arange(size)
    turning = stage.jobs.kind == TURN
    return Predicted(
        ends=end[:, back].transpose(1, 0, 2, 3),
        askew=np.where(turning, -stage.jobs.sign, 0)[:, None] * own[:, :, ASKEW].T,
        orientation=(stage.jobs.orientation + np.where(turning, stage.jobs.sign, 0)) % 4,
        machine=machine,
    )


def in_board_frame(
    places: NDArray[np.float64], askew: NDArray[np.float64], orientation: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Floor places (…, 2) as places of the board, which lies askew; angles and orientations are shaped (…)."""
    angle = askew - 0.5 * np.pi * orientation  # a clockwise quarter turn is a negative angle
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = places[..., 0], places[..., 1]
    return np.stack([cos * x + sin * y, cos * y - sin * x], axis=-1)


def _hands(machine: Machine, cube: NDArray[np.float64]) -> NDArray[np.float64]:
    """(H, 5) pace, warps and misalignment (radians), by the laws of `twin.physics.hand.varied_hand`."""
    hands = np.zeros((len(cube), 2 + WARPS))
    sigma = math.sqrt(math.log1p(machine["spread.time"] ** 2))
    low, high = math.log(machine["spread.time_min"]), math.log(machine["spread.time_max"])
    hands[:, PACE] = np.exp(_cut_normal(cube[:, PACE], -sigma * sigma / 2, sigma, low, high))
    warp = ndtri(cube[:, 1:ASKEW]) * machine["spread.evenness"] * math.sqrt(2 / WARPS)
    total = np.abs(warp).sum(axis=1, keepdims=True)
    hands[:, 1:ASKEW] = np.where(total > 0.9, warp * 0.9 / np.maximum(total, 0.9), warp)
    hands[:, ASKEW] = np.radians(machine["spread.angle"]) * ndtri(cube[:, ASKEW])
    return hands


def _shifts(machine: Machine, hands: Hands) -> NDArray[np.float64]:
    """(H, S, 4, 2) mm."""
    cube = (hands.cube[:, None, 2 + WARPS :] + hands.turns[None]) % 1.0
    cube = np.clip(cube, _EDGE, 1.0 - _EDGE)
    cut = machine["spread.place_max"]
    shifts = _cut_normal(cube, 0.0, machine["spread.place"], -cut, cut)
    return shifts.reshape(*shifts.shape[:2], GHOSTS, 2)


def _cut_normal(u: NDArray[np.float64], mean: float, sd: float, low: float, high: float) -> NDArray[np.float64]:
    """Quantiles of a normal cut at both ends; all at its mean if it has no width."""
    if sd == 0.0 or low >= high:
        return np.full_like(u, min(max(mean, low), high))
    a, b = ndtr((low - mean) / sd), ndtr((high - mean) / sd)
    return np.asarray(mean + sd * ndtri(np.clip(a + u * (b - a), _EDGE * b, 1.0 - 1e-16)))
