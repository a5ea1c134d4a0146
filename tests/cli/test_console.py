"""What is printed reaches any stream that can take it, and a stream that cannot takes nothing else along."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from pathlib import Path

import pytest

from tests.children import ROOT, run
from twin.cli import main
from twin.cli.console import Stream
from twin.cli.output import heading, json_line
from twin.cli.parser import build_parser
from twin.reports.board_text import Paint

ENCODINGS = ("ascii", "latin-1", "cp1252", "cp437", "cp850")
FULL = Path("/dev/full")
START = ROOT / "scenes" / "start.toml"
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full here")


def commands(parser=None, before=()):
    """The words of every command and of every part of one."""
    parser = parser or build_parser()
    yield before
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                yield from commands(sub, (*before, name))


def printed(monkeypatch, encoding, *words):
    """Exit code and output of a command whose streams have an encoding, and mind what it lacks."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict") for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    code = main(list(words))
    out, err = (stream.buffer.getvalue().decode(encoding) for stream in streams)
    assert err == "" or code
    return code, out, err


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_help_is_printed_in_any_encoding(monkeypatch, encoding):
    for words in commands():
        code, out, _ = printed(monkeypatch, encoding, *words, "--help")
        assert code == 0
        assert out.startswith(" ".join(["usage: twin", *words]))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "words",
    [
        ("scenes",),
        ("machine",),
        ("show", "start"),
        ("turn", "start", "cw", "--samples", "3"),
        ("drag", "start", "red", "north"),
        ("why", "start", "turn cw"),
        ("check", "start"),
        ("atlas", "query", "--list"),
        ("play", "--players", "red,blue", "--language", "fr"),
    ],
)
def test_commands_print_in_any_encoding(monkeypatch, encoding, words):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    code, out, _ = printed(monkeypatch, encoding, *words)
    assert code == 0
    assert len(out) > 10


def test_what_an_encoding_lacks_has_a_stand_in(monkeypatch):
    _, out, _ = printed(monkeypatch, "ascii", "machine")
    assert "40.." not in out
    assert "0.15-0.4" in out
    assert "?" not in out


def test_a_message_with_a_name_that_is_no_text_is_printed(monkeypatch):
    """A file name of bytes that are not UTF-8, as a command line gives it."""
    code, _, err = printed(monkeypatch, "utf-8", "show", "./m\udcff.toml")
    assert code == 2
    assert r"m\udcff.toml" in err


def test_a_message_commands_no_terminal(monkeypatch):
    code, _, err = printed(monkeypatch, "utf-8", "show", "./\x1b]0;title\x07\u202e.toml")
    assert code == 2
    assert r"\x1b]0;title\x07\u202e" in err
    assert "\x1b" not in err


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_says_the_same_in_any_encoding(monkeypatch, tmp_path, encoding):
    """A stand-in would be other data."""
    path = tmp_path / "own.toml"
    path.write_text(
        START.read_text(encoding="utf-8").replace('title = "', 'title = "Wände → 幽霊, ', 1), encoding="utf-8"
    )
    code, out, _ = printed(monkeypatch, encoding, "show", str(path), "--json")
    assert code == 0
    assert json.loads(out)["title"].startswith("Wände → 幽霊, ")


def test_json_knows_no_number_that_is_none_or_without_end():
    data = {"a": float("nan"), "b": [float("inf"), -1.5, 2], "c": {"d": (-float("inf"), "\x9b\u202e")}}
    line = json_line(data)
    assert json.loads(line, parse_constant=pytest.fail) == {
        "a": None,
        "b": [None, -1.5, 2],
        "c": {"d": [None, "\x9b\u202e"]},
    }
    assert line.isascii()


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self):
        return True


def test_colours_pass_to_a_terminal_and_nothing_else_does():
    screen, file = Screen(), io.StringIO()
    text = Paint(coloured=True)("red", "red") + " \x1b[8mhidden\x1b[2J\r"
    Stream(screen).write(text)
    assert screen.getvalue() == "\x1b[1;31mred\x1b[0m \\x1b[8mhidden\\x1b[2J\\r"
    Stream(file).write("\x1b[31mred")
    assert file.getvalue() == r"\x1b[31mred"


