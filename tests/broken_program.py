"""The program side of `tests.faults`: commands of the twin that stop right before they first write, and copies of them.

A command is run once, up to the first call that changes something in its folder. There it waits, and for each fault a
copy of it (`fork`) goes on and suffers that fault. So a command computes once, however many faults are tried on what it
writes. Everything runs on one thread, which is what may be copied.

`python -m tests.broken_program` reads requests, one JSON object a line, and answers each with another.
"""

from __future__ import annotations

import ctypes
import errno
import io
import json
import os
import signal
import sys
import time
import traceback
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from twin import writing
from twin.calibrate.fit.budget import Effort

ERRORS: Final = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO}
ENDING: Final = (signal.SIGHUP, signal.SIGTERM)
SUBREAPER: Final = 36
"""`PR_SET_CHILD_SUBREAPER` of Linux: processes that lose their parent become this one's."""
PATIENCE: Final = 60.0
"""How long a command may go on after its fault, and processes after their parent, s."""

SMALL: Final[dict[str, Any]] = {
    "physics.kernel.batch.CHUNK": sys.maxsize,
    "physics.kernel.reading.CHUNK": sys.maxsize,
    "cli.calibrate_commands.cores": lambda: 1,
    "calibrate.experiment_plan.CANDIDATES": 4,
    "calibrate.experiment_plan.MACHINES": 4,
    "calibrate.experiment_plan.TRUTHS": 2,
    "calibrate.experiment_plan.HANDS": 4,
    "reports.survey_chart.draw_panel": lambda *_, **__: None,
    "calibrate.fit.budget.effort_for": lambda _: Effort(32, 2, 1, 4, 8, 8, 2, 2, 2, 1, 2, 2, 2),
}
"""What is other than usual: batches of any size on this thread, no further process, a plan and
a fit of few machines, empty pictures in pages of many."""

Request = dict[str, Any]
Answer = dict[str, Any]


