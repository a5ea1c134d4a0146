"""Ways to a space: which moves bring a ghost there, the surest first.

The hand is chance, the player chooses moves and placements: a finite-horizon expectimax over positions with ghosts on
spaces. Positions are expanded breadth-first in big batches and kept by a beam, so that probabilities are lower bounds.
Since the best of many estimates is too good to be true, each way found is then *played* with fresh hands: the
probabilities told are those of the plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from twin.board.state import covers, parse_space, validate_state
from twin.errors import BadInputError
from twin.explore.chances import choices_of, hands_for
from twin.explore.way_search import Line, WaySearch
from twin.outcome.many import simulate_many
from twin.physics.drive import driven
from twin.physics.hand import varied_hand
from twin.stats import STEPS, is_chancy, stops, wilson

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.board.moves import Move
    from twin.board.scene import Scene
    from twin.board.state import State
    from twin.explore.chances import Choice
    from twin.outcome.snap import Placement
    from twin.physics.hand import Hand

MOST_MOVES: Final = 3
"""Magical moves in a turn (T1)."""

MOST_WAYS: Final = 8
"""Ways that are played and reported."""

_TRIES: Final = 200
"""Hands for the first move of a search that is not given a number."""

_FRESH: Final = 10_000_000
"""Hands from this index on are kept for playing: the search has not seen them."""


@dataclass(frozen=True)
class WayStep:
    """One move of a way, as it goes most often."""

    move: Move
    choice: Placement
    """Where to put the ghosts that can be put elsewhere as well (D4, D5); empty if there is nothing to choose."""
    share: float
    """How often the move went this way when it was played."""


@dataclass(frozen=True)
class Way:
    """Moves that bring the ghost to the space; where they go otherwise, the player thinks again."""

    steps: tuple[WayStep, ...]
    plays: int
    wins: int
    """Plays that ended on the space, by this way or by what was best once it had gone otherwise."""
    straight: int
    """Plays that ended on the space just by these steps."""
    estimate: float
    """What the search thought of it; usually a little too good."""

    @property
    def probability(self) -> float:
        """Share of plays that ended on the space."""
        return self.wins / self.plays

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the probability."""
        return wilson(self.wins, self.plays)

    @property
    def chancy(self) -> bool | None:
        """Whether the way is surely no sure one; None if it was played too few times to decide."""
        return is_chancy(self.wins, self.plays)


@dataclass(frozen=True)
class Reached:
    """The ways of a ghost to a space."""

    scene: Scene
    ghost: str
    space: str
    moves: int
    samples: int | None
    """Plays of each way; None if as many as it took to decide."""
    seed: int
    there: bool
    """Whether it stands there already: then there is no way to report."""
    ways: tuple[Way, ...]
    """The surest first, then the shortest."""
    positions: int
    """How many were looked at."""
    dropped: int
    """How many were not, since the beam holds the likeliest only; those that hardly ever come up are not counted."""


