"""What became of a ghost in a move, in one word.

If several words apply, the first in the order of `twin.board.expectation.FATES` is taken. *Gripped* means: within
`tolerance.grip` of a magnet that grips, and not lifted off the board.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from twin.board.moves import Drag, Move, Push, Turn
from twin.physics.trace import PLUG, WALL

if TYPE_CHECKING:
    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.state import Magnet


@dataclass(frozen=True)
class Story:
    """What a fate is told from, for one ghost."""

    ghost: str
    start: Place
    end: Place | None
    """Floor frame, mm; None once fallen."""
    touched: tuple[str, ...]
    lifted: bool
    grip_before: Magnet | None
    grip_after: Magnet | None
    alone: Place | None
    """Where it ends with the other ghosts taken away; only asked for if it touched one, None if it falls then too."""


def gripping(place: Place | None, magnets: tuple[Magnet, ...], machine: Machine) -> Magnet | None:
    """The nearest magnet that grips a ghost at a floor place, or None."""
    if place is None:
        return None
    near = [(math.dist(place, (m.x, m.y)), m) for m in magnets if m.polarity > 0]
    within = [(distance, m) for distance, m in near if distance <= machine["tolerance.grip"]]
    return min(within)[1] if within else None


def fate(story: Story, move: Move, machine: Machine) -> str:
    """The fate of a ghost."""
    if story.end is None:
        return "fell"
    before = story.grip_before.label if story.grip_before else None
    after = story.grip_after.label if story.grip_after and not story.lifted else None
    turned, pushed = isinstance(move, Turn), isinstance(move, Push)
    moving = story.grip_before is not None and isinstance(move, Push) and story.grip_before.slider == move.slider
    others = [name for name in story.touched if name not in {PLUG, WALL}]
    displaced = story.alone is None or math.dist(story.end, story.alone) > machine["tolerance.shove"]
    words = {
        "blocked": PLUG in story.touched and before is not None and after != before,
        "shoved": bool(others) and displaced,
        "caught": turned and after is not None and after != before,
        "carried": pushed and moving and after == before,
        "held": turned and before is not None and after == before,
        "left": before is not None and after is None,
        "rode": turned,
        "stayed": not turned and not (isinstance(move, Drag) and move.ghost == story.ghost),
        "dragged": isinstance(move, Drag) and move.ghost == story.ghost,
    }
    return next(word for word, applies in words.items() if applies)
