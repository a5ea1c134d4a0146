"""Files that commands write: looked at before anything is computed, and never overwritten without --overwrite."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from twin.cli import main
from twin.cli.parser import build_parser
from twin.play.record import is_record

if TYPE_CHECKING:
    from collections.abc import Iterator

BAD_INPUT: Final = 2
PRECIOUS: Final = b"precious\n"

COMMANDS: Final[dict[str, list[str]]] = {
    "turn": ["turn", "start", "cw"],
    "push": ["push", "start", "A", "north"],
    "drag": ["drag", "start", "red", "north"],
    "relocate": ["relocate", "start", "A", "2", "0"],
    "run": ["run", "start", "turn cw"],
    "explore": ["explore", "start"],
    "compare": ["compare", "reconstruction", "ferrite"],
    "atlas report": ["atlas", "report", "none"],
    "validate": ["validate", "let-it-happen"],
    "stress": ["stress"],
    "calibrate rulebook": ["calibrate", "rulebook"],
    "calibrate fit": ["calibrate", "fit", "none.csv"],
    "calibrate plan": ["calibrate", "plan"],
    "calibrate check": ["calibrate", "check", "reconstruction", "none.csv"],
    "sensitivity": ["sensitivity"],
    "view": ["view", "start"],
    "view --play": ["view", "--play"],
    "render": ["render", "start"],
    "game new": ["game", "new"],
    "play": ["play", "--players", "red,blue"],
}
"""A run of each command that writes, but for the option with its file."""

FILES: Final[dict[str, dict[str, str]]] = {
    **{move: {"--save": "a.toml", "--trace": "a.csv", "--record": "a.json"} for move in list(COMMANDS)[:5]},
    "explore": {"--png": "a.png", "--html": "a.html"},
    "compare": {"--png": "a.png", "--html": "a.html"},
    "atlas report": {"--out": "a.html"},
    "validate": {"--html": "a.html"},
    "calibrate rulebook": {"--png": "a.png", "--html": "a.html", "--csv": "a.csv"},
    "calibrate fit": {"--out": "a.toml", "--html": "a.html"},
    "calibrate plan": {"--out": "a.html"},
    "calibrate check": {"--html": "a.html"},
    "sensitivity": {"--png": "a.png", "--html": "a.html"},
    "view": {"--screenshot": "a.png", "--state": "a.json"},
    "view --play": {"--screenshot": "a.png", "--state": "a.json", "--save": "a.json", "--record": "a.jsonl"},
    "render": {"--out": "a.gif"},
    "game new": {"FILE": "a.json"},
    "play": {"--save": "a.json", "--record": "a.jsonl"},
}
"""Their options for files to write, each with a name that ends as it must."""

FOLDERS: Final = {"validate": "claim-01-worst-1.toml", "stress": "jam-turn.toml"}
"""Commands that write into a folder, each with a name that it may give a file."""

INPUTS: Final = {"--path", "--evidence", "--bench", "--measurements", "--resume", "--script"}
"""Options for files that commands read."""

ALL: Final = pytest.mark.parametrize(
    ("command", "option"), [(command, option) for command, options in FILES.items() for option in options]
)


def words(command: str, option: str, file: Path) -> list[str]:
    named = [str(file)] if option == "FILE" else [option, str(file)]
    fitted = ["--out", str(Path(tempfile.gettempdir()) / "a-machine-that-is-not-there.toml")]
    required = fitted if (command, option) == ("calibrate fit", "--html") else []
    return [*COMMANDS[command], *required, *named]


def refused(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a command complains of that ends with 2 and prints nothing."""
    assert main(command) == BAD_INPUT
    told = capsys.readouterr()
    assert told.out == ""
    assert "Traceback" not in told.err
    assert told.err.count("\n") == 1
    return told.err


