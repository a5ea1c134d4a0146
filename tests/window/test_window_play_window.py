"""The game in real windows under Xvfb: by keys alone, by the mouse, behind the curtain, saved and resumed."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.children import run, started, twin, until
from tests.screens import PATIENCE, screen_of_its_own
from tests.setups import MACHINE
from tests.window.test_window_game import at_window, game_on, hats_left, hidden_twin
from twin.board.grid import centre
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.scene import load_scene
from twin.cli import main
from twin.drawing.palette import GHOSTS, HIGHLIGHT
from twin.game.actions import GiveBack, Put, Search
from twin.game.board import Table
from twin.game.bots import NAMES, make_bot
from twin.game.cards import part_of
from twin.game.positions import RETURN
from twin.game.rules import apply
from twin.game.saved import parse_game
from twin.outcome.engine import PYMUNK
from twin.play.catalogue import LANGUAGES
from twin.play.record import parse_record, replay
from twin.play.session import parse_seats
from twin.reports.sentences import outcome_sentences
from twin.window.bot_seat import AwayThinker, Company
from twin.window.game_keys import COMMANDS
from twin.window.prompt import Prompt
from twin.window.sandbox_session import SandboxSession as Sandbox
from twin.window.search_picture import search_stamps
from twin.window.signals import SIGNALS, asked_to_end

SHORT = 337
"""A seed with which two greedy players need 36 actions; red wins."""


@pytest.fixture(scope="module")
def screen():
    with screen_of_its_own() as found:
        yield found


def show(screen, session):
    """Show a game; returns the view."""
    from twin.window.screen.play_view import PlayView

    if screen.view is not None:
        screen.view.session.close()
    screen.view = PlayView(session, screen.window)
    screen.window.show_view(screen.view)
    screen.frames(2)
    return screen.view


def press(screen, *names):
    """Press keys, the way the window's own events come in."""
    import arcade
    from pyglet.event import EventDispatcher

    for name in names:
        shift = arcade.key.MOD_CTRL if name.startswith("ctrl+") else 0
        symbol = getattr(arcade.key, name.removeprefix("ctrl+"))
        EventDispatcher.dispatch_event(screen.window, "on_key_press", symbol, shift)


def hurry(screen, until, most=4000):
    """Let time pass in large steps, each of them drawn."""
    for _ in range(most):
        if until():
            return
        screen.window.switch_to()
        screen.window.dispatch_events()
        screen.view.on_update(0.1)
        screen.view.on_draw()
        screen.window.flip()
    raise AssertionError("waited in vain")


def click(screen, x, y):
    """A real click at a pixel of the window, counted from the bottom left."""
    left, top = screen.window.get_location()
    screen.xdotool("mousemove", str(round(left + x)), str(round(top + screen.window.height - y)), "click", "1")


def spot(view, command):
    """The middle of a button or deck in the panel."""
    box = next(s.box for s in view._shown.buttons if s.command == command)
    return box.x + box.width / 2, box.y + box.height / 2


def mean(one, other):
    return max(ImageStat.Stat(ImageChops.difference(one, other)).mean)


# -- a whole game -----------------------------------------------------------------------------------------------------


def typed(screen, session, action):  # noqa: C901 - one case an action
    """The keys that make an action."""

    def select(name):
        for _ in range(4):
            if session.selected != name:
                press(screen, "TAB")
        assert session.selected == name

    arrows = {"north": "UP", "south": "DOWN", "east": "RIGHT", "west": "LEFT"}
    match action:
        case Turn(direction):
            press(screen, "E" if direction == "cw" else "Q")
        case Push(slider, direction):
            select(slider)
            press(screen, arrows[direction])
        case Drag(ghost, direction):
            select(ghost)
            press(screen, arrows[direction])
        case Relocate(slider, tunnel, offset, flip):
            select(slider)
            way = "RIGHT" if tunnel > session.game.board.slider(slider).tunnel else "LEFT"
            while session.plan is None or session.plan.tunnel != tunnel:
                press(screen, way)
            while session.plan.offset != offset:
                press(screen, "UP" if offset > session.plan.offset else "DOWN")
            press(screen, *(["F"] if flip else []), "RETURN")
        case Search(deck):
            press(screen, f"KEY_{deck}")
        case GiveBack(top=None):
            press(screen, "RETURN")
        case GiveBack(top=part):
            cards = [part_of(card) for card in session.curtain.seen.cards]
            press(screen, f"KEY_{cards.index(str(part)) + 1}")
        case Put(ghost, space):
            while session.options[session.choice % len(session.options)] != (ghost, space):
                press(screen, "C")
            press(screen, "RETURN")
        case _:
            press(screen, "SPACE")


