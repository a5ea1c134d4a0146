"""Every rule has a test that names it; here also those rules that show only when a whole game meets the physics."""
# ruff: noqa: N802 - rules are named as the rulebook numbers them

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rules_table import COMMAND, PAGE, RULES, coverage, numbers_in, page, rules_named_in
from twin.board.grid import CORNERS, centre
from twin.board.machine import load_machine
from twin.board.moves import Push, Turn
from twin.board.scene import load_scene
from twin.board.state import State, home_space
from twin.errors import BadInputError, BarredMoveError
from twin.files import data_folder
from twin.game.actions import Put, Stop, parse_action
from twin.game.board import Table
from twin.game.positions import EXACT, MOVE, PLACE, Options, new_game
from twin.game.rules import apply, joint, legal_actions
from twin.physics.hand import varied_hand

MACHINE = load_machine()
TABLE = Table(MACHINE)


def position(scene):
    folder = data_folder("scenes")
    return load_scene(str(folder / f"{scene}.toml")).state


def game_at(scene, first=None, others=None, **options):
    """A game by the exact hand whose board is a scene's, with more ghosts where it has only one."""
    state = position(scene)
    for colour, space in (others or {}).items():
        places = state.places | {colour: centre(space, MACHINE.space, state.orientation)}
        state = State.of(state.orientation, places, state.sliders)
    players = sorted(state.colours, key=lambda colour: colour != first)
    game = new_game(MACHINE, Options(tuple(players), **{"hand": EXACT} | options))
    return replace(game, board=state)


def after(game, text):
    return apply(game, parse_action(text), TABLE)


def spaces(game):
    return {colour: home_space(game.board, colour, MACHINE) for colour in game.board.colours}


class TestTable:
    def test_no_rule_is_without_a_test(self):
        missing = [rule for rule, files in coverage().items() if not files]
        assert not missing, f"no test names {', '.join(missing)}"

    def test_every_rule_is_tested_from_both_sides(self):
        """What a rule grants and what it forbids are tested apart: two tests for each number at least."""
        lonely = [rule for rule, files in coverage().items() if rule[0] != "G" and sum(map(len, files.values())) < 2]
        assert not lonely, f"only one test names {', '.join(lonely)}"

    def test_no_number_is_missing(self):
        counts = {"S": 6, "T": 5, "A": 5, "B": 7, "C": 3, "D": 5, "Q": 8, "E": 1, "G": 15}
        assert list(RULES) == [f"{letter}{n}" for letter, count in counts.items() for n in range(1, count + 1)]

    def test_the_page_is_current(self):
        assert PAGE.read_text(encoding="utf-8") == page(coverage()), f"run {COMMAND}"

    def test_every_gap_of_the_page_of_gaps_is_listed(self):
        told = numbers_in((PAGE.parent / "rule-gaps.md").read_text(encoding="utf-8"))
        assert {rule for rule in told if rule[0] == "G"} == {rule for rule in RULES if rule[0] == "G"}

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("A1 to A3 hold", {"A1", "A2", "A3"}),
            ("C1-C3", {"C1", "C2", "C3"}),
            ("G1, not G16 nor H1", {"G1"}),
            ("the space a1 and slider A", set()),
            ("*G1", set()),
        ],
    )
    def test_numbers_are_found_in_text(self, text, found):
        assert numbers_in(text) == found

    def test_a_test_without_a_number_counts_for_nothing(self):
        source = 'def test_nothing(): pass\ndef test_B6(): pass\ndef test_doc():\n    """As E1 says."""\n'
        assert rules_named_in(source) == {"test_B6": {"B6"}, "test_doc": {"E1"}}


