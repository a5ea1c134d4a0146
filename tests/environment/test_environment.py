"""The game for PettingZoo: its own tests, states that really restore, and tables that tell the truth."""
# ruff: noqa: N802 - rules are named as the rulebook numbers them

from __future__ import annotations

import copy
import json
import pickle
import random
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.children import run
from tests.hidden import carried_to, otherwise_dealt, played, useful_spaces
from twin.board.castle import GARMENT_CODES
from twin.board.grid import STANDING_SPACES, centre
from twin.board.machine import load_machine
from twin.board.moves import Push
from twin.board.state import COLOURS, State
from twin.drawing.palette import GHOSTS
from twin.environment.action_index import ACTIONS, SEATS, action_name, action_rows, to_action, to_index
from twin.environment.masks import action_mask
from twin.environment.observation_vector import BLOCKS, LENGTH, observation_rows, observation_vector, state_vector
from twin.environment.picture import FRAME, HEIGHT, draw
from twin.environment.render import board_now, table_text
from twin.environment.settings import Settings, later_seed
from twin.errors import BadInputError, BarredMoveError, MissingExtraError
from twin.game.actions import Search
from twin.game.board import Table
from twin.game.no_preview import NoForesight
from twin.game.positions import PLACE, Options, Pending, new_game
from twin.game.rules import apply, legal_actions
from twin.reports.board_text import Paint

pettingzoo = pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")

from pettingzoo.test import (  # noqa: E402
    api_test,
    max_cycles_test,
    parallel_api_test,
    render_test,
    seed_test,
)
from pettingzoo.test.state_test import state_test  # noqa: E402

import twin.environment as environments  # noqa: E402
from twin.environment import env, parallel_env, raw_env  # noqa: E402
from twin.environment.pettingzoo_env import Environment  # noqa: E402

MACHINE = load_machine()
TABLE = Table(MACHINE)
DOCS = Path(__file__).parent.parent.parent / "docs" / "environments.md"

# PettingZoo warns about every observation with a mask in it that is not one of its own games'.
dict_observations = pytest.mark.filterwarnings("ignore:Observation:UserWarning")


class TestTheirTests:
    @dict_observations
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_api(self, players):
        api_test(env(players=players, max_turns=30), num_cycles=40)

    @dict_observations
    def test_api_of_the_raw_environment(self):
        api_test(raw_env(), num_cycles=20)

    def test_seed(self):
        seed_test(lambda: env(players=3, max_turns=20), num_cycles=40)

    def test_max_cycles(self):
        max_cycles_test(environments)

    @pytest.mark.parametrize("players", [3, 4])
    def test_max_cycles_with_more_players(self, players):
        def of(kind):
            return lambda max_cycles: kind(max_cycles=max_cycles, players=players)

        max_cycles_test(SimpleNamespace(env=of(env), parallel_env=of(parallel_env)))

    def test_render(self):
        render_test(env)

    @dict_observations
    def test_parallel_api(self):
        parallel_api_test(parallel_env(max_turns=10), num_cycles=30)

    def test_state(self):
        state_test(env(max_cycles=6), parallel_env(max_cycles=6), num_cycles=4)


def choose(observation, dice):
    """A legal action; relocations, which are the most, only now and then."""
    numbers = np.flatnonzero(observation["action_mask"])
    few = [n for n in numbers.tolist() if not action_name(n).startswith("relocate")]
    return int(dice.choice(few if few and dice.random() < 0.9 else list(numbers)))


def trajectory(game, dice, steps):
    """Everything that can be noticed of an environment over some steps."""
    told = []
    for _ in range(steps):
        if not game.agents:
            break
        observation, reward, terminated, truncated, info = game.last()
        dead = terminated or truncated
        action = None if dead else choose(observation, dice)
        told.append(
            (
                game.agent_selection,
                {k: v.tolist() for k, v in observation.items()},
                {agent: game.observe(agent)["observation"].tolist() for agent in game.agents},
                (reward, terminated, truncated, info["action_mask"].tolist()),
                (dict(game.rewards), action, game.state().tolist()),
            )
        )
        game.step(action)
    return told


