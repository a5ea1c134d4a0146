"""What happened, in a sentence for each ghost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.ensemble import OFF, wilson
from twin.grid import space_under
from twin.trace import PLUG, WALL

if TYPE_CHECKING:
    from twin.engine import GhostOutcome, Outcome
    from twin.ensemble import Ensemble


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
        "stayed": "stayed where it was",
        "dragged": "was dragged by hand" + (", and a wall stopped it" if WALL in ghost.touched else ""),
    }[ghost.fate]
    if ghost.walls:
        count = len(ghost.walls)
        what += f", through {count} wall{'s' if count > 1 else ''}"
    if ghost.place is None:
        end = "it goes to an empty corner (D5)"
    elif ghost.space is not None:
        end = f"it stands on {ghost.space}"
    else:
        end = f"it straddles {' and '.join(ghost.covers)} (D4)"
    close = "; too close to call" if ghost.too_close else ""
    return f"{colour} on {start} {what}; {end}{close}."


def outcome_sentences(outcome: Outcome) -> list[str]:
    """Everything that is worth saying about a move, ghosts first."""
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
        lines.append(f"The player may place the ghosts in {len(outcome.landing.placements)} ways (D4, D5).")
    lines += [f"Warning: {text}." for text in outcome.warnings]
    return lines


def ensemble_sentences(samples: Ensemble) -> list[str]:
    """How sure an outcome is."""
    verdict = "chancy: the outcome flips" if samples.chancy else "not chancy: the outcome is the same"
    lines = [f"With {samples.size} varied hands (seed {samples.seed}) it is {verdict} within a person's variation."]
    for colour, shares in samples.ghosts:
        parts = []
        for key, count in list(shares.spaces.items())[:5]:
            low, high = wilson(count, samples.size)
            where = "off the board" if key == OFF else key
            parts.append(f"{where} {100 * count / samples.size:.0f} % ({100 * low:.0f}–{100 * high:.0f})")
        rest = len(shares.spaces) - 5
        lines.append(f"  {colour}: {', '.join(parts)}{f', {rest} more' if rest > 0 else ''}")
    return lines
