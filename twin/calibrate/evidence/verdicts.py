"""Judging: which facts a machine does, by running their cases on the kernel with the nominal hand.

A `Docket` holds the cases of some evidence that a kind of machine has at all, ready to run. Positions are in spaces:
on a machine with larger spaces the ghosts stand as much farther apart.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.grid import SIDE, centre, covered_spaces, to_board
from twin.board.moves import Push, Turn
from twin.board.scene import load_scene
from twin.board.state import COLOURS, Slider, State, magnets, validate_state
from twin.calibrate.evidence.facts import CAN
from twin.errors import BadInputError
from twin.outcome.many import simulate_jobs
from twin.outcome.riding_share import random_state

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.calibrate.evidence.facts import Evidence, RuleCase
    from twin.outcome.kernel_door import Jobs
    from twin.outcome.outcomes import Outcomes

UNSEEN: Final = 2.5
"""A ghost that moved less than this (mm) is where it was: no ghost is put down more exactly (spread.place_max)."""

SEEN: Final = 10.0
"""A ghost that is farther than this (mm, a quarter of a space) from a place is plainly not on it."""

NEAR: Final = 0.5
"""A ghost nearer than this (spaces) to a magnet stands on it."""

FREE: Final = ("rides", "still")
"""Ends that are claimed only for ghosts that stand on no magnet at the start."""

UNJUDGED: Final = -1
"""A fact that no case of a machine tells anything about."""

BATCH: Final = 50
"""Random positions that a search tries at once, before it looks whether that is enough."""

SEARCH_SEED: Final = 20190801
"""Of the random positions: they are part of the evidence, the same for all machines."""


@dataclass(frozen=True)
class Docket:
    """The cases of some evidence, ready to run on machines like `base`."""

    evidence: Evidence
    base: Machine
    cases: tuple[tuple[int, RuleCase], ...]
    """The cases that such a machine has, each with the number of its fact."""
    left_out: tuple[tuple[str, int, str], ...]
    """The others: the fact's name, the number of the case (from 1), and why it does not apply."""
    jobs: Jobs
    search: Jobs
    """Random turns with four ghosts, as many as the most thorough fact wants."""

    def judge(self, machine: Machine) -> NDArray[np.int8]:
        """(F,) for each fact 1 if the machine does it, 0 if not, -1 if no case of it applies."""
        outcomes = self._run(machine, self.jobs)
        hits: list[list[bool]] = [[] for _ in self.evidence.facts]
        for n, (fact, case) in enumerate(self.cases):
            hits[fact].append(all(ended(word, machine, outcomes, n, who, case.move) for who, word in case.ends))
        verdicts = np.full(len(hits), UNJUDGED, np.int8)
        for index, one in enumerate(self.evidence.facts):
            if hits[index]:
                verdicts[index] = any(hits[index]) if one.kind == CAN else all(hits[index])
        wanted = [index for index, fact in enumerate(self.evidence.facts) if fact.search and verdicts[index] != 1]
        if wanted:
            self._search(machine, wanted, verdicts)
        return verdicts

    def _search(self, machine: Machine, wanted: list[int], verdicts: NDArray[np.int8]) -> None:
        """Try random turns until each wanted fact has been seen in one, or has had as many as it asks for."""
        jobs = self.search
        verdicts[wanted] = 0
        facts = [(index, self.evidence.facts[index]) for index in wanted]
        for first in range(0, max(fact.search for _, fact in facts), BATCH):
            facts = [(index, fact) for index, fact in facts if verdicts[index] != 1 and first < fact.search]
            if not facts:
                return
            some = type(jobs)(**{name: column[first : first + BATCH] for name, column in jobs._asdict().items()})
            outcomes = self._run(machine, some)
            for index, fact in facts:
                words = {word for case in fact.cases for _, word in case.ends}
                verdicts[index] = any(
                    ended(word, machine, outcomes, n, who, Turn("cw" if some.sign[n] == 1 else "ccw"))
                    for n in range(min(len(outcomes), fact.search - first))
                    for who in COLOURS
                    for word in words
                )

    def _run(self, machine: Machine, jobs: Jobs) -> Outcomes:
        scaled = jobs._replace(places=jobs.places * (machine.space / self.base.space))
        return simulate_jobs(machine, scaled)


