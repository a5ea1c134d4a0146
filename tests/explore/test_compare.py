"""Two machines compared: none differs from itself, and those that differ are told apart by examples that hold."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from tests.explore.test_explore import PNG, run
from twin.board.machine import load_machine
from twin.board.moves import Push
from twin.board.state import MAX_OFFSET, validate_state
from twin.errors import BadInputError
from twin.explore.compare import compare, random_cases
from twin.outcome.engine import Twin
from twin.reports.chart import comparison_png
from twin.reports.exploring import comparison_json, comparison_lines
from twin.reports.survey_page import comparison_page

ONE, OTHER = load_machine(), load_machine("ferrite")


@pytest.fixture(scope="module")
def found():
    return compare(ONE, OTHER, positions=120, seed=4)


def test_a_machine_does_not_differ_from_itself():
    same = compare(ONE, load_machine(), positions=60)
    assert [share.hits for _, share in same.moves] == [0, 0]
    assert same.ghosts.hits == 0
    assert same.examples == ()
    assert same.allowed == (0, 0)
    assert all(one == other for (one, other), _, _ in same.fates)


def test_weaker_magnets_make_a_difference(found):
    """Ferrite holds fewer ghosts in turns; both the shares and the counts of fates say so, and they agree."""
    turns = dict(found.moves)["turn"]
    assert turns.trials == 120
    assert turns.hits > 20
    low, high = turns.interval
    assert low < turns.value < high
    assert sum(differ for _, _, differ in found.fates) == found.ghosts.hits
    assert sum(count for _, count, _ in found.fates) == found.ghosts.trials
    assert ("caught", "rode") in [pair for pair, _, differ in found.fates if differ]


def test_examples_hold_on_the_reference_engine(found):
    """The firmest differences are no numerical accidents: pymunk finds them on both machines."""
    assert found.examples
    for example in found.examples[:3]:
        for machine, state, ends in zip(found.machines, example.states, example.ends, strict=True):
            validate_state(state, machine)
            outcome = Twin(machine).act(state, example.move, sensitivity=False)
            end = dict(ends)[example.ghost]
            assert outcome.ghost(example.ghost).key == (end.fate, end.covers)


def test_a_seed_gives_the_same_comparison(found):
    assert comparison_json(compare(ONE, OTHER, positions=120, seed=4)) == comparison_json(found)
    assert comparison_json(compare(ONE, OTHER, positions=120, seed=5)) != comparison_json(found)


def test_b5_positions_stand_on_any_machine_and_pushes_stay_within_limits():
    cases = random_cases(ONE, range(40), 1)
    assert len(cases) == 80
    machines = [ONE, OTHER, load_machine("outer-tunnels")]
    for case in cases:
        for machine in machines:
            validate_state(case.on(machine), machine)
        if isinstance(case.move, Push):
            offset = next(s.offset for s in case.sliders if s.name == case.move.slider)
            assert abs(offset + case.move.step) <= MAX_OFFSET
    assert random_cases(ONE, range(10, 12), 1) == cases[20:24]


def test_machines_with_other_sliders_cannot_be_compared():
    fewer = replace(ONE, sliders={name: ONE.sliders[name] for name in ("A", "B")})
    with pytest.raises(BadInputError, match="same sliders"):
        compare(ONE, fewer, positions=1)


def test_it_is_told_in_json_lines_picture_and_page(found):
    data = comparison_json(found)
    assert json.loads(json.dumps(data)) == data
    assert data["machines"] == ["reconstruction", "ferrite"]
    assert any("caught" in line and "rode" in line for line in comparison_lines(found))
    png = comparison_png(found)
    assert png.startswith(PNG)
    assert len(png) > 40_000
    page = comparison_page(found)
    assert not re.search(r"""(?:src|href)=["'](?!data:|#piece-)|https?:|@import|url\(""", page)


def test_the_command(capsys, tmp_path):
    png, page = tmp_path / "both.png", tmp_path / "both.html"
    words = ("compare", "reconstruction", "ferrite", "--positions", 30)
    assert run(*words, "--json", "--html", page) == 0
    assert json.loads(capsys.readouterr().out)["positions"] == 30
    assert page.stat().st_size > 10_000
    assert run("compare", "ferrite", "ferrite", "--positions", 5, "--png", png) == 0
    assert "0 of 5 turns" in capsys.readouterr().out
    assert png.read_bytes().startswith(PNG)
    with pytest.raises(BadInputError):
        run("compare", "reconstruction", "no-such-machine")
