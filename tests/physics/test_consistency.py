"""Which model must agree with which, and in what limit.

| one model              | another                       | where they must agree                  | to            |
|------------------------|-------------------------------|----------------------------------------|---------------|
| table of forces        | dipole–dipole law             | beyond 45 mm                           | 3 %, lift 5 % |
| table of forces        | `magpylib.getFT`, 3,000 cells | any distance, off the table's grid     | 0.1 % of peak |
| table at a remanence B | `magpylib.getFT` at that B    | any B: forces go with B²               | 0.1 % of peak |
| force on one ghost     | force on the other            | always: equal and opposite             | 1e-9          |
| momentum before        | momentum after                | two ghosts, no friction, impact or not | 1e-9          |
| a scene                | the scene turned by 180°      | ghosts that touched nobody, and clear  | 1e-6 mm       |
| a scene                | the scene in a mirror, x or y | ghosts that touched nobody, and clear  | 1e-6 mm       |
| energy at release      | kinetic + magnetic, later     | nothing driven, no friction or rocking | 0.3 % of well |
| kinetic + magnetic     | its least value so far        | nothing driven: it never grows         | 1e-4 of well  |
| polarity +1            | polarity -1                   | forces and first motion are opposite   | exactly       |

*Clear* means not too close to call. Tables fade out between 80 and 90 mm; beyond 80 they are not compared.

The dipole law. A disc of volume V and remanence B has the moment m = B·V/μ₀. One on the axis z makes, at the distance r
beside and h above it, with ρ² = r² + h², the field B_z = μ₀·m/4π · (2h² − r²)/ρ⁵. The force on a second one, which
stands upright too, is m′·∇B_z:

    F_r = 3μ₀mm′/4π · r·(r² − 4h²)/ρ⁷        F_z = 3μ₀mm′/4π · h·(3r² − 2h²)/ρ⁷
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import magpylib
import numpy as np
import pytest

from benchmarks.step_halving import random_play
from tests.setups import BARE, MACHINE, MAGNET, changed, every_step, single_magnet, standing, undriven
from twin.board.machine import SegmentMagnet
from twin.board.moves import Push, PushDirection, Turn
from twin.board.state import COLOURS, Magnet, Slider, State, magnets
from twin.outcome.engine import Twin
from twin.physics.laws import SPACING
from twin.physics.magnets import Disc, ForceTable, ghost_table, grip_table
from twin.physics.reference import Run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.physics.trace import Trace

MU0 = 4e-7 * math.pi
GHOST = Disc(MACHINE["magnet.ghost_diameter"], MACHINE["magnet.ghost_height"])
SLIDER = Disc(MACHINE["magnet.slider_diameter"], MACHINE["magnet.slider_height"])
RISE = MACHINE["magnet.gap"] + (GHOST.height + SLIDER.height) / 2
"""From the middle of a slider's magnet up to that of a ghost's, mm."""

FAR = [45.0, 50.0, 57.3, 66.6, 79.0]
OFF_GRID = [0.0, 0.11, 0.37, 0.63, 1.23, 2.31, 3.77, 5.13, 6.61, 8.17, 10.3, 13.9, 18.2, 23.4, 33.3, 44.4, 61.7, 78.9]


# -- forces of magnets ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", FAR)
def test_far_away_a_slider_magnet_pulls_like_a_dipole(distance: float) -> None:
    """Beyond 45 mm the table of a ghost over a slider follows the dipole law: 3 % in the pull, 5 % in the lift."""
    pull, lift = grip_table(MACHINE).at(distance)
    far_pull, far_lift = _dipoles(GHOST, SLIDER, distance, RISE, MACHINE["magnet.remanence"])
    assert pull == pytest.approx(far_pull, rel=0.03)
    assert lift == pytest.approx(far_lift, rel=0.05)


@pytest.mark.parametrize("distance", FAR)
def test_far_away_ghosts_repel_like_dipoles(distance: float) -> None:
    """Beyond 45 mm the table between two ghosts follows the dipole law to 3 %."""
    pull, _ = ghost_table(MACHINE).at(distance)
    assert pull == pytest.approx(_dipoles(GHOST, GHOST, distance, 0.0, MACHINE["magnet.remanence"])[0], rel=0.03)


@pytest.mark.parametrize("remanence", [0.4, 0.8, 1.2])
def test_the_table_agrees_with_magpylib(remanence: float) -> None:
    """At distances off its grid and at any remanence, the table is within 0.1 % of the peak of a finer computation."""
    table = grip_table(changed(MACHINE, {"magnet__remanence": remanence}))
    direct = _magpylib(GHOST, SLIDER, OFF_GRID, RISE, remanence)
    ours = np.array([table.at(distance) for distance in OFF_GRID])
    assert (np.abs(ours - direct) < 1e-3 * np.abs(direct).max(axis=0)).all()


def test_the_table_between_ghosts_agrees_with_magpylib() -> None:
    """From touch on, the repulsion of two ghosts is within 0.1 % of its peak of a finer computation."""
    distances = [26.0, 26.4, 28.9, 33.3, 41.2, 55.5, 70.1]
    direct = _magpylib(GHOST, GHOST, distances, 0.0, MACHINE["magnet.remanence"])[:, 0]
    ours = np.array([ghost_table(MACHINE).at(distance)[0] for distance in distances])
    assert np.abs(ours - direct).max() < 1e-3 * direct[0]


@pytest.mark.parametrize("table", [grip_table, ghost_table])
def test_forces_go_with_the_square_of_the_remanence(table) -> None:
    """Twice the remanence of all magnets is four times the force, pull and lift."""
    weak, strong = (table(changed(MACHINE, {"magnet__remanence": value})) for value in (0.5, 1.0))
    assert strong.pull == pytest.approx([4.0 * value for value in weak.pull], rel=1e-12)
    assert strong.lift == pytest.approx([4.0 * value for value in weak.lift], rel=1e-12)


def _dipoles(upper: Disc, lower: Disc, distance: float, rise: float, remanence: float) -> tuple[float, float]:
    """Lateral and vertical force (µN) of two upright dipoles, distances in mm."""
    r, h = distance * 1e-3, rise * 1e-3
    moments = [remanence / MU0 * math.pi / 4 * disc.diameter**2 * disc.height * 1e-9 for disc in (upper, lower)]
    scale = 3 * MU0 * moments[0] * moments[1] / (4 * math.pi) / math.hypot(r, h) ** 7 * 1e6
    return scale * r * (r * r - 4 * h * h), scale * h * (3 * r * r - 2 * h * h)


def _magpylib(upper: Disc, lower: Disc, distances: list[float], rise: float, remanence: float) -> NDArray[np.float64]:
    """Lateral and vertical force (n, 2) in µN, at distances in mm."""
    source, target = (
        magpylib.magnet.Cylinder(
            dimension=(disc.diameter / 1e3, disc.height / 1e3), polarization=(0, 0, remanence), position=position
        )
        for disc, position in ((lower, (0, 0, 0)), (upper, [(r / 1e3, 0, rise / 1e3) for r in distances]))
    )
    force = np.squeeze(magpylib.getFT(source, target, meshing=3000)[0]) * 1e6
    return np.asarray(force[:, [0, 2]])


# -- Newton's third law ---------------------------------------------------------------------------------------------


class _Watched(Run):
    """A run that keeps the forces between ghosts."""

    def __init__(self, *args) -> None:
        super().__init__(*args)
        self.seen: list[list[tuple[float, float]]] = []

    def _between(self) -> list[tuple[float, float]]:
        forces = super()._between()
        self.seen.append(forces)
        return forces


def test_forces_between_ghosts_are_equal_and_opposite() -> None:
    """While four crowded ghosts drive each other apart, the forces between them add up to nothing at every instant."""
    machine = changed(BARE, {"friction__board": 0.0})
    state = standing((-80.0, -80.0), (-50.0, -80.0), (-80.0, -45.0), (-40.0, -40.0))
    run = _Watched(state, machine, undriven(state, machine, 0.2))
    run.trace()
    assert len(run.seen) > 100
    forces = np.array(run.seen)
    assert np.abs(forces).max() > 1e3
    assert np.abs(forces.sum(axis=1)).max() < 1e-9 * np.abs(forces).max()


@pytest.mark.parametrize(
    ("places", "velocities"),
    [
        ([(40.0, 40.0), (68.0, 50.0)], [(0.0, 0.0), (0.0, 0.0)]),
        ([(-60.0, -60.0), (60.0, -70.0)], [(300.0, 0.0), (-200.0, 20.0)]),
        ([(-60.0, 60.0), (20.0, 80.0)], [(400.0, 0.0), (0.0, 0.0)]),
    ],
    ids=["repelled", "head-on", "struck"],
)
def test_two_free_ghosts_keep_their_momentum(places: list[Place], velocities: list[Place]) -> None:
    """Without friction, whatever two ghosts do to each other leaves their total momentum as it was."""
    machine = changed(BARE, {"friction__board": 0.0})
    state = standing(*places)
    run = Run(state, machine, undriven(state, machine, 0.3), 1000.0)
    for ghost in run.world.ghosts:
        ghost.body.velocity = velocities[COLOURS.index(ghost.colour)]
    trace = run.trace()
    assert trace.fallen == (None, None)
    total = trace.velocities[:, :, :2].sum(axis=1)
    assert np.abs(trace.velocities[-1, :, :2] - velocities).max() > 10.0
    assert np.abs(total - total[0]).max() < 1e-9 * np.abs(trace.velocities[:, :, :2]).max()
    struck = any(velocity != (0.0, 0.0) for velocity in velocities)
    assert trace.touched("red") == (("yellow",) if struck else ())


# -- symmetry -------------------------------------------------------------------------------------------------------


class Symmetry(NamedTuple):
    """A way to set up the same physics elsewhere: factors of x and y, and what becomes of the scene's words."""

    x: int
    y: int
    quarters: int
    """By how much the board's orientation differs; a mirrored board cannot be had by turning one."""

    def state(self, state: State) -> State:
        """Tunnels swap sides with x; offsets change their sign and sliders are flipped with y."""
        places = {colour: (self.x * x, self.y * y) for colour, (x, y) in state.ghosts}
        sliders = [
            Slider(s.name, s.tunnel if self.x > 0 else 6 - s.tunnel, self.y * s.offset, s.flipped != (self.y < 0))
            for s in state.sliders
        ]
        return State.of(state.orientation + self.quarters, places, sliders)

    def move(self, move: Move) -> Move:
        """A mirror reverses turns; what swaps north and south reverses pushes."""
        if isinstance(move, Turn):
            return move if self.x == self.y else Turn("ccw" if move.direction == "cw" else "cw")
        assert isinstance(move, Push)
        back: PushDirection = "south" if move.direction == "north" else "north"
        return Push(move.slider, move.direction if self.y > 0 else back)


