"""What asks a program to end is met as Ctrl-C is: a command stops in good order, and says so."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading

import pytest

from tests.children import PATIENCE, ROOT, run, started, twin, until
from twin.cli import main
from twin.cli.interrupts import signals_as_interrupts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are another matter there")


@pytest.fixture(params=["SIGTERM", "SIGHUP"])
def number(request):
    """A signal, handled in the end as it was before."""
    number = getattr(signal, request.param)
    before = signal.getsignal(number)
    signal.signal(number, signal.SIG_DFL)
    yield number
    signal.signal(number, before)


def test_a_signal_is_an_interrupt_with_an_exit_code_of_its_own(number):
    with signals_as_interrupts() as interruption:
        assert interruption.exit_code == 130
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    assert interruption.exit_code == 128 + number
    assert interruption.words == f"ended by {signal.Signals(number).name}"
    assert signal.getsignal(number) is signal.SIG_DFL


def test_signals_that_come_together_are_one(number):
    """What cleans up or saves is not interrupted by the second one of a terminal that closes."""
    with signals_as_interrupts():
        try:
            signal.raise_signal(number)
        except KeyboardInterrupt:
            signal.raise_signal(number)
            saved = True
    assert saved


def test_a_command_that_has_ended_is_not_interrupted(number):
    """Between its end and that of the program."""
    with signals_as_interrupts() as interruption:
        interruption.is_over = True
        signal.raise_signal(number)
    assert interruption.exit_code == 130


def test_what_is_ignored_stays_so(number):
    """As under `nohup`."""
    signal.signal(number, signal.SIG_IGN)
    with signals_as_interrupts():
        signal.raise_signal(number)
    assert signal.getsignal(number) is signal.SIG_IGN


def test_what_a_calling_program_handles_stays_with_it(number):
    got = []
    signal.signal(number, lambda *_: got.append(True))
    with signals_as_interrupts():
        signal.raise_signal(number)
    assert got


def test_another_thread_than_the_main_one_can_run_commands(capsys):
    codes = []
    thread = threading.Thread(target=lambda: codes.append(main(["scenes"])))
    thread.start()
    thread.join(PATIENCE)
    assert codes == [0]
    assert capsys.readouterr().err == ""


def test_a_platform_without_hangups_is_fine(monkeypatch, capsys):
    monkeypatch.delattr(signal, "SIGHUP")
    assert main(["scenes"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_long_command_ends_in_good_order(tmp_path, name, code):
    """What is done is kept, as at Ctrl-C."""
    words = ("--out", str(tmp_path / "a"), "--ghosts", "2", "--limit", "2000000", "--partition", "1000")
    with started(twin("atlas", "build", *words), cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: list(tmp_path.glob("a/*.parquet")), "the first file")
        process.send_signal(getattr(signal, name))
        _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    kept = r"[0-9,]+ turns were added to .*; --resume goes on from there"
    assert re.fullmatch(rf"twin: ended by {name}: {kept}\n", told)


@pytest.mark.parametrize("typed", ["quit\n", ""])
def test_a_game_whose_interrupts_are_ignored_can_be_left(tmp_path, typed):
    """As a script starts it in the background."""
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from twin.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    words = ["play", "--players", "red,blue", "--language", "en", "--save", str(tmp_path / "game.json")]
    left = run([sys.executable, "-c", program, *words], input=typed, cwd=ROOT)
    assert (left.returncode, left.stderr) == (0, "")
    assert (tmp_path / "game.json").is_file()
