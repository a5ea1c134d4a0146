"""The game at the window without a window: what may be done, what is told, and what is never shown."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.setups import MACHINE
from twin.board.castle import PARTS
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import home_space
from twin.drawing.artwork import Artwork
from twin.drawing.scene_picture import corner_places, stamps
from twin.game.actions import GiveBack, Put, Search, Stop
from twin.game.board import Table
from twin.game.bots import NAMES
from twin.game.cards import part_of
from twin.game.positions import OVER, RETURN, Options, new_game
from twin.game.rules import apply, legal_actions
from twin.game.saved import parse_game
from twin.outcome.engine import KERNEL, PYMUNK
from twin.play.catalogue import LANGUAGES, load_catalogue
from twin.play.keeper import Keeper
from twin.play.record import parse_record, record_text, replay
from twin.play.session import Session, parse_seats
from twin.play.unfinished import games_folder
from twin.window.bot_seat import AwayThinker, Company, HereThinker
from twin.window.celebration import LASTS, celebration_stamps
from twin.window.curtain import Curtain, Secret
from twin.window.filmed_board import ShowTable
from twin.window.game_commands import carry_out
from twin.window.game_files import ask_to_leave, ask_to_save
from twin.window.game_keys import GROUPS, card
from twin.window.game_line import prompt
from twin.window.game_pointer import GamePointer
from twin.window.game_session import FLIGHT, GameSession
from twin.window.prompt import Prompt, keyed
from twin.window.search_picture import card_at, curtain_stamps, search_stamps
from twin.writing import Hold

TICK = 1.0 / 60.0


def game_on(players, spaces=None, **options):
    """A new game with ghosts on these spaces."""
    colours = parse_seats(players, NAMES).colours
    game = new_game(MACHINE, Options(colours, **options))
    places = {colour: MACHINE.castle.corners[colour] for colour in colours} | (spaces or {})
    return replace(game, board=game.board.on_spaces(places, MACHINE.space))


def at_window(game, players, *, casual=False, language="en", thinker=None, **places):
    """A session; `places` are where it is kept."""
    seats = parse_seats(players, NAMES)
    company = Company(seats, MACHINE, PYMUNK, game.options.seed, 0.005)
    return GameSession(
        Session(game, casual=casual),
        seats,
        ShowTable(MACHINE),
        load_catalogue(language),
        thinker or HereThinker(company),
        keeper_of(seats, PYMUNK, language, **places),
    )


def keeper_of(seats, engine, language="en", **places):
    """Keeps a game in these files, else among the unfinished games."""
    unfinished = games_folder(os.environ) / f"{secrets.token_hex(8)}.jsonl"
    holds: dict[str, Any] = {name: Hold(path) for name, path in places.items()}
    return Keeper(seats, MACHINE, engine, load_catalogue(language), Hold(unfinished), **holds)


def wait(session, until=None, most=4000):
    """Let time pass until something is the case: by default, until a person can act or the game is over."""
    until = until or (lambda: session.may_act or (session.game.is_over and session.is_quiet))
    for _ in range(most):
        if until():
            return
        session.advance(TICK)
    raise AssertionError("waited in vain")


def hats_left(game, space):
    """The deck (from 1) that holds the garment of a space, and one that does not."""
    code = MACHINE.castle.code_at(space)
    holds = next(n for n, deck in enumerate(game.decks, 1) if code in deck)
    return holds, next(n for n in range(1, 5) if n != holds)


# -- moves ------------------------------------------------------------------------------------------------------------


def test_what_the_window_shows_is_what_the_rules_say():
    """The same actions at the window and by the rules alone, on the same engine, give the same game (D2, T1)."""
    players = "red,blue"
    session, game, table = at_window(game_on(players), players), game_on(players), Table(MACHINE, PYMUNK)
    for action in (Turn("cw"), Relocate("B", 4, 1), Push("A", "north"), Turn("ccw"), Stop()):
        wait(session)
        assert session.wish(action), session.message
        game, _ = apply(game, action, table)
        assert session.game == game
        wait(session)
        assert {c: (g.x, g.y) for c, g in session.pose().ghosts.items()} == game.board.places


def test_a_film_ends_where_the_game_goes_on():
    """The last instant of physics covers the spaces that the rules give the ghost (D4)."""
    players = "red,yellow,green,blue"
    session = at_window(game_on(players, seed=5), players)
    for _ in range(8):
        wait(session)
        if session.options:
            session.accept()
            continue
        before = session.game
        assert session.wish(Turn("cw"))
        outcome, _ = session.table.film(before, Turn("cw"))
        happening = session.play.steps[-1].event.happening
        for colour, spaces in happening.pending.options:
            footing = dict(outcome.landing.footings)[colour]
            assert footing.place is None or outcome.landing.conflict or spaces == footing.covers


def test_on_the_kernel_the_game_is_the_kernels():
    """The film is the reference engine's, which keeps instants; the game goes on as the kernel says."""
    game = game_on("red,blue", {"red": "c3", "blue": "e5"})
    seats = parse_seats("red,blue", NAMES)
    company = Company(seats, MACHINE, KERNEL, 1, 0.005)
    table = ShowTable(MACHINE, KERNEL)
    session = GameSession(
        Session(game), seats, table, load_catalogue("en"), HereThinker(company), keeper_of(seats, KERNEL)
    )
    assert session.wish(Turn("cw"))
    wanted, _ = apply(game, Turn("cw"), Table(MACHINE, KERNEL))
    assert session.game == wanted
    assert session.playback is not None