TURNED = Symmetry(-1, -1, 2)
MIRROR_X = Symmetry(-1, 1, 0)
MIRROR_Y = Symmetry(1, -1, 0)
SYMMETRIES = pytest.mark.parametrize("symmetry", [TURNED, MIRROR_X, MIRROR_Y], ids=["turned", "mirror x", "mirror y"])


def _play(seed: int) -> tuple[State, Move]:
    """A random play, on a board that lies in any of its four ways."""
    dice = random.Random(f"symmetry {seed}")
    state, move = random_play(MACHINE, dice)
    return replace(state, orientation=dice.randrange(4)), move


@SYMMETRIES
@pytest.mark.parametrize("seed", range(8))
def test_a_symmetric_scene_has_symmetric_magnets(symmetry: Symmetry, seed: int) -> None:
    """The sliders of a turned or mirrored scene put every magnet exactly where the turn or the mirror does."""
    state, _ = _play(seed)
    there = {(symmetry.x * m.x, symmetry.y * m.y, m.polarity, m.label) for m in magnets(state, MACHINE)}
    assert {(m.x, m.y, m.polarity, m.label) for m in magnets(symmetry.state(state), MACHINE)} == there


@SYMMETRIES
@pytest.mark.parametrize("seed", range(40))
def test_a_symmetric_scene_has_a_symmetric_outcome(symmetry: Symmetry, seed: int) -> None:
    """A ghost that touched nobody and is not too close to call ends in the turned or mirrored place, to 1e-6 mm."""
    twin = Twin(MACHINE)
    state, move = _play(seed)
    outcome = twin.act(state, move, sensitivity=False)
    other = twin.act(symmetry.state(state), symmetry.move(move), sensitivity=False)
    off = {
        colour for colour, ghost in outcome.ghosts if not _symmetric(ghost.place, other.ghost(colour).place, symmetry)
    }
    off -= {colour for colour, ghost in outcome.ghosts if not set(COLOURS).isdisjoint(ghost.touched)}
    if off:
        sensitive = twin.act(state, move)
        off -= {colour for colour in off if sensitive.ghost(colour).too_close}
    assert not off
    for colour, ghost in outcome.ghosts:
        if set(COLOURS).isdisjoint(ghost.touched):
            assert other.ghost(colour).fate == ghost.fate
            if symmetry is TURNED:
                assert other.ghost(colour).covers == ghost.covers