def test_a_whole_game_by_keys_alone_against_a_bot(screen):
    """From the deal to E1: every action of a person by keys, every one of the bot's from its own process."""
    players = "red=human,blue=greedy"
    company = Company(parse_seats(players, NAMES), MACHINE, PYMUNK, SHORT, 0.05)
    session = at_window(game_on(players, seed=SHORT), players, thinker=AwayThinker(company))
    view = show(screen, session)
    table = Table(MACHINE, PYMUNK)
    mind = make_bot("greedy", table, SHORT * 2)
    kinds = set()
    while not session.game.is_over:
        hurry(screen, lambda: session.may_act or session.returns or session.game.is_over, most=10**6)
        if session.game.is_over:
            break
        game = session.game
        action = mind.choose(game)
        wanted, _ = apply(game, action, table)
        typed(screen, session, action)
        assert session.game == wanted, (action, session.message)
        assert session.play.steps[-1].action == action
        kinds.add(type(action))
    assert session.game.winner == 0
    assert len(session.play.steps) == 36
    assert {Turn, Drag, Search} <= kinds
    assert {step.player for step in session.play.steps} == {"red", "blue"}
    hurry(screen, lambda: session.over_for > 2.0)
    party = screen.picture()
    assert HIGHLIGHT[:3] in {colour for _, colour in party.getcolors(1_000_000)}
    screen.frames(30)
    assert mean(party.crop((0, 0, 858, 750)), screen.picture().crop((0, 0, 858, 750))) > 0.5, "confetti falls"
    assert view.session.shown()["winner"] == "red"


# -- the mouse --------------------------------------------------------------------------------------------------------


def test_real_mouse_moves(screen):
    """A1, B1 and D1: a ghost, a slider's tab and a corner, pulled by a real mouse; then a button and a deck."""
    players = "red,blue"
    session = at_window(game_on(players), players)
    view = show(screen, session)

    def pull(start, *ways):
        screen.mouse_to(start)
        screen.xdotool("mousedown", "1")
        for place in ways:
            screen.mouse_to(place)
        screen.xdotool("mouseup", "1")

    pull((-120.0, -120.0), (-120.0, -108.0), (-120.0, -88.0))
    screen.until(lambda: len(session.play.steps) == 1, "the drag")
    assert session.play.steps[-1].action == Drag("red", "north")
    hurry(screen, lambda: session.may_act)
    x, y = spot(view, "undo")
    click(screen, x, y)
    screen.until(lambda: not session.play.steps, "undo")
    pull((0.0, 147.0), (0.0, 160.0), (0.0, 175.0))
    screen.until(lambda: len(session.play.steps) == 1, "the push")
    assert session.play.steps[-1].action == Push("B", "north")
    hurry(screen, lambda: session.may_act)
    pull((144.0, 144.0), (170.0, 110.0), (190.0, 60.0))
    screen.until(lambda: len(session.play.steps) == 2, "the turn")
    assert session.play.steps[-1].action == Turn("cw")
    hurry(screen, lambda: session.may_act)
    click(screen, *spot(view, "number_2"))
    screen.until(lambda: "Q7" in session.message, "the deck")


def test_real_mouse_looks_through_a_deck_behind_the_curtain(screen):
    players = "red,blue"
    game = game_on(players, {"red": "d3"})
    _, deck = hats_left(game, "d3")
    session = at_window(game, players)
    view = show(screen, session)
    click(screen, *spot(view, f"number_{deck}"))
    screen.until(lambda: session.game.phase == RETURN, "the search")
    hurry(screen, lambda: session.curtain.drawn == 1.0)
    screen.mouse_to((0.0, 0.0))
    screen.xdotool("click", "1")
    screen.until(lambda: session.curtain.seen is not None, "the curtain")
    hurry(screen, lambda: session.curtain.drawn == 0.0)
    click(screen, *spot(view, "number_3"))
    assert session.game.phase == RETURN, "a deck on the table is no card in the hand"
    card = [stamp for stamp in search_stamps(session) if stamp.key[0] == "card"][1]
    screen.mouse_to((card.x, card.y))
    screen.xdotool("click", "1")
    screen.until(lambda: session.player == "blue", "the card")
    assert session.play.steps[-1].action == GiveBack(top=part_of(str(card.key[1])))


