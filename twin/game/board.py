"""The twin as the game's board: it knows which moves are barred, and lets the others happen."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from twin.board.grid import centre, neighbour, to_floor
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import MAX_OFFSET, State, covers, home_space, magnets
from twin.game.positions import EXACT, Pending
from twin.game.rules import Happening
from twin.outcome.engine import KERNEL, Twin
from twin.outcome.fates import gripping
from twin.outcome.legality import judge, standing_on
from twin.outcome.many import falls, simulate_shifted
from twin.physics.certainty import is_led_surely, stays_put
from twin.physics.drive import driven
from twin.physics.hand import NOMINAL, varied_hand

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.game.positions import Game
    from twin.outcome.engine import Outcome
    from twin.outcome.outcomes import Outcomes
    from twin.physics.hand import Hand

_REMEMBERED = 4096
"""Positions whose pushes (B6) or free corridors (C) are kept in mind; a game asks about the same ones again."""


class Table:
    """One machine to play on. Chance is drawn from the game's seed, so that the same game replays the same way."""

    def __init__(self, machine: Machine, engine: str = KERNEL) -> None:
        self.machine = machine
        self.twin = Twin(machine, engine)
        self._off = lru_cache(maxsize=_REMEMBERED)(self._pushed_off)
        self._clear = lru_cache(maxsize=_REMEMBERED)(self._clear_tunnels)
        self._asked: tuple[State, Push, bool] | None = None

    def broken(self, state: State, move: Move) -> tuple[str, ...]:
        """Numbers of the rules that forbid a move; B6 by simulating the push with the nominal hand."""
        if isinstance(move, Relocate) and move.tunnel in self.free_tunnels(state):
            leaves = state.slider(move.slider).tunnel
            if leaves in self.clear_tunnels(state) and abs(move.offset) <= MAX_OFFSET:
                return ()
        verdict = judge(state, move, self.machine)
        if isinstance(move, Push) and verdict.feasible and self._takes_off(state, move):
            verdict = verdict.taking_off()
        return verdict.broken

    def clear_tunnels(self, state: State) -> tuple[int, ...]:
        """Tunnels on whose corridor no ghost stands (C1, C2)."""
        return self._clear(State(state.orientation, state.ghosts, ()))

    def free_tunnels(self, state: State) -> list[int]:
        """Tunnels that a slider may enter: no ghost stands on their corridor, and no slider is in them (C2)."""
        taken = {slider.tunnel for slider in state.sliders}
        return [tunnel for tunnel in self.clear_tunnels(state) if tunnel not in taken]

    def open_relocations(self, state: State) -> list[tuple[str, int]]:
        """Sliders and the tunnels that they may be moved to, at any offset, either way round (C1 to C3, G5)."""
        clear, free = self.clear_tunnels(state), self.free_tunnels(state)
        leaving = sorted(slider.name for slider in state.sliders if slider.tunnel in clear)
        return [(slider, tunnel) for slider in leaving for tunnel in free]

    def bars_push(self, state: State, push: Push) -> bool:
        """Whether B6 forbids one push that B5 allows; the other pushes are not asked for, which `broken` would do."""
        if self.twin.engine != KERNEL:
            return self._takes_off(state, push)
        barred = bool(falls(self.machine, [state], [push])[0])
        self._asked = (state, push, barred)  # the caller makes this push next, or another
        return barred

    def happen(self, state: State, move: Move, game: Game) -> Happening:
        """Let a move happen, by the hand that the game's chance draws next."""
        hand = drawn_hand(self.machine, game, move)
        if isinstance(move, Relocate) and stays_put(state, move, self.machine):
            return _nothing_moved(state, move, self.machine)
        if self.twin.engine == KERNEL and not game.options.as_is:
            known = surely_dragged(state, move, self.machine) if isinstance(move, Drag) else None
            if isinstance(move, Turn | Push):
                known = happening(simulate_shifted(self.machine, [state], [move], [hand]), 0)
            if known is not None:
                return known
        outcome = self.twin.act(state, move, hand, sensitivity=False)
        return Happening(
            pending=pending(outcome, as_is=game.options.as_is),
            fates=tuple((colour, ghost.fate) for colour, ghost in outcome.ghosts),
            walls=tuple((colour, len(ghost.walls)) for colour, ghost in outcome.ghosts),
            conflict=outcome.landing.conflict,
        )

    def _clear_tunnels(self, ghosts: State) -> tuple[int, ...]:
        tunnels = range(1, len(self.machine.tunnels) + 1)
        return tuple(tunnel for tunnel in tunnels if not standing_on(tunnel, ghosts, self.machine))

    def _takes_off(self, state: State, push: Push) -> bool:
        """Whether a push takes a ghost off the board with the nominal hand."""
        if self._asked is not None and self._asked[1] == push and self._asked[0] == state:
            return self._asked[2]
        return push in self._off(state)

    def _pushed_off(self, state: State) -> frozenset[Push]:
        """The pushes that would take a ghost off the board here, all asked for at once."""
        pushes = [Push(s.name, d) for s in state.sliders for d in ("north", "south")]
        possible = [push for push in pushes if judge(state, push, self.machine).feasible]
        if self.twin.engine != KERNEL:
            return frozenset(p for p in possible if "B6" in self.twin.act(state, p, sensitivity=False).broken)
        fell = falls(self.machine, [state] * len(possible), possible)
        return frozenset(push for push, off in zip(possible, fell, strict=True) if off)


