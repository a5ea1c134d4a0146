"""A hunt for extreme positions: evolution over ghosts, sliders and moves; the kernel judges, the reference witnesses.

Every kind of quarry has two niches, turns and pushes, and each niche keeps its best cases. A generation mutates those
and draws fresh ones; all are run in one batch and scored for all kinds. What is best in the end is shrunk while it
keeps 95 % of its score, run again on the reference engine, and explained. A hunt that has a time limit keeps to it:
every niche gets an equal part of the time that is left then, and what was not confirmed in time is reported as such.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.explore.hunt.case_file import case_toml, expect_toml, replay_command
from twin.explore.hunt.cases import FAMILIES, Case, draw_case
from twin.explore.hunt.deadline import Deadline
from twin.explore.hunt.find_words import explain
from twin.explore.hunt.hunt_scores import DIFFER, KINDS, apart, as_outcomes, hint, score
from twin.explore.hunt.mutation import mutated, simpler
from twin.outcome.engine import KERNEL, Twin
from twin.outcome.ensemble import sample_move, sampler
from twin.outcome.many import simulate_many
from twin.physics.starts import nudged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.outcome.engine import Outcome
    from twin.outcome.outcomes import Outcomes

ELITE: Final = 12
"""Best cases that a niche keeps."""

CHILDREN: Final = 24
"""Cases that a niche adds to a generation."""

FRESH: Final = 0.25
"""Share of them that are drawn anew."""

KEEP: Final = 0.95
"""Share of its score that a case must keep when it is made simpler, and on the reference engine."""

WITNESS_EVERY: Final = 8
WITNESSES: Final = 8
"""Every so many generations, so many cases are run on both engines."""

MOST_REFERENCE: Final = 40
"""Runs of the reference engine that one shrinking may take."""

CANDIDATES: Final = 3
"""Cases of a niche that are put to the reference engine until one is confirmed."""

TELLING: Final = 20.0
"""Seconds of a hunt that are kept back for making finds simpler and confirming them, at most half of all."""

WRITING: Final = 0.5
"""Seconds that are kept back for reporting what was found, at most a tenth of all."""

SENSITIVITY: Final = 12
CHANCES: Final = 2
"""What a close look at a find, and the verdict whether it is chancy, take, in runs of the reference engine."""

LEAST: Final = {"shove-chain": 3.0, "jam": 2.0, DIFFER: 0.01, "thin-margin": 0.5}
"""Scores below these are not worth reporting; 1 for all other kinds."""

HAND_SEED: Final = 1
"""Of the varied hands that judge whether a find is chancy: those of `twin check`."""

ENDLESS: Final = Deadline()

ALL_KINDS: Final = (*KINDS, DIFFER)

Niche = tuple[str, bool]
"""A kind, and whether the move is a turn."""


@dataclass(frozen=True)
class Find:
    """An extreme position."""

    kind: str
    score: float
    """The kernel's, or the distance between the engines (`twin.explore.hunt.hunt_scores.apart`)."""
    case: Case
    outcome: Outcome
    """Of the reference engine, with its sensitivity; of the kernel, without it, if there was no time to confirm it."""
    confirmed: bool | None
    """Whether the reference engine gives it at least `KEEP` of the score; None if there was no time to try."""
    chancy: bool | None
    """As `twin.outcome.ensemble.Ensemble.chancy`; None, too, if there was no time for the verdict."""
    why: str

    @property
    def name(self) -> str:
        """A name for its file."""
        return f"{self.kind}-{'turn' if self.case.turning else 'push'}"

    def toml(self, machine: Machine, folder: Path | None = None) -> str:
        """The find as a scene file with an expectation that holds; without one if there was no time to confirm it."""
        sure = "confirmed by the reference engine" if self.confirmed else "not confirmed by the reference engine"
        if self.confirmed is None:
            sure = "there was no time to confirm it"
        comment = [
            f"Found by `twin stress`: {self.kind}, score {self.score:.3f}, {sure}.",
            f"See it again: {replay_command(self.case, f'{self.name}.toml')}",
        ]
        title = f"{self.kind.replace('-', ' ').capitalize()} in a {'turn' if self.case.turning else 'push'}"
        expect = "" if self.confirmed is None else expect_toml(self.outcome, self.why, chancy=self.chancy)
        return case_toml(self.case, machine, title, comment, folder, expect)


