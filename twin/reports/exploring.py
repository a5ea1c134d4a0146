"""Surveys, ways and comparisons: JSON for programs, tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from twin.board.moves import Relocate, move_json
from twin.board.state import covers
from twin.outcome.ensemble import OFF
from twin.reports.as_json import SCHEMA, samples_json, scene_json
from twin.stats import STEPS, VERDICTS, count_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twin.explore.compare import Comparison, Example, Share
    from twin.explore.reach import Reached, Way
    from twin.explore.survey import End, Option, Survey
    from twin.outcome.snap import Placement

_SHOWN: Final = 3
"""Ends of a ghost that a table shows; the rest is counted."""


def survey_json(survey: Survey) -> dict[str, Any]:
    """All moves of a position; `samples` as for a single move, null for what was not made or is barred (but by B6).

    `n` is the number of hands for a turn or a push, the largest where they were drawn until decided.
    """
    return {
        "schema": SCHEMA,
        "scene": scene_json(survey.scene),
        "n": _hands(survey),
        "seed": survey.seed,
        "moves": [_option_json(option) for option in survey.options],
    }


def reached_json(reached: Reached) -> dict[str, Any]:
    """The ways to a space, the surest first; `n` as in `survey_json`."""
    return {
        "schema": SCHEMA,
        "scene": scene_json(reached.scene),
        "ghost": reached.ghost,
        "space": reached.space,
        "moves": reached.moves,
        "n": max((way.plays for way in reached.ways), default=0) if reached.samples is None else reached.samples,
        "seed": reached.seed,
        "there": reached.there,
        "positions": reached.positions,
        "dropped": reached.dropped,
        "ways": [_way_json(way) for way in reached.ways],
    }


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """How two machines differ."""
    first, second = comparison.machines
    return {
        "schema": SCHEMA,
        "machines": [first.name, second.name],
        "positions": comparison.positions,
        "seed": comparison.seed,
        "engine": "kernel",
        "moves": {kind: _share_json(share) for kind, share in comparison.moves},
        "hand": {kind: _share_json(share) for kind, share in comparison.hand},
        "ghosts": _share_json(comparison.ghosts),
        "fates": [
            {"first": pair[0], "second": pair[1], "ghosts": count, "differ": differ}
            for pair, count, differ in comparison.fates
        ],
        "allowed": {"first_only": comparison.allowed[0], "second_only": comparison.allowed[1]},
        "examples": [_example_json(example, comparison) for example in comparison.examples],
    }


def hands_words(survey: Survey) -> str:
    """How many hands were drawn for each move."""
    if survey.size is None:
        return f"{STEPS[0]} to {STEPS[-1]:,} varied hands for each turn and push, until it is decided"
    count = survey.size
    return f"{count:,} varied hand{'' if count == 1 else 's'} for each turn and push" if count else "the nominal hand"


def survey_rows(survey: Survey) -> list[tuple[str, str, str]]:
    """One row per option: the move, the rules' verdict, and what becomes of which ghost."""
    rows = []
    for option in survey.options:
        says = verdict_words(option) or ("allowed" if option.samples is None else VERDICTS[False])
        if option.samples is not None:
            says += f", {option.samples.most:,} of {option.samples.size:,}"
        rows.append((option_name(option), says, _effects(option, survey)))
    return rows


def option_name(option: Option) -> str:
    """The move; for several that do the same, what they share and how many they are."""
    move = option.move
    if isinstance(move, Relocate) and len(option.alike) > 1:
        return f"relocate {move.slider} {move.tunnel} … ({len(option.alike)} ways)"
    return str(move)


def verdict_words(option: Option) -> str:
    """Remarks on a move: rules that bar it, a verdict other than sure, a conflict; empty if nothing is."""
    words = [f"barred by {', '.join(option.broken)}"] if option.broken else []
    if option.samples is not None and option.chancy is not False and not option.broken:
        words.append(VERDICTS[option.chancy])
    words += ["conflict"] if option.conflict else []
    return ", ".join(words)


