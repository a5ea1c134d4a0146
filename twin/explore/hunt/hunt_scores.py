"""What a hunt is after: each kind of extreme position, as a score that both engines' outcomes get the same way.

A score of 0 means: nothing of the kind. Pushes that B6 forbids score nothing, since no player may make them.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.expectation import FATES
from twin.board.grid import CORNERS, SPACES
from twin.board.state import COLOURS
from twin.outcome.outcomes import frozen
from twin.physics.trace import PLUG

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from twin.outcome.engine import Outcome
    from twin.outcome.outcomes import Outcomes

THINNEST: Final = 1e-3
"""Margins below this are noise of the arithmetic, mm."""

WIDEST: Final = 1.0
"""Margins above this are not thin, mm."""

WARNINGS: Final = {"lifted": 1, "tipping": 2, "topple": 4, "unsettled": 8}
DIFFER: Final = "engines-differ"

SAME_SPACES: Final = 0.1
"""What a distance between the engines counts if the ghost ends on the same spaces."""

_MOVED: Final = tuple(FATES.index(fate) for fate in ("blocked", "shoved", "caught", "carried", "held", "left"))
_CORNER_MASK: Final = sum(1 << SPACES.index(corner) for corner in CORNERS)
_SUBSETS: Final = tuple(group for size in (1, 2, 3, 4) for group in combinations(range(4), size))


def thin_margin(outcomes: Outcomes) -> NDArray[np.float64]:
    """(N,) 1 - the smallest margin in mm, of ghosts that did more than ride or stay; 0 from `WIDEST` on."""
    moved = np.isin(outcomes.fate, _MOVED)
    margin = np.where(moved & (outcomes.margin > THINNEST), outcomes.margin, WIDEST)
    thin: NDArray[np.float64] = np.clip(1.0 - np.nanmin(margin, axis=1) / WIDEST, 0.0, 1.0)
    return thin


def chain(outcomes: Outcomes) -> NDArray[np.float64]:
    """(N,) ghosts in the longest chain of ghosts that touched each other, at least two of them shoved."""
    size = len(outcomes)
    linked = np.zeros((size, 4, 4), bool)
    for i in range(4):
        linked[:, i, :] = ((outcomes.touched >> i) & 1).astype(bool)
    linked |= np.swapaxes(linked, 1, 2) | np.eye(4, dtype=bool)
    for _ in range(2):  # paths of up to four links
        linked = np.einsum("nij,njk->nik", linked.astype(np.int64), linked.astype(np.int64)) > 0
    longest = linked.sum(axis=2).max(axis=1)
    shoved = _count(outcomes.fate == FATES.index("shoved"))
    return np.where(shoved >= 2, longest, 0).astype(np.float64)


def fallen(outcomes: Outcomes) -> NDArray[np.float64]:
    """(N,) how many ghosts fall."""
    return _count(outcomes.fell)


def jammed(outcomes: Outcomes) -> NDArray[np.float64]:
    """(N,) size of the largest group of ghosts with too few spaces among them, none of which could be spared.

    By Hall's theorem a joint placement exists unless some group of ghosts covers fewer spaces than it has members.
    """
    masks = np.zeros((len(outcomes), 4), np.int64)
    for k in range(outcomes.covers.shape[2]):
        number = outcomes.covers[:, :, k].astype(np.int64)
        masks |= np.where(number >= 0, np.int64(1) << np.maximum(number, 0), 0)
    masks = np.where(outcomes.fell, _CORNER_MASK, masks)
    short: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    largest = np.zeros(len(outcomes))
    for group in _SUBSETS:
        union = np.bitwise_or.reduce(masks[:, group], axis=1)
        there = outcomes.present[:, group].all(axis=1)
        lacking = there & (np.bitwise_count(union) < len(group))
        for smaller, already in short.items():
            if set(smaller) < set(group):
                lacking &= ~already
        short[group] = lacking
        largest[lacking] = len(group)
    return largest


def warned(bit: int) -> Callable[[Outcomes], NDArray[np.float64]]:
    """(N,) how many ghosts have a warning."""

    def count(outcomes: Outcomes) -> NDArray[np.float64]:
        return _count((outcomes.warnings & bit) > 0)

    return count


KINDS: Final[dict[str, Callable[[Outcomes], NDArray[np.float64]]]] = {
    "thin-margin": thin_margin,
    "shove-chain": chain,
    "most-fallen": fallen,
    "jam": jammed,
    "never-settles": warned(WARNINGS["unsettled"]),
    "lifted": warned(WARNINGS["lifted"]),
    "tipping": warned(WARNINGS["tipping"]),
    "topples": warned(WARNINGS["topple"]),
}
"""Kinds that either engine's outcome shows by itself, with their scores; `DIFFER` takes both."""