def test_two_ghosts_a_whole_number_of_spaces_apart_are_symmetric_too() -> None:
    """Two ghosts exactly two spaces apart end in the turned places as well, to 1e-6 mm."""
    sliders = [Slider("A", 1, 1), Slider("B", 5, -1), Slider("C", 3, 1, flipped=True)]
    state = State.of(0, {"red": (40.0, -120.0), "green": (-40.0, -120.0)}, sliders)
    twin = Twin(MACHINE)
    outcome = twin.act(state, Turn("ccw"), sensitivity=False)
    other = twin.act(TURNED.state(state), Turn("ccw"), sensitivity=False)
    for colour, ghost in outcome.ghosts:
        assert _symmetric(ghost.place, other.ghost(colour).place, TURNED)


def _symmetric(one: Place | None, other: Place | None, symmetry: Symmetry) -> bool:
    if one is None or other is None:
        return one is other
    return math.dist(one, (symmetry.x * other[0], symmetry.y * other[1])) < 1e-6


# -- energy ---------------------------------------------------------------------------------------------------------

CROWD: tuple[Place, ...] = ((-74.0, -72.0), (-49.0, -90.0), (-85.0, -110.0), (10.0, 40.0))
"""Three ghosts that a magnet pulls into each other, and one beside the plug."""


