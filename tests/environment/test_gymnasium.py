"""One seat of the game for Gymnasium, with opponents at the others."""
# ruff: noqa: N802 - rules are named as the rulebook numbers them

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.hidden import otherwise_dealt, played
from twin.board.machine import load_machine
from twin.board.moves import Push
from twin.environment.action_index import ACTIONS, action_name, to_action, to_index
from twin.environment.observation_vector import observation_vector
from twin.errors import BadInputError
from twin.game.board import Table
from twin.game.positions import Options, new_game
from twin.game.rules import apply

gymnasium = pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from twin.environment import SinglePlayer, register_gymnasium  # noqa: E402

MACHINE = load_machine()
TABLE = Table(MACHINE)


def choose(observation, dice):
    numbers = np.flatnonzero(observation["action_mask"])
    few = [n for n in numbers.tolist() if not action_name(n).startswith("relocate")]
    return int(dice.choice(few or list(numbers)))


@pytest.mark.parametrize("arguments", [{}, {"players": 4, "seat": 2}, {"mask_b6": False, "hand": "exact"}])
def test_their_checker(arguments):
    check_env(gymnasium.make(register_gymnasium(), disable_env_checker=True, **arguments).unwrapped)


@pytest.mark.parametrize("mode", ["rgb_array", "ansi", "human"])
def test_their_checker_of_render_modes(mode):
    check_env(gymnasium.make(register_gymnasium(), disable_env_checker=True, render_mode=mode).unwrapped)


def test_a_game_can_be_played_to_its_end():
    game = SinglePlayer(players=3, seat=1, max_turns=12)
    dice = random.Random(1)
    observation, _ = game.reset(seed=4)
    for _ in range(200):
        assert game.game.seat == 1
        observation, reward, terminated, truncated, info = game.step(choose(observation, dice))
        assert game.observation_space.contains(observation)
        assert np.array_equal(info["action_mask"], observation["action_mask"])
        if terminated or truncated:
            break
    assert game.game.is_over
    assert reward == game.game.returns()["yellow"]
    assert not observation["action_mask"].any()
    with pytest.raises(BadInputError, match="over"):
        game.step(0)


def test_the_same_seed_and_actions_give_the_same_game():
    def run():
        game = SinglePlayer(max_turns=8)
        observation, _ = game.reset(seed=11)
        dice, told = random.Random(2), []
        for _ in range(12):
            observation, reward, terminated, truncated, _ = game.step(choose(observation, dice))
            told.append((observation["observation"].tolist(), reward, terminated, truncated))
            if terminated or truncated:
                break
        return told

    assert run() == run()


def test_an_illegal_action_loses_and_names_the_rule():
    """Q5: nothing is in hand to be kept."""
    game = SinglePlayer()
    game.reset(seed=1)
    observation, reward, terminated, truncated, info = game.step(17)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["broken"] == ["Q5"]
    assert not observation["action_mask"].any()


def test_B6_without_the_preview_a_refused_push_costs_nothing():
    game = SinglePlayer(players=("red", "blue"), mask_b6=False)
    game.reset(seed=1)
    game._game = new_game(MACHINE, Options(("red", "blue")))
    board = game.game.board.on_spaces({"red": "f6", "blue": "f7"}, MACHINE.space)
    from dataclasses import replace

    game._game = replace(game.game, board=board)
    push = to_index(Push("C", "north"), game.game, MACHINE)
    observation, reward, terminated, _, info = game.step(push)
    assert (reward, terminated, info["broken"]) == (0.0, False, ["B6"])
    assert not observation["action_mask"][push]


def test_an_opponent_may_be_a_function_of_what_it_sees():
    asked = []

    def policy(observation):
        asked.append(observation)
        return int(np.flatnonzero(observation["action_mask"])[-1])

    game = SinglePlayer(opponent=policy, hand="exact")
    game.reset(seed=3)
    position = game.game
    for action in (0, 16):  # turn, and stop
        game.step(action)
    assert game.game.seat == 0
    assert asked
    replayed = position
    for action in (0, 16):
        replayed, _ = apply(replayed, to_action(action, replayed, MACHINE), TABLE)
    assert np.array_equal(asked[0]["observation"], observation_vector(replayed, 1, MACHINE))


def test_an_opponent_may_be_a_bot():
    """Any bot of the twin, by its name."""
    bots = pytest.importorskip("twin.game.bots", reason="there are no bots")
    if not hasattr(bots, "make_bot"):
        pytest.skip("there are no bots")
    game = SinglePlayer(opponent="greedy", max_turns=4, hand="exact")
    game.reset(seed=3)
    game.step(0)
    game.step(16)
    assert game.game.seat == 0 or game.game.is_over


@pytest.mark.parametrize(("arguments", "field"), [({"seat": 2}, "seat"), ({"render_mode": "x"}, "render_mode")])
def test_bad_arguments_are_named(arguments, field):
    with pytest.raises(BadInputError, match=field):
        SinglePlayer(**arguments)


def test_nothing_leaks_into_what_you_see():
    """Q2: cards that you have not seen are not in your observation, mask or info."""
    game, dice = SinglePlayer(players=("red", "blue")), random.Random(5)
    for seed in range(8):
        position = played(new_game(MACHINE, Options(("red", "blue"), seed=seed)), TABLE, dice, 10)
        told = []
        for version in (position, otherwise_dealt(position, 0, dice)):
            game.reset(seed=1)
            game._game = version
            told.append(game._observed())
        for key in ("observation", "action_mask"):
            assert told[0][key].shape in {(446,), (ACTIONS,)}
            if key == "observation" or position.seat == 0:
                assert np.array_equal(told[0][key], told[1][key])
