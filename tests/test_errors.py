"""What messages show: nothing that a terminal would obey."""

from __future__ import annotations

import pytest

from twin.errors import visible


@pytest.mark.parametrize(
    ("character", "written"),
    [
        ("\x1b", r"\x1b"),
        ("\x07", r"\x07"),
        ("\r", r"\r"),
        ("\x7f", r"\x7f"),
        ("\x9b", r"\x9b"),
        ("\u061c", r"\u061c"),
        ("\u200f", r"\u200f"),
        ("\u202e", r"\u202e"),
        ("\u2066", r"\u2066"),
        ("\udcff", r"\udcff"),
    ],
)
def test_what_a_terminal_would_obey_is_written_out(character, written):
    assert visible(f"a{character}b") == f"a{written}b"


def test_ordinary_writing_stays_as_it_is():
    text = "two lines,\n\ttab, µ, ü, ─│┼, “quotes”, 幽霊 👻"
    assert visible(text) == text
