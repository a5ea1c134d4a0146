"""One move in compiled code: the laws of `twin.simulate`, step for step, with ghosts that ride left alone.

A step is what Chipmunk does with the reference engine's world: bodies move with the velocity of the step before, forces
are those of the place that a body is about to reach, then friction joints and contacts are solved. A ghost that touches
nobody has a closed solution, the one that the sweeps converge to; ghosts in contact get the same sweeps.

A ghost whose foot cannot slip for a while is not stepped: it is exactly where the board carries it (see `certain`).
"""

from __future__ import annotations

import math
from typing import Final

import numba
import numpy as np
from numpy.typing import NDArray

from twin.friction import STUCK
from twin.grid import SIDE
from twin.kernel.columns import (
    AX,
    AY,
    BX,
    BY,
    FALLEN,
    FX,
    FY,
    GHOSTS,
    GW,
    GX,
    GY,
    LIFTED,
    LIMIT,
    NORMAL,
    PAIRS,
    PULL,
    PUSH,
    REPELLED,
    RIDING,
    SLIP,
    STEPPED,
    TILT,
    TILT_RATE,
    TIPPING,
    TOPPLE,
    TWIST,
    UNSETTLED,
    VX,
    VY,
    W,
    X,
    Y,
)
from twin.kernel.contacts import find_contacts, solve_contacts, touches
from twin.kernel.course import Course
from twin.kernel.forces import friction_shares, ghost_force, magnet_force, tilted
from twin.kernel.laws import Laws
from twin.kernel.walls import cross
from twin.magnets import CUTOFF
from twin.numerics import CONTACT_WINDOW, FAINT, FRAME_RATE, QUIET, STEP

APART: Final = 40.0
"""A ghost that rides is stepped as soon as one that does not comes nearer than this, mm."""

CLEAR: Final = 2.0
"""Ghosts nearer than this to touching each other or the plug do not ride, mm."""

SURE: Final = 0.95
"""A foot is certain to stick if it needs no more than this share of its friction."""

LULL: Final = 16
"""Steps for which a stepped ghost's foot must have stuck before it is tried whether it can ride."""

CALM: Final = 100.0
"""A ghost that swings about its magnet with less than this does not come off it by itself, mm/s."""

NEAR: Final = 50.0
"""Ghosts nearer than this to another are never stepped coarsely, mm."""

COARSE: Final = 6
"""Steps that are taken at once for a held ghost at rest, with nobody near."""

PER_COARSE: Final = 1.0 / (COARSE * STEP)

LONGEST: Final = 128
SHORTEST: Final = 4
"""Steps for which a ghost rides before it is looked at again, at most and at least."""

