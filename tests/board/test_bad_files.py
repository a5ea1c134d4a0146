"""Broken files, each with one thing wrong: told with file and field, by the library and on the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from twin.board.machine import load_machine
from twin.board.scene import load_scene
from twin.cli import main
from twin.errors import BadInputError
from twin.files import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parent.parent.parent
SCENE = (ROOT / "scenes/start.toml").read_text(encoding="utf-8")
MACHINE = (ROOT / "calibration/machines/reconstruction.toml").read_text(encoding="utf-8")
BAD_INPUT = 2
INTERRUPTED = 130


class Broken(NamedTuple):
    """A shipped text with one change, and what must be said of it."""

    old: str
    new: str
    field: str
    words: str


def edited(text: str, broken: Broken) -> str:
    """The text with the first occurrence changed."""
    assert broken.old in text, f"the shipped file no longer holds {broken.old!r}"
    return text.replace(broken.old, broken.new, 1)


SLIDER_C = '[[sliders]]\nname = "C"\ntunnel = 5\noffset = 0\n'
FIRST = 'name = "A"\ntunnel = 1\noffset = 0'
GHOSTS = '[ghosts]\nred = "a1"\nyellow = "a7"\ngreen = "g7"\nblue = "g1"\n'
BECAUSE = 'because = "no corner lies on a magnet, so all four ghosts ride along"'
FATES = 'fates = { red = "rode", yellow = "rode", green = "rode", blue = "rode" }'
COVERS = 'covers = { red = ["a1"], yellow = ["a7"], green = ["g7"], blue = ["g1"] }'
EXPECTED = SCENE[SCENE.index("[[expect]]") :]

SCENES = {
    # The scene itself.
    "title is a number": Broken('title = "Start position"', "title = 1", "title", "must be text"),
    "unknown key": Broken("orientation = 0", "orientation = 0\nangle = 90", "angle", "title"),
    "key in capitals": Broken("orientation", "Orientation", "Orientation", "orientation"),
    "orientation is text": Broken("orientation = 0", 'orientation = "north"', "orientation", "whole number"),
    "orientation is a fraction": Broken("orientation = 0", "orientation = 0.5", "orientation", "whole number"),
    "orientation is true": Broken("orientation = 0", "orientation = true", "orientation", "whole number"),
    "orientation is 4": Broken("orientation = 0", "orientation = 4", "orientation", "0, 1, 2 or 3"),
    "orientation is -1": Broken("orientation = 0", "orientation = -1", "orientation", "0, 1, 2 or 3"),
    "orientation is a date": Broken("orientation = 0", "orientation = 1979-05-27", "orientation", "whole number"),
    # Its machine.
    "machine is a number": Broken('machine = "reconstruction"', "machine = 7", "machine", "must be text"),
    "machine does not exist": Broken('"reconstruction"', '"perpetuum"', "machine", "known are"),
    "machine is misspelt": Broken('"reconstruction"', '"reconstrution"', "machine", "did you mean 'reconstruction'"),
    "machine's file does not exist": Broken('"reconstruction"', '"none.toml"', "machine", "cannot be read"),
    "machine's name is too long": Broken('"reconstruction"', f'"{"x" * 5000}"', "machine", "no machine of this name"),
    "machine's name has a zero byte": Broken('"reconstruction"', r'"a\u0000b.toml"', "machine", "cannot be read"),
    # Ghosts.
    "no ghosts": Broken(GHOSTS, "[ghosts]\n", "ghosts", "1 to 4 ghosts"),
    "no table of ghosts": Broken(GHOSTS, "", "ghosts", "1 to 4 ghosts"),
    "ghosts is a list": Broken(f"orientation = 0\n\n{GHOSTS}", 'ghosts = ["a1"]\n', "ghosts", "must be a table"),
    "a fifth ghost": Broken('blue = "g1"', 'blue = "g1"\npurple = "d1"', "ghosts.purple", "red, yellow, green, blue"),
    "an unknown ghost": Broken('red = "a1"', 'rad = "a1"', "ghosts.rad", "red, yellow, green, blue"),
    "a ghost twice": Broken('red = "a1"', 'red = "a1"\nred = "a2"', "", "valid TOML"),
    "ghost on a number": Broken('red = "a1"', "red = 11", "ghosts.red", 'a space ("c3") or a place'),
    "ghost on a list": Broken('red = "a1"', "red = [0, 40]", "ghosts.red", 'a space ("c3") or a place'),
    "ghost on no space": Broken('red = "a1"', 'red = "h8"', "ghosts.red", "a1 to g7"),
    "ghost on a space in capitals": Broken('red = "a1"', 'red = "A1"', "ghosts.red", "a1 to g7"),
    "ghost on d4": Broken('red = "a1"', 'red = "d4"', "ghosts.red", "plug"),
    "two ghosts on one space": Broken('yellow = "a7"', 'yellow = "a1"', "ghosts.yellow", "red stands on a1 already"),
    "ghosts overlap": Broken('red = "a1"', "red = { x = -120.0, y = 97.0 }", "ghosts.yellow", "overlaps red by 3.0 mm"),
    "ghost overlaps the plug": Broken('red = "a1"', "red = { x = 0, y = 26 }", "ghosts.red", "plug"),
    "ghost off the board": Broken('red = "a1"', "red = { x = 0, y = 141 }", "ghosts.red", "within ±140 mm"),
    "ghost far off the board": Broken('red = "a1"', "red = { x = 1e300, y = 0 }", "ghosts.red", "within ±140 mm"),
    "ghost beyond every number": Broken('red = "a1"', f"red = {{ x = 1{'0' * 400}, y = 0 }}", "ghosts.red.x", "finite"),
    "ghost at nan": Broken('red = "a1"', "red = { x = nan, y = 0 }", "ghosts.red", "finite numbers"),
    "ghost at infinity": Broken('red = "a1"', "red = { x = 0, y = -inf }", "ghosts.red", "finite numbers"),
    "ghost at true": Broken('red = "a1"', "red = { x = true, y = 40 }", "ghosts.red", "finite numbers"),
    "ghost at text": Broken('red = "a1"', 'red = { x = "0", y = 40 }', "ghosts.red", "finite numbers"),
    "ghost without y": Broken('red = "a1"', "red = { x = 0 }", "ghosts.red", "x = mm, y = mm"),
    "ghost in a maze of tables": Broken('red = "a1"', f"red{'.a' * 2000} = 1", "", "at most 20 parts"),
    "ghost with z": Broken('red = "a1"', "red = { x = 0, y = 40, z = 1 }", "ghosts.red", "x = mm, y = mm"),
    # Sliders.
    "slider missing": Broken(SLIDER_C, "", "sliders", "exactly the machine's sliders A, B, C"),
    "no sliders": Broken(SCENE[SCENE.index("[[sliders]]") : SCENE.index("[[expect]]")], "", "sliders", "A, B, C"),
    "extra slider": Broken(SLIDER_C, SLIDER_C + SLIDER_C.replace("5", "2").replace("C", "D"), "sliders", "A, B, C"),
    "slider twice": Broken('name = "C"', 'name = "A"', "sliders", "must each be given once"),
    "slider unknown": Broken('name = "C"', 'name = "Z"', "sliders", "A, B, C"),
    "slider without name": Broken('name = "A"\n', "", "sliders[0].name", "is missing"),
    "slider without tunnel": Broken("tunnel = 3\n", "", "sliders[1].tunnel", "is missing"),
    "slider without offset": Broken("tunnel = 5\noffset = 0\n", "tunnel = 5\n", "sliders[2].offset", "is missing"),
    "slider with an unknown key": Broken(FIRST, f"{FIRST}\nflip = true", "sliders[0].flip", "flipped"),
    "slider's name is a number": Broken('name = "A"', "name = 1", "sliders[0].name", "must be text"),
    "sliders is a table": Broken("[[sliders]]", "[sliders]", "", "valid TOML"),
    "tunnel taken twice": Broken("tunnel = 5", "tunnel = 3", "sliders.C.tunnel", "taken by slider B"),
    "tunnel 0": Broken("tunnel = 1", "tunnel = 0", "sliders.A.tunnel", "1 to 5"),
    "tunnel 6": Broken("tunnel = 5", "tunnel = 6", "sliders.C.tunnel", "1 to 5"),
    "tunnel is text": Broken("tunnel = 1", 'tunnel = "1"', "sliders[0].tunnel", "whole number"),
    "tunnel is a fraction": Broken("tunnel = 1", "tunnel = 1.0", "sliders[0].tunnel", "whole number"),
    "offset 3": Broken("offset = 0", "offset = 3", "sliders.A.offset", "-2 to 2"),
    "offset -3": Broken("offset = 0", "offset = -3", "sliders.A.offset", "-2 to 2"),
    "offset 1.5": Broken("offset = 0", "offset = 1.5", "sliders[0].offset", "whole number"),
    "offset nan": Broken("offset = 0", "offset = nan", "sliders[0].offset", "whole number"),
    "offset is true": Broken("offset = 0", "offset = true", "sliders[0].offset", "whole number"),
    "flipped is 1": Broken(FIRST, f"{FIRST}\nflipped = 1", "sliders[0].flipped", "true or false"),
    # Expectations.
    "expect is a table": Broken(EXPECTED, f"[expect]\n{BECAUSE}\n", "expect", "must be a list"),
    "expectation with unknown key": Broken(BECAUSE, f"{BECAUSE}\nfate = 1", "expect[0].fate", "fates"),
    "expectation without move": Broken('move = "turn cw"\n', "", "expect[0].move", "is missing"),
    "expectation without because": Broken(f"{BECAUSE}\n", "", "expect[0].because", "is missing"),
    "expectation that claims nothing": Broken(f"{FATES}\n{COVERS}\n", "", "expect[0]", "must claim something"),
    "expectation of an unknown move": Broken('"turn cw"', '"jump red"', "expect[0].move", "turn cw|ccw"),
    "expectation of a turn to nowhere": Broken('"turn cw"', '"turn left"', "expect[0].move", "cw or ccw"),
    "expectation of an unknown slider": Broken('"turn cw"', '"push D north"', "expect[0].move", "one of A, B, C"),
    "expectation of dragging nobody": Broken('"turn cw"', '"drag pink east"', "expect[0].move", "one of the scene's"),
    "move is a list": Broken('"turn cw"', '["turn", "cw"]', "expect[0].move", "must be text"),
    "because is true": Broken(BECAUSE, "because = true", "expect[0].because", "must be text"),
    "fate of an unknown ghost": Broken("fates = { red", "fates = { pink", "expect[0].fates.pink", "red, yellow"),
    "unknown fate": Broken('red = "rode"', 'red = "flew"', "expect[0].fates.red", "fell, blocked, shoved"),
    "fate is a list": Broken('red = "rode"', 'red = ["rode"]', "expect[0].fates.red", "fell, blocked, shoved"),
    "fates is a list": Broken(FATES, 'fates = ["rode"]', "expect[0].fates", "must be a table"),
    "covers an unknown space": Broken('red = ["a1"]', 'red = ["z9"]', "expect[0].covers.red", "list of spaces"),
    "covers is text": Broken('red = ["a1"]', 'red = "a1"', "expect[0].covers.red", "list of spaces"),
    "broken is text": Broken(COVERS, f'{COVERS}\nbroken = "B6"', "expect[0].broken", "list"),
    "broken holds a number": Broken(COVERS, f"{COVERS}\nbroken = [6]", "expect[0].broken", "rule numbers"),
    "conflict is text": Broken(COVERS, f'{COVERS}\nconflict = "no"', "expect[0].conflict", "true or false"),
    "chancy is 0": Broken(COVERS, f"{COVERS}\nchancy = 0", "expect[0].chancy", "true or false"),
}

MASS = 'mass = { value = 12, unit = "g", source = "assumed", range = [8, 20] }'


def mass(new: str, field: str, words: str) -> Broken:
    return Broken(MASS, new, f"ghost.mass{field}", words)


MACHINES = {
    # The machine itself.
    "title is a number": Broken(MACHINE.splitlines()[0], "title = 7", "title", "must be text"),
    "unknown table": Broken("[board]", "[table]\nsize = 1\n\n[board]", "table", "a machine has title"),
    "table missing": Broken("[plug]\n", "[plugs]\n", "plugs", "a machine has title"),
    "unknown key": Broken(MASS, f"{MASS}\nage = 300", "ghost.age", "ghost has radius, mass"),
    "table is a number": Broken("[rocking]\nrate", "rocking = 1\n[rockings]\nrate", "rockings", "a machine has title"),
    # A value.
    "value missing altogether": Broken(f"{MASS}\n", "", "ghost.mass", "is missing"),
    "value is bare": mass("mass = 12", "", "must be a table"),
    "value is text": mass(MASS.replace("12", '"12"'), ".value", "finite number in g"),
    "value is true": mass(MASS.replace("12", "true"), ".value", "finite number in g"),
    "value is nan": mass(MASS.replace("12", "nan"), ".value", "finite number in g"),
    "value is infinite": mass(MASS.replace("12", "inf"), ".value", "finite number in g"),
    "value is beyond every number": mass(MASS.replace("12", "1" + "0" * 400), ".value", "g"),
    "value has too many digits": Broken(MASS, MASS.replace("12", "1" * 5000), "", "valid TOML"),
    "negative mass": mass(MASS.replace("12", "-12"), ".value", "0.5 to 500 g"),
    "value outside its range": mass(MASS.replace("12", "21"), ".value", "within its range [8, 20]"),
    "zero radius": Broken("radius = { value = 13", "radius = { value = 0", "ghost.radius.value", "2 to 100 mm"),
    "wrong unit": mass(MASS.replace('"g"', '"kg"'), ".unit", "must be 'g'"),
    "unit missing": mass(MASS.replace(' unit = "g",', ""), "", "unit is missing"),
    "source missing": mass(MASS.replace(' source = "assumed",', ""), "", "source is missing"),
    "range missing": mass(MASS.replace(", range = [8, 20]", ""), "", "range is missing"),
    "unknown source": mass(
        MASS.replace("assumed", "rumour"), ".source", "rulebook, review, physics, assumed, measured"
    ),
    "value with an unknown key": mass(MASS.replace("value = 12", "value = 12, sd = 1"), "", "unknown key 'sd'"),
    "inverted range": mass(MASS.replace("[8, 20]", "[20, 8]"), ".range", "low"),
    "range of one": mass(MASS.replace("[8, 20]", "[8]"), ".range", "two numbers [low, high]"),
    "range is text": mass(MASS.replace("[8, 20]", '"8 to 20"'), ".range", "two numbers [low, high]"),
    "range of words": mass(MASS.replace("[8, 20]", '["a", "b"]'), ".range", "finite number in g"),
    "range of negative masses": mass(MASS.replace("[8, 20]", "[-8, 20]"), ".range", "0.5 to 500 g"),
    # Values that do not go together.
    "feet wider than spaces": Broken(
        'radius = { value = 13, unit = "mm", source = "assumed", range = [10, 16] }',
        'radius = { value = 20, unit = "mm", source = "assumed", range = [10, 20] }',
        "ghost.radius",
        "narrower than a space",
    ),
    "plug too wide": Broken(
        'radius = { value = 14, unit = "mm", source = "assumed", range = [8, 19] }',
        'radius = { value = 28, unit = "mm", source = "assumed", range = [8, 28] }',
        "plug.radius",
        "at most 40 mm",
    ),
    # Tunnels.
    "four columns": Broken("[2, 3, 4, 5, 6]", "[2, 3, 4, 5]", "tunnels.columns", "five different columns of 1 to 7"),
    "a column twice": Broken("[2, 3, 4, 5, 6]", "[2, 3, 4, 5, 5]", "tunnels.columns", "five different columns"),
    "columns falling": Broken("[2, 3, 4, 5, 6]", "[6, 5, 4, 3, 2]", "tunnels.columns", "rising"),
    "column 8": Broken("[2, 3, 4, 5, 6]", "[4, 5, 6, 7, 8]", "tunnels.columns", "1 to 7"),
    "columns are letters": Broken("[2, 3, 4, 5, 6]", '["b", "c", "d", "e", "f"]', "tunnels.columns", "of 1 to 7"),
    "columns in a maze of tables": Broken(
        "columns = [2, 3, 4, 5, 6]", f"columns{'.a' * 2000} = 1", "", "at most 20 parts"
    ),
    "columns missing": Broken("columns = [2, 3, 4, 5, 6]\n", "", "tunnels.columns", "five different columns"),
    "unknown key of tunnels": Broken("columns =", "depth = 1\ncolumns =", "tunnels.depth", "columns"),
    "unknown source of tunnels": Broken(
        'columns = [2, 3, 4, 5, 6]\nsource = "assumed"',
        'columns = [2, 3, 4, 5, 6]\nsource = "rumour"',
        "tunnels.source",
        "rulebook, review, physics, assumed",
    ),
    # Sliders.
    "magnet on segment 0": Broken("{ segment = 2,", "{ segment = 0,", "sliders.A.magnets", "segment = 1 … 7"),
    "magnet on segment 8": Broken("{ segment = 7,", "{ segment = 8,", "sliders.A.magnets", "segment = 1 … 7"),
    "magnet on segment 1.5": Broken("{ segment = 2,", "{ segment = 1.5,", "sliders.A.magnets", "segment = 1 … 7"),
    "polarity 0": Broken("segment = 2, polarity = 1", "segment = 2, polarity = 0", "sliders.A.magnets", "1 or -1"),
    "polarity 2": Broken("segment = 2, polarity = 1", "segment = 2, polarity = 2", "sliders.A.magnets", "1 or -1"),
    "polarity is true": Broken("segment = 2, polarity = 1", "segment = 2, polarity = true", "sliders.A.magnets", "-1"),
    "polarity missing": Broken("segment = 2, polarity = 1", "segment = 2", "sliders.A.magnets", "polarity = 1 or -1"),
    "two magnets on one segment": Broken("{ segment = 5,", "{ segment = 2,", "sliders.A.magnets", "at most one"),
    "magnets is a number": Broken("[sliders.A]\n", "[sliders.A0]\nmagnets = 3\n[sliders.A]\n", "sliders.A0", "a list"),
    "magnets missing": Broken("[sliders.A]\n", "[sliders.D]\n[sliders.A]\n", "sliders.D", "magnets must be a list"),
    "unknown key of a slider": Broken("[sliders.A]\n", "[sliders.A]\nlength = 7\n", "sliders.A.length", "magnets"),
    "slider with a long name": Broken("[sliders.A]", "[sliders.Abracadabra]", "sliders.Abracadabra", "eight"),
    "slider with a dash": Broken("[sliders.A]", "[sliders.A-1]", "sliders.A-1", "letters or digits"),
    # Castle.
    "castle leaks": Broken("| *R | F4 ", "| *R   F4 ", "castle.drawing", "leak"),
    "garment missing": Broken("| L3 |", "| .  |", "castle.drawing", "garment L3 is missing"),
    "garment drawn twice": Broken(
        "| .  | F1   .  |", "| .  | F1   L3 |", "castle.drawing", "L3 must be drawn only once"
    ),
    "plug missing": Broken("##", ". ", "castle.drawing", "the plug ## is missing"),
    "corner missing": Broken("*R", ". ", "castle.drawing", "the red corner *R is missing"),
    "garment without name": Broken('H1 = "sombrero"\n', "", "castle.garments.H1", "must be given a name"),
    "name of a garment twice": Broken('"tutu"', '"wand"', "castle.garments", "must be its own"),
    "no drawing": Broken('drawing = """', 'picture = """', "castle.picture", "drawing"),
    "unknown key of the castle": Broken("[castle]\n", "[castle]\nage = 300\n", "castle.age", "drawing"),
}

FILES: dict[str, tuple[bytes, str]] = {
    "half a table": (b"[ghosts", "valid TOML"),
    "no value": (b"title =", "valid TOML"),
    "no TOML at all": (b'{"title": "JSON"}', "valid TOML"),
    "not UTF-8": (b'title = "\xff\xfe"', "UTF-8"),
    "zeros": (bytes(1000), "valid TOML"),
    "deeply nested": (b"a = " + b"[" * 50_000 + b"]" * 50_000, "valid TOML"),
    "deep tables": (b"[" + b".".join([b"a"] * 2_000) + b"]", "at most 20 parts"),
    "more than a megabyte": (b"#" * (MAX_BYTES + 1), "at most 1,000,000 bytes"),
}

Loader = tuple["Callable[[str], object]", list[str]]
SCENE_LOADER: Loader = (load_scene, ["turn", "{}", "cw"])
MACHINE_LOADER: Loader = (load_machine, ["machine", "{}"])
BOTH = pytest.mark.parametrize("loader", [SCENE_LOADER, MACHINE_LOADER], ids=["scene", "machine"])


@pytest.fixture(params=["in Python", "on the command line"])
def complaint(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Callable[[Loader, str], str]:
    """What is said of a bad file: the message of the error, or of the command, which ends with exit code 2."""

    def in_python(loader: Loader, name: str) -> str:
        with pytest.raises(BadInputError) as caught:
            loader[0](name)
        return str(caught.value)

    def on_the_command_line(loader: Loader, name: str) -> str:
        code = main([word.format(name) for word in loader[1]])
        said = capsys.readouterr()
        assert code == BAD_INPUT
        assert said.out == ""
        assert said.err.startswith("twin: ")
        assert "Traceback" not in said.err
        return said.err.removesuffix("\n")

    return in_python if request.param == "in Python" else on_the_command_line


def check(message: str, path: object, field: str, words: str) -> None:
    """A message is one line of reasonable length that names the file, the field, and what would be right."""
    assert str(path) in message
    assert f": {field}" in message
    assert words in message
    assert "\n" not in message
    assert len(message) < 700 + len(str(path))


@pytest.mark.parametrize("case", SCENES)
def test_a_broken_scene_is_told_with_file_and_field(case, complaint, tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(edited(SCENE, SCENES[case]), encoding="utf-8")
    check(complaint(SCENE_LOADER, str(path)), path, SCENES[case].field, SCENES[case].words)


@pytest.mark.parametrize("case", MACHINES)
def test_a_broken_machine_is_told_with_file_and_field(case, complaint, tmp_path):
    path = tmp_path / "machine.toml"
    path.write_text(edited(MACHINE, MACHINES[case]), encoding="utf-8")
    check(complaint(MACHINE_LOADER, str(path)), path, MACHINES[case].field, MACHINES[case].words)


@BOTH
@pytest.mark.parametrize("case", FILES)
def test_a_file_that_cannot_be_read_is_told(case, loader, complaint, tmp_path):
    content, words = FILES[case]
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    check(complaint(loader, str(path)), path, "", words)


@pytest.mark.parametrize(
    ("loader", "field", "words"),
    [(SCENE_LOADER, "sliders", "A, B, C"), (MACHINE_LOADER, "board", "the table is missing")],
    ids=["scene", "machine"],
)
def test_an_empty_file(loader, field, words, complaint, tmp_path):
    path = tmp_path / "empty.toml"
    path.write_bytes(b"")
    check(complaint(loader, str(path)), path, field, words)


@BOTH
def test_a_missing_file(loader, complaint, tmp_path):
    path = tmp_path / "none.toml"
    check(complaint(loader, str(path)), path, "", "cannot be read")


@BOTH
def test_a_folder(loader, complaint, tmp_path):
    path = tmp_path / "folder.toml"
    path.mkdir()
    check(complaint(loader, str(path)), path, "", "it is a folder")


@BOTH
def test_a_file_below_a_file(loader, complaint, tmp_path):
    (tmp_path / "file.toml").write_text("", encoding="utf-8")
    path = tmp_path / "file.toml" / "scene.toml"
    check(complaint(loader, str(path)), path, "", "cannot be read")


@BOTH
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_file_without_permission(loader, complaint, tmp_path):
    path = tmp_path / "secret.toml"
    path.write_text(SCENE, encoding="utf-8")
    path.chmod(0)
    check(complaint(loader, str(path)), path, "", "cannot be read")


@BOTH
def test_an_endless_name(loader, complaint):
    """A name longer than any file system allows is bad input like any other."""
    assert "of this name" in complaint(loader, "x" * 5000)


@pytest.mark.parametrize(
    ("loader", "name", "hint"),
    [(SCENE_LOADER, "strat", "'start'"), (MACHINE_LOADER, "ferite", "'ferrite'")],
    ids=["scene", "machine"],
)
def test_a_misspelt_name_gets_a_suggestion(loader, name, hint, complaint):
    message = complaint(loader, name)
    assert name in message
    assert f"did you mean {hint}" in message


def test_a_scene_on_a_broken_machine_names_the_machines_file(complaint, tmp_path):
    """The fault lies in the machine's file, so that one is named with the field."""
    (tmp_path / "mine.toml").write_text(edited(MACHINE, MACHINES["negative mass"]), encoding="utf-8")
    path = tmp_path / "scene.toml"
    path.write_text(SCENE.replace('"reconstruction"', '"mine.toml"'), encoding="utf-8")
    check(complaint(SCENE_LOADER, str(path)), tmp_path / "mine.toml", "ghost.mass.value", "0.5 to 500 g")


