"""Plans: experiments that can be made, that tell more than chance, and a sheet whose results go into the CSV."""

from __future__ import annotations

import argparse
import json

import numpy as np
import pytest

from benchmarks.plan_gain import shrinkage
from tests.setups import MACHINE
from twin.board.moves import Push
from twin.board.scene import load_scene
from twin.board.state import validate_state
from twin.calibrate import experiment_plan as planning
from twin.calibrate.experiment_plan import draws_of_ranges, make_plan
from twin.calibrate.experiments import draw_experiments
from twin.calibrate.fit.likelihood import Reader
from twin.calibrate.fit.measurements import read_measurements
from twin.cli import fit_commands, perform
from twin.cli.fit_commands import plan as command
from twin.errors import BadInputError
from twin.outcome.legality import judge

TWO = ("friction.board", "magnet.remanence")


def options(*words):
    parser = argparse.ArgumentParser()
    fit_commands.add(parser.add_subparsers(dest="part"))
    return parser.parse_args([*words])


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(planning, "MACHINES", 24)
    monkeypatch.setattr(planning, "TRUTHS", 16)
    monkeypatch.setattr(planning, "CANDIDATES", 24)
    monkeypatch.setattr(planning, "HANDS", 8)


class TestExperiments:
    def test_they_are_different_and_can_be_made(self):
        found = draw_experiments(MACHINE, 40, 1)
        assert len(set(found)) == 40
        for experiment in found:
            state = experiment.state(MACHINE)
            validate_state(state, MACHINE)
            assert not judge(state, experiment.move, MACHINE).broken
        assert {isinstance(e.move, Push) for e in found} == {True, False}
        assert draw_experiments(MACHINE, 40, 1) == found
        assert draw_experiments(MACHINE, 40, 2) != found


@pytest.mark.usefixtures("small")
class TestPlan:
    def test_the_best_come_first_and_beat_the_typical_one(self):
        parameters, known = draws_of_ranges(MACHINE, TWO, 1)
        plan = make_plan(MACHINE, parameters, known, count=4, seed=1, reader=Reader())
        assert len({choice.experiment for choice in plan.choices}) == 4
        assert plan.choices[0].alone > 2 * plan.typical
        assert plan.choices[0].gain == pytest.approx(plan.choices[0].alone)
        assert all(choice.gain <= plan.choices[0].gain for choice in plan.choices)

    def test_where_all_machines_are_alike_nothing_can_be_learnt(self):
        parameters, known = draws_of_ranges(MACHINE, TWO, 1)
        same = np.tile(known[0], (32, 1))
        plan = make_plan(MACHINE, parameters, same, count=2, seed=1, reader=Reader())
        assert plan.choices[0].alone < 0.5

    def test_more_than_there_are_is_told(self):
        parameters, known = draws_of_ranges(MACHINE, TWO, 1)
        with pytest.raises(BadInputError, match="only 3"):
            make_plan(
                MACHINE,
                parameters,
                known,
                count=4,
                seed=1,
                reader=Reader(),
                candidates=draw_experiments(MACHINE, 3, 1),
            )

    def test_the_sheet_and_its_files(self, tmp_path, capsys):
        out = tmp_path / "next.html"
        words = ("plan", "--count", "3", "--parameters", ",".join(TWO), "--out", str(out), "--json")
        assert command(options(*words)) == 0
        told = json.loads(capsys.readouterr().out)
        assert len(told["experiments"]) == 3
        assert told["experiments"][0]["information"] > 0
        page = out.read_text(encoding="utf-8")
        assert page.count('<svg class="board"') == 3
        for experiment in told["experiments"]:
            scene = load_scene(experiment["scene"])
            assert scene.state.colours == tuple(experiment["ghosts"])
        empty = (tmp_path / "next.csv").read_text(encoding="utf-8")
        with pytest.raises(BadInputError, match="say where the ghost ended"):
            read_measurements(tmp_path / "next.csv", MACHINE)
        (tmp_path / "next.csv").write_text(empty.replace(",,,\n", ",,,b2\n"), encoding="utf-8")
        filled = read_measurements(tmp_path / "next.csv", MACHINE)
        assert len(filled.setups) == 3
        assert len(filled.trials) == 6
        before = {p: p.read_bytes() for p in tmp_path.rglob("*.toml")}
        with pytest.raises(BadInputError, match="there is a file already"):
            perform(options(*words))
        with pytest.raises(BadInputError, match="holds results already"):
            perform(options(*words, "--overwrite"))
        assert "b2" in (tmp_path / "next.csv").read_text(encoding="utf-8")
        (tmp_path / "next.csv").write_text(empty, encoding="utf-8")
        assert perform(options(*words, "--overwrite")) == 0
        assert json.loads(capsys.readouterr().out) == told
        assert {p: p.read_bytes() for p in tmp_path.rglob("*.toml")} == before

    def test_without_a_sheet_it_only_tells(self, tmp_path, capsys, monkeypatch):
        monkeypatch.chdir(tmp_path)
        words = ("plan", "--count", "2", "--parameters", TWO[0])
        assert command(options(*words, "--json")) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["sheet"], told["csv"], told["experiments"][0]["scene"]) == (None, None, None)
        assert command(options(*words)) == 0
        assert "--out next.html" in capsys.readouterr().out
        assert list(tmp_path.iterdir()) == []

    def test_a_file_that_cannot_be_written_is_told_first(self, tmp_path):
        with pytest.raises(BadInputError):
            perform(options("plan", "--out", str(tmp_path / "none" / "x.html")))
        with pytest.raises(BadInputError):
            perform(options("plan", "--out", str(tmp_path / "x.pdf")))


def test_a_posterior_that_is_narrower_has_shrunk_more():
    cube = np.random.default_rng(1).random((400, 3))
    away = ((cube - 0.5) ** 2).sum(axis=1)
    wide, narrow = shrinkage(-2 * away, cube), shrinkage(-50 * away, cube)
    assert narrow["volume"] < wide["volume"] < 0
    assert narrow["information"] > wide["information"] > 0