def test_a_push_is_asked_for_alone_and_judged_the_same():
    """B6 at the window, one push at a time, agrees with the table that asks for all at once."""
    game = game_on("red,blue", {"red": "b7", "blue": "d7"})
    table, other = ShowTable(MACHINE), Table(MACHINE, PYMUNK)
    for slider in "ABC":
        for direction in ("north", "south"):
            push = Push(slider, direction)
            assert table.broken(game.board, push) == other.broken(game.board, push)


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (Drag("blue", "north"), "A1"),
        (Drag("red", "west"), "A1"),
        (Search(1), "Q7"),
        (Stop(), "T1"),
        (Relocate("A", 2, 0), "C1"),
        (Relocate("B", 5, 0), "C2"),
        (Put("red", "a1"), "D4"),
    ],
)
def test_what_the_rules_forbid_is_told_with_its_number(action, rule):
    session = at_window(game_on("red,blue", {"red": "b1"} if rule == "C1" else {}), "red,blue")
    before = session.game
    assert not session.wish(action)
    assert session.message_is_wrong
    assert rule in session.message
    assert session.game == before


def test_b2_turns_stand_and_are_not_forecast_except_casually():
    session = at_window(game_on("red,blue"), "red,blue")
    carry_out(session, "forecast")
    assert "B2" in session.message
    assert session.forecasting is None
    carry_out(session, "turn_cw")
    wait(session)
    carry_out(session, "undo")
    assert "B2" in session.message
    assert len(session.play.steps) == 1
    casual = at_window(game_on("red,blue"), "red,blue", casual=True)
    carry_out(casual, "forecast")
    try:
        assert casual.forecasting == Turn("cw")
        wait(casual, lambda: casual.forecast is not None, most=10**6)
        assert casual.notes().chances
    finally:
        casual.close()
    carry_out(casual, "turn_cw")
    assert casual.forecast is None
    wait(casual)
    carry_out(casual, "undo")
    assert casual.play.steps == ()
    assert casual.pose().board == 0.0
    assert casual.story == ()


def test_a_drag_can_be_taken_back():
    session = at_window(game_on("red,blue"), "red,blue")
    start = session.game
    carry_out(session, "north")
    wait(session)
    assert home_space(session.game.board, "red", MACHINE) == "a2"
    carry_out(session, "undo")
    assert session.game == start


def test_nothing_is_done_while_something_moves():
    session = at_window(game_on("red,blue"), "red,blue")
    carry_out(session, "turn_cw")
    session.advance(0.3)
    carry_out(session, "turn_cw")
    assert len(session.play.steps) == 1
    carry_out(session, "accept")  # Enter hurries
    assert session.may_act
    carry_out(session, "replay")
    assert not session.may_act


