"""What one seat knows of the decks, and how likely it makes a garment to lie in each of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from twin.board.castle import GARMENT_CODES, PARTS
from twin.game.cards import DECKS, back_on_top, part_of
from twin.game.positions import RETURN

if TYPE_CHECKING:
    from twin.game.positions import Game

UNKNOWN: Final = "?"
"""A card that the seat has not seen."""


@dataclass(frozen=True)
class View:
    """A game as the player whose turn it is knows it: equal for all games that this player cannot distinguish."""

    game: Game
    """The same game with every card that the seat cannot know face down, and without seed and chance."""
    backs: tuple[str | None, ...]
    """The part on the back of each deck's top card; None once it is empty."""

    @staticmethod
    def of(game: Game) -> View:
        """What the player whose turn it is knows."""
        seen = game.seen[game.seat]
        decks = []
        for place, (deck, known) in enumerate(zip(game.decks, seen, strict=True)):
            if game.phase == RETURN and game.searched == place:
                decks.append(deck)  # it is in the player's own hand
            else:
                decks.append((UNKNOWN,) * len(deck) if known is None else tuple(sorted(known)))
        unseen = (None,) * DECKS
        hidden = replace(
            game,
            options=replace(game.options, seed=0),
            decks=tuple(decks),
            seen=tuple(seen if seat == game.seat else unseen for seat in range(len(game.owned))),
            chance=0,
        )
        return View(hidden, tuple(back_on_top(deck) for deck in game.decks))

    @property
    def taken(self) -> frozenset[str]:
        """Cards that lie face up before a player."""
        return frozenset(card for cards in self.game.owned for card in cards)

    def chance(self, card: str, deck: int) -> float:
        """How likely a card lies in a deck (its place, from 0).

        At the deal each deck had one card of each part (S5). A deck that was seen is certain. The cards of a part that
        are neither taken nor seen share the other decks; a deck from which cards were taken may have lost its own.
        """
        seen = self.game.seen[self.game.seat]
        known = seen[deck]
        if known is not None:
            return 1.0 if card in known else 0.0
        if card in self.taken or any(card in cards for cards in seen if cards is not None):
            return 0.0
        part = part_of(card)
        unseen = [place for place in range(DECKS) if seen[place] is None]
        gone = self.taken.union(*(cards for cards in seen if cards is not None))
        left = sum(1 for code, its_part in GARMENT_CODES.items() if its_part == part and code not in gone)
        sure = [p for p in unseen if self.backs[p] == part or len(self.game.decks[p]) == len(PARTS)]
        if deck in sure:
            return 1.0 / left
        sizes = sum(len(self.game.decks[place]) for place in unseen if place not in sure)
        holds = max(left - len(sure), 0) * len(self.game.decks[deck]) / sizes if sizes else 0.0
        return min(holds, 1.0) / left

    def best_deck(self, card: str) -> tuple[int, float]:
        """The deck (from 0) that most likely holds a card, and how likely; of equals an unseen one, or the first."""
        seen = self.game.seen[self.game.seat]
        open_decks = [place for place in range(DECKS) if self.game.decks[place]]
        if not open_decks:
            return 0, 0.0
        chances = {place: self.chance(card, place) for place in open_decks}
        best = max(open_decks, key=lambda place: (chances[place], seen[place] is None, -place))
        return best, chances[best]

    def needed(self, seat: int) -> tuple[str, ...]:
        """Body parts that a seat has no garment for yet."""
        owned = self.game.parts(seat)
        return tuple(part for part in PARTS if part not in owned)
