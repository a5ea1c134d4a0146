"""Which actions are open, as a mask over their numbers.

A mask tells more than the rules let a person try out: it shows which pushes would take a ghost off the board (B6)
before one is touched, which B2 would not allow. `mask_b6=False` leaves those open; the rules then refuse such a push
when it is chosen, nothing moves, and the player chooses again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from twin.board.moves import Drag, DragDirection, Push, PushDirection, Turn, TurnDirection
from twin.board.state import MAX_OFFSET, covers
from twin.environment.action_index import ACTIONS, WORDS, to_index
from twin.game.actions import Search, Stop
from twin.game.positions import MOVE
from twin.game.rules import legal_actions, may_search, may_stop
from twin.outcome.legality import corridor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State
    from twin.game.positions import Game
    from twin.game.rules import Board


_SETTINGS: Final = 2 * (2 * MAX_OFFSET + 1)
"""Ways to put a slider into a tunnel: five offsets, either way round."""

_FIRST_RELOCATION: Final = next(index for index, word in enumerate(WORDS) if word[0] == "relocate")


def action_mask(game: Game, board: Board, refused: Iterable[int] = ()) -> NDArray[np.int8]:
    """1 for each action that the player whose turn it is may choose, shaped (ACTIONS,); all 0 once the game is over.

    The same as `twin.game.rules.legal_actions`, without making every one of them first. `refused` are pushes that the
    player has tried in vain in this position.
    """
    mask = np.zeros(ACTIONS, np.int8)
    machine = board.machine
    if game.phase != MOVE:
        mask[[to_index(action, game, machine) for action in legal_actions(game, board)]] = 1
        return mask
    if game.moves_left:
        for index, move in _moves(machine, game.options.players[game.seat]):
            if not board.broken(game.board, move):
                mask[index] = 1
        mask[list(refused)] = 0
        for first in _relocations(game.board, machine):
            mask[first : first + _SETTINGS] = 1
    if may_search(game, machine):
        mask[[to_index(Search(place), game, machine) for place, deck in enumerate(game.decks, start=1) if deck]] = 1
    if may_stop(game, machine):
        mask[to_index(Stop(), game, machine)] = 1
    return mask


@lru_cache(maxsize=64)
def _moves(machine: Machine, own: str) -> tuple[tuple[int, Move], ...]:
    """Turns, pushes and drags with their numbers."""
    found: list[tuple[int, Move]] = []
    names = sorted(machine.sliders)
    for index, word in enumerate(WORDS):
        match word:
            case ("turn", direction):
                found.append((index, Turn(cast("TurnDirection", direction))))
            case ("push", int(slider), direction):
                found.append((index, Push(names[slider], cast("PushDirection", direction))))
            case ("drag", direction):
                found.append((index, Drag(own, cast("DragDirection", direction))))
    return tuple(found)


def _relocations(state: State, machine: Machine) -> list[int]:
    """For each slider and tunnel that C1 and C2 leave open, the first of the numbers that stand in a row.

    Every offset that has a number is within C3, so C1 and C2 speak for all ways to put a slider into a tunnel.
    """
    covered = {space for colour in state.colours for space in covers(state, colour, machine)}
    tunnels = range(1, len(machine.tunnels) + 1)
    clear = [tunnel for tunnel in tunnels if covered.isdisjoint(corridor(tunnel, state.orientation, machine))]
    taken = [slider.tunnel for slider in state.sliders]
    return [
        _FIRST_RELOCATION + _SETTINGS * (len(tunnels) * slider + tunnel - 1)
        for slider, leaves in enumerate(taken)
        for tunnel in clear
        if leaves in clear and tunnel not in taken
    ]
