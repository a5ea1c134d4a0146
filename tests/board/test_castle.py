"""The castle: the shipped drawing holds together, and each way of spoiling it is told with its place."""

from __future__ import annotations

import pickle
import textwrap
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.board.castle import GARMENT_CODES, NAME_LIMIT, PARTS, ROOMS, Castle, Garment, parse_castle
from twin.board.grid import CORNERS, DIRECTIONS, PLUG_SPACE, SPACES, STANDING_SPACES, cell, neighbour
from twin.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Mapping

MACHINE = Path(__file__).parent.parent.parent / "calibration/machines/reconstruction.toml"
TABLE = tomllib.loads(MACHINE.read_text(encoding="utf-8"))["castle"]
DRAWING: str = TABLE["drawing"]
NAMES: dict[str, str] = TABLE["garments"]
CASTLE = parse_castle(DRAWING, NAMES)
PAIRS = [(a, b) for a in SPACES for side in ("north", "east") if (b := neighbour(a, side)) is not None]


def put(space: str, text: str, *, side: str = "", drawing: str = DRAWING) -> str:
    """The drawing with another text in a space, or on one side of it."""
    column, row = cell(space)
    top, left = 2 * (3 - row), 5 * (3 + column)
    line, at, width = {
        "": (top + 1, left + 1, 4),
        "north": (top, left + 1, 4),
        "south": (top + 2, left + 1, 4),
        "west": (top + 1, left, 1),
        "east": (top + 1, left + 5, 1),
    }[side]
    lines = drawing.splitlines()
    padded = f" {text}".ljust(4) if not side else text.ljust(width)
    lines[line] = lines[line][:at] + padded + lines[line][at + width :]
    return "\n".join(lines) + "\n"


def on(code: str) -> str:
    """The space on which a garment is drawn."""
    return next(space for space, garment in CASTLE.garments.items() if garment.name == NAMES[code])


def complaint(drawing: object, names: object = NAMES) -> BadInputError:
    """What `parse_castle` has to say about a spoilt castle."""
    with pytest.raises(BadInputError) as caught:
        parse_castle(drawing, names)  # type: ignore[arg-type]
    return caught.value


def without_line(number: int) -> str:
    lines = DRAWING.splitlines()
    return "\n".join(lines[: number - 1] + lines[number:])


def with_line(number: int, text: str) -> str:
    lines = DRAWING.splitlines()
    lines[number - 1] = text
    return "\n".join(lines)


def mark(a: str, b: str, *, wall: bool) -> str:
    """The drawing with or without a wall between a space and its northern or eastern neighbour."""
    side = "east" if neighbour(a, "east") == b else "north"
    return put(a, ("|" if side == "east" else "----") if wall else " ", side=side)


def bare_castle(*walls: tuple[str, str]) -> str:
    """The drawing without any wall but the border and the given ones, each as a space and a side of it."""
    drawing = DRAWING
    for a, b in PAIRS:
        drawing = put(a, " ", side="east" if neighbour(a, "east") == b else "north", drawing=drawing)
    for a, side in walls:
        drawing = put(a, "|" if side == "east" else "----", side=side, drawing=drawing)
    return drawing


BARE = next(space for space in STANDING_SPACES if space not in CASTLE.garments and space not in CORNERS)

