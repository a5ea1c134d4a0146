"""The words of `calibrate fit`, `calibrate plan` and `calibrate check`."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Final

from twin.cli.words import add_json, add_output, add_seed, command, count

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.cli.words import Commands

MOST_EXPERIMENTS: Final = 40
MOST_MACHINES: Final = 4096
"""Of a region; `twin.calibrate.evidence.region_machines.MOST`, which takes too long to load for a parser."""


def add_to(subcommands: Commands) -> None:
    """Add the three parts to `calibrate`."""
    _fit(subcommands)
    _plan(subcommands)
    _check(subcommands)


def _fit(parts: Commands) -> None:
    fit = command(parts, "fit", ("fit", "fit"), "fit a machine to what was measured on a board")
    fit.add_argument("measurements", metavar="MEASUREMENTS.csv", help="columns trial,scene,move,ghost,x,y,space")
    fit.add_argument("--bench", metavar="FILE.csv", help="bench measurements: columns quantity,value,unit,sd")
    fit.add_argument(
        "--parameters",
        metavar="KEY,KEY…",
        type=names,
        help="values to fit (default friction.board, magnet.remanence, magnet.gap, ghost.radius and spread.place)",
    )
    add_seed(fit, "the fit", natural=True)
    fit.add_argument(
        "--machine", metavar="NAME", help="the machine to begin with (default: the one that the scenes name)"
    )
    add_output(fit, "--out", "the machine file to write", "MACHINE.toml", ending=".toml", need=True)
    add_output(fit, "--html", "the page with plots (default: beside --out)", ending=".html")
    _reading(fit)
    add_json(fit)


def _plan(parts: Commands) -> None:
    plan = command(parts, "plan", ("fit", "plan"), "tell which turns and pushes to try next, as a sheet to print")
    plan.add_argument("--count", metavar="N", type=count(MOST_EXPERIMENTS), default=10, help="experiments (default 10)")
    source = plan.add_mutually_exclusive_group()
    source.add_argument(
        "--machine",
        metavar="NAME",
        help="what is known so far: a machine and its ranges (default reconstruction, or what --measurements names)",
    )
    source.add_argument(
        "--region", metavar="N", type=count(MOST_MACHINES, 16), help="N machines that do all that the rulebook says"
    )
    plan.add_argument("--measurements", metavar="FILE.csv", help="what was measured already; fitted first")
    plan.add_argument("--parameters", metavar="KEY,KEY…", type=names, help="values to learn about (default as fit)")
    add_seed(plan, "the experiments", natural=True)
    add_output(plan, "--out", "the sheet; CSV and scenes go beside it", "SHEET.html", ending=".html")
    _reading(plan)
    add_json(plan)


def _check(parts: Commands) -> None:
    check = command(parts, "check", ("fit", "check"), "score a machine on measurements that it has not seen")
    check.add_argument("machine", metavar="MACHINE.toml", help="a machine, by name or path")
    check.add_argument("measurements", metavar="MEASUREMENTS.csv", help="columns trial,scene,move,ghost,x,y,space")
    check.add_argument("--samples", metavar="N", type=count(100_000), default=512, help="hands (default 512)")
    add_seed(check, "the hands", natural=True)
    add_output(check, "--html", "write a page with the calibration curve and all rows", ending=".html")
    _reading(check)
    add_json(check)


def _reading(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--noise", metavar="MM", type=_number(0.05, 20.0), default=1.0, help="error of a measured place (default 1 mm)"
    )
    sub.add_argument(
        "--misread", metavar="P", type=_number(0.001, 0.5), default=0.02, help="share of misread rows (default 0.02)"
    )


def names(text: str) -> tuple[str, ...]:
    """Reads keys, set apart by commas."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found:
        raise argparse.ArgumentTypeError(f"must be keys like friction.board,magnet.gap; got {text!r}")
    return found


def _number(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"must be a number from {low:g} to {high:g}; got {text!r}")
        return number

    return read
