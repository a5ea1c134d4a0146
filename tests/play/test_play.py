"""`twin play`: sessions, what may be taken back, curtains, files, scripts, and the talk at the table."""
# ruff: noqa: N802 - rules are named as the rulebook numbers them

from __future__ import annotations

import difflib
import functools
import json
import os
import platform
import pty
import random
import select
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.children import run, started
from tests.golden_games import COMMAND, FOLDER, GAMES, drawn, playthrough
from twin.board.castle import GARMENT_CODES
from twin.board.grid import CORNERS
from twin.board.machine import load_machine
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import home_space
from twin.cli import main
from twin.errors import BadInputError, BarredMoveError
from twin.game.actions import GiveBack, Put, Search, Stop, parse_action
from twin.game.board import Table
from twin.game.cards import part_of
from twin.game.positions import EXACT, PLACE, RETURN, Options, Pending, new_game
from twin.game.rules import Happening, legal_actions
from twin.game.saved import game_json
from twin.play.catalogue import LANGUAGES, load_catalogue
from twin.play.commands import written
from twin.play.conversation import ENDED, OVER, QUIT, Conversation
from twin.play.record import digest, parse_record, record_text, replay
from twin.play.save import parse_saved, save, saved_json
from twin.play.session import HUMAN, Seats, Session, parse_seats
from twin.play.telling import choices, told
from twin.reports.board_text import Paint
from twin.reports.game_screen import WIDTH, GameScreen

MACHINE = load_machine()
TABLE = Table(MACHINE)
ENGLISH = load_catalogue("en")
TWO = Options(("red", "blue"), hand=EXACT)
PEOPLE = Seats((("red", HUMAN), ("blue", HUMAN)))
STOCKINGS = next(space for space in MACHINE.castle.garments if MACHINE.castle.code_at(space) == "L3")
BOTS = ("random", "greedy", "planner")
PATIENCE = 120
"""Seconds after which a program that shows nothing is given up; only a test that fails takes as long."""

every_language = pytest.mark.parametrize("language", LANGUAGES)


class ToldBoard:
    """A board on which happens what the test says."""

    machine = MACHINE

    def __init__(self, fates=None, options=None, *, conflict=False):
        self.fates, self.options, self.conflict = fates or {}, options or {}, conflict

    def broken(self, state, move):  # noqa: ARG002 - as the rules ask it
        return ()

    def happen(self, state, move, game):  # noqa: ARG002
        options = {c: self.options.get(c, (home_space(state, c, MACHINE),)) for c in state.colours}
        fates = tuple((colour, self.fates.get(colour, "stayed")) for colour in state.colours)
        waiting = Pending(state.orientation, state.sliders, tuple(options.items()))
        return Happening(waiting, fates, tuple((colour, 0) for colour in state.colours), conflict=self.conflict)


class Paper:
    """A terminal of paper: answers come from a list, everything shown is written down."""

    source: str | None = None

    def __init__(self, *answers, live=False):
        self.answers, self.live = list(answers), live
        self.shown = []

    def ask(self, prompt):
        self.shown.append(("ask", prompt))
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    def say(self, text):
        self.shown.append(("say", text))

    def frame(self, session, story):  # noqa: ARG002 - the story alone is looked at
        self.shown += [("frame", line) for line in ("a frame", *story)]

    def clear(self):
        self.shown.append(("clear", ""))

    def where(self):
        return "paper"

    @property
    def text(self):
        return "\n".join(text for _, text in self.shown)


class Mule:
    """A bot that turns the board clockwise, whatever happens."""

    def choose(self, game):
        return legal_actions(game, TABLE)[0] if game.phase == PLACE else Turn("cw")


def talk(*answers, session=None, seats=PEOPLE, board=TABLE, bots=None, live=False, language="en"):
    """A conversation on paper, ready to run."""
    session = session or Session(new_game(MACHINE, TWO))
    paper = Paper(*answers, live=live)
    saved = []

    def keep(now, name):
        saved.append((now, name))
        return name or None

    conversation = Conversation(session, seats, board, load_catalogue(language), paper, bots or {}, keep)
    return conversation, paper, saved


def standing(space, **changes):
    """A session in which red, to move, stands on a space."""
    game = new_game(MACHINE, TWO)
    game = replace(game, board=game.board.on_spaces({"red": space}, MACHINE.space), **changes)
    return Session(game)


@functools.lru_cache(maxsize=1)
def whole_game():
    """A game from beginning to end by dice: a session whose steps can be typed again."""
    session = Session(new_game(MACHINE, Options(("red", "blue"), seed=5)))
    dice = random.Random("a whole game")
    while not session.game.is_over:
        session = session.act(drawn(legal_actions(session.game, TABLE), dice), TABLE)
    return session


def play(tmp_path, lines, *words):
    """Run `twin play` with a script; its exit code."""
    script = tmp_path / "script.txt"
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return main(["play", "--script", str(script), *words])


def outside_curtains(text, catalogue=ENGLISH):
    """What everybody can read, and what only one may."""
    begins = [catalogue("curtain.begins", player=catalogue.colour(colour)) for colour in ("red", "blue")]
    public: list[str] = []
    private: list[str] = []
    hidden = False
    for line in text.splitlines():
        hidden = hidden or line in begins
        (private if hidden else public).append(line)
        hidden = hidden and line != catalogue("curtain.ends")
    return public, private


