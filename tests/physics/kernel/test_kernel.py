"""The kernel does what the reference engine does, whatever the batch and however many threads."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numba
import numpy as np
import pytest

from twin.board.machine import load_machine
from twin.board.moves import Drag, Move, Push, Turn
from twin.board.scene import load_scene, scene_names
from twin.board.state import COLOURS, Slider, State
from twin.calibrate.fit.predict import LANDING
from twin.errors import BadInputError
from twin.outcome import many as front_door
from twin.outcome.engine import Outcome, Twin
from twin.outcome.many import simulate_many
from twin.outcome.riding_share import random_state
from twin.physics.hand import NOMINAL, varied_hand
from twin.physics.kernel.advance import COARSE
from twin.physics.kernel.batch import simulate_jobs
from twin.physics.kernel.jobs import encode
from twin.physics.kernel.machine_arrays import laws
from twin.physics.kernel.walls import decode
from twin.stats import wilson

if TYPE_CHECKING:
    from twin.outcome.outcomes import Outcomes

MACHINE = load_machine()
TWIN = Twin(MACHINE)
SLIDERS = [Slider("A", 1), Slider("B", 3), Slider("C", 5)]


def plays(count, seed, *, pushes):
    """Random positions and moves that the kernel can run."""
    dice = random.Random(seed)
    found: list[tuple[State, Move]] = []
    while len(found) < count:
        state = random_state(MACHINE, dice, ghosts=dice.randint(1, 4))
        slider = dice.choice(state.sliders)
        push = Push(slider.name, "north" if slider.offset < 2 else "south")
        move = push if pushes else Turn("cw" if dice.random() < 0.5 else "ccw")
        found.append((State.of(dice.randrange(4), state.places, state.sliders), move))
    return [state for state, _ in found], [move for _, move in found]


def alike(outcomes: Outcomes, n: int, outcome: Outcome, colour: str) -> bool:
    return (outcomes.fate_of(n, colour), outcomes.covers_of(n, colour)) == outcome.ghost(colour).key


@pytest.mark.slow
@pytest.mark.parametrize("pushes", [False, True], ids=["turns", "pushes"])
def test_kernel_and_reference_agree(pushes):
    """Ghosts that touched nobody end alike and in the same place; of those that touched somebody nearly all do."""
    states, moves = plays(220, 11, pushes=pushes)
    outcomes = simulate_many(states, moves, machine=MACHINE)
    alone = same_alone = touching = same_touching = 0
    off = []
    for n, (state, move) in enumerate(zip(states, moves, strict=True)):
        outcome = TWIN.act(state, move, sensitivity=False)
        assert outcomes.orientation[n] == outcome.orientation
        for colour in state.colours:
            ghost, i = outcome.ghost(colour), COLOURS.index(colour)
            same = alike(outcomes, n, outcome, colour)
            if ghost.touched:
                touching += 1
                same_touching += same
                continue
            alone += 1
            same_alone += same
            assert outcomes.touched_by(n, colour) == ghost.touched
            if ghost.place is not None:
                off.append(math.dist(ghost.place, outcomes.end[n, i]))
                assert outcomes.margin[n, i] == pytest.approx(ghost.margin, abs=off[-1] + 1e-6)
                assert outcomes.slip[n, i] == pytest.approx(ghost.slip, rel=0.05, abs=2.5)
    assert same_alone / alone >= 0.998
    assert same_touching / touching >= 0.97 or wilson(same_touching, touching)[1] >= 0.99
    assert np.median(off) < 0.001
    assert max(off) < 2.0


def test_scenes_that_are_not_chancy_end_alike():
    """What scenes expect of turns and pushes holds on the kernel as well."""
    scenes, moves, claims = [], [], []
    for name in scene_names():
        scene = load_scene(name)
        for expectation in scene.expectations:
            feasible = not isinstance(expectation.move, Push) or TWIN.act(scene.state, expectation.move).done
            if isinstance(expectation.move, Turn | Push) and feasible and not expectation.chancy:
                scenes.append(scene)
                moves.append(expectation.move)
                claims.append(expectation)
    outcomes = simulate_many(scenes, moves)
    for n, claim in enumerate(claims):
        where = f"{scenes[n].name}: {claim.move}"
        for colour, fate in claim.fates:
            assert outcomes.fate_of(n, colour) == fate, where
        for colour, spaces in claim.covers:
            assert outcomes.covers_of(n, colour) == spaces, where
        if claim.conflict is not None:
            assert outcomes.conflict[n] == claim.conflict, where


def test_placements_are_counted_as_snapping_lists_them():
    states, moves = plays(60, 5, pushes=True)
    outcomes = simulate_many(states, moves, machine=MACHINE)
    for n, (state, move) in enumerate(zip(states, moves, strict=True)):
        outcome = TWIN.act(state, move, sensitivity=False)
        if outcomes.key(n) == outcome.key:
            assert outcomes.placements[n] == len(outcome.landing.placements)


def test_walls_crossed_are_those_of_the_trace():
    states, moves = plays(60, 6, pushes=False)
    outcomes = simulate_many(states, moves, machine=MACHINE)
    crossings = 0
    for n, (state, move) in enumerate(zip(states, moves, strict=True)):
        outcome = TWIN.act(state, move, sensitivity=False)
        for colour in state.colours:
            ghost, walls = outcome.ghost(colour), outcomes.walls[n, COLOURS.index(colour)]
            if not ghost.touched and len(ghost.walls) <= 8:
                assert tuple(decode(int(code)) for code in walls[1 : 1 + walls[0]]) == ghost.walls
                crossings += len(ghost.walls)
    assert crossings > 20


def test_varied_hands_end_alike():
    """A hand's pace, warp, misalignment and displacements mean the same to both engines."""
    states, moves = plays(40, 8, pushes=False)
    hands = [varied_hand(MACHINE, len(state.ghosts), 3, n) for n, state in enumerate(states)]
    outcomes = simulate_many(states, moves, machine=MACHINE, hands=hands)
    for n, (state, move) in enumerate(zip(states, moves, strict=True)):
        outcome = TWIN.act(state, move, hands[n], sensitivity=False)
        for colour in state.colours:
            ghost = outcome.ghost(colour)
            assert tuple(outcomes.start[n, COLOURS.index(colour)]) == ghost.start
            if not ghost.touched:
                assert alike(outcomes, n, outcome, colour), (n, colour)


