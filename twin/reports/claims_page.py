"""A validation as JSON for programs, as lines for people, and as one self-contained HTML page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from twin.explore.claims.let_it_happen import PROOFS
from twin.stats import interval_words, share_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twin.explore.claims.let_it_happen import Claim, Validation

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
    """The counts of all claims; `interval` bounds the share in which a claim breaks (Wilson, 95 %).

    A finding is also said as a sentence (`finding`): how often that happens which breaks its claim.
    """
    claims = []
    for claim in found.claims:
        item: dict[str, Any] = {"claim": claim.claim, "kind": claim.kind, "held": claim.held, "broken": claim.broken}
        item["interval"] = [round(bound, 6) for bound in claim.interval]
        item["share"] = round(claim.broken / max(claim.tried, 1), 6)
        if claim.kind == "finding":
            item["finding"] = finding_sentence(claim.happens, claim.broken, claim.tried)
        item["scenes"] = list(scenes.get(claim.claim, ()))
        if claim.distribution is not None:
            item["distribution"] = _sorted(claim.distribution)
        claims.append(item)
    return {"turns": found.turns, "seed": found.seed, "claims": claims}


def validation_lines(found: Validation) -> list[str]:
    """A line for each claim: what must hold first, then what was found, and how often."""
    lines = [f"{found.turns:,} moves, seed {found.seed}; shares with 95 % intervals", "", "must hold:"]
    for claim in found.claims:
        if claim.kind == "must_hold":
            verdict = "holds " if not claim.broken else "BROKEN"
            lines.append(f"  {verdict} {claim.claim}: broken in {_of(claim)}")
    lines += ["", "found:"]
    for claim in found.claims:
        if claim.kind == "finding":
            lines.append(f"  {finding_sentence(claim.happens, claim.broken, claim.tried)}")
            if claim.distribution is not None:
                lines.append(f"    {_ways(claim.distribution)}")
    return lines


def finding_sentence(happens: str, hits: int, tried: int) -> str:
    """How often something happens, as a sentence that can be quoted.

    >>> finding_sentence("No joint placement exists after {count} turns", 0, 1903)
    'No joint placement exists after 0 of 1,903 turns: 0 % (0–0.20 %).'
    """
    return f"{happens.format(count=f'{hits:,} of {tried:,}')}: {share_words(hits, tried, 1)}."


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
        "<p>Intervals are Wilson's, 95 %: of the share in which a claim breaks, or in which something happens.</p>",
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
        must = claim.kind == "must_hold"
        text = claim.claim if must else finding_sentence(claim.happens, claim.broken, claim.tried)
        more = ""
        if claim.distribution is not None:
            more += f"<br><small>{_ways(claim.distribution)}</small>"
        if claim.claim in PROOFS:
            more += f"<br><small>{escape(PROOFS[claim.claim])}</small>"
        if scenes.get(claim.claim):
            more += "<br><small>" + ", ".join(escape(name) for name in scenes[claim.claim]) + "</small>"
        mark = "bad" if must and claim.broken else ""
        bar = f'<div class="bar"><i style="left:{100 * low:.2f}%;width:{100 * (high - low):.2f}%"></i></div>'
        rows.append(
            f"<tr><td>{escape(text)}{more}</td>"
            f'<td class="number {mark}">{claim.broken:,}</td><td class="number">{claim.tried:,}</td>'
            f'<td class="number">{interval_words(low, high, 1)}</td><td>{bar}</td></tr>'
        )
    must = any(claim.kind == "must_hold" for claim in claims)
    first, times = ("what must hold", "broken") if must else ("what happens", "times")
    head = "".join(f'<th class="number">{name}</th>' for name in (times, "of", "95 % interval"))
    return f"<table><tr><th>{first}</th>{head}<th></th></tr>\n" + "\n".join(rows) + "\n</table>"


def _of(claim: Claim) -> str:
    return f"{claim.broken:,} of {claim.tried:,}, {share_words(claim.broken, claim.tried, 1)}"


def _ways(distribution: Mapping[str, int]) -> str:
    several = ", ".join(f"{n}: {times:,}" for n, times in _sorted(distribution).items())
    return f"ways to place all ghosts, and how often: {several}"


def _sorted(distribution: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(distribution.items(), key=lambda item: int(item[0])))