STRIDE: Final = round(1.0 / (FRAME_RATE * STEP))
"""Steps between the places that a path over walls is drawn through, as in the reference engine's trace."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@numba.njit(cache=True, error_model="numpy")
def run(
    now: Floats,
    mode: Ints,
    flags: Ints,
    touched: Ints,
    laws: Laws,
    course: Course,
    magnets: Floats,
    count: int,
    orientation: int,
    crossed: Ints,
) -> int:
    """Run a move of the ghosts whose mode is `STEPPED`; returns the instant at which it ended.

    Places, modes, flags (bits), whom they touched (bits) and walls crossed are left in the arrays.
    """
    grip, repulsion, limit, tail = laws.grip, laws.repulsion, laws.limit, laws.tail
    # Taken out once: whoever reads an array of a tuple counts a reference to it, which all threads would wait for.
    walls, space, hold_normal = laws.walls, laws.space, laws.hold_normal
    contact_height, magnet_height = laws.contact_height, laws.magnet_height
    ghost_friction, plug_friction = laws.ghost_friction, laws.plug_friction
    pace, acceleration = course.pace, course.acceleration
    radius, plug, mass, weight, mu = laws.radius, laws.plug, laws.mass, laws.weight, laws.friction
    half = 0.5 * SIDE * laws.space
    inertia, torque = 0.5 * mass * radius * radius, 2.0 / 3.0 * radius
    per_inertia = 1.0 / inertia
    # Coarse steps swing faster than single ones by (ω·Δt)²/24 of the frequency; a heavier ghost makes up for it.
    stiffness = -laws.grip[0, 0]
    heavy = mass + stiffness * (COARSE * COARSE - 1) * STEP * STEP / 12.0
    drain = mass * laws.rocking_rate
    lever = laws.cm_height - laws.magnet_height
    lean = max(laws.contact_height - laws.magnet_height, 0.0)
    edge_inertia = mass * (laws.cm_height**2 + radius**2) * 4.0 / 3.0
    topple = math.atan2(radius, laws.cm_height)
    rest2 = laws.rest**2
    close2, plug2 = (2.0 * radius + CLEAR) ** 2, (radius + plug + CLEAR) ** 2
    cosines, sines, spins, shifts = course.cos, course.sin, course.spin, course.shift
    half_cosines, half_sines = course.half_cos, course.half_sin
    steps, needed = course.steps, int(np.rint(QUIET / STEP))
    last = steps + int(np.rint(laws.settle_time / STEP))

    check, leap, stuck = np.zeros(GHOSTS, np.int64), np.full(GHOSTS, LONGEST), np.zeros(GHOSTS, np.int64)
    calm, stride, ready = np.zeros(GHOSTS, np.int64), np.ones(GHOSTS, np.int64), np.zeros(GHOSTS, np.int64)
    kick = np.zeros(GHOSTS)
    frame, poses, surface = np.zeros((GHOSTS, 2)), np.zeros((GHOSTS, 2)), np.zeros((GHOSTS, 3))
    found, memory = np.zeros((PAIRS, 3), np.int64), np.zeros((PAIRS, 3))
    touching, sums = np.zeros(GHOSTS, np.int64), np.zeros(GHOSTS)
    away = np.empty(count)
    memory[:, 2] = -1e9
    for i in range(GHOSTS):
        if mode[i] == STEPPED:
            now[i, AX], now[i, AY] = now[i, X], now[i, Y]
            frame[i, 0], frame[i, 1] = now[i, X], now[i, Y]
            mode[i] = RIDING
    j, quiet, pushed, framed = 0, 0, False, 0
    while True:
        at = min(j, steps)
        cos, sin, shift = cosines[at], sines[at], shifts[at]
        # -- where everybody is about to be, and who must be stepped
        stepped, due = 0, last
        for i in range(GHOSTS):
            if mode[i] == STEPPED:
                stepped += 1
                if ready[i] > j:
                    continue
                span = stride[i] * STEP
                x, y = now[i, X] + now[i, VX] * span, now[i, Y] + now[i, VY] * span
                poses[i, 0], poses[i, 1] = x, y
                if stuck[i] >= LULL and now[i, TILT] <= 0.0 and now[i, PUSH] <= 0.0:
                    # Its foot sticks again: from here on it rides, if that is certain for a while and nobody is near.
                    now[i, AX], now[i, AY] = cos * x + sin * y, cos * y - sin * x
                    stuck[i], check[i], leap[i], mode[i] = 0, j, SHORTEST, RIDING
                    stepped -= 1
            elif mode[i] == RIDING:
                poses[i, 0], poses[i, 1] = cos * now[i, AX] - sin * now[i, AY], sin * now[i, AX] + cos * now[i, AY]
        for i in range(GHOSTS):
            if mode[i] == RIDING:
                if check[i] <= j:
                    sure = certain(
                        poses, mode, i, tail, magnets, count, shift, pace, acceleration, radius, plug,
                        mass, mu, weight, min(2 * leap[i], LONGEST), away,
                    )  # fmt: skip
                    if sure == 0:
                        stuck[i], calm[i], stride[i], ready[i] = 0, 0, 1, j
                        surface[i, 2] = wake(now, mode, i, poses, cosines, sines, spins, j, steps)
                        stepped += 1
                        continue
                    leap[i] = sure
                    check[i] = j + sure
                due = min(due, check[i])
        if stepped == 0:
            if due >= steps:
                j = max(j, steps)
                break
            j = due
            continue
        # -- who is near whom: ghosts that ride are woken, forces between magnets added up, contacts looked for
        close, turn = False, 0
        while turn < GHOSTS:
            i = turn
            turn += 1
            if mode[i] != STEPPED or ready[i] > j:
                continue
            x, y = poses[i, 0], poses[i, 1]
            close = close or x * x + y * y < plug2
            fx, fy = 0.0, 0.0
            for k in range(GHOSTS):
                if k == i or mode[k] > STEPPED:
                    continue
                dx, dy = x - poses[k, 0], y - poses[k, 1]
                d2 = dx * dx + dy * dy
                if d2 < NEAR * NEAR:
                    calm[i] = 0
                    close = close or d2 < close2
                    if mode[k] == RIDING and d2 < APART * APART:
                        stuck[k], calm[k], stride[k], ready[k] = 0, 0, 1, j
                        surface[k, 2] = wake(now, mode, k, poses, cosines, sines, spins, j, steps)
                        turn = min(turn, k)  # its own neighbours are looked at, too
                g = ghost_force(repulsion, dx, dy)
                fx += g * dx
                fy += g * dy
            now[i, FX], now[i, FY] = fx, fy
        # -- friction and magnets
        for i in range(GHOSTS):
            if mode[i] != STEPPED or ready[i] > j:
                continue
            x, y = poses[i, 0], poses[i, 1]
            ax, ay = cos * x + sin * y, cos * y - sin * x
            share, twist_share = 1.0, 1.0
            if j > 0:
                slipped = math.sqrt((ax - now[i, AX]) ** 2 + (ay - now[i, AY]) ** 2)
                slide, rim = slipped / (stride[i] * STEP), abs(now[i, W] - surface[i, 2]) * radius
                if slide + rim >= STUCK:
                    share, twist_share = friction_shares(limit, slide, rim)
                    if slide > STUCK:
                        now[i, SLIP] += slipped
            now[i, AX], now[i, AY] = ax, ay
            if max(abs(ax), abs(ay)) > half:
                mode[i] = FALLEN
                continue
            fx, fy, lift = magnet_force(grip, magnets, count, x, y, shift)
            normal = weight - lift
            if normal <= 0.0:
                normal = 0.0
                flags[i] |= LIFTED
                for m in range(count):
                    if magnets[m, 2] < 0.0 and math.hypot(x - magnets[m, 0], y - magnets[m, 1]) < CUTOFF:
                        flags[i] |= REPELLED
            size = math.sqrt(fx * fx + fy * fy)
            now[i, PULL], now[i, NORMAL] = size, normal
            rocking = size > normal * (radius / lever)
            if rocking or now[i, TILT] > 0.0 or touching[i] != 0:
                moment = size * (lean if touching[i] != 0 else lever) - normal * radius
                now[i, TILT], now[i, TILT_RATE] = tilted(now[i, TILT], now[i, TILT_RATE], moment, edge_inertia)
                if now[i, TILT] > topple:
                    flags[i] |= TOPPLE
            if rocking:
                fx -= drain * now[i, VX]
                fy -= drain * now[i, VY]
            # A ghost that a magnet holds may be stepped coarsely until somebody comes near.
            held = not rocking and now[i, TILT] <= 0.0 and now[i, PUSH] <= 0.0 and normal > hold_normal
            held = held and now[i, VX] ** 2 + now[i, VY] ** 2 < CALM * CALM
            calm[i] = calm[i] + 1 if held else 0
            now[i, FX] += fx
            now[i, FY] += fy
            now[i, LIMIT] = mu * normal * share
            now[i, TWIST] = mu * normal * torque * twist_share
        if j // STRIDE != framed:
            framed = j // STRIDE
            cross(now, mode, frame, orientation, walls, space, crossed)
        # -- rest
        if j >= steps:
            moving, alive = False, False
            for i in range(GHOSTS):
                alive = alive or mode[i] <= STEPPED
                if mode[i] == STEPPED and now[i, VX] ** 2 + now[i, VY] ** 2 >= rest2:
                    moving = True
                    if j == last:
                        flags[i] |= UNSETTLED
            quiet = 0 if moving else quiet + 1
            if quiet >= needed or not alive or j == last:
                break
        # -- one step, or several at once
        ahead, moved = last, 0
        for i in range(GHOSTS):
            if mode[i] == STEPPED and ready[i] <= j:
                moved |= 1 << i
                x, y = poses[i, 0], poses[i, 1]
                span = stride[i] * STEP
                now[i, X] += (now[i, VX] + now[i, BX]) * span
                now[i, Y] += (now[i, VY] + now[i, BY]) * span
                now[i, BX] = now[i, BY] = 0.0
                kick[i] = 0.5 * stride[i]
                if calm[i] >= LULL and j + COARSE <= steps - LULL:
                    stride[i] = COARSE
                    c, s = cosines[j + COARSE], sines[j + COARSE]
                    turn_cos, turn_sin = c * cos + s * sin, s * cos - c * sin
                    surface[i, 0] = ((turn_cos - 1.0) * x - turn_sin * y) * PER_COARSE
                    surface[i, 1] = (turn_sin * x + (turn_cos - 1.0) * y) * PER_COARSE
                    surface[i, 2] = turn_sin * PER_COARSE
                else:
                    # The surface moves along the chord: its velocity is that at the middle angle of the step.
                    stride[i] = 1
                    spin, hc, hs = spins[at], half_cosines[at], half_sines[at]
                    surface[i, 0], surface[i, 1] = -spin * (hs * x + hc * y), spin * (hc * x - hs * y)
                    surface[i, 2] = spin
                # Velocities belong to the middle of a step: from one middle to the next.
                kick[i] = (kick[i] + 0.5 * stride[i]) * STEP
                ready[i] = j + stride[i]
            if mode[i] == STEPPED:
                ahead = min(ahead, ready[i])
            elif mode[i] == RIDING:
                ahead = min(ahead, check[i])
        contacts, inside = 0, 0
        if close:
            contacts = find_contacts(now, mode, radius, plug, found)
        if contacts > 0:
            inside = solve_contacts(
                now, memory, found, contacts, surface, j + 1, mass, radius, plug, ghost_friction,
                plug_friction,
            )  # fmt: skip
        for i in range(GHOSTS):
            if inside & (1 << i):
                stuck[i] = 0
            elif moved & (1 << i):
                span = kick[i]
                inert = mass if stride[i] == 1 else heavy
                per = 1.0 / inert
                vx, vy = now[i, VX] + now[i, FX] * per * span, now[i, VY] + now[i, FY] * per * span
                jx, jy = inert * (surface[i, 0] - vx), inert * (surface[i, 1] - vy)
                size2, most = jx * jx + jy * jy, now[i, LIMIT] * span
                slips = size2 > most * most
                if slips:
                    cut = most / math.sqrt(size2)
                    jx *= cut
                    jy *= cut
                now[i, VX], now[i, VY], now[i, GX], now[i, GY] = vx + jx * per, vy + jy * per, jx, jy
                most = now[i, TWIST] * span
                jw = min(max(inertia * (surface[i, 2] - now[i, W]), -most), most)
                now[i, W] += jw * per_inertia
                now[i, GW] = jw
                stuck[i] = 0 if slips or abs(jw) >= most else stuck[i] + 1
        if contacts > 0 or pushed:
            touches(memory, found, contacts, touching, sums)
            pushed = False
            for i in range(GHOSTS):
                if mode[i] == STEPPED:
                    touched[i] |= touching[i]
                    push = now[i, PUSH] + (sums[i] / STEP - now[i, PUSH]) * (STEP / CONTACT_WINDOW)
                    now[i, PUSH] = push if push >= FAINT else 0.0
                    pushed = pushed or push >= FAINT
                    moment = now[i, PUSH] * contact_height - now[i, PULL] * magnet_height
                    if moment > now[i, NORMAL] * radius > 0.0:
                        flags[i] |= TIPPING
        j = max(ahead, j + 1)
    at = min(j, steps)
    for i in range(GHOSTS):
        if mode[i] == RIDING:
            x, y = now[i, AX], now[i, AY]
            now[i, X], now[i, Y] = cosines[at] * x - sines[at] * y, sines[at] * x + cosines[at] * y
            now[i, NORMAL] = weight
        elif mode[i] == STEPPED:
            now[i, X], now[i, Y] = poses[i, 0], poses[i, 1]
    cross(now, mode, frame, orientation, walls, space, crossed)
    return j


@numba.njit(cache=True, error_model="numpy")
def wake(
    now: Floats, mode: Ints, i: int, poses: Floats, cosines: Floats, sines: Floats, spins: Floats, j: int, steps: int
) -> float:
    """Step a ghost that rode up to now: it has the velocity of the board under it; returns the board's spin."""
    mode[i] = STEPPED
    now[i, VX] = now[i, VY] = now[i, W] = 0.0
    if 0 < j <= steps:
        x, y, c, s = now[i, AX], now[i, AY], cosines[j - 1], sines[j - 1]
        now[i, VX] = (poses[i, 0] - (c * x - s * y)) / STEP
        now[i, VY] = (poses[i, 1] - (s * x + c * y)) / STEP
        now[i, W] = spins[j - 1]
    now[i, X], now[i, Y] = poses[i, 0] - now[i, VX] * STEP, poses[i, 1] - now[i, VY] * STEP
    now[i, BX] = now[i, BY] = 0.0
    return float(now[i, W])