class TestState:
    @settings(max_examples=15, deadline=None)
    @given(
        st.integers(0, 999),
        st.integers(0, 25),
        st.fixed_dictionaries(
            {
                "players": st.integers(2, 4),
                "mask_b6": st.booleans(),
                "as_is": st.booleans(),
                "max_turns": st.integers(1, 6),
                "max_cycles": st.sampled_from([None, 5]),
            }
        ),
    )
    def test_a_state_given_back_goes_on_the_same_way(self, seed, steps, arguments):
        """In the same environment, in a clone, and in a fresh one from JSON: same actions, same everything."""
        game = env(**arguments)
        game.reset(seed=seed)
        trajectory(game, random.Random(seed), steps)
        state = game.get_state()
        clone = game.clone()
        fresh = env(**arguments)
        fresh.set_state(json.loads(json.dumps(state)))
        once = trajectory(game, random.Random(seed + 1), 12)
        game.reset(seed=5)
        game.set_state(state)
        for other in (game, clone, fresh):
            assert other.get_state() == state
            assert trajectory(other, random.Random(seed + 1), 12) == once

    @pytest.mark.parametrize("again", [lambda game: pickle.loads(pickle.dumps(game)), copy.deepcopy])
    def test_an_environment_can_be_copied_and_sent_about(self, again):
        game = env(players=3)
        game.reset(seed=2)
        trajectory(game, random.Random(1), 5)
        other = again(game)
        assert other.get_state() == game.get_state()
        assert trajectory(other, random.Random(3), 8) == trajectory(game, random.Random(3), 8)

    def test_a_clone_goes_its_own_way(self):
        game = env(hand="exact")
        game.reset(seed=1)
        before = game.get_state()
        clone = game.clone()
        clone.step(0)
        assert game.get_state() == before
        assert clone.get_state() != before

    def test_a_lost_game_is_restored_as_lost(self):
        game = env()
        game.reset(seed=1)
        game.step(17)  # nothing is in hand to be kept
        clone = game.clone()
        assert all(clone.terminations.values())
        for agent in clone.agent_iter():
            assert clone.last()[1] == (-1.0 if agent == "player_0" else 0.0)
            clone.step(None)
        assert clone.agents == []

    def test_a_state_before_the_first_reset(self):
        game = env()
        other = env()
        other.set_state(game.get_state())
        with pytest.raises(AttributeError):
            _ = other.agents
        other.reset(seed=3)
        assert other.agents == ["player_0", "player_1"]

    def test_a_state_of_other_settings_is_refused(self):
        game = env(players=2)
        game.reset()
        with pytest.raises(BadInputError, match="same settings"):
            env(players=3).set_state(game.get_state())

    def test_later_games_are_drawn_from_the_seed(self):
        one, other = env(), env()
        one.reset(seed=9)
        other.reset(seed=9)
        assert one.raw.game.options.seed == 9
        for game in (one, other):
            game.reset()
        assert one.raw.game == other.raw.game
        assert one.raw.game.options.seed != 9
        assert later_seed(9, 1) == one.raw.game.options.seed


class TestIllegal:
    def test_the_default_is_to_lose(self):
        game = env(players=3)
        game.reset(seed=1)
        game.step(17)
        rewards = {}
        for agent in game.agent_iter():
            rewards[agent] = game.last()[1]
            game.step(None)
        assert rewards == {"player_0": -1.0, "player_1": 0.0, "player_2": 0.0}

    def test_raw_names_the_rule_and_changes_nothing(self):
        game = raw_env()
        game.reset(seed=1)
        before = game.get_state()
        with pytest.raises(BarredMoveError) as error:
            game.step(17)
        assert error.value.broken == ("Q5",)
        assert game.get_state() == before

    def test_ignored_actions_are_wasted(self):
        game = env(illegal="ignore")
        game.reset(seed=1)
        position = game.raw.game
        game.step(17)
        assert game.raw.game == position
        assert game.agents == ["player_0", "player_1"]

    def test_S1_the_ghost_of_nobody_cannot_be_placed(self):
        game = new_game(MACHINE, Options(("red", "blue")))
        with pytest.raises(BarredMoveError) as error:
            to_action(ACTIONS - 1, game, MACHINE)
        assert error.value.broken == ("S1",)

    @pytest.mark.parametrize(
        ("arguments", "field"),
        [
            ({"players": 5}, "players"),
            ({"players": ("red", "pink")}, "players"),
            ({"hand": "left"}, "hand"),
            ({"engine": "steam"}, "engine"),
            ({"max_turns": 0}, "max_turns"),
            ({"max_cycles": 0}, "max_cycles"),
            ({"render_mode": "smell"}, "render_mode"),
            ({"illegal": "laugh"}, "illegal"),
            ({"speed": 3}, "speed"),
        ],
    )
    def test_bad_arguments_are_named(self, arguments, field):
        with pytest.raises(BadInputError, match=field):
            env(**arguments)


