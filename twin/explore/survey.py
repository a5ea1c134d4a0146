"""A position surveyed: every move that it has, whether the rules allow it, and the distribution of what it does.

Turns and pushes are made by the nominal hand and by varied ones, on the kernel, in one batch. Drags are made on pymunk,
by the nominal hand and, where the rules allow them, by fewer varied ones. Relocations that do the same are one option;
where no magnet passes near a ghost, all that varies is where the ghosts stand.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.board.grid import DIRECTIONS
from twin.board.moves import Drag, Push, Turn
from twin.board.state import covers, validate_state
from twin.explore.relocations import relocation_groups
from twin.outcome.engine import Twin
from twin.outcome.ensemble import Ensemble, ensemble_of, sample_move
from twin.outcome.legality import judge
from twin.outcome.many import simulate_many
from twin.physics.hand import NOMINAL, varied_hand
from twin.physics.starts import shifted
from twin.stats import STEPS, is_chancy, judged, stops

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.scene import Scene
    from twin.board.state import State
    from twin.explore.relocations import Group
    from twin.outcome.engine import Key, Outcome
    from twin.outcome.outcomes import Outcomes
    from twin.physics.hand import Hand

BATCH: Final = 50_000
"""Runs handed to the kernel at once; a usual survey is one batch, results do not depend on it."""

MOST_BY_PYMUNK: Final = 75
"""Varied hands at most for a drag, or for a relocation that is simulated: each takes pymunk 10 to 40 ms.

Enough for a move to be sure, if all of them end alike.
"""

KERNEL: Final = "kernel"
PYMUNK: Final = "pymunk"
RULES: Final = "rules"
"""In place of an engine: nothing was simulated, the rules and the distance of the magnets decide."""


@dataclass(frozen=True)
class End:
    """How one ghost ends, by the nominal hand."""

    fate: str
    covers: tuple[str, ...]
    """In the board's names after the move; none once fallen."""
    place: Place | None
    """Floor frame, mm; None once fallen."""


@dataclass(frozen=True)
class Option:
    """One move of a position, or several that do the same, and what they do."""

    move: Move
    broken: tuple[str, ...]
    """Numbers of the rules that forbid it; B6 by the nominal hand."""
    reasons: tuple[str, ...]
    engine: str
    """`kernel`, `pymunk`, or `rules` where nothing needed to be simulated."""
    ghosts: tuple[tuple[str, End], ...] | None
    """By the nominal hand; None if the move was not made: physics can't, or a barred relocation."""
    conflict: bool = False
    """Whether the nominal hand leaves no joint placement."""
    samples: Ensemble | None = None
    """Of every move that was made and is allowed, and of pushes that B6 forbids; None if no samples were asked for."""
    alike: tuple[Move, ...] = ()
    """All the moves that this stands for, `move` first; empty if it stands for itself alone."""

    @property
    def legal(self) -> bool:
        """Whether the rules allow it."""
        return not self.broken

    @property
    def chancy(self) -> bool | None:
        """The verdict, as `Ensemble.chancy`; None, too, if no hands were drawn."""
        return None if self.samples is None else self.samples.chancy


@dataclass(frozen=True)
class Survey:
    """All moves of a scene's position."""

    scene: Scene
    size: int | None
    """Varied hands per turn and push, None if as many as it took to decide; at most `MOST_BY_PYMUNK` on pymunk."""
    seed: int
    options: tuple[Option, ...]
    """Turns, pushes, drags, relocations; within a kind by name."""

    def option(self, move: Move) -> Option:
        """The option that a move belongs to."""
        return next(o for o in self.options if move == o.move or move in o.alike)


