"""Many games at once are the same as one by one."""
# ruff: noqa: N802 - rules are named as the rulebook numbers them

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twin.board.machine import load_machine
from twin.board.moves import Move, Push, Turn
from twin.environment import VectorGames
from twin.environment.action_index import ACTIONS, action_name, to_index
from twin.environment.batched_board import Foresight
from twin.environment.observation_vector import LENGTH
from twin.errors import BadInputError, BarredMoveError
from twin.game.board import Table
from twin.game.positions import Options, new_game

MACHINE = load_machine()
RELOCATIONS = np.array([action_name(n).startswith("relocate") for n in range(ACTIONS)])


def choose(mask, dice):
    """A legal action; relocations, which are the most, only where there is nothing else."""
    numbers = np.flatnonzero(mask.astype(bool) & ~RELOCATIONS)
    return int(dice.choice(numbers if len(numbers) and dice.random() < 0.9 else np.flatnonzero(mask)))


@settings(max_examples=8, deadline=None)
@given(
    st.integers(0, 999),
    st.integers(1, 6),
    st.fixed_dictionaries(
        {
            "players": st.integers(2, 4),
            "hand": st.sampled_from(["varied", "exact"]),
            "max_turns": st.integers(1, 5),
            "mask_b6": st.booleans(),
            "as_is": st.booleans(),
            "wandering_decks": st.booleans(),
        }
    ),
)
def test_equal_to_single_environments_step_by_step(seed, count, arguments):
    """Observations, masks, seats, rewards, ends and the games themselves, through the ends of games and beyond."""
    pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")
    from twin.environment import raw_env

    many = VectorGames(count, **arguments)
    singles = [raw_env(**arguments) for _ in range(count)]
    step = many.reset(seed=seed)
    for n, single in enumerate(singles):
        single.reset(seed=seed + n)
    dice = np.random.default_rng(seed)
    for _ in range(25):
        assert many.games == tuple(single.game for single in singles)
        for n, single in enumerate(singles):
            told = single.observe(single.agent_selection)
            assert single.agent_selection == f"player_{step.seat[n]}"
            assert np.array_equal(told["observation"], step.observation[n])
            assert np.array_equal(told["action_mask"], step.action_mask[n])
        actions = [choose(step.action_mask[n], dice) for n in range(count)]
        step = many.step(actions)
        for n, (single, action) in enumerate(zip(singles, actions, strict=True)):
            single.step(action)
            rewards = [single.rewards[agent] for agent in single.possible_agents]
            assert np.array_equal(step.reward[n], np.array(rewards, np.float32))
            assert step.terminated[n] == any(single.terminations.values())
            assert step.truncated[n] == any(single.truncations.values())
            if step.terminated[n] or step.truncated[n]:
                single.reset()


def test_shapes():
    many = VectorGames(3, players=4, hand="exact")
    step = many.reset(seed=1)
    assert step.observation.shape == (3, LENGTH)
    assert step.action_mask.shape == (3, ACTIONS)
    assert step.reward.shape == (3, 4)
    assert not step.terminated.any()
    assert len({game.decks for game in many.games}) == 3


def test_an_illegal_action_moves_no_game():
    """Q5 in the second game: the first one has not turned either."""
    many = VectorGames(2)
    many.reset(seed=1)
    before = many.games
    with pytest.raises(BarredMoveError, match="game 1") as error:
        many.step([0, 17])
    assert error.value.broken == ("Q5",)
    assert many.games == before


def test_bad_arguments_are_named():
    with pytest.raises(BadInputError, match="count"):
        VectorGames(0)
    many = VectorGames(2)
    many.reset()
    with pytest.raises(BadInputError, match="actions"):
        many.step([0])


@pytest.mark.parametrize("engine", ["kernel", "pymunk"])
def test_foresight_tells_what_the_table_tells(engine):
    """B6 and what moves do, asked beforehand or one by one; the reference engine is always asked one by one."""
    table = Table(MACHINE, engine)
    board = Foresight(Table(MACHINE, engine))
    seeds = range(4 if engine == "kernel" else 1)
    games = [new_game(MACHINE, Options(("red", "yellow", "green", "blue"), seed=seed)) for seed in seeds]
    several: list[Move] = [Turn("cw"), Turn("ccw"), Push("A", "north"), Push("C", "south")]
    moves = several[: len(games)]
    board.ask_pushes([game.board for game in games])
    board.ask_moves(games, moves)
    for game, move in zip(games, moves, strict=True):
        assert board.happen(game.board, move, game) == table.happen(game.board, move, game)
        for slider in "ABC":
            for direction in ("north", "south"):
                push = Push(slider, direction)
                assert board.broken(game.board, push) == table.broken(game.board, push)


def test_B6_is_asked_for_many_positions_at_once():
    many = VectorGames(1, players=("red", "blue"))
    game = many.setup.begin(1)
    board = game.board.on_spaces({"red": "f6", "blue": "f7"}, MACHINE.space)
    many._board.ask_pushes([board])
    assert many._board.broken(board, Push("C", "north")) == ("B6",)
    assert many._board.broken(board, Push("C", "south")) == ()
    assert to_index(Push("C", "north"), game, MACHINE) == 6
