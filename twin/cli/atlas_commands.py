"""The command `atlas`: `build`, `query`, `report` and `verify`."""

from __future__ import annotations

import csv
import shutil
import sys
from contextlib import ExitStack
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from twin.cli.console import is_read
from twin.cli.options import FOUND, add_changes, add_json, add_output, command, count, family
from twin.cli.output import Progress, announce_compiling, paint_for, print_json, print_lines
from twin.cli.output_files import tell_written
from twin.cli.scenes import machine_of
from twin.errors import BadInputError, visible

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from twin.cli.options import Commands
    from twin.explore.atlas.build import Maker, Written
    from twin.explore.atlas.queries import AnswerRows
    from twin.explore.atlas.store import Files, StoreSurvey

LARGEST: Final = 100_000
"""Turns in one file at most: more would need more than a gigabyte of memory."""
MOST: Final = 10**12
"""More turns than there are; seeds too."""
SHOWN = 200
"""Rows of an answer that people see; --csv and --json give all."""
GB = 1e9
WORTH_KNOWING = GB
"""Bytes from which on a build notes how large its atlas will be."""


def add(commands: Commands) -> None:
    """Add `atlas` with its subcommands."""
    text = "run every turn there is, keep the outcomes as a table, and ask it"
    parts = family(commands, "atlas", "build|query|report|verify", text)
    _build_options(parts)
    _query_options(parts)
    _report_options(parts)
    _verify_options(parts)


def _build_options(parts: Commands) -> None:
    sub = command(
        parts,
        "build",
        build,
        "run turns from all positions and slider settings into a folder of Parquet files",
    )
    sub.add_argument("--out", metavar="DIR", required=True, help="the folder; must be empty, or --resume")
    sub.add_argument("--ghosts", metavar="N", type=int, choices=range(1, 5), required=True, help="1 to 4")
    sub.add_argument("--limit", metavar="K", type=count(MOST), help="only the first K turns")
    sub.add_argument("--sample", metavar="K", type=count(MOST), help="K different turns, drawn at random from all")
    sub.add_argument("--seed", metavar="S", type=count(MOST, 0), default=1, help="of --sample (default 1)")
    sub.add_argument("--flips", action="store_true", help="with sliders turned end for end, too")
    sub.add_argument(
        "--resume", action="store_true", help="go on with an atlas that was interrupted, or add turns to it"
    )
    sub.add_argument(
        "--cluster",
        metavar="local|ADDRESS",
        help="run in a process per core, or on a Dask cluster: its scheduler's address",
    )
    sub.add_argument("--machine", metavar="NAME", default="reconstruction", help="a name or a path")
    sub.add_argument(
        "--partition",
        metavar="K",
        type=count(LARGEST),
        default=20_000,
        help="turns per file, which are in memory at once (default 20,000; at most 100,000)",
    )
    add_changes(sub)
    add_json(sub)


def _query_options(parts: Commands) -> None:
    sub = command(
        parts,
        "query",
        query,
        "ask an atlas in SQL, over the view `turns`, or a ready-made question by name",
    )
    sub.add_argument("dir", metavar="DIR", nargs="?", help="the atlas")
    sub.add_argument(
        "question", metavar='"SQL"|NAME', nargs="?", help="for example safe-spaces, or 'where do ghosts fall?'"
    )
    sub.add_argument("--list", action="store_true", help="list the ready-made questions and the columns of `turns`")
    form = sub.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    form.add_argument("--csv", action="store_true", help="print comma-separated values, for spreadsheets")


def _report_options(parts: Commands) -> None:
    sub = command(parts, "report", report, "write a page with heat maps and findings, to be opened in a browser")
    sub.add_argument("dir", metavar="DIR", help="the atlas")
    add_output(sub, "--out", "the page (default: report.html in DIR, which is replaced)")


def _verify_options(parts: Commands) -> None:
    sub = command(parts, "verify", verify, "hold all files against the hashes that were taken when they were written")
    sub.add_argument("dir", metavar="DIR", help="the atlas")
    add_json(sub)


def build(options: Namespace) -> int:
    """`twin atlas build --out DIR --ghosts N`."""
    from twin.explore.atlas.build import write_atlas
    from twin.explore.atlas.contents import Plan
    from twin.explore.atlas.store import open_store

    plan = Plan(
        machine_of(options, options.machine),
        ghosts=options.ghosts,
        flips=options.flips,
        sample=options.sample,
        seed=options.seed,
        limit=options.limit,
    )
    announce_compiling()
    with ExitStack() as stack:
        make = stack.enter_context(_elsewhere(options.cluster)) if options.cluster else None
        store = stack.enter_context(open_store(Path(options.out), plan, resume=options.resume, size=options.partition))
        survey = store.survey(_checking())
        _print_survey(store, survey)
        ran, progress = 0, Progress(store.left(survey), "turns")
        progress(0)
        try:
            for written in write_atlas(store, make, survey):
                if not ran:
                    _print_size(options.out, written)
                ran += written.turns
                progress(ran)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"{ran:,} turns were added to {options.out}; --resume goes on from there") from None
    if options.json:
        print_json({"folder": options.out, "ran": ran, "total": plan.total, "every": plan.every, "files": store.count})
    else:
        known = f", {plan.total - ran:,} were there already" if ran < plan.total else ""
        print(f"{options.out}: {plan.total:,} turns in {_files(store.count)} ({ran:,} run now{known})")
    return 0


