"""What happened, in a sentence for each ghost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.board.grid import space_under
from twin.outcome.ensemble import OFF
from twin.physics.trace import PLUG, WALL
from twin.stats import VERDICTS, count_words, share_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twin.outcome.engine import GhostOutcome, Outcome
    from twin.outcome.ensemble import Ensemble
    from twin.outcome.snap import Placement

_SHOWN: Final = 5
"""Ends of a ghost that a line shows; the rest is counted."""
_WAYS: Final = 6
"""Ways to place the ghosts that are all listed; the rest of more is counted."""


def ghost_sentence(colour: str, ghost: GhostOutcome, outcome: Outcome) -> str:
    """One ghost's fate, its cause and its end."""
    start = space_under(outcome.before.board_place(colour), outcome.machine.space) or "the edge"
    others = [name for name in ghost.touched if name not in {PLUG, WALL}]
    whom = " and ".join(others)
    grip = ghost.grip_before.label if ghost.grip_before else "its magnet"
    caught = ghost.grip_after.label if ghost.grip_after else "a magnet"
    what = {
        "fell": "fell off the board" + (f" after touching {whom}" if whom else ""),
        "blocked": f"ran into the plug and lost magnet {grip}",
        "shoved": f"was shoved by {whom}",
        "caught": f"was caught by magnet {caught}",
        "carried": f"was carried along by magnet {grip}",
        "held": f"was held in place by magnet {grip} while the board turned under it",
        "left": f"came off magnet {grip}",
        "rode": "rode along with the board",
        "stayed": f"slid {ghost.slip:.0f} mm" if ghost.walls else "stayed where it was",
        "dragged": "was dragged by hand" + (", and a wall stopped it" if WALL in ghost.touched else ""),
    }[ghost.fate]
    if ghost.walls:
        count = len(ghost.walls)
        sliding = " sliding" if ghost.fate == "rode" else ""  # what rides crosses a wall of the board only if it slides
        what += f",{sliding} through {count} wall{'s' if count > 1 else ''}"
    if ghost.place is None:
        end = "it goes to an empty corner (D5)"
    elif ghost.space is not None:
        end = f"it stands on {ghost.space}"
    else:
        end = f"it straddles {' and '.join(ghost.covers)} (D4)"
    close = "; too close to call" if ghost.too_close else ""
    return f"{colour} on {start} {what}; {end}{close}."


def outcome_sentences(outcome: Outcome, placing: Sequence[str] | None = None) -> list[str]:
    """Everything that is worth saying about a move, ghosts first; `placing` stands for the usual line on placements."""
    lines = [ghost_sentence(colour, ghost, outcome) for colour, ghost in outcome.ghosts] if outcome.done else []
    for rule, reason in zip(outcome.broken, outcome.reasons, strict=True):
        lines.append(f"Not allowed by {rule}: {reason}.")
    if not outcome.done:
        lines.append("Nothing was moved.")
    if outcome.landing.fallback is not None:
        where = ", ".join(f"{colour} {space}" for colour, space in outcome.landing.fallback)
        lines.append(
            f"Conflict: there is no way to put every ghost on a space of its own that it covers. Fallback: {where}."
        )
    elif len(outcome.landing.placements) > 1:
        lines += [f"{_ways(outcome)}."] if placing is None else placing
    lines += [f"Warning: {text}." for text in outcome.warnings]
    return lines


def placement_sentences(outcome: Outcome, choice: Mapping[str, str], takers: str, advice: str = "") -> list[str]:
    """The ways to place the ghosts, and which of them is taken, with `choice`, by `takers` ("the picture takes").

    Ghosts that have no choice are left out.
    """
    ways = outcome.landing.placements
    if len(ways) < 2:
        return []
    taken = outcome.placement(choice)
    number = ways.index(taken) + 1
    which = "the first" if number == 1 else f"number {number}"
    lines = [f"{_ways(outcome)}; {takers} {which}: {_placed(outcome, taken)}.{advice and f' {advice}'}"]
    shown = ways if len(ways) <= _WAYS else ways[: _WAYS - 1]
    lines += [f"  {number}. {_placed(outcome, way)}" for number, way in enumerate(shown, start=1)]
    return lines + ([f"  and {len(ways) - len(shown)} more"] if len(shown) < len(ways) else [])


def ensemble_sentences(samples: Ensemble) -> list[str]:
    """How sure an outcome is: the verdict with its counts, then a line for each ghost."""
    verdict = VERDICTS[samples.chancy].capitalize()
    first = (
        f"{verdict}: the commonest outcome comes up in {count_words(samples.most, samples.size)}; seed {samples.seed}."
    )
    if samples.alike < samples.most:
        first += f" The one shown here comes up in {samples.alike:,}."
    lines = [first]
    for colour, shares in samples.ghosts:
        parts = []
        for key, count in list(shares.spaces.items())[:_SHOWN]:
            where = "off the board" if key == OFF else key
            parts.append(f"{where} {share_words(count, samples.size)}")
        rest = len(shares.spaces) - _SHOWN
        more = f", {rest} more" if rest > 0 else ""
        lines.append(f"  {colour}: {VERDICTS[shares.chancy]}; {', '.join(parts)}{more}")
    return lines


def _ways(outcome: Outcome) -> str:
    return f"The player may place the ghosts in {len(outcome.landing.placements)} ways (D4, D5)"


def _placed(outcome: Outcome, placement: Placement) -> str:
    """The part of a placement that could be otherwise."""
    ways = [dict(way) for way in outcome.landing.placements]
    return ", ".join(f"{colour} on {space}" for colour, space in placement if any(way[colour] != space for way in ways))
