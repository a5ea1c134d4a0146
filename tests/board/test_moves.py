"""Moves: the one grammar, read and written, and the words that are outside it."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.strategies import texts, written_moves
from twin.board.moves import Drag, Move, Push, Relocate, Turn, move_json, parse_move
from twin.errors import BadInputError

MOVES = {
    "turn cw": Turn("cw"),
    "turn ccw": Turn("ccw"),
    "push A north": Push("A", "north"),
    "push B south": Push("B", "south"),
    "drag red east": Drag("red", "east"),
    "drag blue north": Drag("blue", "north"),
    "relocate A 2 -1": Relocate("A", 2, -1),
    "relocate C 4 0 flip": Relocate("C", 4, 0, flip=True),
}

BAD = {
    "nothing": ("", "turn cw|ccw"),
    "blanks": ("   ", "got '   '"),
    "unknown verb": ("jump red north", "a move must be one of"),
    "capital verb": ("Turn cw", "a move must be one of"),
    "turn without direction": ("turn", "turn cw|ccw"),
    "turn to nowhere": ("turn left", "must be cw or ccw; got 'left'"),
    "turn twice": ("turn cw cw", "a move must be one of"),
    "push eastwards": ("push A east", "must be north or south"),
    "push without direction": ("push A", "push SLIDER north|south"),
    "push by two": ("push A north 2", "a move must be one of"),
    "drag diagonally": ("drag red northeast", "must be north, east, south or west"),
    "drag without ghost": ("drag north", "drag GHOST"),
    "relocate without offset": ("relocate A 2", "relocate SLIDER TUNNEL OFFSET [flip]"),
    "relocate to a word": ("relocate A two 0", "tunnel must be a whole number; got 'two'"),
    "relocate to a fraction": ("relocate A 2 1.5", "offset must be a whole number; got '1.5'"),
    "relocate and spin": ("relocate A 2 0 spin", "a move must be one of"),
}


@pytest.mark.parametrize("text", MOVES)
def test_the_grammar(text):
    assert parse_move(text) == MOVES[text]
    assert str(MOVES[text]) == text


@given(written_moves())
def test_what_is_written_is_read_again(move: Move) -> None:
    """Every move is read from its own text."""
    assert parse_move(str(move)) == move


def test_blanks_do_not_matter():
    assert parse_move("  push   A\tnorth \n") == Push("A", "north")


@pytest.mark.parametrize("case", BAD)
def test_words_outside_the_grammar(case):
    """Words that are no move are bad input, and the message says what would be right."""
    text, words = BAD[case]
    with pytest.raises(BadInputError, match="move") as caught:
        parse_move(text)
    assert caught.value.field == "move"
    assert words in str(caught.value)


@given(texts)
def test_any_text_is_a_move_or_bad_input(text: str) -> None:
    """Whatever people type, it is read, or told in a short message."""
    told = ""
    try:
        parse_move(text)
    except BadInputError as error:
        told = str(error)
    assert len(told) < 400


def test_a_long_text_is_told_in_short():
    with pytest.raises(BadInputError) as caught:
        parse_move("turn " * 10_000)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(("kind", "words"), [(Turn, ["up"]), (Push, ["A", "west"]), (Drag, ["red", "up"])])
def test_a_move_cannot_be_built_with_another_direction(kind, words):
    with pytest.raises(BadInputError, match="direction must be"):
        kind(*words)


def test_steps_and_quarters_have_signs():
    assert [Turn("cw").quarter, Turn("ccw").quarter] == [1, -1]
    assert [Push("A", "north").step, Push("A", "south").step] == [1, -1]


def test_moves_are_values():
    assert len({Turn("cw"), parse_move("turn cw"), Turn("ccw")}) == 2


@pytest.mark.parametrize(
    ("move", "data"),
    [
        (Turn("cw"), {"kind": "turn", "direction": "cw"}),
        (Push("A", "north"), {"kind": "push", "slider": "A", "direction": "north"}),
        (Drag("red", "west"), {"kind": "drag", "ghost": "red", "direction": "west"}),
        (Relocate("A", 2, -1), {"kind": "relocate", "slider": "A", "tunnel": 2, "offset": -1, "flip": False}),
    ],
    ids=str,
)
def test_moves_as_the_json_contract_writes_them(move, data):
    assert move_json(move) == data
