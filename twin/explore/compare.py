"""Two machines compared: the same positions and moves on both, and what comes out differently.

Each position gets one turn and one push, so that the cases of a kind are independent of each other. The moves are
made by the nominal hand, on the kernel. To tell how much a difference means, the first machine is also compared with
itself under a varied hand.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.board.grid import STANDING_SPACES, centre
from twin.board.moves import Push, Turn
from twin.board.state import COLOURS, MAX_OFFSET, Slider, State
from twin.errors import BadInputError
from twin.explore.survey import BATCH, End, ends_of
from twin.outcome.many import simulate_many
from twin.physics.hand import NOMINAL, varied_hand
from twin.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twin.board.machine import Machine
    from twin.board.moves import Move

KINDS: Final = ("turn", "push")

Ends = tuple[tuple[str, End], ...]


@dataclass(frozen=True)
class Share:
    """How many of how many, with Wilson's interval."""

    hits: int
    trials: int

    @property
    def value(self) -> float:
        """The share; 0 of nothing is 0."""
        return self.hits / self.trials if self.trials else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval."""
        return wilson(self.hits, self.trials)


@dataclass(frozen=True)
class Example:
    """One case that distinguishes the machines."""

    number: int
    """Of the position, from 0."""
    states: tuple[State, State]
    """The position on each machine; the same spaces and sliders."""
    move: Move
    ghost: str
    """The ghost whose outcomes differ most firmly."""
    ends: tuple[Ends, Ends]
    margin: float
    """How far that ghost's end could shift on either machine before its outcome changes, mm."""


@dataclass(frozen=True)
class Comparison:
    """How two machines differ."""

    machines: tuple[Machine, Machine]
    positions: int
    seed: int
    moves: tuple[tuple[str, Share], ...]
    """By kind of move: cases in which any ghost's fate or spaces differ."""
    hand: tuple[tuple[str, Share], ...]
    """By kind of move: cases in which the first machine differs from itself under a varied hand."""
    ghosts: Share
    """Ghosts that end differently; those of one case are not independent, so its interval is a little too narrow."""
    fates: tuple[tuple[tuple[str, str], int, int], ...]
    """Pairs of fates on the two machines, ghosts with that pair, and how many of them end differently."""
    allowed: tuple[int, int]
    """Pushes that the rules allow on the first machine only, and on the second only (B6)."""
    examples: tuple[Example, ...]
    """The firmest of each pair of fates, the commonest pair first."""


@dataclass(frozen=True)
class ComparedCase:
    """A position in the words of the game, so that it can stand on any machine, and a move."""

    orientation: int
    spaces: tuple[tuple[str, str], ...]
    sliders: tuple[Slider, ...]
    move: Move

    def on(self, machine: Machine) -> State:
        """The position on a machine."""
        places = {colour: centre(space, machine.space, self.orientation) for colour, space in self.spaces}
        return State.of(self.orientation, places, self.sliders)


