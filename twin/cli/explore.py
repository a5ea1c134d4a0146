"""Commands that look at many moves: `explore`, `reach` and `compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from twin.board.machine import load_machine
from twin.board.state import parse_space
from twin.cli.files import tell_written
from twin.cli.output import Progress, announce_compiling, heading, print_json
from twin.cli.scenes import changed, load
from twin.cli.words import AUTO
from twin.errors import BadInputError
from twin.explore.compare import compare as compare_machines
from twin.explore.reach import reach as ways_to
from twin.explore.survey import MOST_BY_PYMUNK, steps, survey
from twin.reports.exploring import (
    comparison_json,
    comparison_lines,
    hands_words,
    reached_json,
    reached_lines,
    survey_json,
    survey_rows,
    table,
)
from twin.stats import HAND
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable


def explore(options: Namespace) -> int:
    """`twin explore SCENE`: every move of a position and what it does."""
    _require_charts(options)
    scene = load(options)
    announce_compiling()
    samples = None if options.samples == AUTO else options.samples
    progress = Progress(steps(scene, samples), "runs")
    found = survey(scene, samples=samples, seed=options.seed, progress=progress)

    def png() -> bytes:
        from twin.reports.survey_chart import survey_png

        return survey_png(found)

    def page() -> str:
        from twin.reports.survey_page import survey_page

        return survey_page(found)

    _write(options, png, page)
    if options.json:
        print_json(survey_json(found))
    else:
        hands = f"{hands_words(found)}, up to {MOST_BY_PYMUNK} for others"
        heading(f"{scene.title}: every move, {hands} (seed {found.seed})")
        print(HAND)
        for line in table(survey_rows(found)):
            print(line)
    tell_written(options, options.png, options.html)
    return 0


def reach(options: Namespace) -> int:
    """`twin reach SCENE GHOST SPACE`: the surest ways for a ghost to a space."""
    scene = load(options)
    if options.ghost not in scene.state.colours:
        problem = f"must be one of {', '.join(scene.state.colours)}; got {options.ghost!r}"
        raise BadInputError(problem, field="GHOST")
    try:
        space = parse_space(options.space)
    except BadInputError as error:
        raise error.within(field="SPACE") from None
    announce_compiling()
    found = ways_to(
        scene,
        options.ghost,
        space,
        moves=options.moves,
        samples=None if options.samples == AUTO else options.samples,
        seed=options.seed,
        relocations=not options.no_relocate,
        progress=Progress(options.moves, "moves ahead"),
    )
    if options.json:
        print_json(reached_json(found))
        return 0
    heading(f"{scene.title}: {found.ghost} to {found.space}")
    if found.ways:
        print(HAND)
    for line in reached_lines(found):
        print(line)
    return 0


def compare(options: Namespace) -> int:
    """`twin compare MACHINE_A MACHINE_B`: where two machines differ."""
    _require_charts(options)
    first, second = (changed(load_machine(name), options) for name in (options.first, options.second))
    announce_compiling()
    progress = Progress(6 * options.positions, "runs")
    found = compare_machines(first, second, positions=options.positions, seed=options.seed, progress=progress)

    def png() -> bytes:
        from twin.reports.chart import comparison_png

        return comparison_png(found)

    def page() -> str:
        from twin.reports.survey_page import comparison_page

        return comparison_page(found)

    _write(options, png, page)
    if options.json:
        print_json(comparison_json(found))
    else:
        heading(f"{first.name} and {second.name} on {found.positions} random positions (seed {found.seed})")
        for line in comparison_lines(found):
            print(line)
    tell_written(options, options.png, options.html)
    return 0


def _require_charts(options: Namespace) -> None:
    """Raise before anything is computed if what draws is wanted and not installed."""
    if options.png or options.html:
        from twin.reports.chart import require_charts

        require_charts()


def _write(options: Namespace, png: Callable[[], bytes], page: Callable[[], str]) -> None:
    if options.png:
        write_whole(Path(options.png), png())
    if options.html:
        write_whole(Path(options.html), page())