def reached_lines(reached: Reached) -> list[str]:
    """The ways as lines for people."""
    ghost, space = reached.ghost, reached.space
    if reached.there:
        return [f"{ghost} stands on {space} already."]
    limit = f"{reached.moves} move{'s' if reached.moves > 1 else ''}"
    looked = f"{reached.positions} positions looked at"
    if reached.dropped:
        looked += f", {reached.dropped} less likely ones left out"
    if not reached.ways:
        return [f"No way found for {ghost} to {space} in {limit} ({looked})."]
    lines = [f"Ways for {ghost} to {space} in {limit} ({looked}), each played by varied hands:"]
    for number, way in enumerate(reached.ways, start=1):
        chance = f"{count_words(way.wins, way.plays, 'play')}, {VERDICTS[way.chancy]}"
        lines.append(f"{number:3}. {chance}: {way_words(way)}")
        if way.straight < way.wins:
            just = f"just by these steps {percent(way.straight / way.plays)}"
            lines.append(f"     {just}; where it goes otherwise, the rest by thinking again")
    return lines


def way_words(way: Way) -> str:
    """The steps of a way in one line, with what to choose and how often each goes so."""
    parts = []
    for step in way.steps:
        words = str(step.move)
        if step.choice:
            words += f" [put {_placing(step.choice)}]"
        if step.share < 1.0:
            words += f" ({percent(step.share).strip()})"
        parts.append(words)
    return ", ".join(parts)


def comparison_lines(comparison: Comparison) -> list[str]:
    """A comparison as lines for people: a summary, the pairs of fates, the examples."""
    first, second = (machine.name for machine in comparison.machines)
    lines = comparison_summary(comparison)
    differing = [(pair, count, differ) for pair, count, differ in comparison.fates if differ]
    if differing:
        rows = [(first, second, "ghosts", "end differently")]
        rows += [(a, b, f"{count:>6}", f"{differ:>6}") for (a, b), count, differ in differing]
        lines += ["", *table(rows), "", "The firmest examples:"]
        lines += [f"  {example_words(example, comparison)}" for example in comparison.examples]
    return lines


def comparison_summary(comparison: Comparison) -> list[str]:
    """How often the machines differ, in a sentence for each kind of move and one for the ghosts."""
    first, second = (machine.name for machine in comparison.machines)
    lines = []
    for (kind, share), (_, hand) in zip(comparison.moves, comparison.hand, strict=True):
        kinds = "turns" if kind == "turn" else "pushes"
        lines.append(
            f"{share.hits} of {share.trials} {kinds} end differently: {share_words(share)}. "
            f"On {first} alone, a varied hand changes {share_words(hand)}."
        )
    ghosts = comparison.ghosts
    lines.append(f"{ghosts.hits} of {ghosts.trials} ghosts end differently: {share_words(ghosts)}.")
    if any(comparison.allowed):
        only = f"{comparison.allowed[0]} on {first} only, {comparison.allowed[1]} on {second} only"
        lines.append(f"Pushes that B6 allows on one machine alone: {only}.")
    return lines


def example_words(example: Example, comparison: Comparison) -> str:
    """One example in a sentence."""
    state, machine = example.states[0], comparison.machines[0]
    start = "+".join(covers(state, example.ghost, machine))
    both = [dict(ends)[example.ghost] for ends in example.ends]
    told = [
        f"{machine.name}: {end.fate}, {_where(end)}" for machine, end in zip(comparison.machines, both, strict=True)
    ]
    margin = f"{example.margin:.1f} mm to spare"
    return f"position {example.number}, {example.move}: {example.ghost} on {start} · {' · '.join(told)} · {margin}"


def share_words(share: Share) -> str:
    """A share with its interval."""
    low, high = share.interval
    return f"{100 * share.value:.1f} % ({100 * low:.1f}–{100 * high:.1f} %)"


