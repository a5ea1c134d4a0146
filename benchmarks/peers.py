"""The same 4-ghost turns on two other engines, MuJoCo and Box2D: how fast they are, and whether ghosts end alike.

Both are driven from Python as the reference engine is, with the same course of the board, the same tables of magnets
and steps of 1 ms; a ghost whose centre is no longer over the board has fallen. They are no part of the twin and are
installed for this benchmark only: `pip install Box2D mujoco`.

Box2D (top-down, without gravity, 1 unit = 10 mm): every ghost stands on a kinematic body of its own that moves as the
board's surface does under it, and a friction joint between the two is limited to the Coulomb force and torque, shared
between sliding and spinning as in the reference engine; rocking costs speed by the same law. The solver differs:
velocities are updated before places, and overlaps are mended in places rather than by extra velocity. Left out: all
warnings, among them ghosts that lift off or topple.

MuJoCo (3D, SI units): the board is a box on a hinge, so heavy that ghosts do not slow it; ghosts are bodies with six
degrees of freedom, a cylinder as foot, the centre of mass and the magnet at the machine's heights. Magnets pull and
press at the height of the magnet. Friction, rocking and tipping come out of the contacts and are not modelled apart.
Left out: torques between magnets. Its contacts are soft, so feet creep a little, and a foot touches the board at a
few points of its rim rather than all over, so that it has half as much grip again against spinning.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import random
import time
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

import numpy as np

from twin.board.grid import space_under, to_board
from twin.board.machine import load_machine
from twin.board.moves import Turn
from twin.outcome.engine import Twin
from twin.outcome.riding_share import random_state
from twin.outcome.snap import snap
from twin.physics.drive import plan
from twin.physics.friction import STUCK, limit_surface
from twin.physics.laws import CELLS, SPACING
from twin.physics.magnets import ghost_table, grip_table
from twin.physics.numerics import QUIET
from twin.physics.reference import Run
from twin.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.state import State
    from twin.physics.drive import Drive

TITLE: Final = "Peers: the same turns on MuJoCo and Box2D"

TURNS: Final = 60
SEED: Final = 5
_QUICK: Final = 8
_PACKAGES: Final = {"box2d": "Box2D", "mujoco": "mujoco"}
_CM: Final = 10.0
"""Millimetres in a unit of length of Box2D, which is made for things of the size of one unit."""
_BEYOND: Final = (1000.0, 1000.0)
"""Where fallen ghosts are put, in the units of either engine."""


class Peer(Protocol):
    """One run on another engine."""

    def advance(self, angle: float, ahead: float) -> None:
        """One step, the board turning from one angle (radians) to the other."""
        ...

    def look(self) -> list[tuple[float, float, float, float]]:
        """Places (mm) and velocities (mm/s) of the ghosts, floor frame."""
        ...

    def drop(self, index: int) -> None:
        """Take a fallen ghost away."""
        ...


def measure(*, quick: bool) -> dict[str, object]:
    """Turns a second of each engine, and shares of ghosts that end as in the reference engine."""
    machine, dice = load_machine(), random.Random(SEED)
    setups = []
    for _ in range(_QUICK if quick else TURNS):
        state = random_state(machine, dice)
        move = Turn("cw" if dice.random() < 0.5 else "ccw")
        setups.append((state, move, plan(state, move, machine)))
    start = time.process_time()
    for state, _, drive in setups:
        Run(state, machine, drive).trace()
    result: dict[str, object] = {"turns": len(setups), "reference": len(setups) / (time.process_time() - start)}
    outcomes = [Twin(machine).act(state, move, sensitivity=False) for state, move, _ in setups]
    for name, package in _PACKAGES.items():
        if importlib.util.find_spec(package) is None:
            result[name] = None
            continue
        tally = dict.fromkeys(("ghosts", "under", "covers", "alone", "alone_under", "alone_covers"), 0)
        start = time.process_time()
        ends = [run_peer(name, state, machine, drive) for state, _, drive in setups]
        spent = time.process_time() - start
        for outcome, places in zip(outcomes, ends, strict=True):
            landing = snap(places, 0.0, outcome.orientation, machine)
            for colour, ghost in outcome.ghosts:
                under = _under(ghost.place, outcome.orientation, machine)
                same_under = under == _under(places[colour], outcome.orientation, machine)
                same_covers = ghost.covers == landing.footing(colour).covers
                tally["ghosts"] += 1
                tally["under"] += same_under
                tally["covers"] += same_covers
                if not ghost.touched:
                    tally["alone"] += 1
                    tally["alone_under"] += same_under
                    tally["alone_covers"] += same_covers
        result[name] = {"rate": len(setups) / spent, **tally}
    return result


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    said = [f"reference engine: {result['reference']:.1f} turns a second on one core, over {result['turns']} turns"]
    for name, package in _PACKAGES.items():
        part = cast("Mapping[str, Any] | None", result[name])
        if part is None:
            said.append(f"{package}: not installed; `pip install {package}` adds it to this comparison")
            continue
        said.append(f"{package}: {part['rate']:.1f} turns a second")
        said.append(
            f"  same space under the centre as in the reference engine: {_share(part['under'], part['ghosts'])}"
        )
        said.append(f"  same spaces covered: {_share(part['covers'], part['ghosts'])}")
        said.append(
            f"  of ghosts that touched nothing: {_share(part['alone_under'], part['alone'])} under the centre, "
            f"{_share(part['alone_covers'], part['alone'])} covered"
        )
    return said


def run_peer(name: str, state: State, machine: Machine, drive: Drive) -> dict[str, Place | None]:
    """Where the ghosts end after a turn on another engine; None for the fallen."""
    order = sorted(state.ghosts, key=lambda ghost: ghost[1])
    make = OnBox2D if name == "box2d" else OnMujoco
    peer: Peer = make([place for _, place in order], machine, drive)
    turning, settling = drive.phases
    start, half = -state.orientation * math.pi / 2, 3.5 * machine.space
    fallen: set[int] = set()
    quiet, rest2 = 0, machine["tolerance.rest"] ** 2
    for j in range(turning.steps + settling.steps):
        angle = start + turning.angles[min(j, turning.steps)]
        ahead = start + turning.angles[min(j + 1, turning.steps)]
        peer.advance(angle, ahead)
        cos, sin = math.cos(ahead), math.sin(ahead)
        moving = False
        for i, (x, y, vx, vy) in enumerate(peer.look()):
            if i in fallen:
                continue
            if max(abs(cos * x + sin * y), abs(cos * y - sin * x)) > half:
                fallen.add(i)
                peer.drop(i)
            moving = moving or vx * vx + vy * vy >= rest2
        quiet = 0 if moving or j < turning.steps else quiet + 1
        if quiet * drive.step >= QUIET:
            break
    ends = peer.look()
    return {colour: None if i in fallen else ends[i][:2] for i, (colour, _) in enumerate(order)}


class Forces:
    """Forces of all magnets on ghosts, from the tables of the twin; µN and mm."""

    def __init__(self, machine: Machine, drive: Drive) -> None:
        self.grip, self.repulsion = grip_table(machine).cells, ghost_table(machine).cells
        self.magnets = [(m.x, m.y, m.polarity) for m in drive.phases[0].magnets]

    def sliders(self, x: float, y: float) -> tuple[float, float, float]:
        """Pull in x and y, and lift, of the sliders' magnets at a place."""
        fx = fy = lift = 0.0
        for mx, my, polarity in self.magnets:
            dx, dy = x - mx, y - my
            u = (dx * dx + dy * dy) / SPACING
            k = int(u)
            if k < len(self.grip):
                pull, rise, up, up_rise = self.grip[k]
                g = polarity * (pull + (u - k) * rise)
                fx += g * dx
                fy += g * dy
                lift += polarity * (up + (u - k) * up_rise)
        return fx, fy, lift

    def between(self, dx: float, dy: float) -> tuple[float, float]:
        """Force between the magnets of two ghosts (dx, dy) apart, on the first."""
        u = (dx * dx + dy * dy) / SPACING
        k = int(u)
        if k >= len(self.repulsion):
            return 0.0, 0.0
        pull, rise, _, _ = self.repulsion[k]
        g = pull + (u - k) * rise
        return g * dx, g * dy

    def others(self, i: int, places: list[Place], gone: set[int]) -> tuple[float, float]:
        """Force of the other ghosts' magnets on one."""
        fx = fy = 0.0
        for k, (x, y) in enumerate(places):
            if k != i and k not in gone:
                gx, gy = self.between(places[i][0] - x, places[i][1] - y)
                fx += gx
                fy += gy
        return fx, fy


