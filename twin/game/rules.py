"""The rules of the game: which actions are allowed, by number, and what they do; the board is asked for physics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Protocol, TypeVar

from twin.board.castle import PARTS
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import MAX_OFFSET, State, home_space
from twin.errors import BarredMoveError
from twin.game.actions import Action, GiveBack, Put, Search, Stop
from twin.game.cards import DECKS, part_of
from twin.game.positions import MOVE, MOVES_A_TURN, OVER, PLACE, RETURN, Game, Pending

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.moves import Move

T = TypeVar("T")


@dataclass(frozen=True)
class Happening:
    """What came of a move on the board."""

    pending: Pending
    """Spaces that each ghost may be put on; several where the player has a choice."""
    fates: tuple[tuple[str, str], ...]
    walls: tuple[tuple[str, int], ...]
    """Walls that each ghost passed through."""
    conflict: bool
    """Whether no joint placement existed, so that the fallback holds (G2, G9)."""


@dataclass(frozen=True)
class Event:
    """What an action did, for those who watch."""

    seat: int
    action: Action
    happening: Happening | None = None
    found: str | None = None
    """The card that was found in a search, face up for all to see."""
    ended: bool = False
    """Whether it ended the turn."""


class Board(Protocol):
    """The physical board, as the rules see it."""

    machine: Machine

    def broken(self, state: State, move: Move) -> tuple[str, ...]:
        """Numbers of the rules that forbid a move here (A1-A5, B1, B5, B6, C1-C3, D1)."""

    def happen(self, state: State, move: Move, game: Game) -> Happening:
        """Let a move happen, by the hand that the game's chance draws next."""


def apply(game: Game, action: Action, board: Board) -> tuple[Game, Event]:
    """The game after an action, and what it did; raises `BarredMoveError` with the rules' numbers if it is barred."""
    if game.phase == OVER:
        raise BarredMoveError("the game is over", ("E1",))
    match action:
        case Turn() | Push() | Drag() | Relocate():
            return _move(game, action, board)
        case Put():
            return _put(game, action, board)
        case Search():
            return _search(game, action, board)
        case GiveBack():
            return _give_back(game, action)
        case Stop():
            return _stop(game, board)


def legal_actions(game: Game, board: Board) -> tuple[Action, ...]:
    """Everything that the player whose turn it is may do; never empty before the end (T1)."""
    if game.phase == OVER:
        return ()
    if game.phase == PLACE and game.pending is not None:
        choices = joint(game.pending)
        options = {colour: sorted({placement[colour] for placement in choices}) for colour in choices[0]}
        return tuple(Put(c, space) for c, spaces in options.items() if len(spaces) > 1 for space in spaces)
    if game.phase == RETURN and game.searched is not None:
        return _returns(game, game.searched)
    found: list[Action] = []
    if game.moves < MOVES_A_TURN:
        found += _allowed_moves(game, board)
    if may_search(game, board.machine):
        found += [Search(deck) for deck in range(1, DECKS + 1) if game.decks[deck - 1]]
    if may_stop(game, board.machine):
        found.append(Stop())
    return tuple(found)


def all_moves(game: Game, machine: Machine) -> list[Move]:
    """Every move that can be written for the player whose turn it is, allowed or not, in a fixed order."""
    own = game.options.players[game.seat]
    names = sorted(machine.sliders)
    moves: list[Move] = [Turn("cw"), Turn("ccw")]
    moves += [Push(name, direction) for name in names for direction in ("north", "south")]
    moves += [Drag(own, direction) for direction in ("north", "east", "south", "west")]
    tunnels, offsets = range(1, len(machine.tunnels) + 1), range(-MAX_OFFSET, MAX_OFFSET + 1)
    moves += [Relocate(n, t, o, f) for n, t, o, f in product(names, tunnels, offsets, (False, True))]
    return moves


def garment_under(game: Game, machine: Machine) -> str | None:
    """The code of the garment on the space of the player whose turn it is, if it shows one."""
    space = home_space(game.board, game.options.players[game.seat], machine)
    if space not in machine.castle.garments:
        return None
    return machine.castle.code_at(space)