class TestPushes:
    def test_B3_a_push_ends_exactly_where_the_segment_does(self):
        """B1 and B3: the slider is one whole segment farther, and a ghost that it carries one whole space."""
        game, _ = after(game_at("straddles-after-push", first="red"), "push C north")
        assert {slider.name: slider.offset for slider in game.board.sliders} == {"A": 0, "B": 0, "C": 1}
        assert spaces(game)["red"] == "f3"

    def test_B3_there_is_no_word_for_half_a_push(self):
        for text in ("push C north 0.5", "push C north north", "push C up"):
            with pytest.raises(BadInputError):
                parse_action(text)

    def test_B4_a_ghost_that_bumps_into_the_plug_stays_where_it_was(self):
        game, event = after(game_at("plug-blocks", first="red", others={"blue": "a1"}), "push B north")
        assert event.happening is not None
        assert dict(event.happening.fates)["red"] == "blocked"
        assert spaces(game)["red"] == "d3"

    def test_B4_a_ghost_that_does_not_reach_the_plug_is_taken_along(self):
        game, event = after(game_at("plug-blocks", first="red", others={"blue": "a1"}), "push B south")
        assert event.happening is not None
        assert dict(event.happening.fates)["red"] == "carried"
        assert spaces(game)["red"] == "d2"

    def test_B7_a_ghost_in_the_hand_passes_no_wall_and_pushes_nobody(self):
        """The same place as in the push: by hand red neither gets through the wall (A2) nor past yellow (A5)."""
        with pytest.raises(BarredMoveError) as error:
            after(game_at("carried-through-walls", first="red"), "drag red north")
        assert set(error.value.broken) == {"A2", "A5"}

    def test_B7_a_carried_ghost_passes_a_wall_and_pushes_another(self):
        game, event = after(game_at("carried-through-walls", first="red"), "push A north")
        assert event.happening is not None
        assert MACHINE.castle.wall_between("b2", "b3")
        assert dict(event.happening.fates) == {"red": "carried", "yellow": "shoved"}
        assert dict(event.happening.walls)["red"] == 1
        assert dict(event.happening.pending.options)["red"] == ("b3",)
        assert game.moves == 1

    def test_B2_what_is_pushed_stays_pushed(self):
        """There is no action that takes a push or a turn back, and a refused one changes nothing."""
        game, _ = after(game_at("plug-blocks", first="red", others={"blue": "a1"}), "push B north")
        with pytest.raises(BadInputError):
            parse_action("undo")
        assert game.moves == 1

    def test_G4_a_livelier_hand_may_push_a_ghost_off_and_then_D5_holds(self):
        game = game_at("livelier-hand", first="red", hand="varied", seed=1)
        push = Push("C", "north")
        assert TABLE.broken(game.board, push) == ()
        hands = [n for n in range(60) if TABLE.happen(game.board, push, replace(game, chance=n)).fates[1][1] == "fell"]
        assert hands, "none of sixty hands is lively enough"
        fallen, _ = apply(replace(game, chance=hands[0]), push, TABLE)
        options = {action.space for action in legal_actions(fallen, TABLE) if isinstance(action, Put)}
        assert options <= set(CORNERS)
        assert varied_hand(MACHINE, 2, 1, hands[0]).pace < 1.0


