"""The game's rules by number, and whole games by random players."""
# ruff: noqa: N802 - rules are named as the rulebook numbers them

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twin.board.castle import GARMENT_CODES, PARTS
from twin.board.grid import CORNERS
from twin.board.machine import load_machine
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import validate_state
from twin.errors import BadInputError, BarredMoveError
from twin.game.actions import GiveBack, Put, Search, Stop, parse_action
from twin.game.board import Table
from twin.game.cards import back_on_top, deal, part_of
from twin.game.positions import EXACT, MOVE, OVER, PLACE, RETURN, Game, Options, Pending, new_game
from twin.game.rules import Happening, apply, garment_under, joint, legal_actions, may_search
from twin.game.saved import dumps, game_json, observation, parse_game

MACHINE = load_machine()
TABLE = Table(MACHINE)
TWO = Options(("red", "blue"), hand=EXACT)


class QuietBoard:
    """A board on which nothing ever moves but what the test says: rules without physics."""

    machine = MACHINE

    def __init__(self, *, barred=(), options=None):
        self.barred, self.options = barred, options or {}

    def broken(self, state, move):  # noqa: ARG002 - as the rules ask it
        return self.barred

    def happen(self, state, move, game):  # noqa: ARG002
        options = {c: self.options.get(c, (self.space(state, c),)) for c in state.colours}
        waiting = Pending(state.orientation, state.sliders, tuple(options.items()))
        return Happening(waiting, (), (), conflict=False)

    def space(self, state, colour):
        from twin.board.state import home_space

        return home_space(state, colour, MACHINE)


QUIET = QuietBoard()


def standing(space, **changes) -> Game:
    """A game in which the player to move stands on a space."""
    game = new_game(MACHINE, TWO)
    game = replace(game, board=game.board.on_spaces({"red": space}, MACHINE.space))
    return replace(game, **changes)


def barred(game, action, board=QUIET):
    """Numbers of the rules that forbid an action; the game stays as it is."""
    before = dumps(game)
    with pytest.raises(BarredMoveError) as error:
        apply(game, action, board)
    assert dumps(game) == before
    return error.value.broken


SOMBRERO = next(space for space in MACHINE.castle.garments if MACHINE.castle.code_at(space) == "H1")


class TestSetUp:
    @pytest.mark.parametrize("players", [("red",), (), ("red", "red"), ("red", "pink"), ("red",) * 5])
    def test_S1_two_to_four_different_ghosts(self, players):
        with pytest.raises(BadInputError, match="S1"):
            Options(players)

    def test_S1_only_the_chosen_ghosts_stand_on_the_board(self):
        assert set(new_game(MACHINE, TWO).board.colours) == {"red", "blue"}

    def test_S2_S3_board_and_sliders_start_in_place(self):
        board = new_game(MACHINE, TWO).board
        assert board.orientation == 0
        assert [(s.name, s.tunnel, s.offset) for s in board.sliders] == [("A", 1, 0), ("B", 3, 0), ("C", 5, 0)]

    def test_S3_which_slider_goes_where_and_which_way_round_is_free(self):
        board = new_game(MACHINE, TWO, ("C", "A flip", "B")).board
        lie = [(slider.name, slider.tunnel, slider.offset, slider.flipped) for slider in board.sliders]
        assert lie == [("A", 3, 0, True), ("B", 5, 0, False), ("C", 1, 0, False)]

    @pytest.mark.parametrize("sliders", [("A", "B"), ("A", "A", "B"), ("A", "B", "X"), ("A", "B", "C turned"), ("",)])
    def test_S3_there_are_three_sliders_each_in_one_tunnel(self, sliders):
        with pytest.raises(BadInputError, match="S3"):
            new_game(MACHINE, TWO, sliders)

    def test_S2_S3_no_other_start(self):
        """A machine without its three sliders is no game, and neither seed nor players turn the board."""
        with pytest.raises(BadInputError, match="S3"):
            new_game(replace(MACHINE, sliders={"A": (), "B": ()}), TWO)
        assert {new_game(MACHINE, replace(TWO, seed=seed)).board for seed in range(5)} == {new_game(MACHINE, TWO).board}

    def test_S4_nobody_starts_on_a_corner_of_another_colour(self):
        game = new_game(MACHINE, Options(("green", "yellow")))
        taken = {QUIET.space(game.board, colour) for colour in game.options.players}
        assert taken.isdisjoint({MACHINE.castle.corners["red"], MACHINE.castle.corners["blue"]})

    def test_S4_ghosts_start_on_the_corners_of_their_colour(self):
        game = new_game(MACHINE, Options(("blue", "green", "red", "yellow")))
        for colour in game.options.players:
            assert QUIET.space(game.board, colour) == MACHINE.castle.corners[colour]

    @given(st.integers())
    def test_S5_each_deck_has_one_card_of_each_back(self, seed):
        decks = deal(random.Random(seed))
        assert sorted(card for deck in decks for card in deck) == sorted(GARMENT_CODES)
        for deck in decks:
            assert sorted(map(part_of, deck)) == sorted(PARTS)

    def test_S6_play_goes_round_from_the_first_player(self):
        game = new_game(MACHINE, Options(("green", "red", "blue"), hand=EXACT))
        order = []
        for _ in range(6):
            order.append(game.current_player)
            game, _ = apply(game, Turn("cw"), QUIET)
            game, _ = apply(game, Stop(), QUIET)
        assert order == ["green", "red", "blue"] * 2

    def test_S6_nobody_plays_out_of_turn(self):
        game = new_game(MACHINE, TWO)
        assert barred(game, Drag("blue", "west"), TABLE) == ("A1",)
        with pytest.raises(BadInputError, match="S6"):
            parse_game(game_json(replace(game, seat=1)), MACHINE)


