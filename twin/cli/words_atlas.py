"""The words of `twin atlas`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.cli.words import add_changes, add_json, add_output, command, count, family

if TYPE_CHECKING:
    from twin.cli.words import Commands

LARGEST: Final = 100_000
"""Turns in one file at most: more would need more than a gigabyte of memory."""
MOST: Final = 10**12
"""More turns than there are; seeds too."""


def add(commands: Commands) -> None:
    """Add `atlas` with its subcommands."""
    text = "run every turn there is, keep the outcomes as a table, and ask it"
    parts = family(commands, "atlas", "build|query|report|verify", text)
    _build(parts)
    _query(parts)
    _report(parts)
    _verify(parts)


def _build(parts: Commands) -> None:
    build = command(
        parts,
        "build",
        ("atlas", "build"),
        "run turns from all positions and slider settings into a folder of Parquet files",
    )
    build.add_argument("--out", metavar="DIR", required=True, help="the folder; must be empty, or --resume")
    build.add_argument("--ghosts", metavar="N", type=int, choices=range(1, 5), required=True, help="1 to 4")
    build.add_argument("--limit", metavar="K", type=count(MOST), help="only the first K turns")
    build.add_argument("--sample", metavar="K", type=count(MOST), help="K different turns, drawn at random from all")
    build.add_argument("--seed", metavar="S", type=count(MOST, 0), default=1, help="of --sample (default 1)")
    build.add_argument("--flips", action="store_true", help="with sliders turned end for end, too")
    build.add_argument(
        "--resume", action="store_true", help="go on with an atlas that was interrupted, or add turns to it"
    )
    build.add_argument(
        "--cluster",
        metavar="local|ADDRESS",
        help="run in a process per core, or on a Dask cluster: its scheduler's address",
    )
    build.add_argument("--machine", metavar="NAME", default="reconstruction", help="a name or a path")
    build.add_argument(
        "--partition",
        metavar="K",
        type=count(LARGEST),
        default=20_000,
        help="turns per file, which are in memory at once (default 20,000; at most 100,000)",
    )
    add_changes(build)
    add_json(build)


def _query(parts: Commands) -> None:
    query = command(
        parts,
        "query",
        ("atlas", "query"),
        "ask an atlas in SQL, over the view `turns`, or a ready-made question by name",
    )
    query.add_argument("dir", metavar="DIR", nargs="?", help="the atlas")
    query.add_argument(
        "question", metavar='"SQL"|NAME', nargs="?", help="for example safe-spaces, or 'where do ghosts fall?'"
    )
    query.add_argument("--list", action="store_true", help="list the ready-made questions and the columns of `turns`")
    form = query.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    form.add_argument("--csv", action="store_true", help="print comma-separated values, for spreadsheets")


def _report(parts: Commands) -> None:
    report = command(
        parts, "report", ("atlas", "report"), "write a page with heat maps and findings, to be opened in a browser"
    )
    report.add_argument("dir", metavar="DIR", help="the atlas")
    add_output(report, "--out", "the page (default: report.html in DIR, which is replaced)")


def _verify(parts: Commands) -> None:
    verify = command(
        parts, "verify", ("atlas", "verify"), "hold all files against the hashes that were taken when they were written"
    )
    verify.add_argument("dir", metavar="DIR", help="the atlas")
    add_json(verify)
