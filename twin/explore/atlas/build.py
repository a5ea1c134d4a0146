"""Building an atlas, file after file; what is there already stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from twin.explore.atlas.store import PARTITION, open_store
from twin.explore.atlas.turn_table import make_table, parquet_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from twin.explore.atlas.contents import Plan
    from twin.explore.atlas.store import Store, StoreSurvey

    Maker = Callable[["Plan", Iterable["Piece"]], Iterable[tuple["Piece", bytes]]]


class Piece(NamedTuple):
    """One file to be made: its number, and the stretch of the plan that it holds."""

    number: int
    first: int
    last: int


class Written(NamedTuple):
    """A file that was put into its place just now."""

    number: int
    turns: int
    """How many turns it holds."""
    left: int
    """How many turns are still to be run."""
    bytes: int
    """How large the file is."""


def write_atlas(store: Store, make: Maker | None = None, survey: StoreSurvey | None = None) -> Iterator[Written]:
    """Run what an opened folder still lacks, and yield after each file; the caller may stop at any time.

    Damaged files count as lacking. Memory stays flat: one stretch of turns at a time, on all cores. `make` runs pieces
    elsewhere, for example `twin.explore.atlas.cluster.on_cluster`; it may hand them back in any order. `survey` is
    what became of the files so far, if the caller has asked already.
    """
    found = store.survey() if survey is None else survey
    store.adopt(found)
    left = store.left(found)
    pieces = (Piece(number, *store.span(number)) for number in store.missing(found))
    for piece, content in (make or here)(store.plan, pieces):
        store.write(piece.number, content)
        left -= piece.last - piece.first
        yield Written(piece.number, piece.last - piece.first, left, len(content))


def build_atlas(
    plan: Plan,
    folder: Path,
    *,
    resume: bool = False,
    size: int = PARTITION,
    make: Maker | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> int:
    """Build a whole atlas in a folder and return how many turns were run; `progress` hears turns done, and of how many.

    With `resume` only what is missing is run, and only that is counted.
    """
    done = 0
    with open_store(folder, plan, resume=resume, size=size) as store:
        for written in write_atlas(store, make):
            done += written.turns
            progress(done, done + written.left)
    return done


def here(plan: Plan, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, bytes]]:
    """Run pieces one after the other in this process."""
    for piece in pieces:
        yield piece, make_piece(plan, piece)


def make_piece(plan: Plan, piece: Piece) -> bytes:
    """One Parquet file's content; depends on nothing but the plan and the stretch."""
    return parquet_bytes(make_table(plan, piece.first, piece.last))
