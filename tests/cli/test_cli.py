"""The command line keeps its contract: JSON, exit codes, files, help and manners."""

from __future__ import annotations

import csv
import json
import sys
import tomllib
from pathlib import Path

import pytest

import twin
from tests.children import run
from twin.board.expectation import FATES
from twin.board.machine import load_machine
from twin.board.quantities import KEYS
from twin.board.scene import load_scene
from twin.cli import main
from twin.outcome.engine import Twin
from twin.physics.trace import COLUMNS
from twin.stats import STEPS

COMMANDS = (
    *("demo", "turn", "push", "drag", "relocate", "run", "machine", "scenes", "show", "check", "why", "replay"),
    *("calibrate", "sensitivity", "view", "render"),
    *("explore", "reach", "compare", "atlas", "validate", "stress", "game", "play", "tournament", "cache"),
)
OUTCOME_KEYS = [
    *("schema", "move", "engine", "legal", "broken", "orientation", "conflict", "too_close", "warnings", "ghosts"),
    *("placements", "fallback"),
]
GHOST_KEYS = {"x", "y", "fate", "covers", "space", "touched", "margin"}


def twin_json(capsys, *words):
    """Exit code and JSON object of a command."""
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_outcome_json_follows_the_contract(capsys):
    code, data = twin_json(capsys, "turn", "start", "cw")
    assert code == 0
    assert list(data) == OUTCOME_KEYS
    assert data["schema"] == 1
    assert data["move"] == {"kind": "turn", "direction": "cw"}
    assert data["engine"] == "pymunk"
    assert data["legal"] is True
    assert data["orientation"] == 1
    assert list(data["ghosts"]) == ["red", "yellow", "green", "blue"]
    for ghost in data["ghosts"].values():
        assert ghost.keys() >= GHOST_KEYS
        assert ghost["fate"] in FATES
        assert round(ghost["x"], 3) == ghost["x"]
    assert data["placements"] == [{"red": "a1", "yellow": "a7", "green": "g7", "blue": "g1"}]
    assert data["fallback"] is None


@pytest.mark.parametrize(
    ("words", "move"),
    [
        (["push", "start", "A", "north"], {"kind": "push", "slider": "A", "direction": "north"}),
        (["drag", "start", "red", "north"], {"kind": "drag", "ghost": "red", "direction": "north"}),
        (
            ["relocate", "start", "A", "2", "-1"],
            {"kind": "relocate", "slider": "A", "tunnel": 2, "offset": -1, "flip": False},
        ),
        (
            ["relocate", "start", "A", "2", "-1", "--flip"],
            {"kind": "relocate", "slider": "A", "tunnel": 2, "offset": -1, "flip": True},
        ),
    ],
)
def test_each_kind_of_move_is_told_in_json(capsys, words, move):
    code, data = twin_json(capsys, *words)
    assert (code, data["move"]) == (0, move)


def test_run_tells_the_last_outcome_and_all_of_them(capsys):
    code, data = twin_json(capsys, "run", "start", "push A north", "turn cw")
    assert code == 0
    assert data["move"]["kind"] == "turn"
    assert [outcome["move"]["kind"] for outcome in data["outcomes"]] == ["push", "turn"]


def test_run_stops_at_a_barred_move(capsys):
    code, data = twin_json(capsys, "run", "start", "push A north", "push A north", "push A north", "turn cw")
    assert code == 3
    assert data["broken"] == ["B5"]
    assert len(data["outcomes"]) == 3


def test_samples_add_up_to_one_with_intervals_around_each_share(capsys):
    code, data = twin_json(capsys, "turn", "start", "cw", "--samples", "6", "--seed", "3")
    assert code == 0
    samples = data["samples"]
    assert samples["n"] == 6
    assert samples["chancy"] is None  # six are too few to say
    assert samples["interval"][0] <= samples["share"] <= samples["interval"][1]
    for ghost in samples["ghosts"].values():
        assert sum(ghost["spaces"].values()) == pytest.approx(1)
        assert sum(ghost["fates"].values()) == pytest.approx(1)
        for key, share in ghost["spaces"].items():
            low, high = ghost["interval"][key]
            assert low <= share <= high
        assert ghost["chancy"] is None