class Tripwire:
    """Counts the calls that change files below the working folder, and strikes at the one that is asked for."""

    def __init__(self, at_first: Any) -> None:
        self.folder = os.path.realpath(Path.cwd())
        self.at_first = at_first
        self.fault: Request = {}
        self.is_reached = False
        self.count = 0
        self.written: list[list[str]] = []
        """Name and content (as hexadecimal digits of its bytes) of each file that took its place."""
        self._ours: set[int] = set()
        """Descriptors of files in the folder that may be written."""
        self._real = {name: getattr(os, name) for name in ("open", "write", "fsync", "replace", "mkdir", "unlink")}
        for name in self._real:
            setattr(os, name, getattr(self, f"_{name}"))
        self._real_write = writing._write
        writing._write = self._begin_file

    def _begin_file(self, path: Path, *content: Any, **how: Any) -> int | None:
        """The first thing that is done for a file: what an earlier run left half written is cleared after this."""
        if self._is_inside(path):
            self._reach()
        return self._real_write(path, *content, **how)

    def _reach(self) -> None:
        if not self.is_reached:
            self.is_reached = True
            self.at_first(self)

    def _is_inside(self, path: Any) -> bool:
        with suppress(TypeError, ValueError):
            name = os.path.realpath(os.fsdecode(path))
            return name.startswith(self.folder + os.sep)
        return False

    def _struck(self) -> bool:
        """Count one call; whether the fault is here."""
        self._reach()
        self.count += 1
        return self.count == self.fault.get("call")

    def _strike(self) -> None:
        name = self.fault["kind"]
        if name in ERRORS:
            raise OSError(ERRORS[name], os.strerror(ERRORS[name]))
        os.kill(os.getpid(), getattr(signal, name))

    @property
    def _is_full(self) -> bool:
        """A disk that is full stays full."""
        return self.fault.get("kind") == "ENOSPC" and self.count > self.fault["call"]

    def _open(self, path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        if not flags & (os.O_WRONLY | os.O_RDWR) or not self._is_inside(path):
            number: int = self._real["open"](path, flags, mode, **more)
            self._ours.discard(number)  # an old number, given anew
            return number
        if self._struck() or (self._is_full and flags & os.O_CREAT):
            self._strike()
        number = self._real["open"](path, flags, mode, **more)
        self._ours.add(number)
        return number

    def _write(self, number: int, data: Any) -> int:
        if number not in self._ours:
            size: int = self._real["write"](number, data)
            return size
        if self._struck():
            size = self._real["write"](number, memoryview(data)[: len(data) // 2])
            if self.fault["kind"] == "ENOSPC" and size:
                return size  # a disk takes what it can, and refuses the rest
            self._strike()
        if self._is_full:
            self._strike()
        return int(self._real["write"](number, data))

    def _fsync(self, number: int) -> None:
        if number in self._ours and self._struck():
            self._strike()
        self._real["fsync"](number)

    def _replace(self, source: Any, target: Any, **more: Any) -> None:
        if self._is_inside(target):
            if self._struck():
                self._strike()
            if self.fault.get("kind") == "none":
                name = os.path.relpath(os.path.realpath(target), self.folder)
                self.written.append([name, Path(source).read_bytes().hex()])
        self._real["replace"](source, target, **more)

    def _mkdir(self, path: Any, mode: int = 0o777, **more: Any) -> None:
        if self._is_inside(path) and not Path(path).exists() and self._struck():
            self._strike()
        self._real["mkdir"](path, mode, **more)

    def _unlink(self, path: Any, **more: Any) -> None:
        if self._is_inside(path) and Path(path).exists() and self._struck() and self.fault["kind"] not in ERRORS:
            self._strike()
        self._real["unlink"](path, **more)


def main() -> None:
    """Prepare what all commands need, then answer requests until there are no more."""
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    _prepare()
    waiting: dict[int, tuple[io.TextIOWrapper, io.TextIOWrapper]] = {}
    for line in requests:
        request = json.loads(line)
        match request["do"]:
            case "begin":
                waiting[request["number"]] = _begun(request)
                answer: Answer = json.loads(waiting[request["number"]][1].readline())
            case "strike":
                to, back = waiting[request["number"]]
                to.write(line)
                to.flush()
                answer = json.loads(back.readline())
            case "end":
                to, back = waiting.pop(request["number"])
                with suppress(BrokenPipeError), to:  # it has ended without writing
                    to.write(line)
                back.close()
                os.wait()
                answer = {}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _prepare() -> None:
    """Load what takes long, once; and have everything small: a fit of few machines, one process, one thread."""
    from twin.cli import main as twin

    with redirect_stdout(io.StringIO()):
        twin(["turn", "start", "cw", "--samples", "3"])
    import_module("matplotlib.figure")
    for name, value in SMALL.items():
        module, _, constant = name.rpartition(".")
        setattr(import_module(f"twin.{module}"), constant, value)


def _begun(request: Request) -> tuple[io.TextIOWrapper, io.TextIOWrapper]:
    """A command that waits where it would write first, or has ended: to what it listens, and where it answers."""
    (asked, to), (back, answered) = os.pipe(), os.pipe()
    if os.fork() == 0:
        os.close(to)
        os.close(back)
        with os.fdopen(asked) as requests, os.fdopen(answered, "w") as answers:
            _run(request, requests, answers)
    os.close(asked)
    os.close(answered)
    return os.fdopen(to, "w"), os.fdopen(back)


def _run(request: Request, requests: io.TextIOWrapper, answers: io.TextIOWrapper) -> None:
    os.chdir(request["folder"])
    os.environ["TWIN_STATE"] = request["state"]
    _read_from(request["input"], 0)
    _print_to(request["output"])
    is_copy = False

    def wait(wire: Tripwire) -> None:
        nonlocal is_copy
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        _answer(answers, {"waits": True})
        for line in requests:
            strike = json.loads(line)
            if strike["do"] == "end":
                break
            copy = os.fork()
            if copy == 0:
                is_copy = True
                os.setsid()
                wire.fault = strike["fault"]
                _read_from(request["input"], os.lseek(0, 0, os.SEEK_CUR))  # copies would share one place
                _print_to(strike["output"])
                if wire.fault["kind"] == "pipe":
                    _print_to_closed_pipe()
                signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)  # what came meanwhile comes now
                return
            _answer(answers, _followed(copy, strike))
        os._exit(0)

    wire = Tripwire(wait)
    code = 1
    try:
        from twin.cli import main as twin

        code = twin(request["words"])
    except BaseException:  # noqa: BLE001 - what a person would see
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    if is_copy:
        if wire.fault["kind"] == "none":
            noted = json.dumps({"calls": wire.count, "written": wire.written})
            Path(wire.fault["journal"]).write_text(noted, encoding="utf-8")
    else:
        _answer(answers, {"waits": False, "code": code})
    os._exit(code)


def _answer(answers: io.TextIOWrapper, answer: Answer) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def _read_from(name: str, place: int) -> None:
    number = os.open(name, os.O_RDONLY)
    os.lseek(number, place, os.SEEK_SET)
    os.dup2(number, 0)
    os.close(number)


def _print_to(name: str) -> None:
    for number, ending in ((1, "out"), (2, "err")):
        file = os.open(f"{name}.{ending}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)


def _print_to_closed_pipe() -> None:
    read, write = os.pipe()
    os.close(read)
    os.dup2(write, 1)


def _followed(copy: int, strike: Request) -> Answer:
    """How a copy ends, struck after a time if that is its fault, and whether processes of its own outlive it."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(SUBREAPER, 1)
    after = strike["fault"].get("after")
    begun = time.monotonic()
    struck = after is None
    code, seconds = None, 0.0
    while True:
        passed = time.monotonic() - begun
        if code is None:
            number, status = os.waitpid(copy, os.WNOHANG)
            if number:
                code, seconds, struck = os.waitstatus_to_exitcode(status), passed, True
                begun, passed = time.monotonic(), 0.0
        if code is not None:
            try:
                os.waitpid(-copy, os.WNOHANG)
            except ChildProcessError:
                return {"code": code, "left": False, "seconds": seconds}
        if not struck and passed >= after:
            os.kill(copy, getattr(signal, strike["fault"]["kind"]))
            struck = True
        if passed > PATIENCE:
            os.killpg(copy, signal.SIGKILL)
            return {"code": code, "left": True, "seconds": seconds}
        time.sleep(0.0005)


if __name__ == "__main__":
    main()
