"""The board from above: rooms, printed walls, garments, coloured corners and the names of the spaces."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageFilter

from twin.board.grid import PLUG_SPACE, SIDE, SPACES, STANDING_SPACES, cell, centre
from twin.drawing.garment_picture import draw_garment
from twin.drawing.palette import (
    GHOSTS,
    GRID,
    INK,
    PARTS,
    PLUG,
    PLUG_EDGE,
    ROOMS,
    WALL,
    WALL_LIGHT,
    WHITE,
    blend,
    faded,
)
from twin.drawing.pen import Pen

if TYPE_CHECKING:
    from twin.board.castle import Castle
    from twin.board.machine import Machine

WALL_WIDTH: Final = 4.4
"""Printed width of a wall, mm."""

SHADOW: Final = 9.0
"""How far the board's shadow reaches, mm."""

CORNER_RADIUS: Final = 5.0
"""How far the board's corners are rounded, mm."""

RIM: Final = 4.0
"""Transparent rim of the picture, mm: without it a turned board would have jagged edges."""

_NAME_HEIGHT: Final = 4.6
_TAG_HEIGHT: Final = 5.0


def draw_board(machine: Machine, scale: float) -> Image.Image:
    """The whole board at orientation 0, at `scale` pixels per mm."""
    side = SIDE * machine.space + RIM
    pen = Pen(side, side, scale)
    paint_board(pen, machine)
    return pen.finished()


def paint_board(pen: Pen, machine: Machine) -> None:
    """Draw the whole board at orientation 0."""
    size, castle = machine.space, machine.castle
    half = SIDE * size / 2
    pen.box((-half, -half), (half, half), WALL, radius=CORNER_RADIUS)
    tints = _tints(castle)
    for space in SPACES:
        room = castle.room_of(space)
        tint = blend(ROOMS[0], WALL, 0.25) if room is None else ROOMS[tints[room]]
        x, y = centre(space, size)
        r = size / 2
        pen.box((x - r, y - r), (x + r, y + r), tint)
        _planks(pen, (x, y), r, tint, space)
    _grid(pen, size, half)
    for colour, space in castle.corners.items():
        _corner(pen, space, colour, size)
    for space, garment in castle.garments.items():
        x, y = centre(space, size)
        draw_garment(pen, (x, y - 1.0), garment, size / 40.0 * 1.18)
        pen.text((x + size * 0.335, y + size * 0.335), _letter(garment.part), _TAG_HEIGHT, PARTS[garment.part])
    for space in STANDING_SPACES:
        x, y = centre(space, size)
        pen.text((x - size * 0.30, y + size * 0.345), space, _NAME_HEIGHT, blend(GRID, INK, 0.42), bold=False)
    _walls(pen, castle, size, half)
    pen.cut((-half, -half), (half, half), CORNER_RADIUS)


def draw_plug(machine: Machine, scale: float) -> Image.Image:
    """The plug that holds the board; it stands still while the board turns."""
    side = 2 * machine["plug.radius"] + 6
    pen = Pen(side, side, scale)
    paint_plug(pen, machine)
    return pen.finished()


def paint_plug(pen: Pen, machine: Machine) -> None:
    """Draw the plug."""
    radius = machine["plug.radius"]
    pen.disc((0.6, -0.9), radius + 1.2, faded(INK, 70))
    pen.disc((0, 0), radius, PLUG, PLUG_EDGE, 1.2)
    pen.disc((0, 0), radius * 0.72, blend(PLUG, WHITE, 0.35), PLUG_EDGE, 0.7)
    pen.line([(-radius * 0.42, 0), (radius * 0.42, 0)], PLUG_EDGE, 2.4)
    pen.line([(0, -radius * 0.42), (0, radius * 0.42)], PLUG_EDGE, 2.4)


