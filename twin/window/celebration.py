"""The end of a game: the winner in full costume leaps over the board while confetti falls."""

from __future__ import annotations

import math
import random
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.drawing.frame import HEIGHT, WIDTH
from twin.drawing.palette import GHOSTS, HIGHLIGHT, PARTS, WHITE, Colour
from twin.drawing.scene_picture import Stamp

if TYPE_CHECKING:
    from twin.window.game_session import GameSession

LASTS: Final = 7.0
"""How long confetti falls, s."""

PIECES: Final = 140
HERO: Final = 1.9
"""How much larger than beside the board the winner is."""

_LEAP: Final = 0.62
"""From leap to leap, s."""
_TINTS: Final = (*GHOSTS.values(), *PARTS.values(), HIGHLIGHT, WHITE)


class _Piece(NamedTuple):
    tint: Colour
    x: float
    start: float
    """When it begins to fall, s."""
    speed: float
    """mm/s."""
    sway: float
    spin: float
    """Degrees/s."""
    flutter: float


def celebration_stamps(session: GameSession) -> list[Stamp]:
    """What is to be seen of the end, at its time; a draw is not celebrated."""
    game, time = session.game, session.over_for
    if game.winner is None or time <= 0.0:
        return []
    colour = game.options.players[game.winner]
    found = [Stamp(("veil", 1200.0, HEIGHT * 1.06), 0.0, 0.0, alpha=round(200 * min(time / 0.6, 1.0)))]
    calm = max(1.0 - time / LASTS, 0.0)
    phase = (time % _LEAP) / _LEAP
    leap = 4.0 * phase * (1.0 - phase) * (12.0 + 34.0 * calm) * (calm > 0.0)
    tilt = 9.0 * calm * math.sin(2 * math.pi * time / (2 * _LEAP))
    found.append(Stamp(("figure", HERO, colour, *game.owned[game.winner]), 0.0, -8.0 + leap, tilt))
    return found + [stamp for piece in _pieces() for stamp in _falling(piece, time)]


@lru_cache(maxsize=1)
def _pieces() -> tuple[_Piece, ...]:
    dice = random.Random("confetti")
    return tuple(
        _Piece(
            dice.choice(_TINTS),
            dice.uniform(-WIDTH * 0.62, WIDTH * 0.62),
            dice.uniform(0.0, LASTS * 0.6),
            dice.uniform(110.0, 190.0),
            dice.uniform(6.0, 22.0),
            dice.uniform(-300.0, 300.0),
            dice.uniform(2.0, 5.0),
        )
        for _ in range(PIECES)
    )


def _falling(piece: _Piece, time: float) -> list[Stamp]:
    age = time - piece.start
    y = HEIGHT * 0.55 - piece.speed * age
    if age <= 0.0 or y < -HEIGHT * 0.55:
        return []
    x = piece.x + piece.sway * math.sin(piece.flutter * age)
    flat = 0.15 + 0.85 * abs(math.cos(piece.flutter * 1.7 * age))
    return [Stamp(("confetti", piece.tint), x, y, (piece.spin * age) % 360.0, flat)]
