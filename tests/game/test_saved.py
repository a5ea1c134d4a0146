"""Saved games that somebody has edited: refused with the field that is wrong, or as good as any other."""
# ruff: noqa: N802 - rules are named as the rulebook numbers them

from __future__ import annotations

import copy
import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.hidden import any_action, played
from twin.board.machine import load_machine
from twin.cli import main
from twin.errors import BadInputError, BarredMoveError
from twin.game.board import Table
from twin.game.positions import MOVE, PLACE, RETURN, Options, new_game
from twin.game.rules import apply, legal_actions
from twin.game.saved import dumps, game_json, observation, parse_game

if TYPE_CHECKING:
    from collections.abc import Iterator

MACHINE = load_machine()
TABLE = Table(MACHINE)
STRANGE: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 5, 99, 10**30, 1.5, float("nan"), float("inf"), "", "x", "1", "H1", "a1", "d4"),
    *([], {}, [1], [[]], {"a": 1}, ["H1"], ["a1"]),
)


def in_phase(phase):
    """A game of three that has come to a phase."""
    dice = random.Random(5)
    for seed in range(200):
        game = played(new_game(MACHINE, Options(("red", "blue", "green"), seed=seed)), TABLE, dice, 10)
        if game.phase == phase:
            return game
    pytest.fail("no game came to this phase")


GAMES = {phase: in_phase(phase) for phase in (MOVE, PLACE, RETURN)}


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value in a JSON value, but not to the whole."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield (*path, key)
        yield from places(item, (*path, key))


def edited(data: dict[str, Any], path: tuple[Any, ...], *value: object) -> dict[str, Any]:
    """A copy with one value changed, or left out if none is given."""
    data = copy.deepcopy(data)
    inner: Any = data
    for key in path[:-1]:
        inner = inner[key]
    if value:
        inner[path[-1]] = value[0]
    else:
        del inner[path[-1]]
    return data


@pytest.mark.parametrize("phase", GAMES)
def test_whatever_is_edited_is_refused_or_can_be_played(phase):
    """One value of a file is replaced by a strange one, or left out, everywhere in turn."""
    data = game_json(GAMES[phase])
    refused = 0
    for path in places(data):
        for change in (*((value,) for value in STRANGE), ()):
            try:
                game = parse_game(json.loads(json.dumps(edited(data, path, *change))), MACHINE)
            except BadInputError:
                refused += 1
                continue
            if game == GAMES[phase]:
                continue
            assert parse_game(json.loads(dumps(game)), MACHINE) == game
            for player in game.options.players:
                observation(game, player, MACHINE)
            apply(game, any_action(legal_actions(game, TABLE), random.Random(1)), TABLE)
    assert refused > 1000


@pytest.mark.parametrize(
    ("phase", "path", "value", "field"),
    [
        (MOVE, ("options", "seed"), "x", "options.seed"),
        (MOVE, ("options", "stop_early"), "no", "options.stop_early"),
        (MOVE, ("options", "max_turns"), 0, "options.max_turns"),
        (MOVE, ("options", "luck"), 1, "options.luck"),
        (MOVE, ("board", "orientation"), 4, "board.orientation"),
        (MOVE, ("board", "ghosts", "red", 0), 3.0, "board.ghosts"),
        (MOVE, ("board", "sliders", 0, 2), 3, "board"),
        (MOVE, ("seat",), 7, "seat"),
        (MOVE, ("turn",), 401, "turn"),
        (MOVE, ("chance",), 999, "chance"),
        (MOVE, ("winner",), 0, "winner"),
        (MOVE, ("phase",), "over", "phase"),
        (MOVE, ("seen", 0), [["H1"], None, None, None], "seen"),
        (RETURN, ("searched",), 4, "searched"),
        (RETURN, ("moves",), 1.5, "moves"),
        (PLACE, ("pending", "orientation"), 9, "pending.orientation"),
        (PLACE, ("pending", "sliders"), [], "pending.sliders"),
        (PLACE, ("pending", "still"), {"red": [0, 0]}, "pending.still"),
        (PLACE, ("moves",), 0, "moves"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(phase, path, value, field):
    with pytest.raises(BadInputError) as error:
        parse_game(edited(game_json(GAMES[phase]), path, value), MACHINE)
    assert error.value.field.startswith(field)


def test_S5_a_deck_with_two_cards_of_one_back_is_refused():
    data = game_json(new_game(MACHINE, Options(("red", "blue"))))
    one, other = data["decks"][:2]
    head, face = (next(card for card in one if card[0] == letter) for letter in "HF")
    other_head = next(card for card in other if card[0] == "H")
    one[one.index(face)], other[other.index(other_head)] = other_head, face
    assert {head, other_head} <= set(one)
    with pytest.raises(BadInputError, match="S5"):
        parse_game(data, MACHINE)


def test_a_missing_field_is_named():
    data = game_json(GAMES[MOVE])
    for field in set(data) - {"kind", "schema"}:
        with pytest.raises(BadInputError) as error:
            parse_game(edited(data, (field,)), MACHINE)
        assert error.value.field == field


@pytest.mark.parametrize(
    ("action", "number"),
    [
        ("place red c5", "D4"),
        ("search 2", "Q7"),
        ("drag blue north", "A1"),
        ("drag red south", "A1"),
        ("keep", "Q5"),
        ("put 2", "Q5"),
        ("stop", "T1"),
        ("relocate A 3 0", "C2"),
    ],
)
def test_an_illegal_action_ends_with_3_its_rule_and_the_file_as_it_was(action, number, tmp_path, capsys):
    path = tmp_path / "game.json"
    assert main(["game", "new", str(path), "--players", "red,blue"]) == 0
    before = path.read_bytes()
    assert main(["game", "act", str(path), action]) == 3
    assert number in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("problem", "told"), [("nothing to place", "nothing to place (D4)"), ("barred by D4", "barred by D4")]
)
def test_an_error_names_the_rules_once(problem, told):
    assert str(BarredMoveError(problem, ("D4",))) == told
