"""Long trials, each on its own or all one after the other:

    python -m tests.long [--scale 0.01] [--seed 1] [mutants] [bombs] [kernel] [games] [kills]

They print what they do and what they measure, and end with exit code 4 if they find something that must not be.
"""  # noqa: D400, D415 - the first line leads on to the command

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Final

from tests.long.trial import CORES, Trial

PARTS: Final[dict[str, tuple[str, str]]] = {
    "mutants": ("mutants", "structure-aware mutants of files, over all readers"),
    "bombs": ("bombs", "files made to take time or memory"),
    "kernel": ("kernel_moves", "random moves on random machines, kernel and reference engine"),
    "games": ("whole_games", "whole random games"),
    "kills": ("kills", "kills of every command that writes"),
}
"""The module of each trial, and what it tries."""


def main() -> int:
    """Run the trials that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.long", description="Long trials of the twin.")
    told = "; ".join(f"{name}: {what}" for name, (_, what) in PARTS.items())
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"all if none is named ({told})")
    parser.add_argument("--scale", type=float, default=1.0, help="of the full size (1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=CORES, metavar="N", help="processes that share the work")
    options = parser.parse_args()
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"no trial {unknown[0]!r}; there are {', '.join(PARTS)}")
    findings = 0
    for part in options.parts or PARTS:
        say(f"{part}: {PARTS[part][1]}, scale {options.scale:g}, seed {options.seed}")
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(Path(folder), options.scale, options.seed, options.workers, lambda line: say(f"  {line}"))
            import_module(f"tests.long.{PARTS[part][0]}").run(trial)
        say(f"{part}: {len(trial.findings)} findings, {time.perf_counter() - start:.0f} s")
        findings += len(trial.findings)
    return 4 if findings else 0


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
