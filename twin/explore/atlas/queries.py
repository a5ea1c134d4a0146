"""Questions to an atlas, in SQL (DuckDB) over the one view `turns`, and ready-made ones by name.

A question sees the atlas and nothing else: the database lives in memory and knows no files, which no query can change.
The function `relabel(covers, 1)` gives names of spaces for another orientation (`twin.explore.atlas.relabelling`).
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from twin.errors import BadInputError, MissingExtraError
from twin.explore.atlas.manifest import read_manifest
from twin.explore.atlas.relabelling import relabel
from twin.explore.atlas.store import MENDING, files_of
from twin.explore.atlas.turn_table import require_pyarrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from twin.explore.atlas.store import Files, StoreSurvey

BATCH: Final = 10_000
"""Rows of an answer that are held at a time."""


class ReadyQuestion(NamedTuple):
    """A ready-made question."""

    asks: str
    sql: str


QUESTIONS: Final = {
    "fates": ReadyQuestion(
        "what becomes of the ghosts?",
        """SELECT fate, count(*) AS ghosts, round(100 * count(*) / sum(count(*)) OVER (), 2) AS percent
           FROM turns GROUP BY fate ORDER BY ghosts DESC, fate""",
    ),
    "safe-spaces": ReadyQuestion(
        "which spaces are safe under every slider setting: nobody who starts there ever falls?",
        """SELECT from_space AS space, count(*) AS ghosts,
                  round(100 * avg((covers = from_space)::INT), 2) AS percent_stay_there
           FROM turns GROUP BY from_space HAVING bool_and(fate <> 'fell')
           ORDER BY percent_stay_there DESC, space""",
    ),
    "most-moved": ReadyQuestion(
        "which turns move the most ghosts off the space they started from?",
        """SELECT turn, ghosts, sliders, direction, count(*) FILTER (covers <> from_space) AS moved,
                  round(sum(slip), 1) AS slip_mm, string_agg(covers, ' ' ORDER BY ghost) AS covers
           FROM turns GROUP BY turn, ghosts, sliders, direction
           ORDER BY moved DESC, slip_mm DESC, turn LIMIT 20""",
    ),
    "falls": ReadyQuestion(
        "where do ghosts fall: from which spaces, turning which way?",
        """SELECT from_space AS space, direction, count(*) AS ghosts, count(*) FILTER (fate = 'fell') AS fell,
                  round(100 * avg((fate = 'fell')::INT), 2) AS percent
           FROM turns GROUP BY from_space, direction HAVING fell > 0 ORDER BY fell DESC, space, direction""",
    ),
    "restless-spaces": ReadyQuestion(
        "from which spaces are ghosts moved most often?",
        """SELECT from_space AS space, count(*) AS ghosts, count(*) FILTER (covers <> from_space) AS moved,
                  round(100 * avg((covers <> from_space)::INT), 2) AS percent
           FROM turns GROUP BY from_space ORDER BY percent DESC, space""",
    ),
    "straddles": ReadyQuestion(
        "where do ghosts end on more than one space (D4)?",
        """SELECT covers, count(*) AS ghosts, min(margin) AS smallest_margin_mm
           FROM turns WHERE contains(covers, '+') GROUP BY covers ORDER BY ghosts DESC, covers""",
    ),
    "close-calls": ReadyQuestion(
        "which ghosts end nearest to another outcome?",
        """SELECT turn, ghosts, sliders, direction, from_space, fate, covers, margin
           FROM turns WHERE margin IS NOT NULL ORDER BY margin, turn, ghost LIMIT 20""",
    ),
    "conflicts": ReadyQuestion(
        "which turns leave no way to place all ghosts?",
        """SELECT turn, ghosts, sliders, direction, string_agg(covers, ' ' ORDER BY ghost) AS covers
           FROM turns WHERE conflict GROUP BY turn, ghosts, sliders, direction ORDER BY turn LIMIT 100""",
    ),
}


def ready_made(question: str) -> ReadyQuestion | None:
    """The ready-made question of this name, or that is asked in these words, or begins with them.

    >>> ready_made("where do ghosts fall?") is QUESTIONS["falls"]
    True
    """
    words = " ".join(question.casefold().rstrip(" ?").split())
    starts = (asked for asked in QUESTIONS.values() if words.count(" ") > 1 and asked.asks.startswith(words))
    return QUESTIONS.get(question) or next(starts, None)


class AnswerRows(NamedTuple):
    """Rows of an answer, to be read once."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


