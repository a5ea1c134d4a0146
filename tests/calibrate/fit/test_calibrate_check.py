"""Checks of a machine on measurements: hits, log score, and whether 80 % means 80 %."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from tests.setups import MACHINE
from twin.calibrate.fit.holdout import check_machine
from twin.calibrate.fit.likelihood import Reader
from twin.calibrate.fit.measurements import read_measurements
from twin.calibrate.fit.scores import FALLEN, code_words, forecast, score
from twin.cli import fit_commands
from twin.cli.fit_commands import check as command

SYNTHETIC = Path(__file__).parent.parent.parent.parent / "calibration" / "synthetic"


def options(*words):
    parser = argparse.ArgumentParser()
    fit_commands.add(parser.add_subparsers(dest="part"))
    return parser.parse_args([*words])


class TestScore:
    def test_shares_are_sorted_and_weighted(self):
        told = forecast(np.array([5, 5, 9, FALLEN]), np.array([0.1, 0.1, 0.5, 0.3]))
        assert list(told) == [9, FALLEN, 5]
        assert told[5] == pytest.approx(0.2)
        assert code_words(FALLEN) == "off"
        assert code_words(0b11) == "a1+a2"

    def test_an_honest_forecaster_is_calibrated_and_a_boaster_is_not(self):
        rng = np.random.default_rng(4)
        chance = rng.uniform(0.55, 0.95, 3000)
        true = np.where(rng.random(3000) < chance, 1, 2)
        honest = [{1: float(p), 2: float(1 - p)} for p in chance]
        boast = [{1: 0.999, 2: 0.001} for _ in chance]
        good, bad = score(honest, true, Reader()), score(boast, true, Reader())
        assert good.hits == bad.hits
        assert good.log_score > bad.log_score
        for part in good.curve:
            assert part.interval[0] - 0.03 <= part.said <= part.interval[1] + 0.03
        top = bad.curve[-1]
        assert top.said > top.interval[1] + 0.1
        assert good.interval[0] < good.rate < good.interval[1]


class TestCheck:
    def test_the_machine_that_was_measured_scores_better_than_a_wrong_one(self):
        measured = read_measurements(SYNTHETIC / "check.csv", MACHINE)
        hidden = MACHINE.with_values({"friction.board": 0.31, "magnet.remanence": 0.92, "magnet.gap": 5.6})
        wrong = MACHINE.with_values({"friction.board": 0.4, "magnet.remanence": 0.4, "magnet.gap": 8.0})
        good, bad = (check_machine(m, measured, 64, 1, Reader()).score for m in (hidden, wrong))
        assert good.rate > 0.85
        assert good.rate > bad.rate
        assert good.log_score > bad.log_score

    def test_the_json_and_the_page(self, tmp_path, capsys):
        page = tmp_path / "check.html"
        words = ("check", "reconstruction", str(SYNTHETIC / "check.csv"), "--samples", "32", "--html", str(page))
        assert command(options(*words, "--json")) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["hits"] <= told["rows"]
        assert told["interval"][0] - 1e-9 <= told["hit_rate"] <= told["interval"][1] + 1e-9
        assert told["log_score"] <= 0
        assert sum(part["forecasts"] for part in told["calibration"]) >= told["rows"]
        assert len(told["misses"]) == told["rows"] - told["hits"]
        assert "<img" in page.read_text(encoding="utf-8")
        assert command(options(*words)) == 0
        assert "predicted spaces right in" in capsys.readouterr().out