class TestSeats:
    def test_people_and_bots_in_any_mix(self):
        seats = parse_seats("blue=planner, red ,green=human", BOTS)
        assert seats.colours == ("blue", "red", "green")
        assert (seats.humans, seats.bots) == (("red", "green"), {"blue": "planner"})

    @pytest.mark.parametrize(
        "text", ["", "red", "red,red", "red=human,pink=human", "red=cat,blue", "red=,blue", "red;blue"]
    )
    def test_S1_what_is_no_table(self, text):
        with pytest.raises(BadInputError):
            parse_seats(text, BOTS)

    def test_secrets_need_two_people(self):
        assert parse_seats("red,blue", BOTS).secrets
        assert not parse_seats("red,blue=greedy", BOTS).secrets


class TestTakingBack:
    @pytest.mark.parametrize("move", [Drag("red", "north"), Relocate("A", 2, 1)])
    def test_B2_drags_and_relocations_can_be_taken_back(self, move):
        session = Session(new_game(MACHINE, TWO))
        assert session.act(move, TABLE).undone(("red", "blue")) == session

    @pytest.mark.parametrize("move", [Turn("cw"), Push("B", "north")])
    def test_B2_pushes_and_turns_stand(self, move):
        session = Session(new_game(MACHINE, TWO)).act(move, TABLE)
        with pytest.raises(BarredMoveError) as error:
            session.undone(("red", "blue"))
        assert error.value.broken == ("B2",)

    def test_B2_a_placing_can_be_taken_back_until_all_are_placed(self):
        board = ToldBoard({"red": "rode", "blue": "rode"}, {"red": ("b2", "b3"), "blue": ("e5", "e6")})
        turned = Session(new_game(MACHINE, TWO)).act(Turn("cw"), board)
        half = turned.act(Put("red", "b3"), board)
        assert half.undone(("red", "blue")) == turned
        with pytest.raises(BarredMoveError):
            turned.undone(("red", "blue"))
        whole = half.act(Put("blue", "e5"), board)
        with pytest.raises(BarredMoveError) as error:
            whole.undone(("red", "blue"))
        assert error.value.broken == ("B2",)

    def test_T2_a_search_cannot_be_unseen(self):
        session = standing(STOCKINGS).act(Search(1), TABLE)
        with pytest.raises(BarredMoveError) as error:
            session.undone(("red", "blue"))
        assert error.value.broken == ("T2",)

    def test_B2_in_a_casual_game_everything_can_be(self):
        session = replace(standing(STOCKINGS), casual=True)
        actions = [Turn("cw"), Push("B", "north"), Stop(), Turn("ccw")]
        history = [session]
        for action in actions:
            history.append(history[-1].act(action, ToldBoard()))
        for before, after in zip(reversed(history[:-1]), reversed(history[1:]), strict=True):
            assert after.undone(("red", "blue")) == before
        searched = session.act(Search(2), TABLE)
        assert searched.undone(("red", "blue")) == session

    def test_a_casual_game_goes_back_to_a_persons_decision(self):
        session = Session(new_game(MACHINE, TWO), casual=True)
        later = session.act(Turn("cw"), ToldBoard()).act(Stop(), ToldBoard())
        by_bot = later.act(Turn("cw"), ToldBoard())
        assert by_bot.undone(("red",)) == session.act(Turn("cw"), ToldBoard())

    def test_nobody_takes_back_what_a_bot_did(self):
        session = Session(new_game(MACHINE, TWO)).act(Turn("cw"), TABLE).act(Stop(), TABLE)
        dragged = session.act(Drag("blue", "north"), ToldBoard())
        with pytest.raises(BadInputError):
            dragged.undone(("red",))

    def test_nothing_to_take_back(self):
        for casual in (False, True):
            with pytest.raises(BadInputError):
                Session(new_game(MACHINE, TWO), casual=casual).undone(("red", "blue"))