class Atlas:
    """An atlas that is open for questions; use `open_atlas`."""

    def __init__(self, connection: Any, manifest: dict[str, Any], files: Files, survey: StoreSurvey) -> None:  # noqa: ANN401 - of duckdb
        self._connection = connection
        self.manifest = manifest
        """Where it comes from."""
        self.present = len(survey.present)
        """How many of its files are there."""
        self.files = files.count
        """How many files it has when it is finished."""
        self.unhashed = len(survey.unhashed)
        """How many of its files come from an earlier version, without a hash: damage to them goes unnoticed."""

    def ask(self, question: str) -> AnswerRows:
        """Answer SQL, or a ready-made question; a `BadInputError` says what is wrong with it."""
        import duckdb

        ready = ready_made(question)
        sql = question if ready is None else ready.sql
        try:
            kinds = [statement.type for statement in self._connection.extract_statements(sql)]
            allowed = {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN, duckdb.StatementType.MULTI}
            if len(kinds) != 1 or kinds[0] not in allowed:
                raise BadInputError(f"must be one SELECT over `turns`, or one of {', '.join(QUESTIONS)}", field="query")
            cursor = self._connection.execute(sql)
            first = cursor.fetchmany(BATCH)
            columns = tuple(str(column[0]) for column in cursor.description)
        except duckdb.Error as error:
            raise _refused(question, error) from None
        return AnswerRows(columns, _rows(cursor, first))

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        """All rows of an answer."""
        return list(self.ask(question).rows)


@contextmanager
def open_atlas(folder: Path, progress: Callable[[int, int], None] = lambda _done, _of: None) -> Iterator[Atlas]:
    """Open the atlas in a folder for questions; files that a running build adds later are not seen.

    All files are read once first and held against their hashes; `progress` hears how many are read, and of how many.
    Raises `BadInputError` if one is damaged.
    """
    require_pyarrow()
    if find_spec("duckdb") is None:
        raise MissingExtraError("questions to an atlas need the package duckdb: pip install 'mauer-twin[atlas]'")
    import duckdb
    import pyarrow as pa
    from pyarrow import dataset

    manifest = read_manifest(folder)
    files = files_of(folder, manifest)
    survey = files.survey(progress)
    if not survey.present:
        raise BadInputError("the atlas holds no turns yet; `twin atlas build --resume` goes on", source=str(folder))
    for number, problem in survey.damaged.items():
        others = f" ({len(survey.damaged) - 1:,} more files too)" if len(survey.damaged) > 1 else ""
        raise BadInputError(f"is damaged{others}: {problem}; {MENDING}", source=str(files.path(number)))
    try:
        turns = dataset.dataset([str(files.path(number)) for number in survey.present], format="parquet")
    except (OSError, pa.ArrowException) as error:
        raise BadInputError(" ".join(f"cannot be read: {error}".split())[:300], source=str(folder)) from None
    connection = duckdb.connect(":memory:")
    try:
        connection.register("turns", turns)
        connection.create_function("relabel", relabel, ["VARCHAR", "INTEGER"], "VARCHAR")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET python_enable_replacements = false")
        connection.execute("SET lock_configuration = true")
        yield Atlas(connection, manifest, files, survey)
    finally:
        connection.close()


def _rows(cursor: Any, batch: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    import duckdb

    while batch:
        yield from batch
        try:
            batch = cursor.fetchmany(BATCH)
        except duckdb.Error as error:
            raise _refused("query", error) from None


def _refused(question: str, error: Exception) -> BadInputError:
    """DuckDB's complaint in one line, without the excerpt of the question that follows it."""
    text = " ".join(str(error).split("LINE ")[0].split())
    hint = "" if " " in question.strip() else f"; questions by name are {', '.join(QUESTIONS)}"
    return BadInputError(f"{text[:300]}{hint}", field="query")
