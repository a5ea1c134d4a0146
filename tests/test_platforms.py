"""What a platform lacks is done without: locks, signals, pipes with names, owners of files, modules for terminals."""

from __future__ import annotations

import io
import sys

import pytest

from tests.children import ROOT, run
from twin.cli import main

ELSEWHERE = """
import os, signal, sys

for name in ("fcntl", "resource", "termios", "tty", "pty", "curses", "readline", "pwd", "grp"):
    sys.modules[name] = None
for module, names in {
    os: "mkfifo fchown fchmod chown geteuid getegid getuid getgid seteuid O_NONBLOCK O_NOFOLLOW set_blocking getpgid "
        "killpg setsid sched_getaffinity",
    signal: "SIGHUP SIGQUIT SIGUSR1 SIGALRM pthread_sigmask",
}.items():
    for name in names.split():
        delattr(module, name)

from twin.cli import main

sys.exit(main(sys.argv[1:]))
"""
"""The command `twin` on a platform that lacks what Windows lacks."""

COMMANDS = {
    "demo": ["demo"],
    "a save": ["run", "start", "turn cw", "--save", "a.toml", "--record", "a.json"],
    "a game": [
        *("play", "--players", "red,blue", "--hand", "exact", "--language", "en", "--script", "script.txt"),
        *("--save", "game.json", "--record", "game.jsonl"),
    ],
    "the same game": ["play", "--resume", "game.jsonl", "--language", "en", "--save", "again.json"],
}


@pytest.mark.parametrize("steps", [["demo"], ["a save"], ["a game", "the same game"]], ids=" ".join)
def test_what_a_platform_lacks_changes_nothing(steps, tmp_path, monkeypatch, capsys):
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for folder in (here, elsewhere):
        folder.mkdir()
        (folder / "script.txt").write_text("turn cw\nturn ccw\nquit\n", encoding="utf-8")
    monkeypatch.chdir(here)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for step in steps:
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        assert main(COMMANDS[step]) == 0  # first, since it may have to compile
        shown = capsys.readouterr().out
        ended = run([sys.executable, "-c", ELSEWHERE, *COMMANDS[step]], cwd=elsewhere, input="")
        assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", shown)
    assert _files(elsewhere) == _files(here)


def _files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}