class TestTurn:
    def test_T1_a_turn_has_three_moves_of_any_kind(self):
        game = standing("a1")
        for move in (Turn("cw"), Turn("cw")):
            game, event = apply(game, move, QUIET)
            assert not event.ended
        game, event = apply(game, Push("A", "north"), QUIET)
        assert event.ended
        assert game.current_player == "blue"

    def test_T1_no_fourth_move(self):
        assert barred(standing(SOMBRERO, moves=3), Turn("cw")) == ("T1",)

    def test_T1_a_turn_has_at_least_one_move(self):
        assert barred(standing("a1"), Stop()) == ("T1", "T4")

    def test_T2_a_search_ends_the_turn(self):
        game, _ = apply(standing(SOMBRERO), Search(1), QUIET)
        assert game.phase == RETURN
        assert barred(game, Turn("cw")) == ("T2",)
        game, event = apply(game, GiveBack(), QUIET)
        assert event.ended
        assert game.current_player == "blue"

    def test_T3_after_one_move_a_usable_garment_may_be_searched(self):
        game, _ = apply(standing(SOMBRERO), Turn("cw"), QUIET)
        assert Search(1) in legal_actions(game, QUIET)

    def test_T4_a_turn_may_begin_with_a_search(self):
        assert Search(2) in legal_actions(standing(SOMBRERO), QUIET)

    def test_T3_T4_no_search_where_there_is_nothing_to_use(self):
        for moves in (0, 1, 2):
            game = standing("a1", moves=moves)
            assert not any(isinstance(action, Search) for action in legal_actions(game, QUIET))
            assert barred(game, Search(2)) == ("Q7",)

    def test_T5_a_turn_goes_on_while_there_are_moves(self):
        game, event = apply(standing("a1"), Turn("cw"), QUIET)
        assert not event.ended
        assert (game.current_player, game.moves) == ("red", 1)

    def test_T5_without_a_search_the_turn_ends_after_the_third_move(self):
        game, event = apply(standing("a1", moves=2), Turn("cw"), QUIET)
        assert event.ended
        assert game.moves == 0

    def test_T2_with_a_search_open_the_turn_waits(self):
        game, event = apply(standing(SOMBRERO, moves=2), Turn("cw"), QUIET)
        assert not event.ended
        assert set(legal_actions(game, QUIET)) == {*(Search(n) for n in (1, 2, 3, 4)), Stop()}

    def test_G8_stopping_early_elsewhere_is_an_option(self):
        game = standing("a1", moves=1)
        assert Stop() in legal_actions(game, QUIET)
        strict = replace(game, options=replace(TWO, stop_early=False))
        assert Stop() not in legal_actions(strict, QUIET)
        assert barred(strict, Stop()) == ("T3",)

    @pytest.mark.parametrize("moves", [1, 2])
    def test_T3_G8_on_a_usable_garment_every_turn_may_be_cut_short(self, moves):
        """The rest of the moves may be skipped there, with a search or without, also where G8 is played strictly."""
        strict = standing(SOMBRERO, moves=moves, options=replace(TWO, stop_early=False))
        assert {Stop(), Search(1)} <= set(legal_actions(strict, QUIET))
        after, event = apply(strict, Stop(), QUIET)
        assert (event.ended, after.current_player) == (True, "blue")

    def test_D4_no_stop_while_a_ghost_is_to_be_placed(self):
        game, _ = apply(standing("a1"), Turn("cw"), QuietBoard(options={"red": ("b2", "b3")}))
        assert game.phase == PLACE
        assert barred(game, Stop()) == ("D4",)

    def test_Q5_no_stop_with_a_deck_in_hand(self):
        game, _ = apply(standing(SOMBRERO), Search(2), QUIET)
        assert game.phase == RETURN
        assert barred(game, Stop()) == ("Q5",)

    def test_T5_after_the_third_move_the_last_ghost_placed_ends_the_turn(self):
        """Not the first of two, nor the last one on a garment that the player can search for."""
        board = QuietBoard(options={"red": ("b2", "b3"), "blue": ("e4", "e5")})
        game, event = apply(standing("a1", moves=2), Turn("cw"), board)
        assert not event.ended
        game, event = apply(game, Put("blue", "e4"), board)
        assert (event.ended, game.phase, game.current_player) == (False, PLACE, "red")
        game, event = apply(game, Put("red", "b3"), board)
        assert (event.ended, game.phase, game.current_player, game.moves) == (True, MOVE, "blue", 0)

    def test_T2_a_last_ghost_placed_on_a_usable_garment_leaves_the_search_open(self):
        other = "b2" if SOMBRERO != "b2" else "b3"
        board = QuietBoard(options={"red": (other, SOMBRERO)})
        game, _ = apply(standing("a1", moves=2), Turn("cw"), board)
        game, event = apply(game, Put("red", SOMBRERO), board)
        assert (event.ended, game.current_player) == (False, "red")
        assert Search(1) in legal_actions(game, board)