class TestTelling:
    @pytest.mark.parametrize(
        ("fate", "options", "words"),
        [
            ("held", ("c3",), "was held by the magnet under"),
            ("caught", ("b2",), "was caught by the magnet under b2"),
            ("shoved", ("b2",), "was shoved by Blue; it stands on b2"),
            ("fell", CORNERS, "fell off the board; it goes to an empty corner (D5)"),
            ("rode", ("b2", "b3"), "covers b2 and b3 and must be put on one of them (D4)"),
            ("left", ("b2",), "came off its magnet"),
            ("blocked", ("c4",), "bumped into the plug"),
        ],
    )
    def test_each_fate_has_a_sentence(self, fate, options, words):
        session = standing("b2").act(Turn("cw"), ToldBoard({"red": fate}, {"red": options}))
        assert words in "\n".join(told(session.steps[0], MACHINE, ENGLISH))

    def test_a_push_names_the_slider(self):
        session = standing("b2").act(Push("A", "north"), TABLE)
        lines = told(session.steps[0], MACHINE, ENGLISH)
        assert lines == [
            "Red pushes slider A to the north.",
            "Red was taken along by slider A (through 1 wall); it stands on b3.",
        ]

    def test_ghosts_that_did_not_move_are_not_mentioned(self):
        session = Session(new_game(MACHINE, TWO)).act(Push("A", "north"), TABLE)
        assert told(session.steps[0], MACHINE, ENGLISH)[1:] == ["No ghost moves."]

    def test_G9_a_jam_is_explained(self):
        board = ToldBoard({"red": "shoved", "blue": "shoved"}, {"red": ("b2",), "blue": ("b3",)}, conflict=True)
        text = "\n".join(told(standing("c3").act(Turn("cw"), board).steps[0], MACHINE, ENGLISH))
        assert "jammed" in text
        assert "Red b2, Blue b3" in text

    def test_D4_a_forced_placing_is_explained(self):
        board = ToldBoard({"red": "rode"}, {"red": ("g1", "f1")})
        text = "\n".join(told(standing("c3").act(Turn("cw"), board).steps[0], MACHINE, ENGLISH))
        assert "covers g1 and f1, of which only f1 is free" in text

    def test_G9_spaces_that_others_need_are_explained(self):
        options = {"red": ("b2", "b3", "b4"), "blue": ("b3", "b3")}
        session = standing("c3").act(Turn("cw"), ToldBoard({"red": "rode", "blue": "rode"}, options))
        assert "Not b3 for Red: another ghost has no other space (G9)." in choices(session.game, ENGLISH)

    def test_G9_placing_one_can_leave_the_other_one_space(self):
        board = ToldBoard({"red": "rode", "blue": "rode"}, {"red": ("b2", "b3"), "blue": ("b3", "b4")})
        session = standing("c3").act(Turn("cw"), board).act(Put("red", "b3"), board)
        assert told(session.steps[1], MACHINE, ENGLISH) == ["Red is put on b3.", "That leaves b4 for Blue."]

    @every_language
    def test_whole_games_can_be_told(self, language):
        """Every sentence of a long game has all its places filled, and fits its language."""
        catalogue = load_catalogue(language)
        for step in whole_game().steps:
            for line in told(step, MACHINE, catalogue):
                assert line.strip()
                assert "{" not in line

    def test_Q2_what_is_told_of_a_search_says_nothing_of_the_other_cards(self):
        session = standing(STOCKINGS)
        deck = next(number for number, cards in enumerate(session.game.decks, 1) if "L3" not in cards)
        after = session.act(Search(deck), TABLE)
        hidden = [MACHINE.castle.legend()[card] for card in after.game.decks[deck - 1]]
        text = "\n".join(told(after.steps[-1], MACHINE, ENGLISH))
        assert not any(name in text for name in hidden)


class TestScreen:
    @every_language
    def test_it_fits_a_terminal(self, language):
        """80 columns and 24 lines, with a prompt, whatever happened; older parts of a long story stand above."""
        catalogue = load_catalogue(language)
        screen = GameScreen(MACHINE, PEOPLE, catalogue, Paint(coloured=False))
        for step in whole_game().steps:
            lines = screen.lines(step.after, told(step, MACHINE, catalogue), casual=True)
            assert max(map(len, lines)) <= WIDTH
            assert len(lines) <= 23

    def test_everything_on_the_board_is_drawn(self):
        game = new_game(MACHINE, Options(("red", "yellow", "green", "blue")))
        text = "\n".join(GameScreen(MACHINE, PEOPLE, ENGLISH, Paint(coloured=False)).board(game))
        assert all(code in text for code in GARMENT_CODES)
        assert all(mark in text for mark in ("R", "Y", "G", "###", "1A 0", "3B 0", "5C 0", "│", "o"))

    def test_lines_are_equally_wide_without_colours(self):
        game = whole_game().steps[40].after
        for boxes in (True, False):
            board = GameScreen(MACHINE, PEOPLE, ENGLISH, Paint(coloured=False), boxes=boxes).board(game)
            assert len({len(line) for line in board}) == 1

    def test_colours_change_nothing_but_the_colour(self):
        import re

        game = whole_game().steps[60].after
        bright = "\n".join(GameScreen(MACHINE, PEOPLE, ENGLISH, Paint(coloured=True)).lines(game, ["story"]))
        plain = "\n".join(GameScreen(MACHINE, PEOPLE, ENGLISH, Paint(coloured=False)).lines(game, ["story"]))
        assert "\x1b[" in bright
        stripped = re.sub(r"\x1b\[[0-9;]*m", "", bright)
        assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()

    def test_D4_open_choices_are_small_letters(self):
        board = ToldBoard({"red": "rode"}, {"red": ("b2", "b3")})
        game = standing("c3").act(Turn("cw"), board).game
        lines = GameScreen(MACHINE, PEOPLE, ENGLISH, Paint(coloured=False)).board(game)
        assert sum(line.count("r") for line in lines) == 2

    def test_garments_that_are_no_longer_needed_are_small(self):
        game = replace(new_game(MACHINE, TWO), owned=(("H2",), ()))
        text = "\n".join(GameScreen(MACHINE, PEOPLE, ENGLISH, Paint(coloured=False)).board(game))
        assert "h1" in text
        assert "H1" not in text

    def test_a_long_story_loses_nothing(self):
        story = [f"Sentence number {number} of a story that is much too long for the panel." for number in range(30)]
        text = "\n".join(GameScreen(MACHINE, PEOPLE, ENGLISH, Paint(coloured=False)).lines(whole_game().game, story))
        assert all(f"number {number} " in text for number in range(28))


