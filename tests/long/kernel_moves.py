"""Random moves on random machines: the kernel loses no ghost and repeats itself to the byte, and the engines agree.

Machines are drawn from the whole ranges of their values, ends included; positions, moves and hands at random. The
reference engine makes some of the moves too. Where a ghost ends otherwise there, and neither engine calls that too
close, the disagreement is unexplained; few of them are borne.
"""

from __future__ import annotations

import math
import os
import random
from dataclasses import dataclass, fields
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numba
import numpy as np

from tests.strategies import SHIPPED, stands
from twin.board.expectation import FATES
from twin.board.grid import SIDE
from twin.board.moves import Move, Push, Turn
from twin.board.scene import load_scene
from twin.board.state import COLOURS, MAX_OFFSET, State, validate_state
from twin.errors import BadInputError, TwinError
from twin.outcome.engine import KERNEL, PYMUNK, Twin
from twin.outcome.many import simulate_many
from twin.outcome.outcomes import Outcomes
from twin.outcome.riding_share import random_state
from twin.physics.hand import NOMINAL, Hand, varied_hand
from twin.processes import run_all

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.long.trial import Trial
    from twin.board.machine import Machine

MOVES: Final = 100_000
REFERENCE_MOVES: Final = 2_000
MACHINES: Final = 200
"""Few, because the tables of forces of each one take a second."""
UNEXPLAINED: Final = 0.005
"""Share of ghosts that may end otherwise on the other engine although neither calls it too close."""
OVERLAP: Final = 0.1
"""mm by which feet may overlap at the end: the solver's slop and a step's rounding."""
BATCH: Final = 97


@dataclass(frozen=True)
class Job:
    """Moves on one machine; the reference engine makes the first ones too."""

    number: int
    moves: int
    reference: int
    seed: int
    cache: str
    """Folder for tables of forces, so that they do not crowd out those of the user; none in this very process."""


@dataclass(frozen=True)
class Tried:
    """What came of one machine's moves."""

    ghosts: int
    fell: int
    overlap: float
    """The most, mm."""
    compared: int
    """Ghosts that the reference engine moved too."""
    flagged: int
    """Of those that ended otherwise, how many an engine calls too close."""
    apart: tuple[str, ...]
    """The others, each with all that is needed to see it again."""
    findings: tuple[str, ...]


ARRAYS: Final = tuple(field.name for field in fields(Outcomes) if field.name != "machines")
"""What outcomes consist of."""