@pytest.mark.parametrize(("scene", "way", "chancy"), [("start", "cw", False), ("all-at-once", "ccw", True)])
def test_auto_draws_hands_until_the_verdict_is_decided(capsys, scene, way, chancy):
    """On the kernel, from 100 hands on; JSON has none unless they are asked for."""
    _, data = twin_json(capsys, "turn", scene, way, "--engine", "kernel", "--samples", "auto")
    assert data["samples"]["chancy"] is chancy
    assert data["samples"]["n"] == STEPS[0]
    assert any(ghost["chancy"] is chancy for ghost in data["samples"]["ghosts"].values())
    assert "samples" not in twin_json(capsys, "turn", scene, way, "--engine", "kernel")[1]


def test_the_same_seed_gives_the_same_bytes(capsys):
    words = ["turn", "start", "cw", "--samples", "4", "--seed", "9", "--json"]
    assert main(words) == 0
    first = capsys.readouterr().out
    assert main(words) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("words", "broken"),
    [
        (["drag", "start", "red", "west"], ["A1"]),
        (["drag", "start", "red", "east"], ["A2"]),
        (["relocate", "start", "A", "3", "0"], ["C2"]),
        (["relocate", "start", "A", "1", "0"], ["C2"]),
        (["relocate", "start", "A", "2", "3"], ["C3"]),
    ],
)
def test_barred_moves_end_with_3_and_name_the_rule(capsys, tmp_path, words, broken):
    target = tmp_path / "after.toml"
    code, data = twin_json(capsys, *words, "--save", str(target))
    assert code == 3
    assert data["legal"] is False
    assert data["broken"] == broken
    assert not target.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["turn", "start", "left"], "cw"),
        (["turn", "nowhere", "cw"], "nowhere"),
        (["push", "start", "Z", "north"], "A, B, C"),
        (["push", "start", "A", "east"], "north"),
        (["drag", "start", "pink", "north"], "red"),
        (["relocate", "start", "A", "6", "0"], "1 to 5"),
        (["relocate", "start", "A", "two", "0"], "TUNNEL"),
        (["run", "start", "jump"], "turn cw|ccw"),
        (["turn", "start", "cw", "--samples", "-1"], "0 to"),
        (
            ["turn", "start", "cw", "--samples", "many"],
            "must be auto or a whole number from 0 to 1,000,000",
        ),
        (["turn", "start", "cw", "--seed", "x"], "--seed"),
        (["turn", "start", "cw", "--set", "friction.bord=0.2"], "friction.board"),
        (["turn", "start", "cw", "--set", "friction.board=0.9"], "0.15"),
        (["turn", "start", "cw", "--set", "friction.board=nan"], "KEY=VALUE"),
        (["turn", "start", "cw", "--set", "friction.board"], "KEY=VALUE"),
        (["turn", "start", "cw", "--set", "ghost.mass=-1", "--beyond-range"], "ghost.mass"),
        (["turn", "start", "cw", "--place", "red"], "red=c5"),
        (["turn", "start", "cw", "--place", "red=d4"], "plug"),
        (["turn", "start", "cw", "--place", "pink=a1"], "pink"),
        (["turn", "start", "cw", "--trace", "x.txt"], ".csv"),
        (["turn", "start", "cw", "--save", "x.json"], ".toml"),
        (["turn", "start", "cw", "--save", "no/such/folder/x.toml"], "folder"),
        (["turn", "start", "cw", "--machine", "mine"], "mine"),
        (["turn", "start", "cw", "--engine", "steam"], "pymunk"),
        (["why", "start", "turn cw", "--ghost", "pink"], "--ghost"),
        (["why", "start", "turn left"], "cw or ccw"),
        (["replay", "missing.json"], "missing.json"),
        (["machine", "mine"], "mine"),
        (["check", "nowhere"], "nowhere"),
        (["show", "nowhere"], "nowhere"),
        (["bogus"], "bogus"),
        ([], "usage"),
    ],
)
def test_bad_words_end_with_2_and_say_what_would_be_right(capsys, words, said):
    assert main(words) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_save_writes_the_scene_that_the_moves_lead_to(tmp_path):
    target = tmp_path / "after.toml"
    assert main(["run", "start", "push B north", "turn ccw", "--save", str(target)]) == 0
    saved = load_scene(str(target))
    engine = Twin(load_machine())
    state = load_scene("start").state
    for outcome in (engine.act(state, twin.Push("B", "north")),):
        state = outcome.after()
    assert saved.state == engine.act(state, twin.Turn("ccw")).after()
    assert tomllib.loads(target.read_text(encoding="utf-8"))["machine"] == "reconstruction"
    assert [path.name for path in tmp_path.iterdir()] == ["after.toml"]


