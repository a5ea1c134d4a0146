"""The words of `twin validate` and `twin stress`."""

from __future__ import annotations

import argparse
import math
from typing import Final, TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - argparse names it so

MOST: Final = 10_000_000
KINDS: Final = (
    *("thin-margin", "shove-chain", "most-fallen", "jam", "never-settles"),
    *("lifted", "tipping", "topples", "engines-differ"),
)
"""What a hunt can be after; `twin.explore.hunt.ALL_KINDS`, which takes too long to load for a parser."""


def add(commands: Commands) -> None:
    """Add both commands."""
    validate = _command(
        commands, "validate", ("validate", "validate"), "put rules to the proof over many random and adversarial moves"
    )
    validate.add_argument(
        "what", metavar="let-it-happen", choices=("let-it-happen",), help="rules D3 to D5: hands off, then place"
    )
    validate.add_argument("--samples", metavar="N", type=_count, default=5000, help="moves to try (default 5000)")
    validate.add_argument("--seed", metavar="S", type=int, default=1, help="of the moves (default 1)")
    validate.add_argument("--out", metavar="DIR", help="save the worst cases there, as scenes, and report.html")
    validate.add_argument("--html", metavar="FILE", help="write the report there, as one page")
    stress = _command(commands, "stress", ("stress", "stress"), "hunt for extreme positions")
    stress.add_argument(
        "--seconds",
        metavar="S",
        type=_seconds,
        help="stop after so long (default 60, without limit if --count is given)",
    )
    stress.add_argument("--count", metavar="N", type=_count, help="moves to try; makes a hunt repeatable")
    stress.add_argument("--seed", metavar="S", type=int, default=1, help="of the hunt (default 1)")
    stress.add_argument(
        "--kind",
        metavar="KIND",
        dest="kinds",
        action="append",
        choices=KINDS,
        help=f"only {', '.join(KINDS)} (may be repeated)",
    )
    stress.add_argument("--out", metavar="DIR", help="save what is found there, as scenes")
    for sub in (validate, stress):
        sub.add_argument("--json", action="store_true", help="print one JSON object, for programs")
        sub.add_argument("--machine", metavar="NAME", help="on this machine (default reconstruction)")
        sub.add_argument(
            "--set",
            metavar="KEY=VALUE",
            dest="changes",
            action="append",
            default=[],
            type=_change,
            help="change a value of the machine, for example friction.board=0.3 (may be repeated)",
        )
        sub.add_argument("--force", action="store_true", help="allow values outside their range")


def _command(commands: Commands, name: str, handler: tuple[str, str], text: str) -> argparse.ArgumentParser:
    sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False)
    sub.set_defaults(handler=handler)
    return sub


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= MOST:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MOST:,}; got {text!r}")
    return number


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0.0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0; got {text!r}")
    return number


def _change(text: str) -> tuple[str, float]:
    from twin.cli.parser import _change as change

    return change(text)
