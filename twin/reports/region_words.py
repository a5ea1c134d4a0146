"""What evidence leaves of the ranges, and what holds over that region: JSON for programs, lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from twin.board.moves import move_json
from twin.calibrate.evidence.rulebook_region import FEW
from twin.outcome.ensemble import OFF
from twin.reports.exploring import percent, table
from twin.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.calibrate.evidence.region_machines import Prediction
    from twin.calibrate.evidence.rulebook_region import FactFound, Study

ALMOST_ALL: Final = 0.95
ALMOST_NONE: Final = 0.01
"""Beyond these shares a region is called what it is: hardly narrowed, or hardly there."""
_ENDS: Final = 4
"""Ends of a ghost that a line shows; the rest is counted."""


def study_json(study: Study) -> dict[str, Any]:
    """The whole study. Shares are of the possible machines; intervals of shares are Wilson's, 95 %."""
    kept, possible = int(study.kept.sum()), int(study.possible.sum())
    return {
        "schema": 1,
        "evidence": study.court.evidence.name,
        "machine": study.sample.base.name,
        "seed": study.seed,
        "machines": len(study.sample),
        "possible": possible,
        "kept": kept,
        "share": _share(kept, possible),
        "interval": [round(bound, 6) for bound in wilson(kept, possible)],
        "fits": not study.missed,
        "missed": list(study.missed),
        "facts": [_fact_json(found, possible) for found in study.facts],
        "left_out": [{"fact": name, "case": number, "because": why} for name, number, why in study.court.left_out],
        "parameters": {
            m.parameter.name: {
                "range": [m.parameter.low, m.parameter.high],
                "unit": m.parameter.unit,
                "mean": _digits(m.mean),
                "sd": _digits(m.sd),
                "interval90": [_digits(bound) for bound in m.interval90],
                "kept": [_digits(bound) for bound in m.span],
                "shift": round(m.shift, 4),
                "told": m.told,
            }
            for m in study.marginals
        },
        "entangled": list(study.entangled),
        "silent": list(study.silent),
        "pairs": [{"a": a, "b": b, "correlation": round(value, 4)} for a, b, value in study.pairs],
        "central": None if study.central is None else {name: _digits(v) for name, v in study.central.items()},
    }


def study_lines(study: Study) -> list[str]:
    """How much is left, which fact rules out what, what is known of each parameter, and the machine in the middle."""
    lines = [*study_summary(study), ""]
    lines += table([("fact", "kind", "rules out", "only it", "what it rules out"), *fact_rows(study)])
    for name, number, why in study.court.left_out:
        lines.append(f"Left out: case {number} of {name}, because {why}.")
    if study.narrowed:
        lines += ["", "Narrower than its range:"]
        lines += table([("value", "range", "90 % of what is left", "all of it", "unit"), *parameter_rows(study)])
    if study.marginals:
        lines += ["", *silence(study)]
    if study.central is not None:
        sets = " ".join(f"--set {name}={study.central[name]:.4g}" for name in study.known)
        lines.append(f"Most central: {study.sample.base.name} {sets or 'itself, as nothing is told'}")
    return lines


def silence(study: Study) -> list[str]:
    """What the evidence leaves open, in sentences."""
    lines = []
    if study.entangled:
        names = ", ".join(study.entangled)
        lines.append(f"Told about, but only together with other values, none narrowed for sure alone: {names}.")
    if study.silent:
        lines.append(f"The evidence says nothing about {', '.join(study.silent)}.")
    return lines


def study_summary(study: Study) -> list[str]:
    """What is left, in sentences; honest about a region that is hardly narrowed, or hardly there."""
    kept, possible = int(study.kept.sum()), int(study.possible.sum())
    name, evidence = study.sample.base.name, study.court.evidence.name
    low, high = wilson(kept, possible)
    share = kept / max(possible, 1)
    first = f"{len(study.sample)} machines from the ranges of {name} ({len(study.sample.parameters)} assumed values, "
    first += f"seed {study.seed}): a board can have the values of {possible}, and {kept} of these do all "
    first += f"that {evidence} lists: {100 * share:.1f} % ({100 * low:.1f}–{100 * high:.1f})."
    lines = [first]
    if share > ALMOST_ALL:
        lines.append("That is nearly all: this evidence hardly narrows the ranges.")
    elif share < ALMOST_NONE:
        worst = max(study.facts, key=lambda found: found.excluded)
        lines.append(f"That is next to nothing: {worst.fact.name} alone rules out {worst.excluded} of {possible}.")
    if 0 < kept < FEW:
        lines.append(f"Intervals from {kept} machines say little; ask for more.")
    fits = f"{name} itself is one that does." if not study.missed else f"{name} itself does not: {_joined(study)}."
    return [*lines, fits]


