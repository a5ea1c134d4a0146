"""What can be worked out with pencil and paper: riding, slipping, being held, sliding to rest."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from tests.setups import BARE, MAGNET, board_drive, changed, every_step, on_board, single_magnet, standing, undriven
from twin.board.grid import STANDING_SPACES, centre
from twin.board.moves import Turn, TurnDirection
from twin.physics.friction import limit_surface
from twin.physics.laws import CELLS
from twin.physics.magnets import ForceTable, grip_table
from twin.physics.reference import Run, simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.physics.trace import Trace

G = BARE["gravity.g"]
FINE = 0.0005
"""A finer step (s) where the instant of an event is asked for."""


@pytest.mark.parametrize("space", STANDING_SPACES)
@pytest.mark.parametrize("direction", ["cw", "ccw"])
def test_a_ghost_on_no_magnet_rides_by_exactly_a_quarter(space: str, direction: TurnDirection) -> None:
    """From every space and either way, a ghost on no magnet ends within 0.2 mm of the exact quarter turn.

    The surface is driven along the chord of each step, so that a foot which sticks all the way is exact to a nanometre.
    """
    move = Turn(direction)
    trace = simulate(standing(centre(space, 40.0)), move, BARE)
    end = trace.final("red")
    assert end is not None
    off = math.dist(end, centre(space, 40.0, move.quarter))
    assert off < 0.2
    assert trace.slips == (0.0,)
    assert off < 1e-6


def _started(jerk: float) -> tuple[Callable[[float], float], ...]:
    """Angle, angular velocity and acceleration of a turntable whose acceleration grows evenly."""
    return lambda t: jerk * t**3 / 6, lambda t: jerk * t**2 / 2, lambda t: jerk * t


def _spun_up(acceleration: float) -> tuple[Callable[[float], float], ...]:
    """Angle, angular velocity and acceleration of a turntable that is spun up at an even, low rate."""
    return lambda t: acceleration * t**2 / 2, lambda t: acceleration * t, lambda _: acceleration


@pytest.mark.parametrize("radius", [30.0, 60.0, 100.0, 170.0])
@pytest.mark.parametrize("friction", [0.15, 0.25, 0.4])
@pytest.mark.parametrize("kind", ["started", "spun up"])
def test_a_foot_slips_when_the_board_asks_more_than_friction_gives(radius: float, friction: float, kind: str) -> None:
    """A disc on a turntable starts to slip within 1 % of μ·g = r·√(α² + ω⁴).

    Started hard, the tangential part rules; spun up slowly, the centrifugal one. Slip begins with the first step in
    which the foot leaves its place on the board faster than a micrometre per second; before, it moves by rounding only.
    """
    machine = changed(BARE, {"friction__board": friction})
    limit = friction * G
    if kind == "started":
        seconds = 0.6
        angle, speed, acceleration = _started(limit / radius / 0.3)
    else:
        seconds = 3.0
        angle, speed, acceleration = _spun_up(math.sqrt(limit / radius) / 2.5)
    state = standing((radius * math.cos(0.8), radius * math.sin(0.8)))
    angles = [angle(index * FINE) for index in range(round(seconds / FINE) + 1)]
    trace = every_step(state, machine, board_drive(state, machine, angles, FINE))
    slide = np.linalg.norm(np.diff(on_board(trace)[:, 0], axis=0), axis=1) / FINE
    first = int(np.argmax(slide > 1e-3))
    time = float(trace.times[first])
    assert slide[0] < 1e-3 < slide[first]
    asked = radius * math.hypot(acceleration(time), speed(time) ** 2)
    assert asked == pytest.approx(limit, rel=0.01)
    shown = trace.slip_times[0]
    assert shown is not None
    assert time < shown < seconds


@pytest.mark.parametrize("remanence", [0.4, 0.6, 0.8, 1.0, 1.2])
@pytest.mark.parametrize("friction", [0.15, 0.25, 0.4])
def test_a_held_ghost_hangs_where_pull_meets_friction(remanence: float, friction: float) -> None:
    """While the board slowly turns under it, a held ghost stays within 0.1 mm of where the pull equals μ·N.

    It is dragged along with the surface until the magnet's lateral pull balances friction; since the magnet also
    presses it down, both sides of the balance depend on the offset.
    """
    machine = single_magnet(friction__board=friction, magnet__remanence=remanence)
    balance = _balance(grip_table(machine), machine)
    assert balance is not None
    offsets = _slowly_under(machine, seconds=balance / 3.0 + 1.0)[-500:]
    # The surface moves along (y, -x) where the board turns clockwise; the ghost hangs that way from its magnet.
    along = np.array([MAGNET[1], -MAGNET[0]]) / math.hypot(*MAGNET)
    assert np.abs(offsets @ along - balance).max() < 0.1
    assert np.abs(np.linalg.norm(offsets, axis=1) - balance).max() < 0.1


@pytest.mark.parametrize(("remanence", "friction"), [(0.2, 0.25), (0.25, 0.4), (0.3, 0.4)])
def test_a_ghost_is_carried_off_where_the_pull_never_meets_friction(remanence: float, friction: float) -> None:
    """Where friction exceeds the pull at every offset, the board takes the ghost off its magnet."""
    machine = single_magnet(friction__board=friction, magnet__remanence=remanence)
    assert _balance(grip_table(machine), machine) is None
    offsets = _slowly_under(machine, seconds=5.0)
    assert np.linalg.norm(offsets[-1]) == pytest.approx(15.0, abs=0.5)


def _balance(table: ForceTable, machine: Machine) -> float | None:
    """The least offset (mm) at which the pull reaches μ·N, by bisection; None if it does nowhere."""
    weight = machine["ghost.mass"] * G

    def spare(offset: float) -> float:
        pull, lift = table.at(offset)
        return -pull - machine["friction.board"] * (weight - lift)

    high = next((offset / 10 for offset in range(1, 150) if spare(offset / 10) > 0), None)
    if high is None:
        return None
    low = high - 0.1
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if spare(middle) < 0 else (low, middle)
    return high


def _slowly_under(machine: Machine, seconds: float) -> NDArray[np.float64]:
    """Offsets from its magnet (steps, 2) of a ghost under which the board moves clockwise at 3 mm/s."""
    state = standing(MAGNET)
    rate = -3.0 / math.hypot(*MAGNET)
    angles = [rate * index / 1000 for index in range(round(seconds * 1000) + 1)]
    trace = every_step(state, machine, board_drive(state, machine, angles))
    return np.asarray(trace.poses[:, 0, :2] - np.array(MAGNET))


@pytest.mark.parametrize("friction", [0.15, 0.25, 0.4])
@pytest.mark.parametrize("speed", [100.0, 300.0, 500.0])
def test_a_ghost_slides_to_rest_with_friction_times_gravity(friction: float, speed: float) -> None:
    """A lone ghost that is let go at a speed v loses μ·g of it each second and stops after v²/(2·μ·g).

    Moving first and braking afterwards, a step overshoots by half of what the ghost covers in it.
    """
    machine = changed(BARE, {"friction__board": friction})
    trace = _let_go(machine, speed)
    speeds = np.hypot(trace.velocities[:, 0, 0], trace.velocities[:, 0, 1])
    sliding = speeds[speeds > friction * G * 0.001]
    assert np.diff(sliding) / 0.001 == pytest.approx(-friction * G, rel=1e-6)
    assert speeds[-1] < 1e-6
    end = trace.final("red")
    assert end is not None
    assert math.dist(end, (-120.0, -120.0)) == pytest.approx(speed**2 / (2 * friction * G) + speed * 0.0005, abs=0.002)


@pytest.mark.parametrize("ratio", [0.5, 1.0, 2.0, 4.0])
def test_a_spinning_ghost_slides_farther_as_the_coupled_law_says(ratio: float) -> None:
    """A ghost that spins while it slides goes as far as m·v̇ = −μN·f, I·ω̇ = −⅔μNr·t say, and both end together.

    f and t are the shares of the limit surface at the ratio of rim speed to sliding speed, integrated here with an
    independent solver.
    """
    speed, radius = 300.0, BARE.radius
    brake = BARE["friction.board"] * G
    slide_share, spin_share = limit_surface()
    cells = np.linspace(0.0, 1.0, CELLS + 1)

    def law(_: float, motion: NDArray[np.float64]) -> list[float]:
        _, slide, rim = motion
        share = rim / max(slide + rim, 1e-12)
        # A disc's moment of inertia is m·r²/2, so ⅔μNr / I changes the rim speed by 4/3 of μ·g.
        twist = 4.0 / 3.0 * float(np.interp(share, cells, spin_share))
        return [slide, -brake * float(np.interp(share, cells, slide_share)), -brake * twist]

    def stopped(_: float, motion: NDArray[np.float64]) -> float:
        return float(motion[1] - 0.5)

    stopped.terminal = True  # type: ignore[attr-defined]
    solved = solve_ivp(law, (0.0, 2.0), [0.0, speed, ratio * speed], events=stopped, max_step=1e-3, rtol=1e-8)
    trace = _let_go(BARE, speed, spin=ratio * speed / radius)
    end = trace.final("red")
    assert end is not None
    assert math.dist(end, (-120.0, -120.0)) == pytest.approx(float(solved.y[0, -1]), rel=0.01)
    assert abs(trace.velocities[-1, 0, 2]) * radius < 2.0


def _let_go(machine: Machine, speed: float, spin: float = 0.0) -> Trace:
    """A ghost let go at the south-western corner with a speed (mm/s) and a spin (1/s), on a board at rest."""
    state = standing((-120.0, -120.0))
    run = Run(state, machine, undriven(state, machine, 0.6), 1000.0)
    body = run.world.ghosts[0].body
    body.velocity = (0.6 * speed, 0.8 * speed)
    body.angular_velocity = spin
    return run.trace()
