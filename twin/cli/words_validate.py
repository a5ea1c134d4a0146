"""The words of `twin validate` and `twin stress`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.cli.words import (
    add_changes,
    add_json,
    add_machine,
    add_output,
    add_overwrite,
    add_seed,
    command,
    count,
    seconds,
)
from twin.cli.words_calibrate import add_region

if TYPE_CHECKING:
    from twin.cli.words import Commands

MOST: Final = 10_000_000
KINDS: Final = (
    *("thin-margin", "shove-chain", "most-fallen", "jam", "never-settles"),
    *("lifted", "tipping", "topples", "engines-differ"),
)
"""What a hunt can be after; `twin.explore.hunt.evolution.ALL_KINDS`, which takes too long to load for a parser."""


def add(commands: Commands) -> None:
    """Add both commands."""
    validate = command(
        commands, "validate", ("validate", "validate"), "put rules to the proof over many random and adversarial moves"
    )
    validate.add_argument(
        "what", metavar="let-it-happen", choices=("let-it-happen",), help="rules D3 to D5: hands off, then place"
    )
    validate.add_argument("--samples", metavar="N", type=count(MOST), default=5000, help="moves to try (default 5000)")
    add_seed(validate, "the moves")
    validate.add_argument("--out", metavar="DIR", help="save the worst cases there, as scenes, and report.html")
    add_output(validate, "--html", "write the report there, as one page", ending=".html")
    add_region(validate)
    stress = command(commands, "stress", ("stress", "stress"), "hunt for extreme positions")
    stress.add_argument(
        "--seconds",
        metavar="S",
        type=seconds,
        help="stop after so long (default 60, without limit if --count is given)",
    )
    stress.add_argument("--count", metavar="N", type=count(MOST), help="moves to try; makes a hunt repeatable")
    add_seed(stress, "the hunt")
    stress.add_argument(
        "--kind",
        metavar="KIND",
        dest="kinds",
        action="append",
        choices=KINDS,
        help=f"only {', '.join(KINDS)} (may be repeated)",
    )
    stress.add_argument("--out", metavar="DIR", help="save what is found there, as scenes")
    add_overwrite(stress)
    for sub in (validate, stress):
        add_json(sub)
        add_machine(sub, "on this machine (default reconstruction)")
        add_changes(sub)