class OnBox2D:
    """A run on Box2D; lengths in cm, masses in g, so that forces are in units of 10 µN."""

    def __init__(self, places: list[Place], machine: Machine, drive: Drive) -> None:
        Box2D: Any = importlib.import_module(_PACKAGES["box2d"])
        self.machine, self.forces, self.dt = machine, Forces(machine, drive), drive.step
        self.gone: set[int] = set()
        self.world = Box2D.b2World(gravity=(0.0, 0.0), doSleep=False)
        radius, mass, own = machine.radius / _CM, machine["ghost.mass"], machine["friction.ghost"]
        # Box2D takes the geometric mean of the two coefficients.
        plug = Box2D.b2FixtureDef(
            shape=Box2D.b2CircleShape(radius=machine["plug.radius"] / _CM), friction=machine["friction.plug"] ** 2 / own
        )
        self.world.CreateStaticBody(fixtures=plug)
        foot = Box2D.b2FixtureDef(
            shape=Box2D.b2CircleShape(radius=radius), density=mass / (math.pi * radius * radius), friction=own
        )
        self.surfaces, self.bodies, self.joints = [], [], []
        for x, y in places:
            surface = self.world.CreateKinematicBody(position=(x / _CM, y / _CM))
            body = self.world.CreateDynamicBody(position=(x / _CM, y / _CM), fixtures=foot)
            joint = self.world.CreateFrictionJoint(
                bodyA=surface, bodyB=body, anchor=body.worldCenter, maxForce=0.0, maxTorque=0.0
            )
            self.surfaces.append(surface)
            self.bodies.append(body)
            self.joints.append(joint)

    def advance(self, angle: float, ahead: float) -> None:
        """One step of Box2D."""
        machine, dt = self.machine, self.dt
        spin, weight = (ahead - angle) / dt, machine["ghost.mass"] * machine["gravity.g"]
        places = [(_CM * body.position[0], _CM * body.position[1]) for body in self.bodies]
        ratio = machine.radius / (machine["ghost.cm_height"] - machine["ghost.magnet_height"])
        for i, (x, y) in enumerate(places):
            if i in self.gone:
                continue
            body, surface, joint = self.bodies[i], self.surfaces[i], self.joints[i]
            vx, vy = _CM * body.linearVelocity[0], _CM * body.linearVelocity[1]
            # The surface under a foot moves along the chord of the step.
            c, s = math.cos(ahead - angle) - 1.0, math.sin(ahead - angle)
            ux, uy = (c * x - s * y) / dt, (s * x + c * y) / dt
            fx, fy, lift = self.forces.sliders(x, y)
            normal = max(weight - lift, 0.0)
            if math.hypot(fx, fy) > normal * ratio:
                fx -= machine["ghost.mass"] * machine["rocking.rate"] * vx
                fy -= machine["ghost.mass"] * machine["rocking.rate"] * vy
            gx, gy = self.forces.others(i, places, self.gone)
            body.ApplyForceToCenter(((fx + gx) / _CM, (fy + gy) / _CM), True)  # noqa: FBT003 - has no keywords
            slide, twist = shares(math.hypot(vx - ux, vy - uy), abs(body.angularVelocity - spin) * machine.radius)
            grip = machine["friction.board"] * normal / _CM
            joint.maxForce, joint.maxTorque = grip * slide, grip * twist * 2.0 / 3.0 * machine.radius / _CM
            surface.position = body.position
            surface.linearVelocity, surface.angularVelocity = (ux / _CM, uy / _CM), spin
        self.world.Step(dt, 20, 10)
        self.world.ClearForces()

    def look(self) -> list[tuple[float, float, float, float]]:
        """Places and velocities."""
        return [
            (_CM * b.position[0], _CM * b.position[1], _CM * b.linearVelocity[0], _CM * b.linearVelocity[1])
            for b in self.bodies
        ]

    def drop(self, index: int) -> None:
        """Put a fallen ghost far away, at rest."""
        self.gone.add(index)
        self.bodies[index].position = (_BEYOND[0] * (index + 1), _BEYOND[1])
        self.bodies[index].linearVelocity = (0.0, 0.0)
        self.surfaces[index].linearVelocity = (0.0, 0.0)