def _elsewhere(place: str) -> AbstractContextManager[Maker]:
    """What runs the turns if this process does not."""
    if place == "local":
        from twin.explore.atlas.local_processes import on_processes

        return on_processes()
    from twin.explore.atlas.cluster import on_cluster

    return on_cluster(place)


def query(options: Namespace) -> int:
    """`twin atlas query DIR "SQL"`."""
    from twin.explore.atlas.queries import QUESTIONS, open_atlas
    from twin.explore.atlas.turn_table import COLUMNS

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
    with open_atlas(Path(options.dir), _checking()) as atlas:
        answer = atlas.ask(options.question)
        if atlas.present < atlas.files:
            _note(f"{options.dir} is unfinished: {atlas.present} of {atlas.files} files")
        _print_unhashed(options.dir, atlas.unhashed)
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
    from twin.explore.atlas.queries import open_atlas
    from twin.explore.atlas.summary import summarise
    from twin.reports.atlas_page import page
    from twin.writing import write_whole

    folder = Path(options.dir)
    out = Path(options.out) if options.out else folder / "report.html"
    with open_atlas(folder, _checking()) as atlas:
        _print_unhashed(options.dir, atlas.unhashed)
        try:
            summary = summarise(atlas)
        except BadInputError as error:
            raise error.within(source=options.dir) from None
    write_whole(out, page(summary))
    print_lines(summary.findings)
    tell_written(options, out)
    return 0


def verify(options: Namespace) -> int:
    """`twin atlas verify DIR`."""
    from twin.explore.atlas.manifest import read_manifest
    from twin.explore.atlas.store import MENDING, file_name, files_of

    folder = Path(options.dir)
    files = files_of(folder, read_manifest(folder))
    survey = files.survey(_checking())
    damaged = {file_name(number): problem for number, problem in survey.damaged.items()}
    lost = [file_name(number) for number in survey.lost]
    fine = len(survey.present) - len(damaged) - len(survey.unhashed)
    never = files.count - len(survey.present) - len(lost)
    if options.json:
        print_json(
            {
                "folder": options.dir,
                "files": files.count,
                "fine": fine,
                "damaged": damaged,
                "missing": lost,
                "without_hash": len(survey.unhashed),
                "not_made_yet": never,
            }
        )
        return FOUND if damaged or lost else 0
    missing = dict.fromkeys(lost, "is missing: it was deleted, or its build was killed")
    problems = [f"{name}: {problem}" for name, problem in (damaged | missing).items()]
    print_lines(problems[:SHOWN])
    if len(problems) > SHOWN:
        print(f"… the first {SHOWN} of {len(problems):,}; --json gives all")
    counts = {
        "damaged": len(damaged),
        "missing": len(lost),
        "without a hash": len(survey.unhashed),
        "not made yet": never,
    }
    rest = "".join(f", {count:,} {what}" for what, count in counts.items() if count)
    print(f"{options.dir}: {fine:,} of {files.count:,} files are as they were written{rest}")
    _print_unhashed(options.dir, len(survey.unhashed))
    if problems:
        print(MENDING)
    return FOUND if problems else 0


def _checking() -> Callable[[int, int], None]:
    """Shows how many files have been held against their hashes."""
    bars: list[Progress] = []

    def heard(done: int, of: int) -> None:
        if not bars:
            bars.append(Progress(of, "files checked"))
        bars[0](done)

    return heard


def _files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"


def _note(text: str) -> None:
    print(f"twin: {text}", file=sys.stderr)


def _print_unhashed(folder: str, count: int) -> None:
    """Note that damage to some files would go unnoticed."""
    if count:
        _note(
            f"{folder}: {_files(count)} of an earlier version without a hash: damage would go unnoticed; "
            "`twin atlas build --resume` takes them as they are and adds their hashes"
        )


def _print_survey(store: Files, survey: StoreSurvey) -> None:
    """Note what an atlas that goes on has lost, and which files are taken on trust."""
    from twin.explore.atlas.store import file_name
    from twin.files import FEW

    again = [file_name(number) for number in (*survey.damaged, *survey.lost)]
    if again:
        more = f" and {len(again) - FEW:,} more" if len(again) > FEW else ""
        _note(f"damaged or missing, made anew: {', '.join(again[:FEW])}{more}")
    if survey.unhashed:
        _note(
            f"{store.folder}: {_files(len(survey.unhashed))} of an earlier version without a hash: taken as they are, "
            "damage is noticed from now on"
        )


def _print_size(folder: str, first: Written) -> None:
    """Note how large an atlas gets, by its first file, if that is worth knowing before it is there."""
    rest = first.bytes * first.left // first.turns
    free = shutil.disk_usage(folder).free
    if rest < WORTH_KNOWING and rest < free:
        return
    lacking = "" if rest < free else f", and only {free / GB:,.1f} GB are free there"
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    _note(f"{folder} will take about {rest / GB:,.1f} GB more{lacking}")


def _print_pairs(pairs: dict[str, str]) -> None:
    width = max(map(len, pairs))
    for name, text in pairs.items():
        print(f"  {name:<{width}}  {text}")


def _print_table(answer: AnswerRows) -> None:
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
    """A value as JSON has it; one that JSON does not know, as text."""
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