BROKEN: dict[str, tuple[str, tuple[str, ...]]] = {
    "empty": ("", ("must have 15 lines", "got 1")),
    "a line lost": (without_line(6), ("must have 15 lines", "got 14", "line 6 is out of turn")),
    "a line doubled": (DRAWING + DRAWING.splitlines()[-1], ("must have 15 lines", "got 16")),
    "a blank line on top": ("\n" + DRAWING, ("must have 15 lines", "got 16", "line 1 is out of turn")),
    "a line too short": (with_line(4, DRAWING.splitlines()[3][:-3]), ("line 4", "36 characters wide", "got 33")),
    "a line too long": (with_line(9, DRAWING.splitlines()[8] + "+"), ("line 9", "36 characters wide", "got 37")),
    "one line indented": (with_line(3, " " + DRAWING.splitlines()[2]), ("line 3", "36 characters wide", "got 37")),
    "a tab in a space": (put("b3", "\t"), ("space b3", r"got '\t'")),
    "no crossing": (with_line(5, " " + DRAWING.splitlines()[4][1:]), ("line 5, character 1", "must be '+'", "got ' '")),
    "border open in the north": (put("c7", "", side="north"), ("outer border north of c7", "must be '----'")),
    "border open in the west": (put("a3", " ", side="west"), ("outer border west of a3", "must be '|'")),
    "border open in the south": (put("f1", "--", side="south"), ("outer border south of f1", "got '--  '")),
    "border of another sort": (put("g2", "!", side="east"), ("outer border east of g2", "got '!'")),
    "half a wall": (put("b2", "-- -", side="north"), ("wall between b2 and b3", "or blank", "got '-- -'")),
    "a strange wall": (put("e6", "/", side="east"), ("wall between e6 and f6", "must be '|' or blank", "got '/'")),
    "unknown code": (put(BARE, "Q7"), (f"space {BARE}", "got 'Q7'")),
    "code in small letters": (put(on("H3"), "h3"), (f"space {on('H3')}", "got 'h3'")),
    "a fifth garment": (put(BARE, "F5"), (f"space {BARE}", "got 'F5'")),
    "an empty space": (put(BARE, ""), (f"space {BARE}", "got ''")),
    "garment missing": (put(on("H3"), "."), ("the garment H3 is missing", "got none")),
    "garment twice": (put(BARE, "L2"), ("the garment L2 must be drawn only once", BARE, on("L2"))),
    "corner missing": (put("g1", "."), ("the blue corner *B is missing",)),
    "corner twice": (put("g1", "*R"), ("the red corner *R must be drawn only once", "a1 and g1")),
    "corner elsewhere": (
        put(BARE, "*G", drawing=put("g7", ".")),
        ("the green corner *G must be on a1 or a7 or g1 or g7", f"got {BARE}"),
    ),
    "plug missing": (put("d4", "."), ("the plug ## is missing",)),
    "plug twice": (put(BARE, "##"), ("the plug ## must be drawn only once", "d4")),
    "plug elsewhere": (put(BARE, "##", drawing=put("d4", ".")), ("the plug ## must be on d4", f"got {BARE}")),
    "no walls": (bare_castle(), ("must have 12 rooms", "got 1", "a1, a2")),
    "a stub": (
        bare_castle(("b2", "east")),
        ("wall between b2 and c2", "must part two rooms", "continues around it through b3 and c3"),
    ),
    "too many rooms": (put("a1", "----", side="north", drawing=put("a1", "|", side="east")), ("13", "smallest", "a1")),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_drawing_is_told_with_its_place(case: str) -> None:
    """A broken drawing gets one sentence that names the place, what it must be, and what it is."""
    drawing, words = BROKEN[case]
    error = complaint(drawing)
    assert error.field == "castle.drawing"
    assert "must" in error.problem
    assert "; got " in error.problem
    assert "\n" not in error.problem
    for word in words:
        assert word in error.problem


LEGENDS: dict[str, tuple[Mapping[str, object], str, tuple[str, ...]]] = {
    "name missing": ({c: n for c, n in NAMES.items() if c != "H3"}, ".H3", ("garment H3 must be given a name",)),
    "unknown code": ({**NAMES, "X9": "cloak"}, "", ("a code must be", "got 'X9'")),
    "a fifth of a part": ({**NAMES, "A5": "fan"}, "", ("a code must be", "got 'A5'")),
    "name twice": ({**NAMES, "L4": NAMES["H1"]}, ".L4", ("name of L4 must be its own", NAMES["H1"], "H1 has already")),
    "name twice, shouted": ({**NAMES, "L4": NAMES["H1"].upper()}, ".L4", ("name of L4 must be its own", "H1")),
    "empty name": ({**NAMES, "B2": ""}, ".B2", ("name of B2 must be 1 to 40", "got ''")),
    "blank name": ({**NAMES, "B2": "  "}, ".B2", ("name of B2", "without blanks around")),
    "long name": ({**NAMES, "A1": "w" * (NAME_LIMIT + 1)}, ".A1", ("name of A1 must be 1 to 40", "41 characters")),
    "endless name": ({**NAMES, "A1": "w" * 10_000}, ".A1", ("www…", "10000 characters")),
    "name with a line break": ({**NAMES, "A1": "magic\nwand"}, ".A1", ("printable", r"got 'magic\nwand'")),
    "not a name": ({**NAMES, "F1": 3}, ".F1", ("name of F1 must be", "got 3")),
}


@pytest.mark.parametrize("case", LEGENDS)
def test_a_broken_legend_is_told_with_its_code(case: str) -> None:
    """A broken legend gets one short sentence that names the code."""
    names, code, words = LEGENDS[case]
    error = complaint(DRAWING, names)
    assert error.field == f"castle.garments{code}"
    assert len(error.problem) < 250
    for word in words:
        assert word in error.problem


def test_values_of_the_wrong_type_are_bad_input() -> None:
    """A drawing that is no text, or a legend that is no table, is bad input and not a crash."""
    assert "must be text; got 7" in complaint(7).problem
    assert "must be a table" in complaint(DRAWING, ["sombrero"]).problem


@pytest.mark.parametrize(("a", "b"), [pair for pair in PAIRS if PLUG_SPACE not in pair])
def test_any_single_wall_matters(a: str, b: str) -> None:
    """Taking any wall away, or adding one anywhere, spoils the castle: it leaks or the rooms are no longer twelve."""
    had = CASTLE.wall_between(a, b)
    problem = complaint(mark(a, b, wall=not had)).problem
    if "leak" in problem:
        assert "continues around it through" in problem
    else:
        assert f"got {ROOMS - 1 if had else ROOMS + 1}" in problem


@pytest.mark.parametrize("side", DIRECTIONS)
def test_walls_around_the_plug_are_free(side: str) -> None:
    """A wall between the plug and its neighbour may be left out: nobody can walk there anyway."""
    assert parse_castle(put(PLUG_SPACE, " ", side=side), NAMES).rooms == CASTLE.rooms


def test_a_leak_is_named_before_the_number_of_rooms() -> None:
    """Opening a gap between rooms that share several walls names a wall beside the gap and the way around it."""
    drawing = bare_castle(*((f"c{row}", "east") for row in range(1, 7)))
    problem = complaint(drawing).problem
    assert "the wall between c6 and d6" in problem
    assert "through c7 and d7" in problem


def test_rooms_partition_the_standing_spaces() -> None:
    """The twelve rooms hold each of the 48 spaces once, in the order of their smallest names."""
    assert len(CASTLE.rooms) == ROOMS
    assert sorted(space for room in CASTLE.rooms for space in room) == sorted(STANDING_SPACES)
    assert [min(room) for room in CASTLE.rooms] == sorted(min(room) for room in CASTLE.rooms)
    assert CASTLE.room_of(PLUG_SPACE) is None
    assert all(space in CASTLE.rooms[CASTLE.room_of(space) or 0] for space in STANDING_SPACES)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_walls_stand_exactly_between_rooms(a: str, b: str) -> None:
    """Two adjoining spaces have a wall between them if and only if they belong to different rooms."""
    assert CASTLE.wall_between(a, b) == CASTLE.wall_between(b, a) == (CASTLE.room_of(a) != CASTLE.room_of(b))


@pytest.mark.parametrize("room", CASTLE.rooms, ids=min)
def test_each_room_is_connected(room: frozenset[str]) -> None:
    """From any space of a room one can walk to all others without leaving it."""
    reached, edge = set(), {min(room)}
    while edge:
        reached |= edge
        edge = {n for s in edge for d in DIRECTIONS if (n := neighbour(s, d)) in room and n is not None} - reached
    assert reached == room


@pytest.mark.parametrize("room", CASTLE.rooms, ids=min)
def test_the_shipped_rooms_are_fair(room: frozenset[str]) -> None:
    """A shipped room has 3 to 5 spaces and two garments for different parts; one with a corner has 4 and one."""
    parts = [CASTLE.garments[space].part for space in room if space in CASTLE.garments]
    assert 3 <= len(room) <= 5
    assert len(set(parts)) == len(parts)
    assert len(parts) == (1 if room & set(CORNERS) else 2)
    assert len(room) == 4 or not room & set(CORNERS)


def test_garments_are_four_of_each_part() -> None:
    """Twenty garments lie on bare spaces, four for each part, the ones known from the rules among them."""
    assert Counter(garment.part for garment in CASTLE.garments.values()) == dict.fromkeys(PARTS, 4)
    assert len(CASTLE.garments) == len(GARMENT_CODES) == 20
    assert not {*CORNERS, PLUG_SPACE} & set(CASTLE.garments)
    known = {
        *(Garment(name, "headgear") for name in ("sombrero", "feather crown")),
        *(Garment(name, "face") for name in ("diving mask", "cat mask")),
        *(Garment(name, "hand") for name in ("wand", "umbrella")),
        Garment("lederhosen", "legs"),
    }
    assert known <= set(CASTLE.garments.values())


def test_corners_have_the_colours_of_the_ghosts() -> None:
    """Each ghost has the corner of its colour."""
    assert CASTLE.corners == {"red": "a1", "yellow": "a7", "green": "g7", "blue": "g1"}


@given(indent=st.text(" \t", max_size=9), trailing=st.lists(st.text(" \t\r", max_size=5), min_size=15, max_size=15))
def test_indentation_and_trailing_spaces_do_not_matter(indent: str, trailing: list[str]) -> None:
    """A drawing reads the same when all of it is indented and any of its lines has blanks at the end."""
    lines = [line + blanks for line, blanks in zip(DRAWING.splitlines(), trailing, strict=True)]
    assert parse_castle(textwrap.indent("\n".join(lines), indent) + "\n" + indent, NAMES) == CASTLE


@given(st.integers(0, len(DRAWING) - 1), st.characters())
def test_any_single_character_is_read_or_told(at: int, character: str) -> None:
    """Whatever a slip of the finger puts into the drawing, it is read as a castle or told as bad input."""
    problem, rooms = "", CASTLE.rooms
    try:
        rooms = parse_castle(DRAWING[:at] + character + DRAWING[at + 1 :], NAMES).rooms
    except BadInputError as error:
        problem = error.problem
    assert not problem or "; got " in problem
    assert rooms == CASTLE.rooms


def test_a_castle_cannot_be_changed() -> None:
    """A castle is a value: read-only, hashable, and the same after a journey to another process."""
    with pytest.raises(TypeError):
        CASTLE.garments["a1"] = Garment("crown", "headgear")  # type: ignore[index]
    garments = dict(CASTLE.garments)
    castle = Castle(CASTLE.drawing, CASTLE.rooms, CASTLE.walls, garments, CASTLE.corners)
    garments.clear()
    assert castle == CASTLE == pickle.loads(pickle.dumps(CASTLE))
    assert hash(castle) == hash(CASTLE)