class TestB6:
    def start(self, **arguments):
        """A position in which the slider C would push red into blue and blue off the board."""
        game = raw_env(players=("red", "blue"), hand="exact", **arguments)
        game.reset(seed=1)
        board = game.game.board.on_spaces({"red": "f6", "blue": "f7"}, MACHINE.space)
        state = game.get_state()
        state["game"]["board"]["ghosts"] = {colour: list(place) for colour, place in board.ghosts}
        game.set_state(state)
        return game

    def test_B6_a_mask_is_a_preview(self):
        """It shows what B2 would not let a person try out."""
        game = self.start()
        push = to_index(Push("C", "north"), game.game, MACHINE)
        assert not game.observe("player_0")["action_mask"][push]
        with pytest.raises(BarredMoveError) as error:
            game.step(push)
        assert error.value.broken == ("B6",)

    def test_B6_without_the_preview_the_push_is_refused_and_another_chosen(self):
        game = self.start(mask_b6=False)
        push = to_index(Push("C", "north"), game.game, MACHINE)
        assert game.observe("player_0")["action_mask"][push]
        position = game.game
        game.step(push)
        assert game.game == position
        assert game.agent_selection == "player_0"
        assert not game.observe("player_0")["action_mask"][push]
        clone = game.clone()
        assert not clone.observe("player_0")["action_mask"][push]
        game.step(0)
        assert game.game.moves == 1

    def test_B6_is_all_that_the_two_masks_differ_in(self):
        dice = random.Random(4)
        for seed in range(10):
            game = played(new_game(MACHINE, Options(COLOURS, seed=seed)), TABLE, dice, 8)
            blind, sharp = action_mask(game, NoForesight(TABLE)), action_mask(game, TABLE)
            differ = [to_action(n, game, MACHINE) for n in np.flatnonzero(blind != sharp).tolist()]
            assert all(blind >= sharp)
            assert all(isinstance(a, Push) and TABLE.broken(game.board, a) == ("B6",) for a in differ)


