"""Sensitivity: indices that are known, values that cannot matter, and the command."""

from __future__ import annotations

from importlib import util

import numpy as np
import pytest

from tests.calibrating import called, called_json
from tests.setups import MACHINE
from twin.board.moves import Push, Turn
from twin.board.scene import load_scene
from twin.calibrate import sobol_indices as module
from twin.calibrate.evidence.parameters import from_unit, named
from twin.calibrate.sobol_indices import (
    NUMBERS,
    Measure,
    Sensitivity,
    SensitivityTrial,
    machines_in_all,
    random_trials,
    sensitivity,
    trials_of,
    usual_covers,
)
from twin.errors import BadInputError, MissingExtraError

pytest.importorskip("SALib", reason="an extra")

FOUR = ("friction.board", "magnet.remanence", "hand.drag_force", "ghost.radius")


@pytest.fixture(scope="module")
def found() -> Sensitivity:
    """A small study of four values."""
    return sensitivity(MACHINE, random_trials(MACHINE, 8, 1), named(MACHINE, FOUR), 16, 1)


def test_the_design_has_saltellis_size(found: Sensitivity) -> None:
    """8 values and 1,024 points are 18,432 machines; with many values pairs are left out."""
    assert machines_in_all(8, 1024) == 18432
    assert machines_in_all(33, 256) == 35 * 256
    assert found.machines == machines_in_all(4, 16) == 160
    assert found.runs == 160 * 16


def test_a_value_that_cannot_matter_does_not(found: Sensitivity) -> None:
    """Nobody is dragged, so how hard a hand drags changes nothing, exactly; magnets and feet do."""
    position = FOUR.index("hand.drag_force")
    for one in found.indices:
        assert one.total[position] == 0.0
    assert "hand.drag_force" in found.nothing
    assert "magnet.remanence" not in found.nothing
    assert found.ranking[-1] == ("hand.drag_force", 0.0)
    assert found.margin_ranking[0][0] == "ghost.radius"


def test_a_study_repeats_under_its_seed(found: Sensitivity) -> None:
    again = sensitivity(MACHINE, random_trials(MACHINE, 8, 1), named(MACHINE, FOUR), 16, 1)
    assert [one.name for one in again.indices] == [one.name for one in found.indices]
    for a, b in zip(again.indices, found.indices, strict=True):
        assert np.array_equal(a.total, b.total)
        assert np.array_equal(a.first_interval, b.first_interval)


def test_known_indices_come_out() -> None:
    """Of 2a + b, a explains four fifths and b one, and c nothing: alone as with others."""
    from SALib.sample import sobol

    problem = {"num_vars": 3, "names": ["a", "b", "c"], "bounds": [[0, 1]] * 3}
    points = sobol.sample(problem, 512, seed=1)
    one = module._indices(problem, "y", 2 * points[:, 0] + points[:, 1], 1, second=True)
    assert one.first == pytest.approx([0.8, 0.2, 0.0], abs=0.02)
    assert one.total == pytest.approx([0.8, 0.2, 0.0], abs=0.02)
    assert one.pairs == ()
    product = module._indices(problem, "y", points[:, 0] * (points[:, 1] - 0.5), 1, second=True)
    assert product.pairs[0][:2] == ("a", "b")
    assert product.pairs[0][2] == pytest.approx(0.25, abs=0.05)


def test_numbers_are_shares_of_ghosts() -> None:
    """Fates add up to 1; on the machine itself by its own hands most end as by the nominal hand."""
    trials = random_trials(MACHINE, 8, 1)
    measure = Measure(MACHINE, named(MACHINE, FOUR), trials, 1, 1, usual_covers(MACHINE, trials))
    numbers = dict(zip(NUMBERS, measure.numbers(MACHINE), strict=True))
    assert sum(value for name, value in numbers.items() if name not in {"same", "across", "margin"}) == pytest.approx(1)
    assert 0.8 < numbers["same"] <= 1.0
    assert 0.0 <= numbers["across"] <= 1.0
    assert numbers["margin"] > 0.0
    corner = from_unit(named(MACHINE, FOUR), [[0, 0, 0, 0], [1, 1, 1, 1]])
    assert measure(corner).shape == (2, len(NUMBERS))


