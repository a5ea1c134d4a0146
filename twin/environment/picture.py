"""The table as a picture in pixels: the board as it lies on the floor, ghosts, sliders, cards and decks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from twin.board.castle import GARMENT_CODES, PARTS
from twin.board.grid import DIRECTIONS, PLUG_SPACE, SPACES, centre, neighbour
from twin.board.state import magnets
from twin.game.cards import back_on_top, part_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

    from twin.board.machine import Machine
    from twin.board.state import State
    from twin.game.positions import Game

WIDTH: Final = 760
HEIGHT: Final = 560
"""Of the picture, pixels."""

_SCALE: Final = 1.25
"""Pixels per mm: the board is 350 wide, with room for sliders that stick out by two segments."""
_MIDDLE: Final = (230, 280)
"""Where the plug is, pixels from the top left."""
_PANEL: Final = 470
"""Left edge of what is written beside the board, pixels."""

_PAPER, _INK, _FAINT = "#f7f4ec", "#2b2b33", "#8a8794"
_ROOMS: Final = ("#efe6d2", "#e3ead9", "#e6e1ee", "#f1ddd5", "#dde8ec", "#eee9c9")
_GHOSTS: Final = {"red": "#c93a33", "yellow": "#e0b020", "green": "#3f8f4f", "blue": "#3566b8"}


def draw(game: Game, board: State, machine: Machine) -> NDArray[np.uint8]:
    """The picture, shaped (HEIGHT, WIDTH, 3); what nobody can see is not in it."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), _PAPER)
    pen = ImageDraw.Draw(image)
    _sliders(pen, board, machine)
    _castle(pen, board, machine)
    for magnet in magnets(board, machine):
        if max(abs(magnet.x), abs(magnet.y)) <= 3.5 * machine.space:
            _disc(pen, (magnet.x, magnet.y), 5.0, outline=_FAINT)
    for number, (colour, spaces) in enumerate(() if game.pending is None else game.pending.options):
        for space in spaces if len(spaces) > 1 else ():
            middle = centre(space, machine.space, board.orientation)
            _disc(pen, middle, machine.radius - 3 * number, outline=_GHOSTS[colour], width=3)
    for colour, place in board.ghosts:
        _disc(pen, place, machine.radius, fill=_GHOSTS[colour], outline=_INK, width=2)
    _panel(pen, game, machine)
    return np.asarray(image, np.uint8).copy()


def _pixel(place: tuple[float, float]) -> tuple[float, float]:
    return _MIDDLE[0] + _SCALE * place[0], _MIDDLE[1] - _SCALE * place[1]


def _box(place: tuple[float, float], half_width: float, half_height: float) -> tuple[float, float, float, float]:
    x, y = _pixel(place)
    return x - _SCALE * half_width, y - _SCALE * half_height, x + _SCALE * half_width, y + _SCALE * half_height


def _disc(
    pen: ImageDraw,
    place: tuple[float, float],
    radius: float,
    *,
    fill: str | None = None,
    outline: str | None = None,
    width: int = 1,
) -> None:
    pen.ellipse(_box(place, radius, radius), fill=fill, outline=outline, width=width)


def _sliders(pen: ImageDraw, board: State, machine: Machine) -> None:
    """What of the sliders sticks out beyond the board, with their names."""
    for slider in board.sliders:
        x, y = machine.tunnels[slider.tunnel - 1], slider.offset * machine.space
        pen.rectangle(_box((x, y), 0.3 * machine.space, 3.5 * machine.space), fill="#c9b79a", outline=_INK)
        end = 3.5 * machine.space * (1 if slider.offset >= 0 else -1)
        spot = (x, y + end - 0.3 * machine.space * (1 if end > 0 else -1))
        shown = spot if slider.offset else (x, 3.75 * machine.space)
        pen.text(_pixel(shown), slider.name, fill=_INK, anchor="mm", font=_font(14))