def test_a_saved_scene_finds_its_own_machine_from_another_folder(tmp_path):
    machines, elsewhere = tmp_path / "machines", tmp_path / "scenes" / "mine"
    machines.mkdir()
    elsewhere.mkdir(parents=True)
    shipped = Path(twin.__file__).parent.parent / "calibration" / "machines" / "ferrite.toml"
    (machines / "own.toml").write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    target = elsewhere / "after.toml"
    words = ["turn", "start", "cw", "--machine", str(machines / "own.toml"), "--save", str(target)]
    assert main(words) == 0
    assert load_scene(str(target)).machine == load_machine("ferrite")


def test_place_chooses_among_the_placements(capsys):
    """A ghost that straddles goes where the player says, and nowhere else (D4)."""
    words = ["turn", "straddles-after-turn", "ccw"]
    _, data = twin_json(capsys, *words)
    assert len(data["placements"]) > 1
    wanted = data["placements"][1]
    chosen = ",".join(f"{ghost}={space}" for ghost, space in wanted.items())
    assert main([*words, "--place", chosen]) == 0
    ghost = next(g for g, entry in data["ghosts"].items() if entry["space"] is None)
    capsys.readouterr()
    assert main([*words, "--place", f"{ghost}=a1"]) == 3
    assert "possible" in capsys.readouterr().err


def test_trace_is_written_as_csv_and_parquet_with_the_same_numbers(tmp_path):
    from pyarrow import parquet

    for name in ("t.csv", "t.parquet"):
        assert main(["push", "start", "A", "north", "--trace", str(tmp_path / name)]) == 0
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = parquet.read_table(tmp_path / "t.parquet")
    assert list(rows[0]) == table.column_names == ["move", *COLUMNS]
    assert len(rows) == table.num_rows > 100
    assert [float(row["x_mm"]) for row in rows] == table["x_mm"].to_pylist()


def test_a_record_replays_to_the_same_bytes(capsys, tmp_path):
    target = tmp_path / "run.json"
    assert main(["run", "start", "push A north", "turn cw", "--record", str(target)]) == 0
    assert target.stat().st_size < 20_000
    capsys.readouterr()
    assert main(["replay", str(target)]) == 0
    assert capsys.readouterr().out.startswith("same")


def test_a_changed_record_says_where_it_diverges(capsys, tmp_path):
    target = tmp_path / "run.json"
    assert main(["turn", "start", "cw", "--record", str(target)]) == 0
    data = json.loads(target.read_text(encoding="utf-8"))
    data["state"]["ghosts"]["red"][0] += 0.25
    target.write_text(json.dumps(data), encoding="utf-8")
    capsys.readouterr()
    assert main(["replay", str(target)]) == 4
    assert "DIVERGED in move 1 from 0.00 s on" in capsys.readouterr().out
    code, told = twin_json(capsys, "replay", str(target))
    assert code == 4
    assert told["same"] is False
    assert told["first"]["time"] == 0.0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kind": "twin record"}', '{"kind": "twin record", "schema": 1}'])
def test_a_broken_record_is_bad_input(capsys, tmp_path, text):
    target = tmp_path / "run.json"
    target.write_text(text, encoding="utf-8")
    assert main(["replay", str(target)]) == 2
    assert str(target) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("moves",), "[]", "moves: must be a list of one move or more"),
        (("moves",), "{}", "moves: must be a list of one move or more"),
        (("state", "ghosts", "red", 0), "1" + "0" * 400, "state.ghosts.red[0]: must be a finite number"),
        (("state", "ghosts", "red", 1), "NaN", "state.ghosts.red[1]: must be a finite number"),
        (("state", "orientation"), "Infinity", "state.orientation: must be a finite number"),
        (("state", "sliders", 0, 1), "Infinity", "state.sliders[0][1]: must be a finite number"),
        (("machine", "columns", 0), "Infinity", "machine.columns[0]: must be a finite number"),
        (("machine", "sliders", "A", 0, 0), "1e400", "machine.sliders.A[0][0]: must be a finite number"),
        (("machine", "values", "board.space"), "1" + "0" * 400, "machine.values.board.space: must be a finite number"),
    ],
)
def test_a_record_with_nothing_or_nonsense_in_it_is_refused_with_the_field(capsys, tmp_path, path, value, problem):
    target = tmp_path / "run.json"
    assert main(["turn", "start", "cw", "--samples", "0", "--record", str(target)]) == 0
    data = json.loads(target.read_text(encoding="utf-8"))
    *inner, last = path
    place = data
    for key in inner:
        place = place[key]
    place[last] = "HERE"
    target.write_text(json.dumps(data).replace('"HERE"', value), encoding="utf-8")
    capsys.readouterr()
    assert main(["replay", str(target)]) == 2
    assert f"{target}: {problem}" in capsys.readouterr().err