def score(kind: str, outcomes: Outcomes, turning: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(N,) scores of one kind; `turning` (N,) marks turns; B6 forbids pushes if a ghost falls."""
    return np.where(~turning & outcomes.takes_off, 0.0, KINDS[kind](outcomes))


def hint(kind: str, outcomes: Outcomes) -> NDArray[np.float64]:
    """(N,) what leads towards a kind while scores are equal, 0 … 1: contacts, paths, and feet near lines or edges."""
    touches = _count(outcomes.touched > 0) / 4.0
    path = np.minimum(np.add.reduce(outcomes.slip, axis=1) / 1000.0, 1.0)
    parts = [touches, path]
    if kind == "jam":
        loose = _count(outcomes.covers[:, :, 1] >= 0) / 4.0
        parts = [touches, loose, 1.0 / (1.0 + outcomes.placements)]
    elif kind == "most-fallen":  # who is held far out falls when the board turns away
        outward = np.where(outcomes.grips[:, :, 0] >= 0, np.abs(outcomes.start).sum(axis=2), 0.0)
        parts = [np.nan_to_num(outward).sum(axis=1) / 1000.0]
    elif kind == DIFFER:
        parts = [touches, path, thin_margin(outcomes)]
    together: NDArray[np.float64] = np.mean(parts, axis=0)
    return together


def apart(kernel: Outcomes, row: int, reference: Outcome) -> float:
    """How far the engines end apart at most, mm: in full for a ghost that ends on other spaces, else a tenth of it.

    A ghost that falls in one engine only counts a whole space.
    """
    most = 0.0
    for colour, ghost in reference.ghosts:
        end = kernel.end_of(row, colour)
        if ghost.place is None or end is None:
            most = max(most, 0.0 if ghost.place is None and end is None else reference.machine.space)
        else:
            share = SAME_SPACES if kernel.covers_of(row, colour) == ghost.covers else 1.0
            most = max(most, share * math.dist(end, ghost.place))
    return most


def as_outcomes(found: Sequence[Outcome]) -> Outcomes:
    """The reference engine's outcomes in the kernel's form, so that they are scored the same way."""
    size = len(found)
    ends, starts = np.full((size, 4, 2), np.nan), np.full((size, 4, 2), np.nan)
    covers, fate = np.full((size, 4, 4), -1, np.int8), np.full((size, 4), -1, np.int8)
    margin, slip = np.full((size, 4), np.nan), np.zeros((size, 4))
    touched, warnings = np.zeros((size, 4), np.uint8), np.zeros((size, 4), np.uint8)
    bits = {name: 1 << bit for bit, name in enumerate((*COLOURS, PLUG))}
    for n, outcome in enumerate(found):
        for colour, ghost in outcome.ghosts:
            i = COLOURS.index(colour)
            starts[n, i] = ghost.start
            fate[n, i] = FATES.index(ghost.fate)
            slip[n, i] = ghost.slip
            touched[n, i] = sum(bits.get(other, 0) for other in ghost.touched)
            covers[n, i, : len(ghost.covers)] = [SPACES.index(space) for space in ghost.covers]
            if ghost.place is not None and ghost.margin is not None:
                ends[n, i], margin[n, i] = ghost.place, ghost.margin
        for caveat in outcome.trace.warnings if outcome.trace is not None else ():
            warnings[n, COLOURS.index(caveat.ghost)] |= WARNINGS[caveat.kind]
    machines, which = tuple(outcome.machine for outcome in found), np.arange(size, dtype=np.int32)
    return frozen(
        machines,
        which=which,
        present=fate >= 0,
        start=starts,
        end=ends,
        fate=fate,
        covers=covers,
        margin=margin,
        touched=touched,
        slip=slip,
        walls=np.zeros((size, 4, 9), np.int16),
        warnings=warnings,
        grips=np.full((size, 4, 2), -1, np.int16),
        placements=np.array([len(outcome.landing.placements) for outcome in found], np.int64),
        orientation=np.array([outcome.orientation for outcome in found], np.int8),
        askew=np.array([outcome.askew for outcome in found]),
        sliders=np.array([[(s.tunnel, s.offset, s.flipped) for s in outcome.sliders] for outcome in found], np.int8),
    )


def _count(which: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(N,) how many of (N, 4) ghosts."""
    number: NDArray[np.float64] = np.add.reduce(which, axis=1, dtype=np.float64)
    return number
