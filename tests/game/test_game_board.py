"""Shortcuts of the game's table: what is said without a full simulation is what the simulation says."""
# ruff: noqa: N802 - rules are named as the rulebook numbers them

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from twin.board.machine import load_machine
from twin.board.moves import Drag, DragDirection, Move, Push, Relocate, Turn
from twin.board.state import State
from twin.game.board import Table, pending, surely_dragged
from twin.game.positions import EXACT, Options, new_game
from twin.game.rules import Happening
from twin.outcome.engine import KERNEL, Twin
from twin.outcome.riding_share import random_state
from twin.physics.certainty import is_led_surely
from twin.physics.hand import NOMINAL, varied_hand

MACHINE = load_machine()
TABLE = Table(MACHINE)
GAME = new_game(MACHINE, Options(("red", "blue"), seed=5))
WAYS: tuple[DragDirection, ...] = ("north", "east", "south", "west")
MOVES: list[Move] = [Turn("cw"), Turn("ccw")]
MOVES += [Push(slider, way) for slider in "ABC" for way in ("north", "south")]


def long_way(state, move, hand):
    """What the engine itself tells, told as a happening."""
    outcome = Twin(MACHINE, KERNEL).act(state, move, hand, sensitivity=False)
    return Happening(
        pending(outcome, as_is=False),
        tuple((colour, ghost.fate) for colour, ghost in outcome.ghosts),
        tuple((colour, len(ghost.walls)) for colour, ghost in outcome.ghosts),
        outcome.landing.conflict,
    )


@pytest.mark.parametrize("ghosts", [2, 4])
def test_turns_and_pushes_happen_as_the_engine_tells(ghosts):
    """By varied hands, in crowded positions too: options, fates, walls and conflicts are the same."""
    dice = random.Random(ghosts)
    straddled = 0
    for number in range(200):
        state = random_state(MACHINE, dice, ghosts=ghosts)
        move = dice.choice(MOVES)
        if TABLE.broken(state, move):
            continue
        game = replace(GAME, board=state, chance=number)
        happened = TABLE.happen(state, move, game)
        assert happened == long_way(state, move, varied_hand(MACHINE, ghosts, 5, number)), (state, move)
        straddled += any(len(spaces) > 1 for _, spaces in happened.pending.options)
    assert straddled > 0, "some of them are choices"


def test_sure_drags_happen_as_the_reference_engine_tells():
    """A1 to A5: an allowed drag of centred ghosts ends where the proof says, and nobody else stirs."""
    dice = random.Random(3)
    checked = 0
    while checked < 40:
        state = random_state(MACHINE, dice, ghosts=dice.choice((2, 3, 4)))
        move = Drag(dice.choice(state.colours), dice.choice(WAYS))
        if TABLE.broken(state, move):
            continue
        told = surely_dragged(state, move, MACHINE)
        assert told is not None
        assert told == long_way(state, move, NOMINAL), (state, move)
        checked += 1


def test_nothing_is_sure_of_ghosts_off_their_centres():
    state = State.of(0, {"red": (-120.0, -119.0), "blue": (120.0, -120.0)}, GAME.board.sliders)
    assert not is_led_surely(state, MACHINE)
    assert surely_dragged(state, Drag("red", "north"), MACHINE) is None


def test_C1_C2_C3_open_relocations_are_the_ones_that_no_rule_forbids():
    """One answer for a slider and a tunnel holds for every offset, either way round."""
    dice = random.Random(8)
    for _ in range(30):
        state = random_state(MACHINE, dice, ghosts=dice.choice((1, 2, 4)))
        relocations = TABLE.open_relocations(state)
        for slider in "ABC":
            for tunnel in range(1, 6):
                move = Relocate(slider, tunnel, dice.randint(-2, 2), dice.random() < 0.5)
                barred = Twin(MACHINE).act(state, move, sensitivity=False).broken if dice.random() < 0.02 else None
                assert (TABLE.broken(state, move) == ()) == ((slider, tunnel) in relocations)
                assert barred is None or barred == TABLE.broken(state, move)
        assert TABLE.broken(state, Relocate("A", state.slider("A").tunnel, 3)) != ()


def test_B6_asked_of_one_push_is_what_is_said_of_all():
    dice = random.Random(4)
    barred = 0
    for _ in range(40):
        state = random_state(MACHINE, dice, ghosts=4)
        for slider in state.sliders:
            if slider.offset < 2:
                push = Push(slider.name, "north")
                alone = TABLE.bars_push(state, push)
                assert alone == ("B6" in Table(MACHINE).broken(state, push))
                barred += alone
    assert barred > 0


def test_with_the_exact_hand_a_move_happens_by_the_nominal_one():
    game = replace(GAME, options=replace(GAME.options, hand=EXACT))
    assert TABLE.happen(game.board, Turn("cw"), game) == long_way(game.board, Turn("cw"), NOMINAL)
