"""One move in compiled code: the laws of `twin.physics.reference`, step for step, with ghosts that ride left alone.

A step is what Chipmunk does with the reference engine's world: bodies move with the velocity of the step before, forces
are those of the place that a body is about to reach, then friction joints and contacts are solved. A ghost that touches
no other has a closed solution, the one that the sweeps converge to; ghosts in contact get the same sweeps.

Every ghost has its own next instant at which it is looked at (`READY`). A ghost whose foot cannot slip for a while is
not stepped at all: it is exactly where the board carries it (see `twin.physics.kernel.rides`). One that swings in the
grip of a magnet, with no ghost near, takes several steps at once. All others are looked at in every step.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from twin.board.grid import SIDE
from twin.physics.friction import STUCK
from twin.physics.kernel.collisions import find_contacts, solve_contacts, touches
from twin.physics.kernel.columns import (
    AX,
    AY,
    BX,
    BY,
    CALM,
    FALLEN,
    FLAGS,
    FX,
    FY,
    GHOSTS,
    KICK,
    LEAP,
    LIFTED,
    LIMIT,
    MODE,
    NORMAL,
    PAIRS,
    PULL,
    PUSH,
    READY,
    REPELLED,
    RIDING,
    SLIP,
    STEPPED,
    STRIDE,
    STUCK_FOR,
    SW,
    SX,
    SY,
    TILT,
    TILT_RATE,
    TIPPING,
    TOPPLE,
    TOUCHED,
    TOUCHING,
    TWIST,
    UNSETTLED,
    VX,
    VY,
    W,
    X,
    Y,
)
from twin.physics.kernel.compiled import compiled
from twin.physics.kernel.compiled_laws import averaged, cell_index, edge_moment, tilted, tips
from twin.physics.kernel.course import Course
from twin.physics.kernel.machine_arrays import Laws
from twin.physics.kernel.rides import LULL, SHORTEST, certain, wake
from twin.physics.kernel.steps import friction_shares, ghost_force, magnet_force, rub
from twin.physics.kernel.walls import cross
from twin.physics.magnets import CUTOFF
from twin.physics.numerics import CONTACT_WINDOW, FAINT, FRAME_RATE, QUIET, STEP

CLEAR: Final = 2.0
"""Ghosts nearer than this to touching each other or the plug do not ride, mm."""

FLUNG: Final = 600.0
"""Hardly a ghost that is caught, shoved or shot ahead is faster than this, mm/s."""

SWINGING: Final = 250.0
"""A ghost that swings about its magnet with less than this does not come off it by itself, mm/s."""

COARSE: Final = 6
"""Steps that are taken at once for a ghost that swings in the grip of a magnet, with no ghost near."""

HARMLESS: Final = 0.01
"""An averaged push below this share of what tips a ghost over no longer counts when it is asked whether it can ride."""

FRAME: Final = round(1.0 / (FRAME_RATE * STEP))
"""Steps between the places that a path over walls is drawn through, as in the reference engine's trace."""