def fact_rows(study: Study) -> list[tuple[str, str, str, str, str]]:
    """A row for each fact: name, kind, shares excluded by it and by it alone, and which values it rules out."""
    possible = max(int(study.possible.sum()), 1)
    rows = []
    for found in study.facts:
        if found.judged:
            shares = (percent(found.excluded / possible), percent(found.only / possible))
            rows.append((found.fact.name, found.fact.kind, *shares, ruled_out(found)))
        else:
            rows.append((found.fact.name, found.fact.kind, "–", "–", "not judged: no case of it applies"))
    return rows


def ruled_out(found: FactFound) -> str:
    """Which values a fact rules out, in words."""
    if not found.excluded:
        return "nothing"
    told = [f"{'high' if value > 0 else 'low'} {name}" for name, value in found.tells]
    return ", ".join(told) or "no single value"


def parameter_rows(study: Study) -> list[tuple[str, str, str, str, str]]:
    """A row for each parameter that the evidence is informative about: name, range, 90 % interval, span, unit."""
    return [
        (
            m.parameter.name,
            f"{m.parameter.low:g}–{m.parameter.high:g}",
            f"{m.interval90[0]:.3g}–{m.interval90[1]:.3g}",
            f"{m.span[0]:.3g}–{m.span[1]:.3g}",
            m.parameter.unit,
        )
        for m in study.narrowed
    ]


def predictions_json(predictions: Sequence[Prediction], *, evidence: str, seed: int, misfits: int) -> dict[str, Any]:
    """The `region` of a command's answer: what became of each ghost over the machines, and what always holds."""
    return {
        "n": predictions[0].size if predictions else 0,
        "evidence": evidence,
        "seed": seed,
        "misfits": misfits,
        "moves": [
            {
                "move": move_json(one.move),
                "same": one.same,
                "ghosts": {
                    colour: {
                        "spaces": {key: count / one.size for key, count in shares.spaces.items()},
                        "fates": {key: count / one.size for key, count in shares.fates.items()},
                        "always": dict(zip(("space", "fate"), one.always(colour), strict=True)),
                    }
                    for colour, shares in one.ghosts
                },
            }
            for one in predictions
        ],
    }


def prediction_lines(one: Prediction) -> list[str]:
    """What holds on every machine, and what depends on the machine."""
    lines = []
    for colour, shares in one.ghosts:
        space, fate = one.always(colour)
        if space is not None and fate is not None:
            lines.append(f"  {colour}: {_where(space)}, {fate}, on every machine")
            continue
        ends = [f"{_where(key)} {percent(count / one.size).strip()}" for key, count in shares.spaces.items()]
        more = f", {len(ends) - _ENDS} more" if len(ends) > _ENDS else ""
        fates = ", ".join(f"{key} {percent(count / one.size).strip()}" for key, count in shares.fates.items())
        always = f"{_where(space)} on every machine" if space is not None else ", ".join(ends[:_ENDS]) + more
        lines.append(f"  {colour}: {always} ({f'always {fate}' if fate is not None else fates})")
    return lines


def _where(key: str) -> str:
    return "off the board" if key == OFF else key


def _joined(study: Study) -> str:
    says = {fact.name: fact.says for fact in study.court.evidence.facts}
    return "; ".join(f"{name} ({says[name].rstrip('.')})" for name in study.missed)


def _fact_json(found: FactFound, possible: int) -> dict[str, Any]:
    return {
        "name": found.fact.name,
        "says": found.fact.says,
        "source": found.fact.source,
        "kind": found.fact.kind,
        "judged": found.judged,
        "excluded": found.excluded,
        "share": _share(found.excluded, possible),
        "only": found.only,
        "tells": {name: round(value, 4) for name, value in found.tells},
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 6) if whole else 0.0


def _digits(value: float) -> float:
    return float(f"{value:.6g}")
