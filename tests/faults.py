"""Faults in the middle of the commands that write, and what must hold after each of them.

`COMMANDS` is the table of all of these commands, each as small as it gets. `Faults` starts the program that runs them,
`Faults.on` runs one up to where it would first write, and `Prepared.strike` has a copy of it suffer one fault: it is
killed or hung up on at a certain call or after a time, the disk is full or broken from a certain call on, or its reader
goes away. A command that is struck leaves each file as it was or as it would have been, tells of it in one sentence if
it still can, leaves no process behind, and keeps its next run from nothing.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from tests.children import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random
    from types import TracebackType

Files = dict[str, bytes]

PRECIOUS: Final = b"precious\n"
GIVEN: Final[Files] = {
    "m.csv": b"trial,scene,move,ghost,x,y,space\n1,rides,turn cw,red,40,40,\n2,rides,turn cw,red,41,40,\n",
    "claims/notes": b"a folder that is there\n",
    "hunt/notes": b"another one\n",
}
"""Files that all commands find: measurements, and something in the folders for scenes."""
TYPED: Final = "turn cw\nturn ccw\n"


@dataclass(frozen=True)
class Command:
    """A command that writes, and its next run."""

    words: tuple[str, ...]
    given: tuple[tuple[str, ...], ...] = ()
    """Commands that make what it needs."""
    typed: str = ""
    again: tuple[str, ...] | None = None
    """The words of its next run, where they are others."""
    changes: str = ""
    """The file that it exists to change: there is no `--overwrite`, and the next run begins with the file as it was."""
    grows: tuple[str, ...] = ()
    """Files to which it appends; cut off at any place, they are whole up to there."""
    adds: str = ""
    """The file to whose lines it only adds: after a fault, its next run may add some of them again."""
    remark: str = ""
    """How a remark of its next run may begin."""
    code: int = 0

    is_brief: bool = True
    """Whether a test of every day can afford it; what others write is much the same."""

    @property
    def overwrites(self) -> bool:
        """Whether it says so of files that are there."""
        return self.again is None and not self.changes


def _words(line: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in line.split())


NEW_GAME: Final = _words("game new g.json --players red,blue --hand exact")
SMALL_ATLAS: Final = _words("atlas build --out at --ghosts 1 --limit 120 --partition 40")
ENDING: Final = b'{"over":'
"""How the last line of a record begins."""
HASHES: Final = "at/hashes.txt"
ANEW: Final = "twin: damaged or missing, made anew: "

COMMANDS: Final[dict[str, Command]] = {
    "run": Command(_words("run start turn_cw --save a.toml --trace a.csv --record a.json")),
    "drag": Command(_words("drag start red north --save a.toml --trace a.parquet"), is_brief=False),
    "explore": Command(_words("explore drag --samples 1 --html a.html")),
    "compare": Command(_words("compare reconstruction ferrite --positions 1 --html a.html")),
    "atlas build": Command(SMALL_ATLAS, again=(*SMALL_ATLAS, "--resume"), adds=HASHES, remark=ANEW, is_brief=False),
    "atlas build --resume": Command(
        (*SMALL_ATLAS[:-4], "--limit", "120", "--partition", "40", "--resume"),
        given=((*SMALL_ATLAS[:-4], "--limit", "60", "--partition", "40"),),
        again=(*SMALL_ATLAS, "--resume"),
        adds=HASHES,
        remark=ANEW,
    ),
    "atlas report": Command(_words("atlas report at --out a.html"), given=(SMALL_ATLAS,)),
    "validate": Command(_words("validate let-it-happen --samples 8 --out claims")),
    "stress": Command(_words("stress --count 3 --kind thin-margin --seed 2 --out hunt")),
    "calibrate rulebook": Command(_words("calibrate rulebook --machines 2 --html a.html --csv a.csv")),
    "calibrate fit": Command(_words("calibrate fit m.csv --parameters friction.board --out a.toml")),
    "calibrate plan": Command(_words("calibrate plan --count 1 --parameters friction.board --out a.html")),
    "calibrate check": Command(_words("calibrate check reconstruction m.csv --samples 8 --html a.html")),
    "sensitivity": Command(_words("sensitivity --scene rides --samples 1 --parameters friction.board --html a.html")),
    "render": Command(_words("render start --out a.png")),
    "render --out .gif": Command(_words("render drag drag_red_north --out a.gif --size 100x100"), is_brief=False),
    "game new": Command(NEW_GAME),
    "game act": Command(_words("game act g.json turn_cw"), given=(NEW_GAME,), changes="g.json"),
    "play": Command(
        _words("play --players red,blue --hand exact --save a.json --record a.jsonl"), typed=TYPED, grows=("a.jsonl",)
    ),
    "play --resume": Command(
        _words("play --resume g.json --save g.json"), given=(NEW_GAME,), typed=TYPED, changes="g.json", is_brief=False
    ),
}
"""All commands that write, but for the window."""


@dataclass(frozen=True)
class Fault:
    """What befalls a command, and when: at a call that changes a file in its folder, or after a time."""

    kind: str
    """`SIGKILL`, `SIGHUP`, `SIGTERM`, `ENOSPC`, `EIO`, `pipe` (a reader that has gone) or `none`."""
    call: int = 0
    """The first is 1; 0 is none of them."""
    after: float | None = None
    """In seconds from the first call on."""

    def __str__(self) -> str:
        return f"{self.kind} at call {self.call}" if self.after is None else f"{self.kind} after {self.after:.4f} s"


class Faults:
    """The program that runs commands up to where they would first write."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.journal = scratch / "journal"
        """Where a command that ends notes what it wrote."""
        self._numbers = count()
        self._program = subprocess.Popen(
            [sys.executable, "-m", "tests.broken_program"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._program.kill()
        self._program.communicate()

    def ask(self, **request: Any) -> dict[str, Any]:
        """The program's answer to a request."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(json.dumps(request) + "\n")
        self._program.stdin.flush()
        answer: dict[str, Any] = json.loads(self._program.stdout.readline())
        return answer

    @contextmanager
    def on(self, command: Command) -> Iterator[Prepared]:
        """A command in a folder of its own, ready to be struck; files that it would overwrite are there."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        folder = self.scratch / "here"
        folder.mkdir(parents=True)
        restore(folder, GIVEN)
        (self.scratch / "typed").write_text(command.typed, encoding="utf-8")
        for given in command.given:
            assert self.run(folder, given)[0] == 0
        words = (*command.words, "--overwrite") if command.overwrites else command.words
        prepared = Prepared(self, command, folder)
        with self._begun(folder, words) as number:
            prepared.learn(number)
            yield prepared

    @contextmanager
    def _begun(self, folder: Path, words: tuple[str, ...]) -> Iterator[int]:
        """The number of a command that waits."""
        number = next(self._numbers)
        answer = self.ask(
            do="begin",
            number=number,
            words=words,
            folder=str(folder),
            state=str(self.scratch / "state"),
            input=str(self.scratch / "typed"),
            output=str(self.scratch / "printed"),
        )
        try:
            assert answer["waits"], (answer, (self.scratch / "printed.err").read_text(encoding="utf-8"))
            yield number
        finally:
            self.ask(do="end", number=number)

    def struck(self, number: int, fault: Fault) -> tuple[int, str, float]:
        """How a copy of a command that waits ends: its code, its complaints, and after how many seconds."""
        output = self.scratch / "struck"
        asked = {"kind": fault.kind, "call": fault.call, "after": fault.after, "journal": str(self.journal)}
        answer = self.ask(do="strike", number=number, fault=asked, output=str(output))
        told = Path(f"{output}.err").read_text(encoding="utf-8")
        assert "Traceback" not in told, told
        assert not answer["left"], "a process outlives the command"
        return answer["code"], told, answer["seconds"]

    def run(self, folder: Path, words: tuple[str, ...]) -> tuple[int, str]:
        """Code and complaints of a command that nothing befalls, from its beginning to its end."""
        with self._begun(folder, words) as number:
            code, told, _ = self.struck(number, Fault("none"))
        return code, told


class Prepared:
    """A command that waits where it would first write."""

    def __init__(self, faults: Faults, command: Command, folder: Path) -> None:
        self.faults, self.command, self.folder = faults, command, folder
        self.before = files_in(folder)
        self.after: Files = {}
        self.calls = 0
        """How many calls change a file in the folder."""
        self.seconds = 0.0
        """How long it takes from there on."""
        self._known: dict[str, set[bytes]] = {}
        self._number = -1

    def learn(self, number: int) -> None:
        """Run it unharmed, to know what it writes; then put files in the places of those that it overwrites."""
        self._number = number
        code, told, self.seconds = self.faults.struck(number, Fault("none"))
        assert (code, told) == (0, ""), (code, told)
        self.after = files_in(self.folder)
        noted = json.loads(self.faults.journal.read_text(encoding="utf-8"))
        self.calls = noted["calls"]
        for name, content in noted["written"]:
            self._known.setdefault(name, set()).add(bytes.fromhex(content))
        if self.command.overwrites:
            self.before = dict.fromkeys(self.after, PRECIOUS) | self.before

    def at_random(self, kind: str, draw: Random) -> Fault:
        """A fault at a random call, or, if it comes from outside, as often after a random time."""
        if kind.startswith("SIG") and draw.random() < 0.5:
            return Fault(kind, after=draw.uniform(0.0, self.seconds))
        return Fault(kind, 0 if kind == "pipe" else draw.randint(1, self.calls))

    def strike(self, fault: Fault, *, again: bool = True) -> int:
        """Have a copy of it suffer a fault, and check what it leaves and its next run; returns its exit code."""
        try:
            return self._strike(fault, again=again)
        except AssertionError as error:
            error.add_note(f"{' '.join(self.command.words)}: {fault}")
            raise

    def _strike(self, fault: Fault, *, again: bool) -> int:
        restore(self.folder, self.before)
        code, told, _ = self.faults.struck(self._number, fault)
        self._check_ending(fault, code, told)
        left = files_in(self.folder)
        litter = [name for name in left if is_litter(name)]
        for name, content in left.items():
            assert name in litter or self._is_whole(name, content), f"{name} is torn: {content[:80]!r}"
        for name in self.before:
            assert name in left, f"{name} is gone"
        if fault.kind != "SIGKILL":
            assert not litter, "what is half written stays there"
        if code == 0:
            self._check_after("the run")
        if again:
            self._check_next_run()
        return code

    def _check_after(self, run: str) -> None:
        """All files are as after a run that nothing befell."""
        left = files_in(self.folder)
        other = [name for name in left | self.after if left.get(name) != self.after.get(name)]
        adds = self.command.adds
        if adds in other and set(self.after[adds].splitlines()) <= set(left[adds].splitlines()):
            other.remove(adds)
        assert not other, f"{run} does not leave what it should: {other}"

    def _check_ending(self, fault: Fault, code: int, told: str) -> None:
        if fault.kind in {"SIGKILL", "SIGHUP", "SIGTERM"}:
            number = getattr(signal, fault.kind)
            gentle = fault.kind != "SIGKILL"
            assert code in {0, -number, *([128 + number] if gentle else [])}, (code, told)
            assert told == "" if code <= 0 else told.startswith(f"twin: ended by {fault.kind}"), told
            if gentle and code < 0:
                self._check_after("a run that was ended after all was done")
        elif fault.kind == "pipe":
            assert (code, told) == (0, "")
        else:
            assert code in {0, 2}, (code, told)
            assert code == 0 or (told.startswith("twin: ") and ": cannot be " in told), told
        assert told.count("\n") <= 1, told

    def _is_whole(self, name: str, content: bytes) -> bool:
        if content in {self.before.get(name), self.after.get(name)} or content in self._known.get(name, ()):
            return True
        if name not in {*self.command.grows, self.command.adds}:
            return False
        # A record of a game that was left early ends as others do.
        body = content[: content.rfind(ENDING)] if ENDING in content else content
        return self.after[name].startswith(body)

    def _check_next_run(self) -> None:
        """Nothing is in the way of the next run; it clears what the one before left half written."""
        if self.command.changes:
            name = self.command.changes
            (self.folder / name).write_bytes(self.before[name])
        if self.command.again is None:
            code, told, _ = self.faults.struck(self._number, Fault("none"))
        else:
            code, told = self.faults.run(self.folder, self.command.again)
        fine = not told or (self.command.remark and told.startswith(self.command.remark))
        assert code == 0, f"the next run: {code}, {told}"
        assert fine, f"the next run: {told}"
        self._check_after("the next run")


def is_litter(name: str) -> bool:
    """Whether a file is one that is not whole yet."""
    return Path(name).name.startswith(".twin-")


def files_in(folder: Path) -> Files:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def restore(folder: Path, files: Files) -> None:
    """Have these files below a folder, and nothing else."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
