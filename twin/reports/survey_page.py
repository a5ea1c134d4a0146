"""Surveys and comparisons as one HTML page that needs nothing else: styles and pictures are inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twin.board.moves import Push, Turn
from twin.drawing.board_svg import Boards
from twin.explore.survey import MOST_BY_PYMUNK
from twin.outcome.ensemble import OFF
from twin.reports.chart import NOTE, arrows_of, ending_words, sure_spread
from twin.reports.exploring import (
    comparison_summary,
    example_words,
    hands_words,
    share_words,
    survey_rows,
)
from twin.reports.html_page import html_page
from twin.reports.survey_chart import panel_lines, panels_of, spread_of
from twin.stats import HAND
from twin.stats import share_words as counted

if TYPE_CHECKING:
    from twin.explore.compare import Comparison, Example
    from twin.explore.survey import Option, Survey
    from twin.reports.survey_chart import Panel


def survey_page(survey: Survey) -> str:
    """A card with a board for each turn and push and for each ghost's drags; a table of drags and relocations."""
    sampled = [option for option in survey.options if isinstance(option.move, Turn | Push)]
    boards = Boards()
    panels = [_panel(survey, panel, boards) for panel in panels_of(survey)]
    scene = survey.scene
    note = (
        f"Machine {scene.machine.name}, seed {survey.seed}: {hands_words(survey)} on the batch kernel. Drags and "
        "relocations that could move a ghost: the nominal hand and, where the rules allow them, up to "
        f"{MOST_BY_PYMUNK} varied ones on pymunk. {HAND} Intervals are Wilson's, 95 %. Arrows lead to the space of the "
        "board on which a ghost ends, as wide as that is likely; the board is drawn as it lies before the move."
    )
    return html_page(
        "survey",
        f"{scene.title}: what each move does",
        note=note,
        pieces=boards.pieces(),
        sampled=panels[: len(sampled)],
        others=panels[len(sampled) :],
        rows=survey_rows(survey)[len(sampled) :],
    )


def comparison_page(comparison: Comparison) -> str:
    """The shares that differ, the pairs of fates, and pictures of the firmest examples."""
    first, second = (machine.name for machine in comparison.machines)
    note = (
        f"{comparison.positions} random positions (seed {comparison.seed}), each with one turn and one push by the "
        "nominal hand, on the batch kernel. Intervals are Wilson's, 95 %."
    )
    shares = [
        (kind, f"{share.hits} of {share.trials}", share_words(share), share_words(hand))
        for (kind, share), (_, hand) in zip(comparison.moves, comparison.hand, strict=True)
    ]
    ghosts = comparison.ghosts
    shares.append(("ghosts", f"{ghosts.hits} of {ghosts.trials}", share_words(ghosts), ""))
    boards = Boards()
    examples = [
        (example_words(example, comparison), [_example(comparison, example, side, boards) for side in (0, 1)])
        for example in comparison.examples
    ]
    return html_page(
        "comparison",
        f"{first} and {second} compared",
        first=first,
        second=second,
        note=note,
        summary=comparison_summary(comparison),
        shares=shares,
        fates=[(a, b, str(count), str(differ)) for (a, b), count, differ in comparison.fates],
        examples=examples,
        pieces=boards.pieces(),
        arrows=NOTE,
    )


def _panel(survey: Survey, panel: Panel, boards: Boards) -> dict[str, Any]:
    """What the template shows of moves on one board."""
    state, machine = survey.scene.state, survey.scene.machine
    first = panel.options[0]
    arrows = [a for option in panel.options for a in arrows_of(state, machine, spread_of(option))]
    moves = [option.move for option in panel.options]
    single = isinstance(first.move, Turn | Push)
    return {
        "kind": "barred" if panel.broken else "chancy" if panel.chancy else "",
        "title": panel.title,
        "picture": boards.board(state, machine, panel.title, moves=moves, arrows=arrows),
        "lines": panel_lines(panel, survey),
        "reasons": first.reasons if single else (),
        "ends": _ends(first) if single else [],
    }


def _example(comparison: Comparison, example: Example, side: int, boards: Boards) -> dict[str, Any]:
    """What the template shows of an example on one of the two machines."""
    state, machine = example.states[side], comparison.machines[side]
    title = f"{machine.name}: {example.move}"
    arrows = arrows_of(state, machine, sure_spread(example.ends[side]))
    picture = boards.board(state, machine, title, moves=[example.move], arrows=arrows)
    return {"title": title, "picture": picture, "line": ending_words(example, side)}


def _ends(option: Option) -> list[tuple[str, str, str, str]]:
    """Where each ghost ends how often, as rows of a table."""
    if option.samples is None or option.ghosts is None:
        return []
    rows, nominal = [], dict(option.ghosts)
    for colour, shares in option.samples.ghosts:
        for key, count in shares.spaces.items():
            share = counted(count, option.samples.size)
            fate = nominal[colour].fate if key == ("+".join(nominal[colour].covers) or OFF) else ""
            rows.append((colour, key, share, fate))
    return rows