def draw_shadow(machine: Machine, scale: float) -> Image.Image:
    """The soft shadow that the board casts on what lies below it."""
    half = SIDE * machine.space / 2
    # A blur hides the pixels: a quarter of the size is drawn, and stretched.
    coarse = scale / 4
    side = max(round(2 * (half + 2 * SHADOW) * coarse), 8)
    margin = 2 * SHADOW * coarse
    image = Image.new("L", (side, side), 0)
    image.paste(120, (round(margin), round(margin), round(side - margin), round(side - margin)))
    image = image.filter(ImageFilter.GaussianBlur(SHADOW * coarse * 0.55))
    whole = 2 * max(round((half + 2 * SHADOW) * scale), 4)
    shadow = Image.new("RGBA", (whole, whole), (*INK[:3], 0))
    shadow.putalpha(image.resize((whole, whole), Image.Resampling.BICUBIC))
    return shadow


def _letter(part: str) -> str:
    """The letter by which a castle's drawing calls a part of the body."""
    return {"headgear": "H", "face": "F", "body": "B", "legs": "L", "hand": "A"}[part]


def _tints(castle: Castle) -> list[int]:
    """A tint for each room, so that no two adjoining rooms have the same."""
    beside: list[set[int]] = [set() for _ in castle.rooms]
    for wall in castle.walls:
        rooms = {castle.room_of(space) for space in wall} - {None}
        for room in rooms:
            for other in rooms - {room}:
                if room is not None and other is not None:
                    beside[room].add(other)
    tints: list[int] = []
    for room in range(len(castle.rooms)):
        taken = [tints[other] for other in beside[room] if other < room]
        free = [tint for tint in range(len(ROOMS)) if tint not in taken] or list(range(len(ROOMS)))
        tints.append(min(free, key=lambda tint: (tints.count(tint), tint)))
    return tints


def _planks(pen: Pen, at: tuple[float, float], r: float, tint: tuple[int, int, int, int], space: str) -> None:
    """A little grain, the same for a space every time."""
    dice = random.Random(f"grain {space}")
    for _ in range(5):
        x, y = at[0] + dice.uniform(-r, r * 0.6), at[1] + dice.uniform(-r, r)
        length = dice.uniform(4.0, 12.0)
        end = min(x + length, at[0] + r)
        pen.line([(x, y), (end, y)], blend(tint, WALL, 0.07), 0.5)


def _grid(pen: Pen, size: float, half: float) -> None:
    for k in range(1, SIDE):
        at = k * size - half
        pen.line([(at, -half), (at, half)], GRID, 0.5)
        pen.line([(-half, at), (half, at)], GRID, 0.5)


def _corner(pen: Pen, space: str, colour: str, size: float) -> None:
    """A coloured corner: a ring in the ghost's colour with its letter, told apart without colours too."""
    x, y = centre(space, size)
    hue = GHOSTS[colour]
    column, row = cell(space)
    tip = (x + column / 3 * size / 2, y + row / 3 * size / 2)
    pen.polygon(
        [tip, (tip[0] - column / 3 * size, tip[1]), (tip[0], tip[1] - row / 3 * size)], blend(hue, ROOMS[0], 0.15)
    )
    pen.disc((x, y), size * 0.36, blend(hue, WHITE, 0.55), hue, 2.2)
    pen.text((x, y), colour[0].upper(), size * 0.36, blend(hue, INK, 0.55))


def _walls(pen: Pen, castle: Castle, size: float, half: float) -> None:
    """The walls, a darker line with a lighter core; those round the plug's space are walls like all others."""
    lines = []
    for wall in sorted(tuple(sorted(pair)) for pair in castle.walls):
        if PLUG_SPACE in wall:
            continue
        (ax, ay), (bx, by) = (cell(space) for space in wall)
        x, y = (ax + bx) * size / 2, (ay + by) * size / 2
        along = (0.0, size / 2) if ax != bx else (size / 2, 0.0)
        lines.append([(x - along[0], y - along[1]), (x + along[0], y + along[1])])
    inner = half - WALL_WIDTH / 2
    edge = [(-inner, -inner), (inner, -inner), (inner, inner), (-inner, inner), (-inner, -inner)]
    round_plug = size / 2
    hole = [(s * round_plug, t * round_plug) for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
    for group in ((*lines, hole), (edge,)):  # the edge last: inner walls end at it
        for line in group:
            pen.line(line, WALL, WALL_WIDTH)
        for line in group:
            pen.line(line, WALL_LIGHT, WALL_WIDTH * 0.34)