class TestTalk:
    def test_what_is_not_clear_or_not_allowed_changes_nothing(self):
        conversation, paper, _ = talk("dance", "search 1", "drag blue north", "push Z north", "", "99")
        before = conversation.session
        assert conversation.run() == ENDED
        assert conversation.session == before
        assert "“dance” is not clear" in paper.text
        assert "Not allowed by Q7: there is no garment here" in paper.text
        assert "Not allowed by A1" in paper.text
        assert "no number 99" in paper.text

    def test_a_table_is_left_with_quit(self):
        conversation, _, _ = talk("turn cw", "quit", "turn cw")
        assert conversation.run() == QUIT
        assert len(conversation.session.steps) == 1

    def test_saving_asks_for_a_name_once(self):
        conversation, paper, saved = talk("save", "save my game.json")
        conversation.run()
        assert [name for _, name in saved] == ["", "my game.json"]
        assert "Where to?" in paper.text
        assert "Saved in my game.json." in paper.text

    def test_B2_undo_at_the_table(self):
        conversation, paper, _ = talk("drag north", "undo", "turn cw", "undo", "undo")
        conversation.run()
        assert [str(step.action) for step in conversation.session.steps] == ["turn cw"]
        assert "Taken back: Red drags their own ghost to the north." in paper.text
        assert paper.text.count("Not allowed by B2") == 2

    def test_B2_undo_in_a_casual_game(self):
        session = Session(new_game(MACHINE, TWO), casual=True)
        conversation, paper, _ = talk("turn cw", "undo", "undo", session=session)
        conversation.run()
        assert conversation.session.steps == ()
        assert "nothing that could be taken back" in paper.text

    def test_the_heading_says_that_a_game_is_casual(self):
        screen = GameScreen(MACHINE, PEOPLE, ENGLISH, Paint(coloured=False))
        assert "casual" in screen.lines(new_game(MACHINE, TWO), (), casual=True)[0]
        assert "casual" not in screen.lines(new_game(MACHINE, TWO), ())[0]

    def test_D4_placings_are_asked_for_one_by_one(self):
        board = ToldBoard({"red": "rode", "blue": "rode"}, {"red": ("b2", "b3"), "blue": ("e5", "e6")})
        conversation, paper, _ = talk("turn cw", "turn cw", "place red c3", "1", "place blue e6", board=board)
        conversation.run()
        actions = [str(step.action) for step in conversation.session.steps]
        assert actions == ["turn cw", "place red b2", "place blue e6"]
        assert paper.text.count("Not allowed by D4") == 2
        assert "Blue can be put on e5 or e6." in paper.text

    def test_bots_play_between_people(self):
        seats = Seats((("red", HUMAN), ("blue", "mule")))
        conversation, paper, _ = talk("turn cw", "stop", "drag north", seats=seats, bots={"blue": Mule()})
        conversation.run()
        players = [step.player for step in conversation.session.steps]
        assert players[:5] == ["red", "red", "blue", "blue", "blue"]
        assert "Blue turns the board clockwise." in paper.text

    def test_bots_play_alone(self):
        seats = Seats((("red", "mule"), ("blue", "mule")))
        session = Session(new_game(MACHINE, replace(TWO, max_turns=3)))
        conversation, _, _ = talk(session=session, seats=seats, bots={"red": Mule(), "blue": Mule()})
        assert conversation.run() == OVER
        assert conversation.session.game.turn == 3

    def test_moves_lists_what_is_allowed(self):
        conversation, paper, _ = talk("moves", "1")
        conversation.run()
        assert " 1 turn cw" in paper.text
        assert "relocate A|B|C 2|4" in paper.text
        assert str(conversation.session.steps[0].action) == "turn cw"

    def test_B2_the_list_of_moves_is_no_preview_unless_the_game_is_casual(self):
        """Which push would take a ghost off the board (B6) shows when it is made: it is refused, and nothing moves."""
        game = new_game(MACHINE, TWO)
        game = replace(game, board=game.board.on_spaces({"red": "f6", "blue": "f7"}, MACHINE.space))
        lists = {}
        for casual in (False, True):
            conversation, paper, _ = talk("moves", "push C north", session=Session(game, casual=casual))
            conversation.run()
            assert "Not allowed by B6" in paper.text
            assert conversation.session.steps == ()
            lists[casual] = "push C north" in paper.text
        assert lists == {False: True, True: False}

    def test_a_drag_is_told_once(self):
        conversation, paper, _ = talk("drag north")
        conversation.run()
        assert "Red drags their own ghost to the north.\nRed is on a2 now." in paper.text