def may_search(game: Game, machine: Machine) -> bool:
    """Whether the player stands on a garment for a body part that it has no card for yet (Q1, Q6, Q7)."""
    card = garment_under(game, machine)
    return game.phase == MOVE and card is not None and part_of(card) not in game.parts(game.seat)


def may_stop(game: Game, machine: Machine) -> bool:
    """Whether the player may end the turn without a search (T1, T3, G8)."""
    if game.phase != MOVE or game.moves == 0:
        return False
    return game.moves >= MOVES_A_TURN or game.options.stop_early or may_search(game, machine)


def joint(pending: Pending) -> list[dict[str, str]]:
    """All ways to put every ghost on a space of its own."""
    colours = [colour for colour, _ in pending.options]
    ways = product(*(spaces for _, spaces in pending.options))
    return [dict(zip(colours, way, strict=True)) for way in ways if len(set(way)) == len(way)]


def _allowed_moves(game: Game, board: Board) -> list[Action]:
    """The moves of `all_moves` that no rule forbids, in its order.

    C1 and C2 ask which tunnels a slider leaves and enters, and C3 holds for every offset that is listed: so one
    relocation speaks for all with the same slider and tunnel.
    """
    verdicts: dict[tuple[str, int], bool] = {}
    found: list[Action] = []
    for move in all_moves(game, board.machine):
        if isinstance(move, Relocate):
            way = (move.slider, move.tunnel)
            if way not in verdicts:
                verdicts[way] = not board.broken(game.board, move)
            allowed = verdicts[way]
        else:
            allowed = not board.broken(game.board, move)
        if allowed:
            found.append(move)
    return found


def _move(game: Game, move: Move, board: Board) -> tuple[Game, Event]:
    if game.phase == PLACE:
        raise BarredMoveError("ghosts must be placed first", ("D4",))
    if game.phase == RETURN:
        raise BarredMoveError("no move comes after a search", ("T2",))
    if game.moves >= MOVES_A_TURN:
        raise BarredMoveError(f"a turn has at most {MOVES_A_TURN} moves", ("T1",))
    if isinstance(move, Drag) and move.ghost != game.options.players[game.seat]:
        raise BarredMoveError(f"{move.ghost} is not your own ghost", ("A1",))
    broken = board.broken(game.board, move)
    if broken:
        raise BarredMoveError(f"{move} is not allowed by {', '.join(broken)}", broken)
    happening = board.happen(game.board, move, game)
    drawn = isinstance(move, Turn | Push)
    moved = replace(game, moves=game.moves + 1, chance=game.chance + drawn, pending=happening.pending, phase=PLACE)
    after = _placed(moved, board)
    return after, Event(game.seat, move, happening, ended=after.turn != game.turn or after.is_over)


def _put(game: Game, action: Put, board: Board) -> tuple[Game, Event]:
    if game.phase != PLACE or game.pending is None:
        raise BarredMoveError("there is no ghost to be placed", ("D4",))
    options = dict(game.pending.options)
    if action.ghost not in options:
        raise BarredMoveError(f"{action.ghost} does not play", ("S1",))
    allowed = sorted({way[action.ghost] for way in joint(game.pending)})
    if action.space not in allowed:
        fallen = "D5" if set(options[action.ghost]) <= set(board.machine.castle.corners.values()) else "D4"
        raise BarredMoveError(f"{action.ghost} can be put on {' or '.join(allowed)}, not on {action.space}", (fallen,))
    if len(allowed) == 1:
        raise BarredMoveError(f"{action.ghost} stands on {action.space}: there is nothing to choose", ("D4",))
    narrowed = replace(
        game.pending,
        options=tuple((c, (action.space,) if c == action.ghost else spaces) for c, spaces in game.pending.options),
    )
    after = _placed(replace(game, pending=narrowed), board)
    return after, Event(game.seat, action, ended=after.turn != game.turn or after.is_over)


def _placed(game: Game, board: Board) -> Game:
    """The same game with the ghosts on their spaces, if only one way to put them is left."""
    pending = game.pending
    if pending is None:
        return game
    if any(len(spaces) > 1 for _, spaces in pending.options):
        ways = joint(pending)
        if len(ways) > 1:
            return game
    else:
        ways = [{colour: spaces[0] for colour, spaces in pending.options}]
    if len(pending.still) == len(ways[0]):
        state = State(pending.orientation, pending.still, pending.sliders)
    else:
        state = State(pending.orientation, game.board.ghosts, pending.sliders).on_spaces(ways[0], board.machine.space)
        state = State.of(pending.orientation, state.places | dict(pending.still), pending.sliders)
    after = replace(game, board=state, pending=None, phase=MOVE)
    if after.moves >= MOVES_A_TURN and not may_search(after, board.machine):
        return after.ends_turn()  # T5
    return after