class OnMujoco:
    """A run on MuJoCo; metres, kilograms and newtons."""

    def __init__(self, places: list[Place], machine: Machine, drive: Drive) -> None:
        mujoco: Any = importlib.import_module(_PACKAGES["mujoco"])
        self.mujoco, self.machine, self.forces, self.dt = mujoco, machine, Forces(machine, drive), drive.step
        self.gone: set[int] = set()
        self.model = mujoco.MjModel.from_xml_string(scene(places, machine, drive.step))
        self.data = mujoco.MjData(self.model)
        self.bodies = [self.model.body(f"ghost{i}").id for i in range(len(places))]
        self.down = np.array([0.0, 0.0, -(machine["ghost.cm_height"] - machine["ghost.magnet_height"]) / 1000.0])

    def advance(self, angle: float, ahead: float) -> None:
        """One step of MuJoCo."""
        data, machine = self.data, self.machine
        data.qpos[0], data.qvel[0] = angle, (ahead - angle) / self.dt
        places = [(1000.0 * x, 1000.0 * y) for x, y, _ in (self._magnet(i) for i in range(len(self.bodies)))]
        for i, body in enumerate(self.bodies):
            data.xfrc_applied[body] = 0.0
            if i in self.gone:
                continue
            fx, fy, lift = self.forces.sliders(*places[i])
            gx, gy = self.forces.others(i, places, self.gone)
            force = ((fx + gx) * 1e-6, (fy + gy) * 1e-6, lift * 1e-6)
            ax, ay, az = data.xmat[body].reshape(3, 3) @ self.down
            # Forces act on the magnet in the foot, far below the centre of mass.
            torque = (ay * force[2] - az * force[1], az * force[0] - ax * force[2], ax * force[1] - ay * force[0])
            data.xfrc_applied[body] = (*force, *torque)
        self.mujoco.mj_step(self.model, data)
        if not all(math.isfinite(v) for v in data.qvel):
            raise ArithmeticError(f"MuJoCo left the finite numbers on {machine.name}")

    def look(self) -> list[tuple[float, float, float, float]]:
        """Places of the feet and velocities."""
        found = []
        for i, body in enumerate(self.bodies):
            x, y, _ = self._magnet(i)
            at = self.model.body_dofadr[body]
            vx, vy = self.data.qvel[at : at + 2]
            found.append((1000.0 * x, 1000.0 * y, 1000.0 * float(vx), 1000.0 * float(vy)))
        return found

    def drop(self, index: int) -> None:
        """Let a fallen ghost fall, far away."""
        self.gone.add(index)
        at = self.model.jnt_qposadr[self.model.body_jntadr[self.bodies[index]]]
        self.data.qpos[at : at + 2] = (_BEYOND[0] * (index + 1), _BEYOND[1])

    def _magnet(self, i: int) -> tuple[float, float, float]:
        """Where a ghost's foot is, m."""
        at = self.model.jnt_qposadr[self.model.body_jntadr[self.bodies[i]]]
        x, y, z = self.data.qpos[at : at + 3]
        return float(x), float(y), float(z)


