"""A position surveyed: every move, its rules, its distribution, and how that is told and drawn."""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import replace

import pytest

from twin.board.machine import load_machine
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.scene import load_scene
from twin.board.state import State
from twin.cli import perform
from twin.cli.explore_commands import add
from twin.errors import BadInputError
from twin.explore.relocations import relocation_groups
from twin.explore.survey import MOST_BY_PYMUNK, steps, survey, turns_and_pushes
from twin.outcome.engine import Twin
from twin.outcome.ensemble import sample_move, sampler
from twin.physics.certainty import pulling_distance
from twin.reports.as_json import samples_json
from twin.reports.exploring import survey_json, survey_rows, table
from twin.reports.survey_chart import panels_of, survey_png
from twin.reports.survey_page import survey_page
from twin.stats import STEPS

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def found():
    return survey(load_scene("all-at-once"), samples=100, seed=3)


def run(*words):
    """Exit code of a command, by a parser of these commands alone."""
    parser = argparse.ArgumentParser(prog="twin")
    add(parser.add_subparsers(dest="command"))
    options = parser.parse_args([str(word) for word in words])
    return perform(options)


def test_every_move_is_there_once(found):
    """Two turns, two pushes of each slider, four drags of each ghost, sliders to other tunnels in ten ways each."""
    moves = [move for option in found.options for move in (option.alike or (option.move,))]
    assert len(moves) == len(set(moves))
    kinds = [sum(isinstance(move, kind) for move in moves) for kind in (Turn, Push, Drag, Relocate)]
    assert kinds == [2, 6, 16, 3 * 4 * 10]


@pytest.mark.parametrize("name", ["held", "caught", "rides", "carried-through-walls", "plug-blocks", "turned-board"])
def test_the_nominal_outcome_is_that_of_the_twin(name):
    """Turns and pushes on the kernel and drags on pymunk end as `Twin.act` says, the rules broken included."""
    scene = load_scene(name)
    surveyed = survey(scene, samples=1, relocations=False)
    twin = Twin(scene.machine)
    for option in surveyed.options:
        outcome = twin.act(scene.state, option.move, sensitivity=False)
        assert option.broken == outcome.broken, option.move
        assert (option.ghosts is not None) == outcome.done
        if option.ghosts is not None:
            assert tuple((colour, (end.fate, end.covers)) for colour, end in option.ghosts) == outcome.key
        assert option.engine == ("pymunk" if isinstance(option.move, Drag) else "kernel" if outcome.done else "rules")


def test_shares_add_up_to_one(found):
    for option in found.options:
        if option.samples is None:
            assert option.broken
            continue
        for ghost in samples_json(option.samples)["ghosts"].values():
            assert sum(ghost["spaces"].values()) == pytest.approx(1)
            assert sum(ghost["fates"].values()) == pytest.approx(1)
            assert ghost["interval"].keys() == ghost["spaces"].keys()


def test_a_seed_gives_the_same_survey_and_longer_ensembles_extend_shorter_ones(found):
    few, again = (survey(load_scene("all-at-once"), samples=20, seed=3) for _ in range(2))
    assert again.options == few.options
    for option in few.options:
        more = found.option(option.move)
        assert (option.samples is None) == (more.samples is None)
        if option.samples is None or more.samples is None:
            continue
        assert more.samples.size > option.samples.size
        for (colour, shares), (_, others) in zip(option.samples.ghosts, more.samples.ghosts, strict=True):
            assert all(others.spaces[key] >= count for key, count in shares.spaces.items()), colour


def test_a_move_is_chancy_if_fewer_than_95_percent_of_hands_end_alike(found):
    """The turn in which blue runs into yellow is chancy; a push that carries yellow and a drag are sure."""
    assert found.option(Turn("ccw")).chancy is True
    assert found.option(Push("A", "north")).chancy is False
    assert found.option(Drag("red", "north")).chancy is False


def test_three_hands_are_too_few_to_say():
    """No move comes out sure or chancy, and the table says so of each that was tried."""
    few = survey(load_scene("all-at-once"), samples=3, seed=3)
    tried = [option for option in few.options if option.samples is not None]
    assert all(option.chancy is None for option in tried)
    rows = [says for _, says, _ in survey_rows(few) if says.startswith("too few hands to say, ")]
    assert len(rows) == sum(option.legal for option in tried)


