"""An atlas as one page: heat maps of the board, a choice of slider setting and direction, findings in words.

Everything is inside the page: it loads nothing, and shows all turns together where scripts are off.
"""

from __future__ import annotations

import base64
import html
import json
import math
import zlib
from typing import TYPE_CHECKING, Any, Final

from twin.board.grid import COLUMNS, PLUG_SPACE, SIDE, STANDING_SPACES, cell
from twin.board.state import MAX_OFFSET
from twin.explore.atlas.contents import DIRECTIONS
from twin.reports.atlas_style import SCRIPT, STYLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.explore.atlas.summary import Counts, Summary

RAMP: Final = ("#f7fbff", "#d2e3f3", "#9ac7e0", "#519ccc", "#1d6cb1", "#08306b")
"""Colours from no ghost to every ghost: one hue, ever darker, so that it reads the same to all eyes and in grey."""

MEANINGS: Final = {
    "fell": "off the board",
    "blocked": "the plug cost it its magnet",
    "shoved": "another ghost moved it",
    "caught": "ends on a magnet it did not start on",
    "held": "kept in its place by its magnet",
    "left": "started on a magnet, ended on none",
    "rode": "went along with the board",
}
_CELL: Final = 40
_EDGE: Final = 22
_TICKS: Final = (0, 1, 5, 10, 25, 50, 100)


