"""Contacts in compiled code: Chipmunk's sweeps over contacts and friction joints, for the ghosts that touch.

`now` holds one row per ghost (see `twin.physics.kernel.columns`), `memory` one row per pair: normal and tangential
impulse, and the step when it was last seen.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from twin.physics.kernel.columns import (
    BX,
    BY,
    FX,
    FY,
    GHOSTS,
    GW,
    GX,
    GY,
    LIMIT,
    MODE,
    PLUG_BIT,
    STEPPED,
    SW,
    SX,
    SY,
    TOUCHING,
    TWIST,
    VX,
    VY,
    W,
    X,
    Y,
)
from twin.physics.kernel.compiled import compiled
from twin.physics.kernel.steps import clamped
from twin.physics.numerics import COLLISION_BIAS, COLLISION_PERSISTENCE, COLLISION_SLOP, ITERATIONS, STEP

SETTLED: Final = 1e-5
"""Sweeps end when all impulses together change by less than this, µN·s: a millionth of what friction does in a step."""

_BIAS: Final = 1.0 - COLLISION_BIAS**STEP
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@compiled
def find_contacts(now: Floats, marks: Ints, radius: float, plug: float, found: Ints) -> int:
    """Pairs that overlap now: rows of pair number, first (-1 for the plug) and second ghost; returns how many."""
    count, pair = 0, 0
    near = (2.0 * radius) ** 2
    for a in range(GHOSTS):
        for b in range(a + 1, GHOSTS):
            if marks[a, MODE] == STEPPED and marks[b, MODE] == STEPPED:
                dx, dy = now[a, X] - now[b, X], now[a, Y] - now[b, Y]
                if dx * dx + dy * dy < near:
                    found[count, 0], found[count, 1], found[count, 2] = pair, a, b
                    count += 1
            pair += 1
    near = (radius + plug) ** 2
    for b in range(GHOSTS):
        if marks[b, MODE] == STEPPED and now[b, X] ** 2 + now[b, Y] ** 2 < near:
            found[count, 0], found[count, 1], found[count, 2] = pair + b, -1, b
            count += 1
    return count


@compiled
def solve_contacts(
    now: Floats,
    memory: Floats,
    found: Ints,
    count: int,
    index: int,
    mass: float,
    radius: float,
    plug: float,
    ghost_friction: float,
    plug_friction: float,
) -> int:
    """Velocities after a step for all ghosts in contact; returns the bits of those."""
    inertia = 0.5 * mass * radius * radius
    per_mass, per_inertia, per_spin = 1.0 / mass, 1.0 / inertia, 1.0 / (0.5 * mass * radius)
    work = np.zeros((count, 7))  # normal (2), normal mass, tangential mass, bias, friction, impulse of the bias
    inside = 0
    for c in range(count):
        pair, a, b = found[c, 0], found[c, 1], found[c, 2]
        dx, dy = now[b, X], now[b, Y]
        movers, reach, friction = 1.0, radius + plug, plug_friction
        inside |= 1 << b
        if a >= 0:
            dx -= now[a, X]
            dy -= now[a, Y]
            movers, reach, friction = 2.0, 2.0 * radius, ghost_friction
            inside |= 1 << a
        distance = math.sqrt(dx * dx + dy * dy)
        work[c, 0], work[c, 1] = (dx / distance, dy / distance) if distance > 0.0 else (1.0, 0.0)
        work[c, 2] = mass / movers
        work[c, 3] = 1.0 / (movers * (1.0 / mass + radius * radius / inertia))
        work[c, 4] = -_BIAS * min(0.0, distance - reach + COLLISION_SLOP) / STEP
        work[c, 5] = friction
        if index - memory[pair, 2] > COLLISION_PERSISTENCE:
            memory[pair, 0] = memory[pair, 1] = 0.0
    for i in range(GHOSTS):
        if inside & (1 << i):
            now[i, VX] += now[i, FX] * per_mass * STEP
            now[i, VY] += now[i, FY] * per_mass * STEP
    for c in range(count):
        pair = found[c, 0]
        if index - memory[pair, 2] <= 1.0:  # a contact that goes on starts from its last impulse
            _strike(
                now,
                found[c, 1],
                found[c, 2],
                work[c, 0],
                work[c, 1],
                memory[pair, 0],
                memory[pair, 1],
                per_mass,
                per_spin,
            )
        memory[pair, 2] = index
    for i in range(GHOSTS):
        if inside & (1 << i):
            now[i, VX] += now[i, GX] * per_mass
            now[i, VY] += now[i, GY] * per_mass
            now[i, W] += now[i, GW] * per_inertia
    for _ in range(ITERATIONS):
        change = 0.0
        for c in range(count):
            change += _sweep(now, memory, found[c, 0], found[c, 1], found[c, 2], work, c, per_mass, per_spin, radius)
        for i in range(GHOSTS):
            if inside & (1 << i):
                change += _rub(now, i, mass, inertia, per_mass, per_inertia)
        if change < SETTLED:
            break  # further sweeps would change nothing that counts
    return inside


@compiled
def _rub(now: Floats, i: int, mass: float, inertia: float, per_mass: float, per_inertia: float) -> float:
    """One sweep over a ghost's friction joints; returns how much their impulses changed."""
    jx, jy = clamped(
        now[i, GX] + mass * (now[i, SX] - now[i, VX]),
        now[i, GY] + mass * (now[i, SY] - now[i, VY]),
        now[i, LIMIT] * STEP,
    )
    now[i, VX] += (jx - now[i, GX]) * per_mass
    now[i, VY] += (jy - now[i, GY]) * per_mass
    change = abs(jx - now[i, GX]) + abs(jy - now[i, GY])
    now[i, GX], now[i, GY] = jx, jy
    most = now[i, TWIST] * STEP
    jw = min(max(now[i, GW] + inertia * (now[i, SW] - now[i, W]), -most), most)
    now[i, W] += (jw - now[i, GW]) * per_inertia
    change += abs(jw - now[i, GW])
    now[i, GW] = jw
    return float(change)