def _castle(pen: ImageDraw, board: State, machine: Machine) -> None:
    """Rooms, garments and walls, as the board lies now."""
    half, castle = machine.space / 2, machine.castle
    middles = {space: centre(space, machine.space, board.orientation) for space in SPACES}
    for space, middle in middles.items():
        room = castle.room_of(space)
        shade = "#bdb8b0" if room is None else _ROOMS[room % len(_ROOMS)]
        pen.rectangle(_box(middle, half, half), fill=shade, outline="#ddd6c8")
        if space == PLUG_SPACE:
            _disc(pen, middle, machine["plug.radius"], fill=_INK)
        elif space in castle.garments:
            x, y = _pixel(middle)
            spot = (x - _SCALE * half + 4, y - _SCALE * half + 4)  # beside a ghost or a magnet, not under it
            pen.text(spot, castle.code_at(space), fill=_FAINT, font=_font(12))
    for colour, space in castle.corners.items():
        pen.rectangle(_box(middles[space], half - 4, half - 4), outline=_GHOSTS[colour], width=2)
    for space in SPACES:
        for step in DIRECTIONS:
            other = neighbour(space, step, board.orientation)
            if other is not None and castle.wall_between(space, other):
                (x, y), (u, v) = middles[space], middles[other]
                mx, my, ax, ay = (x + u) / 2, (y + v) / 2, (v - y) / 2, (u - x) / 2
                pen.line((*_pixel((mx - ax, my - ay)), *_pixel((mx + ax, my + ay))), fill=_INK, width=3)
    pen.rectangle(_box((0.0, 0.0), 7 * half, 7 * half), outline=_INK, width=4)


def _panel(pen: ImageDraw, game: Game, machine: Machine) -> None:
    """Whose turn it is, everybody's garments, and the decks' backs."""
    names = machine.castle.legend()
    over = "the game is over" if game.is_over else f"{game.current_player} to play"
    pen.text((_PANEL, 30), f"Turn {game.turn}: {over}", fill=_INK, font=_font(18))
    pen.text((_PANEL, 56), f"moves left: {game.moves_left} · {game.phase}", fill=_FAINT, font=_font(14))
    top = 92
    for seat, colour in enumerate(game.options.players):
        pen.ellipse((_PANEL, top, _PANEL + 18, top + 18), fill=_GHOSTS[colour], outline=_INK)
        worn = {part_of(card): names[card] for card in game.owned[seat]}
        pen.text((_PANEL + 28, top), f"{len(worn)} of {len(PARTS)}", fill=_INK, font=_font(15))
        text = ", ".join(worn.values()) or "nothing yet"
        half = text.find(", ", len(text) // 2) + 1 if len(text) > 34 else 0
        shown = [text[:half], text[half:].strip()] if half else [text]
        for line, words in enumerate(shown):
            pen.text((_PANEL + 28, top + 20 + 17 * line), words, fill=_FAINT, font=_font(13))
        top += 72
    pen.text((_PANEL, 400), "decks: the back on top", fill=_INK, font=_font(14))
    for place, deck in enumerate(game.decks):
        left = _PANEL + 70 * place
        held = game.searched == place
        pen.rectangle(
            (left, 424, left + 60, 504), fill="#6d5a86" if deck else _PAPER, outline=_INK, width=3 if held else 1
        )
        pen.text(
            (left + 30, 464), back_on_top(deck) or "empty", fill=_PAPER if deck else _FAINT, anchor="mm", font=_font(12)
        )
        pen.text((left + 30, 516), str(len(deck)), fill=_INK, anchor="mm", font=_font(14))
    pen.text((_PANEL, 534), f"{len(GARMENT_CODES)} garments, {len(PARTS)} to win", fill=_FAINT, font=_font(12))


def _font(size: int) -> FreeTypeFont | ImageFont:
    from PIL.ImageFont import load_default

    return load_default(size)
