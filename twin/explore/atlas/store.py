"""The folder of an atlas: a manifest that records its origin, Parquet files of so many turns each, their hashes.

A file appears under its name when it is whole, never before, so whatever stops a build costs the files that were being
made and nothing else. One build at a time writes to a folder.
"""

from __future__ import annotations

import io
import json
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from twin.errors import BadInputError
from twin.explore.atlas.file_hashes import HASHES, add_hash, hash_of, read_hashes
from twin.explore.atlas.manifest import LARGEST, MANIFEST, continued, is_sealed, manifest_json, read_manifest
from twin.explore.atlas.turn_table import require_pyarrow
from twin.files import read_bytes
from twin.writing import clear_leftovers, lock_folder, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from twin.explore.atlas.contents import Plan

PARTITION: Final = 20_000
"""Turns in one file."""
MENDING: Final = "`twin atlas build --resume` with the words of the first build mends the atlas"
_NAME: Final = re.compile(r"turns-([0-9]{6,15})\.parquet")
_HEAD_BYTES: Final = 1_000_000
_ROW_BYTES: Final = 500
"""Bytes that a file may have at most: so many, and so many for each row. A row takes about 12."""


class StoreSurvey(NamedTuple):
    """What became of the files of an atlas; each by its number."""

    present: tuple[int, ...]
    """All files that are there."""
    whole: frozenset[int]
    """Those that are as they were written, and hold all their turns."""
    damaged: dict[int, str]
    """What is wrong with those that are not as they were written."""
    unhashed: dict[int, str]
    """Files of an atlas made by an earlier version, whose hashes are not listed, and what they would be now."""
    lost: tuple[int, ...]
    """Files that were made once and are gone."""