class TestMoves:
    def test_A1_only_the_own_ghost_is_dragged(self):
        assert barred(standing("a1"), Drag("blue", "north")) == ("A1",)

    def test_barred_moves_name_the_boards_rules(self):
        assert barred(standing("a1"), Push("A", "north"), QuietBoard(barred=("B6",))) == ("B6",)

    def test_B6_is_checked_by_simulation(self):
        """A push that would take a ghost off the board is not among the legal ones."""
        game = new_game(MACHINE, TWO)
        spaces = {"red": "f6", "blue": "f7"}
        game = replace(game, board=game.board.on_spaces(spaces, MACHINE.space))
        assert TABLE.broken(game.board, Push("C", "north")) == ("B6",)
        assert Push("C", "north") not in legal_actions(game, TABLE)
        assert Push("C", "south") in legal_actions(game, TABLE)

    def test_D4_a_straddling_ghost_is_put_onto_a_space_that_it_covers(self):
        board = QuietBoard(options={"red": ("b2", "b3")})
        game, event = apply(standing("a1"), Turn("cw"), board)
        assert (game.phase, event.ended) == (PLACE, False)
        assert legal_actions(game, board) == (Put("red", "b2"), Put("red", "b3"))
        assert barred(game, Put("red", "c3")) == ("D4",)
        assert barred(game, Turn("cw")) == ("D4",)
        game, _ = apply(game, Put("red", "b3"), board)
        assert game.phase == MOVE
        assert QUIET.space(game.board, "red") == "b3"

    def test_D5_a_fallen_ghost_goes_to_an_empty_corner(self):
        board = QuietBoard(options={"red": CORNERS})
        game = standing("c3")
        game, _ = apply(game, Turn("cw"), board)
        home = MACHINE.castle.corners["blue"]
        assert barred(game, Put("red", home)) == ("D5",)
        spaces = {action.space for action in legal_actions(game, board) if isinstance(action, Put)}
        assert spaces == set(CORNERS) - {home}

    def test_G9_ghosts_are_placed_one_by_one_so_that_all_can_be(self):
        """The first choice may leave the other ghost only one space, but never none."""
        board = QuietBoard(options={"red": ("b2", "b3"), "blue": ("b3",)})
        game, _ = apply(standing("a1"), Turn("cw"), board)
        assert game.phase == MOVE, "there is only one way"
        board = QuietBoard(options={"red": ("b2", "b3"), "blue": ("b3", "b4")})
        game, _ = apply(standing("a1"), Turn("cw"), board)
        game, _ = apply(game, Put("red", "b3"), board)
        assert {c: QUIET.space(game.board, c) for c in ("red", "blue")} == {"red": "b3", "blue": "b4"}

    def test_placing_when_there_is_nothing_to_place(self):
        assert barred(standing("a1"), Put("red", "a2")) == ("D4",)