class TestObservation:
    @settings(max_examples=25, deadline=None)
    @given(st.integers(0, 999), st.integers(0, 20), st.permutations(COLOURS), st.integers(2, 4))
    def test_nothing_leaks(self, seed, steps, colours, count):
        """Two games that differ only in what a player cannot know give it equal observations, masks and infos (Q2)."""
        dice = random.Random(seed)
        players = tuple(colours[:count])
        game = played(new_game(MACHINE, Options(players, seed=seed)), TABLE, dice, steps)
        if game.is_over:
            return
        one, other = raw_env(players=players), raw_env(players=players)
        for seat in range(count):
            for environment, position in ((one, game), (other, otherwise_dealt(game, seat, dice))):
                environment.reset()
                environment._game = position
                environment.agent_selection = f"player_{position.seat}"
                environment._tell()
            agent = f"player_{seat}"
            seen, also = one.observe(agent), other.observe(agent)
            for key, value in seen.items():
                assert np.array_equal(value, also[key])
            assert np.array_equal(one.infos[agent]["action_mask"], other.infos[agent]["action_mask"])

    @settings(max_examples=25, deadline=None)
    @given(st.integers(0, 999), st.integers(0, 20))
    def test_the_vector_says_what_the_table_says(self, seed, steps):
        """Read back block by block, it is the position: phases, seats, sliders, ghosts, cards and decks."""
        game = played(
            new_game(MACHINE, Options(("green", "red", "blue"), seed=seed)), TABLE, random.Random(seed), steps
        )
        for seat in range(3):
            vector = observation_vector(game, seat, MACHINE)
            assert vector.shape == (LENGTH,)
            assert np.abs(vector).max() <= 1.0
            blocks = {n: vector[b.start : b.start + b.size].reshape(b.shape) for n, b in BLOCKS.items()}
            board = board_now(game, MACHINE)
            assert blocks["orientation"].argmax() == board.orientation
            assert blocks["seats"].tolist() == [1.0, 1.0, 1.0, 0.0]
            assert blocks["moves_left"].argmax() == game.moves_left
            if not game.is_over:
                assert (blocks["turn_of"].argmax() + seat) % 3 == game.seat
            for row, slider in zip(blocks["sliders"], board.sliders, strict=True):
                read = (row[:5].argmax() + 1, row[5:10].argmax() - 2, bool(row[10]))
                assert read == (slider.tunnel, slider.offset, slider.flipped)
            codes = list(GARMENT_CODES)
            for offset in range(3):
                owned = {codes[k] for k in np.flatnonzero(blocks["cards"][offset])}
                assert owned == set(game.owned[(seat + offset) % 3])
                spaces = {STANDING_SPACES[k] for k in np.flatnonzero(blocks["ghosts"][offset, :-2])}
                assert len(spaces) == 1 or game.phase == PLACE
            for row, deck, known in zip(blocks["decks"], game.decks, game.seen[seat], strict=True):
                assert row[0] == pytest.approx(len(deck) / 5)
                assert bool(row[6]) == (known is not None)
                assert {codes[k] for k in np.flatnonzero(row[7:])} == (known or set())

    def test_the_observer_comes_first(self):
        """Each seat sees itself where the others see the next player, and so on."""
        game = new_game(MACHINE, Options(("red", "yellow", "green")))
        block = BLOCKS["ghosts"]
        views = [
            observation_vector(game, seat, MACHINE)[block.start : block.start + block.size].reshape(block.shape)
            for seat in range(3)
        ]
        for seat in range(3):
            assert np.array_equal(views[seat][0], views[0][seat])
            assert np.array_equal(views[seat][1], views[0][(seat + 1) % 3])

    def test_a_searched_deck_is_seen_by_the_searcher_alone(self):
        """Q2: others see which deck is held, and the back on top."""
        game = new_game(MACHINE, Options(("red", "blue")))
        game = carried_to(game, useful_spaces(game, MACHINE)[0], MACHINE)
        game, _ = apply(game, Search(2), TABLE)
        own, other = observation_vector(game, 0, MACHINE), observation_vector(game, 1, MACHINE)
        decks, searched = BLOCKS["decks"], BLOCKS["searched"]
        width = decks.shape[1]
        known = slice(decks.start + width + 6, decks.start + 2 * width)
        assert own[known].sum() >= 5
        assert other[known].sum() == 0
        for vector in (own, other):
            assert vector[searched.start : searched.start + searched.size].tolist() == [0, 1, 0, 0]

    def test_the_global_view_holds_the_decks(self):
        game = new_game(MACHINE, Options(("red", "blue")))
        decks = state_vector(game, MACHINE)[LENGTH:].reshape(4, 5, 20)
        codes = list(GARMENT_CODES)
        assert tuple(tuple(codes[row.argmax()] for row in deck) for deck in decks) == game.decks


class TestActions:
    @settings(max_examples=20, deadline=None)
    @given(st.integers(0, 999), st.integers(0, 25), st.integers(2, 4), st.booleans())
    def test_numbers_and_actions_are_one_to_one(self, seed, steps, count, wandering):
        options = Options(COLOURS[:count], seed=seed, wandering_decks=wandering)
        game = played(new_game(MACHINE, options), TABLE, random.Random(seed), steps)
        mask = action_mask(game, TABLE)
        actions = legal_actions(game, TABLE)
        assert mask.sum() == len(actions)
        for action in actions:
            number = to_index(action, game, MACHINE)
            assert mask[number]
            assert to_action(number, game, MACHINE) == action

    def test_names_are_unique(self):
        names = [action_name(n) for n in range(ACTIONS)]
        assert len(set(names)) == ACTIONS == 369

    @pytest.mark.parametrize("number", [-1, ACTIONS])
    def test_there_are_no_other_numbers(self, number):
        with pytest.raises(BadInputError, match="0 to 368"):
            to_action(number, new_game(MACHINE, Options(("red", "blue"))), MACHINE)

    @pytest.mark.parametrize(
        ("number", "name"),
        [
            (0, "turn cw"),
            (1, "turn ccw"),
            (2, "push A north"),
            (7, "push C south"),
            (8, "drag north"),
            (12, "search 1"),
            (16, "stop"),
            (17, "keep"),
            (18, "top headgear"),
            (26, "put 4"),
            (27, "relocate A 1 -2"),
            (176, "relocate C 5 2 flip"),
            (177, "place own a1"),
            (225, "place next a1"),
            (368, "place fourth g7"),
        ],
    )
    def test_numbers_never_change(self, number, name):
        """Policies that were trained yesterday must play today."""
        assert action_name(number) == name

    def test_blocks_never_move(self):
        starts = {name: block.start for name, block in BLOCKS.items()}
        assert starts == {
            "phase": 0, "turn_of": 4, "seats": 8, "moves_left": 12, "time": 16, "orientation": 17, "sliders": 21,
            "ghosts": 54, "cards": 254, "decks": 334, "searched": 442,
        }  # fmt: skip
        assert LENGTH == 446
        assert len(SEATS) == 4