def test_without_a_number_hands_are_drawn_until_each_move_is_decided():
    """A move that is far from the threshold stops at the first step, others go on; progress ends where announced."""
    scene = load_scene("fall-and-straddle")
    told: list[int] = []
    auto = survey(scene, relocations=False, progress=told.append)
    assert told[-1] == steps(scene, None)
    sizes = set()
    for option in auto.options:
        if option.samples is not None and option.engine == "kernel":
            sizes.add(option.samples.size)
            assert option.samples.size in STEPS
            assert option.chancy is not None or option.samples.size == STEPS[-1]
            nominal = Twin(scene.machine, "kernel").act(scene.state, option.move, sensitivity=False)
            many = sampler(Twin(scene.machine), option.move)
            again = sample_move(many, scene.state, option.move, nominal, size=None, seed=1)
            assert option.samples == again
    assert len(sizes) > 1
    assert survey_json(auto)["n"] == max(sizes)


def test_allowed_drags_are_sampled_on_pymunk(found):
    """As `twin drag --samples` samples them, but by no more hands than can be waited for."""
    scene, move = found.scene, Drag("yellow", "east")
    twin = Twin(scene.machine)
    nominal = twin.act(scene.state, move, sensitivity=False)
    option = found.option(move)
    assert option.samples == sample_move(twin, scene.state, move, nominal, size=MOST_BY_PYMUNK, seed=3)
    few = survey(scene, samples=3, seed=3, relocations=False)
    assert all(o.samples is not None and o.samples.size == 3 for o in few.options if o.legal)
    assert few.option(Drag("red", "west")).samples is None
    assert all(o.samples is None for o in survey(scene, samples=0).options)


def test_relocations_that_nobody_feels_vary_with_where_the_ghosts_stand():
    """The shares of a relocation left to the rules are those that pymunk finds, hand by hand."""
    scene = load_scene("relocate")
    twin, samples = Twin(scene.machine), 4
    found = survey(scene, samples=samples, seed=2)
    option = next(o for o in found.options if isinstance(o.move, Relocate) and o.legal)
    assert option.engine == "rules"
    nominal = twin.act(scene.state, option.move, sensitivity=False)
    assert option.samples == sample_move(twin, scene.state, option.move, nominal, size=samples, seed=2)


def test_progress_counts_up_to_what_was_announced():
    scene = load_scene("all-at-once")
    told: list[int] = []
    survey(scene, samples=7, relocations=False, progress=told.append)
    assert told[-1] == steps(scene, 7)


def test_b6_a_push_that_takes_a_ghost_off_is_barred_and_still_sampled(found):
    option = found.option(Push("C", "south"))
    assert option.broken == ("B6",)
    assert option.samples is not None
    assert dict(option.samples.ghosts)["green"].spaces == {"off": 100}


def test_b5_a_push_too_far_is_barred_and_not_made():
    option = survey(load_scene("push-no-farther"), samples=2, relocations=False).option(Push("C", "north"))
    assert (option.broken, option.ghosts, option.samples, option.engine) == (("B5",), None, None, "rules")


def test_a_drags_carry_the_rules_they_break(found):
    assert found.option(Drag("red", "west")).broken == ("A1",)
    assert found.option(Drag("yellow", "north")).broken == ("A2",)
    assert "A5" in found.option(Drag("red", "east")).broken


def test_c1_c2_relocations_come_in_groups_by_rule(found):
    barred = found.option(Relocate("A", 4, 0))
    assert barred.broken == ("C1", "C2")
    allowed = found.option(Relocate("B", 2, 1, flip=True))
    assert allowed.legal
    assert allowed.engine == "rules"
    assert len(allowed.alike) == 10