def _well(table: ForceTable, s: NDArray[np.float64]) -> NDArray[np.float64]:
    """Energy (nJ) at squared distances s: between the table's points the pull is linear, so the energy is quadratic."""
    pull, energy = np.array(table.pull), np.array(table.energy())
    cell = np.minimum((s / SPACING).astype(int), len(pull) - 2)
    part = np.clip(s / SPACING - cell, 0.0, 1.0)
    spent = pull[cell] * part + 0.5 * (pull[cell + 1] - pull[cell]) * part**2
    return np.asarray(energy[cell] - 0.5 * SPACING * spent)


def _energy(trace: Trace, machine: Machine, there: tuple[Magnet, ...]) -> NDArray[np.float64]:
    """Kinetic plus magnetic energy of all ghosts, nJ, one for each step.

    A frame pairs the place that a step leads to with the velocity of that step, which belongs half a step earlier;
    with the mean of that velocity and the next one both belong to the same instant.
    """
    mean = (trace.velocities[:-1] + trace.velocities[1:]) / 2
    mass = machine["ghost.mass"]
    inertia = mass * machine.radius**2 / 2
    total = 0.5 * (mass * (mean[..., :2] ** 2).sum(axis=-1) + inertia * mean[..., 2] ** 2).sum(axis=1)
    grip, between = grip_table(machine), ghost_table(machine)
    places = trace.poses[:-1, :, :2]
    for index in range(len(trace.ghosts)):
        for magnet in there:
            s = ((places[:, index] - (magnet.x, magnet.y)) ** 2).sum(axis=1)
            total = total + magnet.polarity * _well(grip, s)
        for other in range(index):
            total = total + _well(between, ((places[:, index] - places[:, other]) ** 2).sum(axis=1))
    return np.asarray(total)


