"""What a player cannot know, changed; and games that get somewhere quickly, for tests of both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from twin.board.castle import PARTS
from twin.board.state import home_space
from twin.game.cards import part_of
from twin.game.positions import MOVE, RETURN
from twin.game.rules import apply, legal_actions

if TYPE_CHECKING:
    import random

    from twin.board.machine import Machine
    from twin.game.actions import Action
    from twin.game.positions import Game
    from twin.game.rules import Board


def otherwise_dealt(game: Game, seat: int, dice: random.Random) -> Game:
    """Another game that a seat cannot tell from this one.

    Cards of decks that it has not looked into change places with others of the same back; below the card on top every
    deck is shuffled, unless the seat holds it in its hand; others know what then lies in the decks; and chance to come
    is another.
    """
    holding = game.searched if game.phase == RETURN and game.seat == seat else None
    decks = [list(deck) for deck in game.decks]
    unseen = [place for place, known in enumerate(game.seen[seat]) if known is None]
    for part in PARTS:
        spots = [(place, k) for place in unseen for k, card in enumerate(decks[place]) if part_of(card) == part]
        cards = [decks[place][k] for place, k in spots]
        dice.shuffle(cards)
        for (place, k), card in zip(spots, cards, strict=True):
            decks[place][k] = card
    for place, deck in enumerate(decks):
        if place != holding:
            rest = deck[1:]
            dice.shuffle(rest)
            deck[1:] = rest
    seen = tuple(
        tuple(None if known is None else frozenset(decks[place]) for place, known in enumerate(row))
        for row in game.seen
    )
    return replace(
        game,
        options=replace(game.options, seed=game.options.seed + 1 + dice.randrange(1000)),
        decks=tuple(tuple(deck) for deck in decks),
        seen=seen,
    )


def useful_spaces(game: Game, machine: Machine) -> list[str]:
    """Free spaces on which the player whose turn it is could search (Q1)."""
    taken = {home_space(game.board, colour, machine) for colour in game.board.colours}
    owned = game.parts(game.seat)
    return [s for s, garment in machine.castle.garments.items() if garment.part not in owned and s not in taken]


def carried_to(game: Game, space: str, machine: Machine) -> Game:
    """The same game with the ghost of the player whose turn it is on another space: a shortcut to a search."""
    own = game.options.players[game.seat]
    return replace(game, board=game.board.on_spaces({own: space}, machine.space))


def any_action(actions: tuple[Action, ...], dice: random.Random) -> Action:
    """One of the actions, each kind equally likely."""
    kinds: dict[str, list[Action]] = {}
    for action in actions:
        kinds.setdefault(type(action).__name__, []).append(action)
    return dice.choice(kinds[dice.choice(sorted(kinds))])


def played(game: Game, board: Board, dice: random.Random, steps: int) -> Game:
    """A game some steps on, with ghosts carried to garments now and then."""
    for _ in range(steps):
        if game.is_over:
            break
        if game.phase == MOVE and dice.random() < 0.3:
            game = carried_to(game, dice.choice(useful_spaces(game, board.machine)), board.machine)
        game, _ = apply(game, any_action(legal_actions(game, board), dice), board)
    return game