def test_the_unbroken_files_are_fine(tmp_path, capsys):
    """What the cases above start from is read without complaint."""
    (tmp_path / "scene.toml").write_text(SCENE, encoding="utf-8")
    (tmp_path / "machine.toml").write_text(MACHINE, encoding="utf-8")
    assert main(["turn", str(tmp_path / "scene.toml"), "cw", "--samples", "0"]) == 0
    assert main(["machine", str(tmp_path / "machine.toml")]) == 0
    assert capsys.readouterr().err == ""


# -- files that are written --------------------------------------------------------------------------------------------

NAMES = {"--save": "after.toml", "--record": "run.json", "--trace": "trace.csv"}
OPTIONS = pytest.mark.parametrize("option", NAMES)


def write(option: str, path: Path) -> int:
    return main(["drag", "start", "red", "north", option, str(path), "--overwrite"])


@pytest.fixture(params=[None, "old content\n"], ids=["new file", "over an old file"], name="before")
def content_before(request: pytest.FixtureRequest) -> str | None:
    """What the target holds before a command writes to it; None if it does not exist."""
    content: str | None = request.param
    return content


def prepared(folder: Path, name: str, before: str | None) -> Path:
    if before is not None:
        (folder / name).write_text(before, encoding="utf-8")
    return folder / name


