"""Rules D3 to D5 put to the proof: thousands of moves, what must always hold, and how often what may happen does.

Two of the claims that must hold can also be proved in words (`PROOFS`); they are tried all the same.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from twin.board.grid import CORNERS, SPACES, centre
from twin.board.state import COLOURS
from twin.explore.claims.finger import FIRM, lay_finger
from twin.explore.claims.placing_order import can_dead_end, nearest_dead_end
from twin.explore.claims.snap_oracle import COMPLETE, CORNER, FALLBACK, LEGAL, Measured, faults, measure
from twin.explore.hunt.cases import Case, draw_case, family_of
from twin.outcome.engine import Twin
from twin.outcome.many import simulate_many
from twin.outcome.snap import snap as usual_snap
from twin.physics.hand import NOMINAL, varied_hand
from twin.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.outcome.outcomes import Outcomes
    from twin.outcome.snap import Landing

    Snap = Callable[[Mapping[str, Place | None], float, int, Machine], Landing]

Kind = Literal["must_hold", "finding"]

BATCH: Final = 2000
"""Moves that go through the kernel at once."""

VARIED: Final = 4
"""Every so many moves one is made by a varied hand, which also leaves the board askew."""

FINGER_EVERY: Final = 50
MOST_FINGERS: Final = 200
"""A finger is tried in one move of so many, at most so often: each takes the reference engine a tenth of a second."""

WORST: Final = 3
"""Cases kept for each claim."""

_CORNER_NUMBERS: Final = tuple(SPACES.index(corner) for corner in CORNERS)
_MUST: Final = {
    LEGAL: "a listed placement is legal: own spaces, never d4, straddlers on covered spaces, fallen ghosts on corners",
    COMPLETE: "all joint placements are listed, each once, as many as the kernel and a ruler count",
    CORNER: "a fallen ghost finds an empty corner in every placement, and in the fallback (D5)",
    FALLBACK: "a conflict, and only a conflict, falls back to a legal position with everybody on a space of its own",
}
_LOST: Final = "nobody is lost: every ghost stands on the board and covers a space, or has fallen"
_RULER: Final = "the covered spaces are those that a ruler finds"
PROOFS: Final = {
    _MUST[CORNER]: (
        "There are four corners and at most four ghosts. When k of them have fallen, the 4 − k others stand on one "
        "space each, so they take at most 4 − k corners and leave at least k. A conflict therefore never comes from a "
        "fallen ghost; and in a joint placement, or in the fallback, each of them has a corner."
    ),
    _LOST: (
        "A ghost on the board has its centre over a space. If that is the plug's, the plug keeps the centre at least "
        "27 mm from the middle of a space whose corners are 28 mm away: the nearest line is less than 1 mm from the "
        "centre, and a foot counts as far as 11 mm from it, so it covers a neighbour."
    ),
}
"""Why a claim must hold, in words; the lengths are those of the default machine."""


@dataclass
class Claim:
    """One claim, how often it held and broke, and the worst cases."""

    claim: str
    kind: Kind
    happens: str = ""
    """For a finding: what happens where the claim does not hold, a sentence with `{count}` in place of how often."""
    held: int = 0
    broken: int = 0
    distribution: dict[str, int] | None = None
    """For a claim about a number: how often which number came up."""
    worst: list[tuple[float, int, Case]] = field(default_factory=list)
    """The worst cases that a nominal hand replays, with how bad they are and their numbers; the worst first."""

    @property
    def tried(self) -> int:
        """Cases in all."""
        return self.held + self.broken

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval for the share in which the claim breaks."""
        return wilson(self.broken, self.tried)

    def count(self, case: Case, number: int, *, held: bool, badness: float = 1.0) -> None:
        """Count one case."""
        self.held += held
        self.broken += not held
        known = any(number == other for _, other, _ in self.worst)
        if not held and not known and (case.hand == NOMINAL or self.kind == "must_hold"):
            self.worst.append((badness, number, case))
            self.worst.sort(key=lambda item: (-item[0], item[2].hand != NOMINAL, item[1]))
            del self.worst[WORST:]


@dataclass(frozen=True)
class Validation:
    """What a validation found."""

    turns: int
    """Moves tried, turns and pushes."""
    seed: int
    claims: tuple[Claim, ...]

    @property
    def broken(self) -> tuple[Claim, ...]:
        """The claims that must hold and do not."""
        return tuple(claim for claim in self.claims if claim.kind == "must_hold" and claim.broken)