def _depth(machine: Machine) -> float:
    """How deep the well over one magnet is, nJ."""
    return -grip_table(machine).energy()[0]


def _risen(energy: NDArray[np.float64]) -> float:
    """By how much an energy ever lies above what it had been before."""
    return float((energy - np.minimum.accumulate(energy)).max())


def _released(machine: Machine, *places: Place) -> NDArray[np.float64]:
    """The energy of ghosts released at rest, for half a second in which nothing is driven."""
    state = standing(*places)
    trace = every_step(state, machine, undriven(state, machine, 0.5))
    assert not any(trace.fallen)
    return _energy(trace, machine, magnets(state, machine))


@pytest.mark.parametrize("offset", [2.0, 4.0, 8.0, 12.0, 17.0])
def test_without_losses_a_ghost_swings_over_its_magnet_for_ever(offset: float) -> None:
    """Without friction and rocking, energy stays within 0.3 % of the well's depth, and above its start by 0.05 %."""
    machine = single_magnet(friction__board=0.0, rocking__rate=0.0)
    energy = _released(machine, (MAGNET[0] + 0.8 * offset, MAGNET[1] + 0.6 * offset))
    assert np.ptp(energy) < 0.003 * _depth(machine)
    assert (energy - energy[0]).max() < 0.0005 * _depth(machine)


@pytest.mark.parametrize("apart", [26.0, 27.0, 30.0, 40.0])
def test_without_losses_two_ghosts_turn_repulsion_into_speed(apart: float) -> None:
    """Two ghosts that drive each other apart without friction keep their energy to 0.01 % of it."""
    machine = changed(BARE, {"friction__board": 0.0})
    energy = _released(machine, (40.0, 40.0), (40.0 + apart, 40.0))
    assert np.ptp(energy) < 1e-4 * energy[0]


@pytest.mark.parametrize("friction", [0.15, 0.25, 0.4])
@pytest.mark.parametrize("rate", [0.0, 10.0])
@pytest.mark.parametrize(
    "places",
    [[(-76.0, -77.0)], [(-72.0, -70.0)], [(-80.0, -65.0), (-80.0, -92.0)], CROWD],
    ids=["near", "rim", "two for one magnet", "crowd"],
)
def test_with_friction_energy_never_grows(friction: float, rate: float, places: list[Place]) -> None:
    """With nothing driven, kinetic plus magnetic energy never rises again by more than 1e-4 of the well's depth.

    It may rise by that where a ghost turns back: its friction is reversed between two steps, not within one.
    """
    machine = single_magnet(friction__board=friction, rocking__rate=rate)
    energy = _released(machine, *places)
    assert _risen(energy) < 1e-4 * _depth(machine)
    assert energy[-1] <= energy[0]


def test_rocking_takes_energy_away() -> None:
    """Without friction, a ghost that rocks where the pull is strong loses a good part of its energy, and gains none."""
    machine = single_magnet(friction__board=0.0)
    energy = _released(machine, (MAGNET[0] + 8.0, MAGNET[1]))
    assert (energy - energy[0]).max() <= 0.0
    assert energy[0] - energy[-1] > 0.1 * _depth(machine)