def survey(
    scene: Scene,
    *,
    samples: int | None = None,
    seed: int = 1,
    relocations: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Survey:
    """Every move of a position, by `samples` varied hands, or as many as decide it. `progress` hears of `steps(…)`.

    >>> from twin.board.scene import load_scene
    >>> found = survey(load_scene("held"), samples=8, relocations=False)
    >>> dict(found.option(Turn("cw")).ghosts)["red"].fate
    'held'
    """
    validate_state(scene.state, scene.machine)
    count = _Count(progress)
    options = sampled(scene.machine, scene.state, turns_and_pushes(scene.state), samples, seed, count)
    twin = Twin(scene.machine)
    for move in drags(scene.state):
        outcome = twin.act(scene.state, move, sensitivity=False)
        options.append(_once(outcome, _by_pymunk(twin, outcome, samples, seed, count)))
        count(1)
    if relocations:
        still = None if samples == 0 else _still(scene.machine, scene.state, samples, seed)
        groups = relocation_groups(twin, scene.state)
        options += [_relocation(twin, scene.state, group, still, samples, seed) for group in groups]
    return Survey(scene, samples, seed, tuple(options))


def ends_of(outcomes: Outcomes, row: int) -> tuple[tuple[str, End], ...]:
    """How each ghost ends in one of many moves."""
    return tuple((colour, End(*what, outcomes.end_of(row, colour))) for colour, what in outcomes.key(row))


def steps(scene: Scene, samples: int | None) -> int:
    """How many runs a survey takes at most, not counting relocations: what `progress` counts up to."""
    possible = [m for m in turns_and_pushes(scene.state) if judge(scene.state, m, scene.machine).feasible]
    every = drags(scene.state)
    allowed = [m for m in every if not judge(scene.state, m, scene.machine).broken]
    return len(possible) * (_most(samples) + 1) + len(every) + len(allowed) * min(_most(samples), MOST_BY_PYMUNK)


def turns_and_pushes(state: State) -> list[Move]:
    """Both turns and both pushes of every slider, those that B5 bars among them."""
    moves: list[Move] = [Turn("cw"), Turn("ccw")]
    for slider in state.sliders:
        moves += [Push(slider.name, "north"), Push(slider.name, "south")]
    return moves


def drags(state: State, ghosts: tuple[str, ...] | None = None) -> list[Move]:
    """The four drags of each ghost, or of some."""
    return [Drag(ghost, way) for ghost in ghosts or state.colours for way in DIRECTIONS]  # type: ignore[arg-type]


def sampled(
    machine: Machine, state: State, moves: list[Move], samples: int | None, seed: int, count: Callable[[int], None]
) -> list[Option]:
    """Turns and pushes with the nominal hand and varied ones, all runs in as few batches as can be.

    `samples` hands each; without a number, moves that are not decided yet draw on together.
    """
    verdicts = [judge(state, move, machine) for move in moves]
    tallies = {n: _Tally(state.colours) for n, verdict in enumerate(verdicts) if verdict.feasible}

    def run(chosen: Sequence[int], hands: Sequence[Hand]) -> None:
        jobs = [(n, hand) for n in chosen for hand in hands]
        outcomes = simulate_many(
            [state] * len(jobs), [moves[n] for n, _ in jobs], machine=machine, hands=[hand for _, hand in jobs]
        )
        for row, (n, _) in enumerate(jobs):
            tallies[n].add(outcomes, row)
        count(len(jobs))

    run(list(tallies), [NOMINAL])
    undecided, drawn = list(tallies), 0
    for stop in stops(samples):
        block = max(BATCH // max(len(undecided), 1), 1)
        for first in range(drawn, stop, block):
            indices = range(first, min(first + block, stop))
            run(undecided, [varied_hand(machine, len(state.ghosts), seed, index) for index in indices])
        left = [n for n in undecided if tallies[n].chancy is None]
        count((len(undecided) - len(left)) * (_most(samples) - stop))  # what need not be run
        undecided, drawn = left, stop
    options = []
    for n, (move, verdict) in enumerate(zip(moves, verdicts, strict=True)):
        if not verdict.feasible:
            options.append(Option(move, verdict.broken, verdict.reasons, RULES, None))
            continue
        tally = tallies[n]
        fallen = [colour for colour, end in tally.nominal if end.place is None]
        judged_by = verdict.taking_off(fallen) if isinstance(move, Push) and fallen else verdict
        ensemble = None if samples == 0 else tally.ensemble(seed)
        options.append(
            Option(move, judged_by.broken, judged_by.reasons, KERNEL, tally.nominal, tally.conflict, ensemble)
        )
    return options


class _Tally:
    """Counts of what one move does; the first row is the nominal hand's."""

    def __init__(self, colours: tuple[str, ...]) -> None:
        self.colours = colours
        self.outcomes: Counter[Key] = Counter()
        self.conflict = False
        self.nominal: tuple[tuple[str, End], ...] = ()
        self.key: Key | None = None

    def add(self, outcomes: Outcomes, row: int) -> None:
        key = outcomes.key(row)
        if self.key is None:
            self.key, self.conflict = key, bool(outcomes.conflict[row])
            self.nominal = ends_of(outcomes, row)
            return
        self.outcomes[key] += 1

    @property
    def chancy(self) -> bool | None:
        return is_chancy(max(self.outcomes.values(), default=0), self.outcomes.total())

    def ensemble(self, seed: int) -> Ensemble:
        return ensemble_of(self.outcomes, self.colours, self.key or (), seed)


class _Count:
    """Adds up what is done and passes it on."""

    def __init__(self, progress: Callable[[int], None] | None) -> None:
        self.done, self.progress = 0, progress

    def __call__(self, more: int) -> None:
        self.done += more
        if self.progress is not None:
            self.progress(self.done)


def _once(outcome: Outcome, samples: Ensemble | None) -> Option:
    ghosts = tuple((colour, End(ghost.fate, ghost.covers, ghost.place)) for colour, ghost in outcome.ghosts)
    return Option(
        outcome.move,
        outcome.broken,
        outcome.reasons,
        PYMUNK,
        ghosts if outcome.done else None,
        conflict=outcome.landing.conflict,
        samples=samples,
    )


def _relocation(
    twin: Twin, state: State, group: Group, still: Ensemble | None, samples: int | None, seed: int
) -> Option:
    ends = None if group.ghosts is None else tuple((c, End(*end)) for c, end in group.ghosts)
    engine, ensemble = PYMUNK if group.simulated else RULES, None
    if group.simulated:
        ensemble = _by_pymunk(twin, twin.act(state, group.moves[0], sensitivity=False), samples, seed)
    elif ends is not None:
        ensemble = still
    return Option(group.moves[0], group.broken, group.reasons, engine, ends, samples=ensemble, alike=group.moves)


def _by_pymunk(
    twin: Twin, nominal: Outcome, samples: int | None, seed: int, count: Callable[[int], None] = lambda _: None
) -> Ensemble | None:
    """Varied hands for an allowed drag or relocation, as many as can be waited for."""
    size = min(_most(samples), MOST_BY_PYMUNK)
    if not size or nominal.broken or not nominal.done:
        return None
    return sample_move(twin, nominal.before, nominal.move, nominal, size=size, seed=seed, progress=lambda _: count(1))


def _still(machine: Machine, state: State, samples: int | None, seed: int) -> Ensemble:
    """Varied hands for a move that no ghost feels: they stay where each hand finds them."""
    outcomes: Counter[Key] = Counter()

    def found(places: State) -> Key:
        return tuple((colour, ("stayed", covers(places, colour, machine))) for colour in state.colours)

    def draw_to(stop: int) -> int:
        for index in range(outcomes.total(), stop):
            outcomes[found(shifted(state, varied_hand(machine, len(state.ghosts), seed, index), machine))] += 1
        return max(outcomes.values(), default=0)

    judged(samples, draw_to)
    return ensemble_of(outcomes, state.colours, found(state), seed)


def _most(samples: int | None) -> int:
    return STEPS[-1] if samples is None else samples
