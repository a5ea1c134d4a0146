"""What matters for outcomes and what does not: JSON for programs, lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from twin.calibrate.sobol_indices import ACROSS, MARGIN, NOTHING, SAME
from twin.reports.exploring import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.calibrate.sobol_indices import Indices, Sensitivity

MEANINGS: Final = {
    SAME: "ends on the same spaces as on the machine itself",
    ACROSS: "stands on several spaces",
    MARGIN: "margin to the next outcome, mm",
}
"""What the numbers are; the others are fates, and speak for themselves."""

_FIRST: Final = 3
"""Parameters that the sentence names."""
_SOME: Final = 0.05
"""A total index above this is worth naming."""


def sensitivity_json(found: Sensitivity) -> dict[str, Any]:
    """All indices; `interval` is the half width of the 95 % interval, by bootstrap."""
    return {
        "schema": 1,
        "machine": found.machine.name,
        "seed": found.seed,
        "samples": found.samples,
        "machines": found.machines,
        "runs": found.runs,
        "trials": [str(trial.move) for trial in found.trials],
        "parameters": {p.name: {"range": [p.low, p.high], "unit": p.unit} for p in found.parameters},
        "numbers": {one.name: _indices_json(found, one) for one in found.indices},
        "ranking": {name: round(value, 4) for name, value in found.ranking},
        "margin_ranking": {name: round(value, 4) for name, value in found.margin_ranking},
        "nothing": list(found.nothing),
        "sentence": " ".join(sentences(found)),
    }


def sentences(found: Sensitivity) -> list[str]:
    """What matters most, and what does not matter at all."""
    if not found.indices:
        return ["Nothing matters: all machines do the same."]
    told = []
    if found.ranking:
        told.append(f"What becomes of the ghosts depends most on {_first(found.ranking)}.")
    if found.margin_ranking:
        told.append(f"How close it is (the margin) depends most on {_first(found.margin_ranking)}.")
    pairs = [pair for one in found.indices if one.name == SAME for pair in one.pairs[:1]]
    told += [f"{a} and {b} matter most together ({100 * value:.0f} % beyond each alone)." for a, b, value in pairs]
    if found.nothing:
        verb = "does" if len(found.nothing) == 1 else "do"
        told.append(f"{_and(found.nothing)} {verb} not matter at all here (below {100 * NOTHING:.0f} %).")
    else:
        told.append("There is none that certainly does not matter.")
    return told


def sensitivity_lines(found: Sensitivity) -> list[str]:
    """The sentences, and a table of the total indices."""
    values = f"{len(found.parameters)} values of {found.machine.name} (seed {found.seed})"
    lines = [f"{found.machines} machines, {found.runs} moves, {values}", "", *sentences(found)]
    if not found.indices:
        return lines
    head = ("total index, %", *(one.name for one in found.indices), "outcomes")
    rows = [head, ("(mean of it)", *(f"{one.mean:.3g}" for one in found.indices), "")]
    order = {p.name: k for k, p in enumerate(found.parameters)}
    shown = found.ranking or found.margin_ranking
    for name, weight in shown:
        if name not in found.nothing:
            cells = [_percent(one.total[order[name]]) for one in found.indices]
            rows.append((name, *cells, _percent(weight) if found.ranking else ""))
    return [*lines, "", *table(rows)]


def _indices_json(found: Sensitivity, one: Indices) -> dict[str, Any]:
    names = [p.name for p in found.parameters]
    first = zip(names, one.first, one.first_interval, strict=True)
    total = zip(names, one.total, one.total_interval, strict=True)
    return {
        "meaning": MEANINGS.get(one.name, f"share of ghosts: {one.name}"),
        "mean": round(one.mean, 6),
        "sd": round(one.sd, 6),
        "first": {name: {"index": round(float(v), 4), "interval": round(float(i), 4)} for name, v, i in first},
        "total": {name: {"index": round(float(v), 4), "interval": round(float(i), 4)} for name, v, i in total},
        "pairs": [{"a": a, "b": b, "index": round(value, 4)} for a, b, value in one.pairs],
    }


def _first(ranking: Sequence[tuple[str, float]]) -> str:
    worth = [(name, value) for name, value in ranking[:_FIRST] if value > _SOME] or list(ranking[:1])
    return _and([f"{name} ({100 * value:.0f} %)" for name, value in worth])


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _percent(value: float) -> str:
    return f"{max(100 * value, 0.0):.0f}"