def test_the_ghosts_are_drawn_where_the_game_has_them(screen):
    session = at_window(game_on("red,blue", {"red": "b3", "blue": "f5"}), "red,blue")
    show(screen, session)
    for colour, space in (("red", "b3"), ("blue", "f5")):
        x, y = centre(space, MACHINE.space, 0)
        seen = screen.colour_at((x + 0.78 * MACHINE.radius, y))
        assert max(abs(a - b) for a, b in zip(seen, GHOSTS[colour][:3], strict=True)) < 45


# -- secrets ----------------------------------------------------------------------------------------------------------


def test_q2_two_games_that_differ_only_in_hidden_cards_give_the_same_pictures(screen):
    """Pixel by pixel: before the search, while the curtain falls, behind it, and after; only open cards differ."""
    players = "red,blue"
    game = game_on(players, {"red": "d3"})
    _, deck = hats_left(game, "d3")

    def pictures(one):
        session = at_window(one, players)
        show(screen, session)
        found = [screen.picture()]
        press(screen, f"KEY_{deck}")
        screen.frames(12)
        found.append(screen.picture())
        hurry(screen, lambda: session.curtain.drawn == 1.0)
        found.append(screen.picture())
        press(screen, "RETURN")
        screen.frames(40)
        opened = screen.picture()
        press(screen, "RETURN")
        for _ in range(4):
            screen.frames(10)
            found.append(screen.picture())
        hurry(screen, lambda: session.may_act)
        return [*found, screen.picture()], opened, session.shown()

    first, second = pictures(game), pictures(hidden_twin(game, deck))
    assert [one.tobytes() for one in first[0]] == [other.tobytes() for other in second[0]]
    assert first[2] == second[2]
    assert mean(first[1], second[1]) > 0.5
    assert mean(first[0][0], first[0][2]) > 10, "the curtain hides the board"


# -- files and the command --------------------------------------------------------------------------------------------