def drawn_hand(machine: Machine, game: Game, move: Move) -> Hand:
    """The hand that the game's chance draws next: it varies in turns and pushes, unless hands are exact."""
    if game.options.hand == EXACT or not isinstance(move, Turn | Push):
        return NOMINAL
    return varied_hand(machine, len(game.board.ghosts), game.options.seed, game.chance)


def pending_of(outcomes: Outcomes, n: int) -> Pending:
    """Where every ghost may be put after one of many moves."""
    return Pending(int(outcomes.orientation[n]), outcomes.sliders_of(n), outcomes.options_of(n))


def happening(outcomes: Outcomes, n: int) -> Happening:
    """One of many moves, as the game wants it."""
    colours = outcomes.colours_of(n)
    return Happening(
        pending_of(outcomes, n),
        fates=tuple((colour, outcomes.fate_of(n, colour)) for colour in colours),
        walls=tuple((colour, outcomes.wall_count(n, colour)) for colour in colours),
        conflict=not outcomes.placements[n] and outcomes.landing_of(n).conflict,
    )


def surely_dragged(state: State, move: Drag, machine: Machine) -> Happening | None:
    """What an allowed drag does, if that is certain; None if it has to be simulated."""
    homes = {colour: home_space(state, colour, machine) for colour in state.colours}
    target = neighbour(homes[move.ghost], move.direction, state.orientation)
    if target is None or not is_led_surely(state, machine):
        return None
    around = magnets(state, machine)
    gripped = gripping(state.places[move.ghost], around, machine) is not None
    caught = gripping(centre(target, machine.space, state.orientation), around, machine) is not None
    spaces = homes | {move.ghost: target}
    fate = "left" if gripped and not caught else "dragged"
    return Happening(
        Pending(state.orientation, state.sliders, tuple((colour, (spaces[colour],)) for colour in state.colours)),
        fates=tuple((colour, fate if colour == move.ghost else "stayed") for colour in state.colours),
        walls=tuple((colour, 0) for colour in state.colours),
        conflict=False,
    )


def _nothing_moved(state: State, move: Relocate, machine: Machine) -> Happening:
    """A relocation that leaves every ghost where it is."""
    after = driven(state, move)
    options = tuple((colour, covers(state, colour, machine)) for colour in state.colours)
    fates = tuple((colour, "stayed") for colour in state.colours)
    return Happening(
        Pending(state.orientation, after.sliders, tuple((c, spaces[:1]) for c, spaces in options), state.ghosts),
        fates=fates,
        walls=tuple((colour, 0) for colour in state.colours),
        conflict=False,
    )


def pending(outcome: Outcome, *, as_is: bool) -> Pending:
    """Where every ghost may be put after a move: covered spaces, corners, or the fallback where nothing fits."""
    landing = outcome.landing
    still = tuple(
        (colour, to_floor(footing.place, outcome.orientation))
        for colour, footing in landing.footings
        if as_is and landing.fallback is None and footing.place is not None and footing.space is not None
    )
    return Pending(outcome.orientation, outcome.sliders, landing.options, still)
