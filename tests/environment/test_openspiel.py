"""The game for OpenSpiel: its own tests, and a playthrough that its own tooling replays.

python -m tests.environment.test_openspiel writes the playthrough anew, with other actions if rules have changed
"""
# ruff: noqa: N802 - rules are named as the rulebook numbers them

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.hidden import otherwise_dealt
from twin.board.castle import GARMENT_CODES, PARTS
from twin.board.machine import load_machine
from twin.environment.action_index import ACTIONS, action_name
from twin.environment.observation_vector import LENGTH, observation_vector
from twin.game.cards import part_of

pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")

from twin.environment import register_openspiel  # noqa: E402
from twin.environment.openspiel_game import deal_of  # noqa: E402

MACHINE = load_machine()
NAME = register_openspiel()
PLAYTHROUGH = Path(__file__).parent.parent / "playthroughs" / f"{NAME}.txt"
GAME = f"{NAME}(players=2,max_turns=6,hands=16)"


def tooling():
    """OpenSpiel's own generator of playthroughs; its flags have to be told that there is no command line."""
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()
    return generate_playthrough


def choose(state, dice):
    """Any outcome for chance, a search where one is open, else a legal action that is rarely a relocation."""
    if state.is_chance_node():
        return dice.choice([outcome for outcome, _ in state.chance_outcomes()])
    actions = state.legal_actions()
    searches = [a for a in actions if action_name(a).startswith("search")]
    few = [a for a in actions if not action_name(a).startswith("relocate")]
    return dice.choice(searches or (few if few and dice.random() < 0.9 else actions))


def walked(text, seed, steps=10_000):
    """A state after some random steps, or at the end."""
    state, dice = pyspiel.load_game(text).new_initial_state(), random.Random(seed)
    for _ in range(steps):
        if state.is_terminal():
            break
        state.apply_action(choose(state, dice))
    return state


@pytest.mark.parametrize(
    "arguments", ["max_turns=3", "players=4,max_turns=2,hand=exact", "wandering_decks=True,max_turns=2"]
)
def test_their_random_simulations(arguments):
    """With states that are written down and read again on the way."""
    game = pyspiel.load_game(f"{NAME}({arguments})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_the_playthrough_replays():
    original, again = tooling().replay(str(PLAYTHROUGH))
    assert again == original, "run python -m tests.environment.test_openspiel if that was meant"


def test_the_playthrough_is_worth_replaying():
    """It has turns, pushes, drags, hands and a search in it."""
    text = PLAYTHROUGH.read_text(encoding="utf-8")
    for word in ("turn ", "push ", "drag ", "search ", "hand "):
        assert f'# Apply action "{word}' in text


def test_S5_every_deal_is_a_deal():
    """Each deck has one card of each back, whatever chance deals."""
    dice = random.Random(1)
    for _ in range(50):
        outcomes = tuple(dice.randrange(24) for _ in range(5)) + tuple(dice.randrange(120) for _ in range(4))
        decks = deal_of(outcomes)
        assert Counter(card for deck in decks for card in deck) == Counter(GARMENT_CODES.keys())
        assert all(sorted(map(part_of, deck)) == sorted(PARTS) for deck in decks)


def test_all_deals_are_different():
    """Chance is uniform: no two outcomes of a node deal the same."""
    first = {deal_of((outcome, *[0] * 8)) for outcome in range(24)}
    last = {deal_of((*[0] * 8, outcome)) for outcome in range(120)}
    assert (len(first), len(last)) == (24, 120)


def test_chance_draws_a_hand_for_turns_and_pushes_only():
    state = walked(f"{NAME}(hands=8)", 1, steps=9)
    assert not state.is_chance_node()
    drag = state.child(next(a for a in state.legal_actions() if action_name(a).startswith("drag")))
    assert not drag.is_chance_node()
    turn = state.child(0)
    assert turn.is_chance_node()
    assert [p for _, p in turn.chance_outcomes()] == [1 / 8] * 8
    assert not walked(f"{NAME}(hand=exact)", 1, steps=9).child(0).is_chance_node()


def test_observations_are_those_of_the_other_environments():
    for seed in range(6):
        state = walked(f"{NAME}(players=3,max_turns=9)", seed, steps=30)
        for player in range(3):
            own = observation_vector(state.game, player, MACHINE)
            assert np.array_equal(np.array(state.observation_tensor(player), np.float32), own)
            assert len(own) == LENGTH
        if not state.is_terminal() and not state.is_chance_node():
            assert all(0 <= action < ACTIONS for action in state.legal_actions())


def test_nothing_leaks():
    """Q2: what a player sees, and all it has seen, do not depend on cards that it cannot know."""
    dice = random.Random(3)
    looked = 0
    for seed in range(12):
        state = walked(f"{NAME}(max_turns=20)", seed, steps=dice.randrange(9, 60))
        for player in range(2):
            other = state.clone()
            other.game = otherwise_dealt(state.game, player, dice)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            looked += any(known is not None for known in state.game.seen[player])
    assert looked, "nobody has searched"


def test_information_states_are_told_apart_by_what_was_seen_alone():
    """Two deals that differ in cards nobody has seen give equal information states; a search tells them apart."""
    same, other = (0, 0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 1, 0, 0, 0, 0)
    assert [part_of(d[0]) for d in deal_of(same)] == [part_of(d[0]) for d in deal_of(other)]
    states = []
    for outcomes in (same, other):
        state = pyspiel.load_game(f"{NAME}(hand=exact,max_turns=50)").new_initial_state()
        for outcome in outcomes:
            state.apply_action(outcome)
        states.append(state)
    assert states[0].game.decks != states[1].game.decks
    dice = random.Random(2)
    for _ in range(300):
        action = choose(states[0], dice)
        searcher = states[0].current_player() if action_name(action).startswith("search") else None
        for state in states:
            state.apply_action(action)
        if searcher is not None:
            break
        for player in range(2):
            assert states[0].information_state_string(player) == states[1].information_state_string(player)
    assert searcher is not None, "nobody has searched"
    told = [state.information_state_string(searcher) for state in states]
    assert told[0] != told[1], "the searcher has seen the cards"
    assert states[0].game.owned == states[1].game.owned, "nothing was found, or the same"
    assert states[0].information_state_string(1 - searcher) == states[1].information_state_string(1 - searcher)


def test_a_copy_goes_its_own_way():
    state = walked(f"{NAME}(hand=exact)", 1, steps=9)
    copy = state.clone()
    copy.apply_action(0)
    assert state.game != copy.game
    assert state.history() != copy.history()


def test_the_end_is_worth_nothing_in_sum():
    state = walked(f"{NAME}(players=3,max_turns=2)", 4)
    assert state.is_terminal()
    assert sum(state.returns()) == pytest.approx(0.0)
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


if __name__ == "__main__":
    for number in range(1000):
        history = walked(GAME, number).history()
        written = tooling().playthrough(GAME, [int(action) for action in history])
        if all(f'# Apply action "{word}' in written for word in ("turn ", "push ", "drag ", "search ", "hand ")):
            PLAYTHROUGH.write_text(written, encoding="utf-8")
            break
