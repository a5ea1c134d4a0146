"""Files: found by name or path, read with care, written wholly or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from twin.errors import BadInputError
from twin.library import MAX_BYTES, data_folder, find, read_toml, shipped, typed, write_whole

if TYPE_CHECKING:
    from pathlib import Path

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


def test_a_file_of_the_greatest_size_is_read(tmp_path):
    (tmp_path / "big.toml").write_bytes(b"a = 1\n#" + b"x" * (MAX_BYTES - 7))
    assert read_toml(tmp_path / "big.toml") == {"a": 1}


@pytest.mark.parametrize("content", ["old and new\n", b"\x00\xff"])
def test_a_file_is_replaced_wholly(content, folder):
    target = folder / "start.toml"
    target.write_text("old", encoding="utf-8")
    write_whole(target, content)
    assert target.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert sorted(path.name for path in folder.iterdir()) == ["chain.toml", "notes.txt", "start.toml"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "ctrl-c"])
def test_a_failing_replacement_leaves_the_old_file(error, folder, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", fail)
    monkeypatch.setattr(os, "rename", fail)
    target = folder / "start.toml"
    target.write_text("old", encoding="utf-8")
    with pytest.raises((BadInputError, KeyboardInterrupt)):
        write_whole(target, "new")
    assert target.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["chain.toml", "notes.txt", "start.toml"]


def test_text_that_cannot_be_encoded_leaves_nothing(folder):
    """A failure in the middle of the writing leaves neither a new file nor a temporary one."""
    with pytest.raises(UnicodeEncodeError):
        write_whole(folder / "new.toml", "good, then \ud800")
    assert sorted(path.name for path in folder.iterdir()) == ["chain.toml", "notes.txt", "start.toml"]


def test_a_missing_folder_is_bad_input(tmp_path):
    target = tmp_path / "none" / "new.toml"
    with pytest.raises(BadInputError, match="cannot be written") as caught:
        write_whole(target, "new")
    assert caught.value.source == str(target)


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
