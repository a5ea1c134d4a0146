"""Options that several commands share, and readers of the values on the command line."""

from __future__ import annotations

import argparse
import math
import sys
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - argparse names it so

BAD_INPUT: Final = 2
NOT_ALLOWED: Final = 3
FOUND: Final = 4
"""Exit codes: 4 where a check found something."""

MOST_SEED: Final = 10**12
MOST_SAMPLES: Final = 1_000_000
MOST_MACHINES: Final = 4096
"""Of a region; `twin.calibrate.evidence.region_machines.MOST`, which takes too long to load for a parser."""

AUTO: Final = "auto"
"""In place of a number of hands: until the verdict is decided."""


class Output(NamedTuple):
    """An option, or an argument, that names a file to write."""

    option: str
    """As messages name it."""
    dest: str
    ending: str
    """What its name must end in; '' if the command itself sees to that."""


def command(
    commands: Commands, name: str, handler: Callable[[argparse.Namespace], int], text: str
) -> argparse.ArgumentParser:
    """Add a command; `handler` does its work and returns the exit code."""
    sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False)
    sub.set_defaults(handler=handler)
    return sub


def family(commands: Commands, name: str, parts: str, text: str) -> Commands:
    """Add a command that has commands of its own, such as `atlas build`."""
    sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False)
    return sub.add_subparsers(dest="part", metavar=parts, title="parts", required=True)


def add_scene(sub: argparse.ArgumentParser) -> None:
    """SCENE."""
    sub.add_argument("scene", metavar="SCENE", help="a name (`twin scenes` lists them) or a path")


def add_json(sub: argparse.ArgumentParser) -> None:
    """--json."""
    sub.add_argument("--json", action="store_true", help="print one JSON object, for programs")


def add_machine(sub: argparse.ArgumentParser, text: str = "use this machine instead of the scene's own") -> None:
    """--machine."""
    sub.add_argument("--machine", metavar="NAME", help=text)


def add_changes(sub: argparse.ArgumentParser) -> None:
    """--set and --beyond-range."""
    sub.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest="changes",
        action="append",
        default=[],
        type=change,
        help="change a value of the machine, for example friction.board=0.3 (may be repeated)",
    )
    sub.add_argument("--beyond-range", action="store_true", help="allow values outside their range")
    add_force(sub)


def add_output(
    sub: argparse._ActionsContainer,
    name: str,
    text: str,
    metavar: str = "FILE",
    *,
    ending: str = "",
    need: bool = False,
) -> None:
    """An option (or, without dashes, an argument) for a file to write; with the first of them, --overwrite.

    `twin.cli.output_files.check_outputs` looks at them before the command computes.
    """
    outputs = sub.get_default("outputs")
    if outputs is None:
        add_overwrite(sub)
    if name.startswith("-"):
        action, shown = sub.add_argument(name, metavar=metavar, help=text, required=need), name
    else:
        action, shown = sub.add_argument(name, metavar=metavar, help=text), metavar
    sub.set_defaults(outputs=(*(outputs or ()), Output(shown, action.dest, ending)))


def add_overwrite(sub: argparse._ActionsContainer) -> None:
    """--overwrite."""
    sub.add_argument("--overwrite", action="store_true", help="replace files that are there and not empty")


def add_force(sub: argparse._ActionsContainer) -> None:
    """--force, which is no longer listed: an old word for --overwrite or --beyond-range (see `settle_force`)."""
    sub.add_argument("--force", action="store_true", help=argparse.SUPPRESS)


def settle_force(options: argparse.Namespace) -> None:
    """Give --force the meaning that it had on a command, and print today's word for it."""
    if getattr(options, "force", False):
        of_files = getattr(options, "play", False) or not hasattr(options, "beyond_range")
        word = "--overwrite" if of_files else "--beyond-range"
        setattr(options, word[2:].replace("-", "_"), True)
        print(f"twin: note: --force is an old word here; it is {word} now", file=sys.stderr)


def add_engine(sub: argparse.ArgumentParser) -> None:
    """--engine."""
    sub.add_argument(
        "--engine",
        choices=("pymunk", "kernel"),
        default="pymunk",
        help="what simulates turns and pushes: the reference (default) or the batch kernel",
    )


def add_seed(sub: argparse.ArgumentParser, of: str, *, natural: bool = False) -> None:
    """--seed; `of` names what is drawn with it; `natural` where it must not be negative."""
    kind = count(MOST_SEED, 0) if natural else int
    sub.add_argument("--seed", metavar="S", type=kind, default=1, help=f"of {of} (default 1)")


def add_samples(sub: argparse.ArgumentParser, text: str, *, default: int | str | None = None, least: int = 1) -> None:
    """--samples, a number or `auto`, and --seed."""
    sub.add_argument("--samples", metavar="N", type=hands(least), default=default, help=text)
    add_seed(sub, "the varied hands")


def add_region(sub: argparse.ArgumentParser) -> None:
    """--machines region:N."""
    sub.add_argument(
        "--machines",
        metavar="region:N",
        type=region,
        help="what holds for N machines that do all that the rulebook says, and which outcomes for every one of them",
    )


def add_pictures(sub: argparse.ArgumentParser, text: str) -> None:
    """--png and --html."""
    add_output(sub, "--png", text, ending=".png")
    add_output(sub, "--html", "write one page with pictures and tables", ending=".html")


def count(most: int = MOST_SAMPLES, least: int = 1) -> Callable[[str], int]:
    """Reads whole numbers between these."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most:,}; got {text!r}")
        return value

    return read


def hands(least: int = 1) -> Callable[[str], int | str]:
    """Reads a number of hands, or `auto`."""
    read_count = count(least=least)

    def read(text: str) -> int | str:
        if text == AUTO:
            return AUTO
        try:
            return read_count(text)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(str(error).replace("must be", f"must be {AUTO} or", 1)) from None

    return read


def number(wanted: str, fits: Callable[[float], bool]) -> Callable[[str], float]:
    """Reads a number that `fits`, which must be false of NaN; `wanted` names such a number in the error message."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not fits(value):
            raise argparse.ArgumentTypeError(f"must be {wanted}; got {text!r}")
        return value

    return read


def change(text: str) -> tuple[str, float]:
    """Reads KEY=VALUE."""
    key, equals, value = text.partition("=")
    try:
        new = float(value)
    except ValueError:
        new = math.nan
    if not (key and equals) or not math.isfinite(new):
        raise argparse.ArgumentTypeError(
            f"must be KEY=VALUE with a finite number, like friction.board=0.3; got {text!r}"
        )
    return key.strip(), new


def keys(text: str) -> tuple[str, ...]:
    """Reads keys of a machine's values, set apart by commas."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found:
        raise argparse.ArgumentTypeError(f"must be keys like friction.board,magnet.gap; got {text!r}")
    return found


def region(text: str) -> int:
    """Reads region:N; returns N."""
    kind, colon, size = text.partition(":")
    if kind != "region" or not colon:
        raise argparse.ArgumentTypeError(f"must be region:N, for example region:50; got {text!r}")
    return count(MOST_MACHINES)(size)


def placing(text: str) -> dict[str, str]:
    """Reads GHOST=SPACE pairs, set apart by commas."""
    choice: dict[str, str] = {}
    for part in text.split(","):
        ghost, equals, space = part.partition("=")
        if not (ghost and equals and space) or ghost.strip() in choice:
            raise argparse.ArgumentTypeError(f"must be like red=c5,blue=a1, each ghost once; got {text!r}")
        choice[ghost.strip()] = space.strip()
    return choice
