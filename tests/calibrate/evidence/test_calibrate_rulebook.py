"""Evidence and what it leaves: facts as cases, machines judged by them, and the region told."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.calibrating import called, called_json
from tests.setups import MACHINE, changed
from twin.board.machine import Machine, load_machine
from twin.calibrate import workers
from twin.calibrate.evidence.facts import Evidence, load_evidence, parse_evidence
from twin.calibrate.evidence.parameters import named
from twin.calibrate.evidence.rulebook_region import study
from twin.calibrate.evidence.verdicts import docket
from twin.calibrate.fit.quick_forces import quick_machine
from twin.errors import BadInputError
from twin.files import data_folder
from twin.reports.region_page import study_html
from twin.reports.region_words import study_json, study_lines

RULEBOOK = load_evidence()
TEXT = (data_folder("calibration", "evidence") / "rulebook.toml").read_text(encoding="utf-8")
SMALL = study(RULEBOOK, MACHINE, 160, 1)
NAMES = [fact.name for fact in RULEBOOK.facts]


def _missed(machine: Machine) -> set[str]:
    verdicts = docket(RULEBOOK, machine).judge(machine)
    return {name for name, verdict in zip(NAMES, verdicts, strict=True) if verdict == 0}


# -- the facts ------------------------------------------------------------------------------------------------------


def test_all_that_people_have_seen_is_evidence() -> None:
    """The eight behaviours and the rules B4, B6, B7, D4 and D5 are each the source of a fact."""
    sources = " ".join(fact.source for fact in RULEBOOK.facts)
    for wanted in (*(f"behaviour {n}" for n in range(1, 9)), "B4", "B6", "B7", "D2", "D4", "D5"):
        assert wanted in sources


@pytest.mark.parametrize("name", ["reconstruction", "outer-tunnels"])
def test_the_default_machine_does_all_of_it(name: str) -> None:
    """So does the one with other tunnels, where some cases do not apply."""
    assert _missed(load_machine(name)) == set()


def test_ferrite_magnets_are_ruled_out_by_b7() -> None:
    """They cannot push a second ghost along; one fact needs no more than that."""
    assert "pushes" in _missed(load_machine("ferrite"))


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ({"magnet__remanence": 0.05}, {"held", "caught", "carried", "pushes", "plug", "over-the-edge"}),
        ({"hand__turn_time": 0.4}, {"rides"}),
        ({"friction__board": 0.02}, {"rides"}),
        ({"magnet__remanence": 0.0, "friction__board": 1.0}, {"bumps", "across", "off"}),
        ({"magnet__remanence": 1.5, "magnet__gap": 1.0, "friction__board": 0.02}, {"still"}),
    ],
)
def test_every_fact_rules_out_something(values: dict[str, float], wanted: set[str]) -> None:
    """Machines far outside the ranges show that each fact can fail."""
    assert wanted <= _missed(changed(MACHINE, values))


def test_cases_that_a_machine_does_not_have_are_left_out() -> None:
    """Without magnet A7 its cases are gone, and named; without any magnet at all nothing about them is judged."""
    without = replace(MACHINE, sliders={**MACHINE.sliders, "A": MACHINE.sliders["A"][:2]})
    court = docket(RULEBOOK, without)
    assert {(name, why) for name, _, why in court.left_out} >= {("off", "it has no gripping magnet A7")}
    bare = replace(MACHINE, sliders=dict.fromkeys(MACHINE.sliders, ()))
    verdicts = dict(zip(NAMES, docket(RULEBOOK, bare).judge(bare).tolist(), strict=True))
    assert verdicts["held"] == verdicts["carried"] == verdicts["plug"] == -1
    assert verdicts["rides"] == 1
    assert verdicts["caught"] == 0


def test_positions_grow_with_the_spaces() -> None:
    """On a board with larger spaces the same facts hold: ghosts stand on spaces, not on millimetres."""
    for space in (36.0, 44.0):
        machine = quick_machine(MACHINE, {"board.space": space})
        assert (docket(RULEBOOK, MACHINE).judge(machine) == 1).all()


def test_a_scene_can_be_a_case() -> None:
    """A case may name a scene; a must of which one case fails does not hold."""
    data = {"name": "x", "says": "x", "source": "x", "kind": "must"}
    cases = [{"scene": "held", "move": "turn cw", "ends": {"red": "held"}}]
    good = parse_evidence({"facts": [data | {"cases": cases}]}, "x")
    assert docket(good, MACHINE).judge(MACHINE).tolist() == [1]
    wrong = [*cases, {"scene": "rides", "move": "turn cw", "ends": {"red": "held"}}]
    assert docket(parse_evidence({"facts": [data | {"cases": wrong}]}, "x"), MACHINE).judge(MACHINE).tolist() == [0]
    can = parse_evidence({"facts": [data | {"kind": "can", "cases": wrong}]}, "x")
    assert docket(can, MACHINE).judge(MACHINE).tolist() == [1]


# -- broken files ---------------------------------------------------------------------------------------------------

BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no facts": ({"facts": []}, "facts"),
    "facts no list": ({"facts": 3}, "facts"),
    "fact no table": ({"facts": [3]}, r"facts\[0\]"),
    "unknown key": ({"colour": 1}, "colour"),
    "title no text": ({"title": 1}, "title"),
    "kind": ({"fact": {"kind": "may"}}, r"facts\[0\].kind"),
    "unknown key of a fact": ({"fact": {"weight": 1}}, r"facts\[0\].weight"),
    "no cases": ({"fact": {"cases": []}}, r"facts\[0\].cases"),
    "search of a must": ({"fact": {"search": 10}}, r"facts\[0\].search"),
    "search below 0": ({"fact": {"kind": "can", "search": -1}}, r"facts\[0\].search"),
    "move": ({"case": {"move": "jump"}}, r"facts\[0\].cases\[0\].move"),
    "drag": ({"case": {"move": "drag red north"}}, r"facts\[0\].cases\[0\].move"),
    "no ends": ({"case": {"ends": {}}}, r"cases\[0\].ends"),
    "unknown end": ({"case": {"ends": {"red": "flew"}}}, r"cases\[0\].ends.red"),
    "end of a push": ({"case": {"ends": {"red": "carried"}}}, r"cases\[0\].ends.red"),
    "end of nobody": ({"case": {"ends": {"blue": "rides"}}}, r"cases\[0\].ends.blue"),
    "unknown ghost": ({"case": {"ghosts": {"pink": "a1"}, "ends": {"pink": "rides"}}}, r"ghosts.pink"),
    "unknown space": ({"case": {"ghosts": {"red": "h9"}}}, r"ghosts.red"),
    "the plug's space": ({"case": {"ghosts": {"red": "d4"}}}, r"ghosts.red"),
    "strange place": ({"case": {"ghosts": {"red": {"at": 3}}}}, r"ghosts.red"),
    "beside nobody": ({"case": {"ghosts": {"red": {"beside": "blue", "by": [0, 1]}}}}, r"ghosts.red.beside"),
    "scene and ghosts": ({"case": {"scene": "held"}}, r"cases\[0\].ghosts"),
    "slider": ({"case": {"sliders": [{"name": "A", "tunnel": "one"}]}}, r"sliders\[0\].tunnel"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_evidence_is_told_where(name: str) -> None:
    """The message names the field within the file."""
    change, field = deepcopy(BROKEN[name])
    case = {"move": "turn cw", "ghosts": {"red": "a1"}, "ends": {"red": "rides"}} | change.pop("case", {})
    fact = {"name": "x", "says": "x", "source": "x", "kind": "must", "cases": [case]} | change.pop("fact", {})
    with pytest.raises(BadInputError, match=field):
        parse_evidence({"facts": [fact]} | change, "x")


@pytest.mark.parametrize("key", ["name", "says", "source", "kind", "cases"])
def test_a_fact_needs_all_its_parts(key: str) -> None:
    data = tomllib.loads(TEXT)
    del data["facts"][0][key]
    with pytest.raises(BadInputError, match=rf"facts\[0\].{key}: is missing"):
        parse_evidence(data, "x")


def test_two_facts_of_one_name_are_refused() -> None:
    data = tomllib.loads(TEXT)
    data["facts"][1]["name"] = data["facts"][0]["name"]
    with pytest.raises(BadInputError, match="comes twice"):
        parse_evidence(data, "x")


# -- the region -----------------------------------------------------------------------------------------------------


def test_a_study_keeps_what_does_everything() -> None:
    """Kept machines are possible ones without a failed fact; shares excluded fit the verdicts."""
    assert 0.6 < SMALL.kept.mean() < 0.95
    assert np.array_equal(SMALL.kept, SMALL.possible & (SMALL.verdicts.min(axis=1) != 0))
    assert SMALL.missed == ()
    for k, found in enumerate(SMALL.facts):
        assert found.excluded == int((SMALL.verdicts[SMALL.possible, k] == 0).sum())
        assert found.only <= found.excluded


def test_the_default_machine_lies_within_the_region() -> None:
    """It does all facts, and each of its values lies within what is left of the ranges."""
    assert SMALL.missed == ()
    for marginal in SMALL.marginals:
        assert marginal.span[0] <= MACHINE[marginal.parameter.name] <= marginal.span[1]


def test_the_central_machine_fits() -> None:
    """The machine in the middle does everything too, and is as the machine itself where nothing is known."""
    assert SMALL.central is not None
    assert (SMALL.court.judge(quick_machine(MACHINE, SMALL.central)) != 0).all()
    assert SMALL.central["hand.drag_force"] == MACHINE["hand.drag_force"]


def test_a_study_repeats_under_its_seed() -> None:
    first, again, other = (study_json(study(RULEBOOK, MACHINE, 20, seed)) for seed in (1, 1, 2))
    assert first == again
    assert first["parameters"] != other["parameters"]


@pytest.mark.slow
def test_several_processes_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    assert study_json(study(RULEBOOK, MACHINE, 160, 1, workers=2)) == study_json(SMALL)


def _only(end: str, kind: str = "must") -> Evidence:
    case = {"move": "turn cw", "ghosts": {"red": {"on": "A2"}}, "ends": {"red": end}}
    fact = {"name": "one", "says": "One.", "source": "test", "kind": kind, "cases": [case]}
    return parse_evidence({"facts": [fact]}, "test")


def test_evidence_that_excludes_nearly_nothing_is_called_so() -> None:
    """Strong magnets hold their ghosts whatever the hand does: nothing is narrowed, and that is said."""
    chosen = named(MACHINE, ["hand.drag_time", "hand.push_time"])
    found = study(_only("held"), MACHINE, 16, 1, chosen=chosen)
    told = "\n".join(study_lines(found))
    assert "nearly all" in told
    assert found.silent == ("hand.drag_time", "hand.push_time")
    assert "nothing" in told


def test_evidence_that_excludes_everything_is_called_so() -> None:
    """An empty region has no intervals and no middle, and the machine itself is named as one that does not fit."""
    found = study(_only("off"), MACHINE, 16, 1)
    assert found.kept.sum() == 0
    assert found.marginals == ()
    assert found.central is None
    told = "\n".join(study_lines(found))
    assert "next to nothing" in told
    assert "reconstruction itself does not" in told
    assert study_json(found)["fits"] is False
    assert "<h1>" in study_html(found)


# -- the command ----------------------------------------------------------------------------------------------------


def test_the_command_prints_a_documented_object(capsys: pytest.CaptureFixture[str]) -> None:
    data = called_json(capsys, "calibrate", "rulebook", "--machines", "24")
    assert data["machines"] == 24
    assert data["fits"] is True
    assert data["kept"] <= data["possible"] <= 24
    assert [fact["name"] for fact in data["facts"]] == NAMES
    one = data["parameters"]["friction.board"]
    low, high = one["interval90"]
    assert one["range"][0] <= one["kept"][0] <= low <= one["mean"] <= high <= one["kept"][1] <= one["range"][1]
    assert set(data["central"]) == set(data["parameters"])


def test_values_that_are_set_do_not_vary(capsys: pytest.CaptureFixture[str]) -> None:
    data = called_json(capsys, "calibrate", "rulebook", "--machines", "4", "--set", "magnet.gap=4")
    assert "magnet.gap" not in data["parameters"]
    assert "friction.board" in data["parameters"]


def test_the_command_writes_pictures_and_tables(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    files = {ending: tmp_path / f"region.{ending}" for ending in ("png", "html", "csv")}
    words = [word for ending, path in files.items() for word in (f"--{ending}", str(path))]
    code, told = called(capsys, "calibrate", "rulebook", "--machines", "32", *words)
    assert code == 0
    assert "Most central" in told
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    page = files["html"].read_text(encoding="utf-8")
    assert all(fact.says.split("'")[0] in page for fact in RULEBOOK.facts)
    rows = files["csv"].read_text(encoding="utf-8").splitlines()
    assert len(rows) == 33
    assert rows[0].startswith("kept,possible,board.space,")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--machines", "0"], "whole number"),
        (["--machines", "many"], "whole number"),
        (["--png", "region.jpg"], "must end in .png"),
        (["--html", "no/such/folder/x.html"], "folder does not exist"),
        (["--evidence", "hearsay"], "no evidence of this name"),
        (["--machine", "nobody"], "no machine of this name"),
    ],
)
def test_bad_words_are_refused(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    code, message = called(capsys, "calibrate", "rulebook", *words)
    assert code == 2
    assert told in message
