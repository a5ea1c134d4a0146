"""What must not matter, and how what does matter carries over: names, order in files, far-off ghosts, half turns."""

from __future__ import annotations

import math
import random
import tomllib
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.strategies import SHIPPED, machines, plays, states, turns
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.scene import Scene, parse_scene, scene_toml
from twin.board.state import COLOURS, Slider, State
from twin.outcome.engine import Outcome, Twin
from twin.outcome.ensemble import sample_move
from twin.outcome.riding_share import random_state
from twin.physics.hand import varied_hand
from twin.physics.magnets import CUTOFF

if TYPE_CHECKING:
    from tests.strategies import Play
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.outcome.snap import Placement

MACHINE = SHIPPED["reconstruction"]
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def act(machine: Machine, state: State, move: Move) -> Outcome:
    return Twin(machine).act(state, move, sensitivity=False)


@settings(max_examples=25, suppress_health_check=SLOW)
@given(plays(least=2), st.permutations(COLOURS))
def test_relabelled_ghosts_do_the_same(play: Play, order: list[str]) -> None:
    """Other names for the same ghosts lead to exactly the same places, under the other names."""
    new = dict(zip(COLOURS, order, strict=True))
    state, move = play.state, play.move
    renamed = State.of(state.orientation, {new[c]: place for c, place in state.ghosts}, state.sliders)
    other_move = Drag(new[move.ghost], move.direction) if isinstance(move, Drag) else move
    one = Twin(play.machine).act(state, move, play.hand, sensitivity=False)
    other = Twin(play.machine).act(renamed, other_move, play.hand, sensitivity=False)
    for colour, ghost in one.ghosts:
        touched = tuple(sorted(new.get(name, name) for name in ghost.touched))
        assert other.ghost(new[colour]) == replace(ghost, touched=touched)
    assert other.broken == one.broken
    assert sets(other.landing.placements) == {
        frozenset((new[c], space) for c, space in placement) for placement in one.landing.placements
    }


def sets(placements: tuple[Placement, ...]) -> set[frozenset[tuple[str, str]]]:
    return {frozenset(placement) for placement in placements}


@settings(max_examples=25, suppress_health_check=SLOW)
@given(st.data(), st.randoms(use_true_random=False))
def test_the_order_of_a_file_does_not_matter(data: st.DataObject, dice: random.Random) -> None:
    """A scene whose tables and keys come in another order is the same scene and gives the same bytes."""
    state, move = data.draw(states(MACHINE)), data.draw(turns())
    text = scene_toml(Scene("here", "A title", MACHINE, state))
    scene, other = (parse_scene(tomllib.loads(t), "here") for t in (text, shuffled(text, dice)))
    assert scene == other
    one, two = act(MACHINE, scene.state, move).trace, act(MACHINE, other.state, move).trace
    assert one is not None
    assert two is not None
    assert one.digest() == two.digest()


def shuffled(text: str, dice: random.Random) -> str:
    """The same TOML with its tables, and the keys within each of them, in another order."""
    top, *tables = (block.splitlines() for block in text.split("\n\n"))
    blocks = [dice.sample(top, len(top))]
    blocks += [[head, *dice.sample(keys, len(keys))] for head, *keys in dice.sample(tables, len(tables))]
    return "\n\n".join("\n".join(block) for block in blocks)


@settings(max_examples=20, suppress_health_check=SLOW)
@given(st.data())
def test_a_ghost_far_from_everybody_changes_nothing_for_them(data: st.DataObject) -> None:
    """Taking away a ghost that never comes near another one leaves the others' fates and spaces as they were."""
    state = data.draw(states(MACHINE, least=2, most=3))
    move = data.draw(turns())
    outcome = act(MACHINE, state, move)
    colour = data.draw(st.sampled_from(state.colours))
    assume(far(outcome, colour))
    without = State.of(state.orientation, {c: p for c, p in state.ghosts if c != colour}, state.sliders)
    alone = act(MACHINE, without, move)
    for other, ghost in alone.ghosts:
        assert ghost.key == outcome.ghost(other).key
        assert (ghost.place is None) == (outcome.ghost(other).place is None)
        assert math.dist(ghost.place or (0, 0), outcome.ghost(other).place or (0, 0)) < 0.01


def far(outcome: Outcome, colour: str) -> bool:
    """Whether a ghost stays farther from all others than magnets reach."""
    trace = outcome.trace
    assert trace is not None
    index = trace.ghosts.index(colour)
    for one, other in combinations(range(len(trace.ghosts)), 2):
        if index in {one, other}:
            gaps = np.hypot(*(trace.poses[:, one, :2] - trace.poses[:, other, :2]).T)
            if np.nanmin(gaps) < CUTOFF + 10:
                return False
    return True


@settings(max_examples=25, suppress_health_check=SLOW)
@given(st.data())
def test_a_scene_turned_by_180_degrees_does_the_same(data: st.DataObject) -> None:
    """A whole scene seen from the opposite side of the table ends at the opposite places (one ghost: no contacts)."""
    machine = data.draw(machines())
    state, half = data.draw(states(machine, most=1)), len(machine.tunnels) + 1
    sliders = [Slider(s.name, half - s.tunnel, -s.offset, not s.flipped) for s in state.sliders]
    turned = State.of(state.orientation + 2, {c: (-x, -y) for c, (x, y) in state.ghosts}, sliders)
    move: Move = data.draw(turns() | st.builds(Push, st.sampled_from("ABC"), st.sampled_from(("north", "south"))))
    opposite = Push(move.slider, "south" if move.direction == "north" else "north") if isinstance(move, Push) else move
    one, other = act(machine, state, move), act(machine, turned, opposite)
    assert other.key == one.key
    assert other.broken == one.broken
    for colour, ghost in one.ghosts:
        place = other.ghost(colour).place
        assert (place is None) == (ghost.place is None)
        assert place is None or ghost.place is None or math.dist(place, (-ghost.place[0], -ghost.place[1])) < 1e-6


@pytest.mark.parametrize("move", [Turn("cw"), Push("B", "north"), Relocate("A", 2, 1)], ids=str)
def test_a_longer_ensemble_extends_a_shorter_one(move: Move) -> None:
    """The first samples of a longer ensemble are those of a shorter one; the rest only adds to them."""
    twin, state = Twin(MACHINE), random_state(MACHINE, random.Random(3), ghosts=2)
    nominal = twin.act(state, move, sensitivity=False)
    shorter = sample_move(twin, state, move, nominal, size=4, seed=5)
    longer = sample_move(twin, state, move, nominal, size=7, seed=5)
    rest = [twin.act(state, move, varied_hand(MACHINE, 2, 5, index), sensitivity=False) for index in range(4, 7)]
    for (colour, few), (same, many) in zip(shorter.ghosts, longer.ghosts, strict=True):
        assert colour == same
        fates, spaces = dict(few.fates), dict(few.spaces)
        for outcome in rest:
            ghost = outcome.ghost(colour)
            fates[ghost.fate] = fates.get(ghost.fate, 0) + 1
            covered = "+".join(ghost.covers) or "off"
            spaces[covered] = spaces.get(covered, 0) + 1
        assert fates == many.fates
        assert spaces == many.spaces
    assert longer.alike == shorter.alike + sum(outcome.key == nominal.key for outcome in rest)
    assert shorter.most <= longer.most <= shorter.most + 3