def reach(
    scene: Scene,
    ghost: str,
    space: str,
    *,
    moves: int = MOST_MOVES,
    samples: int | None = 200,
    seed: int = 1,
    relocations: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Reached:
    """The surest ways for a ghost to a space in at most `moves` moves of its own player.

    Its player may drag this ghost alone (A1). Longer ways that are no surer than a shorter one are left out.
    The first move is tried with `samples` hands, and each way played so often; without a number, with `_TRIES` hands
    and until each way is decided. `relocations` lets sliders go to other tunnels as well, which takes some times as
    long. `progress` hears how many of the `moves` layers are done.
    """
    state, machine = scene.state, scene.machine
    validate_state(state, machine)
    parse_space(space)
    if ghost not in state.colours:
        raise BadInputError(f"a ghost must be one of {', '.join(state.colours)}; got {ghost!r}", field="ghost")
    if not 1 <= moves <= MOST_MOVES:
        raise BadInputError(f"must be 1 to {MOST_MOVES} (T1); got {moves}", field="moves")
    there = covers(state, ghost, machine) == (space,)
    search = WaySearch(machine, ghost, space, relocations=relocations)
    found: list[Way] = []
    if not there:
        tries = _TRIES if samples is None else samples
        search.grow(state, moves, hands_for(machine, len(state.ghosts), seed, tries), progress)
        lines = _worthwhile(search.lines(state, moves, 3 * MOST_WAYS))[:MOST_WAYS]
        found = _worthwhile_ways(_played(search, state, lines, moves, samples, seed))
    return Reached(scene, ghost, space, moves, samples, seed, there, tuple(found), len(search.edges), search.dropped)


@dataclass
class _Play:
    """One try of a way."""

    line: int
    number: int
    state: State
    on_line: bool = True
    stayed: int = 0
    """Moves after which it was still on the line."""
    won: bool = False
    lost: bool = False


def _played(
    search: WaySearch, state: State, lines: list[Line], moves: int, samples: int | None, seed: int
) -> list[Way]:
    """Play each line with hands that the search has not seen: `samples` times, or until it is decided."""
    plays: list[list[_Play]] = [[] for _ in lines]
    undecided, drawn = list(range(len(lines))), 0
    for stop in stops(samples):
        more = [_Play(line, number, state) for line in undecided for number in range(drawn, stop)]
        _play(search, lines, more, moves, STEPS[-1] if samples is None else samples, seed)
        for play in more:
            plays[play.line].append(play)
        undecided = [n for n in undecided if is_chancy(sum(p.won for p in plays[n]), len(plays[n])) is None]
        drawn = stop
    ways = []
    for line, own in zip(lines, plays, strict=True):
        wins, straight = sum(p.won for p in own), sum(p.won and p.on_line for p in own)
        stayed = [sum(p.stayed >= depth for p in own) for depth in range(moves + 1)]
        ways.append(Way(_steps(line, stayed), len(own), wins, straight, line.value.sure))
    return ways


def _play(search: WaySearch, lines: list[Line], plays: list[_Play], moves: int, most: int, seed: int) -> None:
    """Play all of these to their end; `most` is the number of hands kept for each move."""
    machine = search.machine
    for depth in range(moves):
        left = moves - depth
        pending: list[tuple[_Play, Move, Hand]] = []
        for play in plays:
            if play.won or play.lost:
                continue
            edge = lines[play.line].stops[depth].edge if play.on_line else search.best_edge(play.state, left)
            if edge is None:
                play.lost = True
            elif edge.after is not None:
                play.state = edge.after
                play.won = search.at_goal(edge.after)
            else:
                number = _FRESH + depth * most + play.number
                pending.append((play, edge.move, varied_hand(machine, len(play.state.ghosts), seed, number)))
        _make(search, lines, pending, depth, left)
        for play in plays:
            play.stayed += play.on_line


def _make(search: WaySearch, lines: list[Line], pending: list[tuple[_Play, Move, Hand]], depth: int, left: int) -> None:
    """Make the pending moves in one batch and place the ghosts."""
    if not pending:
        return
    states = [play.state for play, _, _ in pending]
    moves, hands = [move for _, move, _ in pending], [hand for _, _, hand in pending]
    outcomes = simulate_many(states, moves, machine=search.machine, hands=hands)
    choices = choices_of(outcomes)
    for (play, move, _), choice in zip(pending, choices, strict=True):
        stop = lines[play.line].stops[depth] if play.on_line else None
        if stop is not None and stop.choice == choice and stop.placement is not None:
            placement = stop.placement
        else:
            play.on_line = False
            placement = search.best_placement(play.state, move, choice, left - 1)[0]
        play.won = search.wins(placement)
        play.state = driven(play.state, move).on_spaces(dict(placement), search.machine.space)


def _steps(line: Line, stayed: list[int]) -> tuple[WayStep, ...]:
    """The steps of a line, given how many plays were still on it before each of them and at the end."""
    return tuple(
        WayStep(stop.edge.move, _to_choose(stop.choice, stop.placement), after / before if before else stop.share)
        for stop, (before, after) in zip(line.stops, pairwise(stayed), strict=False)
    )


def _to_choose(choice: Choice, placement: Placement | None) -> Placement:
    """The part of a placement that could have been otherwise."""
    return tuple(
        (colour, space)
        for index, (colour, space) in enumerate(placement or ())
        if any(other[index][1] != space for other in choice)
    )


def _worthwhile(lines: list[Line]) -> list[Line]:
    """Without lines that are longer than another and no surer."""
    return [
        line
        for line in lines
        if not any(len(o.stops) < len(line.stops) and o.value.sure >= line.value.sure - 1e-9 for o in lines)
    ]


def _worthwhile_ways(ways: list[Way]) -> list[Way]:
    kept = [
        way
        for way in ways
        if way.wins and not any(len(o.steps) < len(way.steps) and o.probability >= way.probability for o in ways)
    ]
    return sorted(
        kept,
        key=lambda w: (-w.probability, len(w.steps), -w.straight / w.plays, [str(s.move) for s in w.steps]),
    )
