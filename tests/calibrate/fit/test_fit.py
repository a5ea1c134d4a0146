"""Fits: predictions meet varied hands, likelihoods are densities, hidden values are found, and misfits are told."""

from __future__ import annotations

import argparse
import io
import json
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

from tests.setups import MACHINE
from twin.board.grid import to_board
from twin.board.machine import load_machine, parse_machine
from twin.board.moves import Turn
from twin.board.scene import load_scene
from twin.calibrate.experiments import draw_experiments
from twin.calibrate.fit.budget import Effort
from twin.calibrate.fit.checkpoint import Checkpoint
from twin.calibrate.fit.fitting import run_fit
from twin.calibrate.fit.likelihood import Reader, as_seen, clumps, row_logs, trial_logs
from twin.calibrate.fit.machine_file import FittedValue, measured_toml
from twin.calibrate.fit.measurements import MeasuredSetup, Measurements, Sighting, Trial
from twin.calibrate.fit.posterior import Asked, find_posterior
from twin.calibrate.fit.predict import draw_hands, in_board_frame, make_stage, predict
from twin.calibrate.fit.predictive_check import made_up
from twin.calibrate.fit.problem import make_problem
from twin.calibrate.fit.surrogate import fit_surrogate
from twin.cli import fit_commands
from twin.cli.fit_commands import fit as command
from twin.outcome.many import simulate_many
from twin.physics.hand import varied_hand

SYNTHETIC = Path(__file__).parent.parent.parent.parent / "calibration" / "synthetic"
SMALL = Effort(
    first=32,
    optimise=12,
    rounds=2,
    batch=16,
    draws=64,
    steps=80,
    quick_hands=8,
    hands=16,
    final_hands=16,
    lines=2,
    line_hands=8,
    judges=20,
    judge_hands=16,
)
TWO = ("friction.board", "magnet.remanence")


def options(*words):
    parser = argparse.ArgumentParser()
    fit_commands.add(parser.add_subparsers(dest="part"))
    return parser.parse_args([*words])


def problem_of(measured, experiments, **given):
    by_setup = {e.setup(f"experiment-{k:02}"): e for k, e in enumerate(experiments, 1)}
    return make_problem(measured, MACHINE, states=lambda m: {s: by_setup[s].state(m) for s in measured.setups}, **given)


def one_row(place, space=None):
    setup = MeasuredSetup("held", "held", Turn("cw"))
    return as_seen(Measurements("here", (Trial("1", setup, (Sighting("red", place, space, 2),)),)))


@pytest.fixture(scope="module")
def experiments():
    return draw_experiments(MACHINE, 16, 3)


class TestPredictions:
    def test_hands_of_a_sequence_scatter_as_varied_hands_do(self):
        state = load_scene("rides").state
        many = 1024
        stage = make_stage(MACHINE, {MeasuredSetup("rides", "rides", Turn("cw")): state})
        ends = predict(stage, MACHINE, draw_hands(many, 1, 3)).ends[0, :, 0]
        hands = [varied_hand(MACHINE, 1, 1, n) for n in range(many)]
        drawn = simulate_many([state] * many, [Turn("cw")] * many, machine=MACHINE, hands=hands).end[:, 0]
        assert ends.mean(axis=0) == pytest.approx(drawn.mean(axis=0), abs=0.15)
        assert ends.std(axis=0) == pytest.approx(drawn.std(axis=0), rel=0.08)

    def test_a_duration_sets_the_pace(self):
        """Who turns the board in 3 s carries a ghost along exactly; who tears it round in 0.25 s does not."""
        state = load_scene("rides").state
        hands = draw_hands(32, 1, 1)
        ends = []
        for duration in (3.0, 0.25):
            stage = make_stage(MACHINE, {MeasuredSetup("rides", "rides", Turn("cw"), duration): state})
            ends.append(predict(stage, MACHINE, hands).ends[0, :, 0])
        assert np.mean(ends[0], axis=0) == pytest.approx((40.0, 40.0), abs=0.5)
        assert np.abs(np.nan_to_num(ends[1], nan=999.0) - 40.0).max() > 5.0

    def test_the_board_frame_is_that_of_the_grid(self):
        rng = np.random.default_rng(1)
        for orientation in range(4):
            place = rng.uniform(-140, 140, 2)
            found = in_board_frame(place, np.array(0.0), np.array(orientation))
            assert found == pytest.approx(to_board((place[0], place[1]), orientation))