def docket(evidence: Evidence, base: Machine) -> Docket:
    """The cases that machines like this one have, in the order of the file."""
    from twin.outcome.kernel_door import encode

    cases, states, left_out = [], [], []
    for index, fact in enumerate(evidence.facts):
        for number, case in enumerate(fact.cases, start=1):
            try:
                states.append(_position(case, base))
            except BadInputError as error:
                left_out.append((fact.name, number, str(error)))
            else:
                cases.append((index, case))
    if not cases:
        problem = f"no case of it applies to {base.name}: {left_out[0][2]}"
        raise BadInputError(problem, source=evidence.name)
    jobs = encode(base, states, [case.move for _, case in cases])
    dice = random.Random(SEARCH_SEED)
    most = max(fact.search for fact in evidence.facts)
    anywhere = [random_state(base, dice) for _ in range(most)]
    search = encode(base, anywhere, [Turn("cw" if dice.random() < 0.5 else "ccw") for _ in range(most)])
    return Docket(evidence, base, tuple(cases), tuple(left_out), jobs, search)


def ended(word: str, machine: Machine, outcomes: Outcomes, n: int, colour: str, move: Turn | Push) -> bool:
    """Whether a ghost ended as a word of the evidence says, in run `n` of some outcomes."""
    fate, end = outcomes.fate_of(n, colour), outcomes.end_of(n, colour)
    if word == "off" or end is None:
        return word == "off" and end is None
    x, y = start = outcomes.start_of(n, colour)
    step = move.step if isinstance(move, Push) else 0
    match word:
        case "rides":
            found = math.dist(end, _turned((x, y), move)) <= UNSEEN
        case "held":
            found = math.dist(end, start) <= SEEN
        case "caught":  # and not a ghost that only rides along, onto a place over a magnet
            found = fate == "caught" and math.dist(end, _turned((x, y), move)) > SEEN
        case "carried":
            found = math.dist(end, (x, y + step * machine.space)) <= SEEN
        case "pushed":  # whether feet touch is not seen: strong magnets move the next ghost before that
            found = step * (end[1] - y) > SEEN
        case "still":
            found = math.dist(end, start) <= UNSEEN
        case "blocked":
            before = covered_spaces(to_board((x, y), int(outcomes.orientation[n])), machine.reach, machine.space)
            found = fate == "blocked" and outcomes.covers_of(n, colour) == before
        case "across":
            found = len(outcomes.covers_of(n, colour)) > 1
        case _:
            found = fate == word
    return found


def _turned(place: Place, move: Turn | Push) -> Place:
    """Where a place of the board comes to lie."""
    x, y = place
    return place if isinstance(move, Push) else (y, -x) if move.direction == "cw" else (-y, x)


def _position(case: RuleCase, machine: Machine) -> State:
    """Where everything of a case stands on a machine; a `BadInputError` says why it has no such position."""
    state = load_scene(case.scene, machine).state if case.scene else _laid_out(case, machine)
    validate_state(state, machine)
    if isinstance(case.move, Push):
        state.slider(case.move.slider)
    for colour, word in case.ends:
        if colour not in state.colours:
            raise BadInputError(f"{colour} does not stand there")
        if word in FREE and _on_magnet(state.places[colour], state, machine):
            raise BadInputError(f"{colour} stands on a magnet there")
        if word == "held" and math.hypot(*state.places[colour]) > SIDE / 2 * machine.space - machine.radius:
            raise BadInputError(f"{colour} stands so far out that the edge of the board passes under it")
    return state


def _laid_out(case: RuleCase, machine: Machine) -> State:
    names = sorted(machine.sliders)
    # Rule S3: the middle tunnel and the outer ones; machines with more sliders than the game fill the free ones.
    tunnels = sorted(range(1, len(machine.tunnels) + 1), key=lambda tunnel: (tunnel % 2 == 0, tunnel))
    sliders = case.sliders or [Slider(name, tunnel) for name, tunnel in zip(names, tunnels, strict=False)]
    anyone: dict[str, Place] = {"red": (machine.space, machine.space)}
    where = {m.label: (m.x, m.y) for m in magnets(State.of(0, anyone, sliders), machine) if m.polarity > 0}
    places: dict[str, Place] = {}
    for colour, standing in sorted(case.ghosts, key=lambda ghost: bool(ghost[1].beside)):
        if standing.space:
            places[colour] = centre(standing.space, machine.space)
        elif standing.beside:
            x, y = places[standing.beside]
            places[colour] = (x + standing.by[0] * machine.space, y + standing.by[1] * machine.space)
        elif standing.magnet in where:
            places[colour] = where[standing.magnet]
        else:
            raise BadInputError(f"it has no gripping magnet {standing.magnet}")
    return State.of(0, places, sliders)


def _on_magnet(place: Place, state: State, machine: Machine) -> bool:
    return any(math.dist(place, (m.x, m.y)) < NEAR * machine.space for m in magnets(state, machine))