def _search(game: Game, action: Search, board: Board) -> tuple[Game, Event]:
    if game.phase == RETURN:
        raise BarredMoveError("only one deck may be searched in a turn", ("Q4",))
    if game.phase != MOVE:
        raise BarredMoveError("ghosts must be placed first", ("D4",))
    card = garment_under(game, board.machine)
    if card is None:
        raise BarredMoveError("there is no garment on this space", ("Q7",))
    if part_of(card) in game.parts(game.seat):
        raise BarredMoveError(f"you have a garment for the {part_of(card)} already", ("Q1", "Q6", "Q7"))
    deck = game.decks[action.deck - 1]
    if not deck:
        raise BarredMoveError(f"deck {action.deck} is empty", ("Q2",))
    place = action.deck - 1
    found = card if card in deck else None
    rest = tuple(c for c in deck if c != card)
    owned, seen = list(game.owned), [list(row) for row in game.seen]
    if found is not None:
        owned[game.seat] = (*owned[game.seat], found)
        for row in seen:  # all players see which card is taken
            known = row[place]
            row[place] = None if known is None else known - {found}
    seen[game.seat][place] = frozenset(rest)
    after = replace(
        game,
        decks=_with(game.decks, place, rest),
        owned=tuple(owned),
        seen=tuple(tuple(row) for row in seen),
        searched=place,
        phase=RETURN,
    )
    if len(after.parts(game.seat)) == len(PARTS):
        after = replace(after, phase=OVER, winner=game.seat, searched=None)  # E1: at once
    elif len(_returns(after, place)) == 1:
        after = after.ends_turn()
    return after, Event(game.seat, action, found=found, ended=after.phase != RETURN)


def _returns(game: Game, place: int) -> tuple[Action, ...]:
    """How a searched deck may be put back: any card on top (Q5), in the variant at any other place (Q8)."""
    if game.options.wandering_decks:
        return tuple(GiveBack(place=other) for other in range(1, DECKS + 1) if other != place + 1)
    tops = [GiveBack(top=part_of(card)) for card in game.decks[place][1:]]
    return (GiveBack(), *sorted(tops, key=str))


def _give_back(game: Game, action: GiveBack) -> tuple[Game, Event]:
    if game.phase != RETURN or game.searched is None:
        raise BarredMoveError("there is no deck in your hand", ("Q5",))
    if action not in _returns(game, game.searched):
        rule = "Q8" if game.options.wandering_decks or action.place is not None else "Q5"
        raise BarredMoveError(f"{action} is no way to put this deck back", (rule,))
    decks, seen = game.decks, game.seen
    here = game.searched
    if action.place is not None:
        there = action.place - 1
        decks = _swapped(decks, here, there)
        seen = tuple(_swapped(row, here, there) for row in seen)
    elif action.top is not None:
        deck = decks[here]
        top = next(card for card in deck if part_of(card) == action.top)
        decks = _with(decks, here, (top, *(card for card in deck if card != top)))
    after = replace(game, decks=decks, seen=seen).ends_turn()
    return after, Event(game.seat, action, ended=True)


def _stop(game: Game, board: Board) -> tuple[Game, Event]:
    if game.phase != MOVE:
        raise BarredMoveError("something must be chosen first", ("D4" if game.phase == PLACE else "Q5",))
    if game.moves == 0:
        raise BarredMoveError("a turn has at least one move, unless it begins with a search", ("T1", "T4"))
    if not may_stop(game, board.machine):
        raise BarredMoveError("a turn may be cut short only on a garment that you can use", ("T3",))
    return game.ends_turn(), Event(game.seat, Stop(), ended=True)


def _with(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _swapped(items: tuple[T, ...], one: int, other: int) -> tuple[T, ...]:
    swapped = list(items)
    swapped[one], swapped[other] = swapped[other], swapped[one]
    return tuple(swapped)