class TestCurtain:
    def test_Q2_the_screen_is_wiped_before_and_after(self):
        """On a real screen nothing private is visible before the player says so, nor after."""
        conversation, paper, _ = talk("search 1", "", "keep", session=standing(STOCKINGS), live=True)
        conversation.run()
        kinds = [kind for kind, _ in paper.shown]
        cards = [n for n, (_, text) in enumerate(paper.shown) if "  L" in text or "  H" in text or "  F" in text]
        first, last = min(cards), max(cards)
        enter = next(n for n, (kind, text) in enumerate(paper.shown) if kind == "ask" and "press Enter" in text)
        assert "clear" in kinds[:enter]
        assert "clear" in kinds[enter:first]
        wiped = kinds.index("clear", last)
        assert not any(kind == "frame" for kind in kinds[enter:wiped])
        assert kinds[wiped + 1 :].count("frame") > 0

    def test_Q2_it_falls_even_if_the_player_goes_away(self):
        conversation, paper, _ = talk("search 1", "", session=standing(STOCKINGS), live=True)
        assert conversation.run() == ENDED
        assert conversation.session.game.phase == RETURN
        assert [kind for kind, _ in paper.shown][-2:] == ["clear", "say"]

    def test_with_one_person_there_is_nobody_to_hide_from(self):
        seats = Seats((("red", HUMAN), ("blue", "mule")))
        conversation, paper, _ = talk(
            "search 1", "keep", session=standing(STOCKINGS), seats=seats, bots={"blue": Mule()}, live=True
        )
        conversation.run()
        assert "clear" not in [kind for kind, _ in paper.shown]
        assert "In deck 1, from the top:" in paper.text

    def test_Q2_a_deck_with_nothing_to_choose_is_shown_too(self):
        session = standing(STOCKINGS)
        owned = (("H2",), tuple(card for card in session.game.decks[0] if card != "H2")[:3])
        rest = tuple(card for card in session.game.decks[0] if card not in owned[1] and card != "H2")
        assert rest
        small = replace(session.game, decks=(rest[:1], *session.game.decks[1:]))
        conversation, paper, _ = talk("search 1", session=Session(small), board=ToldBoard())
        conversation.run()
        assert conversation.session.game.current_player == "blue"
        assert "only for the eyes of Red" in paper.text

    @given(st.integers(1, 4), st.data())
    @settings(max_examples=20)
    def test_Q2_nothing_hidden_is_on_the_screen_outside_the_curtain(self, deck, data):
        """Two games that differ only in hidden cards read the same to everybody, search and all."""
        start = standing(STOCKINGS).game
        hidden = [code for code in GARMENT_CODES if code != "L3"]
        card = data.draw(st.sampled_from(hidden))
        other = data.draw(st.sampled_from([c for c in hidden if part_of(c) == part_of(card) and c != card]))
        swap = {card: other, other: card}
        changed = replace(start, decks=tuple(tuple(swap.get(c, c) for c in pile) for pile in start.decks))
        texts = []
        for game in (start, changed):
            conversation, paper, _ = talk(f"search {deck}", "moves", "look", "keep", "look", session=Session(game))
            conversation.run()
            texts.append(outside_curtains(paper.text))
        assert texts[0][0] == texts[1][0]
        seen = any(c in start.decks[deck - 1] for c in swap)
        assert (texts[0][1] != texts[1][1]) == (seen and not all(c in start.decks[deck - 1] for c in swap))

    @every_language
    def test_Q2_the_stream_of_a_script_keeps_secrets_too(self, language, tmp_path, capsys):
        catalogue = load_catalogue(language)
        code = play(
            tmp_path,
            ["drag north", "search 3", "top face"],
            "--players",
            "red,blue",
            "--seed",
            "5",
            "--language",
            language,
        )
        assert code == 0
        out = capsys.readouterr().out
        assert "\x1b" not in out
        public, private = outside_curtains(out, catalogue)
        game = new_game(MACHINE, Options(("red", "blue"), seed=5))
        for card in game.decks[2]:
            name = catalogue.garment(MACHINE.castle.legend()[card])
            assert any(name in line for line in private)
            assert not any(name in line for line in public)


