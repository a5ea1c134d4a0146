"""Ways to a space: known answers, honest probabilities, the same under a seed."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tests.explore.test_explore import run
from twin.board.moves import Drag, Move, Push, Turn
from twin.board.scene import load_scene
from twin.errors import BadInputError
from twin.explore.chances import hands_for, sampled_edges, sure_edges
from twin.explore.reach import reach
from twin.explore.survey import survey
from twin.outcome.engine import Twin
from twin.reports.exploring import reached_json, reached_lines

if TYPE_CHECKING:
    from twin.board.state import State


def moves_of(way):
    return [str(step.move) for step in way.steps]


@pytest.mark.parametrize(
    ("scene", "ghost", "space", "move"),
    [
        ("held", "red", "f2", "turn cw"),
        ("held", "red", "b6", "turn ccw"),
        ("caught", "red", "b4", "turn cw"),
        ("caught", "red", "e6", "turn ccw"),
        ("drag", "red", "a2", "drag red north"),
        ("drag", "yellow", "e4", "drag yellow west"),
    ],
)
def test_a_known_way_is_found_and_sure(scene, ghost, space, move):
    """One move is enough, so that no longer way is told."""
    found = reach(load_scene(scene), ghost, space, moves=2, samples=40)
    assert [move] in [moves_of(way) for way in found.ways]
    assert found.ways[0].probability == 1.0
    assert all(len(way.steps) == 1 for way in found.ways if way.probability == 1.0)


def test_a_way_of_two_moves_does_what_the_twin_does():
    """The steps of the best way, made on pymunk by the nominal hand, end on the space."""
    scene = load_scene("held")
    found = reach(scene, "red", "g2", moves=2, samples=40)
    assert found.ways[0].probability > 0.9
    state, twin = scene.state, Twin(scene.machine)
    for step in found.ways[0].steps:
        outcome = twin.act(state, step.move, sensitivity=False)
        assert outcome.legal
        state = outcome.after(dict(step.choice))
    assert state == state.on_spaces({"red": "g2"}, scene.machine.space)


def test_d5_g4_the_chance_of_a_corner_is_the_chance_of_a_fall():
    """Yellow can be put on a1 just when the livelier hands shove it off; the search says the survey's share of that."""
    scene = load_scene("livelier-hand")
    found = reach(scene, "yellow", "a1", moves=1, samples=100, seed=2)
    way = found.ways[0]
    assert way.steps[0].move == Push("C", "north")
    assert dict(way.steps[0].choice)["yellow"] == "a1"
    samples = survey(scene, samples=100, seed=2, relocations=False).option(Push("C", "north")).samples
    assert samples is not None
    assert way.estimate == pytest.approx(dict(samples.ghosts)["yellow"].spaces["off"] / 100)
    low, high = way.interval
    assert low < 0.22 < high
    assert 0 < way.probability < 0.5


def test_d4_a_straddling_ghost_is_put_where_it_is_wanted():
    """Yellow ends on four spaces at once; each of them is reached by the same turn with its own choice."""
    scene = load_scene("straddles-after-turn")
    outcome = Twin(scene.machine).act(scene.state, scene.expectations[0].move, sensitivity=False)
    spaces = [space for space in outcome.ghost("yellow").covers if space not in {"b6", "c6"}]
    for space in spaces:
        found = reach(scene, "yellow", space, moves=1, samples=30)
        step = found.ways[0].steps[0]
        assert step.move == scene.expectations[0].move
        assert ("yellow", space) in step.choice
    assert len(spaces) == 2


def test_the_surest_come_first_and_nothing_longer_that_is_no_surer():
    found = reach(load_scene("all-at-once"), "yellow", "e6", moves=2, samples=40)
    assert found.ways
    for one, other in pairwise(found.ways):
        assert (-one.wins, len(one.steps)) <= (-other.wins, len(other.steps))
    for way in found.ways:
        shorter = [o for o in found.ways if len(o.steps) < len(way.steps)]
        assert all(o.wins < way.wins for o in shorter)
        assert 0 <= way.straight <= way.wins <= way.plays == 40


def test_thinking_again_is_worth_something():
    """Where a move may go otherwise, what is won by replanning counts towards the way but not as straight."""
    found = reach(load_scene("all-at-once"), "yellow", "e6", moves=2, samples=60, relocations=False)
    replanned = [way for way in found.ways if moves_of(way) == ["turn ccw", "push A south"]]
    assert replanned
    assert replanned[0].straight < replanned[0].wins


def test_a_seed_gives_the_same_ways():
    scene = load_scene("livelier-hand")
    one, other = (reach(scene, "yellow", "g7", moves=2, samples=30, seed=5, relocations=False) for _ in range(2))
    assert one == other
    assert one.ways


def test_more_moves_are_never_worse():
    scene = load_scene("held")
    sure = [max((w.estimate for w in reach(scene, "red", "g2", moves=k, samples=30).ways), default=0) for k in (1, 2)]
    assert sure == [0, 1]


def test_a_ghost_that_is_there_needs_no_way():
    found = reach(load_scene("held"), "red", "b2", moves=1, samples=5)
    assert found.there
    assert found.ways == ()
    assert "already" in reached_lines(found)[0]


def test_a1_only_the_own_ghost_is_dragged():
    scene = load_scene("drag")
    edges = sure_edges(scene.machine, scene.state, "red")
    assert edges
    assert all(isinstance(edge.move, Drag) and edge.move.ghost == "red" for edge in edges)


def test_b6_a_push_off_the_board_is_no_edge():
    scene = load_scene("all-at-once")
    hands = hands_for(scene.machine, 4, 1, 10)
    pairs: list[tuple[State, Move]] = [(scene.state, Push("C", "south")), (scene.state, Turn("cw"))]
    barred, turn = sampled_edges(scene.machine, pairs, hands)
    assert barred is None
    assert turn is not None
    assert sum(count for _, count in turn.branches) == turn.size == 10


def test_json_and_lines_tell_the_ways(capsys):
    found = reach(load_scene("livelier-hand"), "yellow", "a1", moves=1, samples=30)
    data = reached_json(found)
    assert json.loads(json.dumps(data)) == data
    assert data["ways"][0]["steps"][0]["move"] == {"kind": "push", "slider": "C", "direction": "north"}
    assert run("reach", "held", "red", "f2", "--moves", 1, "--samples", 10, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ways"][0]["probability"] == 1.0
    assert run("reach", "held", "red", "a7", "--moves", 1, "--samples", 10) == 0
    assert "No way found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ghost", "space", "field"), [("pink", "a1", "GHOST"), ("red", "z9", "SPACE"), ("red", "d4", "SPACE")]
)
def test_words_that_mean_nothing_are_bad_input(ghost, space, field):
    with pytest.raises(BadInputError, match=field):
        run("reach", "held", ghost, space)


def test_t1_more_than_three_moves_are_bad_input():
    with pytest.raises(BadInputError, match="T1"):
        reach(load_scene("held"), "red", "f2", moves=4)
