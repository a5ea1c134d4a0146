"""The deck in hand as stamps over the board, and the curtain before it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from twin.drawing.deck_picture import CARD
from twin.drawing.frame import HEIGHT, WIDTH
from twin.drawing.palette import INK
from twin.drawing.scene_picture import Stamp
from twin.game.cards import DECKS, back_on_top, part_of

if TYPE_CHECKING:
    from twin.board.grid import Place
    from twin.window.game_session import GameSession

STEP: Final = 72.0
"""From card to card, mm."""

UP: Final = 18.0
"""The middle of the cards, mm above that of the board."""

SIGN: Final = 14.0
"""How far the sign with a card's number reaches below it, mm: a click there counts too."""

WING: Final = WIDTH * 0.9
TALL: Final = HEIGHT * 1.06
"""A wing of the curtain at least, mm; wide windows have wider ones."""


def search_stamps(session: GameSession) -> list[Stamp]:
    """The cards that somebody may look at now; nothing at all while nobody may."""
    seen = session.curtain.seen
    if seen is None:
        return []
    say, legend = session.say, session.machine.castle.legend()
    found = [Stamp(("veil", 1200.0, TALL), 0.0, 0.0)]
    spots = _spots(len(seen.cards))
    for number, (card, x) in enumerate(zip(seen.cards, spots, strict=True), 1):
        key = ("card", card, say.garment(legend[card]), say.part(part_of(card)))
        found.append(Stamp(key, x, UP + (60.0 if _wandering(session) else 0.0)))
        if not seen.decided and not _wandering(session):
            found.append(Stamp(("sign", str(number), INK), x, UP - CARD[1] / 2 - 9.0))
    if not seen.decided and _wandering(session):
        for place, x in _places(session).items():
            part = back_on_top(session.game.decks[place - 1]) or ""
            found.append(Stamp(("place", place, part), x, UP - 50.0))
    return found


def card_at(place: Place, session: GameSession) -> int | None:
    """The number of the card, or of the place for the deck (Q8), under a place of the floor."""
    seen = session.curtain.seen
    if seen is None or seen.decided:
        return None
    spots, y, more = dict(enumerate(_spots(len(seen.cards)), 1)), UP, SIGN
    if _wandering(session):
        spots, y, more = _places(session), UP - 50.0, 0.0
    for number, x in spots.items():
        if abs(place[0] - x) <= CARD[0] / 2 and abs(place[1] - y) <= CARD[1] / 2 + more:
            return number
    return None


def curtain_stamps(session: GameSession, room: float = WIDTH) -> list[Stamp]:
    """The two wings of the curtain, as far as they are drawn, for a stage that is `room` mm wide."""
    drawn = session.curtain.drawn
    if drawn <= 0.0:
        return []
    wing = max(WING, STEP * math.ceil((room / 2 + SIGN) / STEP))
    smooth = drawn * drawn * (3.0 - 2.0 * drawn)
    away = wing * (1.0 - smooth) * 0.8
    return [Stamp(("curtain", wing, TALL), side * (wing / 2 + away), 0.0) for side in (-1, 1)]


def _wandering(session: GameSession) -> bool:
    return session.game.options.wandering_decks


def _spots(count: int) -> list[float]:
    return [(number - (count - 1) / 2) * STEP for number in range(count)]


def _places(session: GameSession) -> dict[int, float]:
    """The places that a searched deck can go to, by number, each with its x."""
    here = session.game.searched
    others = [place for place in range(1, DECKS + 1) if here is None or place != here + 1]
    return dict(zip(others, _spots(len(others)), strict=True))
