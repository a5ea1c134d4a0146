"""Surveys and comparisons as one HTML page that needs nothing else: styles and pictures are inside it."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Final

from twin.board.moves import Push, Turn
from twin.explore.survey import MOST_BY_PYMUNK
from twin.outcome.ensemble import OFF
from twin.reports.chart import comparison_png
from twin.reports.exploring import (
    comparison_summary,
    example_words,
    hands_words,
    share_words,
    survey_rows,
)
from twin.reports.survey_chart import panel_png, panels_of
from twin.stats import HAND
from twin.stats import share_words as counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twin.explore.compare import Comparison
    from twin.explore.survey import Option, Survey
    from twin.reports.survey_chart import Panel

_STYLE: Final = """
body { font: 16px/1.45 system-ui, sans-serif; color: #222; background: #fafaf7; margin: 2rem auto; max-width: 1240px;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(350px, 1fr)); gap: 1rem; }
.card { background: #fff; border: 1px solid #ddd; border-radius: 6px; padding: .5rem .8rem .8rem; }
.card.chancy { border: 2px solid #aa3377; } .card.barred { opacity: .75; }
.card img, .wide { width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .9rem; } td, th { padding: .15rem .6rem .15rem 0; text-align: left;
  vertical-align: top; border-bottom: 1px solid #eee; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.note { color: #555; font-size: .9rem; }
"""


def survey_page(survey: Survey) -> str:
    """A card with a board for each turn and push and for each ghost's drags; a table of drags and relocations."""
    sampled = [option for option in survey.options if isinstance(option.move, Turn | Push)]
    cards = [_card(survey, panel) for panel in panels_of(survey)]
    rows = survey_rows(survey)[len(sampled) :]
    scene = survey.scene
    note = (
        f"Machine {scene.machine.name}, seed {survey.seed}: {hands_words(survey)} on the batch kernel. Drags and "
        "relocations that could move a ghost: the nominal hand and, where the rules allow them, up to "
        f"{MOST_BY_PYMUNK} varied ones on pymunk. {HAND} Intervals are Wilson's, 95 %. Arrows lead to the space of the "
        "board on which a ghost ends, as wide as that is likely; the board is drawn as it lies before the move."
    )
    body = f"{_note(note)}<h2>Turns and pushes</h2>{_cards(cards[: len(sampled)])}"
    body += f"<h2>Drags and relocations</h2>{_cards(cards[len(sampled) :])}"
    return _page(f"{scene.title}: what each move does", body + _table(("move", "rules", "what happens"), rows))


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
    body = _note(note) + "".join(f"<p>{escape(line)}</p>" for line in comparison_summary(comparison))
    body += _table(("", "differ", "share", f"a varied hand alone changes on {first}"), shares)
    fates = [(a, b, str(count), str(differ)) for (a, b), count, differ in comparison.fates]
    body += f"<h2>Fates</h2>{_table((first, second, 'ghosts', 'end differently'), fates)}"
    if comparison.examples:
        told = "".join(f"<li>{escape(example_words(example, comparison))}</li>" for example in comparison.examples)
        picture = _picture(comparison_png(comparison), "the firmest examples, drawn", "wide")
        body += f"<h2>The firmest examples</h2><ul>{told}</ul>{picture}"
    return _page(f"{first} and {second} compared", body)


def _cards(cards: Sequence[str]) -> str:
    return f'<div class="cards">{"".join(cards)}</div>'


def _card(survey: Survey, panel: Panel) -> str:
    kind = "barred" if panel.broken else "chancy" if panel.chancy else ""
    picture = _picture(panel_png(survey, panel), panel.title)
    first = panel.options[0]
    single = isinstance(first.move, Turn | Push)
    told = "".join(_note(reason) for reason in first.reasons) + _ends(first) if single else ""
    return f'<div class="{f"card {kind}".strip()}"><h3>{escape(panel.title)}</h3>{picture}{told}</div>'


def _ends(option: Option) -> str:
    """Where each ghost ends how often, as a table."""
    if option.samples is None or option.ghosts is None:
        return ""
    rows, nominal = [], dict(option.ghosts)
    for colour, shares in option.samples.ghosts:
        for key, count in shares.spaces.items():
            share = counted(count, option.samples.size)
            fate = nominal[colour].fate if key == ("+".join(nominal[colour].covers) or OFF) else ""
            rows.append((colour, key, share, fate))
    return _table(("ghost", "ends on", "share", "nominal hand"), rows)


def _picture(png: bytes, words: str, style: str = "") -> str:
    data = base64.b64encode(png).decode("ascii")
    return f'<img class="{style}" alt="{escape(words)}" src="data:image/png;base64,{data}">'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = ("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _cell(text: str) -> str:
    number = ' class="number"' if text[:1].isdigit() or text[:1] in "<>" else ""
    return f"<td{number}>{escape(text)}</td>" if text else "<td></td>"


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>'


def _page(title: str, body: str) -> str:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    body = f"<body><h1>{escape(title)}</h1>{body}</body>"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}{view}</head>{body}</html>\n'
