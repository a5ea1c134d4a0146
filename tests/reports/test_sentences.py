"""What people read of a move: verdicts with their counts, the hand explained once, the placement that is taken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from twin.board.moves import Turn
from twin.board.scene import load_scene
from twin.cli import main
from twin.outcome.engine import Twin
from twin.reports.sentences import ghost_sentence
from twin.stats import HAND, VERDICTS


def said(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """The lines of a command that ends well, on the kernel, which is soon done."""
    assert main([*words, "--engine", "kernel"]) == 0
    lines: list[str] = capsys.readouterr().out.splitlines()
    return lines


def test_one_hand_is_too_few_to_say(capsys):
    """The move may be sure or chancy: neither is claimed, and one hand is not several."""
    lines = said(capsys, "turn", "all-at-once", "ccw", "--samples", "1")
    told = "Too few hands to say: the commonest outcome comes up in 1 of 1 hand, 100 % (21–100 %); seed 1."
    assert told in lines
    assert HAND in lines


def test_people_get_a_verdict_with_every_turn(capsys):
    """With share, interval and count, for all ghosts together and for each."""
    lines = said(capsys, "turn", "start", "cw")
    assert "Sure: the commonest outcome comes up in 100 of 100 hands, 100 % (96–100 %); seed 1." in lines
    assert "  red: sure; a1 100 % (96–100 %)" in lines


def test_the_line_of_a_verdict_does_not_contradict_it(capsys):
    """A turn that a few of 5,000 hands make otherwise is sure, and not in all of them."""
    lines = said(capsys, "turn", "start", "cw", "--samples", "5000")
    (verdict,) = [line for line in lines if "commonest" in line]
    assert verdict.startswith("Sure: ")
    assert " 99.9" in verdict
    assert not any(" 0 %" in line or "(0–" in line for line in lines)


def test_a_hand_is_explained_once(capsys):
    """Also where several moves have hands."""
    lines = said(capsys, "run", "start", "turn cw", "push A north", "--samples", "2")
    assert lines.count(HAND) == 1
    assert sum(line.startswith(VERDICTS[None].capitalize()) for line in lines) == 2


def test_an_outcome_that_is_not_the_commonest_says_so(capsys):
    lines = said(capsys, "turn", "edge/engines-part", "ccw", "--samples", "100")
    assert any(line.endswith("The one shown here comes up in 37.") for line in lines)


def test_the_placement_that_is_taken_is_named_and_all_ways_are_listed(capsys, tmp_path):
    """The first, unless another is chosen; it is what --save writes."""
    words = ("turn", "all-at-once", "ccw", "--samples", "0")
    lines = said(capsys, *words, "--save", str(tmp_path / "first.toml"))
    ways = "The player may place the ghosts in 4 ways (D4, D5); the picture and --save take"
    assert f"{ways} the first: green on a1. Choose with --place." in lines
    assert [line for line in lines if line.startswith("  ") and " green on " in line] == [
        f"  {number}. green on {corner}" for number, corner in enumerate(("a1", "a7", "g1", "g7"), start=1)
    ]
    lines = said(capsys, *words, "--place", "green=g1", "--save", str(tmp_path / "third.toml"))
    assert f"{ways} number 3: green on g1. Choose with --place." in lines
    first, third = (load_scene(str(tmp_path / f"{name}.toml")).state for name in ("first", "third"))
    assert first.places["green"] != third.places["green"]
    assert {c: p for c, p in first.ghosts if c != "green"} == {c: p for c, p in third.ghosts if c != "green"}


def test_more_than_six_ways_are_counted(capsys):
    """Five of them are listed."""
    lines = said(capsys, "turn", "fall-and-straddle", "ccw", "--samples", "0")
    total = next(int(line.split(" in ")[1].split()[0]) for line in lines if line.startswith("The player may place"))
    assert total > 6
    assert f"  and {total - 5} more" in lines


def test_in_a_run_the_next_move_goes_on_from_the_first_way(capsys):
    lines = said(capsys, "run", "all-at-once", "turn ccw", "turn cw", "--samples", "0")
    assert any("the picture and the next move take the first: green on a1." in line for line in lines)


@pytest.mark.parametrize(
    ("fate", "words"),
    [("rode", "rode along with the board, sliding through 2 walls;"), ("stayed", "slid 31 mm, through 2 walls;")],
)
def test_a_ghost_that_crosses_walls_of_the_board_has_slid(fate, words):
    """It neither rode along without slipping nor stayed where it was."""
    scene = load_scene("rides")
    outcome = Twin(scene.machine).act(scene.state, Turn("cw"), sensitivity=False)
    colour, ghost = outcome.ghosts[0]
    slid = replace(ghost, fate=fate, slip=31.2, walls=(("a1", "a2"), ("a2", "a3")))
    assert f" {words} it stands on " in ghost_sentence(colour, slid, outcome)
    assert "through" not in ghost_sentence(colour, ghost, outcome)
