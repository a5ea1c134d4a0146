"""Commands that look at many moves: `explore`, `reach` and `compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.cli.options import (
    AUTO,
    add_changes,
    add_json,
    add_machine,
    add_pictures,
    add_region,
    add_samples,
    add_scene,
    add_seed,
    command,
    count,
)
from twin.cli.output import Progress, announce_compiling, heading, print_json, print_lines
from twin.cli.output_files import tell_written, write_pictures
from twin.cli.scenes import check_ghost, load, machine_of
from twin.errors import BadInputError
from twin.stats import HAND

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.cli.options import Commands


def add(commands: Commands) -> None:
    """Add the commands to the parser's."""
    sub = command(commands, "explore", explore, "list every move of a position and how likely what it does is")
    add_scene(sub)
    add_samples(
        sub,
        "varied hands for each turn and push, at most 75 for a drag; auto (default): 100 to 2,000, until it is decided",
        default=AUTO,
    )
    add_json(sub)
    add_pictures(sub, "draw a board for each turn and push, for each ghost's drags, each slider's relocations")
    add_machine(sub)
    add_changes(sub)
    add_region(sub)
    sub = command(commands, "reach", reach, "find the surest ways for a ghost to a space")
    add_scene(sub)
    sub.add_argument("ghost", metavar="GHOST", help="red, yellow, green or blue: the player's own, which it may drag")
    sub.add_argument("space", metavar="SPACE", help="where it should go, for example c5")
    sub.add_argument(
        "--moves", metavar="K", type=int, choices=(1, 2, 3), default=3, help="at most so many, 1 to 3 (default 3)"
    )
    add_samples(
        sub,
        "varied hands for the first move, and plays of each way (default 200); auto: plays until each way is decided",
        default=200,
    )
    sub.add_argument("--no-relocate", action="store_true", help="leave out moving sliders to other tunnels")
    add_json(sub)
    add_machine(sub)
    add_changes(sub)
    sub = command(commands, "compare", compare, "find where two machines differ, on the same random positions")
    sub.add_argument("first", metavar="MACHINE_A", help="a name or a path")
    sub.add_argument("second", metavar="MACHINE_B", help="another one")
    sub.add_argument(
        "--positions", metavar="N", type=count(), default=500, help="each with one turn and one push (default 500)"
    )
    add_seed(sub, "the positions")
    add_json(sub)
    add_pictures(sub, "draw the firmest examples")
    add_changes(sub)


def explore(options: Namespace) -> int:
    """`twin explore SCENE`: every move of a position and what it does."""
    from twin.explore.survey import MOST_BY_PYMUNK, steps, survey
    from twin.reports.exploring import hands_words, survey_json, survey_rows, table

    if options.machines is not None:
        from twin.cli import over_region

        return over_region.explore(options)
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

    write_pictures(options, png, page)
    if options.json:
        print_json(survey_json(found))
    else:
        hands = f"{hands_words(found)}, up to {MOST_BY_PYMUNK} for others"
        heading(f"{scene.title}: every move, {hands} (seed {found.seed})")
        print(HAND)
        print_lines(table(survey_rows(found)))
    tell_written(options, options.png, options.html)
    return 0


def reach(options: Namespace) -> int:
    """`twin reach SCENE GHOST SPACE`: the surest ways for a ghost to a space."""
    from twin.board.state import parse_space
    from twin.explore.reach import reach as ways_to
    from twin.reports.exploring import reached_json, reached_lines

    scene = load(options)
    check_ghost(scene, options.ghost, "GHOST")
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
    print_lines(reached_lines(found))
    return 0


def compare(options: Namespace) -> int:
    """`twin compare MACHINE_A MACHINE_B`: where two machines differ."""
    from twin.explore.compare import compare as compare_machines
    from twin.reports.exploring import comparison_json, comparison_lines

    _require_charts(options)
    first, second = (machine_of(options, name) for name in (options.first, options.second))
    announce_compiling()
    progress = Progress(6 * options.positions, "runs")
    found = compare_machines(first, second, positions=options.positions, seed=options.seed, progress=progress)

    def png() -> bytes:
        from twin.reports.chart import comparison_png

        return comparison_png(found)

    def page() -> str:
        from twin.reports.survey_page import comparison_page

        return comparison_page(found)

    write_pictures(options, png, page)
    if options.json:
        print_json(comparison_json(found))
    else:
        heading(f"{first.name} and {second.name} on {found.positions} random positions (seed {found.seed})")
        print_lines(comparison_lines(found))
    tell_written(options, options.png, options.html)
    return 0


def _require_charts(options: Namespace) -> None:
    """Raise before anything is computed if what draws is wanted and not installed."""
    if options.png or options.html:
        from twin.reports.chart import require_charts

        require_charts()
