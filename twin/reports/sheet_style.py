"""Looks of the pages of calibration, and the few pieces of HTML that they share."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STYLE: Final = """
body { font: 16px/1.45 system-ui, sans-serif; color: #222; background: #fff; margin: 2rem auto; max-width: 1000px;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 1.8rem; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .88rem; }
td, th { padding: .15rem .7rem .15rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #e5e5e5; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; } .wide table { font-size: .75rem; } .wide td, .wide th { padding-right: .45rem;
  white-space: nowrap; }
.note { color: #555; font-size: .9rem; }
.alarm { border: 3px solid #b00020; background: #fdecef; padding: .6rem 1rem; font-weight: 600; }
.card { display: flex; gap: 1.2rem; border-top: 1px solid #bbb; padding: .8rem 0; break-inside: avoid; }
.card img { width: 300px; flex: none; } .card h3 { margin: 0 0 .3rem; font-size: 1.05rem; }
.boxes td { border: 1px solid #666; height: 1.7rem; min-width: 4.2rem; padding: .1rem .4rem; }
.boxes th { border: none; font-weight: 600; }
@media print { body { margin: 0; font-size: 12px; max-width: none; } .card img { width: 230px; } }
"""


def page(title: str, body: str) -> str:
    """One page that needs nothing else."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    body = f"<body><h1>{escape(title)}</h1>{body}</body>"
    return f'<!doctype html>\n<html lang="en"><head>{head}{view}</head>{body}</html>\n'


def picture(png: bytes, words: str) -> str:
    """A picture inside the page."""
    return f'<img alt="{escape(words)}" src="data:image/png;base64,{base64.b64encode(png).decode("ascii")}">'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells that begin with a digit or a sign are numbers."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = ("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _cell(text: str) -> str:
    number = ' class="number"' if text[:1].isdigit() or text[:1] in {"-", "+"} else ""
    return f"<td{number}>{escape(text)}</td>"
