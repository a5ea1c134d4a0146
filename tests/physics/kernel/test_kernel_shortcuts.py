"""What the kernel leaves out changes nothing that counts: each of its shortcuts against the reference engine.

| shortcut | where it is taken | must agree with |
|---|---|---|
| ghosts that ride are not stepped | `kernel.rides.certain` | the board's turn to 1e-9 mm; fates |
| held ghosts are stepped coarsely | `kernel.advance.COARSE` | outcomes, and places to 2 mm |
| only ghosts that nearly touch are solved together | `kernel.advance.CLEAR` | outcomes and touches of passing ghosts |
| sweeps over contacts end early | `kernel.collisions.SETTLED` | outcomes, and places to 0.2 mm, of pushed chains |
| forces are bounded, not computed | `kernel.machine_arrays.Laws.tail` | the tables at any distance |

All of it must hold for other hands and other machines as well.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.setups import BARE, MACHINE, changed, standing
from twin.board.grid import STANDING_SPACES, centre
from twin.board.moves import Push, Turn
from twin.board.state import COLOURS, MAX_OFFSET, Slider, State, magnets
from twin.outcome.engine import Twin
from twin.outcome.many import simulate_many
from twin.outcome.riding_share import random_state
from twin.physics.hand import NOMINAL, Hand
from twin.physics.kernel.machine_arrays import laws
from twin.physics.magnets import CUTOFF, ghost_table, grip_table

STRONG = changed(MACHINE, {"magnet__remanence": 1.2, "magnet__gap": 3.0})
UNEVEN = Hand(pace=1.1, warp=(0.25, -0.3, 0.2), misalignment=0.02)

TO_AND_FRO = Hand(warp=(0.0, 0.0, 1.4))
"""A hand that goes back on its way: the arc to where it is later does not tell everywhere that it has been."""


def lone_turns(machine, count, seed):
    """Random positions of one ghost, anywhere in its space, under any orientation, and turns."""
    dice = random.Random(seed)
    states, moves = [], []
    for _ in range(count):
        state = random_state(machine, dice, ghosts=1)
        x, y = state.places["red"]
        near = (x + dice.uniform(-4, 4), y + dice.uniform(-4, 4))
        states.append(State.of(dice.randrange(4), {"red": near}, state.sliders))
        moves.append(Turn("cw" if dice.random() < 0.5 else "ccw"))
    return states, moves


def lone_pushes(machine, count, seed):
    """Random positions of one ghost on or near a magnet of the slider that is pushed."""
    dice = random.Random(seed)
    states: list[State] = []
    moves: list[Push] = []
    half = 3.5 * machine.space
    while len(states) < count:
        state = random_state(machine, dice, ghosts=1)
        slider = dice.choice(state.sliders)
        own = [m for m in magnets(state, machine) if m.slider == slider.name]
        magnet = dice.choice(own)
        x, y = magnet.x + dice.uniform(-12, 12), magnet.y + dice.uniform(-12, 12)
        if max(abs(x), abs(y)) > half or math.hypot(x, y) < machine["plug.radius"] + machine.radius + 1:
            continue
        states.append(State.of(0, {"red": (x, y)}, state.sliders))
        moves.append(Push(slider.name, "north" if slider.offset < MAX_OFFSET else "south"))
    return states, moves


def assert_alike(machine, plays, hand=NOMINAL, within=2.0):
    """Every lone ghost has the same fate, covers the same spaces and ends near where the reference engine puts it."""
    states, moves = plays
    twin, outcomes = Twin(machine), simulate_many(states, moves, machine=machine, hands=[hand] * len(moves))
    fates = set()
    for n, (state, move) in enumerate(zip(states, moves, strict=True)):
        ghost = twin.act(state, move, hand, sensitivity=False).ghost("red")
        assert (outcomes.fate_of(n, "red"), outcomes.covers_of(n, "red")) == ghost.key, (n, state, move)
        if ghost.place is not None:
            assert math.dist(ghost.place, outcomes.end[n, 0]) < within, (n, state, move)
        fates.add(ghost.fate)
    return fates


# -- ghosts that ride are left alone ----------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", ["cw", "ccw"])
def test_riding_ghosts_end_exactly_where_the_board_carries_them(direction):
    """From every space, with no magnet near: a quarter turn, no more and no less."""
    spots = [centre(space, BARE.space) for space in STANDING_SPACES]
    outcomes = simulate_many([standing(spot) for spot in spots], [Turn(direction)] * len(spots), machine=BARE)
    sign = 1 if direction == "cw" else -1
    exact = np.array([(sign * y, -sign * x) for x, y in spots])
    np.testing.assert_allclose(outcomes.end[:, 0], exact, rtol=0.0, atol=1e-9)
    assert {outcomes.fate_of(n, "red") for n in range(len(spots))} == {"rode"}
    assert not outcomes.slip[:, 0].any()


def test_riding_ghosts_keep_each_other_company_exactly():
    """Four at once, spaces apart, feel each other's magnets and still ride."""
    dice = random.Random(3)
    states = [
        standing(*(centre(space, BARE.space) for space in dice.sample(("a1", "g1", "a7", "g7", "d1", "d7"), 4)))
        for _ in range(30)
    ]
    outcomes = simulate_many(states, [Turn("cw")] * len(states), machine=BARE)
    for n, state in enumerate(states):
        for colour, (x, y) in state.ghosts:
            assert math.dist(outcomes.end[n, COLOURS.index(colour)], (y, -x)) < 1e-9