class TestSearch:
    def test_Q1_Q7_no_search_on_a_bare_space(self):
        assert barred(standing("a1"), Search(1)) == ("Q7",)
        assert not may_search(standing("a1"), MACHINE)

    def test_Q1_Q7_a_search_on_a_garment_of_a_part_that_one_lacks(self):
        assert may_search(standing(SOMBRERO), MACHINE)
        _, event = apply(standing(SOMBRERO), Search(1), QUIET)
        assert event.action == Search(1)

    def test_Q6_a_second_garment_of_one_part_cannot_be_owned(self):
        one, two = (code for code in GARMENT_CODES if part_of(code) == "headgear" and code in {"H1", "H2"})
        game = standing("a1")
        decks = tuple(tuple(card for card in deck if card not in {one, two}) for deck in game.decks)
        with pytest.raises(BadInputError, match="owned"):
            parse_game(game_json(replace(game, owned=((one, two), ()), decks=decks)), MACHINE)

    def test_Q1_Q6_Q7_no_search_for_a_part_that_one_has(self):
        other = next(code for code in GARMENT_CODES if part_of(code) == "headgear" and code != "H1")
        game = standing(SOMBRERO)
        decks = tuple(tuple(card for card in deck if card != other) for deck in game.decks)
        assert barred(replace(game, owned=((other,), ()), decks=decks), Search(1)) == ("Q1", "Q6", "Q7")

    def test_Q2_Q3_what_is_found_is_kept_face_up(self):
        game = standing(SOMBRERO)
        assert garment_under(game, MACHINE) == "H1"
        for number, deck in enumerate(game.decks, start=1):
            after, event = apply(game, Search(number), QUIET)
            assert event.found == ("H1" if "H1" in deck else None)
            assert after.owned[0] == (("H1",) if "H1" in deck else ())
            assert len(after.decks[number - 1]) == len(deck) - ("H1" in deck)

    def test_Q3_what_is_not_found_brings_nothing(self):
        game = standing(SOMBRERO)
        empty_handed = next(n for n, deck in enumerate(game.decks, start=1) if "H1" not in deck)
        after, event = apply(game, Search(empty_handed), QUIET)
        assert (event.found, after.owned, after.decks) == (None, game.owned, game.decks)

    def test_Q4_in_the_next_turn_another_deck_may_be_searched(self):
        game = standing(SOMBRERO)
        wrong = [n for n, deck in enumerate(game.decks, start=1) if "H1" not in deck]
        for action in (Search(wrong[0]), GiveBack(), Turn("cw"), Stop(), Search(wrong[1])):
            game, _ = apply(game, action, QUIET)
        assert (game.current_player, game.phase, game.searched) == ("red", RETURN, wrong[1] - 1)

    def test_Q2_only_the_searcher_sees_the_deck(self):
        game, _ = apply(standing(SOMBRERO), Search(2), QUIET)
        own, other = observation(game, "red", MACHINE), observation(game, "blue", MACHINE)
        assert own["in_hand"] == list(game.decks[1])
        assert other["in_hand"] is None
        assert own["decks"][1]["seen"] == sorted(game.decks[1])
        assert other["decks"][1]["seen"] is None

    def test_Q4_one_deck_only(self):
        game, _ = apply(standing(SOMBRERO), Search(2), QUIET)
        assert barred(game, Search(3)) == ("Q4",)

    def test_Q5_the_order_may_be_changed_and_others_see_the_back_on_top(self):
        game, _ = apply(standing(SOMBRERO), Search(2), QUIET)
        wanted = part_of(game.decks[1][-1])
        after, _ = apply(game, GiveBack(top=wanted), QUIET)
        assert back_on_top(after.decks[1]) == wanted
        assert observation(after, "blue", MACHINE)["decks"][1]["back"] == wanted
        assert sorted(after.decks[1]) == sorted(game.decks[1])

    def test_Q5_any_card_of_the_deck_can_be_put_on_top(self):
        """As it lies, or with any other of its cards on top, named by its back, of which each deck has one."""
        game, _ = apply(standing(SOMBRERO), Search(2), QUIET)
        first, *others = game.decks[1]
        assert set(legal_actions(game, QUIET)) == {GiveBack(), *(GiveBack(top=part_of(card)) for card in others)}
        assert barred(game, GiveBack(top=part_of(first))) == ("Q5",)
        for card in others:
            after, _ = apply(game, GiveBack(top=part_of(card)), QUIET)
            assert after.decks[1] == (card, *(c for c in game.decks[1] if c != card))

    def test_Q5_a_card_that_is_no_longer_in_the_deck_cannot_be_put_on_top(self):
        start = standing(SOMBRERO)
        holder = next(n for n, deck in enumerate(start.decks, start=1) if "H1" in deck)
        game, event = apply(start, Search(holder), QUIET)
        assert event.found == "H1"
        assert barred(game, GiveBack(top="headgear")) == ("Q5",)

    def test_Q5_no_deck_in_hand_no_giving_back(self):
        assert barred(standing("a1"), GiveBack()) == ("Q5",)

    def test_Q8_in_the_variant_the_deck_goes_to_another_place(self):
        game = standing(SOMBRERO, options=replace(TWO, wandering_decks=True))
        game, _ = apply(game, Search(2), QUIET)
        assert barred(game, GiveBack()) == ("Q8",)
        assert barred(game, GiveBack(place=2)) == ("Q8",)
        after, _ = apply(game, GiveBack(place=4), QUIET)
        assert (after.decks[3], after.decks[1]) == (game.decks[1], game.decks[3])
        assert after.seen[0][3] == frozenset(game.decks[1])

    def test_Q8_without_the_variant_it_goes_back_to_its_place(self):
        game, _ = apply(standing(SOMBRERO), Search(2), QUIET)
        assert barred(game, GiveBack(place=3)) == ("Q8",)