class TestFiles:
    @given(st.integers(0, 10_000), st.booleans())
    @settings(max_examples=10)
    def test_a_saved_game_is_read_as_it_was(self, seed, casual):
        game = new_game(MACHINE, Options(("green", "red"), seed=seed))
        seats = Seats((("green", "planner"), ("red", HUMAN)))
        saved = parse_saved(json.loads(json.dumps(saved_json(game, seats, MACHINE, casual=casual))), BOTS)
        assert (saved.game, saved.seats, saved.casual, saved.machine) == (game, seats, casual, MACHINE)

    def test_a_file_of_twin_game_has_people_only(self):
        data = game_json(new_game(MACHINE, TWO)) | {"machine": "reconstruction"}
        assert parse_saved(data, BOTS).seats == PEOPLE

    def test_stopping_and_going_on_changes_nothing(self, tmp_path, capsys):
        """A game saved in the middle and resumed ends like one that was played through."""
        lines = [str(step.action) for step in whole_game().steps[:40]]
        whole, half = tmp_path / "whole.json", tmp_path / "half.json"
        settled = ["--players", "red=human,blue=human", "--seed", "5"]
        assert play(tmp_path, lines, *settled, "--save", str(whole)) == 0
        assert play(tmp_path, lines[:17], *settled, "--save", str(half)) == 0
        assert half.read_bytes() != whole.read_bytes()
        assert play(tmp_path, lines[17:], "--resume", str(half), "--save", str(half)) == 0
        assert half.read_bytes() == whole.read_bytes()
        assert parse_saved(json.loads(whole.read_text()), BOTS).game == whole_game().steps[39].after
        capsys.readouterr()
        assert main(["game", "show", str(half)]) == 0, "it is a file of `twin game` too"

    @pytest.mark.parametrize("text", ["", "\n", "[]"])
    def test_what_does_not_begin_like_a_record_is_refused_by_its_first_line(self, text):
        with pytest.raises(BadInputError, match="line 1: must be"):
            parse_record(text, BOTS)

    def test_a_record_replays_to_the_same_game(self, tmp_path, capsys):
        lines = [str(step.action) for step in whole_game().steps]
        record = tmp_path / "record.jsonl"
        assert play(tmp_path, lines, "--players", "red,blue", "--seed", "5", "--record", str(record)) == 0
        again = replay(parse_record(record.read_text(encoding="utf-8"), BOTS), TABLE)
        assert again.game == whole_game().game
        assert again.steps == whole_game().steps
        words = ("--players", "red,blue", "--seed", "5", "--record", str(record))
        before = record.read_bytes()
        assert play(tmp_path, lines, *words) == 2, "a record is not written over without a word"
        assert play(tmp_path, lines, *words, "--overwrite") == 0
        assert record.read_bytes() == before
        assert digest(again.game) in record.read_text(encoding="utf-8")
        assert main(["play", "--resume", str(record)]) == 0, "a game that is over can be looked at"
        assert "wins!" in capsys.readouterr().out

    def test_a_record_can_be_played_on(self, tmp_path):
        record, saved = tmp_path / "record.jsonl", tmp_path / "saved.json"
        lines = [str(step.action) for step in whole_game().steps[:20]]
        assert play(tmp_path, lines[:9], "--players", "red,blue", "--seed", "5", "--record", str(record)) == 0
        assert play(tmp_path, lines[9:], "--resume", str(record), "--save", str(saved)) == 0
        assert parse_saved(json.loads(saved.read_text()), BOTS).game == whole_game().steps[19].after

    @pytest.mark.parametrize("torn", ["", '{"tu', '{"turn":1,"player":"bl'])
    def test_a_record_whose_last_line_is_torn_goes_on_before_it(self, torn, tmp_path):
        """Lines are appended; a machine that loses its power may tear one."""
        session = Session(new_game(MACHINE, TWO)).act(Turn("cw"), TABLE)
        head, action, _ = record_text(session, PEOPLE, MACHINE, "kernel").splitlines(keepends=True)
        record, saved = tmp_path / "record.jsonl", tmp_path / "saved.json"
        record.write_text(head + action + torn, encoding="utf-8")
        assert play(tmp_path, [], "--resume", str(record), "--record", str(record), "--save", str(saved)) == 0
        assert parse_saved(json.loads(saved.read_text()), BOTS).game == session.game
        assert record.read_text(encoding="utf-8") == record_text(session, PEOPLE, MACHINE, "kernel")

    @pytest.mark.parametrize("cut", [20, 400])
    def test_a_truncated_record_is_refused(self, cut, tmp_path, capsys):
        session = Session(new_game(MACHINE, TWO)).act(Turn("cw"), TABLE)
        path = tmp_path / "record.jsonl"
        path.write_text(record_text(session, PEOPLE, MACHINE, "kernel")[:cut], encoding="utf-8")
        assert main(["play", "--resume", str(path), "--save", str(tmp_path / "new.json")]) == 2
        assert str(path) in capsys.readouterr().err
        assert [file.name for file in tmp_path.iterdir()] == [path.name]

    def test_a_record_that_does_not_go_as_it_went_is_refused(self):
        session = Session(new_game(MACHINE, TWO)).act(Turn("cw"), TABLE)
        text = record_text(session, PEOPLE, MACHINE, "kernel")
        with pytest.raises(BadInputError, match="as it was recorded"):
            replay(parse_record(text.replace('"turn cw"', '"turn ccw"'), BOTS), TABLE)
        with pytest.raises(BadInputError, match="line 2"):
            replay(parse_record(text.replace('"turn cw"', '"drag blue north"'), BOTS), TABLE)

    @pytest.mark.parametrize(
        "change",
        [
            {"machine": None},
            {"machine": "no-such"},
            {"decks": [[], [], [], []]},
            {"schema": 99},
            {"play": []},
            {"play": {"seats": {"red": "human"}, "casual": False}},
            {"play": {"seats": {"blue": "human", "red": "human"}, "casual": False}},
            {"play": {"seats": {"red": "cat", "blue": "human"}, "casual": False}},
            {"play": {"seats": {"red": "human", "blue": "human"}, "casual": "yes"}},
            {"phase": "place", "pending": {"orientation": 0, "sliders": [], "options": {}, "still": {}}},
            {
                "phase": "place",
                "pending": {"orientation": 0, "sliders": [], "options": {"red": ["a1"], "blue": ["a1"]}, "still": {}},
            },
        ],
    )
    def test_a_broken_save_is_refused_and_left_alone(self, change, tmp_path, capsys):
        path = tmp_path / "game.json"
        data = saved_json(new_game(MACHINE, TWO), PEOPLE, MACHINE, casual=False) | change
        path.write_text(json.dumps(data), encoding="utf-8")
        before = path.read_bytes()
        assert play(tmp_path, ["turn cw"], "--resume", str(path), "--save", str(path)) == 2
        assert str(path) in capsys.readouterr().err
        assert path.read_bytes() == before

    @pytest.mark.parametrize(
        "text", ["", "{", "[]", "\ufeff{}", '{"kind":"twin play record"', '{"kind":"twin play record"}']
    )
    def test_what_is_no_game_is_refused(self, text, tmp_path, capsys):
        path = tmp_path / "game.json"
        path.write_text(text, encoding="utf-8")
        assert main(["play", "--resume", str(path)]) == 2
        assert "Traceback" not in capsys.readouterr().err

    def test_a_new_game_overwrites_nothing(self, tmp_path, capsys):
        path = tmp_path / "precious.json"
        path.write_text("precious", encoding="utf-8")
        assert play(tmp_path, ["turn cw"], "--players", "red,blue", "--save", str(path)) == 2
        assert path.read_text(encoding="utf-8") == "precious"
        assert play(tmp_path, ["turn cw"], "--players", "red,blue", "--record", str(path)) == 2
        assert path.read_text(encoding="utf-8") == "precious"
        assert play(tmp_path, ["turn cw", f"save {path}"], "--players", "red,blue") == 2
        assert path.read_text(encoding="utf-8") == "precious"
        capsys.readouterr()

    def test_what_is_settled_stays_settled(self, tmp_path, capsys):
        path = tmp_path / "game.json"
        save(path, Session(new_game(MACHINE, TWO)), PEOPLE, MACHINE)
        for words in (["--seed", "3"], ["--casual"], ["--hand", "exact"], ["--players", "blue,red"]):
            assert main(["play", "--resume", str(path), *words]) == 2
            assert words[0] in capsys.readouterr().err


