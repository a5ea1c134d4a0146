"""An atlas as one page: heat maps of the board, a choice of slider setting and direction, findings in words.

Everything is inside the page: it loads nothing, and shows all turns together where scripts are off.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from typing import TYPE_CHECKING, Any, Final

from twin.board.grid import COLUMNS, PLUG_SPACE, SIDE, STANDING_SPACES, cell
from twin.board.state import MAX_OFFSET
from twin.explore.atlas.contents import DIRECTIONS
from twin.reports.html_page import html_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.explore.atlas.summary import Summary

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
    ended = sum(summary.ends.values())
    return html_page(
        "atlas",
        f"Atlas of turns: {about['ghosts']} ghost{'s' if about['ghosts'] > 1 else ''} on {about['machine']['name']}",
        findings=summary.findings,
        controls=_controls(summary),
        whole=summary.settings.whole,
        ghosts=summary.ghosts,
        fates=_fates(summary),
        ends={s: (summary.ends[s] / ended if ended else 0.0, f"{summary.ends[s]:,} ghosts") for s in STANDING_SPACES},
        facts=_provenance(about),
        data=_data(summary),
        cell=_CELL,
        edge=_EDGE,
        side=SIDE,
        columns=COLUMNS,
        plug=PLUG_SPACE,
        ticks=_TICKS,
        corner=_corner,
        colour_of=colour_of,
        ink_on=ink_on,
        percent=percent,
    )


def colour_of(share: float) -> str:
    """The colour of a share (0 … 1): the square root of it on the ramp, so that one in a hundred still shows.

    >>> colour_of(0.0), colour_of(1.0)
    ('#f7fbff', '#08306b')
    """
    at = math.sqrt(min(max(share, 0.0), 1.0)) * (len(RAMP) - 1)
    low = min(int(at), len(RAMP) - 2)
    pairs = zip(_rgb(RAMP[low]), _rgb(RAMP[low + 1]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * (at - low)):02x}" for a, b in pairs)


def ink_on(share: float) -> str:
    """The colour of letters on the colour of a share."""
    return "#fff" if share > 0.3 else "#222"


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


def _fates(summary: Summary) -> list[dict[str, Any]]:
    """The map of each fate: by space the share of ghosts that start there, and its counts in words."""
    starts = {space: sum(own.get(space, 0) for own in summary.counts.values()) for space in STANDING_SPACES}
    maps = []
    for fate in summary.fates:
        counts = summary.counts[fate]
        shares = {}
        for space, of in starts.items():
            count = counts.get(space, 0)
            shares[space] = count / of if of else 0.0, f"{fate} {count:,} of {of:,}"
        total = f"{100 * sum(counts.values()) / sum(starts.values()):.1f}"
        maps.append({"name": fate, "total": total, "meaning": MEANINGS.get(fate, ""), "shares": shares})
    return maps


def _corner(space: str) -> tuple[int, int]:
    column, row = cell(space)
    return _EDGE + (column + 3) * _CELL, (3 - row) * _CELL


def _controls(summary: Summary) -> list[tuple[str, list[tuple[str, str, dict[str, str]]]]]:
    """Groups of choices: tunnel, offset and way round for each slider, and the direction."""
    machine = summary.manifest["machine"]
    tunnels = {"": "any tunnel"} | {str(k): f"tunnel {k}" for k in range(1, len(machine["tunnels"]) + 1)}
    offsets = {"": "any offset"} | {str(k + MAX_OFFSET): f"offset {k:+d}" for k in range(-MAX_OFFSET, MAX_OFFSET + 1)}
    turned = {"": "either way round", "0": "as marked", "1": "end for end"}
    choices = [tunnels, offsets, *([turned] if summary.manifest["flips"] else [])]
    groups = [
        (f"Slider {name}", [(str(3 * number + k), f"slider {name}", own) for k, own in enumerate(choices)])
        for number, name in enumerate(sorted(machine["sliders"]))
    ]
    direction = {"": "cw and ccw"} | {str(k): name for k, name in enumerate(DIRECTIONS)}
    return [*groups, ("Turn", [(str(3 * len(machine["sliders"])), "direction", direction)])]


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


def _provenance(about: Mapping[str, Any]) -> dict[str, str]:
    machine, versions = about["machine"], about["versions"]
    return {
        "machine": f"{machine['name']} (fingerprint {machine['fingerprint']})",
        "turns": f"{about['total']:,} of {about['every']:,}",
        "sample": "none" if about["sample"] is None else f"{about['sample']:,} with seed {about['seed']}",
        "sliders turned end for end": "yes" if about["flips"] else "no",
        "kernel": about["code"],
        "versions": ", ".join(f"{name} {number}" for name, number in versions.items()),
    }