def test_a_slider_is_planned_into_another_tunnel_by_keys():
    """C1 to C3, G5: the plan changes nothing until it is said so."""
    session = at_window(game_on("red,blue"), "red,blue")
    for command in ("select_next", "select_next", "east", "north", "north", "north", "flip"):
        carry_out(session, command)
    assert session.plan == Relocate("B", 4, 2, flip=True)
    carry_out(session, "west")
    assert session.plan == Relocate("B", 2, 2, flip=True)
    assert "B" in prompt(session)
    assert session.play.steps == ()
    carry_out(session, "cancel")
    assert session.plan is None
    carry_out(session, "west")
    carry_out(session, "accept")
    assert session.game.board.slider("B").tunnel == 2
    assert session.game.moves == 1


# -- the mouse --------------------------------------------------------------------------------------------------------


def gesture(session, *places):
    pointer = GamePointer(session)
    pointer.press(places[0])
    for place in places[1:]:
        pointer.pull(place)
    pointer.release()


def test_gestures_of_the_mouse_are_moves():
    session = at_window(game_on("red,blue"), "red,blue", casual=True)
    gesture(session, (-120.0, -120.0), (-118.0, -112.0), (-119.0, -90.0))
    assert session.play.steps[-1].action == Drag("red", "north")
    wait(session)
    gesture(session, (-80.0, 147.0), (-80.0, 160.0), (-80.0, 172.0), (-80.0, 240.0))
    assert [str(s.action) for s in session.play.steps] == ["drag red north", "push A north"], "one move a gesture"
    wait(session)
    x, y = corner_places(session.pose(), MACHINE)[0]
    gesture(session, (x + 3, y + 3), (x + 30, y - 30), (x + 60, y - 90))
    assert session.play.steps[-1].action == Turn("cw")
    wait(session)
    session = at_window(game_on("red,blue"), "red,blue")
    gesture(session, (0.0, 147.0), (20.0, 150.0), (41.0, 190.0))
    assert session.plan == Relocate("B", 4, 1)
    session = at_window(game_on("red,blue"), "red,blue")
    gesture(session, (120.0, -120.0), (120.0, -80.0))
    assert "A1" in session.message


def test_a_small_pull_at_a_corner_turns_nothing():
    session = at_window(game_on("red,blue"), "red,blue")
    x, y = corner_places(session.pose(), MACHINE)[0]
    gesture(session, (x, y), (x + 5, y - 5))
    assert session.play.steps == ()


# -- placing ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def straddling():
    """A game in which a turn leaves a choice, found by playing turns."""
    for seed in range(1, 60):
        game = game_on("red,yellow,green,blue", {"red": "c6", "yellow": "d6", "green": "b4", "blue": "e3"}, seed=seed)
        session = at_window(game, "red,yellow,green,blue")
        session.wish(Turn("cw"))
        wait(session)
        if session.options:
            return game
    raise AssertionError("no turn left a choice")


@pytest.mark.parametrize("by_mouse", [True, False])
def test_d4_d5_choices_are_spaces_to_take(straddling, by_mouse):
    session = at_window(straddling, "red,yellow,green,blue")
    session.wish(Turn("cw"))
    wait(session)
    wanted = session.options[-1]
    assert len(session.notes().choices) == len(session.options)
    assert "D4" in " ".join(session.story[-1][1]) or "D5" in " ".join(session.story[-1][1])
    if by_mouse:
        gesture(session, session.notes().choices[-1][1])
    else:
        carry_out(session, "west")  # one back from the first is the last
        carry_out(session, "accept")
    assert session.play.steps[-1].action == Put(*wanted)
    assert session.pose().ghosts[wanted[0]].fallen is False
    wait(session)
    while session.options:
        carry_out(session, "accept")
        wait(session)
    assert {c: (g.x, g.y) for c, g in session.pose().ghosts.items()} == session.game.board.places


def test_a_game_resumed_in_the_middle_of_placing_shows_its_choices(straddling):
    session = at_window(straddling, "red,yellow,green,blue")
    session.wish(Turn("cw"))
    wait(session)
    again = at_window(session.game, "red,yellow,green,blue")
    assert again.options == session.options
    assert again.pose().board == pytest.approx(session.pose().board, abs=0.05), "but for the hand's misalignment"
    again.accept()
    wait(again)
    assert again.play.steps


