"""The twin as the game's board: it says which moves are barred, and lets the others happen."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from twin.drive import relocated
from twin.engine import KERNEL, Twin
from twin.expectation import FATES
from twin.game.rules import Happening
from twin.game.state import EXACT, Pending
from twin.grid import CORNERS, to_floor
from twin.hand import NOMINAL, varied_hand
from twin.legality import judge
from twin.many import simulate_many
from twin.moves import Push, Relocate, Turn
from twin.state import covers
from twin.stillness import stays_put

if TYPE_CHECKING:
    from twin.engine import Outcome
    from twin.game.state import Game
    from twin.machine import Machine
    from twin.moves import Move
    from twin.state import State

_REMEMBERED = 4096
"""Pushes whose B6 is kept in mind; a game asks about the same ones again and again."""


class Table:
    """One machine to play on. Chance is drawn from the game's seed, so that the same game replays the same way."""

    def __init__(self, machine: Machine, engine: str = KERNEL) -> None:
        self.machine = machine
        self.twin = Twin(machine, engine)
        self._off = lru_cache(maxsize=_REMEMBERED)(self._pushed_off)

    def broken(self, state: State, move: Move) -> tuple[str, ...]:
        """Numbers of the rules that forbid a move; B6 by simulating the push with the nominal hand."""
        verdict = judge(state, move, self.machine)
        if isinstance(move, Push) and verdict.feasible and move in self._off(state):
            return tuple(sorted({*verdict.broken, "B6"}))
        return verdict.broken

    def happen(self, state: State, move: Move, game: Game) -> Happening:
        """Let a move happen, by the hand that the game's chance draws next."""
        hand = NOMINAL
        if game.options.hand != EXACT and isinstance(move, Turn | Push):
            hand = varied_hand(self.machine, len(state.ghosts), game.options.seed, game.chance)
        if isinstance(move, Relocate) and stays_put(state, move, self.machine):
            return _nothing_moved(state, move, self.machine)
        outcome = self.twin.act(state, move, hand, sensitivity=False)
        return Happening(
            pending=pending(outcome, as_is=game.options.as_is),
            fates=tuple((colour, ghost.fate) for colour, ghost in outcome.ghosts),
            walls=tuple((colour, len(ghost.walls)) for colour, ghost in outcome.ghosts),
            conflict=outcome.landing.conflict,
        )

    def _pushed_off(self, state: State) -> frozenset[Push]:
        """The pushes that would take a ghost off the board here, all asked for at once."""
        pushes = [Push(s.name, d) for s in state.sliders for d in ("north", "south")]
        possible = [push for push in pushes if judge(state, push, self.machine).feasible]
        if self.twin.engine != KERNEL:
            return frozenset(p for p in possible if "B6" in self.twin.act(state, p, sensitivity=False).broken)
        outcomes = simulate_many([state] * len(possible), possible, machine=self.machine)
        falls = np.any(outcomes.fate == FATES.index("fell"), axis=1)
        return frozenset(push for push, fell in zip(possible, falls, strict=True) if fell)


def _nothing_moved(state: State, move: Relocate, machine: Machine) -> Happening:
    """A relocation that leaves every ghost where it is."""
    after = state.with_slider(relocated(state, move))
    options = tuple((colour, covers(state, colour, machine)) for colour in state.colours)
    still = tuple((colour, place) for colour, place in state.ghosts)
    fates = tuple((colour, "stayed") for colour in state.colours)
    return Happening(
        Pending(state.orientation, after.sliders, tuple((c, spaces[:1]) for c, spaces in options), still),
        fates=fates,
        walls=tuple((colour, 0) for colour in state.colours),
        conflict=False,
    )


def pending(outcome: Outcome, *, as_is: bool) -> Pending:
    """Where every ghost may be put after a move: covered spaces, corners, or the fallback where nothing fits."""
    landing = outcome.landing
    options: tuple[tuple[str, tuple[str, ...]], ...]
    if landing.fallback is not None:
        options = tuple((colour, (space,)) for colour, space in landing.fallback)
    else:
        options = tuple((c, f.covers if f.place is not None else CORNERS) for c, f in landing.footings)
    still = tuple(
        (colour, to_floor(footing.place, outcome.orientation))
        for colour, footing in landing.footings
        if as_is and landing.fallback is None and footing.place is not None and footing.space is not None
    )
    return Pending(outcome.orientation, outcome.sliders, options, still)
