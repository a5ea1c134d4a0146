"""Turns that were run, as a table: one row per ghost and turn."""

from __future__ import annotations

import io
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from twin.board.expectation import FATES
from twin.board.grid import SPACES
from twin.errors import MissingExtraError
from twin.explore.atlas.contents import DIRECTIONS
from twin.explore.atlas.relabelling import ghosts_text, sliders_text
from twin.outcome.many import simulate_jobs
from twin.outcome.outcome_table import coded, spelled, spelled_covers, touched_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.explore.atlas.contents import Plan
    from twin.outcome.outcomes import Outcomes

    Array = NDArray[Any]

COLUMNS: Final = {
    "turn": "number of the turn; all its ghosts share it",
    "ghosts": "where the ghosts stand before the turn, at orientation 0, for example a1 c3",
    "sliders": "each slider's tunnel and offset, for example A1+0 B3-1 C5+2; f: turned end for end",
    "direction": "cw or ccw",
    "ghost": "which of `ghosts` this row tells about, from 1; 1 to 4 are red, yellow, green and blue",
    "from_space": "where it stands before",
    "x": "where it ends, floor frame, mm; null once fallen",
    "y": "where it ends, floor frame, mm; null once fallen",
    "fate": "fell, blocked, shoved, caught, held, left or rode",
    "covers": "spaces it covers afterwards, in the board's names, for example c2+c3; off once fallen",
    "touched": "whom and what it touched, for example blue+plug; empty if nobody and nothing",
    "margin": "how far its end could shift before `covers` changes, mm; null once fallen",
    "walls": "how many walls it crossed",
    "slip": "length of its path over the board, mm",
    "conflict": "whether the turn leaves no way to place all ghosts by D4 and D5",
}
"""The columns of the table `turns`, and what they mean. Lengths are rounded to 0.001 mm."""


def require_pyarrow() -> None:
    """Raise unless what reads and writes an atlas is installed."""
    if find_spec("pyarrow") is None:
        raise MissingExtraError("an atlas needs the package pyarrow: pip install 'mauer-twin[atlas]'")


def run_turns(plan: Plan, turns: NDArray[np.int64]) -> Outcomes:
    """Run turns (N,) on all cores; what comes out is in the order of `plan.decode(turns)`."""
    return simulate_jobs(plan.machine, plan.jobs(turns))


def make_table(plan: Plan, first: int, last: int) -> Any:  # noqa: ANN401 - pyarrow.Table, which is imported when needed
    """Run the turns in the places `first` to `last` - 1 of an atlas: a `pyarrow.Table`, sorted by turn and ghost."""
    import pyarrow as pa

    turns = plan.turns(first, last)
    # The kernel plans the hand's course anew whenever the direction changes: all clockwise turns first.
    order = np.argsort(turns % len(DIRECTIONS), kind="stable")
    outcomes = run_turns(plan, turns[order])
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    decoded = plan.decode(turns)
    setting, position = np.divmod(turns // len(DIRECTIONS), plan.positions)
    names = sorted(plan.machine.sliders)
    size, ghosts = len(turns), plan.ghosts

    def own(values: Array) -> Array:
        return values[back, :ghosts].reshape(size * ghosts, *values.shape[2:])

    def each(values: Array) -> Array:
        return np.repeat(values, ghosts)

    columns = {
        "turn": pa.array(each(turns)),
        "ghosts": spelled(each(position), lambda keys: [ghosts_text(row) for row in plan.spaces_of(keys)]),
        "sliders": spelled(each(setting), lambda keys: [sliders_text(names, row) for row in plan.sliders_of(keys)]),
        "direction": coded(each(decoded.direction), DIRECTIONS),
        "ghost": pa.array(np.tile(np.arange(1, ghosts + 1, dtype=np.int8), size)),
        "from_space": coded(decoded.spaces.ravel(), SPACES),
        "x": _length(own(outcomes.end)[:, 0]),
        "y": _length(own(outcomes.end)[:, 1]),
        "fate": coded(own(outcomes.fate), FATES),
        "covers": spelled_covers(own(outcomes.covers)),
        "touched": spelled(own(outcomes.touched), touched_texts),
        "margin": _length(own(outcomes.margin)),
        "walls": pa.array(own(outcomes.walls)[:, 0]),
        "slip": _length(own(outcomes.slip)),
        "conflict": pa.array(each(outcomes.conflict[back])),
    }
    return pa.table(columns)


def parquet_bytes(table: Any) -> bytes:  # noqa: ANN401 - a pyarrow.Table
    """A table as a Parquet file: words as numbers into a list of words, all compressed; the same table, same bytes."""
    from pyarrow import parquet

    buffer = io.BytesIO()
    parquet.write_table(table, buffer, compression="zstd", compression_level=1)
    return buffer.getvalue()


def _length(values: Array) -> Any:  # noqa: ANN401 - a pyarrow.Array
    """Lengths in mm; what is not a number becomes null."""
    import pyarrow as pa

    rounded = np.round(values, 3) + 0.0  # no negative zeros
    return pa.array(rounded, mask=np.isnan(rounded))
