"""The command `atlas`: `build`, `query` and `report`."""

from __future__ import annotations

import csv
import sys
from contextlib import ExitStack
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twin.cli.console import is_read
from twin.cli.files import tell_written
from twin.cli.output import Progress, announce_compiling, paint_for, print_json
from twin.cli.scenes import changed
from twin.errors import BadInputError, visible
from twin.machine import load_machine

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.explore.atlas_query import Answer

SHOWN = 200
"""Rows of an answer that people see; --csv and --json give all."""


def build(options: Namespace) -> int:
    """`twin atlas build --out DIR --ghosts N`."""
    from twin.explore.atlas_build import write_atlas
    from twin.explore.atlas_cluster import on_cluster
    from twin.explore.atlas_plan import Plan
    from twin.explore.atlas_store import open_store

    plan = Plan(
        changed(load_machine(options.machine), options),
        ghosts=options.ghosts,
        flips=options.flips,
        sample=options.sample,
        seed=options.seed,
        limit=options.limit,
    )
    announce_compiling()
    with ExitStack() as stack:
        make = stack.enter_context(on_cluster(options.cluster)) if options.cluster else None
        store = open_store(Path(options.out), plan, resume=options.resume, size=options.partition)
        ran, progress = 0, Progress(store.left(), "turns")
        try:
            for written in write_atlas(store, make):
                ran += written.turns
                progress(ran)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"{ran:,} turns were added to {options.out}; --resume goes on from there") from None
    if options.json:
        print_json({"folder": options.out, "ran": ran, "total": plan.total, "every": plan.every, "files": store.count})
    else:
        known = f", {plan.total - ran:,} were there already" if ran < plan.total else ""
        files = f"{store.count:,} file{'s' if store.count > 1 else ''}"
        print(f"{options.out}: {plan.total:,} turns in {files} ({ran:,} run now{known})")
    return 0


def query(options: Namespace) -> int:
    """`twin atlas query DIR "SQL"`."""
    from twin.explore.atlas_query import QUESTIONS, open_atlas
    from twin.explore.atlas_table import COLUMNS

    if options.list:
        listed = {name: question.asks for name, question in QUESTIONS.items()}
        if options.json:
            print_json({"questions": listed, "columns": COLUMNS})
        else:
            _print_pairs(listed)
            print("\nColumns of `turns`, one row per ghost and turn:")
            _print_pairs(COLUMNS)
        return 0
    if options.dir is None or options.question is None:
        raise BadInputError("needs DIR and a question, in SQL or by name; --list names them", source="atlas query")
    with open_atlas(Path(options.dir)) as atlas:
        answer = atlas.ask(options.question)
        if atlas.present < atlas.files:
            print(f"twin: {options.dir} is unfinished: {atlas.present} of {atlas.files} files", file=sys.stderr)
        if options.json:
            rows = [[_plain(value) for value in row] for row in answer.rows]
            print_json({"columns": list(answer.columns), "rows": rows})
        elif options.csv:
            from twin.reports.spreadsheet import as_cells

            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(as_cells(answer.columns))
            writer.writerows(map(as_cells, takewhile(lambda _: is_read(sys.stdout), answer.rows)))
        else:
            _print_table(answer)
    return 0


def report(options: Namespace) -> int:
    """`twin atlas report DIR`."""
    from twin.explore.atlas_query import open_atlas
    from twin.explore.atlas_summary import summarise
    from twin.reports.atlas_page import page
    from twin.writing import write_whole

    folder = Path(options.dir)
    out = Path(options.out) if options.out else folder / "report.html"
    with open_atlas(folder) as atlas:
        try:
            summary = summarise(atlas)
        except BadInputError as error:
            raise error.within(source=options.dir) from None
    write_whole(out, page(summary))
    for finding in summary.findings:
        print(finding)
    tell_written(options, out)
    return 0


def _print_pairs(pairs: dict[str, str]) -> None:
    width = max(map(len, pairs))
    for name, text in pairs.items():
        print(f"  {name:<{width}}  {text}")


def _print_table(answer: Answer) -> None:
    rows = [[_word(value) for value in row] for row in islice(answer.rows, SHOWN)]
    numeric = [bool(rows) and all(_is_number(row[k]) for row in rows) for k in range(len(answer.columns))]
    widths = [max(map(len, column)) for column in zip(answer.columns, *rows, strict=True)]

    def line(words: list[str]) -> str:
        cells = zip(words, widths, numeric, strict=True)
        return "  ".join(w.rjust(width) if right else w.ljust(width) for w, width, right in cells).rstrip()

    print(paint_for(sys.stdout)(line(list(answer.columns)), "bold"))
    for row in rows:
        print(line(row))
    if not rows:
        print("(nothing)")
    if next(answer.rows, None) is not None:
        print(f"… the first {SHOWN}; --csv and --json give all")


def _word(value: object) -> str:
    return "–" if value is None else visible(" ".join(str(value).split()))


def _is_number(word: str) -> bool:
    return word == "–" or word.lstrip("-").replace(".", "", 1).replace("e-", "").isdigit()


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a database holds
    """What JSON can say; the rest as text."""
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