def test_a_placing_that_is_taken_back_leaves_the_ghosts_where_the_move_did(straddling):
    """B2: in a casual game; the board lies as it lay, and the choice is open again."""
    session = at_window(straddling, "red,yellow,green,blue", casual=True)
    session.wish(Turn("cw"))
    wait(session)
    options, pose = session.options, session.pose()
    while session.options:
        session.accept()
        wait(session)
    while session.game.pending is None:
        carry_out(session, "undo")
    while session.options != options:
        carry_out(session, "undo")
    assert session.pose().ghosts == pose.ghosts


# -- searching --------------------------------------------------------------------------------------------------------


def test_q2_the_curtain_falls_before_cards_are_seen_and_after():
    players = "red,blue"
    session = at_window(game_on(players, {"red": "d3"}), players)
    _, other = hats_left(session.game, "d3")
    carry_out(session, f"number_{other}")
    assert session.game.phase == RETURN
    assert session.curtain.waits_for == "red"
    carry_out(session, "accept")  # too early: the curtain is still falling
    wait(session, lambda: session.curtain.drawn == 1.0)
    assert search_stamps(session) == []
    assert len(curtain_stamps(session)) == 2
    assert session.shown()["in_hand"] is None
    carry_out(session, "accept")
    assert session.curtain.seen.cards == session.game.decks[other - 1]
    assert session.shown()["in_hand"] == list(session.game.decks[other - 1])
    wait(session, lambda: session.curtain.drawn == 0.0)
    top = part_of(session.game.decks[other - 1][2])
    shown = [stamp for stamp in search_stamps(session) if stamp.key[0] == "card"]
    assert card_at((shown[2].x, shown[2].y), session) == 3
    gesture(session, (shown[2].x, shown[2].y))
    assert session.play.steps[-1].action == GiveBack(top=top)
    assert session.player == "blue"
    assert search_stamps(session) == []
    assert not session.is_quiet, "the curtain falls once more"
    wait(session)
    assert session.curtain.drawn <= 1.0


def test_with_one_person_there_is_nobody_to_hide_cards_from():
    players = "red,blue=random"
    session = at_window(game_on(players, {"red": "d3"}), players)
    holds, _ = hats_left(session.game, "d3")
    carry_out(session, f"number_{holds}")
    assert session.curtain.seen is not None
    assert session.flight.card == MACHINE.castle.code_at("d3")
    session.advance(FLIGHT + TICK)
    assert session.flight is None
    carry_out(session, "accept")
    assert session.play.steps[-1].action == GiveBack()


def test_a_deck_that_can_only_go_back_as_it_is_is_shown_all_the_same():
    players = "red,blue"
    game = game_on(players, {"red": "d3"})
    holds, _ = hats_left(game, "d3")
    code = MACHINE.castle.code_at("d3")
    rest = [c for c in game.decks[holds - 1] if c != code]
    decks = list(game.decks)
    decks[holds - 1] = (rest[0], code)
    session = at_window(replace(game, decks=tuple(decks), owned=(tuple(rest[1:2]), tuple(rest[2:]))), players)
    assert session.wish(Search(holds)), session.message
    assert session.game.phase != RETURN
    wait(session, lambda: session.curtain.drawn == 1.0 and session.flight is None)
    assert session.curtain.waits_for == "red", "though it is blue's turn already"
    session.accept()
    assert session.curtain.seen.decided
    assert session.curtain.seen.cards == (rest[0],)
    session.accept()
    wait(session)
    assert session.player == "blue"


def test_q8_a_deck_goes_to_another_place():
    players = "red,blue=random"
    session = at_window(game_on(players, {"red": "d3"}, wandering_decks=True), players)
    carry_out(session, "number_1")
    wait(session, lambda: session.flight is None)
    places = [stamp for stamp in search_stamps(session) if stamp.key[0] == "place"]
    assert [stamp.key[1] for stamp in places] == [2, 3, 4]
    carry_out(session, "accept")
    assert session.game.phase == RETURN, "it cannot stay"
    gesture(session, (places[1].x, places[1].y))
    assert session.play.steps[-1].action == GiveBack(place=3)


