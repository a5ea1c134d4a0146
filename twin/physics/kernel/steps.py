"""Forces on a ghost in compiled code, from the tables that the reference engine uses."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from twin.physics.kernel.columns import GW, GX, GY, VX, VY, W
from twin.physics.kernel.compiled import compiled
from twin.physics.kernel.compiled_laws import along_cell, share_cell, table_cell
from twin.physics.laws import SPACING

Floats = NDArray[np.float64]


@compiled
def friction_shares(limit: Floats, slipped: float, spun: float) -> tuple[float, float]:
    """Shares of linear friction and friction torque that a foot keeps that slid, and whose rim spun, so far; mm."""
    k, f = share_cell(slipped, spun)
    return (
        along_cell(limit[k, 0], limit[k + 1, 0] - limit[k, 0], f),
        along_cell(limit[k, 1], limit[k + 1, 1] - limit[k, 1], f),
    )


@compiled
def magnet_force(
    grip: Floats, magnets: Floats, count: int, x: float, y: float, shift: float
) -> tuple[float, float, float]:
    """Pull in x and y, and lift, of all magnets on a ghost at (x, y), µN.

    `magnets` holds x, y, polarity and whether it moves by `shift`, shaped (count, 4).
    """
    end = grip.shape[0] * SPACING
    fx, fy, lift = 0.0, 0.0, 0.0
    for m in range(count):
        dx, dy = x - magnets[m, 0], y - (magnets[m, 1] + shift * magnets[m, 3])
        squared = dx * dx + dy * dy
        if squared < end:
            k, f = table_cell(squared)
            polarity = magnets[m, 2]
            g = polarity * along_cell(grip[k, 0], grip[k, 1], f)
            fx += g * dx
            fy += g * dy
            lift += polarity * along_cell(grip[k, 2], grip[k, 3], f)
    return fx, fy, lift


@compiled
def ghost_force(repulsion: Floats, dx: float, dy: float) -> float:
    """Force between the magnets of two ghosts (dx, dy) mm apart, divided by their distance, µN/mm."""
    squared = dx * dx + dy * dy
    if squared >= repulsion.shape[0] * SPACING:
        return 0.0
    k, f = table_cell(squared)
    return along_cell(repulsion[k, 0], repulsion[k, 1], f)


@compiled
def clamped(x: float, y: float, most: float) -> tuple[float, float]:
    """A vector cut to a length."""
    size = math.sqrt(x * x + y * y)
    return (x, y) if size <= most else (x * (most / size), y * (most / size))


@compiled
def rub(
    now: Floats,
    i: int,
    fx: float,
    fy: float,
    surface_x: float,
    surface_y: float,
    spin: float,
    most: float,
    most_twist: float,
    kick: float,
    mass: float,
    inertia: float,
) -> bool:
    """Velocity and spin of a ghost that touches no other after a force has acted for `kick` s; whether its foot sticks.

    Friction takes away what it is faster than the surface, with at most the impulses `most` and `most_twist`.
    """
    per = 1.0 / mass
    vx, vy, w = now[i, VX] + fx * per * kick, now[i, VY] + fy * per * kick, now[i, W]
    jx, jy = mass * (surface_x - vx), mass * (surface_y - vy)
    jump2 = jx * jx + jy * jy
    slips = jump2 > most * most
    if slips:
        cut = most / math.sqrt(jump2)
        jx *= cut
        jy *= cut
    jw = min(max(inertia * (spin - w), -most_twist), most_twist)
    now[i, VX], now[i, VY], now[i, W] = vx + jx * per, vy + jy * per, w + jw / inertia
    now[i, GX], now[i, GY], now[i, GW] = jx, jy, jw
    return not slips and abs(jw) < most_twist