def parts_of(parser: argparse.ArgumentParser, name: str = "") -> dict[str, argparse.ArgumentParser]:
    """The parsers of all commands and of their parts, by name."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part, sub in action.choices.items():
                found |= parts_of(sub, f"{name} {part}".strip())
    return found or {name: parser}


def test_every_option_for_a_file_is_in_the_tables():
    """What the parser knows of files and folders to write is tried below; a new command has to be added there."""
    for name, parser in parts_of(build_parser()).items():
        expected = FILES.get(name, {}) | (FILES["view --play"] if name == "view" else {})
        outputs = {output.option: output.dest for output in parser.get_default("outputs") or ()}
        assert set(outputs) == set(expected), name
        assert ("--overwrite" in parser._option_string_actions) == (name in COMMANDS), name
        for action in parser._actions:
            metavar = str(action.metavar)
            names_file = action.nargs != 0 and any(
                mark in metavar for mark in ("FILE", ".csv", ".toml", ".html", "DIR")
            )
            if not names_file or not action.option_strings or INPUTS & set(action.option_strings):
                continue
            if metavar == "DIR":
                assert name in {*FOLDERS, "atlas build"}, name
            else:
                assert action.dest in outputs.values(), f"{name} {action.option_strings}"


@ALL
def test_a_file_that_is_there_is_not_overwritten(command, option, tmp_path, capsys):
    file = tmp_path / FILES[command][option]
    file.write_bytes(PRECIOUS)
    told = refused(words(command, option, file), capsys)
    assert told == f"twin: {file}: {option}: there is a file already; --overwrite replaces it\n"
    assert file.read_bytes() == PRECIOUS
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@ALL
def test_a_folder_that_is_missing_is_told_first(command, option, tmp_path, capsys):
    file = tmp_path / "none" / FILES[command][option]
    assert f"{option}: the folder does not exist" in refused(words(command, option, file), capsys)


@pytest.fixture
def sealed() -> Iterator[Path]:
    """A folder that this process may not write into, although it may otherwise write where it likes."""
    if not hasattr(os, "seteuid"):
        pytest.skip("this platform has no users to change to")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            os.seteuid(user)
            folder.chmod(0o755)


@ALL
def test_a_folder_that_takes_no_file_is_told_first(command, option, sealed, capsys):
    file = sealed / FILES[command][option]
    assert f"{option}: no file can be written into this folder" in refused(words(command, option, file), capsys)


@pytest.mark.parametrize("command", FOLDERS)
def test_a_folder_for_scenes_that_takes_none_is_told_first(command, sealed, capsys):
    told = refused([*COMMANDS[command], "--out", str(sealed)], capsys)
    assert "--out: no file can be written into this folder" in told


@pytest.mark.parametrize("command", FOLDERS)
def test_scenes_of_an_earlier_run_are_not_overwritten(command, tmp_path, capsys):
    (tmp_path / FOLDERS[command]).write_bytes(PRECIOUS)
    told = refused([*COMMANDS[command], "--out", str(tmp_path)], capsys)
    assert f"{FOLDERS[command]}: --out: there is a file already; --overwrite" in told


@pytest.mark.parametrize(
    ("command", "taken"),
    [
        ("calibrate fit", "a.residuals.csv"),
        ("calibrate fit", "a.html"),
        ("calibrate plan", "a-scenes/03.toml"),
    ],
)
def test_what_is_written_beside_a_result_is_not_overwritten(command, taken, tmp_path, capsys):
    """The residuals and the page of a fit, the scenes of a sheet."""
    (tmp_path / taken).parent.mkdir(exist_ok=True)
    (tmp_path / taken).write_bytes(PRECIOUS)
    told = refused(words(command, "--out", tmp_path / FILES[command]["--out"]), capsys)
    assert f"{taken}: --out: there is a file already; --overwrite" in told
    assert (tmp_path / taken).read_bytes() == PRECIOUS


def test_a_fit_that_was_interrupted_goes_on_over_what_it_had_written(tmp_path, capsys):
    """Beside a checkpoint, residuals and page are its own: it goes on to read the measurements."""
    (tmp_path / "a.residuals.csv").write_bytes(PRECIOUS)
    (tmp_path / ".a.toml.checkpoint").write_bytes(b"cut off")
    assert "none.csv: cannot be read" in refused(words("calibrate fit", "--out", tmp_path / "a.toml"), capsys)


def test_an_overwritten_file_is_replaced_and_named(tmp_path, capsys):
    file = tmp_path / "a.toml"
    file.write_bytes(PRECIOUS)
    command = ["drag", "start", "red", "north", "--save", str(file)]
    assert main([*command, "--overwrite"]) == 0
    assert capsys.readouterr().out.endswith(f"\nwritten: {file}\n")
    assert file.read_bytes() != PRECIOUS
    assert main([*command, "--overwrite", "--json"]) == 0
    assert "written" not in capsys.readouterr().out


def test_an_empty_file_and_a_device_need_no_word(tmp_path):
    """A file that `mktemp` made holds nothing to lose."""
    file = tmp_path / "a.toml"
    file.touch()
    assert main(["drag", "start", "red", "north", "--save", str(file), "--record", os.devnull]) == 0
    assert file.read_bytes().startswith(b"title")


def test_a_link_leads_to_the_file_that_would_be_overwritten(tmp_path, capsys):
    (tmp_path / "real.toml").write_bytes(PRECIOUS)
    link = tmp_path / "a.toml"
    link.symlink_to("real.toml")
    assert "there is a file already" in refused(words("turn", "--save", link), capsys)


def test_two_options_do_not_share_a_file(tmp_path, capsys):
    file = tmp_path / "a.toml"
    told = refused([*COMMANDS["turn"], "--save", str(file), "--record", str(file)], capsys)
    assert "another option names this file, too" in told


@pytest.mark.parametrize("name", ["", "a\0b.toml", "x" * 300 + ".toml"])
def test_a_name_that_no_file_can_have_is_told(name, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = refused([*COMMANDS["turn"], "--record", name], capsys)
    assert "--record: no file can have this name" in told


def test_a_working_folder_that_is_gone_is_told(tmp_path, capsys, monkeypatch):
    """A relative name leads nowhere then; a whole one is written."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert "the working folder is gone" in refused([*COMMANDS["turn"], "--save", "a.toml"], capsys)
    assert main(["drag", "start", "red", "north", "--save", str(tmp_path / "a.toml")]) == 0