class TestLikelihood:
    def test_a_clump_keeps_its_covariance(self):
        rng = np.random.default_rng(2)
        ends = rng.multivariate_normal((50.0, -20.0), [[4.0, 1.5], [1.5, 2.0]], 400)[None]
        centres, spread = clumps(ends)
        total = np.cov(centres[0].T) + spread[0, 0][[[0, 2], [2, 1]]]
        assert total == pytest.approx(np.cov(ends[0].T), rel=0.05)

    def test_clumps_apart_do_not_blur_each_other(self):
        ends = np.repeat([[0.0, 0.0], [90.0, 90.0], [np.nan, np.nan]], [20, 5, 7], axis=0)[None]
        centres, spread = clumps(ends)
        assert centres[0, :20] == pytest.approx(0.0)
        assert centres[0, 20:25] == pytest.approx(90.0)
        assert spread[0, :25, :2].max() < 2.3

    def test_places_have_a_density_that_adds_up_to_one(self):
        seen = one_row((-80.0, -80.0))
        stage = make_stage(MACHINE, {seen.setups[0]: load_scene("held").state})
        predicted = predict(stage, MACHINE, draw_hands(16, 1, 1))
        step = 0.5
        total = 0.0
        for x in np.arange(-90, -70, step):
            for y in np.arange(-90, -68, step):
                near = one_row((float(x), float(y)))
                total += math.exp(trial_logs(near, row_logs(near, predicted, Reader()))[0]) * step * step
        assert total == pytest.approx(1 - Reader().misread, abs=0.02)

    def test_what_happens_is_likelier_than_what_does_not(self):
        stage = make_stage(MACHINE, {one_row(None, "b2").setups[0]: load_scene("held").state})
        predicted = predict(stage, MACHINE, draw_hands(32, 1, 1))
        logs = {}
        told = np.nanmean(predicted.ends[0, :, 0], axis=0)
        for name, seen in {
            "place": one_row((float(told[0]), float(told[1]))),
            "far": one_row((100.0, 100.0)),
            "off": one_row(None, "off"),
        }.items():
            logs[name] = trial_logs(seen, row_logs(seen, predicted, Reader()))[0]
        assert logs["place"] > -4.0
        assert logs["far"] < -14.0
        assert logs["off"] == pytest.approx(math.log(0.02 / 8))


class TestPosterior:
    def test_a_known_density_is_found(self):
        """A normal with a correlation, in a corner of the cube: means, sds and the correlation come back."""
        middle = np.array([0.35, 0.6])
        cover = np.array([[0.01, 0.006], [0.006, 0.0064]])
        inverse = np.linalg.inv(cover)

        def density(asked):
            away = np.array([a.cube for a in asked]) - middle
            return -0.5 * np.einsum("ni,ij,nj->n", away, inverse, away)

        found = find_posterior(2, density, Effort(first=64, optimise=30, rounds=3, batch=48, draws=400), 5)
        assert found.draws.mean(axis=0) == pytest.approx(middle, abs=0.02)
        assert np.cov(found.draws.T) == pytest.approx(cover, rel=0.3, abs=0.001)
        assert found.effective > 200

    def test_a_ridge_is_found_in_its_whole_length(self):
        """A stronger magnet farther away: flat along a ridge that grows wider, known only with noise."""
        grid = np.linspace(0.0, 1.0, 401)
        exact = np.average(grid, weights=0.015 + 0.06 * grid)
        noise = np.random.default_rng(4)

        def density(asked):
            first, along, across = np.array([a.cube for a in asked]).T
            away = (across - 0.1 - 0.8 * along) / (0.015 + 0.06 * along)
            return -0.5 * away**2 - 0.5 * ((first - 0.5) / 0.12) ** 2 + noise.normal(-0.08, 0.4, len(asked))

        found = [find_posterior(3, density, Effort(), seed).draws[:, 1] for seed in range(2)]
        assert np.mean(found) == pytest.approx(exact, abs=0.06)
        assert np.std(found) == pytest.approx(0.266, abs=0.04)

    def test_a_surrogate_smooths_noise_and_promises_nothing_afar(self):
        rng = np.random.default_rng(3)
        cube = rng.random((200, 2)) * 0.5
        truth = -50 * ((cube - 0.25) ** 2).sum(axis=1)
        surrogate = fit_surrogate(cube, truth + rng.normal(0, 0.5, 200))
        assert surrogate(cube) == pytest.approx(truth, abs=1.0)
        assert surrogate(np.array([[1.0, 1.0]]))[0] < -10