def test_threads_batches_and_order_do_not_matter():
    """Each move is computed as if it were alone."""
    states, moves = plays(150, 4, pushes=False)
    whole = simulate_many(states, moves, machine=MACHINE)
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    single = simulate_many(states, moves, machine=MACHINE)
    numba.set_num_threads(threads)
    parts = [simulate_many(states[i : i + 7], moves[i : i + 7], machine=MACHINE) for i in range(0, 150, 7)]
    back = simulate_many(states[::-1], moves[::-1], machine=MACHINE)
    for name in ("end", "slip", "margin", "fate", "covers", "touched", "walls", "placements"):
        values = getattr(whole, name)
        np.testing.assert_array_equal(values, getattr(single, name))
        np.testing.assert_array_equal(values, np.concatenate([getattr(part, name) for part in parts]))
        np.testing.assert_array_equal(values, getattr(back, name)[::-1])


def test_scenes_on_different_machines_run_in_one_batch():
    names = ["held", "ferrite-too-weak", "rides", "outer-tunnels-start"]
    moves: list[Move] = [Turn("cw"), Push("A", "north"), Turn("cw"), Turn("cw")]
    together = simulate_many([load_scene(name) for name in names], moves)
    for n, (name, move) in enumerate(zip(names, moves, strict=True)):
        assert simulate_many([load_scene(name)], [move]).key(0) == together.key(n)


def test_relabelled_ghosts_have_relabelled_outcomes():
    states, moves = plays(40, 2, pushes=False)
    renamed = dict(zip(COLOURS, COLOURS[1:] + COLOURS[:1], strict=True))
    others = [State.of(s.orientation, {renamed[c]: p for c, p in s.ghosts}, s.sliders) for s in states]
    one, other = (simulate_many(batch, moves, machine=MACHINE) for batch in (states, others))
    for n, state in enumerate(states):
        for colour in state.colours:
            i, k = COLOURS.index(colour), COLOURS.index(renamed[colour])
            np.testing.assert_array_equal(one.end[n, i], other.end[n, k])
            assert one.fate[n, i] == other.fate[n, k]


def test_results_are_read_only():
    outcomes = simulate_many([load_scene("held")], [Turn("cw")])
    with pytest.raises(ValueError, match="read-only"):
        outcomes.end[0, 0, 0] = 1.0


@pytest.mark.parametrize(
    ("scenes", "moves", "said"),
    [
        (["held"], [Turn("cw"), Turn("cw")], "equally many"),
        (["held"], [Drag("red", "north")], "pymunk"),
        (["held"], [Push("Z", "north")], "A, B, C"),
        (["push-no-farther"], [Push("C", "north")], "B5"),
    ],
)
def test_what_the_kernel_cannot_run_is_refused(scenes, moves, said):
    with pytest.raises(BadInputError, match=said):
        simulate_many([load_scene(name) for name in scenes], moves)


def test_bare_states_need_a_machine():
    with pytest.raises(BadInputError, match="machine"):
        simulate_many([load_scene("held").state], [Turn("cw")])


def test_nothing_in_nothing_out():
    assert len(simulate_many([], [])) == 0


def test_coarse_steps_are_a_shortcut_and_no_law():
    """A held ghost that is stepped coarsely ends within half a millimetre of where single steps put it."""
    state = State.of(0, {"red": (-80.0, -80.0)}, SLIDERS)
    assert COARSE > 1
    outcomes = simulate_many([state], [Turn("cw")], machine=MACHINE)
    place = TWIN.act(state, Turn("cw"), NOMINAL, sensitivity=False).ghost("red").place
    assert place is not None
    assert math.dist(place, outcomes.end[0, 0]) < 0.5


def test_held_ghosts_land_where_the_reference_engine_puts_them_if_the_last_steps_are_single():
    """Coarse steps alone leave them behind, all to the same side, by a third of a millimetre on average."""
    dice = random.Random(8)
    states = [
        State.of(0, {"red": (-80.0 + dice.uniform(-2, 2), -80.0 + dice.uniform(-2, 2))}, SLIDERS) for _ in range(12)
    ]
    moves = [Turn("cw")] * len(states)
    places = [TWIN.act(s, Turn("cw"), NOMINAL, sensitivity=False).ghost("red").place for s in states]
    jobs = encode(MACHINE, states, moves)
    usual, careful = (
        simulate_jobs(laws(MACHINE)._replace(landing=landing), jobs).end[:, 0] - np.array(places)
        for landing in (laws(MACHINE).landing, LANDING)
    )
    assert np.abs(careful).max() < 0.1
    assert np.linalg.norm(careful.mean(axis=0)) < 0.02 < np.linalg.norm(usual.mean(axis=0))


def test_jobs_can_be_given_as_arrays():
    states, moves = plays(10, 1, pushes=False)
    jobs = encode(MACHINE, states, moves)
    direct = front_door.simulate_jobs(MACHINE, jobs)
    np.testing.assert_array_equal(direct.end, simulate_many(states, moves, machine=MACHINE).end)
    assert laws(MACHINE) is laws(load_machine())
