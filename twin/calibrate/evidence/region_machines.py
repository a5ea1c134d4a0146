"""The region that the rulebook leaves, as machines to predict with: what holds for every one of them.

The machines are the first so many of a Sobol' sample that do all that the rulebook says, so a larger region begins
with the smaller one of the same seed. Which they are is kept on disk, by everything that it depends on.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import scipy

from twin.caches import REGION, Cache, cache_folder
from twin.calibrate.evidence.facts import load_evidence
from twin.calibrate.evidence.machine_samples import sample
from twin.calibrate.evidence.parameters import parameters
from twin.calibrate.evidence.verdicts import docket
from twin.errors import BadInputError
from twin.outcome.ensemble import ghost_shares
from twin.outcome.many import simulate_many

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from twin.board.machine import Machine
    from twin.board.moves import Push, Turn
    from twin.board.state import State
    from twin.calibrate.evidence.facts import Evidence
    from twin.calibrate.evidence.machine_samples import Sample
    from twin.calibrate.evidence.parameters import Parameter
    from twin.outcome.ensemble import GhostShares

MOST: Final = 4096
"""Machines that a region can have."""

TRIES: Final = 20
"""So many machines are tried for each that is wanted, and `LEAST_TRIES` more, before it is given up."""

LEAST_TRIES: Final = 500


@dataclass(frozen=True)
class Prediction:
    """One move over many machines, by the nominal hand."""

    move: Turn | Push
    size: int
    """Machines that it was made on."""
    ghosts: tuple[tuple[str, GhostShares], ...]

    @property
    def same(self) -> bool:
        """Whether every ghost ends on the same spaces on every machine."""
        return all(len(shares.spaces) == 1 for _, shares in self.ghosts)

    def always(self, colour: str) -> tuple[str | None, str | None]:
        """The spaces (joined by `+`, or `off`) and the fate that one ghost has on every machine; None if it varies."""
        shares = dict(self.ghosts)[colour]
        spaces, fates = list(shares.spaces), list(shares.fates)
        return spaces[0] if len(spaces) == 1 else None, fates[0] if len(fates) == 1 else None


def region(
    base: Machine,
    n: int,
    seed: int,
    *,
    fixed: Collection[str] = (),
    evidence: Evidence | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[Machine, ...]:
    """`n` machines from the ranges of a machine's assumed values that do all that the rulebook (or `evidence`) says.

    Values that are `fixed` stay as they are in the machine.
    """
    if not 1 <= n <= MOST:
        raise BadInputError(f"a region must have 1 to {MOST} machines; got {n}", field="machines")
    known = load_evidence() if evidence is None else evidence
    chosen = tuple(p for p in parameters(base) if p.name not in fixed)
    recipe = _recipe(base, chosen, seed, known)
    cache = Cache(cache_folder())
    stored = json.loads(cache.load(REGION, recipe) or "{}")
    kept, tried = stored.get("kept", []), stored.get("tried", 0)
    if len(kept) < n:
        kept, tried = _more(sample(base, chosen, LEAST_TRIES + TRIES * n, seed), n, known, kept, tried, progress)
        cache.keep(REGION, recipe, json.dumps({"tried": tried, "kept": kept}).encode())
    drawn = sample(base, chosen, kept[n - 1] + 1, seed)
    machines = (drawn.machine(index) for index in kept[:n])
    return tuple(machine for machine in machines if machine is not None)


def predict(machines: Sequence[Machine], states: Sequence[State], move: Turn | Push) -> Prediction:
    """One move on each machine, from the state that belongs to it; the commonest end first."""
    return predictions(machines, states, [move])[0]


def predictions(
    machines: Sequence[Machine],
    states: Sequence[State],
    moves: Sequence[Turn | Push],
    progress: Callable[[int], None] | None = None,
) -> tuple[Prediction, ...]:
    """Several moves on each machine, each from the same state."""
    colours = states[0].colours
    ends = [{colour: Counter[tuple[str, tuple[str, ...]]]() for colour in colours} for _ in moves]
    for number, (machine, state) in enumerate(zip(machines, states, strict=True), start=1):
        outcomes = simulate_many([state] * len(moves), moves, machine=machine)
        for k in range(len(moves)):
            for colour in colours:
                ends[k][colour][outcomes.fate_of(k, colour), outcomes.covers_of(k, colour)] += 1
        if progress is not None:
            progress(number)
    return tuple(
        Prediction(move, len(machines), tuple((c, ghost_shares(ends[k][c])) for c in colours))
        for k, move in enumerate(moves)
    )


def _more(
    drawn: Sample, n: int, evidence: Evidence, kept: list[int], tried: int, progress: Callable[[int], None] | None
) -> tuple[list[int], int]:
    """Go on with the sample until `n` machines fit; returns all of them, and how many were tried."""
    court = docket(evidence, drawn.base)
    kept = list(kept)
    while len(kept) < n:
        if tried >= len(drawn):
            problem = f"only {len(kept)} of {tried} machines from the ranges of {drawn.base.name} fit {evidence.name}"
            raise BadInputError(f"{problem}: too few for a region of {n}", field="machines")
        machine = drawn.machine(tried)
        if machine is not None and (court.judge(machine) != 0).all():
            kept.append(tried)
            if progress is not None:
                progress(len(kept))
        tried += 1
    return kept, tried


def _recipe(base: Machine, chosen: Sequence[Parameter], seed: int, evidence: Evidence) -> str:
    """All that decides which machines fit: ranges, evidence, and the code that simulates and judges."""
    box = [[p.name, p.low, p.high] for p in chosen]
    return json.dumps([base.fingerprint, box, evidence.digest, seed, scipy.__version__, _code()])


def _code() -> str:
    """A hash of the source of everything that a judgement goes through."""
    package = Path(__file__).parents[2]
    rooms = ("calibrate/evidence", "outcome", "physics", "physics/kernel")
    below = [path for room in rooms for path in sorted((package / room).glob("*.py"))]
    return _hashed([package / "calibrate" / "fit" / "quick_forces.py", *below])


def _hashed(paths: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()