class Hunter:
    """One hunt on one machine; the same seed and count find the same."""

    def __init__(self, machine: Machine, seed: int, kinds: Sequence[str] = ALL_KINDS) -> None:
        self.machine, self.twin = machine, Twin(machine)
        self.dice = random.Random(f"hunt {seed}")
        self.elites: dict[Niche, list[tuple[float, float, int, Case]]] = {
            (kind, turning): [] for kind in ALL_KINDS if kind in kinds for turning in (True, False)
        }
        self.tried = self.generations = 0
        self._suspects: list[tuple[float, int, Case]] = []

    def search(
        self,
        count: int | None = None,
        time: Deadline = ENDLESS,
        telling: Deadline = ENDLESS,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Try up to `count` moves while there is `time`, at least one generation; then look at what is suspect.

        That look may take a quarter of the time until `telling`, which is that of the finds.
        """
        while True:
            batch = [(niche, self._child(niche)) for niche in self.elites for _ in range(CHILDREN)]
            if count is not None:
                batch = batch[: count - self.tried]
            self._generation(batch, time)
            if progress is not None:
                progress(self.tried)
            if (count is not None and self.tried >= count) or not time.allows(0):
                if (DIFFER, True) in self.elites:
                    best = [item for niche, elite in self.elites.items() if niche[0] != DIFFER for item in elite[:2]]
                    self._suspects += [(0.0, number, case) for _, _, number, case in best]
                    self._witness(telling.share(0.25))
                return

    def finds(self, time: Deadline = ENDLESS) -> list[Find]:
        """What each niche has, made simpler, put to the reference engine and explained.

        Without time for that, the best case of each niche is reported as the kernel sees it.
        """
        found = []
        for number, ((kind, turning), elite) in enumerate(self.elites.items()):
            own = time.share(1.0 / (len(self.elites) - number), runs=2)
            known: list[Find] = []
            for value, _, _, case in elite[:CANDIDATES]:
                if value < LEAST.get(kind, 1.0):
                    break
                known.append(self._told(kind, case, value, own))
                if known[-1].confirmed or not own.allows():
                    break
            best = next((find for find in reversed(known) if find.confirmed), known[0] if known else None)
            if best is not None and best.case.turning == turning:
                found.append(best)
        return found

    # -- searching --------------------------------------------------------------------------------------------------

    def _child(self, niche: Niche) -> Case:
        elite, dice = self.elites[niche], self.dice
        if elite and dice.random() > FRESH:
            return mutated(elite[min(int(dice.expovariate(0.4)), len(elite) - 1)][3], self.machine, dice)
        for _ in range(20):
            case = draw_case(self.machine, dice, dice.choice(FAMILIES))
            if case.turning == niche[1]:
                break
        return case

    def _generation(self, batch: Sequence[tuple[Niche, Case]], time: Deadline) -> None:
        cases = [case for _, case in batch]
        outcomes = self._run(cases)
        turning = np.array([case.turning for case in cases])
        for kind in {kind: None for kind, _ in self.elites if kind != DIFFER}:
            self._keep(kind, cases, score(kind, outcomes, turning), hint(kind, outcomes))
        if (DIFFER, True) in self.elites:
            self._suspect(batch, outcomes)
        self.tried += len(cases)
        self.generations += 1
        if self.generations % WITNESS_EVERY == 0:
            self._witness(time)

    def _suspect(self, batch: Sequence[tuple[Niche, Case]], outcomes: Outcomes) -> None:
        """Note the cases in which the engines are likeliest to differ: those that a tenth of a millimetre flips."""
        aside = self._run([replace(case, state=nudged(case.state, 0)) for _, case in batch])
        flips = (aside.covers != outcomes.covers).any(axis=(1, 2))
        hints = hint(DIFFER, outcomes)
        for n, ((kind, _), case) in enumerate(batch):
            likely = float(flips[n] + hints[n]) + 0.25 * (kind == DIFFER) + 0.5 * self.dice.random()
            self._suspects.append((likely, self.tried + n, case))
        self._suspects.sort(key=lambda s: (-s[0], s[1]))
        turns, pushes = ([s for s in self._suspects if s[2].turning == turning] for turning in (True, False))
        self._suspects = turns[: WITNESSES // 2] + pushes[: WITNESSES // 2]

    def _witness(self, time: Deadline) -> None:
        """Run the likeliest cases on both engines, as many as there is time for."""
        cases = [case for _, _, case in self._suspects]
        distances = np.array(list(self._distances(cases, time))) if cases else np.zeros(0)
        if distances.size:
            self._keep(DIFFER, cases[: distances.size], distances, np.zeros(distances.size))
        self._suspects = []

    def _keep(self, kind: str, cases: Sequence[Case], scores: NDArray[np.float64], hints: NDArray[np.float64]) -> None:
        for turning in (True, False):
            elite = self.elites[kind, turning]
            known = {(case.state, case.move) for _, _, _, case in elite}
            worst = elite[-1][:2] if len(elite) == ELITE else (-1.0, 0.0)
            for n, case in enumerate(cases):
                value = (float(scores[n]), float(hints[n]))
                if case.turning == turning and value > worst and (case.state, case.move) not in known:
                    elite.append((*value, self.tried + n, case))
                    known.add((case.state, case.move))
            elite.sort(key=lambda item: (-item[0], -item[1], item[2]))
            del elite[ELITE:]

    def _run(self, cases: Sequence[Case]) -> Outcomes:
        return simulate_many([c.state for c in cases], [c.move for c in cases], machine=self.machine)

    def _distances(self, cases: Sequence[Case], time: Deadline) -> Iterable[float]:
        """How far the engines end apart, case by case while there is time, mm; pushes that B6 forbids count nothing."""
        outcomes = self._run(cases)
        for n, case in enumerate(cases):
            if not time.allows():
                return
            reference = time.run(partial(self.twin.act, case.state, case.move, sensitivity=False))
            yield 0.0 if reference.broken else apart(outcomes, n, reference)

    # -- telling ----------------------------------------------------------------------------------------------------

    def _told(self, kind: str, case: Case, value: float, time: Deadline) -> Find:
        case, value = self._shrunk(kind, case, value, time)
        outcome, kernel = self._witnessed(case, time), self._run([case])
        if outcome is None:
            outcome = Twin(self.machine, KERNEL).act(case.state, case.move, sensitivity=False)
            return Find(kind, value, case, outcome, None, None, explain(kind, outcome, kernel))
        if kind == DIFFER:
            confirmed = apart(kernel, 0, outcome) >= KEEP * value
        else:
            turning = np.array([case.turning])
            confirmed = bool(score(kind, as_outcomes([outcome]), turning)[0] >= KEEP * value)
        why = explain(kind, outcome, kernel)
        chancy = self._is_chancy(case, outcome) if time.allows(CHANCES) else None
        return Find(kind, value, case, outcome, confirmed, chancy, why)

    def _witnessed(self, case: Case, time: Deadline) -> Outcome | None:
        """The reference engine's outcome, None without time; in a hurry the kernel estimates how close that is."""
        if time.allows(SENSITIVITY + CHANCES):
            return self.twin.act(case.state, case.move)
        if not time.allows():
            return None
        outcome = time.run(partial(self.twin.act, case.state, case.move, sensitivity=False))
        quick = Twin(self.machine, KERNEL).act(case.state, case.move)
        close = {colour for colour, ghost in quick.ghosts if ghost.too_close or ghost.key != outcome.ghost(colour).key}
        return replace(outcome, ghosts=tuple((c, replace(g, too_close=c in close)) for c, g in outcome.ghosts))

    def _shrunk(self, kind: str, case: Case, value: float, time: Deadline) -> tuple[Case, float]:
        """The simplest case found with at least `KEEP` of the score while there is time, and its own score."""
        left, floor = MOST_REFERENCE, KEEP * value
        while time.allows(2 + CHANCES):
            trials = simpler(case, self.machine)
            chosen = None
            if kind == DIFFER:
                trials = trials[: max(left, 0)]
                for trial, distance in zip(trials, self._distances(trials, time) if trials else (), strict=False):
                    left -= 1
                    if distance >= floor:
                        chosen = (trial, distance)
                        break
            elif trials:
                scores = score(kind, self._run(trials), np.array([t.turning for t in trials]))
                chosen = next(((t, float(s)) for t, s in zip(trials, scores, strict=True) if s >= floor), None)
            if chosen is None:
                break
            case, value = chosen
        return case, value

    def _is_chancy(self, case: Case, outcome: Outcome) -> bool | None:
        """The verdict of as many varied hands as it takes, as `twin check` finds it."""
        many = sampler(self.twin, case.move)
        return sample_move(many, case.state, case.move, outcome, size=None, seed=HAND_SEED).chancy


def hunt(
    machine: Machine,
    seed: int,
    *,
    kinds: Sequence[str] = ALL_KINDS,
    count: int | None = None,
    time: Deadline = ENDLESS,
    progress: Callable[[int], None] | None = None,
) -> list[Find]:
    """Hunt over `count` moves of the kernel, or while there is time; one find at most for each kind of each move."""
    hunter = Hunter(machine, seed, kinds)
    left = time.end - time.clock()
    telling = Deadline(time.clock, time.end - min(WRITING, left / 10), time.pace)
    hunter.search(count, Deadline(time.clock, time.end - min(TELLING, left / 2), time.pace), telling, progress)
    return hunter.finds(telling)