def page(summary: Summary) -> str:
    """The whole page."""
    about = summary.manifest
    title = f"Atlas of turns: {about['ghosts']} ghost{'s' if about['ghosts'] > 1 else ''} on {about['machine']['name']}"
    findings = "\n".join(f"<li>{html.escape(text).replace(' %', '&nbsp;%')}</li>" for text in summary.findings)
    starts = _starts(summary.counts)
    maps = "\n".join(_fate_map(fate, summary.counts[fate], starts) for fate in summary.fates)
    ended = sum(summary.ends.values())
    ends = _board(
        "ends", {s: (summary.ends[s] / ended if ended else 0.0, f"{summary.ends[s]:,} ghosts") for s in STANDING_SPACES}
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{html.escape(title)}</h1>
<h2>Findings</h2>
<ul>
{findings}
</ul>
<h2>What becomes of a ghost, by the space it starts from</h2>
<p>Each map shows, for every space of the board as it lies before the turn (orientation 0), the share of ghosts that
meet one fate. All maps have the same colours.</p>
{_controls(summary)}
<p id="chosen" aria-live="polite">All turns: {summary.ghosts:,} ghosts.</p>
{_legend()}
<div class="maps">
{maps}
</div>
<h2>Where ghosts end that were moved</h2>
<p>Of all spaces covered after the turn by ghosts that left their space and stayed on the board, in the board's names
after the turn; all slider settings together.</p>
<div class="maps"><figure>{ends}</figure></div>
<h2>Where this comes from</h2>
{_provenance(about)}
<script type="application/json" id="data">{_data(summary)}</script>
<script>{SCRIPT}</script>
</body>
</html>
"""


def colour_of(share: float) -> str:
    """The colour of a share (0 … 1): the square root of it on the ramp, so that one in a hundred still shows.

    >>> colour_of(0.0), colour_of(1.0)
    ('#f7fbff', '#08306b')
    """
    at = math.sqrt(min(max(share, 0.0), 1.0)) * (len(RAMP) - 1)
    low = min(int(at), len(RAMP) - 2)
    pairs = zip(_rgb(RAMP[low]), _rgb(RAMP[low + 1]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * (at - low)):02x}" for a, b in pairs)


def percent(share: float) -> str:
    """A share as it stands in a space: nothing, `<1`, or whole percent; only all is 100.

    >>> percent(0.0), percent(0.004), percent(0.25), percent(0.999), percent(1.0)
    ('', '<1', '25', '99', '100')
    """
    if share <= 0.0:
        return ""
    return "<1" if share < 0.01 else str(100 if share >= 1.0 else min(math.floor(100 * share + 0.5), 99))


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))


def _starts(counts: Counts) -> dict[str, int]:
    return {space: sum(own.get(space, 0) for own in counts.values()) for space in STANDING_SPACES}


def _fate_map(fate: str, counts: Mapping[str, int], starts: Mapping[str, int]) -> str:
    values = {}
    for space in STANDING_SPACES:
        count, of = counts.get(space, 0), starts[space]
        values[space] = count / of if of else 0.0, f"{fate} {count:,} of {of:,}"
    total, every = sum(counts.values()), sum(starts.values())
    caption = f"<b>{html.escape(fate)}</b> <span id='total-{fate}'>{100 * total / every:.1f} %</span>"
    meaning = f"<br><small>{html.escape(MEANINGS.get(fate, ''))}</small>"
    return f"<figure><figcaption>{caption}{meaning}</figcaption>{_board(fate, values)}</figure>"


def _board(name: str, values: Mapping[str, tuple[float, str]]) -> str:
    """A board as SVG: for each space its share (0 … 1) and what to say of it."""
    side = SIDE * _CELL
    label = html.escape(name)
    box = f"0 0 {side + _EDGE} {side + _EDGE}"
    parts = [f'<svg viewBox="{box}" role="img" aria-label="{label}" data-map="{label}">']
    for space, (share, says) in values.items():
        x, y = _corner(space)
        ink = "#fff" if share > 0.3 else "#222"
        parts.append(
            f'<g data-space="{space}"><title>{space}: {html.escape(says)} ({100 * share:.1f} %)</title>'
            f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{colour_of(share)}"/>'
            f'<text x="{x + _CELL // 2}" y="{y + _CELL // 2 + 5}" fill="{ink}">{html.escape(percent(share))}</text></g>'
        )
    x, y = _corner(PLUG_SPACE)
    parts.append(f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="#ddd"/>')
    parts.append(f'<circle cx="{x + 20}" cy="{y + 20}" r="14" fill="#555"><title>the plug</title></circle>')
    for k, column in enumerate(COLUMNS):
        parts.append(f'<text class="name" x="{_EDGE + k * _CELL + 20}" y="{side + 16}">{column}</text>')
        parts.append(f'<text class="name" x="10" y="{side - k * _CELL - 15}">{k + 1}</text>')
    return "".join([*parts, "</svg>"])


def _corner(space: str) -> tuple[int, int]:
    column, row = cell(space)
    return _EDGE + (column + 3) * _CELL, (3 - row) * _CELL


def _legend() -> str:
    cells = "".join(
        f'<span style="background:{colour_of(t / 100)};color:{"#fff" if t > 30 else "#222"}">{t} %</span>'
        for t in _TICKS
    )
    return f'<p class="legend">Share of the ghosts that start there: {cells}</p>'


def _controls(summary: Summary) -> str:
    """A choice of tunnel, offset and way round for each slider, and of the direction."""
    machine = summary.manifest["machine"]
    tunnels = {"": "any tunnel"} | {str(k): f"tunnel {k}" for k in range(1, len(machine["tunnels"]) + 1)}
    offsets = {"": "any offset"} | {str(k + MAX_OFFSET): f"offset {k:+d}" for k in range(-MAX_OFFSET, MAX_OFFSET + 1)}
    turned = {"": "either way round", "0": "as marked", "1": "end for end"}
    groups = []
    for number, name in enumerate(sorted(machine["sliders"])):
        choices = [tunnels, offsets, *([turned] if summary.manifest["flips"] else [])]
        boxes = "".join(_select(str(3 * number + k), f"slider {name}", own) for k, own in enumerate(choices))
        groups.append(f"<fieldset><legend>Slider {html.escape(name)}</legend>{boxes}</fieldset>")
    direction = {"": "cw and ccw"} | {str(k): name for k, name in enumerate(DIRECTIONS)}
    boxes = _select(str(3 * len(machine["sliders"])), "direction", direction)
    groups.append(f"<fieldset><legend>Turn</legend>{boxes}</fieldset>")
    note = "" if summary.settings.whole else "<p><small>One slider at a time, whatever the others do.</small></p>"
    return f'<form class="controls" hidden>{"".join(groups)}<button type="reset">show all</button>{note}</form>'


def _select(name: str, label: str, choices: Mapping[str, str]) -> str:
    options = "".join(f'<option value="{html.escape(v)}">{html.escape(t)}</option>' for v, t in choices.items())
    return f'<select name="{name}" aria-label="{html.escape(label)}">{options}</select>'


def _data(summary: Summary) -> str:
    """Counts by setting, as compressed bytes: the script sums up the rows that are chosen."""
    settings = summary.settings
    wide = 1 if settings.counts.max(initial=0) < 2**8 else 2 if settings.counts.max(initial=0) < 2**16 else 4
    data = {
        "fates": summary.fates,
        "spaces": STANDING_SPACES,
        "ramp": RAMP,
        "sliders": sorted(summary.manifest["machine"]["sliders"]),
        "whole": settings.whole,
        "rows": len(settings.keys),
        "keys": _packed(settings.keys.tobytes()),
        "bytes": wide,
        "counts": _packed(settings.counts.astype(f"<u{wide}").tobytes()),
    }
    # A script ends at the first "</", whatever it says it is.
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _packed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def _provenance(about: Mapping[str, Any]) -> str:
    machine, versions = about["machine"], about["versions"]
    facts = {
        "machine": f"{machine['name']} (fingerprint {machine['fingerprint']})",
        "turns": f"{about['total']:,} of {about['every']:,}",
        "sample": "none" if about["sample"] is None else f"{about['sample']:,} with seed {about['seed']}",
        "sliders turned end for end": "yes" if about["flips"] else "no",
        "kernel": about["code"],
        "versions": ", ".join(f"{name} {number}" for name, number in versions.items()),
    }
    rows = "".join(f"<tr><th>{html.escape(k)}</th><td>{html.escape(str(v))}</td></tr>" for k, v in facts.items())
    return f"<table>{rows}</table>"