class TestPlacing:
    def test_G1_a_ghost_that_straddles_after_a_push_is_placed_as_after_a_turn(self):
        """G1: D4 speaks of turns, and holds for pushes too."""
        game, _ = after(game_at("straddles-after-push", first="red"), "push C north")
        assert game.phase == MOVE, "red has f3, so yellow must go to f4"
        assert spaces(game) == {"red": "f3", "yellow": "f4"}

    def test_G1_a_ghost_that_is_settled_after_a_push_is_not_asked_for(self):
        game, event = after(game_at("plug-blocks", first="red", others={"blue": "a1"}), "push B south")
        assert event.happening is not None
        assert all(len(options) == 1 for _, options in event.happening.pending.options)
        assert game.phase == MOVE

    def test_G2_ghosts_that_jam_go_to_the_fallback_and_the_game_goes_on(self):
        """G2, G9: nobody is asked, since there is no way to place all by D4."""
        game, event = after(game_at("jam-at-edge"), "push C north")
        assert event.happening is not None
        assert event.happening.conflict
        assert game.phase == MOVE
        assert len(set(spaces(game).values())) == len(spaces(game))

    def test_G10_either_side_of_a_wall_may_be_chosen(self):
        assert MACHINE.castle.wall_between("b7", "c7")
        game, _ = after(game_at("edge/over-a-wall", first="blue", others={"red": "e2"}), "turn cw")
        assert game.phase == PLACE
        for space in ("b7", "c7"):
            placed, _ = after(game, f"place blue {space}")
            assert spaces(placed)["blue"] == space
        with pytest.raises(BarredMoveError, match="b7 or c7"):
            after(game, "place blue d7")

    def test_G11_a_foot_beyond_the_edge_has_not_fallen(self):
        game, event = after(game_at("edge/leans-over-the-edge", first="green"), "turn ccw")
        assert event.happening is not None
        assert dict(event.happening.fates)["blue"] == "shoved"
        assert spaces(game) == {"green": "g6", "blue": "g5"}

    def test_G12_a_corner_is_empty_if_nobody_is_placed_on_it(self):
        """G12 and G9: green needs a1, so the fallen one cannot have it, whoever is placed first."""
        game, _ = after(game_at("edge/corner-wanted-by-two", first="blue"), "turn cw")
        options = {action.space for action in legal_actions(game, TABLE) if isinstance(action, Put)}
        assert options == {"a7", "g1", "g7"}
        with pytest.raises(BarredMoveError) as error:
            after(game, "place blue a1")
        assert error.value.broken == ("D5",)

    def test_G13_all_four_fall_and_each_gets_a_corner_of_its_own(self):
        game, _ = after(game_at("edge/four-fall", first="red"), "turn cw")
        assert game.pending is not None
        assert len(joint(game.pending)) == 24
        for colour, corner in (("blue", "a1"), ("red", "g7"), ("green", "a7")):
            game, _ = after(game, f"place {colour} {corner}")
        assert spaces(game) == {"blue": "a1", "red": "g7", "green": "a7", "yellow": "g1"}

    def test_G14_a_ghost_that_would_topple_goes_on_as_if_it_stood(self):
        state = position("edge/topples")
        warnings = TABLE.twin.act(state, Turn("cw"), sensitivity=False).warnings
        assert any(warning.startswith(("topple", "tipping")) for warning in warnings)
        game, event = after(game_at("edge/topples", first="red", others={"blue": "a7"}), "turn cw")
        assert event.happening is not None
        assert game.phase in {MOVE, PLACE}

    def test_G15_a_ghost_that_still_moves_counts_where_it_is(self):
        game = game_at("edge/never-settles", first="red", as_is=True)
        warnings = TABLE.twin.act(game.board, Push("A", "north"), sensitivity=False).warnings
        assert any(warning.startswith("unsettled") for warning in warnings)
        moved, event = after(game, "push A north")
        assert event.happening is not None
        assert moved.moves == 1

    def test_G7_settled_ghosts_stay_off_centre_only_if_agreed(self):
        tidy, _ = after(game_at("edge/leans-over-the-edge", first="green"), "turn ccw")
        loose, _ = after(game_at("edge/leans-over-the-edge", first="green", as_is=True), "turn ccw")
        middle = centre("g6", MACHINE.space, tidy.board.orientation)
        assert tidy.board.places["green"] == pytest.approx(middle)
        assert loose.board.places["green"] != pytest.approx(middle, abs=1e-3)
        assert spaces(loose) == spaces(tidy)

    def test_G5_a_flip_is_allowed_and_kept(self):
        game, _ = after(game_at("start", first="red"), "relocate B 2 1 flip")
        slider = game.board.slider("B")
        assert (slider.tunnel, slider.offset, slider.flipped) == (2, 1, True)


class TestTurns:
    def test_D2_D3_whatever_happens_nobody_is_held(self):
        """D2, D3: a turn moves who it moves; there is no word for holding a ghost, and none for another angle."""
        game, event = after(game_at("start", first="red"), "turn cw")
        assert event.happening is not None
        assert game.board.orientation == 1
        for text in ("hold red", "turn cw red", "turn 45"):
            with pytest.raises(BadInputError):
                parse_action(text)

    def test_D2_where_nothing_is_gripped_everybody_rides(self):
        game, event = after(game_at("rides", others={"blue": "a1"}), "turn cw")
        assert event.happening is not None
        assert dict(event.happening.fates) == dict.fromkeys(game.options.players, "rode")

    def test_D1_never_barred(self):
        """T1: a legal move always exists, since D1 is never barred."""
        for scene in ("start", "edge/four-fall", "three-on-one-slider"):
            game = game_at(scene)
            assert {Turn("cw"), Turn("ccw")} <= set(legal_actions(game, TABLE))

    def test_T3_T5_a_turn_cut_short_passes_to_the_next(self):
        game, _ = after(game_at("start", first="red"), "turn cw")
        game, event = apply(game, Stop(), TABLE)
        assert event.ended
        assert game.seat == 1