def run(trial: Trial) -> None:
    """All machines, shared out among processes."""
    machines = trial.size(MACHINES)
    moves = min(MOVES // MACHINES, trial.size(MOVES))
    reference = min(REFERENCE_MOVES // MACHINES, trial.size(REFERENCE_MOVES))
    cache = str(trial.folder) if trial.workers else ""
    jobs = [Job(n, moves, reference, trial.seed, cache) for n in range(machines)]
    done = run_all(tried, jobs, trial.workers) if trial.workers else enumerate(map(tried, jobs))
    results = []
    for _, result in done:
        results.append(result)
        for what in result.findings:
            trial.found(what)
        for what in result.apart:
            trial.say(f"unexplained: {what}")
        if len(results) % max(machines // 10, 1) == 0:
            trial.say(f"{len(results)} of {machines} machines")
    _tell(trial, results, moves * machines, reference * machines)


def _tell(trial: Trial, results: list[Tried], moves: int, reference: int) -> None:
    ghosts, fell = sum(r.ghosts for r in results), sum(r.fell for r in results)
    overlap = max(r.overlap for r in results)
    trial.say(
        f"{moves:,} moves of the kernel on {len(results)} machines: {ghosts:,} ghosts, {fell:,} fell; feet overlap by "
        f"{overlap:.3f} mm at most; {sum(len(r.findings) for r in results)} findings"
    )
    compared, flagged = sum(r.compared for r in results), sum(r.flagged for r in results)
    apart = sum(len(r.apart) for r in results)
    trial.say(
        f"{reference:,} moves on both engines: {compared - flagged - apart:,} of {compared:,} ghosts end alike, "
        f"{flagged} otherwise but too close to call, {apart} otherwise without a flag"
    )
    if apart > UNEXPLAINED * compared + 1:
        trial.found(f"{apart} of {compared:,} ghosts end otherwise on the other engine without a flag")


def random_machine(dice: random.Random) -> Machine:
    """A shipped machine with every value drawn anew from its range, one in two from an end of it."""
    while True:
        base = SHIPPED[dice.choice(sorted(SHIPPED))]
        changes = {
            key: dice.choice(quantity.range) if dice.random() < 0.5 else dice.uniform(*quantity.range)
            for key, quantity in base.quantities.items()
        }
        try:
            return base.with_values(changes)
        except BadInputError:  # no board could have such a combination
            continue


def random_play(machine: Machine, dice: random.Random) -> tuple[State, Move, Hand]:
    """A position with ghosts off-centre or not, a turn or a push, and the nominal hand or another."""
    state = random_state(machine, dice, ghosts=dice.randint(1, 4))
    state = State.of(dice.randrange(4), state.places, state.sliders)
    if dice.random() < 0.5:
        reach = machine.space / 2
        for colour, (x, y) in state.places.items():
            place = x + dice.uniform(-reach, reach), y + dice.uniform(-reach, reach)
            moved = State.of(state.orientation, state.places | {colour: place}, state.sliders)
            state = moved if stands(moved, machine) else state
    hand = varied_hand(machine, len(state.ghosts), dice.randrange(1000), 1) if dice.random() < 0.5 else NOMINAL
    if dice.random() < 0.6:
        return state, Turn("cw" if dice.random() < 0.5 else "ccw"), hand
    slider = dice.choice(state.sliders)
    north = slider.offset < MAX_OFFSET and (slider.offset == -MAX_OFFSET or dice.random() < 0.5)
    return state, Push(slider.name, "north" if north else "south"), hand


def tried(job: Job) -> Tried:
    """Make one machine's moves and look at all that comes of them."""
    _warm(job.cache)
    dice = random.Random(f"{job.seed} {job.number}")
    machine = random_machine(dice)
    plays = [random_play(machine, dice) for _ in range(job.moves)]
    outcomes = _outcomes(machine, plays)
    nominal = np.array([hand is NOMINAL for _, _, hand in plays])
    findings = [*_wrong(machine, outcomes, nominal), *_unequal(machine, plays, outcomes, dice)]
    compared = flagged = 0
    apart = []
    for n, (state, move, hand) in enumerate(plays[: job.reference]):
        there = Twin(machine, PYMUNK).act(state, move, hand, sensitivity=False)
        here = Twin(machine, KERNEL).act(state, move, hand, sensitivity=False)
        for outcome in (there, here):
            for as_is in (False, True):
                try:
                    validate_state(outcome.after(as_is=as_is), machine)
                except TwinError as error:
                    findings.append(
                        f"{outcome.engine}: no legal placement: {error}; {_words(machine, state, move, hand)}"
                    )
        if here.key != outcomes.key(n):
            findings.append(f"one move alone ends otherwise: {_words(machine, state, move, hand)}")
        compared += len(there.ghosts)
        different = [colour for colour, ghost in there.ghosts if ghost.key != here.ghost(colour).key]
        if different:
            sure = [Twin(machine, engine).act(state, move, hand) for engine in (PYMUNK, KERNEL)]
            for colour in different:
                if any(outcome.ghost(colour).too_close for outcome in sure):
                    flagged += 1
                else:
                    keys = " → ".join(" ".join((o.ghost(colour).fate, *o.ghost(colour).covers)) for o in sure)
                    apart.append(f"{colour}: {keys}; machine {job.number}: {_words(machine, state, move, hand)}")
    return Tried(
        ghosts=int(outcomes.present.sum()),
        fell=int((outcomes.fate == FATES.index("fell")).sum()),
        overlap=_overlap(machine, outcomes),
        compared=compared,
        flagged=flagged,
        apart=tuple(apart),
        findings=tuple(f"machine {job.number} (seed {job.seed}): {what}" for what in findings),
    )


def _warm(cache: str) -> None:
    """Load the compiled kernel from the usual cache, and from then on keep tables elsewhere."""
    if cache and os.environ.get("TWIN_CACHE") != cache:
        scene = load_scene("held")
        simulate_many([scene], [Turn("cw")])
        os.environ["TWIN_CACHE"] = cache


def _outcomes(machine: Machine, plays: list[tuple[State, Move, Hand]]) -> Outcomes:
    states, moves, hands = ([play[k] for play in plays] for k in range(3))
    return simulate_many(states, moves, machine=machine, hands=hands)  # type: ignore[arg-type]


def _wrong(machine: Machine, outcomes: Outcomes, nominal: NDArray[np.bool_]) -> list[str]:
    """What cannot be: a ghost that is nowhere, a number that is none. Varied hands may leave the board askew."""
    here, fell = outcomes.present, outcomes.fate == FATES.index("fell")
    stands_on = outcomes.covers[..., 0] >= 0
    half = SIDE * machine.space / 2 + 1e-9
    beyond = (
        np.where(nominal[:, None], np.abs(outcomes.end).max(axis=2), np.hypot(*outcomes.end.T).T / math.sqrt(2)) > half
    )
    checks = {
        "a ghost has no fate": here & (outcomes.fate < 0),
        "a ghost that did not fall has no place": here & ~fell & np.isnan(outcomes.end).any(axis=2),
        "a ghost that fell has a place": here & fell & ~np.isnan(outcomes.end).all(axis=2),
        "a ghost that did not fall covers no space": here & (fell == stands_on),
        "a ghost ends beyond the edge": here & ~fell & beyond,
        "a margin is no number": here & ~fell & ~(np.isfinite(outcomes.margin) & (outcomes.margin >= 0)),
        "a slip is no number": here & ~(np.isfinite(outcomes.slip) & (outcomes.slip >= 0)),
        "a start is no number": here & ~np.isfinite(outcomes.start).all(axis=2),
        "a ghost that is not there has a fate": ~here & (outcomes.fate >= 0),
    }
    found = [f"{what} ({int(bad.sum())} of {int(here.sum())})" for what, bad in checks.items() if bad.any()]
    overlap = _overlap(machine, outcomes)
    return [*found, f"feet overlap by {overlap:.3f} mm"] if overlap > OVERLAP else found


def _overlap(machine: Machine, outcomes: Outcomes) -> float:
    """The most that two feet, or a foot and the plug, overlap at the end, mm."""
    most = 0.0
    for i, j in combinations(range(len(COLOURS)), 2):
        apart = np.hypot(*(outcomes.end[:, i] - outcomes.end[:, j]).T)
        most = max(most, 2 * machine.radius - float(np.nanmin(apart, initial=math.inf)))
    apart = np.hypot(outcomes.end[..., 0], outcomes.end[..., 1])
    return max(most, machine["plug.radius"] + machine.radius - float(np.nanmin(apart, initial=math.inf)))


def _unequal(
    machine: Machine, plays: list[tuple[State, Move, Hand]], whole: Outcomes, dice: random.Random
) -> list[str]:
    """Whether another number of threads, or other batches, make any byte another."""
    found = []
    before = numba.get_num_threads()
    for threads in {1, before}:
        numba.set_num_threads(threads)
        if _bytes(_outcomes(machine, plays)) != _bytes(whole):
            found.append(f"other bytes with {threads} threads")
    numba.set_num_threads(before)
    order = list(range(len(plays)))
    dice.shuffle(order)
    for first in range(0, len(order), BATCH):
        members = order[first : first + BATCH]
        part = _outcomes(machine, [plays[n] for n in members])
        found += [
            f"{name}: other bytes in a shuffled batch"
            for name in ARRAYS
            if getattr(part, name).tobytes() != getattr(whole, name)[members].tobytes()
        ]
    return found


def _bytes(outcomes: Outcomes) -> list[bytes]:
    return [getattr(outcomes, name).tobytes() for name in ARRAYS]


def _words(machine: Machine, state: State, move: Move, hand: Hand) -> str:
    """All that a move depends on."""
    shipped = SHIPPED[machine.name].values()
    values = " ".join(f"{key}={value!r}" for key, value in machine.values().items() if value != shipped[key])
    return f"{move} on {state}, {hand}, machine {machine.name} --set {values}"
