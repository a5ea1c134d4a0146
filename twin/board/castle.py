"""The castle printed on the board: its walls, its twelve closed rooms, and the garments that lie about in them.

A castle is drawn as text, north (row 7) on top, in fifteen lines of 36 characters: walls and spaces in turns::

    +----+----+----+
    | *Y   H1 | .  |     a wall is ---- or |, an opening is blank; every crossing is a +
    +    +----+    +

A space holds a garment (H1…H4 headgear, F1…F4 face, B1…B4 body, L1…L4 legs, A1…A4 hand), a coloured corner
(`*R *Y *G *B`), the plug (`##`, on d4) or nothing (`.`). To change a castle, move characters about in the text and let
`parse_castle` look for leaks.
"""

from __future__ import annotations

import textwrap
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from twin.board.grid import CORNERS, DIRECTIONS, PLUG_SPACE, SIDE, SPACES, STANDING_SPACES, cell, neighbour
from twin.errors import BadInputError

PARTS: Final = ("headgear", "face", "body", "legs", "hand")
ROOMS: Final = 12
NAME_LIMIT: Final = 40
"""Characters in the name of a garment; longer ones would not fit a card."""

GARMENT_CODES: Final = MappingProxyType(
    {f"{letter}{number}": part for letter, part in zip("HFBLA", PARTS, strict=True) for number in range(1, 5)}
)
"""The part of the body that each of the twenty codes stands for."""

CORNER_CODES: Final = MappingProxyType({"*R": "red", "*Y": "yellow", "*G": "green", "*B": "blue"})
PLUG_CODE: Final = "##"
BARE_CODE: Final = "."

_PITCH: Final = 5  # characters from one crossing to the next
_LINES: Final = 2 * SIDE + 1
_WIDTH: Final = _PITCH * SIDE + 1
_SHOWN: Final = 60  # characters of a strange value that a message repeats
_LISTED: Final = 8  # spaces that a message lists
_GARMENTS: Final = "castle.garments"


@dataclass(frozen=True)
class Garment:
    """A piece of clothing that a ghost can put on."""

    name: str
    """What it is called, for example `sombrero`."""

    part: str
    """Where it is worn, one of `PARTS`."""