def test_hands_follow_the_spread_of_each_machine() -> None:
    """Where the hand's spread varies, the hands do: a steady hand ends as the nominal one does."""
    trials = random_trials(MACHINE, 8, 1)
    spreads = ("spread.time", "spread.evenness", "spread.place", "spread.angle")
    chosen = named(MACHINE, spreads)
    measure = Measure(MACHINE, chosen, trials, 1, 1, usual_covers(MACHINE, trials))
    steady, shaky = measure(np.array([[0.0] * 4, [p.high for p in chosen]]))
    assert steady[NUMBERS.index("same")] == 1.0
    assert shaky[NUMBERS.index("same")] < 1.0


def test_scenes_bring_their_moves() -> None:
    """The turns and pushes that a scene is about, each once; without expectations both turns."""
    assert [trial.move for trial in trials_of(load_scene("held"))] == [Turn("cw"), Turn("ccw")]
    assert [trial.move for trial in trials_of(load_scene("plug-blocks"))] == [Push("B", "north")]
    assert [trial.move for trial in trials_of(load_scene("drag"))] == [Turn("cw"), Turn("ccw")]
    assert all(isinstance(trial, SensitivityTrial) for trial in trials_of(load_scene("push-no-farther")))


def test_without_moves_there_is_nothing_to_measure() -> None:
    with pytest.raises(BadInputError, match="at least one move"):
        sensitivity(MACHINE, [], named(MACHINE, FOUR), 4, 1)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == "SALib" else util.find_spec(name))
    with pytest.raises(MissingExtraError, match=r"mauer-twin\[calibrate\]"):
        module.require_salib()


# -- the command ----------------------------------------------------------------------------------------------------

WORDS = ("sensitivity", "--samples", "8", "--parameters", "friction.board,magnet.gap,hand.drag_time")


def test_the_command_prints_a_documented_object(capsys: pytest.CaptureFixture[str]) -> None:
    data = called_json(capsys, *WORDS, "--positions", "4")
    assert data["machines"] == 8 * 8
    assert list(data["parameters"]) == ["friction.board", "magnet.gap", "hand.drag_time"]
    assert "hand.drag_time" in data["nothing"]
    assert "hand.drag_time" in data["sentence"]
    for number in data["numbers"].values():
        assert set(number["total"]) == set(number["first"]) == set(data["parameters"])
        assert number["total"]["magnet.gap"].keys() == {"index", "interval"}


def test_the_command_draws(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    png, page = tmp_path / "s.png", tmp_path / "s.html"
    code, told = called(capsys, *WORDS, "--scene", "caught", "held", "--png", str(png), "--html", str(page))
    assert code == 0
    assert "depends most on" in told
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "magnet.gap" in page.read_text(encoding="utf-8")


def test_nothing_matters_where_nothing_changes(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    """No number varies: that is said, and drawn, without a fault."""
    page = tmp_path / "s.html"
    words = ("sensitivity", "--samples", "4", "--parameters", "hand.drag_time,hand.drag_force", "--html", str(page))
    code, told = called(capsys, *words)
    assert code == 0
    assert "all machines do the same" in told
    assert page.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--parameters", "friction.bord"), "did you mean 'friction.board'"),
        (("--parameters", ","), "keys like"),
        (("--samples", "0"), "whole number"),
        (("--scene", "nowhere"), "no scene of this name"),
        (("--scene", "held", "ferrite-too-weak"), "choose one with --machine"),
        (("--scene", "held", "--positions", "3"), "not allowed with"),
        (("--parameters", "magnet.gap", "--set", "magnet.gap=4"), "nothing to vary"),
        (("--png", "x.svg"), "must end in .png"),
    ],
)
def test_bad_words_are_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str) -> None:
    code, message = called(capsys, "sensitivity", *words)
    assert code == 2
    assert told in message
