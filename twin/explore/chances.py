"""The chances of moves: from a position and a move to what may come of it, in the eyes of the player who places.

The hand is chance; where ghosts straddle or have fallen the player chooses (D4, D5). A *branch* gathers the samples
that leave the player the same choice.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from twin.board.grid import CORNERS, SPACES, neighbour
from twin.board.moves import Drag, Push, Relocate
from twin.board.state import COLOURS, State, home_space
from twin.outcome.legality import judge
from twin.outcome.many import simulate_many
from twin.physics.drive import driven
from twin.physics.hand import NOMINAL, Hand, varied_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.outcome.outcomes import Outcomes
    from twin.outcome.snap import Placement

Choice = tuple["Placement", ...]
"""The joint placements that a player can choose from, by name; the fallback alone where there is none."""


@dataclass(frozen=True)
class Edge:
    """An allowed move in a position, and how often each branch came of it."""

    move: Move
    size: int
    """Samples; 1 for moves that leave nothing to chance."""
    branches: tuple[tuple[Choice, int], ...]
    """What the player may choose from, and in how many samples; the commonest first. Empty for sure moves."""
    after: State | None = None
    """The position after a move that leaves nothing to chance and nothing to choose."""


def sampled_edges(machine: Machine, pairs: Sequence[tuple[State, Move]], hands: Sequence[Hand]) -> list[Edge | None]:
    """Edges of turns and pushes, all in one batch: N pairs × (the nominal hand and `hands`).

    None for a push that takes a ghost off the board by the nominal hand (B6). Pushes beyond B5 are the caller's to
    keep away.
    """
    all_hands = [NOMINAL, *hands]
    states = [state for state, _ in pairs for _ in all_hands]
    moves = [move for _, move in pairs for _ in all_hands]
    if not pairs:
        return []
    outcomes = simulate_many(states, moves, machine=machine, hands=all_hands * len(pairs))
    choices, takes_off = choices_of(outcomes, block=len(all_hands)), outcomes.takes_off
    found: list[Edge | None] = []
    for n, (_, move) in enumerate(pairs):
        first = n * len(all_hands)
        if isinstance(move, Push) and takes_off[first]:
            found.append(None)
            continue
        counts = Counter(choices[first + 1 : first + len(all_hands)])
        found.append(Edge(move, len(hands), tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))))
    return found


def choices_of(outcomes: Outcomes, *, block: int = 1) -> list[Choice]:
    """What the player may choose from after each of N runs.

    Conflicts go to their fallback, which takes a while to find: within each `block` of runs, those in which the ghosts
    cover the same spaces share that of the first.
    """
    raw, width = outcomes.covers.tobytes(), outcomes.covers[0].nbytes if len(outcomes) else 0
    fallbacks: dict[tuple[int, bytes], Choice] = {}
    found = []
    for n in range(len(outcomes)):
        covered = raw[n * width : (n + 1) * width]
        choice = joint_placements(covered, outcomes.colours_of(n))
        if not choice:
            key = (n // block, covered)
            if key not in fallbacks:
                fallbacks[key] = (outcomes.landing_of(n).placement(),)
            choice = fallbacks[key]
        found.append(choice)
    return found


def sure_edges(
    machine: Machine, state: State, ghost: str, *, relocations: Sequence[Sequence[Relocate]] = ()
) -> list[Edge]:
    """The allowed drags of one ghost (A1: a player drags its own) and relocations; the rules determine where they end.

    `relocations` holds, for each slider and free tunnel, all ways to go there.
    """
    found = []
    here = home_space(state, ghost, machine)
    for direction in ("north", "east", "south", "west"):
        drag = Drag(ghost, direction)
        there = neighbour(here, direction, state.orientation)
        if there is not None and not judge(state, drag, machine).broken:
            found.append(Edge(drag, 1, (), state.on_spaces({ghost: there}, machine.space)))
    for group in relocations:  # to one tunnel: the rules judge each alike
        if not judge(state, group[0], machine).broken:
            found += [Edge(move, 1, (), driven(state, move)) for move in group]
    return found


def hands_for(machine: Machine, ghosts: int, seed: int, size: int, first: int = 0) -> list[Hand]:
    """Varied hands `first` … `first` + `size` - 1 of a seed."""
    return [varied_hand(machine, ghosts, seed, index) for index in range(first, first + size)]


@lru_cache(maxsize=100_000)
def joint_placements(covers: bytes, colours: tuple[str, ...]) -> Choice:
    """Joint placements for spaces covered as `Outcomes.covers` codes them: one row, four numbers for each colour."""
    options: list[Sequence[str]] = []
    for colour in colours:
        first = 4 * COLOURS.index(colour)
        spaces = [SPACES[code] for code in covers[first : first + 4] if code < len(SPACES)]
        options.append(spaces or CORNERS)
    joint = sorted(spaces for spaces in product(*options) if len(set(spaces)) == len(spaces))
    return tuple(tuple(zip(colours, spaces, strict=True)) for spaces in joint)