def test_allowed_relocations_that_are_not_simulated_move_nobody():
    """What is left to the rules is what pymunk finds as well."""
    scene = load_scene("relocate")
    twin = Twin(scene.machine)
    for group in relocation_groups(twin, scene.state):
        if not group.broken:
            assert not group.simulated
            for move in group.moves[::4]:
                outcome = twin.act(scene.state, move, sensitivity=False)
                ends = tuple((colour, end[:2]) for colour, end in group.ghosts or ())
                assert outcome.key == ends, move


def test_relocations_near_a_ghost_are_simulated():
    """A magnet so strong that it pulls across a space is not taken on trust."""
    strong = load_machine().with_values({"magnet.remanence": 1.5, "ghost.mass": 0.5}, force=True)
    assert pulling_distance(load_machine()) < 31
    assert pulling_distance(strong) > 40
    scene = load_scene("relocate")
    groups = relocation_groups(Twin(strong), State.of(0, scene.state.places, scene.state.sliders))
    assert any(group.simulated for group in groups if not group.broken)


def test_json_follows_the_contract(found):
    data = survey_json(found)
    assert json.loads(json.dumps(data)) == data
    assert data["scene"]["name"] == "all-at-once"
    for told, option in zip(data["moves"], found.options, strict=True):
        assert told["legal"] is (told["broken"] == [])
        if option.samples is None:
            assert told["samples"] is None
        else:
            assert told["samples"] == samples_json(option.samples)
    assert data["moves"][0]["move"] == {"kind": "turn", "direction": "cw"}
    drag = next(told for told in data["moves"] if told["move"]["kind"] == "drag" and told["legal"])
    assert drag["engine"] == "pymunk"
    assert drag["outcome"]["red"]["fate"] == "dragged"


def test_the_table_tells_each_option_in_a_line(found):
    lines = table(survey_rows(found))
    assert len(lines) == len(found.options)
    assert any(line.startswith("push C south") and "barred by B6" in line for line in lines)


def test_the_command_prints_json_and_writes_files(capsys, tmp_path):
    png, page = tmp_path / "moves.png", tmp_path / "moves.html"
    assert run("explore", "held", "--samples", 5, "--json", "--png", png, "--html", page) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["moves"][0]["samples"]["n"] == 5
    assert png.read_bytes().startswith(PNG)
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert run("explore", "held", "--samples", 2) == 0
    assert "turn cw" in capsys.readouterr().out


@pytest.mark.parametrize("words", [("--png", "a.jpg"), ("--html", "a.png"), ("--png", "no/such/folder/a.png")])
def test_files_that_cannot_be_written_are_refused(words):
    with pytest.raises(BadInputError, match=words[0]):
        run("explore", "held", "--samples", 2, *words)


def test_the_picture_shows_something(found):
    """All boards are in it."""
    png = survey_png(found)
    assert png.startswith(PNG)
    assert len(png) > 40_000


def test_every_allowed_move_has_a_board(found):
    """Turns and pushes have one each, a ghost's drags share one, and so do a slider's relocations."""
    panels = panels_of(found)
    drawn = [option for panel in panels for option in panel.options]
    assert [o for o in found.options if o.legal or isinstance(o.move, Turn | Push)] == drawn
    titles = [panel.title for panel in panels]
    assert titles[1] == "turn ccw – chancy"
    assert titles[8:] == ["drag red", "drag yellow", "drag green", "drag blue", "relocate B"]


def test_the_page_needs_nothing_else_and_escapes_text(found):
    title = "<b>& \"x\"</b><script>alert('x')</script>"
    named = replace(found, scene=replace(found.scene, title=title), options=found.options[:2] + found.options[8:])
    page = survey_page(named)
    assert "<script" not in page
    assert "&lt;b&gt;&amp;" in page
    assert not re.search(r"""(?:src|href)=["'](?!data:|#piece-)|https?:|@import|url\(""", page)
    boards = re.findall(r'<svg class="board".*?</svg>', page)
    assert len(set(boards)) == len(boards) == 2 + 5
    shown, described = (set(re.findall(rf'{mark}(piece-\d+)"', page)) for mark in ('href="#', 'id="'))
    assert shown == described


def test_b5_moves_are_listed_for_every_slider():
    state = load_scene("push-no-farther").state
    assert len(turns_and_pushes(state)) == 2 + 2 * len(state.sliders)