def compare(
    first: Machine,
    second: Machine,
    *,
    positions: int = 500,
    seed: int = 1,
    examples: int = 6,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Two machines on the same random positions, each with a turn and a push.

    Both must have sliders of the same names. `progress` hears how many of 6 × `positions` runs are done.
    """
    if set(first.sliders) != set(second.sliders):
        names = [", ".join(machine.sliders) for machine in (first, second)]
        raise BadInputError(f"both machines must have the same sliders; they have {names[0]} and {names[1]}")
    counted = _Counting(first, second, seed)
    block = BATCH // 6
    for start in range(0, positions, block):
        numbers = range(start, min(start + block, positions))
        counted.add(random_cases(first, numbers, seed), 2 * start)
        if progress is not None:
            progress(6 * numbers.stop)
    return counted.comparison(positions, examples)


def random_cases(machine: Machine, numbers: range, seed: int) -> list[ComparedCase]:
    """Positions by number: one to four ghosts on random spaces, board and sliders anyhow; a turn each, then a push."""
    cases = []
    for number in numbers:
        dice = random.Random(f"compare {seed} {number}")
        spaces = dice.sample(STANDING_SPACES, dice.randint(1, len(COLOURS)))
        tunnels = dice.sample(range(1, len(machine.tunnels) + 1), len(machine.sliders))
        sliders = tuple(
            Slider(name, tunnel, dice.randint(-MAX_OFFSET, MAX_OFFSET), dice.random() < 0.5)
            for name, tunnel in zip(sorted(machine.sliders), tunnels, strict=True)
        )
        pushed = dice.choice(sliders)
        north = pushed.offset < MAX_OFFSET and (pushed.offset == -MAX_OFFSET or dice.random() < 0.5)
        moves: tuple[Move, Move] = (
            Turn("cw" if dice.random() < 0.5 else "ccw"),
            Push(pushed.name, "north" if north else "south"),
        )
        orientation = dice.randrange(4)
        named = tuple(zip(COLOURS, spaces, strict=False))
        cases += [ComparedCase(orientation, named, sliders, move) for move in moves]
    return cases


class _Counting:
    """Adds up cases, block by block."""

    def __init__(self, first: Machine, second: Machine, seed: int) -> None:
        self.machines, self.seed = (first, second), seed
        self.cases: Counter[str] = Counter()
        self.differ: Counter[str] = Counter()
        self.shaky: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.differing: Counter[tuple[str, str]] = Counter()
        self.allowed = [0, 0]
        self.best: dict[tuple[str, str], Example] = {}

    def add(self, cases: Sequence[ComparedCase], start: int) -> None:
        first, second = self.machines
        moves = [case.move for case in cases]
        states = ([case.on(first) for case in cases], [case.on(second) for case in cases])
        hands = [varied_hand(first, len(case.spaces), self.seed, start + n) for n, case in enumerate(cases)]
        one = simulate_many(states[0], moves, machine=first, hands=[NOMINAL] * len(cases))
        other = simulate_many(states[1], moves, machine=second, hands=[NOMINAL] * len(cases))
        varied = simulate_many(states[0], moves, machine=first, hands=hands)
        off = one.takes_off.tolist(), other.takes_off.tolist()
        for n, case in enumerate(cases):
            kind = KINDS[isinstance(case.move, Push)]
            keys = one.key(n), other.key(n)
            self.cases[kind] += 1
            self.differ[kind] += keys[0] != keys[1]
            self.shaky[kind] += keys[0] != varied.key(n)
            if kind == "push":
                self.allowed[0] += off[1][n] and not off[0][n]
                self.allowed[1] += off[0][n] and not off[1][n]
            for (colour, a), (_, b) in zip(*keys, strict=True):
                pair = (a[0], b[0])
                self.pairs[pair] += 1
                if a != b:
                    self.differing[pair] += 1
                    margin = min(_margin(one.margin_of(n, colour)), _margin(other.margin_of(n, colour)))
                    if pair not in self.best or margin > self.best[pair].margin:
                        both = (states[0][n], states[1][n])
                        ends = ends_of(one, n), ends_of(other, n)
                        self.best[pair] = Example((start + n) // 2, both, case.move, colour, ends, margin)

    def comparison(self, positions: int, examples: int) -> Comparison:
        order = sorted(self.pairs, key=lambda pair: (-self.differing[pair], -self.pairs[pair], pair))
        return Comparison(
            machines=self.machines,
            positions=positions,
            seed=self.seed,
            moves=tuple((kind, Share(self.differ[kind], self.cases[kind])) for kind in KINDS),
            hand=tuple((kind, Share(self.shaky[kind], self.cases[kind])) for kind in KINDS),
            ghosts=Share(self.differing.total(), self.pairs.total()),
            fates=tuple((pair, self.pairs[pair], self.differing[pair]) for pair in order),
            allowed=(self.allowed[0], self.allowed[1]),
            examples=tuple(self.best[pair] for pair in order if pair in self.best)[:examples],
        )


def _margin(margin: float | None) -> float:
    """A fallen ghost has no margin; then the other machine's decides."""
    return math.inf if margin is None else margin
