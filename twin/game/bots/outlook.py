"""What moves would do: turns and pushes from the kernel in batches, with any hands, drags by the rules alone."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.board.moves import Drag, Push, Turn
from twin.board.state import MAX_OFFSET, State
from twin.game.board import pending_of
from twin.game.rules import joint
from twin.outcome.legality import judge
from twin.outcome.many import simulate_many
from twin.physics.drive import drag_target
from twin.physics.hand import NOMINAL, Hand, varied_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.board.machine import Machine
    from twin.game.positions import Pending

BATCH: Final = 64
"""Moves that are simulated at once: as many as the kernel runs without waking threads."""
HANDS: Final = 64
"""Varied hands that a bot imagines; they are its own, not those that the game will draw."""


class Guess(NamedTuple):
    """One move by one hand, and where it may leave the ghosts."""

    pending: Pending
    barred: bool
    """Whether a ghost fell: with the nominal hand a push is barred then (B6)."""


@lru_cache(maxsize=16)
def imagined_hands(machine: Machine, ghosts: int, seed: int) -> tuple[Hand, ...]:
    """Hands as a person's may be, the nominal one first."""
    return (NOMINAL, *(varied_hand(machine, ghosts, seed, index) for index in range(1, HANDS)))


def physical_moves(state: State) -> list[Turn | Push]:
    """Turns and pushes that D1 and B5 allow here; B6 shows when they are simulated."""
    pushes: list[Turn | Push] = [Push(s.name, "north") for s in state.sliders if s.offset < MAX_OFFSET]
    pushes += [Push(s.name, "south") for s in state.sliders if s.offset > -MAX_OFFSET]
    return [Turn("cw"), Turn("ccw"), *pushes]


def drags(state: State, own: str, machine: Machine) -> list[tuple[Drag, State]]:
    """Allowed drags of a ghost and where they lead."""
    found = []
    for drag in (Drag(own, "north"), Drag(own, "east"), Drag(own, "south"), Drag(own, "west")):
        if not judge(state, drag, machine).broken:
            places = state.places | {own: drag_target(state, drag, machine)}
            found.append((drag, State.of(state.orientation, places, state.sliders)))
    return found


def simulated(
    states: Sequence[State], moves: Sequence[Turn | Push], hands: Sequence[Hand], machine: Machine
) -> list[Guess]:
    """What each move would do by its hand."""
    found = []
    for first in range(0, len(states), BATCH):
        some = slice(first, first + BATCH)
        outcomes = simulate_many(states[some], moves[some], machine=machine, hands=hands[some])
        for n, falls in enumerate(outcomes.takes_off.tolist()):
            found.append(Guess(pending_of(outcomes, n), barred=falls))
    return found


def positions(pending: Pending, machine: Machine) -> list[State]:
    """All positions that the player may make of where a move left the ghosts (D4, D5)."""
    empty = State(pending.orientation, (), pending.sliders)
    return [empty.on_spaces(way, machine.space) for way in joint(pending)]