@dataclass(frozen=True)
class Castle:
    """Walls, rooms and garments of one board. Get one from `parse_castle`, which checks that they belong together."""

    drawing: str
    """The text it was read from, without indentation and trailing spaces."""

    rooms: tuple[frozenset[str], ...]
    """The twelve rooms in the order of their smallest space name; d4 is in none of them."""

    walls: frozenset[frozenset[str]]
    """Pairs of adjoining spaces with a wall between them; the outer border is not listed."""

    garments: Mapping[str, Garment] = field(hash=False)
    """The garment on each space that has one, read-only, in the order of the spaces."""

    corners: Mapping[str, str] = field(hash=False)
    """The corner of each colour (red, yellow, green, blue), read-only."""

    def __post_init__(self) -> None:
        """Copy the mappings, so that no caller holds a writable one."""
        object.__setattr__(self, "garments", MappingProxyType(dict(self.garments)))
        object.__setattr__(self, "corners", MappingProxyType(dict(self.corners)))

    def __reduce__(self) -> tuple[type[Castle], tuple[object, ...]]:
        """Travel to other processes as plain values: read-only mappings refuse to be pickled."""
        return Castle, (self.drawing, self.rooms, self.walls, dict(self.garments), dict(self.corners))

    def wall_between(self, a: str, b: str) -> bool:
        """Whether a wall is drawn between two adjoining spaces; False for spaces that do not adjoin."""
        return frozenset((a, b)) in self.walls

    def code_at(self, space: str) -> str:
        """The code that the drawing has on a space: a garment's, a corner's, the plug's, or a dot."""
        column, row = cell(space)
        line = self.drawing.splitlines()[2 * (SIDE // 2 - row) + 1]
        return line[_PITCH * (column + SIDE // 2) + 1 : _PITCH * (column + SIDE // 2 + 1)].strip()

    def legend(self) -> dict[str, str]:
        """The name of each garment by its code in the drawing: with the drawing, all that `parse_castle` needs."""
        places = _places(self.drawing.splitlines())
        return {code: self.garments[places[code][0]].name for code in GARMENT_CODES}

    def room_of(self, space: str) -> int | None:
        """The index in `rooms` of the room that a space belongs to; None for the plug's."""
        return next((index for index, room in enumerate(self.rooms) if space in room), None)


def parse_castle(drawing: str, names: Mapping[str, str]) -> Castle:
    """Read a castle from its drawing and its legend (code of a garment to its name).

    Only indentation common to all lines, trailing spaces and blank lines at the end are forgiven. The first problem
    found raises `BadInputError` with its place; repair that first, since a leak makes the number of rooms wrong too.

    >>> parse_castle("+--+", {})
    Traceback (most recent call last):
    twin.errors.BadInputError: castle.drawing: the drawing must have 15 lines, walls and spaces in turns; got 1
    """
    lines = _lines(drawing)
    walls = _walls(lines)
    places = _places(lines)
    _place(f"the plug {PLUG_CODE}", places[PLUG_CODE], (PLUG_SPACE,))
    corners = {hue: _place(f"the {hue} corner {code}", places[code], CORNERS) for code, hue in CORNER_CODES.items()}
    spaces = {code: _place(f"the garment {code}", places[code]) for code in GARMENT_CODES}
    _check_names(names)
    garments = {spaces[code]: Garment(names[code], part) for code, part in GARMENT_CODES.items()}
    return Castle("\n".join(lines) + "\n", _rooms(walls), walls, dict(sorted(garments.items())), corners)


def _shown(value: object) -> str:
    """A value as it appears in a message: short, whatever was put into the file."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _bad(problem: str, where: str = "castle.drawing") -> BadInputError:
    return BadInputError(problem, field=where)


def _lines(drawing: object) -> list[str]:
    """The fifteen lines of a drawing, each of full width and with its crossings in place."""
    if not isinstance(drawing, str):
        raise _bad(f"the drawing must be text; got {_shown(drawing)}")
    trimmed = "\n".join(line.rstrip(" \t\r") for line in drawing.split("\n"))
    lines = textwrap.dedent(trimmed).rstrip("\n").split("\n")
    if len(lines) != _LINES:
        # A lost line shifts all that follow it, so the first one out of turn is where to look.
        turn = next((n for n, line in enumerate(lines, 1) if line[:1] != "|+"[n % 2]), None)
        hint = f", and line {turn} is out of turn" if turn is not None else ""
        raise _bad(f"the drawing must have {_LINES} lines, walls and spaces in turns; got {len(lines)}{hint}")
    for number, line in enumerate(lines, 1):
        if len(line) != _WIDTH:
            raise _bad(f"line {number} must be {_WIDTH} characters wide from border to border; got {len(line)}")
        for at in range(0, _WIDTH, _PITCH) if number % 2 else ():
            if line[at] != "+":
                raise _bad(f"the crossing at line {number}, character {at + 1} must be '+'; got {line[at]!r}")
    return lines


def _corner_of_text(space: str) -> tuple[int, int]:
    """Line and character of the crossing at the north-west of a space, counted from 0."""
    column, row = cell(space)
    return 2 * (SIDE // 2 - row), _PITCH * (SIDE // 2 + column)


def _side(lines: list[str], space: str, direction: str) -> str:
    """What is drawn on one side of a space."""
    top, left = _corner_of_text(space)
    if direction in {"north", "south"}:
        return lines[top if direction == "north" else top + 2][left + 1 : left + _PITCH]
    return lines[top + 1][left if direction == "west" else left + _PITCH]


def _walls(lines: list[str]) -> frozenset[frozenset[str]]:
    """All pairs of spaces with a wall between them, after a look at the border."""
    walls = set()
    for space in SPACES:
        for direction in DIRECTIONS:
            drawn, other = _side(lines, space, direction), neighbour(space, direction)
            wall = "|" if direction in {"east", "west"} else "-" * (_PITCH - 1)
            if other is None:
                if drawn != wall:
                    raise _bad(f"the outer border {direction} of {space} must be {wall!r}; got {drawn!r}")
            elif drawn == wall:
                walls.add(frozenset((space, other)))
            elif drawn.strip(" "):
                raise _bad(f"the wall between {space} and {other} must be {wall!r} or blank; got {drawn!r}")
    return frozenset(walls)


def _places(lines: list[str]) -> dict[str, list[str]]:
    """The spaces on which each code is drawn."""
    places: dict[str, list[str]] = {code: [] for code in (*GARMENT_CODES, *CORNER_CODES, PLUG_CODE, BARE_CODE)}
    for space in SPACES:
        top, left = _corner_of_text(space)
        code = lines[top + 1][left + 1 : left + _PITCH].strip(" ")
        if code not in places:
            wanted = "a garment (H, F, B, L or A with 1 to 4), *R, *Y, *G, *B, ## or ."
            raise _bad(f"the space {space} must be {wanted}; got {code!r}")
        places[code].append(space)
    return places


def _place(what: str, spaces: list[str], allowed: tuple[str, ...] = SPACES) -> str:
    """The one space that something is drawn on."""
    if not spaces:
        raise _bad(f"{what} is missing: it must be drawn on one space; got none")
    if len(spaces) > 1:
        raise _bad(f"{what} must be drawn only once; got it on {_and(spaces)}")
    if spaces[0] not in allowed:
        raise _bad(f"{what} must be on {' or '.join(allowed)}; got {spaces[0]}")
    return spaces[0]


def _check_names(names: object) -> None:
    """Look through the legend: a usable name of its own for each of the twenty codes, and for nothing else."""
    if not isinstance(names, Mapping):
        raise _bad(f"the legend must be a table of codes and names; got {_shown(names)}", _GARMENTS)
    for code in names:
        if code not in GARMENT_CODES:
            raise _bad(f"a code must be H, F, B, L or A with 1 to 4; got {_shown(code)}", _GARMENTS)
    owners: dict[str, str] = {}
    for code in GARMENT_CODES:
        where = f"{_GARMENTS}.{code}"
        if code not in names:
            raise _bad(f"the garment {code} must be given a name in the legend; got none", where)
        name = names[code]
        # Names are printed in reports: a line break would tear a table, and blanks around a name would go unseen.
        if not (isinstance(name, str) and 0 < len(name) <= NAME_LIMIT and name.isprintable() and name == name.strip()):
            rule = f"1 to {NAME_LIMIT} printable characters without blanks around them"
            size = f" ({len(name)} characters)" if isinstance(name, str) else ""
            raise _bad(f"the name of {code} must be {rule}; got {_shown(name)}{size}", where)
        owner = owners.setdefault(name.casefold(), code)
        if owner != code:
            raise _bad(f"the name of {code} must be its own; got {name!r}, which {owner} has already", where)


def _rooms(walls: frozenset[frozenset[str]]) -> tuple[frozenset[str], ...]:
    """The rooms that the walls enclose, once no wall leaks and they are twelve."""
    # A wall that one can walk around has one room on both sides. The shortest way round is the one close to the gap.
    pairs = sorted((min(wall), max(wall)) for wall in walls)
    leaks = [ways[b] for a, b in pairs if b in (ways := _ways_from(a, walls))]
    if leaks:
        a, *between, b = min(leaks, key=len)
        around = f"the room continues around it through {_and(between)}"
        raise _bad(f"the wall between {a} and {b} must part two rooms; got a leak: {around}")
    found = {frozenset(_ways_from(space, walls)) for space in STANDING_SPACES}
    if len(found) != ROOMS:
        by_size = sorted(sorted(found, key=min), key=len)
        size, room = ("largest", by_size[-1]) if len(found) < ROOMS else ("smallest", by_size[0])
        raise _bad(f"the castle must have {ROOMS} rooms; got {len(found)}, the {size} being {_and(sorted(room))}")
    return tuple(sorted(found, key=min))


def _ways_from(start: str, walls: frozenset[frozenset[str]]) -> dict[str, tuple[str, ...]]:
    """Every space that can be walked to, with a shortest way there. No way leads over the plug or starts from it."""
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    waiting = deque([start] if start != PLUG_SPACE else [])
    while waiting:
        space = waiting.popleft()
        for direction in DIRECTIONS:
            other = neighbour(space, direction)
            if other is None or other == PLUG_SPACE or other in ways or frozenset((space, other)) in walls:
                continue
            ways[other] = (*ways[space], other)
            waiting.append(other)
    return ways


def _and(words: list[str]) -> str:
    """Words as a list in a sentence, cut short where there are very many.

    >>> _and(["a1", "a2", "b2"])
    'a1, a2 and b2'
    """
    if len(words) > _LISTED:
        return f"{', '.join(words[:_LISTED])} and {len(words) - _LISTED} more"
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
