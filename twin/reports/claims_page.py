"""A validation as JSON for programs, as lines for people, and as one self-contained HTML page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from twin.explore.claims import PROOFS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twin.explore.claims import Claim, Validation

_STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 2rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #8886; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { position: relative; height: .8rem; min-width: 9rem; background: #8882; border-radius: .2rem; }
.bar i { position: absolute; top: 0; bottom: 0; background: #c73; border-radius: .2rem; min-width: 2px; }
.ok { color: #283; font-weight: 600; } .bad { color: #c22; font-weight: 600; }
small { opacity: .75; }
"""


def validation_json(found: Validation, scenes: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The counts of all claims; `interval` bounds the share in which a claim breaks (Wilson, 95 %)."""
    claims = []
    for claim in found.claims:
        item: dict[str, Any] = {"claim": claim.claim, "kind": claim.kind, "held": claim.held, "broken": claim.broken}
        item["interval"] = [round(bound, 6) for bound in claim.interval]
        item["scenes"] = list(scenes.get(claim.claim, ()))
        if claim.distribution is not None:
            item["distribution"] = _sorted(claim.distribution)
        claims.append(item)
    return {"turns": found.turns, "seed": found.seed, "claims": claims}


def validation_lines(found: Validation) -> list[str]:
    """A line for each claim: what must hold first, then what was found."""
    lines = [f"{found.turns} moves, seed {found.seed}", "", "must hold:"]
    for claim in found.claims:
        if claim.kind == "must_hold":
            verdict = "holds " if not claim.broken else "BROKEN"
            tried = claim.held + claim.broken
            lines.append(f"  {verdict} {claim.claim}: {claim.broken} of {tried}, at most {_share(claim.interval[1])}")
    lines += ["", "found (how often it is not so, with 95 % bounds):"]
    for claim in found.claims:
        if claim.kind == "finding":
            lines.append(f"  {_rate(claim):<32} {claim.claim}")
            if claim.distribution is not None:
                several = ", ".join(f"{n}: {times}" for n, times in _sorted(claim.distribution).items())
                lines.append(f"  {'':<32}   ways and how often: {several}")
    return lines


def validation_html(found: Validation, scenes: Mapping[str, Sequence[str]]) -> str:
    """One page that needs nothing else."""
    broken = len(found.broken)
    verdict = "all that must hold holds" if not broken else f"{broken} of the claims that must hold are broken"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><title>Let it happen</title>',
        '<meta name="viewport" content="width=device-width">',
        f"<style>{_STYLE}</style></head><body>",
        "<h1>Let it happen: rules D3 to D5 put to the proof</h1>",
        f'<p class="{"bad" if broken else "ok"}">{verdict}</p>',
        f"<p>{found.turns:,} moves, seed {found.seed}; half of the positions are random, half adversarial.</p>",
        "<p>Shares are those in which a claim is not so, with Wilson's 95 % bounds.</p>",
        "<p>Scenes are the worst cases; the first lines of each file tell the command that shows it again.</p>",
        "<h2>What must hold</h2>",
        _table([claim for claim in found.claims if claim.kind == "must_hold"], scenes),
        "<h2>What was found</h2>",
        _table([claim for claim in found.claims if claim.kind == "finding"], scenes),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _table(claims: Sequence[Claim], scenes: Mapping[str, Sequence[str]]) -> str:
    rows = []
    for claim in claims:
        low, high = claim.interval
        more = ""
        if claim.distribution is not None:
            several = ", ".join(f"{n}: {times}" for n, times in _sorted(claim.distribution).items())
            more += f"<br><small>ways and how often: {several}</small>"
        if claim.claim in PROOFS:
            more += f"<br><small>{escape(PROOFS[claim.claim])}</small>"
        if scenes.get(claim.claim):
            more += "<br><small>" + ", ".join(escape(name) for name in scenes[claim.claim]) + "</small>"
        mark = "bad" if claim.kind == "must_hold" and claim.broken else ""
        bar = f'<div class="bar"><i style="left:{100 * low:.2f}%;width:{100 * (high - low):.2f}%"></i></div>'
        rows.append(
            f"<tr><td>{escape(claim.claim)}{more}</td>"
            f'<td class="number">{claim.held:,}</td><td class="number {mark}">{claim.broken:,}</td>'
            f'<td class="number">{_share(low)}–{_share(high)}</td><td>{bar}</td></tr>'
        )
    head = "<tr><th>claim</th>" + "".join(
        f'<th class="number">{name}</th>' for name in ("held", "not so", "share not so")
    )
    return f"<table>{head}<th></th></tr>\n" + "\n".join(rows) + "\n</table>"


def _rate(claim: Claim) -> str:
    tried = claim.held + claim.broken
    low, high = claim.interval
    return f"{claim.broken} of {tried} ({_share(low)}–{_share(high)})"


def _share(value: float) -> str:
    return f"{100 * value:.3g} %"


def _sorted(distribution: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(distribution.items(), key=lambda item: int(item[0])))