@dataclass(frozen=True)
class Files:
    """The Parquet files of an atlas, as many as it has when it is finished."""

    folder: Path
    total: int
    """Turns in all."""
    ghosts: int
    size: int
    """Turns in one file; the last one may hold fewer."""
    sealed: bool
    """Whether a file without a hash is damaged; if not, it may come from an earlier version."""

    @property
    def count(self) -> int:
        """How many files a finished atlas has."""
        return -(-self.total // self.size)

    def span(self, number: int) -> tuple[int, int]:
        """First place of a file's turns in the plan, and the first place after them."""
        first = number * self.size
        return first, min(first + self.size, self.total)

    def path(self, number: int) -> Path:
        """A file's place."""
        return self.folder / file_name(number)

    def present(self) -> list[int]:
        """Numbers of the files that are there, rising; other files in the folder are none of the atlas."""
        try:
            names = [entry.name for entry in os.scandir(self.folder)]
        except OSError as error:
            raise BadInputError(f"cannot be read: {error.strerror}", source=str(self.folder)) from None
        return sorted(number for number in map(_number, names) if number is not None and number < self.count)

    def survey(self, progress: Callable[[int, int], None] = lambda _done, _of: None) -> StoreSurvey:
        """Hold the files that are there against their hashes; `progress` hears how many were read, and of how many."""
        require_pyarrow()
        present = self.present()
        hashes = read_hashes(self.folder, self.count)
        whole, damaged, unhashed = set[int](), dict[int, str](), dict[int, str]()
        for done, number in enumerate(present, start=1):
            known = hashes.get(file_name(number), frozenset())
            try:
                digest, rows = self._read(number, known)
            except BadInputError as error:
                damaged[number] = error.problem
            else:
                if rows == self._all_rows(number):
                    whole.add(number)
                if not known:
                    unhashed[number] = digest
            progress(done, len(present))
        listed = {number for number in map(_number, hashes) if number is not None and number < self.count}
        lost = tuple(sorted(listed.difference(present)))
        return StoreSurvey(tuple(present), frozenset(whole), damaged, unhashed, lost)

    def _read(self, number: int, known: frozenset[str]) -> tuple[str, int]:
        """A file's hash, and how many rows it holds; a `BadInputError` if it is not as it was written."""
        import pyarrow as pa
        from pyarrow import parquet

        content = read_bytes(self.path(number), _HEAD_BYTES + _ROW_BYTES * self.size * self.ghosts)
        if self.sealed and not known:
            raise BadInputError(f"{HASHES} has no hash of it")
        digest = hash_of(content)
        if known and digest not in known:
            raise BadInputError("its content is not what was written")
        try:
            rows: int = parquet.read_metadata(io.BytesIO(content)).num_rows
        except (OSError, pa.ArrowException):
            raise BadInputError("is not a whole Parquet file") from None
        return digest, rows

    def _all_rows(self, number: int) -> int:
        first, last = self.span(number)
        return (last - first) * self.ghosts


@dataclass(frozen=True)
class Store(Files):
    """The files of an atlas that is being built."""

    plan: Plan

    def missing(self, survey: StoreSurvey) -> Iterator[int]:
        """Numbers of the files that are not there yet, or not as they must be; one by one, however many there are."""
        return (number for number in range(self.count) if number not in survey.whole)

    def left(self, survey: StoreSurvey) -> int:
        """How many turns are still to be run."""
        return self.total - sum(last - first for first, last in map(self.span, survey.whole))

    def write(self, number: int, content: bytes) -> None:
        """Put a file into its place, after its hash."""
        add_hash(self.folder, file_name(number), hash_of(content))
        write_whole(self.path(number), content)

    def adopt(self, survey: StoreSurvey) -> None:
        """Add the hashes of files that have none, as they are now."""
        for number, digest in survey.unhashed.items():
            add_hash(self.folder, file_name(number), digest)


@contextmanager
def open_store(folder: Path, plan: Plan, *, resume: bool, size: int = PARTITION) -> Iterator[Store]:
    """The folder for a plan: made, or found and compared with what it holds; locked against a second build.

    With `resume` an atlas may grow: more turns of the same kind, by a greater `limit` or `sample`, are added to those
    that are there. Raises `BadInputError` if the folder is not empty and `resume` is false, if it holds anything but
    an atlas made by the same plan, machine and versions, or while another build has it: one atlas never mixes two
    origins.
    """
    require_pyarrow()
    if not 1 <= size <= LARGEST:
        raise BadInputError(f"must be 1 to {LARGEST:,} turns; got {size:,}", field="--partition")
    wanted = manifest_json(plan, size)
    lock = None
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = lock_folder(folder, "another `twin atlas build`")
            if resume:
                clear_leftovers(folder)
            empty = next(folder.iterdir(), None) is None
        except OSError as error:
            raise BadInputError(f"cannot be used as a folder: {error.strerror}", source=str(folder)) from None
        if not empty:
            if not resume:
                problem = "the folder must be empty or missing; --resume continues an atlas"
                raise BadInputError(problem, source=str(folder))
            try:
                wanted = continued(read_manifest(folder), wanted)
            except BadInputError as error:
                raise error.within(source=error.source or str(folder / MANIFEST)) from None
        content = json.dumps(wanted, ensure_ascii=False, indent=1) + "\n"
        write_whole(folder / MANIFEST, content, durable=True)
        yield Store(**vars(files_of(folder, wanted)), plan=plan)
    finally:
        if lock is not None:
            os.close(lock)


def files_of(folder: Path, manifest: dict[str, Any]) -> Files:
    """The files of the atlas that a manifest is of."""
    return Files(folder, manifest["total"], manifest["ghosts"], manifest["partition"], is_sealed(manifest))


def file_name(number: int) -> str:
    """What the files of an atlas are called."""
    return f"turns-{number:06d}.parquet"


def _number(name: str) -> int | None:
    """The number of a file by its name; None if no file of an atlas is called so.

    >>> _number("turns-000012.parquet"), _number("turns-0000012.parquet"), _number("letter.txt")
    (12, None, None)
    """
    found = _NAME.fullmatch(name)
    number = int(found[1]) if found else None
    return number if number is not None and file_name(number) == name else None