@compiled
def _strike(
    now: Floats, a: int, b: int, nx: float, ny: float, jn: float, jt: float, per_mass: float, per_spin: float
) -> None:
    """Apply an impulse, normal and tangential, between two bodies; the tangent is the normal turned by +90°."""
    jx, jy = nx * jn - ny * jt, ny * jn + nx * jt
    jx, jy, spin = jx * per_mass, jy * per_mass, jt * per_spin
    now[b, VX] += jx
    now[b, VY] += jy
    now[b, W] -= spin
    if a >= 0:
        now[a, VX] -= jx
        now[a, VY] -= jy
        now[a, W] -= spin


@compiled
def _sweep(
    now: Floats,
    memory: Floats,
    pair: int,
    a: int,
    b: int,
    work: Floats,
    c: int,
    per_mass: float,
    per_spin: float,
    radius: float,
) -> float:
    """One sweep over a contact: part what overlaps, stop what approaches, rub what slides; returns the change."""
    nx, ny = work[c, 0], work[c, 1]
    bx, by, vx, vy, w = now[b, BX], now[b, BY], now[b, VX], now[b, VY], now[b, W]
    if a >= 0:
        bx -= now[a, BX]
        by -= now[a, BY]
        vx -= now[a, VX]
        vy -= now[a, VY]
        w += now[a, W]
    old = work[c, 6]
    work[c, 6] = max(old + (work[c, 4] - (bx * nx + by * ny)) * work[c, 2], 0.0)
    part = (work[c, 6] - old) * per_mass
    now[b, BX] += nx * part
    now[b, BY] += ny * part
    if a >= 0:
        now[a, BX] -= nx * part
        now[a, BY] -= ny * part
    # Both rims move with radius times spin against the tangent.
    along = vy * nx - vx * ny - radius * w
    old_n, old_t = memory[pair, 0], memory[pair, 1]
    new_n = max(old_n - (vx * nx + vy * ny) * work[c, 2], 0.0)
    most = work[c, 5] * new_n
    new_t = min(max(old_t - along * work[c, 3], -most), most)
    memory[pair, 0], memory[pair, 1] = new_n, new_t
    _strike(now, a, b, nx, ny, new_n - old_n, new_t - old_t, per_mass, per_spin)
    return float(abs(new_n - old_n) + abs(new_t - old_t) + abs(work[c, 6] - old))


@compiled
def touches(memory: Floats, found: Ints, count: int, marks: Ints, sums: Floats) -> None:
    """Bits of whom each ghost touches after a step, and the impulse on it (µN·s)."""
    for i in range(GHOSTS):
        marks[i, TOUCHING] = 0
        sums[i] = 0.0
    for c in range(count):
        pair, a, b = found[c, 0], found[c, 1], found[c, 2]
        impulse = math.hypot(memory[pair, 0], memory[pair, 1])
        if impulse > 0.0:
            sums[b] += impulse
            marks[b, TOUCHING] |= PLUG_BIT if a < 0 else 1 << a
            if a >= 0:
                sums[a] += impulse
                marks[a, TOUCHING] |= 1 << b