@numba.njit(cache=True, error_model="numpy")
def certain(
    poses: Floats,
    mode: Ints,
    i: int,
    tail: Floats,
    magnets: Floats,
    count: int,
    shift: float,
    pace: float,
    acceleration: float,
    radius: float,
    plug: float,
    mass: float,
    mu: float,
    weight: float,
    wanted: int,
    away: Floats,
) -> int:
    """For how many steps (at most `wanted`) a riding ghost is certain not to slip; 0 if that is not even `SHORTEST`.

    From bounds alone: of the tables beyond a distance (`tail`), of the surface's acceleration, of everybody's pace.
    """
    x, y = poses[i, 0], poses[i, 1]
    r = math.sqrt(x * x + y * y)
    if r < radius + plug + CLEAR:
        return 0
    need = mass * acceleration * r
    end = tail.shape[0] - 1
    for k in range(GHOSTS):
        if k != i and mode[k] <= STEPPED:
            d = math.sqrt((x - poses[k, 0]) ** 2 + (y - poses[k, 1]) ** 2)
            if d < 2.0 * radius + CLEAR:
                return 0
            # Ghosts that ride keep their distance; one that is stepped wakes this one when it comes near.
            need += tail[min(int(min(d, APART)), end), 2]
    steps = wanted
    turning = acceleration > 0.0
    for m in range(count):
        dx, dy = x - magnets[m, 0], y - (magnets[m, 1] + shift * magnets[m, 3])
        away[m] = math.sqrt(dx * dx + dy * dy)
    while steps >= SHORTEST:
        force, lift = need, 0.0
        for m in range(count):
            way = steps * pace * (r if turning else magnets[m, 3])
            bound = min(max(int(away[m] - way), 0), end)
            force += tail[bound, 0]
            lift += tail[bound, 1]
            if force >= SURE * mu * (weight - lift):
                break  # both only grow
        if force < SURE * mu * (weight - lift):
            return steps
        steps //= 2
    return 0