class TestFit:
    def test_hidden_values_are_found_and_the_same_seed_gives_the_same_draws(self, experiments):
        hidden = {"friction.board": 0.3, "magnet.remanence": 1.0}
        measured = made_up(experiments, MACHINE.with_values(hidden), Reader(), 4)
        problem = problem_of(measured, experiments, parameters=TWO)
        found = run_fit(problem, seed=2, effort=SMALL)
        for estimate in found.estimates:
            low, high = estimate.range
            assert low <= hidden[estimate.name] <= high
            assert estimate.interval90[0] < estimate.mean < estimate.interval90[1]
        assert not found.misfit.flagged
        assert found.holdout.rows == len(measured.rows)
        assert found.holdout.rate > 0.7
        again = run_fit(problem, seed=2, effort=SMALL)
        assert np.array_equal(found.draws, again.draws)

    def test_friction_that_the_model_does_not_have_is_told_as_misfit(self, experiments):
        """A board that is slippery in every other trial and rough in the next."""
        boards = [MACHINE.with_values({"friction.board": mu, "magnet.remanence": 0.5}) for mu in (0.15, 0.4)]
        measured = made_up(experiments, MACHINE, Reader(), 4, repeats=3, board=lambda trial: boards[trial % 2])
        problem = problem_of(measured, experiments, parameters=("friction.board",))
        found = run_fit(problem, seed=2, effort=SMALL)
        assert found.misfit.flagged
        assert found.misfit.observed > found.misfit.expected

    def test_the_other_engine_gives_no_confident_wrong_answer(self, experiments):
        """Where the engines agree the truth is found; where they do not, a misfit must be told."""
        hidden = {"friction.board": 0.3}
        measured = made_up(experiments[:10], MACHINE.with_values(hidden), Reader(), 6)
        problem = problem_of(measured, experiments[:10], parameters=("friction.board",))
        found = run_fit(problem, seed=2, effort=SMALL)
        low, high = found.estimates[0].range
        assert found.misfit.flagged or low <= 0.3 <= high

    def test_durations_tell_the_hand(self):
        """Who took 2 s for each turn has a nominal turn of about 2 s."""
        setup = MeasuredSetup("rides", "rides", Turn("cw"), 2.0)
        trials = tuple(Trial(str(n), setup, (Sighting("red", (40.0, 40.0), None, n + 2),)) for n in range(4))
        problem = make_problem(Measurements("here", trials), MACHINE, parameters=("hand.turn_time",))
        logs = [problem.trial_logs(Asked(np.array([u]), 8, 1)).sum() for u in np.linspace(0.0, 1.0, 13)]
        assert 0.6 + 2.4 * np.argmax(logs) / 12 == pytest.approx(2.0, abs=0.15)

    def test_a_poor_point_is_less_likely_than_the_truth(self, experiments):
        measured = made_up(experiments, MACHINE.with_values({"magnet.remanence": 1.0}), Reader(), 8)
        problem = problem_of(measured, experiments, parameters=TWO)
        near, far = (problem.trial_logs(Asked(np.array(u), 32, 1)).sum() for u in ((0.4, 0.75), (1.0, 0.0)))
        assert near > far + 10


