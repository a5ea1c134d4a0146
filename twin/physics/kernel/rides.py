"""Ghosts that ride in compiled code: for how long that is certain, and what they become when it is not."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from twin.physics.kernel.columns import (
    AX,
    AY,
    BX,
    BY,
    CALM,
    GHOSTS,
    LEAP,
    MODE,
    READY,
    STEPPED,
    STRIDE,
    STUCK_FOR,
    SW,
    VX,
    VY,
    W,
    X,
    Y,
)
from twin.physics.kernel.compiled import compiled
from twin.physics.kernel.compiled_laws import bound_row, sure_grip
from twin.physics.numerics import STEP

LULL: Final = 16
"""Steps for which a foot must have stuck before it is tried whether it can ride; and for which a ghost must have been
calm before it is stepped coarsely, which it is no more so many steps before the hand comes to rest."""

SHORTEST: Final = 4
"""Steps for which a ghost rides before it is looked at again, at least."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@compiled
def certain(
    poses: Floats,
    marks: Ints,
    i: int,
    tail: Floats,
    magnets: Floats,
    count: int,
    cosines: Floats,
    sines: Floats,
    shifts: Floats,
    at: int,
    steps: int,
    pace: float,
    steady: bool,  # noqa: FBT001 - numba knows no keywords-only
    acceleration: float,
    plug_reach: float,
    ghost_reach: float,
    wary: float,
    mass: float,
    mu: float,
    weight: float,
) -> int:
    """For how many steps, at most twice its last leap, a riding ghost is certain not to slip; 0 if below `SHORTEST`.

    From bounds alone: of the tables beyond a distance (`tail`), of the surface's acceleration, and of the distance
    between each magnet and the arc on which the board carries the ghost (or the way on which a slider carries the
    magnet). `plug_reach` and `ghost_reach`: nearer than this (mm) to plug or ghosts it does not ride; a ghost that is
    stepped wakes this one when it comes nearer than `wary`.
    """
    x, y = poses[i, 0], poses[i, 1]
    r = math.sqrt(x * x + y * y)
    if r < plug_reach:
        return 0
    need = mass * acceleration * r
    end = tail.shape[0] - 1
    for k in range(GHOSTS):
        if k != i and marks[k, MODE] <= STEPPED:
            d = math.sqrt((x - poses[k, 0]) ** 2 + (y - poses[k, 1]) ** 2)
            if d < ghost_reach:
                return 0
            # Ghosts that ride keep their distance.
            need += tail[bound_row(min(d, wary), end), 2]
    turning = acceleration > 0.0
    cos, sin, shift = cosines[at], sines[at], shifts[at]
    ahead = 2 * marks[i, LEAP]
    while ahead >= SHORTEST:
        then = min(at + ahead, steps)
        turn_cos, turn_sin = cosines[then] * cos + sines[then] * sin, sines[then] * cos - cosines[then] * sin
        goal_x, goal_y = turn_cos * x - turn_sin * y, turn_sin * x + turn_cos * y
        low, high = min(shift, shifts[then]), max(shift, shifts[then])
        force, lift = need, 0.0
        for m in range(count):
            mx, my = magnets[m, 0], magnets[m, 1]
            if not steady:
                # The hand goes to and fro: all that is known is how far it gets.
                d = math.hypot(x - mx, y - (my + shift * magnets[m, 3]))
                d -= ahead * pace * (r if turning else magnets[m, 3])
            elif turning:
                before, after = x * my - y * mx, mx * goal_y - my * goal_x
                if before * turn_sin >= 0.0 and after * turn_sin >= 0.0:
                    d = abs(r - math.sqrt(mx * mx + my * my))  # it lies between the arc's ends, seen from the plug
                else:
                    d = math.sqrt(min((x - mx) ** 2 + (y - my) ** 2, (goal_x - mx) ** 2 + (goal_y - my) ** 2))
            else:
                moves = magnets[m, 3]
                d = math.hypot(x - mx, max(my + low * moves - y, y - (my + high * moves), 0.0))
            bound = bound_row(d, end)
            force += tail[bound, 0]
            lift += tail[bound, 1]
            if force >= sure_grip(mu, weight - lift):
                break  # both only grow
        if force < sure_grip(mu, weight - lift):
            return int(ahead)
        ahead //= 2
    return 0


@compiled
def wake(
    now: Floats, marks: Ints, i: int, poses: Floats, cosines: Floats, sines: Floats, spins: Floats, j: int, steps: int
) -> None:
    """Step a ghost that rode up to now, from this instant on, with the velocity and the spin of the board under it."""
    marks[i, MODE], marks[i, READY], marks[i, STRIDE] = STEPPED, j, 1
    marks[i, STUCK_FOR] = marks[i, CALM] = 0
    now[i, VX] = now[i, VY] = now[i, W] = 0.0
    if 0 < j <= steps:
        x, y, c, s = now[i, AX], now[i, AY], cosines[j - 1], sines[j - 1]
        now[i, VX] = (poses[i, 0] - (c * x - s * y)) / STEP
        now[i, VY] = (poses[i, 1] - (s * x + c * y)) / STEP
        now[i, W] = spins[j - 1]
    now[i, SW] = now[i, W]
    now[i, X], now[i, Y] = poses[i, 0] - now[i, VX] * STEP, poses[i, 1] - now[i, VY] * STEP
    now[i, BX] = now[i, BY] = 0.0