NEVER: Final = 1 << 40
"""An instant that does not come."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@compiled
def run(
    now: Floats,
    marks: Ints,
    laws: Laws,
    course: Course,
    magnets: Floats,
    count: int,
    orientation: int,
    crossed: Ints,
) -> int:
    """Run a move of the ghosts that are `RIDING`, as all are at first; returns the instant at which it ended.

    Places and slips are left in `now`, modes, flags (bits) and whom they touched (bits) in `marks`, walls in `crossed`.
    """
    grip, repulsion, limit, tail = laws.grip, laws.repulsion, laws.limit, laws.tail
    # Taken out once: each reading of an array of a tuple counts a reference to it, which all threads would wait for.
    walls, space, hold_normal = laws.walls, laws.space, laws.hold_normal
    contact_height, heights = laws.contact_height, (laws.contact_height, laws.magnet_height)
    rocking_ratio, lever, lean_lever = laws.rocking_ratio, laws.lever, laws.lean_lever
    edge_inertia, topple_angle = laws.edge_inertia, laws.topple_angle
    ghost_friction, plug_friction = laws.ghost_friction, laws.plug_friction
    pace, acceleration, steady = course.pace, course.acceleration, course.steady
    radius, plug, mass, weight, mu = laws.radius, laws.plug, laws.mass, laws.weight, laws.friction
    half, half_space = 0.5 * SIDE * space, 0.5 * space
    inertia, torque = 0.5 * mass * radius * radius, 2.0 / 3.0 * radius
    # Coarse steps swing faster than single ones by (ω·Δt)²/24 of the frequency; a heavier ghost makes up for it.
    landing = laws.landing
    heavy = mass - grip[0, 0] * (COARSE * COARSE - 1) * STEP * STEP / 12.0
    drain = mass * laws.rocking_rate
    harmless = HARMLESS * weight * radius / max(contact_height, 1.0)
    rest2, calm2 = laws.rest**2, SWINGING**2
    close2, plug2 = (2.0 * radius + CLEAR) ** 2, (radius + plug + CLEAR) ** 2
    # Nearer than this, ghosts might touch before they are looked at again.
    fastest = pace * (half * math.sqrt(2.0) if acceleration > 0.0 else 1.0) + FLUNG * STEP
    wary = 2.0 * radius + CLEAR + COARSE * fastest
    wary2, wary_plug2 = wary * wary, (wary + plug - radius) ** 2
    cosines, sines, spins, shifts = course.cos, course.sin, course.spin, course.shift
    half_cosines, half_sines = course.half_cos, course.half_sin
    steps, needed = course.steps, int(np.rint(QUIET / STEP))
    last = steps + int(np.rint(laws.settle_time / STEP))

    poses, frame = np.empty((GHOSTS, 2)), np.empty((GHOSTS, 4))
    active = np.empty(GHOSTS, np.int64)
    found, memory, sums = np.empty((PAIRS, 3), np.int64), np.empty((PAIRS, 3)), np.zeros(GHOSTS)
    memory[:, 2] = -1e9
    for i in range(GHOSTS):
        x, y = now[i, X], now[i, Y]
        now[i, AX], now[i, AY] = x, y
        poses[i, 0], poses[i, 1] = x, y
        frame[i, 0], frame[i, 1] = x, y
        frame[i, 2], frame[i, 3] = cell_index(x, space) * space, cell_index(y, space) * space
        marks[i, LEAP] = steps
        marks[i, READY] = 0 if marks[i, MODE] == RIDING else NEVER
    j, quiet, framed, pushed = 0, 0, 0, False
    while True:
        at = min(j, steps)
        cos, sin, shift = cosines[at], sines[at], shifts[at]
        # -- where each ghost is about to be, and which are looked at now
        due, stepped, asked = 0, False, False
        for i in range(GHOSTS):
            if marks[i, MODE] == STEPPED:
                stepped = True
                if marks[i, READY] > j:
                    continue
                span = marks[i, STRIDE] * STEP
                x, y = now[i, X] + now[i, VX] * span, now[i, Y] + now[i, VY] * span
                poses[i, 0], poses[i, 1] = x, y
                stuck = marks[i, STUCK_FOR] >= LULL and marks[i, CALM] == 0
                if stuck and now[i, TILT] <= 0.0 and now[i, PUSH] <= harmless:
                    # Its foot sticks again: from here on it rides, if that is certain for a while and no ghost is near.
                    now[i, AX], now[i, AY] = cos * x + sin * y, cos * y - sin * x
                    marks[i, MODE], marks[i, LEAP] = RIDING, SHORTEST
                    asked = True
                else:
                    active[due] = i
                    due += 1
            elif marks[i, MODE] == RIDING:
                x, y = now[i, AX], now[i, AY]
                poses[i, 0], poses[i, 1] = cos * x - sin * y, sin * x + cos * y
                asked = asked or marks[i, READY] <= j
        if asked:
            stepped = False
            for i in range(GHOSTS):
                if marks[i, MODE] == RIDING and marks[i, READY] <= j:
                    sure = certain(
                        poses, marks, i, tail, magnets, count, cosines, sines, shifts, at, steps, pace, steady,
                        acceleration, radius + plug + CLEAR, 2.0 * radius + CLEAR, wary, mass, mu, weight,
                    )  # fmt: skip
                    if sure == 0:
                        wake(now, marks, i, poses, cosines, sines, spins, j, steps)
                        active[due] = i
                        due += 1
                    else:
                        marks[i, LEAP], marks[i, READY] = sure, j + sure
                stepped = stepped or marks[i, MODE] == STEPPED
        if not stepped:
            j = NEVER
            for i in range(GHOSTS):
                j = min(j, marks[i, READY])
            if j >= steps:
                break
            continue
        # -- friction, magnets and one step, or several at once, for each ghost that is due
        moving, waiting, position = False, 0, 0
        while position < due:
            i = active[position]
            position += 1
            x, y = poses[i, 0], poses[i, 1]
            # Who is near: ghosts that ride are woken, forces between magnets added up.
            centre2 = x * x + y * y
            alone, apart = centre2 > wary_plug2, centre2 > plug2
            push_x, push_y = 0.0, 0.0
            for k in range(GHOSTS):
                if k == i or marks[k, MODE] > STEPPED:
                    continue
                dx, dy = x - poses[k, 0], y - poses[k, 1]
                d2 = dx * dx + dy * dy
                if d2 < wary2:
                    alone = False
                    apart = apart and d2 > close2
                    if marks[k, MODE] == RIDING:
                        wake(now, marks, k, poses, cosines, sines, spins, j, steps)
                        active[due] = k
                        due += 1
                g = ghost_force(repulsion, dx, dy)
                push_x += g * dx
                push_y += g * dy
            # How fast the foot slides and spins over the board, and what that leaves of its friction.
            ax, ay = cos * x + sin * y, cos * y - sin * x
            vx, vy, w = now[i, VX], now[i, VY], now[i, W]
            stride = marks[i, STRIDE]
            span = stride * STEP
            share, twist_share = 1.0, 1.0
            if j > 0:
                slipped = math.sqrt((ax - now[i, AX]) ** 2 + (ay - now[i, AY]) ** 2)
                spun = abs(w - now[i, SW]) * radius * span
                if slipped + spun >= STUCK * span:
                    share, twist_share = friction_shares(limit, slipped, spun)
                    if slipped > STUCK * span:
                        now[i, SLIP] += slipped
            now[i, AX], now[i, AY] = ax, ay
            if max(abs(ax), abs(ay)) > half:
                marks[i, MODE], marks[i, READY] = FALLEN, NEVER
                continue
            fx, fy, lift = magnet_force(grip, magnets, count, x, y, shift)
            normal = weight - lift
            if normal <= 0.0:
                normal = 0.0
                marks[i, FLAGS] |= LIFTED
                for m in range(count):
                    if magnets[m, 2] < 0.0 and math.hypot(x - magnets[m, 0], y - magnets[m, 1]) < CUTOFF:
                        marks[i, FLAGS] |= REPELLED
            size2 = fx * fx + fy * fy
            now[i, NORMAL] = normal
            rocks = size2 > (normal * rocking_ratio) ** 2
            touching = marks[i, TOUCHING] != 0
            if rocks or touching or now[i, TILT] > 0.0:
                moment = edge_moment(math.sqrt(size2), lean_lever if touching else lever, normal, radius)
                now[i, TILT], now[i, TILT_RATE] = tilted(now[i, TILT], now[i, TILT_RATE], moment, edge_inertia, span)
                if now[i, TILT] > topple_angle:
                    marks[i, FLAGS] |= TOPPLE
            if rocks:
                fx -= drain * vx
                fy -= drain * vy
            speed2 = vx * vx + vy * vy
            if j >= steps and speed2 >= rest2:
                moving = True
                if j == last:
                    marks[i, FLAGS] |= UNSETTLED
            fx += push_x
            fy += push_y
            # A ghost that a magnet holds is stepped coarsely while no other is near.
            wide = 1
            if normal > hold_normal and speed2 < calm2 and not rocks and not touching and now[i, TILT] <= 0.0:
                marks[i, CALM] += stride
                if alone and marks[i, CALM] >= LULL and j + COARSE <= steps - landing:
                    wide = COARSE
            else:
                marks[i, CALM] = 0
            now[i, X] += (vx + now[i, BX]) * span
            now[i, Y] += (vy + now[i, BY]) * span
            now[i, BX] = now[i, BY] = 0.0
            if wide > 1:
                per = 1.0 / (wide * STEP)
                c, s = cosines[j + wide], sines[j + wide]
                turn_cos, turn_sin = c * cos + s * sin, s * cos - c * sin
                surface_x = ((turn_cos - 1.0) * x - turn_sin * y) * per
                surface_y = (turn_sin * x + (turn_cos - 1.0) * y) * per
                spin = turn_sin * per
            else:
                # The surface moves along the chord: its velocity is that at the middle angle of the step.
                spin, hc, hs = spins[at], half_cosines[at], half_sines[at]
                surface_x, surface_y = -spin * (hs * x + hc * y), spin * (hc * x - hs * y)
            now[i, SW] = spin
            marks[i, STRIDE], marks[i, READY] = wide, j + wide
            # Velocities belong to the middle of a step: from one middle to the next.
            kick = 0.5 * (stride + wide) * STEP
            most, most_twist = mu * normal * share, mu * normal * torque * twist_share
            if not apart:
                waiting |= 1 << i
                now[i, FX], now[i, FY], now[i, LIMIT], now[i, TWIST] = fx, fy, most, most_twist
                now[i, SX], now[i, SY], now[i, KICK], now[i, PULL] = surface_x, surface_y, kick, math.sqrt(size2)
                continue
            inert = mass if wide == 1 else heavy
            sticks = rub(
                now, i, fx, fy, surface_x, surface_y, spin, most * kick, most_twist * kick, kick, inert, inertia
            )
            marks[i, STUCK_FOR] = marks[i, STUCK_FOR] + wide if sticks else 0
            if now[i, PUSH] > 0.0:
                # What is left of a contact's averaged force; no ghost tips by it that has not tipped before.
                push = now[i, PUSH] * (1.0 - STEP / CONTACT_WINDOW) ** wide
                now[i, PUSH] = push if push >= FAINT else 0.0
                marks[i, TOUCHING] = 0
        if j // FRAME != framed:
            framed = j // FRAME
            for i in range(GHOSTS):
                if marks[i, MODE] == STEPPED:
                    ax, ay = now[i, AX], now[i, AY]
                    if max(abs(ax - frame[i, 2]), abs(ay - frame[i, 3])) >= half_space:
                        cross(now, i, frame, orientation, walls, space, crossed)
                    frame[i, 0], frame[i, 1] = ax, ay
        # -- rest
        if j >= steps:
            alive = False
            for i in range(GHOSTS):
                alive = alive or marks[i, MODE] <= STEPPED
            quiet = 0 if moving else quiet + 1
            if quiet >= needed or not alive or j == last:
                break
        # -- ghosts that are near each other or the plug
        if waiting != 0:
            inside = 0
            contacts = find_contacts(now, marks, radius, plug, found)
            if contacts > 0:
                inside = solve_contacts(
                    now, memory, found, contacts, j + 1, mass, radius, plug, ghost_friction, plug_friction
                )
            for i in range(GHOSTS):
                if inside & (1 << i):
                    marks[i, STUCK_FOR] = 0
                elif waiting & (1 << i):
                    kick = now[i, KICK]
                    sticks = rub(
                        now, i, now[i, FX], now[i, FY], now[i, SX], now[i, SY], now[i, SW], now[i, LIMIT] * kick,
                        now[i, TWIST] * kick, kick, mass, inertia,
                    )  # fmt: skip
                    marks[i, STUCK_FOR] = marks[i, STUCK_FOR] + 1 if sticks else 0
            if contacts > 0 or pushed:
                touches(memory, found, contacts, marks, sums)
                pushed = False
                for i in range(GHOSTS):
                    if waiting & (1 << i):
                        marks[i, TOUCHED] |= marks[i, TOUCHING]
                        now[i, PUSH] = averaged(now[i, PUSH], sums[i] / STEP, STEP / CONTACT_WINDOW)
                        pushed = pushed or now[i, PUSH] > 0.0
                        if tips(now[i, PUSH], now[i, PULL], now[i, NORMAL], heights, radius):
                            marks[i, FLAGS] |= TIPPING
        j = NEVER
        for i in range(GHOSTS):
            j = min(j, marks[i, READY])
    at = min(j, steps)
    for i in range(GHOSTS):
        if marks[i, MODE] == RIDING:
            x, y = now[i, AX], now[i, AY]
            now[i, X], now[i, Y] = cosines[at] * x - sines[at] * y, sines[at] * x + cosines[at] * y
            now[i, NORMAL] = weight
        elif marks[i, MODE] == STEPPED:
            now[i, X], now[i, Y] = poses[i, 0], poses[i, 1]
            cross(now, i, frame, orientation, walls, space, crossed)
    return j
