"""The twenty garment cards and the four decks that they are dealt into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.board.castle import GARMENT_CODES, PARTS

if TYPE_CHECKING:
    import random

DECKS: Final = 4

Deck = tuple[str, ...]
"""Codes of garments (`H1` …), the card on top first; what others see of it is the part on the back of that card."""


def part_of(card: str) -> str:
    """The body part on a card's back.

    >>> part_of("H1")
    'headgear'
    """
    return GARMENT_CODES[card]


def deal(dice: random.Random) -> tuple[Deck, ...]:
    """Four decks with exactly one card of each back, in an order that no player has seen (S5)."""
    piles: list[list[str]] = [[] for _ in range(DECKS)]
    for part in PARTS:
        cards = [code for code, its_part in GARMENT_CODES.items() if its_part == part]
        dice.shuffle(cards)
        for pile, card in zip(piles, cards, strict=True):
            pile.append(card)
    for pile in piles:
        dice.shuffle(pile)
    return tuple(tuple(pile) for pile in piles)


def back_on_top(deck: Deck) -> str | None:
    """The back that all players can see of a deck; None once it is empty."""
    return part_of(deck[0]) if deck else None
