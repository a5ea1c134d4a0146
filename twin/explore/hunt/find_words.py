"""What is extreme about a find, in a sentence."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from twin.board.state import COLOURS
from twin.explore.hunt.hunt_scores import DIFFER, WARNINGS
from twin.outcome.engine import KERNEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.outcome.engine import Outcome
    from twin.outcome.outcomes import Outcomes

_WORDS = {
    "never-settles": ("unsettled", "still {moves} when the wait for rest is over"),
    "lifted": ("lifted", "{is} lifted off the board, which a flat model cannot follow"),
    "tipping": ("tipping", "{is} pushed hard enough to tip over the edge of the foot"),
    "topples": ("topple", "would be tipped over by the pull on the foot"),
}


def explain(kind: str, outcome: Outcome, kernel: Outcomes) -> str:
    """Why a case is a find of its kind, from the reference engine's outcome and the kernel's (N = 1).

    Without time for the reference engine, `outcome` is the kernel's too.
    """
    if kind == DIFFER:
        return _difference(outcome, kernel)
    if kind in _WORDS:
        return _warning(kind, outcome, kernel)
    return {"thin-margin": _margin, "shove-chain": _chain, "most-fallen": _fallen, "jam": _jam}[kind](outcome)


def jammed_group(outcome: Outcome) -> tuple[str, ...]:
    """The largest group of ghosts with fewer spaces among them than members, none of which could be spared."""
    covers = {colour: set(ghost.covers) for colour, ghost in outcome.ghosts if ghost.place is not None}
    short: list[tuple[str, ...]] = []
    for size in range(1, len(covers) + 1):
        for group in combinations(covers, size):
            spaces = set().union(*(covers[colour] for colour in group))
            if len(spaces) < size and not any(set(smaller) < set(group) for smaller in short):
                short.append(group)
    return short[-1] if short else ()


def _margin(outcome: Outcome) -> str:
    margins = [(g.margin, c) for c, g in outcome.ghosts if g.margin and g.fate not in {"rode", "stayed"}]
    margin, colour = min(margins, default=(0.0, ""))
    if not colour:
        return "only the kernel finds a thin margin"
    return f"{colour} covers {_and(outcome.ghost(colour).covers)} and ends {margin:.2f} mm from covering something else"


def _chain(outcome: Outcome) -> str:
    pairs = {tuple(sorted((c, other))) for c, g in outcome.ghosts for other in g.touched if other in COLOURS}
    shoved = [c for c, g in outcome.ghosts if g.fate == "shoved"]
    links = _and([f"{one} with {other}" for one, other in sorted(pairs)]) or "no ghost"
    return f"these touch: {links}; {_and(shoved) or 'nobody'} end{_s(shoved)} elsewhere than alone"


def _fallen(outcome: Outcome) -> str:
    fell = outcome.fallen
    return f"{_and(fell) or 'nobody'} fall{_s(fell)} in one move, and there is an empty corner for each"


def _jam(outcome: Outcome) -> str:
    group = jammed_group(outcome)
    spaces = sorted({space for colour in group for space in outcome.ghost(colour).covers})
    if not group:
        return "only the kernel finds a jam"
    return f"{_and(group)} cover only {_and(spaces)} between them, so there is no way to place them all"


def _warning(kind: str, outcome: Outcome, kernel: Outcomes) -> str:
    warning, text = _WORDS[kind]
    told = {(w.kind, w.ghost) for w in outcome.trace.warnings} if outcome.trace is not None else set()
    who = [colour for colour in COLOURS if (warning, colour) in told]
    if not who:
        bits = np.flatnonzero(kernel.warnings[0] & WARNINGS[warning])
        only = "" if outcome.engine == KERNEL else "only "
        return f"{only}the kernel warns ({warning}) of {_and([COLOURS[i] for i in bits])}"
    one = len(who) == 1
    return f"{_and(who)} " + text.replace("{moves}", "moves" if one else "move").replace("{is}", "is" if one else "are")


def _difference(outcome: Outcome, kernel: Outcomes) -> str:
    if outcome.engine == KERNEL:
        return "the engines end apart"
    parts = []
    for colour, ghost in outcome.ghosts:
        here, there = (_and(covers) or "the ground" for covers in (ghost.covers, kernel.covers_of(0, colour)))
        if here != there:
            parts.append(f"{colour} ends on {here} by the reference and on {there} by the kernel")
    text = ", ".join(parts) or "the engines end apart, on the same spaces"
    close = "a tenth of a millimetre at the start flips it" if outcome.too_close else "no small nudge flips it"
    return f"{text}; {close}"


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _s(words: Sequence[str]) -> str:
    return "s" if len(words) < 2 else ""
