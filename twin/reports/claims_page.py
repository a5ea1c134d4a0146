"""A validation as JSON for programs, as lines for people, and as one self-contained HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twin.explore.claims.let_it_happen import PROOFS
from twin.reports.html_page import html_page
from twin.stats import interval_words, share_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twin.explore.claims.let_it_happen import Claim, Validation


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
    rows = {
        kind: [_row(claim, scenes.get(claim.claim, ())) for claim in found.claims if claim.kind == kind]
        for kind in ("must_hold", "finding")
    }
    return html_page(
        "validation",
        "Let it happen",
        found=found,
        broken=len(found.broken),
        must_hold=rows["must_hold"],
        findings=rows["finding"],
    )


def _row(claim: Claim, scenes: Sequence[str]) -> dict[str, Any]:
    low, high = claim.interval
    must = claim.kind == "must_hold"
    more = [_ways(claim.distribution)] if claim.distribution is not None else []
    more += [PROOFS[claim.claim]] if claim.claim in PROOFS else []
    more += [", ".join(scenes)] if scenes else []
    return {
        "text": claim.claim if must else finding_sentence(claim.happens, claim.broken, claim.tried),
        "more": more,
        "bad": must and bool(claim.broken),
        "broken": f"{claim.broken:,}",
        "tried": f"{claim.tried:,}",
        "interval": interval_words(low, high, 1),
        "left": f"{100 * low:.2f}",
        "width": f"{100 * (high - low):.2f}",
    }


def _of(claim: Claim) -> str:
    return f"{claim.broken:,} of {claim.tried:,}, {share_words(claim.broken, claim.tried, 1)}"


def _ways(distribution: Mapping[str, int]) -> str:
    several = ", ".join(f"{n}: {times:,}" for n, times in _sorted(distribution).items())
    return f"ways to place all ghosts, and how often: {several}"


def _sorted(distribution: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(distribution.items(), key=lambda item: int(item[0])))