def test_strong_magnets_leave_nobody_riding_by_mistake():
    """The strongest magnets that a machine may have reach far, and bounds must see them.

    What they catch swings fast, so that coarse steps may leave it on the other side of its magnet.
    """
    fates = assert_alike(STRONG, lone_turns(STRONG, 40, 21), within=4.0)
    assert {"rode", "held", "caught"} <= fates


# -- held ghosts are stepped coarsely ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fate", ["held", "caught"])
def test_coarse_steps_keep_gripped_ghosts_where_they_are(fate):
    """Ghosts that a magnet holds or catches, over many spaces and settings of the sliders."""
    states, moves = lone_turns(MACHINE, 1500, 5)
    outcomes = simulate_many(states, moves, machine=MACHINE)
    chosen = [n for n in range(len(states)) if outcomes.fate_of(n, "red") == fate][:40]
    assert len(chosen) == 40
    assert_alike(MACHINE, ([states[n] for n in chosen], [moves[n] for n in chosen]))


# -- sweeps over contacts end early -----------------------------------------------------------------------------------


def chains():
    """Ghosts in a row before a magnet that is pushed towards them: how many, how far apart, how far off the line."""
    dice = random.Random(17)
    for length in (2, 3, 4):
        for tunnel in (1, 2, 4):
            for apart in (26.5, 31.0, 40.0):
                off = [dice.uniform(-3, 3) for _ in range(length)]
                yield pytest.param(length, tunnel, apart, off, id=f"{length}-{tunnel}-{apart:g}")


@pytest.mark.parametrize(("length", "tunnel", "apart", "off"), list(chains()))
def test_pushed_chains_end_alike(length, tunnel, apart, off):
    """Fates and covers are the same unless it is too close to call; places are the same to a fifth of a millimetre."""
    others = [t for t in (1, 3, 5, 2) if t != tunnel][:2]
    sliders = [Slider("A", tunnel, 0), Slider("B", others[0], -2), Slider("C", others[1], 2)]
    first = next(m for m in magnets(State.of(0, {}, sliders), MACHINE) if m.slider == "A")
    places = {c: (first.x + off[k], first.y + k * apart) for k, c in enumerate(COLOURS[:length])}
    state, move = State.of(0, places, sliders), Push("A", "north")
    outcome = Twin(MACHINE).act(state, move)
    outcomes = simulate_many([state], [move], machine=MACHINE)
    for colour, ghost in outcome.ghosts:
        if ghost.too_close:
            continue
        assert (outcomes.fate_of(0, colour), outcomes.covers_of(0, colour)) == ghost.key
        assert outcomes.touched_by(0, colour) == ghost.touched
        if ghost.place is not None:
            assert math.dist(ghost.place, outcomes.end[0, COLOURS.index(colour)]) < 0.2


