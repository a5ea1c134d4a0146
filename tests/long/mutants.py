"""Mutants of files for every reader: whatever a file holds, only a `TwinError` escapes, soon and within 500 MB."""

from __future__ import annotations

import random
import shutil
import signal
import tempfile
import time
import traceback
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.long.mutation import mutant
from tests.long.readers import READERS
from tests.long.trial import Trial, limit_memory, peak_mb
from twin.errors import TwinError
from twin.processes import run_all

if TYPE_CHECKING:
    from collections.abc import Iterator

MUTANTS: Final = 100_000
CHUNK: Final = 100
"""Mutants that a process is given at once."""
MOST_MB: Final = 500
PATIENCE: Final = 60
"""Seconds after which a reader is taken to hang; the slowest that do are those that simulate what a record asks for."""


@dataclass(frozen=True)
class Job:
    """Some mutants of one reader; `bases` and `beside` are its good files, made once for all jobs."""

    reader: str
    bases: tuple[bytes, ...]
    beside: dict[str, bytes]
    first: int
    count: int
    seed: int
    limited: bool
    """Whether memory and time are limited, in a process of its own."""


@dataclass
class Tally:
    """What came of mutants."""

    accepted: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """By kind of error and the part of the file that it names."""
    escaped: dict[str, str] = field(default_factory=dict)
    """By exception and place in the source, the first mutant that raises it."""
    escapes: int = 0
    slowest: tuple[float, str] = (0.0, "")
    memory: float = 0.0
    """MB."""

    def add(self, other: Tally) -> None:
        """Count another tally's mutants too."""
        self.accepted += other.accepted
        self.refused += other.refused
        self.escaped = other.escaped | self.escaped
        self.escapes += other.escapes
        self.slowest = max(self.slowest, other.slowest)
        self.memory = max(self.memory, other.memory)


def run(trial: Trial) -> None:
    """Mutants of all readers, shared out among processes."""
    whole = sum(reader.share for reader in READERS.values())
    jobs = []
    for name, reader in READERS.items():
        count, bases, beside = trial.size(MUTANTS * reader.share / whole), reader.bases(), reader.beside()
        jobs += [
            Job(name, bases, beside, first, min(CHUNK, count - first), trial.seed, trial.workers > 0)
            for first in range(0, count, CHUNK)
        ]
    random.Random(trial.seed).shuffle(jobs)  # slow ones are not all at the end
    done = run_all(tried, jobs, trial.workers) if trial.workers else enumerate(map(tried, jobs))
    tallies = {name: Tally() for name in READERS}
    for finished, (number, tally) in enumerate(done, 1):
        tallies[jobs[number].reader].add(tally)
        if finished % max(len(jobs) // 10, 1) == 0:
            trial.say(f"{finished:,} of {len(jobs):,} batches of mutants")
    _tell(trial, tallies)


def _tell(trial: Trial, tallies: dict[str, Tally]) -> None:
    together = Tally()
    for name, tally in tallies.items():
        together.add(tally)
        count = tally.accepted + tally.refused.total() + tally.escapes
        seconds, which = tally.slowest
        trial.say(
            f"{name}: {count:,} mutants, {tally.accepted:,} accepted, {tally.refused.total():,} refused in "
            f"{len(tally.refused)} ways, {tally.escapes} escapes; the slowest took {seconds:.2f} s ({which})"
        )
        for what, example in tally.escaped.items():
            trial.found(f"{name}: {what}, as of {example}")
    count = together.accepted + together.refused.total() + together.escapes
    kinds = Counter(way.split(" ")[0] for way in together.refused.elements())
    trial.say(
        f"{count:,} mutants of {len(tallies)} readers: {together.accepted:,} accepted, "
        f"{', '.join(f'{n:,} {kind}' for kind, n in kinds.most_common())} in {len(together.refused)} ways, "
        f"{together.escapes} escapes; slowest {together.slowest[0]:.2f} s; {together.memory:.0f} MB at most"
    )
    if trial.workers and together.memory > MOST_MB:
        trial.found(f"a reader takes {together.memory:.0f} MB; it must be at most {MOST_MB} MB")


def content_of(job: Job, number: int) -> bytes:
    """One mutant: the same for the same reader, number and seed."""
    dice = random.Random(f"{job.seed} {job.reader} {number}")
    return mutant(READERS[job.reader].kind, job.bases, dice)


def tried(job: Job) -> Tally:
    """Have a reader read its mutants."""
    if job.limited:
        limit_once()
    tally, reader = Tally(), READERS[job.reader]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "in"
        for number in range(job.first, job.first + job.count):
            folder.mkdir(mode=0o700)
            for name, content in job.beside.items():
                (folder / name).write_bytes(content)
            path = folder / reader.name
            path.write_bytes(content_of(job, number))
            path.chmod(0o600)
            start = time.perf_counter()
            try:
                with soon(PATIENCE if job.limited else 0):
                    reader.read(path)
                tally.accepted += 1
            except TwinError as error:
                tally.refused[f"{type(error).__name__} {_way(str(error), path)}"] += 1
            except Exception as error:  # noqa: BLE001 - this is what is looked for
                where = traceback.extract_tb(error.__traceback__)[-1]
                what = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno} ({error!s:.80})"
                tally.escaped.setdefault(what, f"mutant {number} (seed {job.seed})")
                tally.escapes += 1
            tally.slowest = max(tally.slowest, (time.perf_counter() - start, f"mutant {number}"))
            shutil.rmtree(folder)
    tally.memory = peak_mb() if job.limited else 0.0
    return tally


def _way(message: str, path: Path) -> str:
    """A message without what is the file's own: its path, names, numbers and values."""
    words = message.replace(str(path), "").replace(str(path.parent), "").split()
    return " ".join([word for word in words if word.isalpha()][:6])


class HangError(Exception):
    """A reader took longer than anything may."""


@contextmanager
def soon(seconds: float) -> Iterator[None]:
    """Within this context a `HangError` comes after so many seconds, where the platform can do it; 0 is never."""

    def ring(_signal: int, _frame: object) -> None:
        raise HangError(f"{seconds:g} s and no end")

    if not seconds or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


_limits: list[bool] = []


def limit_once() -> None:
    """Load what readers load, then let this process take no more than a reader may."""
    if not _limits:
        _limits.append(True)
        for name in ("play record", "run record", "file of an atlas"):
            if name in READERS:
                reader = READERS[name]
                with tempfile.TemporaryDirectory() as folder:
                    for other, content in reader.beside().items():
                        (Path(folder) / other).write_bytes(content)
                    (Path(folder) / reader.name).write_bytes(reader.bases()[-1])
                    reader.read(Path(folder) / reader.name)
        limit_memory(MOST_MB * 1_000_000)
