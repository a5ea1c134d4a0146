"""Bombs: small or hollow files made to take time or memory. Each is refused; the time that takes is printed."""

from __future__ import annotations

import io
import os
import time
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.broken_measurements import BENCH_HEADER, HEADER
from tests.long.mutants import PATIENCE, limit_once, soon
from tests.long.readers import READERS
from tests.long.trial import Trial, peak_mb
from twin.errors import TwinError
from twin.processes import run_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LONGEST: Final = 10.0
"""Seconds that a refusal may take."""
MOST_MB: Final = 500

RECORD: Final = b'{"kind":"twin record","schema":1,"moves":['
GAME: Final = b'{"kind":"twin game","schema":1,"machine":"reconstruction","board":'


def _zeros() -> bytes:
    """A gigabyte of zeros, packed a thousandfold."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in ("recipe.npy", "asked.npy", "answers.npy"):
            with packed.open(name, "w") as file:
                for _ in range(300):
                    file.write(bytes(1_000_000))
    return content.getvalue()


BOMBS: Final[dict[str, tuple[str, Callable[[], bytes]]]] = {
    "a dotted key of 40,000 parts": ("scene", lambda: b"a" + b".a" * 40_000 + b" = 1\n"),
    "a dotted key of quoted parts": ("machine", lambda: b'"a"' + b' . "a"' * 100_000 + b" = 1\n"),
    "a heading of 100,000 parts": ("scene", lambda: b"[a" + b".a" * 100_000 + b"]\n"),
    "nested inline tables": ("scene", lambda: b"a = " + b"{a=" * 200_000),
    "nested lists in TOML": ("evidence", lambda: b"a = " + b"[" * 400_000),
    "a hundred thousand tables": ("machine", lambda: b"".join(b"[a%d]\n" % n for n in range(90_000))),
    "a number of a million digits": ("scene", lambda: b"orientation = " + b"9" * 900_000),
    "an unclosed text": ("scene", lambda: b'title = """' + b"\\" * 900_000),
    "nested lists in JSON": ("run record", lambda: RECORD + b"[" * 900_000),
    "nested tables in JSON": ("saved game", lambda: GAME + b'{"a":' * 180_000),
    "tables by the million": ("run record", lambda: RECORD + b"{}," * 900_000 + b"{}]}"),
    "a JSON number of a million digits": ("saved game", lambda: GAME + b"9" * 900_000 + b"}"),
    "a manifest of 10^15 turns": ("manifest", lambda: b'{"kind":"twin atlas","schema":1,"total":1000000000000000}'),
    "hashes by the million": ("hashes", lambda: (b"0" * 64 + b"  turns-000000.parquet\n") * 12_000),
    "a record of a million lines": ("play record", lambda: b'{"kind":"twin play record"}\n' + b"{}\n" * 300_000),
    "a log of a million lines": ("unfinished game", lambda: b"{}\n" * 300_000),
    "a row of three million cells": ("measured turn", lambda: b"time_s,angle_rad\n" + b"11," * 300_000),
    "rows by the million": ("measurements", lambda: HEADER.encode() + b"1,held,turn cw,red,1,2,\n" * 80_000),
    "a sheet of one cell": ("bench sheet", lambda: BENCH_HEADER.encode() + b'"' + b"x" * 1_900_000),
    "a sheet of commas": ("bench sheet", lambda: BENCH_HEADER.encode() + b"," * 1_900_000),
    "times that hardly rise": (
        "measured turn",
        lambda: b"time_s,angle_rad\n" + b"".join(b"%.9f,0\n" % (n * 1e-9) for n in range(50_000)),
    ),
    "zeros packed a thousandfold": ("checkpoint", _zeros),
}
"""The reader that gets it, and its content. All are as large as a reader takes in, or smaller."""


@dataclass(frozen=True)
class Refusal:
    """How a bomb went off."""

    words: str
    seconds: float
    memory: float
    """The most that the process has had so far, MB."""
    wrong: bool


@dataclass(frozen=True)
class Job:
    """One bomb, and the folder to put it into."""

    name: str
    folder: Path
    limited: bool


def run(trial: Trial) -> None:
    """All bombs, one after the other in a process with a limit of memory; at a small scale only the first of them."""
    names = [name for name, (reader, _) in BOMBS.items() if reader in READERS][: trial.size(len(BOMBS), 3)]
    names += ["a file of 100 GB", "a pipe", "a device without end"] if trial.scale >= 1 or trial.workers else []
    jobs = [Job(name, trial.folder / str(number), trial.workers > 0) for number, name in enumerate(names)]
    done = run_all(defused, jobs, 1) if trial.workers else enumerate(map(defused, jobs))
    for number, refusal in done:
        trial.say(f"{names[number]}: {refusal.words} after {refusal.seconds:.3f} s, {refusal.memory:.0f} MB")
        if refusal.wrong:
            trial.found(f"{names[number]}: {refusal.words}")
        if trial.workers and (refusal.seconds > LONGEST or refusal.memory > MOST_MB):
            trial.found(f"{names[number]}: {refusal.seconds:.1f} s and {refusal.memory:.0f} MB")


def defused(job: Job) -> Refusal:
    """Have a bomb read."""
    reader = BOMBS[job.name][0] if job.name in BOMBS else "scene"
    if job.limited:
        limit_once()
    job.folder.mkdir()
    path = job.folder / READERS[reader].name
    _put(job.name, path)
    wrong, words = False, "taken as empty" if reader in {"checkpoint", "hashes"} else "accepted"
    start = time.perf_counter()
    try:
        with soon(PATIENCE if job.limited else 0):
            READERS[reader].read(path)
        wrong = words == "accepted"
    except TwinError as error:
        words = "refused: " + str(error).replace(str(path), "").lstrip(": ")[:80]
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        wrong, words = True, f"{type(error).__name__} escapes"
    return Refusal(words, time.perf_counter() - start, peak_mb() if job.limited else 0.0, wrong)


def _put(name: str, path: Path) -> None:
    if name in BOMBS:
        path.write_bytes(BOMBS[name][1]())
        path.chmod(0o600)
    elif name == "a pipe":
        os.mkfifo(path)
    elif name == "a device without end":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as hollow:
            hollow.truncate(100_000_000_000)
