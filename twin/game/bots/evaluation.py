"""What a position is worth to a seat: how soon, and how surely, its ghost finds something to wear."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from twin.board.grid import STANDING_SPACES
from twin.board.state import home_space
from twin.game.bots.distance import distances
from twin.game.cards import part_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.machine import Machine
    from twin.board.state import State
    from twin.game.bots.knowledge import View

# Weights of the planner, chosen by playing tournaments against the greedy bot.
INSIGHT: Final = 0.35
"""What looking into a deck for the first time is worth if the garment is not in it; finding it is worth 1."""
LATER: Final = 0.8
"""What is left of a garment's worth if it is not reached in this turn."""
DRAG: Final = 0.88
"""What is left of it for each drag that it is farther away."""
AFTERWARDS: Final = 0.1
"""Weight of the garments for the other parts, which come later."""
OTHERS: Final = 0.05
"""Weight of how near an opponent is to what it still needs, for each card that it owns beyond none."""


def usable(view: View, seat: int, machine: Machine) -> dict[str, str]:
    """Spaces of garments that a seat can still use and that no player owns, with their cards."""
    needed, taken = set(view.needed(seat)), view.taken
    spots = {space: machine.castle.code_at(space) for space in machine.castle.garments}
    return {space: card for space, card in spots.items() if part_of(card) in needed and card not in taken}


class Worth:
    """The worth of positions for the player whose turn it is, made once for each choice."""

    def __init__(self, view: View, machine: Machine) -> None:
        self.machine = machine
        game = view.game
        self.own = game.options.players[game.seat]
        self.search: dict[str, float] = {}
        """What a search is worth on each space where one makes sense."""
        for space, card in usable(view, game.seat, machine).items():
            deck, chance = view.best_deck(card)
            fresh = game.seen[game.seat][deck] is None
            worth = chance + (1.0 - chance) * (INSIGHT if fresh else 0.0)
            if worth > 0.0:
                self.search[space] = worth
        self._tables = {self.own: self._own_table()}
        for seat, colour in enumerate(game.options.players):
            if seat != game.seat:
                weight = OTHERS * (1 + len(game.owned[seat]))
                self._tables[colour] = _nearness(usable(view, seat, machine), -weight, machine)

    def of(self, state: State) -> float:
        """The worth of a position in which the player stops, and searches if that makes sense."""
        return sum(self._tables[c][home_space(state, c, self.machine)] for c in state.colours)

    def _own_table(self) -> Mapping[str, float]:
        """By space: the worth of the best garment from there, and a little for those of the other parts."""
        far = distances(self.machine.castle)
        parts: dict[str, list[str]] = {}
        for space in self.search:
            parts.setdefault(self.machine.castle.garments[space].part, []).append(space)
        table = {}
        for here in STANDING_SPACES:
            values = sorted(max(self._from(here, there, far) for there in there_all) for there_all in parts.values())
            table[here] = values[-1] + AFTERWARDS * sum(values[:-1]) / len(values) if values else 0.0
        return table

    def _from(self, here: str, there: str, far: Mapping[str, Mapping[str, float]]) -> float:
        if here == there:
            return self.search[there]
        return self.search[there] * LATER * math.pow(DRAG, far[here][there])


def _nearness(spaces: Mapping[str, str], weight: float, machine: Machine) -> Mapping[str, float]:
    """By space: how near the next of some spaces is, from 1 on it down to 0 far away, times a weight."""
    far = distances(machine.castle)
    return {
        here: weight * max((math.pow(DRAG, far[here][there]) for there in spaces), default=0.0)
        for here in STANDING_SPACES
    }