def test_saved_in_the_middle_of_a_game_by_keys_and_resumed_by_the_command(screen, tmp_path, monkeypatch):
    players = "red,blue"
    monkeypatch.chdir(tmp_path)
    session = at_window(game_on(players, seed=4), players)
    view = show(screen, session)
    press(screen, "E")
    hurry(screen, lambda: session.may_act or session.options)
    screen.mouse_to((0.0, -220.0))
    screen.xdotool("key", "ctrl+s")
    screen.until(lambda: view.prompt is not None, "the question")
    view.prompt.text = ""
    screen.xdotool("type", "middle.json")
    screen.until(lambda: view.prompt.text == "middle.json", "letters")
    screen.xdotool("key", "Return")
    screen.until(lambda: "middle.json" in session.message, "the file")
    saved = parse_game(json.loads((tmp_path / "middle.json").read_text(encoding="utf-8")), MACHINE)
    assert saved == session.game
    words = ["--play", "--resume", "middle.json", "--frames", "3", "--state", "a.json", "--screenshot", "a.png"]
    run = run_view(words, tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    shown = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    wanted = json.loads(json.dumps(session.shown()))
    assert {k: v for k, v in shown.items() if k not in {"schema", "actions"}} == {
        k: v for k, v in wanted.items() if k != "actions"
    }
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (1280, 800)


def test_the_window_stays_open_while_the_game_cannot_be_saved(screen, tmp_path, monkeypatch):
    """Ctrl+Q, and closing by the window's own button: asked first; then kept elsewhere, and closed."""
    closed = []
    monkeypatch.setattr("arcade.Window.on_close", lambda _: closed.append(1))
    session = at_window(game_on("red,blue"), "red,blue", saved=tmp_path / "none" / "game.json")
    view = show(screen, session)
    screen.mouse_to((0.0, -220.0))
    screen.xdotool("key", "ctrl+q")
    screen.until(lambda: view.prompt is not None, "the question")
    screen.xdotool("key", "Down", "key", "Return")
    screen.until(lambda: view.prompt is None, "the game going on")
    screen.window.on_close()
    screen.xdotool("key", "Return")
    screen.until(lambda: isinstance(view.prompt, Prompt), "where else")
    assert not closed
    view.prompt.text = str(tmp_path / "kept.json")
    screen.xdotool("key", "Return")
    screen.until(lambda: bool(closed), "the end")
    saved = parse_game(json.loads((tmp_path / "kept.json").read_text(encoding="utf-8")), MACHINE)
    assert saved == session.game


def record_so_far(path):
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_a_window_that_is_asked_to_end_keeps_the_game(screen, tmp_path):
    """SIGTERM, in the middle of bots' moves: what was agreed is written, and the exit code tells of the signal."""
    screen.window.set_visible(False)
    words = twin("view", "--play", "--players", "red=random,blue=random")
    words += ["--save", "left.json", "--record", "left.jsonl", "--state", "end.json", "--size", "480×360"]
    try:
        with started(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as window:
            until(lambda: '"action"' in record_so_far(tmp_path / "left.jsonl"), "the first action")
            window.send_signal(signal.SIGTERM)
            _, errors = window.communicate(timeout=PATIENCE)
    finally:
        screen.window.set_visible(True)
    assert (window.returncode, errors) == (128 + signal.SIGTERM, "twin: ended by SIGTERM\n")
    saved = parse_game(json.loads((tmp_path / "left.json").read_text(encoding="utf-8")), MACHINE)
    record = parse_record((tmp_path / "left.jsonl").read_text(encoding="utf-8"), NAMES)
    assert replay(record, Table(MACHINE, PYMUNK)).game == saved
    shown = json.loads((tmp_path / "end.json").read_text(encoding="utf-8"))
    assert shown["actions"] == list(record.actions)


@pytest.mark.parametrize("number", SIGNALS)
def test_signals_that_ask_to_end_wait_until_everything_is_kept(number):
    came = []
    before = signal.signal(number, lambda which, _: came.append(which))
    try:
        with asked_to_end() as asked:
            signal.raise_signal(number)
            signal.raise_signal(number)
            assert asked == [number, number]
            assert not came
        assert came == [number]
        signal.signal(number, signal.SIG_IGN)
        with asked_to_end() as asked:
            signal.raise_signal(number)
        assert not asked, "what is ignored, as under nohup, stays so"
    finally:
        signal.signal(number, before)


def run_view(words, cwd):
    return run(twin("view", *words), cwd=cwd)


@pytest.mark.usefixtures("screen")
def test_bots_play_in_the_window_the_same_game_each_time(tmp_path):
    """The contract's options: pictures a sixtieth of a second apart, whatever the clock says; save and record."""
    words = ["--play", "--players", "red=greedy,blue=random", "--seed", "5", "--frames", "150", "--language", "de"]
    texts = []
    for name in ("one", "two"):
        files = ["--state", f"{name}.json", "--save", f"{name}.game", "--record", f"{name}.record"]
        run = run_view([*words, *files, "--size", "480×360"], tmp_path)
        assert (run.returncode, run.stderr) == (0, "")
        assert f"twin view --play --resume {name}.game" in run.stdout
        texts.append([(tmp_path / f"{name}.{end}").read_text(encoding="utf-8") for end in ("json", "game", "record")])
    assert texts[0] == texts[1]
    state = json.loads(texts[0][0])
    assert len(state["actions"]) >= 2
    assert state["in_hand"] is None
    assert all(set(deck) == {"cards", "back"} for deck in state["decks"])
    again = run_view(["--play", "--resume", "one.record", "--frames", "2", "--state", "three.json"], tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    resumed = json.loads((tmp_path / "three.json").read_text(encoding="utf-8"))
    assert resumed["board"] == state["board"]


def test_closing_the_window_in_the_middle_of_a_move_keeps_the_game(screen, tmp_path):
    """The command as people start it, with a bot in its own process: a turn, and Ctrl+Q at once; all by real keys."""
    program = shutil.which("xdotool")
    if program is None:
        pytest.skip("xdotool is not installed: apt-get install xdotool")
    screen.window.set_visible(False)
    words = [sys.executable, "-m", "twin", "view", "--play", "--save", "left.json", "--state", "end.json"]
    try:
        with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as window:
            try:
                find = ["search", "--sync", "--onlyvisible", "--name", "the twin", "mousemove", "--window", "%1"]
                subprocess.run([program, *find, "60", "60"], check=True, timeout=PATIENCE, capture_output=True)
                subprocess.run([program, "key", "e", "key", "ctrl+q"], check=True, timeout=PATIENCE)
                _, errors = window.communicate(timeout=PATIENCE)
            finally:
                window.kill()
    finally:
        screen.window.set_visible()
    assert (window.returncode, errors) == (0, "")
    assert json.loads((tmp_path / "end.json").read_text(encoding="utf-8"))["actions"] == ["turn cw"]
    saved = parse_game(json.loads((tmp_path / "left.json").read_text(encoding="utf-8")), MACHINE)
    assert saved == apply(game_on("red,blue"), Turn("cw"), Table(MACHINE, PYMUNK))[0]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["held", "--play"], "--play"),
        (["--play", "--players", "red"], "--players"),
        (["--play", "--resume", "nowhere.json"], "nowhere.json"),
        (["--players", "red,blue"], "--play"),
        (["--play", "--set", "friction.board=0.3"], "--set"),
        (["--play", "--save", "no/such/folder.json"], "no/such"),
    ],
)
def test_view_play_refuses_bad_words(words, told, capsys):
    assert main(["view", *words, "--frames", "1"]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert "Traceback" not in error


def test_real_arrow_keys_reach_the_game_and_the_sandbox(screen):
    """A1 by an arrow key; the same key under another name is for moving in texts."""
    session = at_window(game_on("red,blue"), "red,blue")
    show(screen, session)
    screen.mouse_to((0.0, -220.0))
    screen.xdotool("key", "Up")
    screen.until(lambda: bool(session.play.steps), "the drag")
    assert session.play.steps[-1].action == Drag("red", "north")
    sandbox = screen.show(Sandbox(load_scene("start"), outcome_sentences))
    screen.xdotool("key", "1", "key", "Up")
    screen.until(lambda: sandbox.session.sandbox.can_undo, "the drag")
    assert sandbox.session.sandbox.labels[-1] == "drag red north"


# -- looks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_key_card_opens_in_every_language(screen, language):
    session = at_window(game_on("red,blue"), "red,blue", language=language)
    view = show(screen, session)
    plain = screen.picture()
    press(screen, "F1")
    screen.frames(1)
    assert view.show_keys
    assert mean(plain, screen.picture()) > 10
    press(screen, "ESCAPE")
    screen.frames(1)
    assert mean(plain, screen.picture()) < 1


def test_a_key_over_the_key_card_spends_no_move(screen):
    session = at_window(game_on("red,blue"), "red,blue")
    view = show(screen, session)
    game, layers, selected = session.game, session.layers, session.selected
    for name in COMMANDS:
        if COMMANDS[name] != "quit" and not name.startswith("shift+"):
            press(screen, "F1", name)
            assert not view.show_keys, name
            assert (session.game, session.layers, session.selected) == (game, layers, selected), name
            assert (view.prompt, view.show_panel, session.message) == (None, True, ""), name


def test_any_size_of_window_shows_the_game(screen):
    players = "red,blue,green,yellow=random"
    view = show(screen, at_window(game_on(players, {"red": "d3"}), players))
    try:
        for size in ((500, 400), (700, 900), (1500, 1100)):
            screen.window.set_size(*size)
            screen.until(lambda size=size: view.layout.width == size[0] and view.layout.height == size[1], "the size")
            screen.until(
                lambda: view._stage.suits(MACHINE, view.frame, screen.window.get_pixel_ratio()),
                "pictures for that size",
            )
            assert screen.picture().size == size
            assert bool(view._shown.buttons) == (size[0] >= 640)
            assert all(s.box.x + s.box.width <= size[0] + 1 for s in view._shown.buttons)
    finally:
        screen.window.set_size(1280, 800)
        screen.until(lambda: screen.window.width == 1280, "the window's size")


def test_random_input_ends_without_an_exception(screen, tmp_path, monkeypatch):
    """Keys and clicks in any order, drawn after each; what is played stays a game, and is saved in a folder."""
    import arcade

    monkeypatch.chdir(tmp_path)

    players = "red,blue,green=greedy"
    game = game_on(players, {"red": "d3", "blue": "e6"})
    session = at_window(game, players, casual=True)
    view, dice = show(screen, session), random.Random(3)
    keys = ["Q", "E", "TAB", "UP", "DOWN", "LEFT", "RIGHT", "F", "C", "RETURN", "ESCAPE", "SPACE", "U", "H", "R"]
    keys += ["KEY_1", "KEY_2", "KEY_3", "KEY_4", "I", "F1", "ctrl+S", "RETURN", "RETURN"]
    for _ in range(90):
        if dice.random() < 0.7:
            press(screen, dice.choice(keys))
        else:
            x, y = dice.uniform(0, 1280), dice.uniform(0, 800)
            view.on_mouse_motion(x, y, 0, 0)
            view.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
            view.on_mouse_drag(x + dice.uniform(-150, 150), y + dice.uniform(-150, 150), 0, 0, 1, 0)
            view.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
        hurry(screen, lambda: dice.random() < 0.4)
    assert len(session.play.steps) > 3
    states = [session.play.start, *(step.after for step in session.play.steps)]
    assert all(step.before == before for step, before in zip(session.play.steps, states, strict=False))
