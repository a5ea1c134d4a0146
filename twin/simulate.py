"""The reference engine: one move, run step by step in pymunk.

pymunk moves bodies first and updates velocities afterwards, so everything that acts in a step is worked out for the place that a
body is about to reach, x + v·dt. A force computed at the present place would act one step late, gain energy and throw captured
ghosts out again. The surface of the board is driven along the chord of each step (the board's body stands at the middle angle while velocities
are solved): along the tangent a riding ghost would drift outward.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pymunk import batch

from twin.drive import Drive, Phase, plan
from twin.friction import CELLS, STUCK, limit_surface
from twin.hand import NOMINAL, Hand
from twin.magnets import CUTOFF, SPACING, ghost_table, grip_table
from twin.state import COLOURS
from twin.trace import Caveat, Contact, Trace, frozen, wall_crossings
from twin.world import GhostBody, World, build_world, remove_ghost

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from twin.machine import Machine
    from twin.moves import Move
    from twin.state import State

FRAME_RATE: Final = 100
"""Frames per second of a trace."""

QUIET: Final = 0.005
"""How long everything must be slower than `tolerance.rest` to count as at rest, s."""

CONTACT_WINDOW: Final = 0.01
"""Time over which contact forces are averaged before they are compared with what tips a ghost, s."""

NEAR_SKIN: Final = 8.0
"""Extra reach of the lists of magnets near a ghost, mm; they hold until somebody has moved half of it."""

_FIELDS: Final = (
    batch.BodyFields.BODY_ID | batch.BodyFields.POSITION | batch.BodyFields.ANGLE | batch.BodyFields.VELOCITY
) | batch.BodyFields.ANGULAR_VELOCITY
_ARBITERS: Final = batch.ArbiterFields.BODY_A_ID | batch.ArbiterFields.BODY_B_ID | batch.ArbiterFields.TOTAL_IMPULSE


@dataclass
class _Foot:
    """What is remembered about one ghost from step to step."""

    ghost: GhostBody
    index: int
    anchor: tuple[float, float] = (0.0, 0.0)
    slip: float = 0.0
    slip_time: float | None = None
    fallen: float | None = None
    limit: float = -1.0
    twist: float = -1.0
    normal: float = 0.0
    pull: tuple[float, float] = (0.0, 0.0)
    push: float = 0.0
    tilt: float = 0.0
    tilt_rate: float = 0.0
    repelled: bool = False
    touching: frozenset[str] = frozenset()
    near: list[tuple[float, float, int, bool]] = field(default_factory=list)
    near_at: tuple[float, float, float] = (math.inf, math.inf, 0.0)
    pose: tuple[float, ...] = ()
    shares: tuple[float, float] = (1.0, 1.0)
    """Shares of linear friction and of friction torque that the last step's sliding and spinning leave."""


def simulate(
    state: State,
    move: Move,
    machine: Machine,
    hand: Hand = NOMINAL,
    *,
    step: float | None = None,
    frame_rate: float = FRAME_RATE,
) -> Trace:
    """Run a move and tell what happened. `frame_rate` beyond 1 / step keeps every step."""
    drive = plan(state, move, machine, hand) if step is None else plan(state, move, machine, hand, step)
    return Run(state, machine, drive, frame_rate).trace()