def test_a_title_brings_no_colours(monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", Stream(screen))
    heading("\x1b[31mred")
    assert r"\x1b[31mred" in screen.getvalue()


def test_a_terminal_can_be_cleared():
    screen = Screen()
    Stream(screen).write("\x1b[2J\x1b[3J\x1b[H")
    assert screen.getvalue() == "\x1b[2J\x1b[3J\x1b[H"


# -- streams that take nothing ----------------------------------------------------------------------------------------


def closed_pipe():
    """The end to write to of a pipe that nothing reads."""
    read, write = os.pipe()
    os.close(read)
    return os.fdopen(write, "w", encoding="utf-8")


@pytest.fixture
def wrong(tmp_path):
    """A scene that is not as it expects."""
    path = tmp_path / "wrong.toml"
    path.write_text(START.read_text(encoding="utf-8").replace('red = "rode"', 'red = "held"', 1), encoding="utf-8")
    return str(path)


def written(folder, **endings):
    """The words of a move that writes files, and the files."""
    files = {option: folder / f"after.{ending}" for option, ending in endings.items()}
    words = ["drag", "start", "red", "north"]
    return words + [word for option, path in files.items() for word in (f"--{option}", str(path))], files.values()


def test_a_reader_that_stops_early_costs_no_file(monkeypatch, capsys, tmp_path):
    words, files = written(tmp_path, save="toml", trace="csv", record="json")
    with closed_pipe() as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        assert main(words) == 0
    assert all(path.stat().st_size > 100 for path in files)
    assert capsys.readouterr().err == ""


def test_a_reader_that_stops_early_hides_no_finding(monkeypatch, wrong):
    with closed_pipe() as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        assert main(["check", wrong]) == 4
        assert main(["check", "start"]) == 0


@needs_full
def test_a_full_disk_costs_no_file_and_is_told(monkeypatch, capsys, tmp_path, wrong):
    words, files = written(tmp_path, save="toml", record="json")
    with FULL.open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(words) == 2
    assert all(path.stat().st_size > 100 for path in files)
    assert capsys.readouterr().err == "twin: the output could not be written: No space left on device\n"
    with FULL.open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["check", wrong]) == 4, "what the command has found says more"


@needs_full
def test_messages_that_cannot_be_written_change_nothing(monkeypatch, wrong):
    with FULL.open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stderr", full)
        assert main(["show", "nowhere"]) == 2
        assert main(["check", wrong]) == 4


@pytest.mark.skipif(os.name != "posix", reason="there is no such shell there")
@pytest.mark.parametrize(
    ("words", "redirection", "code", "told"),
    [
        ("--help", ">&-", 2, "twin: the output could not be written: it is closed\n"),
        ("--version", "> /dev/full", 2, "twin: the output could not be written: No space left on device\n"),
        ("--help", "| true", 0, ""),
        ("bogus", "2>&-", 2, ""),
        ("scenes", "<&- >&- 2>&-", 2, ""),
    ],
)
def test_python_does_not_complain_at_its_end(tmp_path, words, redirection, code, told):
    if "/dev/full" in redirection and not FULL.exists():
        pytest.skip("there is no device that is always full here")
    of = f'"$0" -m twin {words}'
    line = f'({of}; echo $? > "$1") {redirection}' if "|" in redirection else f'{of} {redirection}; echo $? > "$1"'
    ended = run(["sh", "-c", line, sys.executable, str(tmp_path / "code")], cwd=ROOT)
    assert (tmp_path / "code").read_text() == f"{code}\n"
    assert ended.stderr == told


# -- a working folder that is gone ------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="a folder in use cannot be removed there")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("scenes",), 0),
        (("turn", "start", "cw", "--samples", "0"), 0),
        (("show", "./mine.toml"), 2),
        (("turn", "start", "cw", "--save", "a.toml"), 2),
        (("render", "start", "--out", "a.png"), 2),
        (("explore", "start", "--html", "a.html"), 2),
        (("game", "new", "g.json", "--players", "red,blue"), 2),
        (("atlas", "build", "--ghosts", "2", "--limit", "10", "--out", "here"), 2),
        (("play", "--players", "red,blue", "--save", "g.json"), 2),
    ],
)
def test_a_working_folder_that_is_gone_costs_no_more_than_what_would_be_in_it(
    monkeypatch, capsys, tmp_path, words, code
):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(list(words)) == code
    told = capsys.readouterr()
    assert told.err.count("\n") == (1 if code else 0)


def test_what_the_system_refuses_is_one_sentence(monkeypatch, capsys, tmp_path):
    """An error of the system that no command has foreseen."""

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr("twin.board.scene.scene_names", refused)
    assert main(["scenes"]) == 2
    assert capsys.readouterr().err == f"twin: {tmp_path}: Permission denied\n"
