"""Processes beside this one: they give all results, leave Ctrl-C to their parent, and never outlive it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest

from tests.children import PATIENCE, ROOT, started
from twin.errors import TwinError
from twin.processes import beside, run_all

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise there")
COMMAND = """
import multiprocessing, sys, threading, time
from twin.cli import main

def tell():
    while len(multiprocessing.active_children()) < 2:
        time.sleep(0.01)
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)

if __name__ == "__main__":
    threading.Thread(target=tell, daemon=True).start()
    import twin.cli.calibrate_commands, twin.cli.output
    twin.cli.calibrate_commands.cores = lambda: 2
    twin.cli.output.Progress.__call__ = lambda self, done: print("working", flush=True)
    sys.exit(main(sys.argv[1:]))
"""
"""A command of the twin that says which two processes it has just started, and when they have done some work."""
LONG = {
    "sensitivity": ("sensitivity", "--samples", "64"),
    "tournament": ("tournament", "random", "random", "--games", "100000", "--workers", "2"),
}


@contextmanager
def begun(command):
    """A long command, and the numbers of the processes that it has just started."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started([sys.executable, "-c", COMMAND, *LONG[command]], cwd=ROOT, text=True, **pipes) as run:
        assert run.stdout is not None
        yield run, [int(word) for word in run.stdout.readline().split()]


@POSIX
@pytest.mark.parametrize(
    ("command", "name", "code", "told"),
    [
        ("sensitivity", "SIGINT", 130, "interrupted"),
        ("tournament", "SIGINT", 130, "interrupted"),
        ("tournament", "SIGHUP", 129, "ended by SIGHUP"),
    ],
)
def test_a_signal_of_the_terminal_ends_all_processes_quietly(command, name, code, told):
    """The children do not hear it, from their first instant until they work; the parent does, and ends them."""
    number = getattr(signal, name)
    with begun(command) as (run, children):
        working = threading.Event()

        def pester():
            while not working.wait(0.01):
                for child in children:
                    os.kill(child, number)

        pesterer = threading.Thread(target=pester)
        pesterer.start()
        line = run.stdout.readline()
        working.set()
        pesterer.join()
        assert line == "working\n"
        os.killpg(run.pid, number)
        _, err = run.communicate(timeout=PATIENCE)  # ends only when the last process that holds the pipes has ended
        assert (run.returncode, err) == (code, f"twin: {told}\n")


@POSIX
def test_no_process_outlives_its_parent():
    with begun("tournament") as (run, children):
        assert len(children) == 2
        run.kill()
        run.communicate(timeout=PATIENCE)  # the children hold the pipes too


@POSIX
def test_children_can_be_ended_whatever_their_parent_ignores():
    """What a terminal sends to all is left to the parent, which goes on under `nohup`: so do they."""
    names = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        found = dict(run_all(signal.getsignal, names, 1))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert found == {0: signal.SIG_DFL, 1: signal.SIG_IGN, 2: signal.SIG_IGN}
    assert not {*names} & signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_every_job_is_done_once_and_numbered():
    assert sorted(run_all(abs, range(-50, 0), 2)) == [(number, 50 - number) for number in range(50)]


def test_a_caller_that_has_enough_leaves_no_process_behind():
    results = run_all(abs, iter(range(10**9)), 1)
    next(results)
    results.close()
    assert not multiprocessing.active_children()


def test_a_process_that_dies_is_told_in_a_sentence():
    with pytest.raises(TwinError, match="was ended from outside, or lacked memory"):
        list(run_all(os._exit, [1], 1))


def test_one_process_beside_this_one():
    ours, theirs = multiprocessing.Pipe()
    process = beside(type(theirs).send, theirs, "here")
    assert ours.recv() == "here"
    process.join(PATIENCE)
    assert process.exitcode == 0
