"""Whole games, action by action, legal and illegal ones in any order: what holds after every step."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.hidden import any_action, carried_to, otherwise_dealt, useful_spaces
from tests.rules_table import RULES
from twin.board.castle import GARMENT_CODES
from twin.board.grid import PLUG_SPACE
from twin.board.machine import load_machine
from twin.board.state import COLOURS, MAX_OFFSET, home_space, validate_state
from twin.environment.action_index import ACTIONS, to_action, to_index
from twin.environment.masks import action_mask
from twin.environment.observation_vector import observation_vector
from twin.environment.sightings import private_text, public_text
from twin.errors import BarredMoveError
from twin.game.actions import Search
from twin.game.board import Table
from twin.game.cards import DECKS
from twin.game.positions import MOVE, MOVES_A_TURN, PLACE, RETURN, Options, new_game
from twin.game.rules import apply, joint, legal_actions
from twin.game.saved import dumps, observation, parse_game

MACHINE = load_machine()
TABLE = Table(MACHINE)
LIMIT = 4096
"""Bytes that a saved game may take."""


class WholeGames(RuleBasedStateMachine):
    """Two to four players, with any of the options."""

    @initialize(
        players=st.permutations(COLOURS),
        count=st.integers(2, 4),
        seed=st.integers(0, 999),
        options=st.fixed_dictionaries(
            {
                "hand": st.sampled_from(["varied", "exact"]),
                "stop_early": st.booleans(),
                "wandering_decks": st.booleans(),
                "as_is": st.booleans(),
                "max_turns": st.sampled_from([4, 400]),
            }
        ),
    )
    def begin(self, players, count, seed, options):
        self.game = new_game(MACHINE, Options(tuple(players[:count]), seed=seed, **options))
        self.dice = random.Random(seed)

    @precondition(lambda self: not self.game.is_over)
    @rule(seed=st.integers(0, 999))
    def do_something_legal(self, seed):
        action = any_action(legal_actions(self.game, TABLE), random.Random(seed))
        before = self.game
        self.game, event = apply(before, action, TABLE)
        assert event.seat == before.seat
        assert self.game != before
        assert self.game.turn - before.turn in {0, 1}

    @precondition(lambda self: self.game.phase == MOVE)
    @rule(deck=st.integers(1, DECKS), choice=st.integers(0, 99))
    def search_somewhere(self, deck, choice):
        """Carry the ghost to a garment, so that searches are not rare, and look into a deck (Q1-Q4)."""
        spaces = useful_spaces(self.game, MACHINE)
        stands = carried_to(self.game, spaces[choice % len(spaces)], MACHINE)
        if stands.decks[deck - 1]:
            self.game, _ = apply(stands, Search(deck), TABLE)

    @precondition(lambda self: self.game.phase == MOVE)
    @rule(choice=st.integers(0, 99))
    def find_something(self, choice):
        """The same with luck: the deck is the one that holds the card, so that games are won (Q3, E1)."""
        spaces = useful_spaces(self.game, MACHINE)
        space = spaces[choice % len(spaces)]
        card = MACHINE.castle.code_at(space)
        for number, deck in enumerate(self.game.decks, start=1):
            if card in deck:
                self.game, event = apply(carried_to(self.game, space, MACHINE), Search(number), TABLE)
                assert event.found == card
                break

    @rule(index=st.integers(0, ACTIONS - 1))
    def try_anything(self, index):
        """An action that is not legal changes nothing and names the rule; a legal one is made."""
        before = dumps(self.game)
        legal = {to_index(action, self.game, MACHINE) for action in legal_actions(self.game, TABLE)}
        try:
            after, _ = apply(self.game, to_action(index, self.game, MACHINE), TABLE)
            broken: tuple[str, ...] = ()
        except BarredMoveError as error:
            after, broken = self.game, error.broken
        # Putting a ghost where it certainly goes (D4) is not offered, since it changes nothing, but it is no offence.
        assert (index in legal) == (not broken)
        assert set(broken) <= RULES.keys()
        assert dumps(self.game) == before
        self.game = after

    @invariant()
    def cards_are_conserved(self):
        """Twenty cards in decks and hands together (S5), one garment for each body part and player (Q6)."""
        cards = Counter(card for pile in (*self.game.decks, *self.game.owned) for card in pile)
        assert cards == Counter(GARMENT_CODES.keys())
        for seat, owned in enumerate(self.game.owned):
            assert len(self.game.parts(seat)) == len(owned)

    @invariant()
    def knowledge_is_true(self):
        """What a seat has seen is what lies there now, less what was taken before everybody's eyes (Q2, Q3)."""
        for row in self.game.seen:
            for known, deck in zip(row, self.game.decks, strict=True):
                assert known is None or known == frozenset(deck)

    @invariant()
    def the_board_is_legal(self):
        """Ghosts on spaces of their own, never on the plug's; sliders within B5, one in a tunnel."""
        validate_state(self.game.board, MACHINE)
        spaces = [home_space(self.game.board, colour, MACHINE) for colour in self.game.board.colours]
        assert len(set(spaces)) == len(spaces) == len(self.game.options.players)
        assert PLUG_SPACE not in spaces
        sliders = self.game.board.sliders
        assert len({slider.tunnel for slider in sliders}) == len(sliders) == 3
        assert all(abs(slider.offset) <= MAX_OFFSET for slider in sliders)

    @invariant()
    def the_game_can_go_on_or_is_over(self):
        """T1: there is always something to do, until the end; and the mask says the same."""
        actions = legal_actions(self.game, TABLE)
        assert bool(actions) != self.game.is_over
        assert len(set(actions)) == len(actions)
        numbers = sorted(to_index(action, self.game, MACHINE) for action in actions)
        assert numbers == list(np.flatnonzero(action_mask(self.game, TABLE)))
        assert [to_action(n, self.game, MACHINE) for n in numbers] == sorted(
            actions, key=lambda action: to_index(action, self.game, MACHINE)
        )

    @invariant()
    def the_phase_fits(self):
        game = self.game
        assert (game.phase == PLACE) == (game.pending is not None)
        assert (game.phase == RETURN) == (game.searched is not None)
        assert 0 <= game.moves <= MOVES_A_TURN
        if game.pending is not None:
            assert len(joint(game.pending)) > 1, "a single way needs no choice"
        assert sum(game.returns().values()) == pytest.approx(0.0)
        assert game.winner is None or len(game.parts(game.winner)) == 5

    @invariant()
    def a_saved_game_is_the_same(self):
        text = dumps(self.game)
        assert len(text.encode()) < LIMIT
        again = parse_game(json.loads(text), MACHINE)
        assert again == self.game
        assert hash(again) == hash(self.game)

    @invariant()
    def nothing_leaks(self):
        """Two games that differ only in what a player cannot know look the same to that player."""
        for seat, player in enumerate(self.game.options.players):
            other = otherwise_dealt(self.game, seat, self.dice)
            assert observation(other, player, MACHINE) == observation(self.game, player, MACHINE)
            seen, also = (observation_vector(game, seat, MACHINE) for game in (self.game, other))
            assert np.array_equal(seen, also)
            assert public_text(other, MACHINE) == public_text(self.game, MACHINE)
            assert private_text(other, seat) == private_text(self.game, seat)
            if seat == self.game.seat:
                assert np.array_equal(action_mask(other, TABLE), action_mask(self.game, TABLE))


WholeGames.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestWholeGames = WholeGames.TestCase


def test_the_leak_test_can_fail():
    """A look at the decks themselves would be noticed."""
    game = new_game(MACHINE, Options(("red", "blue")))
    assert otherwise_dealt(game, 0, random.Random(1)).decks != game.decks
    looked = replace(game, seen=(tuple(frozenset(deck) for deck in game.decks), game.seen[1]))
    kept = otherwise_dealt(looked, 0, random.Random(1))
    assert [set(deck) for deck in kept.decks] == [set(deck) for deck in game.decks]
    assert [deck[0] for deck in kept.decks] == [deck[0] for deck in game.decks]
