"""Both engines behind one door: what `Twin(engine="kernel")` promises."""

from __future__ import annotations

import json

import pytest

from twin.board.machine import load_machine
from twin.board.moves import Push, Turn, parse_move
from twin.board.scene import load_scene
from twin.cli import main
from twin.errors import BadInputError
from twin.outcome.engine import KERNEL, PYMUNK, Twin
from twin.outcome.ensemble import sample_move

CASES = [
    ("held", "turn cw"),
    ("caught", "turn cw"),
    ("rides", "turn ccw"),
    ("plug-blocks", "push B north"),
    ("carried-through-walls", "push A north"),
    ("chain-of-four", "push C north"),
    ("push-off-the-board", "push C north"),
    ("turned-board", "turn cw"),
    ("outer-tunnels-start", "turn cw"),
]


@pytest.mark.parametrize(("name", "move"), CASES)
def test_both_engines_tell_the_same_of_a_scene(name, move):
    """Fates, spaces, rules, touches, walls and grips agree; places to a few millimetres."""
    scene = load_scene(name)
    one = Twin(scene.machine).act(scene.state, parse_move(move), sensitivity=False)
    other = Twin(scene.machine, KERNEL).act(scene.state, parse_move(move), sensitivity=False)
    assert (one.engine, other.engine) == (PYMUNK, KERNEL)
    assert one.key == other.key
    assert (one.broken, one.orientation, one.sliders) == (other.broken, other.orientation, other.sliders)
    assert one.landing.conflict == other.landing.conflict
    for colour, ghost in one.ghosts:
        twin = other.ghost(colour)
        assert (ghost.touched, ghost.grip_before, ghost.walls) == (twin.touched, twin.grip_before, twin.walls)
        assert (ghost.grip_after is None) == (twin.grip_after is None)
        if ghost.place is not None and twin.place is not None:
            assert twin.place == pytest.approx(ghost.place, abs=2.0)
    assert other.after(as_is=False) == one.after(as_is=False)


def test_warnings_are_of_the_same_kinds():
    scene = load_scene("plug-blocks")
    kinds = [
        {warning.split(":")[0] for warning in Twin(scene.machine, engine).act(scene.state, Push("B", "north")).warnings}
        for engine in (PYMUNK, KERNEL)
    ]
    assert kinds[0] == kinds[1] == {"tipping"}


def test_drags_and_relocations_always_run_on_pymunk():
    scene = load_scene("drag")
    assert Twin(scene.machine, KERNEL).act(scene.state, parse_move("drag red north")).engine == PYMUNK


def test_too_close_to_call_is_told_on_the_kernel_too():
    """An outcome that flips under a tenth of a millimetre is flagged by both engines."""
    scene = load_scene("hair-over-the-line")
    state = scene.state
    edge = state.places | {"red": (-120.0 + 8.98, -120.0)}
    close = type(state).of(0, edge, state.sliders)
    for engine in (PYMUNK, KERNEL):
        assert Twin(scene.machine, engine).act(close, Turn("cw")).ghost("red").too_close


def test_an_unknown_engine_is_refused():
    with pytest.raises(BadInputError, match="pymunk, kernel"):
        Twin(load_machine(), "steam")


def test_ensembles_of_both_engines_agree():
    """The same hands give the same shares, but for what is too close to call."""
    scene = load_scene("all-at-once")
    nominal = Twin(scene.machine).act(scene.state, Turn("ccw"), sensitivity=False)
    one, other = (
        sample_move(Twin(scene.machine, engine), scene.state, Turn("ccw"), nominal, size=40, seed=2)
        for engine in (PYMUNK, KERNEL)
    )
    assert one.chancy == other.chancy
    for (colour, shares), (_, others) in zip(one.ghosts, other.ghosts, strict=True):
        for fate in {*shares.fates, *others.fates}:
            assert abs(shares.fates.get(fate, 0) - others.fates.get(fate, 0)) <= 2, colour


def test_kernel_on_the_command_line(capsys):
    assert main(["turn", "held", "cw", "--engine", "kernel", "--json", "--samples", "20"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["engine"] == "kernel"
    assert data["samples"]["n"] == 20
    assert main(["drag", "drag", "red", "north", "--engine", "kernel", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["engine"] == "pymunk"
    assert "ran on pymunk" in captured.err


def test_people_get_as_many_hands_as_decide_by_default(capsys):
    assert main(["turn", "held", "cw"]) == 0
    assert "Sure: the commonest outcome comes up in 100 of 100 hands" in capsys.readouterr().out
    assert main(["push", "held", "A", "north", "--samples", "0"]) == 0
    assert "hand" not in capsys.readouterr().out
    assert main(["turn", "held", "cw", "--json"]) == 0
    assert "samples" not in json.loads(capsys.readouterr().out)


def test_a_run_of_the_kernel_replays(capsys, tmp_path):
    target = tmp_path / "run.json"
    assert main(["turn", "held", "cw", "--engine", "kernel", "--json", "--record", str(target)]) == 0
    assert main(["replay", str(target)]) == 0
    assert "same" in capsys.readouterr().out