class TestScripts:
    @every_language
    def test_a_whole_game_between_two_people(self, language, tmp_path, capsys):
        """Typed in the words of the language, it ends as it ended before, and the winner is told."""
        catalogue, session = load_catalogue(language), whole_game()
        lines = [written(step.action, catalogue) for step in session.steps]
        path = tmp_path / "end.json"
        words = ("--players", "red=human,blue=human", "--seed", "5", "--language", language, "--save", str(path))
        assert play(tmp_path, lines, *words) == 0
        assert parse_saved(json.loads(path.read_text(encoding="utf-8")), BOTS).game == session.game
        winner = session.game.options.players[session.game.winner or 0]
        assert catalogue("header.won", player=catalogue.colour(winner)) in capsys.readouterr().out

    def test_remarks_and_blank_lines_are_skipped(self, tmp_path, capsys):
        path = tmp_path / "end.json"
        lines = ["# a script", "", "turn cw  # the first move", "   ", "push B north"]
        assert play(tmp_path, lines, "--players", "red,blue", "--save", str(path)) == 0
        assert parse_saved(json.loads(path.read_text()), BOTS).game.moves == 2
        assert "The script ends here" in capsys.readouterr().out

    def test_an_illegal_action_ends_with_3_and_its_rule_and_line(self, tmp_path, capsys):
        path = tmp_path / "end.json"
        lines = ["turn cw", "# not on a bare space", "search 1", "turn cw"]
        assert play(tmp_path, lines, "--players", "red,blue", "--save", str(path)) == 3
        assert "script.txt, line 3: Not allowed by Q7" in capsys.readouterr().err
        saved = parse_saved(json.loads(path.read_text(encoding="utf-8")), BOTS).game
        assert saved.moves == 1, "what was played before it is kept"

    def test_B2_an_undo_that_stands_ends_with_3(self, tmp_path, capsys):
        assert play(tmp_path, ["turn cw", "undo"], "--players", "red,blue") == 3
        assert "line 2: Not allowed by B2" in capsys.readouterr().err
        assert play(tmp_path, ["turn cw", "undo"], "--players", "red,blue", "--casual") == 0

    @pytest.mark.parametrize("line", ["dance", "turn", "push Z north", "relocate A 9 0", "place red z9", "77", "undo"])
    def test_an_unreadable_line_ends_with_2_and_its_number(self, line, tmp_path, capsys):
        assert play(tmp_path, ["# first", line], "--players", "red,blue") == 2
        assert "script.txt, line 2:" in capsys.readouterr().err

    def test_lines_after_the_end_are_counted(self, tmp_path, capsys):
        lines = ["turn cw", "stop", "turn cw", "turn cw"]
        assert play(tmp_path, lines, "--players", "red,blue", "--max-turns", "1") == 0
        assert "2 more lines" in capsys.readouterr().err

    def test_options_reach_the_game(self, tmp_path, capsys):
        path = tmp_path / "end.json"
        words = ["--wandering-decks", "--strict-stop", "--as-is", "--hand", "exact", "--max-turns", "9", "--seed", "77"]
        assert play(tmp_path, ["turn cw"], "--players", "blue,red", *words, "--save", str(path)) == 0
        options = parse_saved(json.loads(path.read_text()), BOTS).game.options
        expected = Options(("blue", "red"), 77, EXACT, stop_early=False, wandering_decks=True, as_is=True, max_turns=9)
        assert options == expected
        capsys.readouterr()

    def test_both_engines_play(self, tmp_path, capsys):
        for engine in ("kernel", "pymunk"):
            assert play(tmp_path, ["turn cw"], "--players", "red,blue", "--hand", "exact", "--engine", engine) == 0
        assert capsys.readouterr().out.count("Red rode along with the board") == 2

    def test_bots_by_name(self, tmp_path, capsys):
        lines = ["turn cw", "stop", "turn ccw"]
        assert play(tmp_path, lines, "--players", "red=human,blue=random", "--seed", "3") == 0
        assert "B Blue (random)" in capsys.readouterr().out

    def test_the_language_of_the_system_is_used(self, tmp_path, capsys, monkeypatch):
        monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
        assert play(tmp_path, ["tourne horaire"], "--players", "red,blue") == 0
        assert "Rouge tourne le plateau" in capsys.readouterr().out

    @pytest.mark.parametrize(
        "words",
        [
            ["--players", "red"],
            ["--players", "red=cat,blue"],
            ["--language", "tlh"],
            ["--budget", "0"],
            ["--budget", "fast"],
            ["--max-turns", "0"],
            ["--machine", "no-such"],
            ["--script", "missing.txt"],
            ["--save", "no/such/folder/game.json"],
            ["--record", "no/such/folder/game.jsonl"],
            ["--resume", "missing.json"],
        ],
    )
    def test_bad_words_end_with_2(self, words, capsys, monkeypatch, tmp_path):
        monkeypatch.chdir(tmp_path)
        assert main(["play", *words]) == 2
        assert "Traceback" not in capsys.readouterr().err
        assert not list(tmp_path.iterdir())