# -- only ghosts that nearly touch are solved together -----------------------------------------------------------------


def glances():
    """A held ghost, and one that the board carries past it at a distance between just touching and well apart."""
    sliders = [Slider("A", 1, 0), Slider("B", 3, -2), Slider("C", 5, 2)]
    held = next(m for m in magnets(State.of(0, {}, sliders), MACHINE) if m.slider == "A")
    r, angle = math.hypot(held.x, held.y), math.atan2(held.y, held.x)
    for gap in (-1.0, 0.5, 1.5, 2.5, 4.0, 7.0, 9.0):
        past = r + 2 * MACHINE.radius + gap
        place = past * math.cos(angle + 0.6), past * math.sin(angle + 0.6)
        if max(map(abs, place)) < 3.5 * MACHINE.space:
            yield pytest.param(State.of(0, {"red": (held.x, held.y), "blue": place}, sliders), id=f"{gap:g}")


@pytest.mark.parametrize("state", list(glances()))
def test_ghosts_that_pass_each_other_closely_end_alike(state):
    """Whether they touch or miss by a little: fates, spaces and touches are the reference engine's."""
    outcome = Twin(MACHINE).act(state, Turn("cw"))
    outcomes = simulate_many([state], [Turn("cw")], machine=MACHINE)
    for colour, ghost in outcome.ghosts:
        if not ghost.too_close:
            assert (outcomes.fate_of(0, colour), outcomes.covers_of(0, colour)) == ghost.key
            assert outcomes.touched_by(0, colour) == ghost.touched


# -- forces are bounded, not computed ---------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", [MACHINE, STRONG], ids=["default", "strong"])
@given(distance=st.floats(0.0, CUTOFF + 20.0), share=st.floats(0.0, 1.0))
def test_bounds_hold_at_any_distance(machine, distance, share):
    """No magnet at a distance, nor any farther one, exceeds the bound of a smaller whole distance."""
    tail = laws(machine).tail
    bound = tail[min(int(share * distance), len(tail) - 1)]
    pull, lift = grip_table(machine).at(distance)
    push, _ = ghost_table(machine).at(distance)
    assert abs(pull) <= bound[0] * (1 + 1e-9)
    assert abs(lift) <= bound[1] * (1 + 1e-9)
    assert abs(push) <= bound[2] * (1 + 1e-9)


def test_bounds_fall_with_distance_and_end_at_nothing():
    tail = laws(MACHINE).tail
    assert (np.diff(tail, axis=0) <= 0.0).all()
    assert not tail[-1].any()


# -- other hands, other machines --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hand",
    [Hand(pace=0.75), Hand(pace=1.7), UNEVEN, replace(UNEVEN, pace=0.8), TO_AND_FRO],
    ids=["fast", "slow", "uneven", "rash", "to-and-fro"],
)
def test_other_hands_end_alike(hand):
    assert_alike(MACHINE, lone_turns(MACHINE, 25, 31), hand=hand)
    assert_alike(MACHINE, lone_pushes(MACHINE, 10, 32), hand=hand)


@pytest.mark.parametrize(
    "values",
    [
        {"friction__board": 0.15},
        {"friction__board": 0.4},
        {"board__space": 36.0},
        {"board__space": 44.0},
        {"ghost__mass": 8.0, "ghost__radius": 10.0},
        {"ghost__mass": 20.0, "ghost__radius": 16.0},
        {"magnet__remanence": 0.4},
        {"magnet__remanence": 1.2},
        {"rocking__rate": 0.0, "hand__turn_time": 0.6, "hand__push_time": 0.3},
        {"plug__radius": 19.0, "ghost__cm_height": 22.0},
    ],
    ids=lambda values: "-".join(f"{key.split('__')[1]}-{value:g}" for key, value in values.items()),
)
def test_other_machines_end_alike(values):
    machine = changed(MACHINE, values)
    assert_alike(machine, lone_turns(machine, 20, 41))
    assert_alike(machine, lone_pushes(machine, 8, 42))