class Run:
    """One run of one drive; make it, ask for its `trace`, throw it away."""

    def __init__(self, state: State, machine: Machine, drive: Drive, frame_rate: float = FRAME_RATE) -> None:
        self.state, self.machine, self.drive = state, machine, drive
        self.world: World = build_world(state, machine, drive.dragged)
        self.feet = [_Foot(ghost, index) for index, ghost in enumerate(self.world.ghosts)]
        self.alive = list(self.feet)
        self.stride = max(round(1.0 / (frame_rate * drive.step)), 1)
        self.grip = grip_table(machine)
        self.ghosts_table = ghost_table(machine)
        self.start_angle = -state.orientation * math.pi / 2
        self.contacts: list[Contact] = []
        self.warnings: dict[tuple[str, str], Caveat] = {}
        self.frames: list[tuple[float, float, list[tuple[float, ...] | None]]] = []
        self.impulses: dict[str, float] = {}
        self._buffer = batch.Buffer()
        self._arbiters = batch.Buffer()
        self._order: list[_Foot | None] = []
        self._half = machine.space * 3.5
        self._weight = machine["ghost.mass"] * machine["gravity.g"]
        lever = machine["ghost.cm_height"] - machine["ghost.magnet_height"]
        self._rock_ratio = machine.radius / lever
        self._lever = lever
        self._lean_lever = max(machine["ghost.contact_height"] - machine["ghost.magnet_height"], 0.0)
        edge = machine["ghost.cm_height"] ** 2 + machine.radius**2
        # A foot that rocks turns about its edge; a ghost is taken as a cone-like solid, a third more than a point at its centre of mass.
        self._edge_inertia = machine["ghost.mass"] * edge * 4.0 / 3.0
        self._topple_angle = math.atan2(machine.radius, machine["ghost.cm_height"])

    def trace(self) -> Trace:
        """Run to the end."""
        index = 0
        for number, phase in enumerate(self.drive.phases):
            settling = number == len(self.drive.phases) - 1
            if settling:
                self._release()
            index = self._phase(phase, index, settling=settling)
        return self._finished()

    # -- the loop ---------------------------------------------------------------------------------------------------

    def _phase(self, phase: Phase, first: int, *, settling: bool) -> int:
        """Run the instants of a phase; the last one only if the run ends there. Returns the index of the next instant."""
        dt = self.drive.step
        world, board = self.world, self.world.board
        space_step = world.space.step
        settle_angle = self.start_angle + self.drive.final_angle
        quiet, needed = 0, round(QUIET / dt)
        rest2 = self.machine["tolerance.rest"] ** 2
        for foot in self.feet:
            foot.near_at = (math.inf, math.inf, 0.0)
        for j in range(phase.steps + 1):
            index = first + j
            if phase.angles:
                angle = self.start_angle + phase.angles[j]
                ahead = self.start_angle + phase.angles[min(j + 1, phase.steps)]
            else:
                angle = ahead = settle_angle if settling else self.start_angle
            shift = phase.shifts[j] if phase.shifts else 0.0
            turn = ahead - angle
            self._look(index * dt, angle)
            last = j == phase.steps
            if settling:
                quiet = quiet + 1 if all(f.pose[3] ** 2 + f.pose[4] ** 2 < rest2 for f in self.alive) else 0
                last = last or quiet >= needed or not self.alive
            elif last:
                return index  # the next phase begins at this same instant
            self._act(phase, shift, index * dt)
            if last or index % self.stride == 0:
                self._record(index * dt, angle)
            if last:
                if quiet < needed:
                    self._unsettled(index * dt)
                return index
            # At the middle angle, this spin moves the surface exactly along the chord of the step.
            spin = 2.0 * math.sin(turn / 2.0) / dt
            board.angle = angle + turn / 2.0 - spin * dt
            board.angular_velocity = spin
            if phase.grip and world.hand is not None:
                here, there = phase.grip[j], phase.grip[j + 1]
                world.hand.position = here
                world.hand.velocity = ((there[0] - here[0]) / dt, (there[1] - here[1]) / dt)
            space_step(dt)
            self._touches((index + 1) * dt)
        return first + phase.steps

    def _look(self, time: float, angle: float) -> None:
        """Read where every ghost is about to be, see who has fallen, and measure how feet slip over the board."""
        dt = self.drive.step
        buffer = self._buffer
        buffer.clear()
        batch.get_space_bodies(self.world.space, _FIELDS, buffer)
        values = memoryview(buffer.float_buf()).cast("d").tolist()
        if not self._order:
            ids = memoryview(buffer.int_buf()).cast("P").tolist()
            by_id = {foot.ghost.body.id: foot for foot in self.alive}
            self._order = [by_id.get(i) for i in ids]
        cos, sin = math.cos(angle), math.sin(angle)
        half, radius = self._half, self.machine.radius
        spin = self.world.board.angular_velocity
        slide_share, spin_share = limit_surface()
        fallen = []
        for slot, foot in enumerate(self._order):
            if foot is None:
                continue
            x, y, turn, vx, vy, w = values[6 * slot : 6 * slot + 6]
            x += vx * dt
            y += vy * dt
            foot.pose = (x, y, turn + w * dt, vx, vy, w)
            ax, ay = cos * x + sin * y, cos * y - sin * x
            if abs(ax) > half or abs(ay) > half:
                fallen.append(foot)
            old = foot.anchor
            foot.anchor = (ax, ay)
            if time == 0.0:
                shares = (1.0, 1.0)
            else:
                slipped = math.sqrt((ax - old[0]) ** 2 + (ay - old[1]) ** 2)
                slide = slipped / dt
                rim = abs(w - spin) * radius
                moved = slide + rim
                if moved < STUCK:
                    shares = (1.0, 1.0)
                else:
                    if slide > STUCK:
                        foot.slip += slipped
                        if foot.slip_time is None and slide > 1.0:
                            foot.slip_time = time
                    u = rim / moved * CELLS
                    k = int(u)
                    if k >= CELLS:
                        shares = (slide_share[CELLS], spin_share[CELLS])
                    else:
                        f = u - k
                        shares = (
                            slide_share[k] + f * (slide_share[k + 1] - slide_share[k]),
                            spin_share[k] + f * (spin_share[k + 1] - spin_share[k]),
                        )
            foot.shares = shares
        for foot in fallen:
            foot.fallen = time
            foot.pull, foot.normal = (0.0, 0.0), 0.0
            remove_ghost(self.world, foot.ghost)
            self.alive.remove(foot)
            self._order = []

    def _act(self, phase: Phase, shift: float, time: float) -> None:
        """Set the forces of magnets and the limits of friction for the coming step."""
        machine, dt = self.machine, self.drive.step
        pulls, lifts = self.grip.pull, self.grip.lift
        mu = machine["friction.board"]
        torque = 2.0 / 3.0 * machine.radius
        rate, mass = machine["rocking.rate"], machine["ghost.mass"]
        end = len(pulls) - 1
        between = self._between()
        for foot in self.alive:
            x, y, _, vx, vy, _ = foot.pose
            fx = fy = lift = 0.0
            strongest = (0.0, 1)
            for mx, my, polarity, moving in self._near(foot, phase, shift):
                dx, dy = x - mx, y - (my + shift if moving else my)
                u = (dx * dx + dy * dy) / SPACING
                k = int(u)
                if k < end:
                    f = u - k
                    g = polarity * (pulls[k] + f * (pulls[k + 1] - pulls[k]))
                    fx += g * dx
                    fy += g * dy
                    up = polarity * (lifts[k] + f * (lifts[k + 1] - lifts[k]))
                    lift += up
                    if up > strongest[0]:
                        strongest = (up, polarity)
            foot.pull = (fx, fy)
            normal = self._weight - lift
            if normal <= 0.0:
                normal = 0.0
                foot.repelled = foot.repelled or strongest[1] < 0
                self._warn("lifted", foot, time, "magnets lift it off the board, which a flat model cannot follow")
            foot.normal = normal
            pull = math.sqrt(fx * fx + fy * fy)
            if pull > normal * self._rock_ratio:
                fx -= mass * rate * vx
                fy -= mass * rate * vy
            self._rock(foot, pull, normal, time, dt)
            gx, gy = between[foot.index]
            fx += gx
            fy += gy
            if fx != 0.0 or fy != 0.0:
                foot.ghost.body.force = (fx, fy)
            share, twist_share = foot.shares
            limit = mu * normal * share
            twist = mu * normal * torque * twist_share
            if limit != foot.limit:
                foot.ghost.grip.max_force = foot.limit = limit
            if twist != foot.twist:
                foot.ghost.twist.max_force = foot.twist = twist
            foot.ghost.grip.anchor_a = foot.anchor

    def _near(self, foot: _Foot, phase: Phase, shift: float) -> list[tuple[float, float, int, bool]]:
        """Magnets that may be within the cutoff, from a list that is renewed when somebody has moved far enough."""
        x, y = foot.pose[0], foot.pose[1]
        ox, oy, oshift = foot.near_at
        if abs(x - ox) + abs(y - oy) + abs(shift - oshift) > NEAR_SKIN:
            reach2 = (CUTOFF + NEAR_SKIN) ** 2
            foot.near = [
                (m.x, m.y, m.polarity, moving)
                for m, moving in zip(phase.magnets, phase.moving, strict=True)
                if (x - m.x) ** 2 + (y - m.y - (shift if moving else 0.0)) ** 2 < reach2
            ]
            foot.near_at = (x, y, shift)
        return foot.near

    def _between(self) -> list[tuple[float, float]]:
        """Forces between the magnets of the ghosts (µN), by the ghosts' index: equal and opposite."""
        pulls = self.ghosts_table.pull
        end = len(pulls) - 1
        forces = [(0.0, 0.0)] * len(self.feet)
        alive = self.alive
        for i, one in enumerate(alive):
            for other in alive[i + 1 :]:
                dx, dy = one.pose[0] - other.pose[0], one.pose[1] - other.pose[1]
                u = (dx * dx + dy * dy) / SPACING
                k = int(u)
                if k < end:
                    f = u - k
                    g = pulls[k] + f * (pulls[k + 1] - pulls[k])
                    ax, ay = forces[one.index]
                    bx, by = forces[other.index]
                    forces[one.index] = (ax + g * dx, ay + g * dy)
                    forces[other.index] = (bx - g * dx, by - g * dy)
        return forces

    def _rock(self, foot: _Foot, pull: float, normal: float, time: float, dt: float) -> None:
        """Follow how far a foot would tilt about its edge, and warn once it would fall over."""
        if foot.ghost.colour == self.drive.dragged:
            return  # the hand steadies it
        # A foot that is free turns about its centre of mass; one that leans on something, about the point where it leans.
        lever = self._lean_lever if foot.touching else self._lever
        moment = pull * lever - normal * self.machine.radius
        if moment > 0.0 or foot.tilt > 0.0:
            foot.tilt_rate += moment / self._edge_inertia * dt
            foot.tilt += foot.tilt_rate * dt
            if foot.tilt <= 0.0:
                foot.tilt = foot.tilt_rate = 0.0
            elif foot.tilt > self._topple_angle:
                self._warn("topple", foot, time, "the pull on its foot would tip it over")

    # -- what is noticed --------------------------------------------------------------------------------------------

    def _touches(self, time: float) -> None:
        """Read the contacts after a step; new ones are noted, their forces averaged and held against what tips a ghost."""
        reach2 = (2.0 * self.machine.radius + 1.0) ** 2
        plug2 = (self.machine.radius + self.machine["plug.radius"] + 1.0) ** 2
        poses = [foot.pose for foot in self.alive]
        busy = self.world.hand is not None or any(foot.push > 0.0 for foot in self.alive)
        for i, one in enumerate(poses):
            busy = busy or one[0] * one[0] + one[1] * one[1] < plug2
            for other in poses[i + 1 :]:
                busy = busy or (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 < reach2
        if not busy:
            return
        buffer = self._arbiters
        buffer.clear()
        batch.get_space_arbiters(self.world.space, _ARBITERS, buffer)
        ids = memoryview(buffer.int_buf()).cast("P").tolist()
        values = memoryview(buffer.float_buf()).cast("d").tolist()
        names = self.world.names
        sums: dict[str, float] = {}
        partners: dict[str, set[str]] = {}
        for k in range(len(ids) // 2):
            one, other = names.get(ids[2 * k], ""), names.get(ids[2 * k + 1], "")
            impulse = math.hypot(values[2 * k], values[2 * k + 1])
            if impulse <= 0.0:
                continue
            for a, b in ((one, other), (other, one)):
                sums[a] = sums.get(a, 0.0) + impulse
                partners.setdefault(a, set()).add(b)
        share = self.drive.step / CONTACT_WINDOW
        height = self.machine["ghost.contact_height"]
        for foot in self.alive:
            colour = foot.ghost.colour
            now = frozenset(partners.get(colour, ()))
            for partner in sorted(now - foot.touching):
                self.contacts.append(Contact(time, colour, partner))
            foot.touching = now
            foot.push += (sums.get(colour, 0.0) / self.drive.step - foot.push) * share
            if foot.push < 1e-6:
                foot.push = 0.0
            # The push acts at the height of the contact; the magnet's pull, which it works against, at the foot.
            moment = foot.push * height - math.hypot(*foot.pull) * self.machine["ghost.magnet_height"]
            if colour != self.drive.dragged and moment > foot.normal * self.machine.radius > 0.0:
                self._warn("tipping", foot, time, "it is pushed hard enough to tip over its edge")

    def _warn(self, kind: str, foot: _Foot, time: float, text: str) -> None:
        key = (kind, foot.ghost.colour)
        if key not in self.warnings:
            self.warnings[key] = Caveat(kind, foot.ghost.colour, time, text)

    def _unsettled(self, time: float) -> None:
        for foot in self.alive:
            if foot.pose[3] ** 2 + foot.pose[4] ** 2 >= self.machine["tolerance.rest"] ** 2:
                self._warn("unsettled", foot, time, "it still moves when the wait for rest is over")

    def _release(self) -> None:
        world = self.world
        if world.pull is not None and world.pull in world.space.constraints:
            world.space.remove(world.pull)

    def _record(self, time: float, angle: float) -> None:
        row: list[tuple[float, ...] | None] = [None] * len(self.feet)
        for foot in self.alive:
            row[foot.index] = (*foot.pose, *foot.pull, foot.normal, foot.push)
        self.frames.append((time, angle, row))

    def _finished(self) -> Trace:
        by_colour = {foot.ghost.colour: foot for foot in self.feet}
        feet = [by_colour[colour] for colour in COLOURS if colour in by_colour]
        gone = (math.nan,) * 10
        table = frozen([[row[foot.index] or gone for foot in feet] for _, _, row in self.frames])
        times = frozen([time for time, _, _ in self.frames])
        board = frozen([angle for _, angle, _ in self.frames])
        crossings = []
        cos, sin = [math.cos(a) for a in board], [math.sin(a) for a in board]
        for index, foot in enumerate(feet):
            path = [
                (c * x + s * y, c * y - s * x)
                for c, s, (x, y) in zip(cos, sin, table[:, index, :2].tolist(), strict=True)
            ]
            crossings += wall_crossings(foot.ghost.colour, times.tolist(), path, self.machine.castle, self.machine.space)
        return Trace(
            ghosts=tuple(foot.ghost.colour for foot in feet),
            times=times,
            board=board,
            poses=_part(table, 0, 3),
            velocities=_part(table, 3, 6),
            forces=_part(table, 6, 10),
            slips=tuple(foot.slip for foot in feet),
            slip_times=tuple(foot.slip_time for foot in feet),
            fallen=tuple(foot.fallen for foot in feet),
            contacts=tuple(sorted(self.contacts)),
            crossings=tuple(sorted(crossings)),
            warnings=tuple(sorted(self.warnings.values(), key=lambda w: (w.time, w.kind, w.ghost))),
            lifted=tuple(foot.fallen is None and (foot.repelled or foot.normal <= 0.0) for foot in feet),
        )


def _part(table: NDArray[np.float64], first: int, last: int) -> NDArray[np.float64]:
    part = table[:, :, first:last].copy()
    part.setflags(write=False)
    return part
