"""The hunt: it finds what is there, repeats, shrinks what it finds, and its scenes do what they say."""

from __future__ import annotations

import argparse
import json
import random
from functools import partial

import numpy as np
import pytest

from tests.setups import MACHINE
from twin.board.moves import Turn
from twin.board.scene import load_scene
from twin.board.state import State
from twin.cli import validate_commands
from twin.cli.validate_commands import stress as command
from twin.explore.claims.finger import lay_finger
from twin.explore.hunt.cases import FAMILIES, Case, draw_case, is_possible
from twin.explore.hunt.deadline import FIRST_GUESS, Deadline
from twin.explore.hunt.evolution import ALL_KINDS, KEEP, Hunter, hunt
from twin.explore.hunt.find_words import jammed_group
from twin.explore.hunt.hunt_scores import DIFFER, KINDS, as_outcomes, jammed, score
from twin.explore.hunt.mutation import in_reach, mutated, simpler, weight
from twin.files import data_folder
from twin.outcome.engine import Twin
from twin.outcome.ensemble import sample_move, sampler
from twin.outcome.many import simulate_many
from twin.reports.expectations import check, unmet

COUNT = 800
COMMON = ("thin-margin", "shove-chain", "most-fallen", "jam", "tipping")
EDGE = sorted(data_folder("scenes", "edge").glob("*.toml"))


@pytest.fixture(scope="module")
def finds():
    return hunt(MACHINE, 7, kinds=COMMON, count=COUNT)


def test_finds_what_is_common(finds):
    """Even a short hunt finds thin margins, chains, falls, jams and tipping ghosts."""
    assert {find.kind for find in finds} == set(COMMON)
    assert max(find.score for find in finds if find.kind == "shove-chain") >= 3
    names = [find.name for find in finds]
    assert len(set(names)) == len(names)


def test_confirmed_finds_keep_their_score_on_the_reference_engine(finds):
    assert sum(find.confirmed for find in finds) >= len(finds) // 2
    for find in finds:
        if find.confirmed and find.kind in KINDS:
            turning = np.array([find.case.turning])
            assert score(find.kind, as_outcomes([find.outcome]), turning)[0] >= KEEP * find.score
        assert find.why
        assert find.outcome.legal


def test_repeats_under_seed_and_count(finds):
    again = hunt(MACHINE, 7, kinds=COMMON, count=COUNT)
    assert [(f.kind, f.score, f.case, f.why) for f in again] == [(f.kind, f.score, f.case, f.why) for f in finds]


def test_time_stops_it_before_the_count():
    tried: list[int] = []
    Hunter(MACHINE, 7, COMMON).search(100_000, Deadline(end=0.0), progress=tried.append)
    assert len(tried) == 1
    assert tried[0] < 1000


def test_a_deadline_begins_only_what_would_end_in_time():
    """A run counts as long as the longest of late; one long run is forgotten after some short ones."""
    now = [100.0]
    deadline = Deadline(lambda: now[0], 110.0)

    def work(seconds):
        now[0] += seconds

    assert deadline.allows(10 / FIRST_GUESS - 1)
    assert not deadline.allows(10 / FIRST_GUESS)
    deadline.run(partial(work, 2.0))
    assert (deadline.allows(3), deadline.allows(4)) == (True, False)
    half = deadline.share(0.5)
    assert (half.end, half.allows(1), half.allows(2)) == (106.0, True, False)
    assert deadline.share(0.5, runs=3).end == 108.0
    assert deadline.share(0.5, runs=6).end == 110.0
    for _ in range(20):
        half.run(partial(work, 0.1))
    assert now[0] == pytest.approx(104.0)
    assert (deadline.allows(59), deadline.allows(61)) == (True, False)
    now[0] = 111.0
    assert not deadline.allows(0)
    assert deadline.share(0.5).end == 111.0


def test_without_a_deadline_there_is_always_time():
    endless = Deadline()
    assert endless.run(lambda: "done") == "done"
    assert endless.share(0.1).allows(10**9)


@pytest.fixture
def clock(monkeypatch):
    """A clock on which a run of the reference engine takes 0.1 s, its sensitivity 1 s more, and all else a moment."""
    now = [0.0]
    act = Twin.act

    def timed(self, *words, **options):
        if self.engine == "pymunk":
            now[0] += 1.1 if options.get("sensitivity", True) else 0.1
        return act(self, *words, **options)

    def tick():
        now[0] += 0.001
        return now[0]

    monkeypatch.setattr(Twin, "act", timed)
    return tick


@pytest.mark.parametrize("seconds", [0.5, 2.5])
def test_a_hunt_keeps_to_its_time_and_reports_what_it_could_not_confirm(clock, seconds, tmp_path):
    """Confirming counts; what is claimed of a find holds, and nothing is claimed of one that was not confirmed."""
    told = hunt(MACHINE, 7, count=COUNT, time=Deadline(clock, seconds))
    assert clock() < seconds + 0.01
    assert len(told) >= len(COMMON)
    confirmed = [find.confirmed for find in told]
    assert None in confirmed if seconds < 1.0 else True in confirmed
    for find in told:
        path = tmp_path / f"{find.name}.toml"
        path.write_text(find.toml(MACHINE, tmp_path), encoding="utf-8")
        scene = load_scene(str(path))
        assert len(scene.expectations) == (find.confirmed is not None)
        assert ("no time to confirm" in path.read_text(encoding="utf-8")) == (find.confirmed is None)
        for expectation in scene.expectations:
            assert unmet(expectation, Twin(MACHINE).act(scene.state, expectation.move, sensitivity=False)) == []


