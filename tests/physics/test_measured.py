"""Measured turns: the same path gives the same bits, whoever makes it and however it was written down."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.setups import MACHINE
from twin.board.moves import Turn
from twin.board.scene import load_scene
from twin.cli import main
from twin.errors import BadInputError
from twin.outcome.engine import Twin
from twin.outcome.many import simulate_many
from twin.outcome.riding_share import random_state
from twin.physics.hand import minimum_jerk
from twin.physics.measured import QUARTER, measured_turn, read_turn, resampled, turn_csv
from twin.physics.numerics import STEP
from twin.physics.reference import simulate
from twin.physics.reference.live import LiveTurn
from twin.reports.as_json import outcome_json

SMOOTH = [QUARTER * minimum_jerk(index / 1200) for index in range(1201)]


def jerky(seed: int, length: int = 900) -> list[float]:
    """A path that stops, goes back a little, and ends at a quarter."""
    dice = random.Random(seed)
    knots = [0.0, *sorted(dice.uniform(0.0, QUARTER) for _ in range(4)), QUARTER]
    knots[2], knots[3] = knots[3], knots[2]
    points = [(k * length / 5 * STEP, angle) for k, angle in enumerate(knots)]
    return resampled(points)


def test_the_nominal_turn_measured_is_the_nominal_turn():
    state = load_scene("held").state
    nominal = simulate(state, Turn("cw"), MACHINE)
    assert simulate(state, Turn("cw"), MACHINE, measured_turn(SMOOTH)).digest() == nominal.digest()


@pytest.mark.parametrize("direction", ["cw", "ccw"])
def test_a_live_turn_in_pieces_is_the_measured_turn_at_once(direction):
    """Rule D2 by hand: whatever the pieces in which a mouse delivers a path, physics sees only the path."""
    for seed in range(3):
        dice = random.Random(seed)
        state = random_state(MACHINE, dice)
        sign = -1.0 if direction == "cw" else 1.0
        wanted = [sign * angle for angle in jerky(seed)]
        live = LiveTurn(state, MACHINE)
        rest = wanted[1:]
        while rest:
            count = dice.randint(1, 50)
            live.turn_through(rest[:count])
            rest = rest[count:]
        assert live.path == wanted
        hand = measured_turn([sign * angle for angle in live.path])
        trace = simulate(state, Turn(direction), MACHINE, hand, frame_rate=1000)
        last = len(wanted) - 1
        assert trace.board[last] == wanted[-1]
        for number, colour in enumerate(trace.ghosts):
            pose = live.places[colour]
            if pose is None:
                assert math.isnan(trace.poses[last, number, 0])
            else:
                assert pose == tuple(trace.poses[last, number])


def test_a_stopped_turn_differs_from_a_smooth_one():
    """The path matters: a jerk flings off what a smooth turn carries along."""
    state = load_scene("start").state
    sudden = [QUARTER * min(index / 250, 1.0) for index in range(251)]
    smooth, flung = (
        Twin(MACHINE).act(state, Turn("cw"), measured_turn(p), sensitivity=False) for p in (SMOOTH, sudden)
    )
    assert {ghost.fate for _, ghost in smooth.ghosts} == {"rode"}
    assert smooth.key != flung.key


@given(st.integers(0, 2**32))
@settings(max_examples=20)
def test_a_turn_written_down_and_read_back_is_the_same(tmp_path_factory, seed):
    hand = measured_turn(jerky(seed))
    path = tmp_path_factory.mktemp("turn") / "turn.csv"
    path.write_text(turn_csv(hand), encoding="utf-8")
    assert read_turn(path) == hand


def test_a_filmed_turn_is_filled_in_smoothly(tmp_path):
    """Sixty pictures a second of a smooth turn give the smooth turn back, in degrees too."""
    rows = [f"{k / 60},{math.degrees(QUARTER * minimum_jerk(k / 72))}" for k in range(73)]
    path = tmp_path / "filmed.csv"
    path.write_text("\n".join(["time_s,angle_deg", *rows]), encoding="utf-8")
    hand = read_turn(path)
    assert len(hand.path) == 1201
    assert max(abs(a - b) for a, b in zip(hand.path, SMOOTH, strict=True)) < math.radians(0.02)


def test_half_the_step_keeps_the_path():
    hand = measured_turn(jerky(5))
    finer = hand.course(STEP / 2)
    assert len(finer) == 2 * len(hand.path) - 1
    assert finer[::2] == pytest.approx(hand.path, abs=1e-12)
    assert finer[-1] == hand.path[-1]


def test_a_turn_left_askew_is_straightened_with_the_ghosts_on_it():
    askew = measured_turn([angle * 0.98 for angle in SMOOTH])
    outcome = Twin(MACHINE).act(load_scene("start").state, Turn("ccw"), askew, sensitivity=False)
    assert {ghost.space for _, ghost in outcome.ghosts} == {"a1", "a7", "g1", "g7"}
    assert askew.misalignment == pytest.approx(-0.02 * QUARTER)
    assert replace(askew, shifts=()) == askew


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "first line"),
        ("t,a\n0,0\n", "first line"),
        ("time_s,angle_deg\n0,0\n", "two rows or more"),
        ("time_s,angle_deg\n0,0\n1,x\n", "line 3 must hold two numbers"),
        ("time_s,angle_deg\n0,0\n1\n", "line 3 must hold two numbers"),
        ("time_s,angle_deg\n0,0\n0,90\n", "times must rise"),
        ("time_s,angle_deg\n0,0\n1,inf\n", "finite"),
        ("time_s,angle_deg\n0,0\n1,-90\n", "must end near 90"),
        ("time_s,angle_deg\n0,0\n1e9,90\n", "must last"),
        ("time_s,angle_deg\n-100,0\n1e-20,45\n2e-20,90\n", "times must rise"),
        ("time_s,angle_deg\n0,0\n1," + "9" * 140_000, "line 3 must have at most 200 letters"),
    ],
)
def test_a_bad_file_says_what_is_wrong(tmp_path, text, problem):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError, match=problem) as caught:
        read_turn(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_any_system_ends_them(tmp_path, end):
    path = tmp_path / "turn.csv"
    path.write_bytes(end.join(["time_s,angle_deg", "0,0", "1,90", ""]).encode())
    assert len(read_turn(path).path) == 1001


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(BadInputError, match="cannot be read"):
        read_turn(tmp_path / "none.csv")
    (tmp_path / "raw.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInputError, match="UTF-8"):
        read_turn(tmp_path / "raw.csv")


def test_twin_turn_follows_a_path_from_a_file(tmp_path, capsys):
    """The outcome is that of the path; the kernel and records, which cannot follow it, are refused."""
    hand = measured_turn(jerky(3))
    (tmp_path / "path.csv").write_text(turn_csv(hand), encoding="utf-8")
    words = ["turn", "held", "cw", "--path", str(tmp_path / "path.csv")]
    assert main([*words, "--json"]) == 0
    scene = load_scene("held")
    told, outcome = json.loads(capsys.readouterr().out), Twin(scene.machine).act(scene.state, Turn("cw"), hand)
    assert told == json.loads(json.dumps(outcome_json(outcome)))
    for refused in (["--engine", "kernel"], ["--record", str(tmp_path / "run.json")]):
        assert main([*words, *refused]) == 2
        assert "--path" in capsys.readouterr().err
    assert not (tmp_path / "run.json").exists()


def test_the_kernel_refuses_a_measured_turn():
    with pytest.raises(BadInputError, match="reference engine"):
        simulate_many([load_scene("held")], [Turn("cw")], hands=[measured_turn(SMOOTH)])