def hidden_twin(game, deck):
    """The same game as far as anybody can see: cards of one part swapped between two other decks, and an order."""
    one, other = (n for n in range(4) if n != deck - 1 and n != (deck % 4))
    decks = [list(d) for d in game.decks]
    part = part_of(decks[one][3])
    k = next(i for i, c in enumerate(decks[other]) if part_of(c) == part)
    decks[one][3], decks[other][k] = decks[other][k], decks[one][3]
    mine = decks[deck - 1]
    mine[1:] = mine[:0:-1]
    return replace(game, decks=tuple(map(tuple, decks)))


def test_what_is_hidden_is_nowhere_on_the_screen():
    """Q2: two games that differ only in hidden cards look alike until the curtain opens, and then they do not."""
    players = "red,blue"
    game = game_on(players, {"red": "d3"})
    _, deck = hats_left(game, "d3")
    sessions = [at_window(one, players) for one in (game, hidden_twin(game, deck))]
    assert sessions[0].game != sessions[1].game

    def looks(session):
        pictures = stamps(session.pose(), MACHINE, session.layers, session.notes())
        pictures += search_stamps(session) + curtain_stamps(session)
        return pictures, session.shown(), session.story, session.message, prompt(session)

    assert looks(sessions[0]) == looks(sessions[1])
    for session in sessions:
        session.wish(Search(deck))
        wait(session, lambda session=session: session.curtain.drawn == 1.0)
    assert looks(sessions[0]) == looks(sessions[1])
    text = json.dumps(sessions[0].shown())
    assert not any(f'"{card_}"' in text for pile in game.decks for card_ in pile)
    for session in sessions:
        session.accept()
    assert looks(sessions[0]) != looks(sessions[1])
    for session in sessions:
        session.wish(GiveBack())
    assert looks(sessions[0]) == looks(sessions[1])


@given(st.lists(st.sampled_from(["hide", "open", "end", "tick", "long"]), max_size=30), st.booleans())
def test_a_curtain_never_shows_what_was_not_opened(verbs, needed):
    """Whatever happens in whatever order: a secret is seen only after `open`, and never after `end`."""
    curtain, opened = Curtain(needed=needed), False
    for verb in verbs:
        match verb:
            case "hide":
                curtain.hide(Secret("red", 1, ("H1",), decided=False))
                opened = not needed
            case "open":
                opened = opened or curtain.waits_for is not None
                curtain.open()
            case "end":
                curtain.end()
                opened = False
            case _:
                curtain.advance(TICK if verb == "tick" else 2.0)
        assert (curtain.seen is not None) == opened
        assert 0.0 <= curtain.drawn <= 1.0
        assert needed or curtain.drawn == 0.0


# -- bots, the end, files ---------------------------------------------------------------------------------------------


def test_bots_play_as_they_do_at_the_terminal():
    """The same seeds give the same actions as the table's own bots, one after the other."""
    players = "red=greedy,blue=random"
    session = at_window(game_on(players, seed=3), players)
    wait(session, lambda: len(session.play.steps) >= 12, most=20000)
    bots = Company(session.seats, MACHINE, PYMUNK, 3, 0.005).bots()
    game, table = game_on(players, seed=3), Table(MACHINE, PYMUNK)
    for step in session.play.steps:
        action = bots[game.current_player].choose(game)
        assert action == step.action
        game, _ = apply(game, action, table)


def test_a_bot_thinks_in_a_process_of_its_own_and_the_window_goes_on():
    players = "red,blue=greedy"
    company = Company(parse_seats(players, NAMES), MACHINE, PYMUNK, 1, 0.005)
    session = at_window(game_on(players), players, thinker=AwayThinker(company))
    try:
        carry_out(session, "turn_cw")
        wait(session)
        carry_out(session, "stop")
        before, ticks = len(session.play.steps), 0
        while len(session.play.steps) == before:
            session.advance(TICK)
            ticks += 1
            assert ticks < 10**7
        assert session.play.steps[-1].player == "blue"
    finally:
        session.close()


def test_a_bot_that_dies_is_replaced():
    players = "red=greedy,blue=greedy"
    company = Company(parse_seats(players, NAMES), MACHINE, PYMUNK, 1, 0.005)
    thinker = AwayThinker(company)
    session = at_window(game_on(players), players, thinker=thinker)
    try:
        session.advance(TICK)
        assert thinker._process is not None
        thinker._process.kill()
        while not session.play.steps:
            session.advance(TICK)
    finally:
        session.close()


