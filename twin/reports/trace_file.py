"""Traces as tables: CSV for people and spreadsheets, Parquet for programs."""

from __future__ import annotations

import csv
import io
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from twin.errors import BadInputError, MissingExtraError
from twin.physics.trace import COLUMNS, rows
from twin.reports.energy import outcome_energies
from twin.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from twin.outcome.engine import Outcome

ENDINGS: Final = (".csv", ".parquet")


def require_ending(path: Path) -> None:
    """Raise unless the file's name says what it is to be, and what writes it is installed."""
    if path.suffix not in ENDINGS:
        raise BadInputError(f"must end in {' or '.join(ENDINGS)}", source=str(path), field="--trace")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise MissingExtraError(
            f"{path}: Parquet needs the package pyarrow: pip install 'mauer-twin[parquet]' (or write a .csv)"
        )


def write_trace(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Write the frames of one or more moves, one row per move, frame and ghost; all columns carry their unit."""
    require_ending(path)
    table: list[dict[str, Any]] = []
    for number, outcome in enumerate(outcomes, start=1):
        if outcome.trace is not None:
            table += [{"move": number, **row} for row in rows(outcome.trace, outcome_energies(outcome))]
    if path.suffix == ".csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, ["move", *COLUMNS], lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
        write_whole(path, text.getvalue())
    else:
        _write_parquet(path, table)


def _write_parquet(path: Path, table: list[dict[str, Any]]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    columns = {name: [row[name] for row in table] for name in ("move", *COLUMNS)}
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer)
    write_whole(path, buffer.getvalue())