class _ClaimTally:
    """The claims, in the order in which they are reported."""

    def __init__(self) -> None:
        self.claims: dict[str, Claim] = {text: Claim(text, "must_hold") for text in (*_MUST.values(), _LOST, _RULER)}

    def find(self, text: str, happens: str) -> Claim:
        return self.claims.setdefault(text, Claim(text, "finding", happens))

    def must(self, text: str) -> Claim:
        return self.claims.setdefault(text, Claim(text, "must_hold"))


def validate(
    machine: Machine,
    samples: int,
    seed: int,
    *,
    snap: Snap = usual_snap,
    fingers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Validation:
    """Try `samples` moves; `snap` is the snapping layer under test.

    Half of the positions are random, half adversarial (`twin.explore.hunt.cases`); three moves of four are turns, one
    hand of four is a varied one. `fingers` is the number of moves that are made again on the reference engine with a
    finger on one ghost: by default one of `FINGER_EVERY`, at most `MOST_FINGERS`. The same seed gives the same counts.
    """
    tally = _ClaimTally()
    wanted = min(samples // FINGER_EVERY, MOST_FINGERS) if fingers is None else fingers
    turned: list[tuple[int, Case]] = []
    for first in range(0, samples, BATCH):
        cases = [_drawn(machine, seed, n) for n in range(first, min(first + BATCH, samples))]
        outcomes = simulate_many(
            [c.state for c in cases], [c.move for c in cases], machine=machine, hands=[c.hand for c in cases]
        )
        ruler = measure(outcomes.end, outcomes.orientation, outcomes.askew, machine)
        for row, case in enumerate(cases):
            options = _must_hold(tally, machine, snap, case, first + row, outcomes, ruler, row)
            _findings(tally, machine, case, first + row, outcomes, ruler, row, options)
            if len(turned) < wanted and case.turning and case.hand == NOMINAL and len(case.state.ghosts) > 1:
                turned.append((first + row, case))
        if progress is not None:
            progress(first + len(cases))
    _fingers(tally, machine, seed, turned)
    return Validation(samples, seed, tuple(tally.claims.values()))


def _drawn(machine: Machine, seed: int, number: int) -> Case:
    """The case of this number, from the seed and the number alone."""
    dice = random.Random(f"let it happen {seed} {number}")
    case = draw_case(machine, dice, family_of(number))
    if number // 2 % VARIED != VARIED - 1:
        return case
    hand = varied_hand(machine, len(case.state.ghosts), seed, number)
    return Case(case.state, case.move, hand, case.family)


def _must_hold(
    tally: _ClaimTally,
    machine: Machine,
    snap: Snap,
    case: Case,
    number: int,
    outcomes: Outcomes,
    ruler: Measured,
    row: int,
) -> dict[str, tuple[str, ...] | None]:
    """Count what must hold in one move; returns the spaces that each ghost covers, None once fallen."""
    places: dict[str, Place | None] = {}
    options: dict[str, tuple[str, ...] | None] = {}
    lost = off_ruler = False
    for colour in case.state.colours:
        i = COLOURS.index(colour)
        x, y = outcomes.end[row, i]
        read = outcomes.covers_of(row, colour)
        if outcomes.fate_of(row, colour) == "fell":
            places[colour] = options[colour] = None
            lost = lost or bool(read) or np.isfinite(x)
            continue
        found = tuple(SPACES[k] for k in np.flatnonzero(ruler.covered[row, i]))
        if ruler.even[row, i]:
            found = read
        places[colour], options[colour] = (float(x), float(y)), found
        lost = lost or not (np.isfinite(x) and np.isfinite(y) and found)
        off_ruler = off_ruler or found != read
    landing = snap(places, float(outcomes.askew[row]), int(outcomes.orientation[row]), machine)
    wrong = faults(landing, options, int(outcomes.placements[row]))
    for fault, text in _MUST.items():
        if fault != CORNER or None in options.values():
            tally.claims[text].count(case, number, held=fault not in wrong)
    tally.claims[_LOST].count(case, number, held=not lost)
    tally.claims[_RULER].count(case, number, held=not off_ruler)
    return options


def _findings(
    tally: _ClaimTally,
    machine: Machine,
    case: Case,
    number: int,
    outcomes: Outcomes,
    ruler: Measured,
    row: int,
    options: dict[str, tuple[str, ...] | None],
) -> None:
    """Count what may happen in one move; a push that B6 forbids is not one."""
    if not case.turning and case.hand == NOMINAL and None in options.values():
        return
    moves, family = "turns" if case.turning else "pushes", "random" if case.family == "random" else "adversarial"
    where, after = f"{moves}, {family} positions", f"{{count}} {moves} from {family} positions"
    found = int(outcomes.placements[row])
    loose = [c for c, covers in options.items() if covers is None or len(covers) > 1]
    tally.find(f"a joint placement exists ({where})", f"No joint placement exists after {after}").count(
        case, number, held=found > 0, badness=float(len(loose))
    )
    straddling = tally.find(
        f"a ghost that stays on the board covers one space only ({where})",
        f"{{count}} ghosts that stay on the board cover several spaces after {moves} from {family} positions",
    )
    for covers in options.values():
        if covers is not None:
            straddling.count(case, number, held=len(covers) == 1, badness=float(len(loose)))
    single = tally.find(
        f"there is just one way to place everybody ({where})",
        f"There are several ways to place all ghosts, or none, after {after}",
    )
    single.count(case, number, held=found == 1, badness=float(found))
    single.distribution = dict(Counter(single.distribution or {}) + Counter({str(found): 1}))
    if found and len(loose) > 1:
        _orders(tally, machine, case, number, ruler, row, options)


def _orders(
    tally: _ClaimTally,
    machine: Machine,
    case: Case,
    number: int,
    ruler: Measured,
    row: int,
    options: dict[str, tuple[str, ...] | None],
) -> None:
    """Whether the order of placing matters (G9), where several ghosts are to be placed and all of them can be."""
    settled = [SPACES.index(covers[0]) for covers in options.values() if covers is not None and len(covers) == 1]
    loose: list[tuple[int, ...]] = []
    for colour, covers in options.items():
        if covers is None:
            loose.append(_CORNER_NUMBERS)
        elif len(covers) > 1:
            x, y = ruler.places[row, COLOURS.index(colour)]
            near = sorted((np.hypot(x - cx, y - cy), s) for s in covers for cx, cy in [centre(s, machine.space)])
            loose.append(tuple(SPACES.index(s) for _, s in near))
    held = not nearest_dead_end(settled, loose)
    tally.find(
        "several ghosts can be placed one by one on their nearest free spaces, in any order (G9)",
        "Some order of placing ghosts on their nearest free spaces leaves one without a space (G9) after {count} moves "
        "with several ghosts to place",
    ).count(case, number, held=held, badness=float(len(loose)))
    tally.find(
        "several ghosts can be placed one by one in any order, whatever is chosen (G9)",
        "Some order and choice leaves a ghost without a space (G9) after {count} moves with several ghosts to place",
    ).count(case, number, held=not can_dead_end(settled, loose), badness=float(len(loose)))


def _fingers(tally: _ClaimTally, machine: Machine, seed: int, turned: list[tuple[int, Case]]) -> None:
    """Lay a finger on one ghost of each of these turns (D3)."""
    twin = Twin(machine)
    for number, case in turned:
        dice = random.Random(f"finger {seed} {number}")
        finger = lay_finger(case, twin, dice.choice(case.state.colours))
        firm = tally.must(f"the finger of the model holds its ghost to within {FIRM} mm")
        firm.count(case, number, held=finger.drift <= FIRM, badness=finger.drift)
        family = f"{'random' if case.family == 'random' else 'adversarial'} positions"
        tally.find(
            f"a finger on one ghost leaves every other ghost's fate as it is (D3; turns, {family})",
            f"A finger on one ghost changes the fate of another (D3) in {{count}} turns from {family}",
        ).count(case, number, held=not finger.fates, badness=float(len(finger.fates)))
        tally.find(
            f"a finger on one ghost leaves every other ghost on its spaces (D3; turns, {family})",
            f"A finger on one ghost changes the spaces of another (D3) in {{count}} turns from {family}",
        ).count(case, number, held=not finger.covers, badness=float(len(finger.covers)))
