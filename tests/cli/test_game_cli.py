"""Saved games on the command line."""

from __future__ import annotations

import json

import pytest

from twin.cli import main


@pytest.fixture
def saved(tmp_path, capsys):
    path = tmp_path / "game.json"
    assert main(["game", "new", str(path), "--players", "red,blue", "--seed", "4", "--hand", "exact"]) == 0
    capsys.readouterr()
    return path


def test_a_game_is_begun_shown_and_played_on(saved, capsys):
    assert main(["game", "act", str(saved), "turn cw", "push B north", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["current_player"], data["moves_left"]) == ("red", 1)
    assert data["event"]["action"] == "push B north"
    assert "turn cw" in data["legal_actions"]
    assert main(["game", "show", str(saved)]) == 0
    assert "Red to play" in capsys.readouterr().out


def test_a_person_reads_what_a_player_may_know(saved, capsys):
    """The table with garments and decks; what was seen in a deck is for the searcher alone (Q2)."""
    words = ["drag red north", "search 2"]
    assert main(["game", "act", str(saved), *words]) == 0
    told = capsys.readouterr().out
    assert "Red looks through deck 2" in told
    assert "red knows what is in deck 2" in told
    assert "now: keep, top" in told
    assert main(["game", "show", str(saved), "--player", "blue"]) == 0
    told = capsys.readouterr().out
    assert "knows" not in told
    assert "now:" not in told
    assert "Red has a deck in hand" in told


def test_an_illegal_action_names_the_rule_and_leaves_the_file(saved, capsys):
    before = saved.read_bytes()
    assert main(["game", "act", str(saved), "search 1"]) == 3
    assert main(["game", "act", str(saved), "turn cw", "drag blue north"]) == 3
    assert "own ghost" in capsys.readouterr().err
    assert saved.read_bytes() == before


def test_a_player_sees_no_hidden_cards(saved, capsys):
    """No card's code is in what a player sees of the decks at the start."""
    assert main(["game", "show", str(saved), "--player", "blue", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [deck["seen"] for deck in told["decks"]] == [None] * 4
    assert told["legal_actions"] == []
    assert '"H1"' not in json.dumps(told["decks"])


def test_a_game_is_not_overwritten_by_accident(saved):
    assert main(["game", "new", str(saved)]) == 2
    assert main(["game", "new", str(saved), "--overwrite"]) == 0


@pytest.mark.parametrize(
    "words",
    [
        ["game", "new", "x.json", "--players", "red"],
        ["game", "new", "x.json", "--players", "red,pink"],
        ["game", "show", "missing.json"],
        ["game", "act", "missing.json", "turn cw"],
        ["game"],
        ["game", "dance"],
    ],
)
def test_bad_words_end_with_2(words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "spoil", ["", "{", "[]", '{"machine": "reconstruction"}', '{"kind": "twin game", "schema": 2}']
)
def test_a_spoilt_file_is_refused_and_left_alone(saved, capsys, spoil):
    saved.write_text(spoil, encoding="utf-8")
    assert main(["game", "act", str(saved), "turn cw"]) == 2
    assert str(saved) in capsys.readouterr().err
    assert saved.read_text(encoding="utf-8") == spoil


def test_a_truncated_file_is_refused(saved, capsys):
    half = saved.read_bytes()[:200]
    saved.write_bytes(half)
    assert main(["game", "act", str(saved), "turn cw"]) == 2
    assert "JSON" in capsys.readouterr().err
    assert saved.read_bytes() == half


def test_words_outside_the_grammar_end_with_2(saved):
    assert main(["game", "act", str(saved), "dance"]) == 2
