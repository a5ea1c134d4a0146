"""The region as machines: the same under a seed, kept on disk, and what holds for every one of them."""

from __future__ import annotations

import pytest

from tests.calibrating import called, called_json
from tests.setups import MACHINE
from twin.board.machine import load_machine
from twin.board.moves import Push, Turn
from twin.board.scene import load_scene
from twin.calibrate.evidence import region_machines as module
from twin.calibrate.evidence.facts import load_evidence, parse_evidence
from twin.calibrate.evidence.parameters import parameters
from twin.calibrate.evidence.region_machines import predict, predictions, region
from twin.calibrate.evidence.verdicts import docket
from twin.errors import BadInputError


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """A fresh cache folder."""
    monkeypatch.setenv("TWIN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_every_machine_of_a_region_fits() -> None:
    """Each does all that the rulebook says, lies within the ranges, and differs from the others."""
    machines = region(MACHINE, 12, 1)
    court = docket(load_evidence(), MACHINE)
    assert len(set(machines)) == 12
    for machine in machines:
        assert (court.judge(machine) != 0).all()
        for parameter in parameters(MACHINE):
            assert parameter.low <= machine[parameter.name] <= parameter.high


def test_a_larger_region_begins_with_the_smaller_one() -> None:
    """Whether it was drawn at once or is an old one carried on; another seed gives another."""
    small = region(MACHINE, 4, 1)
    grown = region(MACHINE, 9, 1)
    assert grown[:4] == small
    assert region(MACHINE, 6, 1) == grown[:6]
    assert region(MACHINE, 4, 2) != small


def test_a_region_is_found_once(cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process reads what the first one found, without judging anything."""
    first = region(MACHINE, 5, 1)
    assert len(list(cache.glob("region-*.cache"))) == 1

    def refuse(*_) -> None:
        raise AssertionError

    monkeypatch.setattr(module, "docket", refuse)
    assert region(MACHINE, 5, 1) == first
    assert region(MACHINE, 3, 1) == first[:3]


@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda raw: raw[:-1], lambda raw: raw.replace(b"[", b"[1, "), lambda _: b"[" * 10_000]
)
def test_a_damaged_file_is_found_anew(cache, damage) -> None:
    first = region(MACHINE, 3, 1)
    (path,) = cache.glob("region-*.cache")
    path.write_bytes(damage(path.read_bytes()))
    assert region(MACHINE, 3, 1) == first


def test_other_evidence_ranges_and_code_have_files_of_their_own(cache, monkeypatch: pytest.MonkeyPatch) -> None:
    region(MACHINE, 2, 1)
    region(MACHINE, 2, 1, fixed=["magnet.gap"])
    region(load_machine("outer-tunnels"), 2, 1)
    monkeypatch.setattr(module, "_code", lambda: "changed")
    region(MACHINE, 2, 1)
    assert len(list(cache.glob("region-*.cache"))) == 4


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = region(MACHINE, 2, 1)
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("TWIN_CACHE", str(tmp_path / "file" / "cache"))
    assert region(MACHINE, 2, 1) == first


def test_fixed_values_stay() -> None:
    machines = region(MACHINE.with_values({"magnet.gap": 4.0}), 5, 1, fixed=["magnet.gap"])
    assert {machine["magnet.gap"] for machine in machines} == {4.0}
    assert len({machine["friction.board"] for machine in machines}) == 5


def test_evidence_that_nothing_fits_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a limited number of tries it is given up, with the numbers."""
    monkeypatch.setattr(module, "LEAST_TRIES", 20)
    monkeypatch.setattr(module, "TRIES", 1)
    case = {"move": "turn cw", "ghosts": {"red": {"on": "A2"}}, "ends": {"red": "off"}}
    fact = {"name": "x", "says": "x", "source": "x", "kind": "must", "cases": [case]}
    with pytest.raises(BadInputError, match="only 0 of 22 machines"):
        region(MACHINE, 2, 1, evidence=parse_evidence({"facts": [fact]}, "nonsense"))


@pytest.mark.parametrize("n", [0, -1, 4097])
def test_a_region_has_a_size(n: int) -> None:
    with pytest.raises(BadInputError, match="1 to 4096"):
        region(MACHINE, n, 1)


def test_predictions_count_machines() -> None:
    """Shares add up; what always holds is what every machine does."""
    machines = region(MACHINE, 10, 1)
    states = [load_scene("held", machine).state for machine in machines]
    held, pushed = predictions(machines, states, [Turn("cw"), Push("B", "north")])
    assert held.same
    assert held.always("red") == ("f2", "held")
    assert pushed.always("red") == ("b2", "stayed")
    assert sum(dict(held.ghosts)["red"].fates.values()) == held.size == 10
    assert predict(machines, states, Turn("cw")) == held


def test_what_differs_between_machines_is_not_called_the_same() -> None:
    """A machine on which the magnet is too weak ends the sameness."""
    machines = [MACHINE, load_machine("ferrite")]
    states = [load_scene("carried-through-walls", machine).state for machine in machines]
    found = predict(machines, states, Push("A", "north"))
    assert not found.same
    assert found.always("red") == (None, None)


# -- the commands ---------------------------------------------------------------------------------------------------


def test_a_turn_over_a_region(capsys: pytest.CaptureFixture[str]) -> None:
    """The usual object, and what holds over the region beside it."""
    words = ("turn", "held", "cw", "--machines", "region:6")
    data = called_json(capsys, *words)
    assert data["ghosts"]["red"]["fate"] == "held"
    assert data["region"]["n"] == 6
    (move,) = data["region"]["moves"]
    assert move["same"] is True
    assert move["ghosts"]["red"]["always"] == {"space": "f2", "fate": "held"}
    code, told = called(capsys, *words)
    assert code == 0
    assert "on every machine" in told


def test_exploring_over_a_region(capsys: pytest.CaptureFixture[str]) -> None:
    """Both turns and every push that B5 allows; positions that do not fit on a machine are counted, not hidden."""
    data = called_json(capsys, "explore", "strong-enough", "--machines", "region:12")
    assert len(data["region"]["moves"]) == 8
    assert data["region"]["n"] + data["region"]["misfits"] == 12
    assert data["region"]["misfits"] > 0
    for move in data["region"]["moves"]:
        for ghost in move["ghosts"].values():
            assert sum(ghost["spaces"].values()) == pytest.approx(1.0)
            assert sum(ghost["fates"].values()) == pytest.approx(1.0)


def test_validating_over_a_region(capsys: pytest.CaptureFixture[str]) -> None:
    """What must hold (D3 to D5) holds on every machine, and the moves are shared out."""
    words = ("validate", "let-it-happen", "--samples", "120", "--machines", "region:4")
    data = called_json(capsys, *words)
    assert data["region"]["moves_each"] == 30
    assert data["turns"] == 120
    must = [claim for claim in data["claims"] if claim["kind"] == "must_hold"]
    assert len(must) >= 6
    assert all(claim["broken"] == claim["machines_broken"] == 0 for claim in must)
    code, told = called(capsys, *words)
    assert code == 0
    assert "holds on every machine" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--machines", "50"), "must be region:N"),
        (("--machines", "region:"), "whole number"),
        (("--machines", "region:0"), "whole number"),
        (("--machines", "region:2", "--save", "x.toml"), "--save"),
        (("--machines", "region:2", "--record", "x.json"), "--record"),
    ],
)
def test_bad_words_are_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str) -> None:
    code, message = called(capsys, "turn", "held", "cw", *words)
    assert code == 2
    assert told in message


@pytest.mark.parametrize(
    "words",
    [
        ("calibrate", "rulebook", "--machines", "8"),
        ("sensitivity", "--samples", "4"),
        ("turn", "start", "cw", "--machines", "region:2"),
    ],
)
def test_a_negative_seed_is_refused(words, capsys) -> None:
    """Sequences of points have none."""
    code, told = called(capsys, *words, "--seed", "-1")
    assert code == 2
    assert "--seed" in told