class TestEnd:
    def test_E1_whoever_has_all_five_parts_wins_at_once(self):
        game = standing(SOMBRERO)
        owned = tuple(next(c for c in GARMENT_CODES if part_of(c) == part) for part in PARTS if part != "headgear")
        decks = tuple(tuple(card for card in deck if card not in owned) for deck in game.decks)
        where = next(n for n, deck in enumerate(decks, start=1) if "H1" in deck)
        after, _ = apply(replace(game, owned=(owned, ()), decks=decks), Search(where), QUIET)
        assert (after.phase, after.winner, after.current_player) == (OVER, 0, None)
        assert after.returns() == {"red": 1.0, "blue": -1.0}
        assert legal_actions(after, QUIET) == ()
        assert barred(after, Turn("cw")) == ("E1",)

    def test_E1_four_parts_do_not_win(self):
        game = standing(SOMBRERO)
        owned = tuple(next(c for c in GARMENT_CODES if part_of(c) == part) for part in ("face", "body", "legs"))
        decks = tuple(tuple(card for card in deck if card not in owned) for deck in game.decks)
        where = next(n for n, deck in enumerate(decks, start=1) if "H1" in deck)
        after, event = apply(replace(game, owned=(owned, ()), decks=decks), Search(where), QUIET)
        assert event.found == "H1"
        assert (after.is_over, after.winner, len(after.owned[0])) == (False, None, 4)

    def test_G6_a_game_that_nobody_can_finish_is_a_draw(self):
        headgear = tuple(code for code in GARMENT_CODES if part_of(code) == "headgear")
        game = standing("a1", moves=1)
        decks = tuple(tuple(card for card in deck if card not in headgear) for deck in game.decks)
        after, _ = apply(replace(game, decks=decks, owned=((), ())), Stop(), QUIET)
        assert (after.is_over, after.winner) == (True, None)

    def test_G6_a_game_that_somebody_can_finish_goes_on(self):
        headgear = tuple(code for code in GARMENT_CODES if part_of(code) == "headgear")
        game = standing("a1", moves=1, owned=(headgear[:1], ()))
        decks = tuple(tuple(card for card in deck if card not in headgear) for deck in game.decks)
        after, _ = apply(replace(game, decks=decks), Stop(), QUIET)
        assert not after.is_over, "red has the last headgear and can find the rest"

    def test_G6_an_empty_deck_cannot_be_searched(self):
        game = standing(SOMBRERO)
        game = replace(game, decks=((), *game.decks[1:]))
        assert barred(game, Search(1)) == ("Q2",)
        assert Search(1) not in legal_actions(game, QUIET)
        assert Search(2) in legal_actions(game, QUIET)

    def test_G6_a_game_has_a_last_turn(self):
        game = standing("a1", moves=1, options=replace(TWO, max_turns=1))
        after, _ = apply(game, Stop(), QUIET)
        assert after.is_over


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_random_games_keep_every_invariant(seed, count):
    """Cards are conserved, ghosts stand on spaces of their own, saved games are the same, and something can be done."""
    dice = random.Random(seed)
    players = tuple(dice.sample(("red", "yellow", "green", "blue"), count))
    game = new_game(MACHINE, Options(players, seed=seed, wandering_decks=bool(seed % 2)))
    for _ in range(25):
        if game.is_over:
            break
        actions = legal_actions(game, TABLE)
        assert actions
        by_kind = {type(action).__name__: action for action in dice.sample(actions, len(actions))}
        by_kind.pop("Relocate", None) if len(by_kind) > 1 else None
        game, _ = apply(game, dice.choice(list(by_kind.values())), TABLE)
        validate_state(game.board, MACHINE)
        cards = Counter(card for pile in (*game.decks, *game.owned) for card in pile)
        assert cards == Counter(GARMENT_CODES.keys())
        assert all(len(game.parts(seat)) == len(cards) for seat, cards in enumerate(game.owned))
        assert len(dumps(game)) < 4096
        assert parse_game(json.loads(dumps(game)), MACHINE) == game
        if game.pending is not None:
            assert len(joint(game.pending)) > 1