def untouched(folder: Path, name: str, before: str | None) -> bool:
    """Whether neither a half-written file nor a temporary one is left behind."""
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    return files == ({} if before is None else {name: before})


@OPTIONS
def test_a_written_file_is_whole(option, tmp_path, capsys):
    """It replaces what was there, and no temporary is left beside it."""
    path = prepared(tmp_path, NAMES[option], "old content\n")
    assert write(option, path) == 0
    assert capsys.readouterr().err == ""
    assert [file.name for file in tmp_path.iterdir()] == [NAMES[option]]
    assert "old content" not in path.read_text(encoding="utf-8")


def test_a_saved_scene_can_be_loaded(tmp_path, capsys):
    assert main(["turn", "start", "cw", "--samples", "0", "--save", str(tmp_path / "after.toml")]) == 0
    assert capsys.readouterr().err == ""
    saved = load_scene(str(tmp_path / "after.toml"))
    assert saved.state.orientation == 1
    assert saved.state.colours == ("red", "yellow", "green", "blue")


@pytest.mark.parametrize(
    ("error", "code"),
    [(OSError(28, "No space left on device"), BAD_INPUT), (KeyboardInterrupt(), INTERRUPTED)],
    ids=["disk full", "interrupted"],
)
def test_a_failing_replacement_leaves_the_target_untouched(error, code, tmp_path, capsys, monkeypatch, before):
    """Whatever happens at the last moment, the target is as it was and nothing half-written remains."""
    path = prepared(tmp_path, "after.toml", before)

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", fail)
    monkeypatch.setattr(os, "rename", fail)
    assert write("--save", path) == code
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert code == INTERRUPTED or str(path) in said
    assert untouched(tmp_path, "after.toml", before)


