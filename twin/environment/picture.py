"""The table as a picture in pixels: the board as it lies on the floor, players in their costumes, and decks.

Pieces, figures and decks are those of every other picture (`twin.drawing`); only the words beside them are this one's.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.castle import PARTS
from twin.board.grid import centre
from twin.drawing.artwork import Artwork
from twin.drawing.frame import fitted, room_for
from twin.drawing.palette import HIGHLIGHT, PANEL_DIM, PANEL_TEXT
from twin.drawing.paste import pasted
from twin.drawing.pen import font_of
from twin.drawing.pose import Layers, Notes, pose_of
from twin.drawing.scene_picture import PROPOSED, Stamp, magnet_stamps, stamps
from twin.drawing.text_measure import wrapped
from twin.game.cards import back_on_top, part_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.ImageDraw import ImageDraw

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.state import State
    from twin.game.positions import Game

WIDTH: Final = 760
HEIGHT: Final = 560
"""Of the picture, pixels."""

FRAME: Final = fitted(0, 0, 460, HEIGHT, room_for(2, turning=False))
"""Where the floor lies in it: there is room for sliders that stick out by two segments."""

_PANEL: Final = 470
"""Left edge of what stands beside the board, pixels."""
_ROW: Final = 90
"""From player to player, pixels."""
_DECKS: Final = 488
"""Middle of the decks, pixels from the top."""
_FIGURE: Final = 0.66
"""Figures are so many times as large as in the window."""
_ASIDE: Final = 6.0
"""How far to the side the next ghost is drawn that may be put on the same space, mm."""
_MAGNET: Final = 120
"""Opacity of a magnet under the board (of 255)."""


def draw(game: Game, board: State, machine: Machine) -> NDArray[np.uint8]:
    """The picture, shaped (HEIGHT, WIDTH, 3); what no player can see is not in it."""
    from PIL import ImageDraw

    found = [*_board(game, board, machine), *_figures(game), *_decks(game)]
    image = pasted(found, _artwork(machine), FRAME, (WIDTH, HEIGHT))
    _words(ImageDraw.Draw(image), game, machine)
    return np.asarray(image, np.uint8).copy()


@lru_cache(maxsize=2)
def _artwork(machine: Machine) -> Artwork:
    return Artwork(machine, FRAME.scale)


def _board(game: Game, board: State, machine: Machine) -> list[Stamp]:
    """Floor, sliders, board and ghosts, with the spaces that ghosts may be put on, and magnets as if seen through."""
    options = () if game.pending is None else game.pending.options
    choices = [
        (colour, centre(space, machine.space, board.orientation))
        for colour, spaces in options
        if len(spaces) > 1
        for space in spaces
    ]
    pose, notes = pose_of(board, machine), Notes(choices=tuple(choices))
    found = stamps(pose, machine, Layers(), notes)
    magnets = [stamp._replace(alpha=_MAGNET) for stamp in magnet_stamps(pose, machine)]
    first = next((k for k, stamp in enumerate(found) if stamp.key[0] in {"choice", "ghost"}), len(found))
    found[first:first] = magnets
    seen: list[Place] = []
    for colour, (x, y) in choices:
        found.append(Stamp(("ghost", colour), x + _ASIDE * seen.count((x, y)), y, alpha=PROPOSED))
        seen.append((x, y))
    return found


def _at(key: tuple[str | int | float | bool, ...], x: float, down: float) -> Stamp:
    """A stamp at a pixel of the picture, counted from the top left."""
    return Stamp(key, *FRAME.to_place((x, HEIGHT - down)))


def _figures(game: Game) -> list[Stamp]:
    owners = zip(game.options.players, game.owned, strict=True)
    return [
        _at(("figure", _FIGURE, colour, *cards), _PANEL + 30, 108 + _ROW * seat)
        for seat, (colour, cards) in enumerate(owners)
    ]


def _decks(game: Game) -> list[Stamp]:
    return [
        _at(("deck", back_on_top(deck) or "", len(deck), game.searched == place), _PANEL + 34 + 72 * place, _DECKS)
        for place, deck in enumerate(game.decks)
    ]


def _words(pen: ImageDraw, game: Game, machine: Machine) -> None:
    """Whose turn it is, all players' garments, and the decks' backs."""
    names = machine.castle.legend()
    over = "the game is over" if game.is_over else f"{game.current_player} to play"
    left = f"moves left: {game.moves_left} · {game.phase}"
    pen.text((_PANEL, 14), f"Turn {game.turn}: {over}", fill=PANEL_TEXT, font=font_of(18, bold=True))
    pen.text((_PANEL, 40), left, fill=PANEL_DIM, font=font_of(13, bold=False))
    for seat, cards in enumerate(game.owned):
        x, y = _PANEL + 68, 76 + _ROW * seat
        worn = {part_of(card): names[card] for card in cards}
        acts = seat == game.seat and not game.is_over
        counted, tone = f"{len(worn)} of {len(PARTS)}", HIGHLIGHT if acts else PANEL_TEXT
        pen.text((x, y), counted, fill=tone, font=font_of(15, bold=True))
        for line, words in enumerate(wrapped(", ".join(worn.values()) or "nothing yet", 12, WIDTH - x - 8)):
            pen.text((x, y + 22 + 16 * line), words, fill=PANEL_DIM, font=font_of(12, bold=False))
    for place, deck in enumerate(game.decks):
        spot, back = (_PANEL + 34 + 72 * place, HEIGHT - 22), back_on_top(deck)
        told, tone = ("empty", PANEL_DIM) if back is None else (f"{back} {len(deck)}", PANEL_TEXT)
        pen.text(spot, told, fill=tone, anchor="mm", font=font_of(11, bold=False))