def test_the_same_seed_replays_the_same_game():
    def played():
        game = new_game(MACHINE, Options(("red", "blue"), seed=3))
        for text in ("turn cw", "push B north", "turn ccw", "turn cw"):
            game, _ = apply(game, parse_action(text), TABLE)
            while game.phase == PLACE:
                game, _ = apply(game, legal_actions(game, TABLE)[0], TABLE)
        return game

    assert played() == played()


def test_what_a_player_cannot_know_is_not_in_its_observation():
    """Two games that differ only in hidden cards look the same to the one who has not seen them."""
    game = new_game(MACHINE, TWO)
    one, other = game.decks[0], game.decks[1]
    swapped = {one[k]: other[m] for k in range(5) for m in range(5) if part_of(one[k]) == part_of(other[m])}
    back = {new: old for old, new in swapped.items()}
    shuffled = (tuple(swapped[card] for card in one), tuple(back[card] for card in other))
    hidden = replace(game, decks=(*shuffled, *game.decks[2:]))
    assert hidden != game
    for player in game.options.players:
        assert observation(hidden, player, MACHINE) == observation(game, player, MACHINE)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"decks": [["H1"], [], [], []]}, "decks"),
        ({"seat": 7}, "seat"),
        ({"moves": 9}, "moves"),
        ({"phase": "lunch"}, "phase"),
        ({"schema": 99}, "schema"),
        ({"owned": [["H1", "H2"], []]}, "decks"),
        ({"winner": 5}, "winner"),
        ({"searched": 1}, "searched"),
        ({"kind": "cake"}, "saved game"),
        ({"board": {"orientation": 0, "ghosts": {"red": [0, 0]}, "sliders": []}}, "board"),
    ],
)
def test_a_game_that_cannot_be_is_refused(change, field):
    data = game_json(new_game(MACHINE, TWO)) | change
    with pytest.raises(BadInputError, match=field):
        parse_game(data, MACHINE)


@pytest.mark.parametrize(
    "text", ["", "dance", "search 5", "search", "place red d4", "place pink a1", "top hat", "put 0"]
)
def test_words_outside_the_grammar_are_refused(text):
    with pytest.raises(BadInputError):
        parse_action(text)


@pytest.mark.parametrize("text", ["turn cw", "search 2", "stop", "place red c5", "keep", "top face", "put 3"])
def test_actions_are_written_as_they_are_read(text):
    assert str(parse_action(text)) == text


def test_relocations_are_among_the_legal_moves():
    """C1 and C2 leave some relocations open at the start."""
    found = [a for a in legal_actions(new_game(MACHINE, TWO), TABLE) if isinstance(a, Relocate)]
    assert Relocate("A", 2, 1) in found
    assert all(relocation.tunnel in {2, 4} for relocation in found)