def test_e1_the_winner_is_celebrated_and_then_it_is_calm():
    players = "red,blue"
    game = game_on(players, {"red": "d3"})
    holds, _ = hats_left(game, "d3")
    own = [next(c for deck in game.decks for c in deck if part_of(c) == part) for part in PARTS if part != "headgear"]
    decks = tuple(tuple(c for c in deck if c not in own) for deck in game.decks)
    session = at_window(replace(game, decks=decks, owned=(tuple(own), ())), players)
    assert session.wish(Search(holds))
    assert session.game.phase == OVER
    assert celebration_stamps(session) == [], "first the card comes to its owner"
    wait(session)
    session.advance(1.5)
    kinds = [stamp.key[0] for stamp in celebration_stamps(session)]
    assert kinds.count("figure") == 1
    assert kinds.count("confetti") > 10
    for _ in range(round(2 * LASTS / 0.1)):
        session.advance(0.1)
    calm = celebration_stamps(session)
    assert [stamp.key[0] for stamp in calm] == ["veil", "figure"]
    assert calm[1].key[2:] == ("red", *session.game.owned[0])


def test_a_costume_grows_piece_by_piece():
    art = Artwork(MACHINE, 1.0)
    cards = ["H1", "F2", "B3", "L4", "A1"]
    figures = [art.picture(("figure", 1.0, "red", *cards[:n])).tobytes() for n in range(6)]
    assert len(set(figures)) == 6
    assert len({art.picture(("figure", 1.0, colour)).tobytes() for colour in ("red", "blue", "green", "yellow")}) == 4


def saved_in(path):
    """The game in a file."""
    return parse_game(json.loads(path.read_text(encoding="utf-8")), MACHINE)


def answered(asked, text):
    """What is asked after this was typed."""
    asked.text = text
    return keyed(asked, "RETURN")


@pytest.mark.parametrize("language", LANGUAGES)
def test_saving_asks_for_a_name_and_again_before_it_overwrites(tmp_path, language):
    session = at_window(game_on("red,blue"), "red,blue", language=language)
    taken = tmp_path / "taken.json"
    taken.write_text("mine", encoding="utf-8")
    again = answered(ask_to_save(session), str(tmp_path / "none" / "mine.json"))
    assert "mine.json" in again.problem
    assert session.message_is_wrong
    question = answered(again, str(taken))
    assert "taken.json" in question.title
    again = keyed(question, "RETURN")  # the answer that is marked loses nothing
    assert isinstance(again, Prompt)
    assert (again.text, taken.read_text(encoding="utf-8")) == (str(taken), "mine")
    question = keyed(answered(again, str(taken)), "DOWN")
    assert question is not None
    question.take()
    assert "taken.json" in session.message
    assert saved_in(taken) == session.game
    assert session.wish(Turn("cw"))
    assert ask_to_save(session) is None, "from now on it is this game's own"
    assert saved_in(taken) == session.game


def test_every_action_is_on_the_disk_as_soon_as_it_is_made(tmp_path):
    """Whatever ends the window costs nothing: the save and the record follow each action, a bot's and undoing too."""
    saved, record = tmp_path / "game.json", tmp_path / "game.jsonl"
    session = at_window(game_on("red,blue=random"), "red,blue=random", casual=True, saved=saved, record=record)

    def on_disk():
        text = record.read_text(encoding="utf-8")
        assert saved_in(saved) == replay(parse_record(text, NAMES), Table(MACHINE, PYMUNK)).game
        return saved_in(saved)

    assert session.wish(Turn("cw"))
    assert on_disk() == session.game
    wait(session)
    session.undo()
    assert on_disk() == session.game
    wait(session)
    assert session.wish(Relocate("B", 4, 1))
    wait(session)
    assert session.wish(Stop())
    wait(session, lambda: session.play.steps[-1].player == "blue")
    assert on_disk() == session.game