class TestTerminal:
    """The real program, on a pipe and on a pseudo-terminal."""

    PROGRAM = (
        "import fcntl, sys, termios\n"
        "if sys.stdin.isatty(): fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"  # so that Ctrl-C reaches it
        "from twin.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )

    def test_a_pipe_is_read_like_a_keyboard_and_shows_no_colours(self):
        words = [sys.executable, "-c", self.PROGRAM, "play", "--players", "red,blue", "--language", "en"]
        ended = run(words, input="nonsense\nturn cw\n")
        assert ended.returncode == 0, ended.stderr
        assert "“nonsense” is not clear" in ended.stdout
        assert "Red rode along with the board" in ended.stdout
        assert ended.stdout.endswith("Goodbye.\n")
        assert "\x1b" not in ended.stdout

    def test_an_old_terminal_shows_plain_walls(self):
        words = [sys.executable, "-c", self.PROGRAM, "play", "--players", "red,blue", "--language", "de"]
        env = os.environ | {"PYTHONIOENCODING": "ascii"}
        ended = run(words, input="drehe rechts\n", env=env)
        assert ended.returncode == 0, ended.stderr
        assert "+-----" in ended.stdout

    def test_Q2_curtain_and_interrupt_on_a_screen(self, tmp_path):
        """Colours, a curtain that wipes what can be scrolled back to, and a game that Ctrl-C saves."""
        path = tmp_path / "game.json"
        keyboard, screen = pty.openpty()
        words = ["play", "--players", "red,blue", "--seed", "5", "--language", "en", "--save", str(path)]
        env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
        program_words = [sys.executable, "-c", self.PROGRAM, *words]
        with started(program_words, stdin=screen, stdout=screen, stderr=screen, env=env) as program:
            os.close(screen)
            shown = b""
            answers = (
                ("your move (? for help): ", b"drag north\n"),
                ("your move (? for help): ", b"search 3\n"),
                ("see the screen. ", b"\n"),
                ("go back? ", b"\x03"),
            )
            try:
                for prompt, answer in answers:
                    shown += self.until(keyboard, prompt)
                    os.write(keyboard, answer)
                # Python does not notice a Ctrl-C between the prompt and the reading; a person would press it again.
                shown += self.until(keyboard, "interrupted", again=b"\x03")
                assert program.wait(timeout=PATIENCE) == 130
            finally:
                os.close(keyboard)
        text = shown.decode()
        assert "\x1b[1;31m" in text
        before, _, after = text.partition("In deck 3")
        assert "\x1b[3J" in before.rpartition("press Enter")[2]
        assert "\x1b[3J" in after
        assert "(" not in after.partition("\x1b[3J")[2], "no card is named after the curtain"
        assert parse_saved(json.loads(path.read_text(encoding="utf-8")), BOTS).game.phase == RETURN

    @staticmethod
    def until(keyboard, prompt, again=b""):
        """Everything that the program shows until it asks; what it may have overheard is typed again."""
        shown, silent = b"", 0
        while prompt.encode() not in shown:
            ready, _, _ = select.select([keyboard], [], [], PATIENCE / 60)
            silent = 0 if ready else silent + 1
            assert silent < 60, f"no {prompt!r} in {shown.decode(errors='replace')}"
            if ready:
                shown += os.read(keyboard, 65536)
            elif again:
                os.write(keyboard, again)
        return shown


class TestGoldenGames:
    HINT = f"If this is meant, look at what changed and write the golden games anew: {COMMAND}"

    @pytest.mark.skipif(
        (sys.platform, platform.machine()) != ("linux", "x86_64"),
        reason="the same bytes are promised for Linux on x86-64",
    )
    @pytest.mark.parametrize("name", GAMES)
    def test_a_game_reads_as_it_was_kept(self, name):
        then, now = (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), playthrough(GAMES[name])
        lines = difflib.unified_diff(then.splitlines(), now.splitlines(), "kept", "now", lineterm="", n=1)
        assert now == then, "\n".join([*lines, self.HINT])

    def test_they_are_those_that_are_listed_and_small(self):
        assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(GAMES), self.HINT
        assert all(path.stat().st_size < 40_000 for path in FOLDER.glob("*.txt"))

    def test_they_show_what_they_should(self):
        """Two, three and four players, both hands, the variant Q8, falls, finds and choices."""
        options = [golden.options for golden in GAMES.values()]
        assert {len(o.players) for o in options} == {2, 3, 4}
        assert {o.hand for o in options} == {"exact", "varied"}
        assert any(o.wandering_decks for o in options)
        text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt"))
        assert all(
            f": {word} " in text for word in ("turn", "push", "drag", "relocate", "search", "place", "put", "top")
        )
        assert "Found!" in text
        assert "(D5)" in text


def test_give_back_is_written_in_every_language():
    """A deck's way back has no ghost and no slider in it; it must not be forgotten in the words."""
    for language in LANGUAGES:
        assert written(GiveBack(), load_catalogue(language))
        assert written(parse_action("put 3"), load_catalogue(language)).endswith(" 3")