@pytest.fixture
def no_room() -> Iterator[None]:
    """No file may grow beyond 100 bytes, as on a disk that is full in the middle of the writing."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@OPTIONS
@pytest.mark.usefixtures("no_room")
def test_a_full_disk_leaves_the_target_untouched(option, tmp_path, capsys):
    path = prepared(tmp_path, NAMES[option], "old content\n")
    assert write(option, path) == BAD_INPUT
    said = capsys.readouterr().err
    assert f"{path}: " in said
    assert "cannot be written" in said
    assert "Traceback" not in said
    assert untouched(tmp_path, NAMES[option], "old content\n")


@OPTIONS
@pytest.mark.parametrize("case", ["missing folder", "folder", "long name"])
def test_a_target_that_cannot_be_written_is_refused_before_the_work(option, case, tmp_path, capsys):
    """A target in a missing folder, one that is a folder, and a name too long for any file are bad input."""
    name = NAMES[option]
    path = tmp_path / {"missing folder": f"none/{name}", "folder": name, "long name": "x" * 300 + name}[case]
    if case == "folder":
        path.mkdir()
    files = sorted(tmp_path.rglob("*"))
    assert write(option, path) == BAD_INPUT
    said = capsys.readouterr()
    assert f"{path}: " in said.err
    assert "Traceback" not in said.err
    assert said.out == ""
    assert sorted(tmp_path.rglob("*")) == files