def test_a_game_whose_files_cannot_be_written_is_kept_elsewhere_before_the_window_closes(tmp_path):
    folder, left = tmp_path / "gone", []
    folder.mkdir()
    saved, record = folder / "game.json", folder / "game.jsonl"
    session = at_window(game_on("red,blue"), "red,blue", saved=saved, record=record)
    assert session.wish(Turn("cw"))
    assert ask_to_leave(session, lambda: left.append(1)) is None
    shutil.rmtree(folder)
    wait(session)
    session.wish(Turn("cw"))
    assert "game.json" in session.message
    assert session.message_is_wrong

    def asked():
        return ask_to_leave(session, lambda: left.append(1))

    assert str(saved) in asked().problem
    assert keyed(asked(), "ESCAPE") is None
    question = keyed(asked(), "DOWN")
    assert question is not None
    assert keyed(question, "RETURN") is None, "to go on playing"
    assert not left
    again = answered(asked().take(), str(tmp_path / "kept.json"))
    assert str(record) in again.problem
    assert saved_in(tmp_path / "kept.json") == session.game
    question = answered(again, str(tmp_path / "kept.json"))
    assert "kept.json" in question.title, "the record does not take the game's own place without a question"
    assert not left
    assert answered(again, str(tmp_path / "kept.jsonl")) is None
    assert left == [1]
    text = (tmp_path / "kept.jsonl").read_text(encoding="utf-8")
    assert replay(parse_record(text, NAMES), Table(MACHINE, PYMUNK)).game == session.game
    assert ask_to_leave(session, left.clear) is None


def test_leaving_without_saving_is_the_last_answer_of_all(tmp_path):
    left = []
    session = at_window(game_on("red,blue"), "red,blue", saved=tmp_path / "none" / "game.json")
    question = ask_to_leave(session, lambda: left.append(1))
    assert question is not None
    for _ in question.answers[1:]:
        assert not left
        keyed(question, "DOWN")
    assert keyed(question, "RETURN") is None
    assert left == [1]


def test_a_game_at_the_window_can_be_recorded_and_played_again():
    players = "red,blue=greedy"
    session = at_window(game_on(players), players)
    for command in ("turn_cw", "turn_ccw", "turn_cw"):
        wait(session)
        carry_out(session, command)
    wait(session)
    text = record_text(session.play, session.seats, MACHINE, PYMUNK)
    again = replay(parse_record(text, NAMES), Table(MACHINE, PYMUNK))
    assert again.game == session.game
    assert len(again.steps) > 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_and_the_card_speak_every_language(language):
    say = load_catalogue(language)
    groups = card(say)
    assert len(groups) == len(GROUPS)
    assert all(key and text for _, entries in groups for key, text in entries)
    players = "red,blue=greedy"
    session = at_window(game_on(players, {"red": "d3"}), players, language=language)
    texts = {prompt(session)}
    carry_out(session, "number_1")
    texts.add(prompt(session))
    wait(session, lambda: session.flight is None)
    carry_out(session, "accept")
    texts.add(prompt(session))
    assert len(texts) == 3
    assert all(text.strip() for text in texts)


COMMANDS = [b.command for _, bindings in GROUPS for b in bindings] + [f"number_{n}" for n in range(2, 6)]


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data())
def test_any_keys_in_any_order_leave_a_game_that_the_rules_allow(data):
    """Whatever is pressed and clicked: no exception, and every step is one that the rules allowed."""
    players = data.draw(st.sampled_from(["red,blue", "red,blue=random", "red,green,blue=greedy"]))
    casual = data.draw(st.booleans())
    session = at_window(
        game_on(players, {"red": data.draw(st.sampled_from(["d3", "a1", "e6"]))}), players, casual=casual
    )
    for _ in range(25):
        what = data.draw(st.sampled_from([*COMMANDS, "click", "time", "accept"]))
        if what == "click":
            places = [data.draw(st.tuples(st.floats(-200, 200), st.floats(-200, 200))) for _ in range(2)]
            gesture(session, *places)
        elif what == "time":
            session.advance(data.draw(st.sampled_from([0.05, 3.0])))
        elif what not in {"forecast", "save", "quit", "help", "panel", "fullscreen"}:
            carry_out(session, what)
        session.advance(0.8)
        session.pose()
        session.notes()
        assert prompt(session)
        assert session.shown()["in_hand"] is None or session.curtain.seen is not None
    game, table = session.play.start, Table(MACHINE, PYMUNK)
    for step in session.play.steps:
        assert step.before == game
        game = step.after
    assert game == session.game
    assert game.is_over or legal_actions(game, table)
