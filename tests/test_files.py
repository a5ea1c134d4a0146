"""Reading files: found by name or path, refused or read with care."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from twin.errors import BadInputError
from twin.files import DEEPEST, MAX_BYTES, data_folder, find, parse_json, parse_toml, read_toml, shipped, typed
from twin.writing import write_whole

LONG = "x" * 5000
"""Longer than any file system lets a name be."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("start", "chain"):
        (tmp_path / f"{name}.toml").write_text("", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    return tmp_path


def unreadable(path: Path) -> str:
    with pytest.raises(BadInputError) as caught:
        read_toml(path)
    assert caught.value.source == str(path)
    return caught.value.problem


def test_the_folders_ship():
    assert "start" in shipped(data_folder("scenes"))
    assert "reconstruction" in shipped(data_folder("calibration", "machines"))


def test_names_are_sorted_and_only_of_toml_files(folder):
    assert shipped(folder) == ["chain", "start"]


def test_a_name_is_found_in_the_folder(folder):
    assert find("start", folder, "scene") == folder / "start.toml"


@pytest.mark.parametrize("path", ["mine.toml", "a/b", "./start", "a\\b"])
def test_a_path_is_taken_as_it_is(path, folder):
    assert str(find(path, folder, "scene")) == path.removeprefix("./")


def test_a_misspelt_name_gets_a_suggestion(folder):
    with pytest.raises(BadInputError, match="did you mean 'start'") as caught:
        find("strat", folder, "scene")
    assert caught.value.source == "strat"


def test_a_strange_name_gets_a_list(folder):
    with pytest.raises(BadInputError, match="no scene of this name: known are chain, start"):
        find("zzz", folder, "scene")


@pytest.mark.parametrize("name", [LONG, "nul\0byte", ""], ids=["too long", "with a zero byte", "empty"])
def test_a_name_that_no_file_can_have_is_bad_input(name, folder):
    with pytest.raises(BadInputError, match="no scene of this name"):
        find(name, folder, "scene")


def test_what_was_written_is_read(folder):
    write_whole(folder / "new.toml", 'title = "Mäuse"\n')
    assert read_toml(folder / "new.toml") == {"title": "Mäuse"}


def test_a_missing_file(tmp_path):
    assert "cannot be read" in unreadable(tmp_path / "none.toml")


def test_a_folder(tmp_path):
    assert "it is a folder" in unreadable(tmp_path)


def test_a_file_in_a_file(folder):
    assert "cannot be read" in unreadable(folder / "start.toml" / "deep.toml")


@pytest.mark.parametrize("name", [f"{LONG}.toml", "nul\0byte.toml"], ids=["too long", "with a zero byte"])
def test_a_path_that_no_file_can_have(name, tmp_path):
    assert "cannot be read" in unreadable(tmp_path / name)


BAD_CONTENT = {
    "half a table": (b"[ghosts", "valid TOML"),
    "a key twice": (b"a = 1\na = 2", "valid TOML"),
    "no value": (b"title =", "valid TOML"),
    "latin-1": ("title = 'Mäuse'".encode("latin-1"), "UTF-8"),
    "utf-16": ("title = 'x'".encode("utf-16"), "UTF-8"),
    "a zero byte": (b"title = 'a\0b'", "valid TOML"),
    "deep": (b"a = " + b"[" * 20_000, "valid TOML"),
    "deep and closed": (b"a = " + b"[" * 20_000 + b"]" * 20_000, "valid TOML"),
    "too many digits": (b"a = " + b"9" * 5000, "valid TOML"),
    "a key of many parts": (b"x = 1\na" + b".a" * 40_000 + b" = 1", "at most 20 parts; see line 2"),
    "a table of many parts": (b"[a" + b' . "a b"' * 40_000 + b"]", "at most 20 parts; see line 1"),
    "a long key": (b"a = { " + b"k" * 900_000 + b" = 1 }", "at most 100 letters"),
    "no float": (b"a = { b = [1, 1" + b"0" * 400 + b"] }", "finite number"),
    "huge": (b"#" * (MAX_BYTES + 1), "at most 1,000,000 bytes"),
}


@pytest.mark.parametrize("case", BAD_CONTENT)
def test_content_that_cannot_be_read(case, tmp_path):
    """Content that is no TOML is told in one line with what would be right."""
    content, words = BAD_CONTENT[case]
    (tmp_path / "bad.toml").write_bytes(content)
    problem = unreadable(tmp_path / "bad.toml")
    assert words in problem
    assert len(problem) <= 300
    assert "\n" not in problem


@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * DEEPEST) + " = 1",
        "a = [" + "1.5, " * 100 + "]",
        'a = """\n' + ". " * 100 + '"""',
        "a = 'x" + "." * 100 + "'",
    ],
    ids=["just deep enough", "numbers", "a drawing", "dots"],
)
def test_dots_that_part_no_deep_key(text):
    assert parse_toml(text)


def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert unreadable(tmp_path / "pipe") == "must be a file; it is a pipe"


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs a device")  # noqa: PTH110
def test_a_device_is_refused():
    with pytest.raises(BadInputError, match="/dev/zero: must be a file; it is a device"):
        read_toml(Path("/dev/zero"))


def test_a_size_above_the_limit_is_refused_unread(tmp_path):
    """A file of a terabyte without content takes no memory."""
    with (tmp_path / "large").open("wb") as file:
        file.truncate(10**12)
    assert "at most 1,000,000 bytes" in unreadable(tmp_path / "large")


def test_what_a_terminal_would_obey_is_escaped(tmp_path):
    (tmp_path / "a.toml").write_text(
        '"k\\u202e" = ["\\u001b[31m", { t = "\\u0007" }]\nb = """\n|\t|\n"""', encoding="utf-8"
    )
    assert read_toml(tmp_path / "a.toml") == {"k\\u202e": ["\\x1b[31m", {"t": "\\x07"}], "b": "|\t|\n"}


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", '{"a": -Infinity}', "1e999", "1" + "0" * 400, "[" * 100_000, "{"]
)
def test_json_that_is_none(text):
    with pytest.raises(BadInputError, match=r"JSON|finite|nested"):
        parse_json(text)


def test_a_number_that_no_float_holds_is_named():
    with pytest.raises(BadInputError, match=r"ghosts\.red\[1\]: must be a finite number"):
        parse_json('{"ghosts": {"red": [0, 1' + "0" * 400 + "]}}")


def test_a_file_of_the_greatest_size_is_read(tmp_path):
    (tmp_path / "big.toml").write_bytes(b"a = 1\n#" + b"x" * (MAX_BYTES - 7))
    assert read_toml(tmp_path / "big.toml") == {"a": 1}


def test_typed_values():
    assert typed({"a": 1}, "a", int, 0) == 1
    assert typed({}, "a", int, 7) == 7


TYPES = [
    (True, int, "a whole number"),
    (1.0, int, "a whole number"),
    ("x" * 10_000, int, "a whole number"),
    (1, str, "text"),
    ([], dict, "a table"),
    ({}, list, "a list"),
    (0, bool, "true or false"),
]


@pytest.mark.parametrize(("value", "kind", "words"), TYPES)
def test_values_of_another_type(value, kind, words):
    with pytest.raises(BadInputError, match=f"must be {words}; got") as caught:
        typed({"key": value}, "key", kind, kind())
    assert caught.value.field == "key"
    assert len(caught.value.problem) <= 300