def test_measures_how_far_the_engines_end_apart():
    hunter = Hunter(MACHINE, 5, (DIFFER,))
    hunter.search(60)
    scores = [item[0] for elite in hunter.elites.values() for item in elite]
    assert scores
    assert all(0.0 <= value < 300.0 for value in scores)


def test_finds_are_scenes_whose_expectation_holds(finds, tmp_path):
    for find in finds:
        path = tmp_path / f"{find.name}.toml"
        path.write_text(find.toml(MACHINE, tmp_path), encoding="utf-8")
        scene = load_scene(str(path))
        (expectation,) = scene.expectations
        assert expectation.chancy is find.chancy
        assert [f.unmet for f in check(scene, Twin(scene.machine), samples=0, seed=1)] == [()]


def test_mutants_and_simplifications_are_possible():
    dice = random.Random(3)
    for family in FAMILIES:
        case = draw_case(MACHINE, dice, family)
        for _ in range(30):
            case = mutated(case, MACHINE, dice)
            assert is_possible(case.state, MACHINE)
            assert in_reach(case.state, case.move)
        for easier in simpler(case, MACHINE):
            assert is_possible(easier.state, MACHINE)
            assert weight(easier.state, MACHINE) < weight(case.state, MACHINE)


def test_reference_outcomes_are_scored_like_the_kernels():
    """Where both engines agree, all scores do."""
    dice = random.Random(9)
    cases = [draw_case(MACHINE, dice, FAMILIES[n % len(FAMILIES)]) for n in range(40)]
    kernel = simulate_many([c.state for c in cases], [c.move for c in cases], machine=MACHINE)
    outcomes = [Twin(MACHINE).act(c.state, c.move, sensitivity=False) for c in cases]
    reference = as_outcomes(outcomes)
    turning = np.array([case.turning for case in cases])
    same = np.array([kernel.key(n) == outcome.key for n, outcome in enumerate(outcomes)])
    assert same.mean() > 0.85
    for kind in ("most-fallen", "jam"):
        assert (score(kind, kernel, turning)[same] == score(kind, reference, turning)[same]).all()


@pytest.mark.parametrize(("name", "size"), [("jam-at-edge", 3), ("two-on-one-space", 2), ("held", 0)])
def test_a_jam_is_as_large_as_its_smallest_group(name, size):
    scene = load_scene(name)
    outcome = Twin(scene.machine).act(scene.state, scene.expectations[0].move, sensitivity=False)
    assert jammed(as_outcomes([outcome]))[0] == size == len(jammed_group(outcome))


def test_simpler_takes_away_what_is_not_needed():
    state = State.of(3, {"red": (41.0, 83.5), "blue": (0.0, -80.0)}, load_scene("start").state.sliders)
    trials = simpler(Case(state, Turn("cw")), MACHINE)
    assert {len(t.state.ghosts) for t in trials} == {1, 2}
    assert any(t.state.orientation == 0 for t in trials)
    assert any(t.state.places.get("red") == (40.0, 80.0) for t in trials)


def test_the_command_prints_and_saves(tmp_path, capsys):
    parser = argparse.ArgumentParser()
    validate_commands.add(parser.add_subparsers(dest="command"))
    options = parser.parse_args(
        ["stress", "--count", "200", "--kind", "jam", "--kind", "thin-margin", "--out", str(tmp_path), "--json"]
    )
    assert command(options) == 0
    told = json.loads(capsys.readouterr().out)["finds"]
    assert told
    for find in told:
        assert {"kind", "score", "scene", "why", "confirmed"} <= find.keys()
        assert load_scene(find["scene"]).expectations
    options.json, options.out, options.kinds, options.seconds = False, None, ["thin-margin"], 0.1
    assert command(options) == 0
    assert "thin-margin" in capsys.readouterr().out
    assert validate_commands.KINDS == ALL_KINDS


@pytest.mark.parametrize("path", EDGE, ids=lambda path: path.stem)
def test_every_edge_scene_is_told_and_does_what_it_expects(path):
    assert path.read_text(encoding="utf-8").startswith("# ")
    scene, twin = load_scene(str(path)), Twin(load_scene(str(path)).machine)
    assert scene.title != scene.name
    assert scene.expectations
    for expectation in scene.expectations:
        outcome = twin.act(scene.state, expectation.move, sensitivity=False)
        assert unmet(expectation, outcome) == []
        if expectation.chancy is not None:
            many = sampler(twin, expectation.move)
            found = sample_move(many, scene.state, expectation.move, outcome, size=None, seed=1)
            assert found.chancy is expectation.chancy


def test_D3_the_finger_scene_shows_what_a_finger_does():  # noqa: N802
    scene = load_scene(str(data_folder("scenes", "edge") / "finger.toml"))
    finger = lay_finger(Case(scene.state, Turn("cw")), Twin(scene.machine), "red")
    assert finger.covers == ("yellow",)


@pytest.mark.parametrize(("name", "first", "last"), [("order-matters", "b3", 1), ("corner-wanted-by-two", "a1", 3)])
def test_G9_a_careless_first_choice_ends_dead(name, first, last):  # noqa: N802
    """No placement has the ghost that may go there on that space, although it would be free for it alone."""
    scene = load_scene(str(data_folder("scenes", "edge") / f"{name}.toml"))
    outcome = Twin(scene.machine).act(scene.state, scene.expectations[0].move, sensitivity=False)
    careless = "yellow" if name == "order-matters" else "blue"
    assert len(outcome.landing.placements) == last
    assert all(dict(placement)[careless] != first for placement in outcome.landing.placements)


def test_there_are_edge_scenes():
    assert len(EDGE) >= 6