def scene(places: list[Place], machine: Machine, step: float) -> str:
    """Board, plug and ghosts as a model file of MuJoCo; a ghost's frame is at the middle of its sole."""
    radius, mass, height = machine.radius / 1000, machine["ghost.mass"] / 1000, machine["ghost.cm_height"] / 1000
    foot = machine["ghost.contact_height"] / 1000
    across, spin = mass * (height**2 + radius**2) / 3, 0.5 * mass * radius**2
    half, plug = 3.5 * machine.space / 1000, machine["plug.radius"] / 1000
    ghosts = "".join(
        f'<body name="ghost{i}" pos="{x / 1000!r} {y / 1000!r} 0"><freejoint/>'
        f'<inertial pos="0 0 {height!r}" mass="{mass!r}" diaginertia="{across!r} {across!r} {spin!r}"/>'
        f'<geom type="cylinder" size="{radius!r} {foot!r}" pos="0 0 {foot!r}" contype="2" conaffinity="7"'
        f' friction="{machine["friction.ghost"]!r} 0 0"/></body>'
        for i, (x, y) in enumerate(places)
    )
    # Of two geoms in contact the higher coefficient counts, unless one has priority: the board's.
    return f"""<mujoco>
    <option timestep="{step!r}" gravity="0 0 {-machine["gravity.g"] / 1000!r}" integrator="implicitfast"
            cone="elliptic" impratio="10" noslip_iterations="4"><flag multiccd="enable"/></option>
    <default><geom condim="3" solref="0.004 1" solimp="0.95 0.99 0.0001"/></default>
    <worldbody>
    <geom type="cylinder" size="{plug!r} 0.02" pos="0 0 0.025" contype="4" conaffinity="0" priority="1"
          friction="{machine["friction.plug"]!r} 0 0"/>
    <body name="board"><joint type="hinge" axis="0 0 1" armature="10"/>
    <geom type="box" size="{half!r} {half!r} 0.005" pos="0 0 -0.005" mass="0.1" contype="1" conaffinity="0"
          priority="1" friction="{machine["friction.board"]!r} 0 0"/></body>
    {ghosts}</worldbody></mujoco>"""


def shares(slide: float, rim: float) -> tuple[float, float]:
    """Shares of linear friction and of friction torque that sliding and spinning (mm/s) leave."""
    if slide + rim < STUCK:
        return 1.0, 1.0
    slides, spins = limit_surface()
    u = rim / (slide + rim) * CELLS
    k = min(int(u), CELLS - 1)
    f = u - k
    return slides[k] + f * (slides[k + 1] - slides[k]), spins[k] + f * (spins[k + 1] - spins[k])


def _under(place: Place | None, orientation: int, machine: Machine) -> str | None:
    return None if place is None else space_under(to_board(place, orientation), machine.space)


def _share(hits: int, trials: int) -> str:
    low, high = wilson(hits, trials)
    return f"{hits / trials:.1%} ({hits} of {trials}; {low:.1%} to {high:.1%})"