class TestPage:
    def test_the_tables_are_those_of_the_code(self):
        text = DOCS.read_text(encoding="utf-8")
        for row in (*action_rows(), *observation_rows()):
            line = "| " + " | ".join(row) + " |"
            assert line in text, f"docs/environments.md must have the line {line}"
        for field in Settings.__dataclass_fields__:
            assert f"`{field}`" in text, f"docs/environments.md must explain `{field}`"


class TestRendering:
    def test_text_and_picture_show_what_everybody_sees(self):
        """Nothing of it depends on hidden cards."""
        dice = random.Random(2)
        game = played(new_game(MACHINE, Options(COLOURS, seed=3)), TABLE, dice, 12)
        other = otherwise_dealt(game, 0, dice)
        plain = Paint(coloured=False)
        assert table_text(game, MACHINE, plain) == table_text(other, MACHINE, plain)
        picture = draw(game, board_now(game, MACHINE), MACHINE)
        assert np.array_equal(picture, draw(other, board_now(other, MACHINE), MACHINE))
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20

    def test_ghosts_are_drawn_where_they_stand(self):
        game = raw_env(players=("red", "blue"), render_mode="rgb_array")
        game.reset(seed=1)
        picture = game.render()
        assert isinstance(picture, np.ndarray)
        x, up = FRAME.to_pixels(centre("a1", MACHINE.space))
        around = picture[HEIGHT - int(up) - 25 : HEIGHT - int(up) + 25, int(x) - 25 : int(x) + 25].astype(int)
        rows, columns = np.nonzero(np.abs(around - GHOSTS["red"][:3]).sum(axis=2) < 30)
        assert len(rows) > 100, "in the colour that all pictures have"
        assert (columns.mean(), rows.mean()) == pytest.approx((25, 25), abs=3)

    def test_all_ghosts_that_may_be_put_on_a_space_are_seen_there(self):
        game = new_game(MACHINE, Options(COLOURS, seed=3))
        board = State.of(0, {}, game.board.sliders)

        def picture(*colours):
            options = tuple((colour, ("c4", "c5")) for colour in colours)
            return draw(replace(game, pending=Pending(0, board.sliders, options)), board, MACHINE).tobytes()

        assert len({picture(), picture("red"), picture("blue"), picture("red", "blue")}) == 4

    def test_a_person_gets_a_window(self):
        from matplotlib import pyplot as plt

        from twin.environment.screen import TITLE

        game = env(render_mode="human")
        game.reset(seed=1)
        assert not plt.fignum_exists(TITLE)
        game.step(0)
        shown = plt.figure(TITLE).images[0].get_array()
        other = game.clone()
        other.raw.render_mode = "rgb_array"
        assert np.array_equal(np.asarray(shown), other.render())
        game.close()
        assert not plt.fignum_exists(TITLE)


def test_an_environment_is_what_the_contract_says():
    game = env(players=2, engine="kernel", hand="exact", max_turns=3)
    assert isinstance(game, Environment)
    assert isinstance(game.unwrapped, raw_env)
    assert game.possible_agents == ["player_0", "player_1"]
    game.reset(seed=0)
    assert str(game) == "ab_durch_die_mauer_v0"
    for agent in game.agent_iter():
        observation, _, terminated, truncated, _ = game.last()
        assert not terminated
        if truncated:
            game.step(None)
            continue
        mask = observation["action_mask"]
        game.step(1 if not mask[16] else 16)
        assert agent in game.possible_agents
    assert game.raw.game.turn == 3


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setattr(environments, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"mauer-twin\[pettingzoo\]"):
        environments.__getattr__("env")
    with pytest.raises(AttributeError):
        environments.__getattr__("lunch")


def test_importing_the_package_loads_no_extra():
    code = (
        "import sys, twin.environment; print(*[n for n in ('pettingzoo', 'gymnasium', 'pyspiel') if n in sys.modules])"
    )
    loaded = run([sys.executable, "-c", code])
    assert (loaded.returncode, loaded.stdout.split()) == (0, [])