# -- --force, the old word ---------------------------------------------------------------------------------------------


def test_force_still_lets_values_leave_their_range_and_overwrites_nothing(tmp_path, capsys):
    beyond = ["machine", "--set", "friction.board=0.9", "--force", "--json"]
    assert main(beyond) == 0
    assert "it is --beyond-range now" in capsys.readouterr().err
    file = tmp_path / "a.toml"
    file.write_bytes(PRECIOUS)
    assert main([*COMMANDS["turn"], "--save", str(file), "--force"]) == BAD_INPUT
    assert file.read_bytes() == PRECIOUS


@pytest.mark.parametrize("command", ["game new", "play"])
def test_force_still_overwrites_games(command, tmp_path, capsys):
    file, script = tmp_path / "a.json", tmp_path / "script.txt"
    file.write_bytes(PRECIOUS)
    script.write_text("turn cw\n", encoding="utf-8")
    more = ["--script", str(script), "--save"] if command == "play" else []
    assert main([*COMMANDS[command], *more, str(file), "--force"]) == 0
    assert "it is --overwrite now" in capsys.readouterr().err
    assert file.read_bytes().startswith(b"{")


def test_force_is_not_listed():
    for name, parser in parts_of(build_parser()).items():
        assert "--force " not in parser.format_help(), name


# -- a game that goes on -----------------------------------------------------------------------------------------------


def test_a_game_that_goes_on_needs_no_word_unless_its_way_would_be_lost(tmp_path, capsys):
    """A saved game is saved where it was; a record is not replaced by the bare position at its end."""
    script, saved, record = tmp_path / "script.txt", tmp_path / "a.json", tmp_path / "a.jsonl"
    script.write_text("turn cw\n", encoding="utf-8")
    play = ["play", "--script", str(script)]
    new = ["--players", "red,blue", "--hand", "exact"]
    assert main([*play, *new, "--save", str(saved), "--record", str(record)]) == 0
    before = saved.read_bytes()
    assert main([*play, "--resume", str(saved), "--save", str(saved)]) == 0
    assert saved.read_bytes() != before
    assert main([*play, "--resume", str(record), "--record", str(record)]) == 0
    capsys.readouterr()
    assert "there is a file already" in refused([*play, "--resume", str(record), "--save", str(record)], capsys)
    assert is_record(record.read_text(encoding="utf-8"))
