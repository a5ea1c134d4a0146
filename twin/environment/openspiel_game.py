"""The game for OpenSpiel, with chance made explicit: the deal card by card, and the hand out of a set of hands.

A person's hand varies without end; here each turn and push draws one of `hands` hands, all equally likely, made from
the seed. With `hand=exact` there is none to draw. Information states are what a player has seen from the start on.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyspiel

from twin.board.castle import GARMENT_CODES, PARTS
from twin.board.machine import DEFAULT_MACHINE, load_machine
from twin.board.moves import Push, Turn
from twin.board.state import COLOURS
from twin.environment.action_index import ACTIONS, action_name, check_machine, to_action
from twin.environment.masks import action_mask
from twin.environment.observation_vector import BLOCKS, LENGTH, observation_vector
from twin.environment.sightings import board_text, private_text, public_text
from twin.game.actions import Search
from twin.game.board import Table
from twin.game.cards import DECKS, part_of
from twin.game.positions import EXACT, MOVES_A_TURN, VARIED, Options, new_game
from twin.game.rules import apply
from twin.outcome.engine import KERNEL

if TYPE_CHECKING:
    from twin.game.actions import Action
    from twin.game.positions import Game

SHORT_NAME: Final = "python_ab_durch_die_mauer"

_SHARES: Final = tuple(permutations(range(DECKS)))
"""Ways to share the four cards of a part among the decks."""
_ORDERS: Final = tuple(permutations(range(len(PARTS))))
"""Ways to shuffle a deck."""
_DEAL: Final = len(PARTS) + DECKS
"""Chance nodes of a deal: one for each part, then one for each deck."""

_PARAMETERS: Final[dict[str, Any]] = {
    "players": 2,
    "max_turns": 400,
    "hand": VARIED,
    "hands": 32,
    "seed": 1,
    "stop_early": True,
    "wandering_decks": False,
    "machine": DEFAULT_MACHINE,
}

_GAME_TYPE: Final = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Ab durch die Mauer",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=len(COLOURS),
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification=_PARAMETERS,
)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """The game and its parameters."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = _PARAMETERS | (params or {})
        count = int(chosen["players"])
        hands = int(chosen["hands"])
        moves = MOVES_A_TURN * (1 + count) + 2  # each move may leave all ghosts to be placed; a search, a return
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=max(len(_SHARES), len(_ORDERS), hands),
            num_players=count,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=moves * int(chosen["max_turns"]),
        )
        super().__init__(_GAME_TYPE, info, params or {})
        self.hands = hands
        self.machine = str(chosen["machine"])
        self.options = Options(
            players=COLOURS[:count],
            seed=int(chosen["seed"]),
            hand=str(chosen["hand"]),
            stop_early=bool(chosen["stop_early"]),
            wandering_decks=bool(chosen["wandering_decks"]),
            max_turns=int(chosen["max_turns"]),
        )

    def new_initial_state(self) -> SpielState:
        """Nothing is dealt yet."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Observer:  # noqa: ANN401
        """An observer; without a type, of what a player sees now."""
        return Observer(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game at one moment, in OpenSpiel's verbs. What it holds are values, so that copies are independent."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.options, self.hands, self.machine = game.options, game.hands, game.machine
        self.dealt: tuple[int, ...] = ()
        self.game: Game | None = None
        """None while cards are dealt."""
        self.made: Action | None = None
        """A move that waits for its hand."""
        self.log: tuple[tuple[int | None, str], ...] = ()
        """What happened, and who saw it: all players (None), or one seat."""

    def current_player(self) -> int:
        """A seat, chance, or the end."""
        if self.game is None or self.made is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.game.is_over else self.game.seat

    def _legal_actions(self, player: int) -> list[int]:
        if self.game is None or player != self.game.seat:
            return []
        return [int(index) for index in np.flatnonzero(action_mask(self.game, _table(self.machine)))]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """A share, an order or a hand, all equally likely."""
        ways = self.hands
        if self.game is None:
            ways = len(_SHARES) if len(self.dealt) < len(PARTS) else len(_ORDERS)
        return [(outcome, 1.0 / ways) for outcome in range(ways)]

    def _apply_action(self, action: int) -> None:
        if self.game is None:
            self.dealt = (*self.dealt, int(action))
            if len(self.dealt) == _DEAL:
                fresh = new_game(_table(self.machine).machine, self.options)
                self.game = replace(fresh, decks=deal_of(self.dealt))
            return
        if self.made is not None:
            made, self.made = self.made, None
            self._happen(replace(self.game, chance=int(action)), made)
            return
        chosen = to_action(int(action), self.game, _table(self.machine).machine)
        if isinstance(chosen, Turn | Push) and self.options.hand != EXACT:
            self.made = chosen
        else:
            self._happen(self.game, chosen)

    def _happen(self, game: Game, action: Action) -> None:
        table = _table(self.machine)
        seat = game.seat
        self.game, event = apply(game, action, table)
        found = "" if event.found is None else f", found {event.found}"
        entries: list[tuple[int | None, str]] = [
            (None, f"{seat}: {action}{found} -> {board_text(self.game, table.machine)}")
        ]
        if isinstance(action, Search):
            entries.append((seat, f"deck {action.deck}: {' '.join(game.decks[action.deck - 1])}"))
        self.log = (*self.log, *entries)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return action_name(int(action))
        if self.game is not None:
            return f"hand {action}"
        step = len(self.dealt)
        if step < len(PARTS):
            return f"share {PARTS[step]} {''.join(str(1 + deck) for deck in _SHARES[action])}"
        return f"shuffle deck {step - len(PARTS) + 1} {''.join(str(1 + card) for card in _ORDERS[action])}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.game is not None and self.game.is_over

    def returns(self) -> list[float]:
        """1 for the winner, -1 shared among the others; 0 before the end and in a draw."""
        if self.game is None:
            return [0.0] * len(self.options.players)
        return list(self.game.returns().values())

    def __str__(self) -> str:
        if self.game is None:
            return f"dealing {len(self.dealt)} of {_DEAL}"
        waiting = "" if self.made is None else f"\n{self.made}, by which hand?"
        decks = " | ".join(" ".join(deck) for deck in self.game.decks)
        return f"{public_text(self.game, _table(self.machine).machine)}\ndecks {decks}{waiting}"


class Observer:
    """What one player sees, in the manner of OpenSpiel's `PyObserver`.

    With perfect recall all that it has seen so far, as text alone; else what it sees now, as text and, for the usual
    kind of observation, as the vector of docs/environments.md.
    """

    def __init__(self, kind: Any, params: dict[str, Any] | None) -> None:  # noqa: ANN401 - pyspiel has no types
        if params:
            raise ValueError(f"there are no parameters of observations; got {params}")
        self.recalls = bool(kind.perfect_recall)
        self.public = bool(kind.public_info)
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor = None
        self.dict: dict[str, np.ndarray[Any, Any]] = {}
        if self.public and self.private and not self.recalls:
            self.tensor = np.zeros(LENGTH, np.float32)
            for name, block in BLOCKS.items():
                self.dict[name] = self.tensor[block.start : block.start + block.size].reshape(block.shape)

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the vector with what a player sees."""
        if self.tensor is None:
            return
        self.tensor.fill(0.0)
        if state.game is not None:
            self.tensor[:] = observation_vector(state.game, player, _table(state.machine).machine)

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees, or has seen, as text."""
        if state.game is None:
            return "dealing"
        machine = _table(state.machine).machine
        if self.recalls:
            seen = [
                text for seat, text in state.log if (seat is None and self.public) or (seat == player and self.private)
            ]
            start = f"player {player}, backs {' '.join(part_of(deck[0]) for deck in deal_of(state.dealt))}"
            waiting = [] if state.made is None or not self.public else [f"{state.game.seat}: {state.made} …"]
            return "\n".join([start, *seen, *waiting])
        parts = [public_text(state.game, machine)] if self.public else []
        if state.made is not None and self.public:
            parts.append(f"{state.made} …")
        if self.private:
            parts.append(private_text(state.game, player))
        return "\n".join(parts)


def deal_of(outcomes: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    """The decks that the chance nodes of a deal have dealt (S5)."""
    piles: list[list[str]] = [[] for _ in range(DECKS)]
    for part, outcome in zip(PARTS, outcomes, strict=False):
        cards = [card for card, its_part in GARMENT_CODES.items() if its_part == part]
        for card, deck in zip(cards, _SHARES[outcome], strict=True):
            piles[deck].append(card)
    orders = [_ORDERS[outcome] for outcome in outcomes[len(PARTS) :]]
    return tuple(tuple(pile[k] for k in order) for pile, order in zip(piles, orders, strict=True))


@lru_cache(maxsize=8)
def _table(machine: str) -> Table:
    """One table for each machine: states are copied, tables are not."""
    found = load_machine(machine)
    check_machine(found)
    return Table(found, KERNEL)


def register_openspiel() -> str:
    """Make the game known to `pyspiel.load_game`, under the name that is returned."""
    if SHORT_NAME not in pyspiel.registered_names():
        pyspiel.register_game(_GAME_TYPE, SpielGame)
    return SHORT_NAME