def percent(share: float) -> str:
    """A share in whole per cent, but never rounded to a certainty that it isn't."""
    if 0.0 < share < 0.01:
        return " <1 %"
    if 0.99 < share < 1.0:
        return ">99 %"
    return f"{100 * share:3.0f} %"


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with columns of equal width."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))] if rows else []
    return ["  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _option_json(option: Option) -> dict[str, Any]:
    data: dict[str, Any] = {
        "move": move_json(option.move),
        "legal": option.legal,
        "broken": list(option.broken),
        "engine": option.engine,
        "samples": None if option.samples is None else samples_json(option.samples),
        "outcome": None if option.ghosts is None else _ends_json(option.ghosts),
        "conflict": option.conflict,
    }
    if option.alike:
        data["alike"] = [str(move) for move in option.alike]
    return data


def _hands(survey: Survey) -> int:
    if survey.size is not None:
        return survey.size
    return max((option.samples.size for option in survey.options if option.samples is not None), default=0)


def _ends_json(ends: Sequence[tuple[str, End]]) -> dict[str, Any]:
    found = {}
    for colour, end in ends:
        x, y = (None, None) if end.place is None else (round(end.place[0], 3) + 0.0, round(end.place[1], 3) + 0.0)
        found[colour] = {"x": x, "y": y, "fate": end.fate, "covers": list(end.covers)}
    return found


def _way_json(way: Way) -> dict[str, Any]:
    return {
        "probability": way.probability,
        "interval": [round(bound, 4) for bound in way.interval],
        "chancy": way.chancy,
        "plays": way.plays,
        "straight": way.straight / way.plays,
        "estimate": round(way.estimate, 4),
        "steps": [
            {"move": move_json(step.move), "choice": dict(step.choice), "share": step.share} for step in way.steps
        ],
    }


def _share_json(share: Share) -> dict[str, Any]:
    low, high = share.interval
    return {
        "hits": share.hits,
        "trials": share.trials,
        "share": share.value,
        "interval": [round(low, 4), round(high, 4)],
    }


def _example_json(example: Example, comparison: Comparison) -> dict[str, Any]:
    state, machine = example.states[0], comparison.machines[0]
    sliders = [{"name": s.name, "tunnel": s.tunnel, "offset": s.offset, "flipped": s.flipped} for s in state.sliders]
    return {
        "position": example.number,
        "move": move_json(example.move),
        "orientation": state.orientation,
        "ghosts": {colour: "+".join(covers(state, colour, machine)) for colour in state.colours},
        "sliders": sliders,
        "ghost": example.ghost,
        "margin": round(example.margin, 3),
        "outcomes": [_ends_json(ends) for ends in example.ends],
    }


def _effects(option: Option, survey: Survey) -> str:
    """What becomes of each ghost that does not simply stay on its space."""
    if option.ghosts is None:
        return "; ".join(option.reasons)
    parts = []
    state, machine = survey.scene.state, survey.scene.machine
    samples = dict(option.samples.ghosts) if option.samples else {}
    for colour, end in option.ghosts:
        here = "+".join(covers(state, colour, machine))
        shares = samples.get(colour)
        if shares is None or option.samples is None:
            where = _where(end)
            only = "+".join(end.covers)
        else:
            where = _spread(shares.spaces, option.samples.size)
            only = next(iter(shares.spaces)) if len(shares.spaces) == 1 else ""
        if only != here:
            parts.append(f"{colour} {end.fate} → {where}")
    return "; ".join(parts) or "no ghost changes space"


def _spread(spaces: Mapping[str, int], size: int) -> str:
    shown = [
        f"{key}" + ("" if count == size else f" {percent(count / size).strip()}")
        for key, count in list(spaces.items())[:_SHOWN]
    ]
    rest = len(spaces) - _SHOWN
    return ", ".join(shown) + (f", {rest} more" if rest > 0 else "")


def _where(end: End) -> str:
    return "+".join(end.covers) or OFF


def _placing(placement: Placement) -> str:
    return ", ".join(f"{colour} on {space}" for colour, space in placement)
