"""The words of `calibrate rulebook` and `sensitivity`, and the option `--machines`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from twin.cli import words_fit
from twin.cli.words import (
    add_changes,
    add_json,
    add_machine,
    add_output,
    add_pictures,
    add_seed,
    command,
    count,
    family,
)

if TYPE_CHECKING:
    from twin.cli.words import Commands

MOST: Final = 1_000_000


def add(commands: Commands) -> None:
    """Add `calibrate` with its parts, and `sensitivity`."""
    parts = family(commands, "calibrate", "PART", "learn about a machine from what is known or measured of a board")
    text = "find which machines do all that the rulebook says, and what is left of the ranges"
    rulebook = command(parts, "rulebook", ("calibrate", "rulebook"), text)
    rulebook.add_argument(
        "--machines", metavar="N", type=count(MOST), default=4096, help="drawn from the ranges (default 4096)"
    )
    add_seed(rulebook, "the machines", natural=True)
    rulebook.add_argument("--evidence", metavar="FILE", default="rulebook", help="other facts than the rulebook's")
    add_json(rulebook)
    add_pictures(rulebook, "draw what is left, by pairs of values")
    add_output(rulebook, "--csv", "write all machines, and which facts each of them does", ending=".csv")
    add_machine(rulebook, "whose ranges (default reconstruction); values given by --set are not varied")
    add_changes(rulebook)
    words_fit.add_to(parts)
    text = "tell which assumed values matter for outcomes, and which do not"
    sensitivity = command(commands, "sensitivity", ("sensitivity", "sensitivity"), text)
    what = sensitivity.add_mutually_exclusive_group()
    what.add_argument("--scene", metavar="SCENE", nargs="+", dest="scenes", help="the moves that scenes are about")
    what.add_argument(
        "--positions", metavar="N", type=count(10_000), help="random positions, each with a turn and a push (default 8)"
    )
    text = "points of the design, best a power of 2 (default 256)"
    sensitivity.add_argument("--samples", metavar="N", type=count(MOST), default=256, help=text)
    sensitivity.add_argument(
        "--parameters",
        metavar="KEY,KEY…",
        type=words_fit.names,
        help="only these values (default: all that are assumed)",
    )
    add_seed(sensitivity, "the design, the positions and the hands", natural=True)
    add_json(sensitivity)
    add_pictures(sensitivity, "draw how much each value matters")
    add_machine(sensitivity, "whose ranges (default reconstruction, or the scenes' own); --set fixes values")
    add_changes(sensitivity)


def add_region(sub: argparse.ArgumentParser) -> None:
    """--machines region:N, on a command that `twin.cli.region` has a function of the same name for."""
    sub.add_argument(
        "--machines",
        metavar="region:N",
        type=region,
        action=_OverRegion,
        help="what holds for N machines that do all that the rulebook says, and which outcomes for every one of them",
    )


class _OverRegion(argparse.Action):
    """Leaves the command to `twin.cli.region`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002 - as argparse calls it
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        setattr(namespace, self.dest, values)
        namespace.handler = ("region", namespace.handler[1])


def region(text: str) -> int:
    """Reads region:N; returns N."""
    kind, colon, number = text.partition(":")
    if kind != "region" or not colon:
        raise argparse.ArgumentTypeError(f"must be region:N, for example region:50; got {text!r}")
    return count(words_fit.MOST_MACHINES)(number)