def test_machine_json_has_every_value_by_its_dotted_key(capsys):
    code, data = twin_json(capsys, "machine")
    assert code == 0
    assert data["name"] == "reconstruction"
    assert list(data["values"]) == list(KEYS)
    assert data["tunnels"] == [-80.0, -40.0, 0.0, 40.0, 80.0]
    assert data["sliders"]["A"][0].keys() == {"segment", "polarity"}


def test_set_changes_a_value_and_beyond_range_leaves_its_range(capsys):
    _, data = twin_json(capsys, "machine", "--set", "friction.board=0.3")
    assert data["values"]["friction.board"] == 0.3
    code, data = twin_json(capsys, "machine", "--set", "friction.board=0.9", "--beyond-range")
    assert (code, data["values"]["friction.board"]) == (0, 0.9)


def test_the_share_of_riding_ghosts_is_told(capsys):
    code, data = twin_json(capsys, "machine", "--riding", "3")
    assert code == 0
    assert sum(data["riding"]["fates"].values()) == data["riding"]["ghosts"] == 12


def test_check_finds_every_scene_as_expected_on_the_kernel_too(capsys):
    code, data = twin_json(capsys, "check", "--engine", "kernel")
    assert (code, data["failed"]) == (0, 0)


def test_check_ends_with_4_when_a_scene_is_not_as_expected(capsys, tmp_path):
    text = (Path(twin.__file__).parent.parent / "scenes" / "start.toml").read_text(encoding="utf-8")
    target = tmp_path / "wrong.toml"
    target.write_text(text.replace('red = "rode"', 'red = "held"', 1), encoding="utf-8")
    code, data = twin_json(capsys, "check", str(target))
    assert code == 4
    assert data["failed"] == 1
    assert "red should be 'held'; it is 'rode'" in data["expectations"][0]["unmet"]
    assert main(["check", "start"]) == 0


def test_why_tells_grip_margin_and_end(capsys):
    code, data = twin_json(capsys, "why", "start", "turn cw")
    assert code == 0
    for story in data["ghosts"].values():
        assert story["events"]
        assert "next different outcome" in story["end"]
    assert main(["why", "start", "turn cw", "--ghost", "red"]) == 0
    told = capsys.readouterr().out
    assert "red: starts on a1" in told
    assert "yellow" not in told


def test_people_get_a_picture_before_and_after(capsys):
    assert main(["turn", "start", "cw"]) == 0
    told = capsys.readouterr().out
    assert "before" in told
    assert "after" in told
    assert "red on a1 rode along with the board; it stands on a1." in told
    assert "\x1b" not in told, "no colours when piped"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys, command):
    assert main([command, "--help"]) == 0
    assert f"twin {command}" in capsys.readouterr().out


def test_help_lists_every_command(capsys):
    assert main(["--help"]) == 0
    told = capsys.readouterr().out
    for command in COMMANDS:
        assert f"    {command} " in told


def test_help_loads_no_physics():
    """`twin --help` is quick because it loads nothing that is slow."""
    code = "import sys; from twin.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    loaded = set(run([sys.executable, "-c", code]).stderr.split())
    assert "twin.cli" in loaded
    assert not loaded & {"numpy", "jinja2", "pymunk", "magpylib", "scipy", "twin.outcome.engine", "twin.board.machine"}


def test_python_m_twin_is_the_same_command():
    assert run([sys.executable, "-m", "twin", "--version"]).stdout == f"twin {twin.__version__}\n"


def test_an_interrupt_ends_with_130_and_no_traceback(capsys, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("twin.outcome.ensemble.sample_move", interrupted)
    assert main(["drag", "start", "red", "north", "--samples", "5"]) == 130  # which needs no kernel
    captured = capsys.readouterr()
    assert captured.err == "twin: interrupted\n"
    assert captured.out == ""


def test_frames_sets_how_fine_a_trace_is(tmp_path):
    """Every step is in the trace at 1000 frames a second."""
    counts = {}
    for frames in ("50", "1000"):
        target = tmp_path / f"{frames}.csv"
        assert main(["push", "held", "A", "north", "--trace", str(target), "--frames", frames]) == 0
        with target.open(encoding="utf-8", newline="") as file:
            times = [float(row["time_s"]) for row in csv.DictReader(file)]
        counts[frames] = len(times)
        assert times[1] - times[0] == pytest.approx(1 / int(frames))
    assert counts["1000"] > 15 * counts["50"]
