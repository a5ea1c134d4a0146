"""The loop of the reference engine: forces and limits of friction set, one step of pymunk, contacts read.

pymunk moves bodies first and updates velocities afterwards, so everything that acts in a step is worked out for the
place that a body is about to reach, x + v·dt. A force computed at the present place would act one step late, gain
energy and throw captured ghosts out again. The surface of the board is driven along the chord of each step (the
board's body stands at the middle angle while velocities are solved): along the tangent a riding ghost would drift
outward.

What is read and set in every step goes through pymunk's batch interface and the setters in
`twin.physics.reference.world`; magnets and ghosts that are out of reach are left out by lists that are made anew
whenever a ghost has moved far enough. `benchmarks/plain_loop.py` is the same loop without any of this, and gives the
same bytes.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Final

from pymunk import batch

from twin.board.state import COLOURS
from twin.physics.friction import STUCK, limit_surface
from twin.physics.laws import (
    SPACING,
    edge_moment,
    rocking_of,
    share_cell,
    tilted,
)
from twin.physics.magnets import CUTOFF, ghost_table, grip_table
from twin.physics.numerics import FRAME_RATE, QUIET, SLIPPING
from twin.physics.reference.foot import Foot
from twin.physics.reference.touches import Touches
from twin.physics.reference.world import (
    World,
    build_world,
    remove_ghost,
    set_anchor,
    set_angle,
    set_force,
    set_limit,
    set_spin,
)
from twin.physics.trace import WARNINGS, Caveat, Crossing, Trace, frozen, wall_crossings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.board.state import State
    from twin.physics.drive import Drive, Phase

SKIN: Final = 4.0
"""How far anything may move before the lists of what is near are made anew, mm."""

_MOTION: Final = (
    batch.BodyFields.POSITION | batch.BodyFields.ANGLE | batch.BodyFields.VELOCITY | batch.BodyFields.ANGULAR_VELOCITY
)

_SIX: Final = struct.Struct("6d")
_WHOLE: Final = (1.0, 1.0)
_NO_PULL: Final = (0.0, 0.0)


class Run:
    """One run of one drive; make it, ask for its `trace`, throw it away."""

    def __init__(self, state: State, machine: Machine, drive: Drive, frame_rate: float = FRAME_RATE) -> None:
        self.state, self.machine, self.drive = state, machine, drive
        self.world: World = build_world(state, machine, drive.dragged)
        self.feet = [Foot(ghost, index) for index, ghost in enumerate(self.world.ghosts)]
        self.alive = list(self.feet)
        self.stride = max(round(1.0 / (frame_rate * drive.step)), 1)
        self.grip, self.repulsion = grip_table(machine), ghost_table(machine)
        self.rocking = rocking_of(machine)
        self.touches = Touches(self.world, machine, drive.step)
        self.start_angle = -state.orientation * math.pi / 2
        self.half = machine.space * 3.5
        self.weight = machine["ghost.mass"] * machine["gravity.g"]
        self._cells = self.grip.cells
        self._friction = machine["friction.board"]
        self._torque = 2.0 / 3.0 * machine.radius
        self._drain = machine["ghost.mass"] * machine["rocking.rate"]
        self._radius = machine.radius
        self.warnings: dict[tuple[str, str], Caveat] = {}
        self.frames: list[tuple[float, float, list[tuple[float, ...] | None]]] = []
        self._buffer = batch.Buffer()
        self._order: list[Foot | None] = []
        self._pairs: list[tuple[Foot, Foot]] = []
        self._stale = True
        self._listed_shift = 0.0
        self._spin = 0.0

    def trace(self) -> Trace:
        """Run to the end."""
        index = 0
        for phase in self.drive.phases[:-1]:
            index = self._driven(phase, index)
        self._settle(self.drive.phases[-1], index)
        return self._finished()

    # -- the loop ---------------------------------------------------------------------------------------------------

    def _driven(self, phase: Phase, first: int) -> int:
        """Run the steps of a driven phase from instant `first` on; returns the instant at which the next one begins."""
        dt, start = self.drive.step, self.start_angle
        world = self.world
        self._stale = True
        for j in range(phase.steps):
            angle, ahead = (start + phase.angles[j], start + phase.angles[j + 1]) if phase.angles else (start, start)
            self._instant(phase, j, first + j, angle)
            if phase.grip and world.hand is not None:
                here, there = phase.grip[j], phase.grip[j + 1]
                world.hand.position = here
                world.hand.velocity = ((there[0] - here[0]) / dt, (there[1] - here[1]) / dt)
            self._step(angle, ahead, first + j + 1)
        return first + phase.steps

    def _settle(self, phase: Phase, first: int) -> None:
        """Wait until everything is at rest, or the wait is over."""
        dt, angle = self.drive.step, self.start_angle + self.drive.final_angle
        world = self.world
        if world.pull is not None and world.pull in world.space.constraints:
            world.space.remove(world.pull)
        self._stale = True
        rest2 = self.machine["tolerance.rest"] ** 2
        quiet, needed = 0, round(QUIET / dt)
        for j in range(phase.steps + 1):
            self._instant(phase, j, first + j, angle)
            moving = [foot for foot in self.alive if foot.pose[3] ** 2 + foot.pose[4] ** 2 >= rest2]
            quiet = 0 if moving else quiet + 1
            if quiet >= needed or not self.alive or j == phase.steps:
                if not self.frames or self.frames[-1][0] != (first + j) * dt:
                    self._record((first + j) * dt, angle)
                for foot in moving:
                    self._warn("unsettled", foot, (first + j) * dt)
                return
            self._step(angle, angle, first + j + 1)

    def _instant(self, phase: Phase, j: int, index: int, angle: float) -> None:
        """Everything about one instant: who is where, what acts on them, and a frame if one is due."""
        time = index * self.drive.step
        shift = phase.shifts[j] if phase.shifts else 0.0
        self._look(time, angle)
        self._list(phase, shift)
        self._act(shift, time)
        if index % self.stride == 0:
            self._record(time, angle)

    def _step(self, angle: float, ahead: float, index: int) -> None:
        """One step of pymunk, the board turning from `angle` to `ahead`."""
        dt, board = self.drive.step, self.world.board
        turn = ahead - angle
        # At the middle angle, this spin moves the surface exactly along the chord of the step.
        spin = 2.0 * math.sin(turn / 2.0) / dt
        if spin or self._spin or index == 1:
            set_angle(board, angle + turn / 2.0 - spin * dt)
            set_spin(board, spin)
            self._spin = spin
        self.world.space.step(dt)
        for foot in self.touches.read(index * dt, self.alive):
            self._warn("tipping", foot, index * dt)

    # -- what is seen -----------------------------------------------------------------------------------------------

    def _look(self, time: float, angle: float) -> None:
        """Read where every ghost is about to be, see who has fallen, and measure how feet slip over the board."""
        dt, half = self.drive.step, self.half
        if not self._order:
            self._order = self._bodies()
        buffer = self._buffer
        buffer.clear()
        batch.get_space_bodies(self.world.space, _MOTION, buffer)
        cos, sin = math.cos(angle), math.sin(angle)
        spin, radius = self._spin, self._radius
        still, still2 = 0.25 * STUCK, (0.25 * STUCK * dt) ** 2
        fallen = []
        for foot, (px, py, turn, vx, vy, w) in zip(self._order, _SIX.iter_unpack(buffer.float_buf()), strict=True):
            if foot is None:
                continue
            x, y = px + vx * dt, py + vy * dt
            foot.pose = (x, y, turn + w * dt, vx, vy, w)
            old_x, old_y = foot.anchor
            ax, ay = foot.anchor = (cos * x + sin * y, cos * y - sin * x)
            moved2 = (ax - old_x) ** 2 + (ay - old_y) ** 2
            if time > 0.0 and (moved2 > still2 or abs(w - spin) * radius > still):
                self._rub(foot, math.sqrt(moved2), time)
            else:
                foot.shares = _WHOLE
            if abs(ax) > half or abs(ay) > half:
                fallen.append(foot)
            lx, ly = foot.listed
            if abs(x - lx) + abs(y - ly) > SKIN:
                self._stale = True
        for foot in fallen:
            self._drop(foot, time)

    def _bodies(self) -> list[Foot | None]:
        """Whose body comes at which place in pymunk's batches; None for board and hand."""
        buffer = batch.Buffer()
        batch.get_space_bodies(self.world.space, batch.BodyFields.BODY_ID, buffer)
        by_id = {foot.ghost.body.id: foot for foot in self.alive}
        return [by_id.get(i) for i in memoryview(buffer.int_buf()).cast("P").tolist()]

    def _rub(self, foot: Foot, slipped: float, time: float) -> None:
        """What sliding (`slipped` mm in the last step) and spinning leave of a foot's friction."""
        slide = slipped / self.drive.step
        rim = abs(foot.pose[5] - self._spin) * self._radius
        if slide + rim < STUCK:
            foot.shares = _WHOLE
            return
        if slide > STUCK:
            foot.slip += slipped
            if foot.slip_time is None and slide > SLIPPING:
                foot.slip_time = time
        slide_share, spin_share = limit_surface()
        k, f = share_cell(slide, rim)
        foot.shares = (
            slide_share[k] + f * (slide_share[k + 1] - slide_share[k]),
            spin_share[k] + f * (spin_share[k + 1] - spin_share[k]),
        )

    def _drop(self, foot: Foot, time: float) -> None:
        """Take a ghost out that is no longer over the board."""
        foot.fallen = time
        foot.pull, foot.normal = (0.0, 0.0), 0.0
        remove_ghost(self.world, foot.ghost)
        self.alive.remove(foot)
        self._order = []
        self._stale = True

    # -- what acts --------------------------------------------------------------------------------------------------

    def _list(self, phase: Phase, shift: float) -> None:
        """Make the lists of what is near anew if a ghost has moved by `SKIN` since they were made."""
        if not self._stale and abs(shift - self._listed_shift) <= SKIN:
            return
        self._stale, self._listed_shift = False, shift
        reach2 = (CUTOFF + 2.0 * SKIN) ** 2
        for foot in self.alive:
            x, y = foot.listed = (foot.pose[0], foot.pose[1])
            foot.near = [
                (m.x, m.y, m.polarity, moving)
                for m, moving in zip(phase.magnets, phase.moving, strict=True)
                if (x - m.x) ** 2 + (y - m.y - (shift if moving else 0.0)) ** 2 < reach2
            ]
        self._pairs = [
            (one, other)
            for i, one in enumerate(self.alive)
            for other in self.alive[i + 1 :]
            if (one.pose[0] - other.pose[0]) ** 2 + (one.pose[1] - other.pose[1]) ** 2 < reach2
        ]
        self.touches.list_near(self.alive, self._pairs, 2.0 * SKIN)

    def _act(self, shift: float, time: float) -> None:
        """Set the forces of magnets and the limits of friction for the coming step."""
        mu, torque, weight = self._friction, self._torque, self.weight
        between = self._between() if self._pairs else None
        for foot in self.alive:
            fx = fy = 0.0
            normal = weight
            if foot.near:
                fx, fy, lift = self._magnets(foot, shift)
                foot.pull = (fx, fy)
                normal = weight - lift
                if normal <= 0.0:
                    normal = 0.0
                    self._lift(foot, time)
                foot.normal = normal
                pull = math.sqrt(fx * fx + fy * fy)
                if pull > normal * self.rocking.ratio:
                    fx -= self._drain * foot.pose[3]
                    fy -= self._drain * foot.pose[4]
                    self._rock(foot, pull, time)
                elif foot.tilt > 0.0 or foot.touching:
                    self._rock(foot, pull, time)
            else:
                foot.pull, foot.normal = _NO_PULL, normal
            if between is not None:
                gx, gy = between[foot.index]
                fx += gx
                fy += gy
            ghost = foot.ghost
            if fx != 0.0 or fy != 0.0:
                set_force(ghost.body, (fx, fy))
            share, twist_share = foot.shares
            limit = mu * normal * share
            if limit != foot.limit:
                foot.limit = limit
                set_limit(ghost.grip, limit)
            twist = mu * normal * torque * twist_share
            if twist != foot.twist:
                foot.twist = twist
                set_limit(ghost.twist, twist)
            set_anchor(ghost.grip, foot.anchor)

    def _magnets(self, foot: Foot, shift: float) -> tuple[float, float, float]:
        """Pull in x and y, and lift, of all magnets on a foot, µN."""
        cells = self._cells
        end = len(cells)
        x, y = foot.pose[0], foot.pose[1]
        fx = fy = lift = 0.0
        for mx, my, polarity, moving in foot.near:
            dx, dy = x - mx, y - (my + shift if moving else my)
            u = (dx * dx + dy * dy) / SPACING  # `table_cell` and `along_cell`, inline
            k = int(u)
            if k < end:
                f = u - k
                g, rise, up, up_rise = cells[k]
                g = polarity * (g + f * rise)
                fx += g * dx
                fy += g * dy
                lift += polarity * (up + f * up_rise)
        return fx, fy, lift

    def _lift(self, foot: Foot, time: float) -> None:
        """Note that a ghost is lifted off the board, and whether by a magnet that repels it."""
        foot.repelled = foot.repelled or any(polarity < 0 for _, _, polarity, _ in foot.near)
        self._warn("lifted", foot, time)

    def _between(self) -> list[tuple[float, float]]:
        """Forces between the magnets of the ghosts (µN), by the ghosts' index: equal and opposite."""
        cells = self.repulsion.cells
        end = len(cells)
        forces = [(0.0, 0.0)] * len(self.feet)
        for one, other in self._pairs:
            dx, dy = one.pose[0] - other.pose[0], one.pose[1] - other.pose[1]
            u = (dx * dx + dy * dy) / SPACING  # inline, as above
            k = int(u)
            if k < end:
                pull, rise, _, _ = cells[k]
                g = pull + (u - k) * rise
                ax, ay = forces[one.index]
                bx, by = forces[other.index]
                forces[one.index] = (ax + g * dx, ay + g * dy)
                forces[other.index] = (bx - g * dx, by - g * dy)
        return forces

    def _rock(self, foot: Foot, pull: float, time: float) -> None:
        """Follow how far a foot tilts, and warn if it falls over; the hand steadies the one that it drags.

        A foot that is free turns about its centre of mass; one that leans on something, about the point where it leans.
        """
        if foot.ghost is self.world.dragged:
            return
        rocking = self.rocking
        lever = rocking.lean_lever if foot.touching else rocking.lever
        moment = edge_moment(pull, lever, foot.normal, self._radius)
        foot.tilt, foot.tilt_rate = tilted(foot.tilt, foot.tilt_rate, moment, rocking.inertia, self.drive.step)
        if foot.tilt > rocking.topple_angle:
            self._warn("topple", foot, time)

    # -- what is handed over ----------------------------------------------------------------------------------------

    def _warn(self, kind: str, foot: Foot, time: float) -> None:
        colour = foot.ghost.colour
        self.warnings.setdefault((kind, colour), Caveat(kind, colour, time, WARNINGS[kind]))

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
        crossings: list[Crossing] = []
        turns = [(math.cos(a), math.sin(a)) for a in board]
        for index, foot in enumerate(feet):
            places = table[:, index, :2].tolist()
            path = [(c * x + s * y, c * y - s * x) for (c, s), (x, y) in zip(turns, places, strict=True)]
            crossings += wall_crossings(
                foot.ghost.colour, times.tolist(), path, self.machine.castle, self.machine.space
            )
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
            contacts=tuple(sorted(self.touches.contacts)),
            crossings=tuple(sorted(crossings)),
            warnings=tuple(sorted(self.warnings.values(), key=lambda w: (w.time, w.kind, w.ghost))),
            lifted=tuple(foot.fallen is None and (foot.repelled or foot.normal <= 0.0) for foot in feet),
        )


def _part(table: NDArray[np.float64], first: int, last: int) -> NDArray[np.float64]:
    part = table[:, :, first:last].copy()
    part.setflags(write=False)
    return part