def test_the_shipped_sliders_take_energy_away_too() -> None:
    """Four ghosts near the magnets of all sliders come to rest without gaining more than 1e-4 of a well on the way."""
    energy = _released(MACHINE, (-72.0, -75.0), (7.0, -48.0), (75.0, 5.0), (-80.0, 33.0))
    assert _risen(energy) < 1e-4 * _depth(MACHINE)
    assert energy[-1] < energy[0] - 0.5 * _depth(MACHINE)


# -- polarity -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [(5.0, 0.0), (0.0, -7.0), (6.0, 6.0), (-9.0, 4.0)])
def test_polarity_reverses_forces_and_first_motion(offset: Place) -> None:
    """Beside a gripping magnet a ghost is pulled towards it, beside a repelling one pushed off with the same force."""
    state = standing((MAGNET[0] + offset[0], MAGNET[1] + offset[1]))
    first = {}
    for polarity in (1, -1):
        machine = single_magnet(polarity, friction__board=0.0)
        trace = every_step(state, machine, undriven(state, machine, 0.003))
        first[polarity] = trace
        towards = -float(trace.velocities[1, 0, :2] @ np.array(offset))
        assert math.copysign(1.0, towards) == polarity
    assert np.array_equal(first[1].forces[0, 0, :2], -first[-1].forces[0, 0, :2])
    weight = MACHINE["ghost.mass"] * MACHINE["gravity.g"]
    lift = grip_table(MACHINE).at(math.hypot(*offset))[1]
    assert first[1].forces[0, 0, 2] == pytest.approx(weight - lift)
    assert first[-1].forces[0, 0, 2] == pytest.approx(max(weight + lift, 0.0))


def test_opposite_poles_far_away_swap_pull_and_push() -> None:
    """Beyond 18 mm a gripping magnet pushes and a repelling one pulls, which is the far field of the same law."""
    for polarity in (1, -1):
        machine = single_magnet(polarity, friction__board=0.0)
        state = standing((MAGNET[0] + 25.0, MAGNET[1]))
        trace = every_step(state, machine, undriven(state, machine, 0.003))
        assert math.copysign(1.0, float(trace.velocities[1, 0, 0])) == polarity


@pytest.mark.parametrize("direction", ["cw", "ccw"])
@pytest.mark.parametrize("space", ["b2", "a4", "b5", "c6", "f2", "c1"])
def test_a_ghost_over_a_repelling_magnet_is_lifted_never_held(direction, space: str) -> None:
    """With only repelling magnets, a ghost that comes over one is flagged as lifted; none is ever held or caught."""
    repelling = {name: tuple(SegmentMagnet(m.segment, -1) for m in row) for name, row in MACHINE.sliders.items()}
    machine = replace(MACHINE, sliders=repelling)
    outcome = Twin(machine).act(standing().on_spaces({"red": space}, 40.0), Turn(direction), sensitivity=False)
    trace, ghost = outcome.trace, outcome.ghost("red")
    assert trace is not None
    assert ghost.fate not in {"held", "caught", "left", "carried"}
    assert ghost.grip_before is None
    assert ghost.grip_after is None
    lifted = bool((trace.forces[:, 0, 2] == 0.0).any())
    assert lifted == any(warning.kind == "lifted" for warning in trace.warnings)
    assert trace.lifted == (lifted and ghost.place is not None,)


def test_a_ghost_that_starts_over_a_repelling_magnet_is_lifted() -> None:
    """A ghost that starts over a repelling magnet is lifted at once, and stays flagged."""
    machine = single_magnet(-1)
    outcome = Twin(machine).act(standing(MAGNET), Turn("cw"), sensitivity=False)
    assert outcome.trace is not None
    assert outcome.trace.warnings[0][:3] == ("lifted", "red", 0.0)
    assert outcome.trace.lifted == (True,)
