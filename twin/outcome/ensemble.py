"""Ensembles: one move made many times by a hand that varies as a person's does, and how sure that makes us."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.board.moves import Push, Turn
from twin.outcome.engine import KERNEL, Twin
from twin.outcome.many import simulate_many
from twin.physics.hand import varied_hand
from twin.stats import is_chancy, judged, wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from twin.board.moves import Move
    from twin.board.state import State
    from twin.outcome.engine import Key, Outcome

OFF: Final = "off"
BATCH: Final = 500
"""Samples that the kernel runs at once, between two reports of progress."""


@dataclass(frozen=True)
class GhostShares:
    """How often what became of one ghost, in an ensemble; the commonest first."""

    spaces: Mapping[str, int]
    """Counts by covered spaces, joined by `+`, or `off`."""
    fates: Mapping[str, int]
    most: int
    """How often its commonest outcome, fate and spaces together, came up."""

    @property
    def chancy(self) -> bool | None:
        """The verdict on this ghost alone, as `Ensemble.chancy`."""
        return is_chancy(self.most, sum(self.fates.values()))


@dataclass(frozen=True)
class Ensemble:
    """The distribution of a move's outcomes. An outcome is the fate and the covered spaces of every ghost."""

    size: int
    """Hands drawn."""
    seed: int
    ghosts: tuple[tuple[str, GhostShares], ...]
    most: int
    """Hands in which the commonest outcome of all ghosts together came up."""
    alike: int
    """Hands that end as the nominal one does."""
    broken_claims: int = 0

    @property
    def chancy(self) -> bool | None:
        """False: sure; True: chancy; None: too few hands to say (`twin.stats.is_chancy`)."""
        return is_chancy(self.most, self.size)

    @property
    def share(self) -> float:
        """Share of the commonest outcome."""
        return self.most / max(self.size, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of that share."""
        return wilson(self.most, self.size)


def ensemble_of(
    outcomes: Counter[Key], colours: Sequence[str], nominal: Key, seed: int, broken_claims: int = 0
) -> Ensemble:
    """An ensemble from counts of whole outcomes."""
    ghosts = {colour: Counter[tuple[str, tuple[str, ...]]]() for colour in colours}
    for key, count in outcomes.items():
        for colour, end in key:
            ghosts[colour][end] += count
    shares = tuple((colour, ghost_shares(ends)) for colour, ends in ghosts.items())
    most = max(outcomes.values(), default=0)
    return Ensemble(outcomes.total(), seed, shares, most, outcomes[nominal], broken_claims)


def ghost_shares(ends: Counter[tuple[str, tuple[str, ...]]]) -> GhostShares:
    """The shares of one ghost from counts of its fate and covered spaces."""
    spaces, fates = Counter[str](), Counter[str]()
    for (fate, covers), count in ends.items():
        spaces["+".join(covers) or OFF] += count
        fates[fate] += count
    return GhostShares(_sorted(spaces), _sorted(fates), max(ends.values(), default=0))


def sampler(twin: Twin, move: Move) -> Twin:
    """The twin that repeats a move many times: on the kernel, if that can run it."""
    return Twin(twin.machine, KERNEL) if isinstance(move, Turn | Push) else twin


def sample_move(
    twin: Twin,
    state: State,
    move: Move,
    nominal: Outcome,
    *,
    size: int | None,
    seed: int,
    progress: Callable[[int], None] | None = None,
    holds: Callable[[Key, bool], bool] | None = None,
) -> Ensemble:
    """Repeat a move with `size` varied hands on the twin's engine; without a size, until the verdict is decided.

    `holds` is asked about every hand's outcome and whether that is a conflict; the ensemble counts its noes.
    """
    outcomes: Counter[Key] = Counter()
    broken = drawn = 0

    def draw_to(stop: int) -> int:
        nonlocal broken, drawn
        for keys in _drawn(twin, state, move, seed, drawn, stop):
            for key, conflict in keys:
                outcomes[key] += 1
                broken += holds is not None and not holds(key, conflict)
                drawn += 1
            if progress is not None:
                progress(drawn)
        return max(outcomes.values(), default=0)

    judged(size, draw_to)
    return ensemble_of(outcomes, state.colours, nominal.key, seed, broken)


def _drawn(
    twin: Twin, state: State, move: Move, seed: int, first: int, stop: int
) -> Iterator[Iterable[tuple[Key, bool]]]:
    """The outcomes of the hands from `first` to before `stop`, and whether they are conflicts, in batches."""
    if twin.engine != KERNEL or not isinstance(move, Turn | Push):
        for index in range(first, stop):
            hand = varied_hand(twin.machine, len(state.ghosts), seed, index)
            outcome = twin.act(state, move, hand, sensitivity=False)
            yield [(outcome.key, outcome.landing.conflict)]
        return
    for begin in range(first, stop, BATCH):
        indices = range(begin, min(begin + BATCH, stop))
        hands = [varied_hand(twin.machine, len(state.ghosts), seed, index) for index in indices]
        size = len(hands)
        outcomes = simulate_many([state] * size, [move] * size, machine=twin.machine, hands=hands)
        yield [(outcomes.key(n), bool(outcomes.conflict[n])) for n in range(size)]


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