@pytest.fixture(scope="module")
def sheet(tmp_path_factory):
    """The first trials of the synthetic data set, with names that a spreadsheet would take for formulas."""
    folder = tmp_path_factory.mktemp("fit")
    lines = (SYNTHETIC / "measurements.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    path = folder / "sheet.csv"
    text = (lines[0] + "".join(f"={line}" for line in lines[1:20])).replace("scenes/", f"{SYNTHETIC}/scenes/")
    path.write_text(text, encoding="utf-8")
    return path


class TestCommand:
    def words(self, sheet, out, *more):
        return options("fit", str(sheet), "--parameters", ",".join(TWO), "--out", str(out), "--json", *more)

    def test_the_contract_of_the_json_and_the_machine_file(self, sheet, tmp_path, capsys):
        out = tmp_path / "mine.toml"
        bench = SYNTHETIC / "bench.csv"
        assert command(self.words(sheet, out, "--bench", str(bench)), SMALL) == 0
        told = json.loads(capsys.readouterr().out)
        assert set(told["parameters"]) == set(TWO)
        for own in told["parameters"].values():
            assert own["interval90"][0] <= own["mean"] <= own["interval90"][1]
            assert own["sd"] > 0
        assert isinstance(told["misfit"]["flagged"], bool)
        assert 0 <= told["holdout"]["hit_rate"] <= 1
        machine = load_machine(str(out))
        for name in (*TWO, "ghost.mass", "ghost.radius", "board.space"):
            assert machine.quantities[name].source == "measured"
        assert machine["ghost.radius"] == pytest.approx(12.25)
        assert machine.quantities["magnet.gap"] == MACHINE.quantities["magnet.gap"]
        assert machine.castle == MACHINE.castle
        assert machine.sliders == MACHINE.sliders
        assert "sheet.csv and bench.csv" in tomllib.loads(out.read_text(encoding="utf-8"))["notes"]
        residuals = (tmp_path / "mine.residuals.csv").read_text(encoding="utf-8").splitlines()
        assert len(residuals) == 20
        assert all(line.split(",")[1].startswith("'=") for line in residuals[1:])
        page = (tmp_path / "mine.html").read_text(encoding="utf-8")
        assert page.count("<img") == 3
        assert "<script" not in page
        assert sorted(p.name for p in tmp_path.iterdir()) == ["mine.html", "mine.residuals.csv", "mine.toml"]

    def test_a_killed_fit_goes_on_and_ends_with_the_same_bytes(self, sheet, tmp_path, capsys, monkeypatch):
        whole, killed = tmp_path / "whole", tmp_path / "killed"
        whole.mkdir()
        killed.mkdir()
        assert command(self.words(sheet, whole / "mine.toml"), SMALL) == 0
        from twin.calibrate.fit.problem import Problem

        real, asked = Problem.trial_logs, []

        def dying(self, point):
            asked.append(point)
            if len(asked) == 70:
                raise KeyboardInterrupt
            return real(self, point)

        monkeypatch.setattr(Problem, "trial_logs", dying)
        with pytest.raises(KeyboardInterrupt):
            command(self.words(sheet, killed / "mine.toml"), SMALL)
        assert [p.name for p in killed.iterdir()] == [".mine.toml.checkpoint"]
        asked[:] = [None] * 100
        assert command(self.words(sheet, killed / "mine.toml"), SMALL) == 0
        first, second = capsys.readouterr().out.splitlines()
        assert json.loads(first)["parameters"] == json.loads(second)["parameters"]
        for path in whole.iterdir():
            assert path.read_bytes() == (killed / path.name).read_bytes()
        assert len(list(killed.iterdir())) == 3

    def test_a_damaged_checkpoint_is_computed_anew(self, tmp_path):
        """However it was damaged: cut off, overwritten anywhere, another kind of file, or lists that do not match."""
        path = tmp_path / ".mine.toml.checkpoint"
        memory = Checkpoint(path, "recipe")
        for number in range(3):
            memory.answer(Asked(np.array([0.1 * number, 0.5]), 4, number), lambda asked: asked.cube)
        memory.save()
        assert Checkpoint(path, "recipe").known == 3
        whole = path.read_bytes()
        other = io.BytesIO()
        np.savez(other, recipe=np.array("recipe"), asked=np.zeros((2, 4)), answers=np.zeros((3, 2)))
        damaged = [b"", b"PK\3\4x", whole[:-30], whole[:100], np.arange(3).tobytes(), other.getvalue()]
        damaged += [whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(0, len(whole), 7)]
        for content in damaged:
            path.write_bytes(content)
            found = Checkpoint(path, "recipe")
            assert found.known in {0, 3}
            for asked, answer in zip(found.asked, found.answers, strict=True):
                assert answer.tolist() == asked[:2].tolist()

    def test_an_unknown_parameter_is_told(self, sheet, tmp_path):
        from twin.errors import BadInputError

        with pytest.raises(BadInputError, match=r"friction\.bord"):
            command(options("fit", str(sheet), "--parameters", "friction.bord", "--out", str(tmp_path / "m.toml")))
        assert list(tmp_path.iterdir()) == []


def test_a_machine_file_says_the_same_after_nothing_was_measured():
    text = measured_toml(MACHINE, [], MACHINE.title, ["nothing"])
    assert parse_machine(tomllib.loads(text), MACHINE.name) == MACHINE
    changed = measured_toml(MACHINE, [FittedValue("friction.board", 0.31234567, (0.3, 0.33))], 'a "title"', ["a", "b"])
    machine = parse_machine(tomllib.loads(changed), "mine")
    assert machine["friction.board"] == 0.31235
    assert machine.title == 'a "title"'
