"""Benchmarks: `python -m benchmarks` lists them, `python -m benchmarks NAME|all [--json] [--quick]` runs them.

A benchmark is a module of this folder with a `TITLE`, `measure(*, quick)`, which returns plain values, and
`lines(result)`, which says them in words.
"""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Sequence


class Benchmark(Protocol):
    """What a module of this folder must have to count as a benchmark."""

    TITLE: str

    def measure(self, *, quick: bool) -> dict[str, object]:
        """Measure; `quick` means fewer repetitions and wider intervals."""
        ...

    def lines(self, result: dict[str, object]) -> list[str]:
        """A result in words."""
        ...


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for and print it."""
    benchmarks = discover()
    width = max(map(len, benchmarks))
    titles = "\n".join(f"  {name:<{width}}  {benchmark.TITLE}" for name, benchmark in benchmarks.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure the twin.",
        epilog=f"benchmarks:\n{titles}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="?", choices=[*benchmarks, "all"], help="which benchmark; none: list them")
    parser.add_argument("--json", action="store_true", help="print one JSON object of figures (all: by name)")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions, wider intervals")
    options = parser.parse_args(arguments)
    if options.name is None:
        print(titles)
        return 0
    results = {}
    for name in benchmarks if options.name == "all" else [options.name]:
        results[name] = benchmarks[name].measure(quick=options.quick)
        if not options.json:
            print("\n  ".join([benchmarks[name].TITLE, *benchmarks[name].lines(results[name])]), flush=True)
    if options.json:
        shown = results if options.name == "all" else results[options.name]
        print(json.dumps(shown, indent=2, ensure_ascii=False))
    return 0


def discover() -> dict[str, Benchmark]:
    """The benchmarks of this folder by name, sorted."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    modules = {name: importlib.import_module(f"benchmarks.{name}") for name in names}
    return {name: cast("Benchmark", module) for name, module in modules.items() if hasattr(module, "measure")}


if __name__ == "__main__":
    raise SystemExit(main())
