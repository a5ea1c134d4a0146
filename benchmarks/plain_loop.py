"""The reference engine as a plain loop over steps, ghosts and magnets: the baseline of `turn_speed`.

The same laws in the same order as `twin.physics.reference`, written as one would first write them: every body is asked
for its place and velocity, every magnet is looked at for every ghost, every arbiter is asked for through a callback,
and every joint and force is set in every step, all through pymunk's attributes. Its traces equal the engine's to the
last bit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from twin.physics.laws import SPACING
from twin.physics.numerics import CONTACT_WINDOW, FAINT
from twin.physics.reference import Run
from twin.physics.trace import Contact

if TYPE_CHECKING:
    import pymunk

    from twin.board.machine import Machine
    from twin.board.state import State
    from twin.physics.drive import Drive, Phase
    from twin.physics.reference import Foot


class PlainRun(Run):
    """A run without any of the engine's shortcuts."""

    def __init__(self, state: State, machine: Machine, drive: Drive, frame_rate: float = 100) -> None:
        super().__init__(state, machine, drive, frame_rate)
        self._phase: Phase = drive.phases[0]

    def _look(self, time: float, angle: float) -> None:
        dt = self.drive.step
        cos, sin = math.cos(angle), math.sin(angle)
        for foot in list(self.alive):
            body = foot.ghost.body
            vx, vy = body.velocity
            x, y = body.position.x + vx * dt, body.position.y + vy * dt
            foot.pose = (x, y, body.angle + body.angular_velocity * dt, vx, vy, body.angular_velocity)
            old, foot.anchor = foot.anchor, (cos * x + sin * y, cos * y - sin * x)
            if time > 0.0:
                slipped = math.sqrt((foot.anchor[0] - old[0]) ** 2 + (foot.anchor[1] - old[1]) ** 2)
                self._rub(foot, slipped, time)
            if abs(foot.anchor[0]) > self.half or abs(foot.anchor[1]) > self.half:
                self._drop(foot, time)

    def _list(self, phase: Phase, shift: float) -> None:
        del shift
        self._phase = phase

    def _act(self, shift: float, time: float) -> None:
        machine = self.machine
        friction = machine["friction.board"]
        between = self._between()
        for foot in self.alive:
            fx, fy, lift = self._magnets(foot, shift)
            foot.pull = (fx, fy)
            foot.normal = max(self.weight - lift, 0.0)
            if foot.normal == 0.0:
                foot.near = [(m.x, m.y, m.polarity, False) for m in self._phase.magnets]
                self._lift(foot, time)
            pull = math.sqrt(fx * fx + fy * fy)
            if pull > foot.normal * self.rocking.ratio:
                fx -= machine["ghost.mass"] * machine["rocking.rate"] * foot.pose[3]
                fy -= machine["ghost.mass"] * machine["rocking.rate"] * foot.pose[4]
            self._rock(foot, pull, time)
            fx += between[foot.index][0]
            fy += between[foot.index][1]
            foot.ghost.body.force = (fx, fy)
            foot.ghost.grip.max_force = friction * foot.normal * foot.shares[0]
            foot.ghost.twist.max_force = friction * foot.normal * (2.0 / 3.0 * machine.radius) * foot.shares[1]
            foot.ghost.grip.anchor_a = foot.anchor

    def _magnets(self, foot: Foot, shift: float) -> tuple[float, float, float]:
        pulls, lifts = self.grip.pull, self.grip.lift
        fx = fy = lift = 0.0
        for magnet, moving in zip(self._phase.magnets, self._phase.moving, strict=True):
            dx, dy = foot.pose[0] - magnet.x, foot.pose[1] - (magnet.y + shift if moving else magnet.y)
            u = (dx * dx + dy * dy) / SPACING
            k = int(u)
            if k < len(pulls) - 1:
                f = u - k
                g = magnet.polarity * (pulls[k] + f * (pulls[k + 1] - pulls[k]))
                fx += g * dx
                fy += g * dy
                lift += magnet.polarity * (lifts[k] + f * (lifts[k + 1] - lifts[k]))
        return fx, fy, lift

    def _between(self) -> list[tuple[float, float]]:
        pulls = self.repulsion.pull
        forces = [(0.0, 0.0)] * len(self.feet)
        for i, one in enumerate(self.alive):
            for other in self.alive[i + 1 :]:
                dx, dy = one.pose[0] - other.pose[0], one.pose[1] - other.pose[1]
                u = (dx * dx + dy * dy) / SPACING
                k = int(u)
                if k < len(pulls) - 1:
                    g = pulls[k] + (u - k) * (pulls[k + 1] - pulls[k])
                    forces[one.index] = (forces[one.index][0] + g * dx, forces[one.index][1] + g * dy)
                    forces[other.index] = (forces[other.index][0] - g * dx, forces[other.index][1] - g * dy)
        return forces

    def _step(self, angle: float, ahead: float, index: int) -> None:
        dt, board = self.drive.step, self.world.board
        turn = ahead - angle
        self._spin = spin = 2.0 * math.sin(turn / 2.0) / dt
        board.angle = angle + turn / 2.0 - spin * dt
        board.angular_velocity = spin
        self.world.space.step(dt)
        for foot in self.alive:
            self._touch(foot, index * dt)

    def _touch(self, foot: Foot, time: float) -> None:
        found: list[tuple[str, float]] = []

        def note(arbiter: pymunk.Arbiter, _: Any) -> None:  # noqa: ANN401 - as pymunk hands it on
            impulse = math.hypot(*arbiter.total_impulse)
            if impulse > 0.0:
                own = foot.ghost.body
                other = next(shape.body for shape in arbiter.shapes if shape.body is not own)
                found.append((self.world.names[other.id], impulse))

        foot.ghost.body.each_arbiter(note, None)
        now = frozenset(name for name, _ in found)
        self.touches.contacts += [Contact(time, foot.ghost.colour, name) for name in sorted(now - foot.touching)]
        foot.touching = now
        force = sum(sorted(impulse for _, impulse in found)) / self.drive.step
        foot.push += (force - foot.push) * (self.drive.step / CONTACT_WINDOW)
        foot.push = foot.push if foot.push >= FAINT else 0.0
        machine = self.machine
        moment = foot.push * machine["ghost.contact_height"] - math.hypot(*foot.pull) * machine["ghost.magnet_height"]
        if foot.ghost is not self.world.dragged and moment > foot.normal * machine.radius > 0.0:
            self._warn("tipping", foot, time)
