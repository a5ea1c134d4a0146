"""Real windows under Xvfb, with real mouse and key events: what is seen and done is what the engine says."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import subprocess
import sys

import pytest
from PIL import Image, ImageChops, ImageStat

from benchmarks.frames import memory_mb, wild_inputs
from tests.children import run, twin
from tests.screens import PATIENCE, display, fine_display, screen_of_its_own
from tests.setups import MACHINE, SLIDERS
from twin.board.moves import Turn
from twin.board.scene import Scene, load_scene
from twin.board.state import State, magnets
from twin.cli import main
from twin.drawing.palette import GHOSTS, NIGHT, PANEL
from twin.drawing.paste import pasted
from twin.drawing.scene_picture import stamps
from twin.outcome.engine import Twin
from twin.reports.as_json import outcome_json, scene_json
from twin.reports.sentences import outcome_sentences
from twin.window.sandbox_keys import COMMANDS
from twin.window.sandbox_session import SandboxSession


@pytest.fixture(scope="module")
def screen():
    with screen_of_its_own() as found:
        yield found


def session(name: str = "start") -> SandboxSession:
    return SandboxSession(load_scene(name), outcome_sentences)


def near(colour, wanted, tolerance=45):
    return max(abs(a - b) for a, b in zip(colour[:3], wanted[:3], strict=True)) <= tolerance


# -- what is seen -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("orientation", range(4))
def test_a_held_ghost_is_drawn_where_the_trace_says(screen, orientation):
    """D2 on the screen: the board turns, the ghost on its magnet stays, in each orientation and at every instant."""
    magnet = magnets(State.of(0, {"red": (0.0, 80.0)}, SLIDERS), MACHINE)[1]
    state = State.of(orientation, {"red": (magnet.x, magnet.y)}, SLIDERS)
    view = screen.show(SandboxSession(Scene("held", "Held", MACHINE, state), outcome_sentences))
    view.run("turn_cw")
    playback = view.session.playback
    playback.paused = True
    trace = playback.timeline.trace
    for frame in range(0, len(trace.times), 24):
        playback.seek(float(trace.times[frame]))
        screen.frames()
        x, y, spin = trace.poses[frame, 0]
        side = 1.0 if math.sin(spin) > 0 else -1.0
        assert near(screen.colour_at((x + side * 0.78 * MACHINE.radius, y)), GHOSTS["red"])
        reach, angle = 132.0 * math.sqrt(2), trace.board[frame] - 3 * math.pi / 4
        assert near(screen.colour_at((reach * math.cos(angle), reach * math.sin(angle))), GHOSTS["red"], 90)


@pytest.mark.parametrize("time", [0.0, 0.5])
def test_the_window_and_the_picture_without_one_are_the_same(screen, time):
    """Two ways to draw, one picture: sprites on the screen, stamps pasted without it."""
    view = screen.show(session("bump-in-turn"))
    view.run("turn_cw")
    view.session.playback.paused = True
    view.session.playback.seek(time)
    screen.frames()
    width, height = (round(n) for n in view.layout.stage[2:])
    seen = screen.picture().crop((0, 0, width, height))
    shown = view.session
    wanted = pasted(
        stamps(shown.pose(), shown.machine, shown.layers, shown.notes()), view._stage.artwork, view.frame, (1280, 800)
    ).crop((0, 0, width, height))
    difference = ImageStat.Stat(ImageChops.difference(seen, wanted))
    assert max(difference.mean) < 2.5


def test_resizing_keeps_the_board_whole_and_sharp(screen):
    view = screen.show(session("start"))
    try:
        for size in ((700, 900), (1500, 600), (500, 400)):
            screen.window.set_size(*size)
            screen.until(lambda size=size: (screen.window.width, screen.window.height) == size, "the window's size")
            screen.until(
                lambda: view._stage.suits(view.session.machine, view.frame, screen.window.get_pixel_ratio()),
                "pictures for that size",
            )
            screen.frames(2)
            left, bottom, width, height = view.layout.stage
            for x, y in ((-235.0, 0.0), (0.0, 239.0)):
                px, py = view.frame.to_pixels((x * 0.9, y))
                assert left <= px <= left + width
                assert bottom <= py <= bottom + height
            assert near(screen.colour_at((-120.0 + 0.78 * 13, -120.0)), GHOSTS["red"], 60)
    finally:
        screen.window.set_size(1280, 800)
        screen.until(lambda: screen.window.width == 1280, "the window's size")


def test_on_a_fine_screen_pictures_have_all_its_pixels(screen):
    """HiDPI: with two pixels to a point the pictures are drawn twice as large, and shown at the same size."""
    view = screen.show(session("start"))
    stage = type(view._stage)(MACHINE, view.frame, 2.0)
    assert stage.artwork.scale == 2 * view.frame.scale
    assert stage.suits(MACHINE, view.frame, 2.0)
    assert not stage.suits(MACHINE, view.frame, 1.0)
    stage.show(stamps(view.session.pose(), MACHINE, view.session.layers, view.session.notes()))
    fine, plain = (next(s for s in one._sprites if s.texture.width > 400) for one in (stage, view._stage))
    assert fine.texture.width == pytest.approx(2 * plain.texture.width, abs=4)
    assert fine.width == pytest.approx(plain.width, abs=2)


# -- real events ------------------------------------------------------------------------------------------------------


def test_a_real_key_turns_the_board(screen):
    view = screen.show(session("held"))
    screen.mouse_to((0.0, -220.0))
    screen.xdotool("key", "e")
    screen.until(lambda: view.session.sandbox.can_undo, "the turn")
    screen.until(lambda: view.session.is_quiet, "its end")
    wanted = Twin(MACHINE).act(load_scene("held").state, Turn("cw"), sensitivity=False)
    assert outcome_json(view.session.sandbox.moment.outcome) == outcome_json(wanted)
    assert view.session.sandbox.state == wanted.after()
    screen.xdotool("key", "ctrl+z")
    screen.until(lambda: not view.session.sandbox.can_undo, "undo")
    assert view.session.sandbox.state == load_scene("held").state


def test_a_real_mouse_turns_the_board_by_its_corner(screen):
    """The path that the mouse makes is the path that counts: made again, it gives the same bits."""
    view = screen.show(session("all-at-once"))
    before = view.session.sandbox.state
    screen.mouse_to((143.0, 143.0))
    screen.xdotool("mousedown", "1")
    screen.until(lambda: view.session.live is not None, "the hand on the board")
    live = view.session.live
    for step in range(12):
        angle = math.pi / 4 - step / 11 * math.pi / 2
        screen.mouse_to((202 * math.cos(angle), 202 * math.sin(angle)))
        screen.frames(6)
    screen.xdotool("mouseup", "1")
    screen.until(lambda: view.session.live is None, "the end of the turn")
    moment = view.session.sandbox.moment
    assert moment.label == "turn cw"
    again = Twin(MACHINE).act(before, Turn("cw"), moment.hand, sensitivity=False)
    assert [-angle for angle in moment.hand.path] == live.turn.path
    assert again.trace is not None
    assert again.trace.digest() == moment.outcome.trace.digest()
    assert outcome_json(again) == outcome_json(moment.outcome)


def test_a_real_mouse_drags_a_ghost_and_presses_a_button(screen):
    """A1: one space; then the button `undo`."""
    view = screen.show(session("start"))
    screen.mouse_to((-120.0, -120.0))
    screen.xdotool("mousedown", "1")
    screen.mouse_to((-120.0, -84.0))
    screen.until(lambda: view.session.sandbox.state.places["red"] == (-120.0, -80.0), "the drag")
    screen.xdotool("mouseup", "1")
    button = next(b for b in view._buttons if b.command == "undo")
    left, top = screen.window.get_location()
    x, y = button.box.x + 5, button.box.y + 5
    screen.xdotool("mousemove", str(round(left + x)), str(round(top + screen.window.height - y)), "click", "1")
    screen.until(lambda: view.session.sandbox.state == load_scene("start").state, "undo")


def test_real_letters_are_typed_into_a_name(screen, tmp_path):
    view = screen.show(session("start"))
    screen.mouse_to((0.0, -220.0))
    screen.xdotool("key", "ctrl+o")
    screen.until(lambda: view.prompt is not None, "the question")
    screen.xdotool("type", "straddles-after-t")
    screen.until(lambda: view.prompt.answer == "straddles-after-turn", "letters")
    screen.xdotool("key", "Return")
    screen.until(lambda: view.session.sandbox.scene.name == "straddles-after-turn", "the scene")
    screen.xdotool("key", "ctrl+s")
    screen.until(lambda: view.prompt is not None, "the question")
    view.prompt.text = str(tmp_path / "saved.toml")
    screen.xdotool("key", "Return")
    screen.until(lambda: view.prompt is None, "the answer")
    assert load_scene(str(tmp_path / "saved.toml")).state == view.session.sandbox.state


def test_a_real_mouse_chooses_a_scene_from_the_list_and_slows_time_down(screen):
    view = screen.show(session("start"))

    def click(box):
        left, top = screen.window.get_location()
        x, y = box.x + box.width / 2, box.y + box.height / 2
        screen.xdotool("mousemove", str(round(left + x)), str(round(top + screen.window.height - y)), "click", "1")

    click(next(b.box for b in view._buttons if b.command == "load"))
    screen.until(lambda: view.prompt is not None, "the question")
    screen.frames(2)
    prompt = view.prompt
    index, row = prompt._rows[2]
    wanted = prompt.matches[index]
    click(row)
    screen.until(lambda: view.session.sandbox.scene.name == wanted, "the scene")
    click(next(b.box for b in view._buttons if b.command == "turn_cw"))
    screen.until(lambda: view.session.playback is not None, "the turn")
    screen.frames(2)
    click(next(b.box for b in view._buttons if b.command == "slower"))
    screen.until(lambda: view.session.playback.factor == 0.5, "slow motion")
    click(next(b.box for b in view._buttons if b.command == "pause"))
    screen.until(lambda: view.session.playback.paused, "a pause")


def test_the_key_card_opens_and_closes(screen):
    view = screen.show(session("start"))
    plain = screen.picture()
    screen.mouse_to((0.0, -220.0))
    screen.xdotool("key", "question")
    screen.until(lambda: view.show_keys, "the card")
    card = screen.picture()
    assert max(ImageStat.Stat(ImageChops.difference(plain, card)).mean) > 10
    screen.xdotool("key", "Escape")
    screen.until(lambda: not view.show_keys, "its end")


def press(screen, chord):
    """Press and release a key with its modifiers, the way the window's own events come in."""
    import arcade
    from pyglet.event import EventDispatcher

    *modifiers, name = chord.split("+")
    held = sum({"ctrl": arcade.key.MOD_CTRL, "shift": arcade.key.MOD_SHIFT}[modifier] for modifier in modifiers)
    for kind in ("on_key_press", "on_key_release"):
        EventDispatcher.dispatch_event(screen.window, kind, getattr(arcade.key, name), held)


def test_a_key_over_the_key_card_closes_it_and_does_nothing_else(screen):
    view = screen.show(session("held"))
    shown = view.session
    for chord in [*COMMANDS, "KEY_1", "KEY_7", "W"]:
        if COMMANDS.get(chord) == "quit":
            continue
        before = (shown.layers, shown.sandbox.labels, shown.selected, shown.forecasting, shown.live, view.show_panel)
        press(screen, "F1")
        press(screen, "LSHIFT")
        assert view.show_keys, "a modifier alone is no key"
        press(screen, chord)
        assert not view.show_keys, chord
        assert view.prompt is None, chord
        after = (shown.layers, shown.sandbox.labels, shown.selected, shown.forecasting, shown.live, view.show_panel)
        assert after == before, chord


# -- the command ------------------------------------------------------------------------------------------------------


def run_view(words, name, cwd):
    environment = {**os.environ, "DISPLAY": name} if name else {k: v for k, v in os.environ.items() if k != "DISPLAY"}
    return run(twin("view", *words), env=environment, cwd=cwd)


def test_view_shows_what_the_commands_say(tmp_path, capsys):
    """The contract: N frames in a real window, a picture, the state it shows, and exit code 0."""
    with display() as name:
        words = [
            "held",
            "turn cw",
            "--frames",
            "130",
            "--screenshot",
            "a.png",
            "--state",
            "a.json",
            "--size",
            "800×600",
        ]
        run = run_view(words, name, tmp_path)
        assert (run.returncode, run.stderr) == (0, "")
        plain = run_view(["start", "--frames", "3", "--state", "b.json"], name, tmp_path)
        assert (plain.returncode, plain.stderr) == (0, "")
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (800, 600)
        assert len(picture.getcolors(1_000_000)) > 500
    state = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert main(["turn", "held", "cw", "--json", "--save", str(tmp_path / "after.toml")]) == 0
    assert state["outcome"] == json.loads(capsys.readouterr().out)
    after = scene_json(load_scene(str(tmp_path / "after.toml")))
    shown = json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))
    start = scene_json(load_scene("start"))
    for key in ("orientation", "ghosts", "sliders"):
        assert state[key] == after[key]
        assert shown[key] == start[key]


def test_a_screenshot_on_a_fine_screen_is_filled(tmp_path):
    """HiDPI: two pixels to a point; the picture has all of them, and its corners are the panel's and the floor's."""
    with fine_display(192) as name:
        words = ["--frames", "2", "--screenshot", "a.png", "--size", "700×500"]
        ended = run_view(words, name, tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (1400, 1000)
        corners = [picture.getpixel((x, y)) for x in (2, 1397) for y in (2, 997)]
    assert near(corners[0], NIGHT, 2)
    assert corners[2] == corners[3] == PANEL[:3]


def test_closing_the_window_in_the_middle_of_a_turn_loses_nothing_that_was_saved(tmp_path):
    """A person saves, turns the board, and closes the window at once; all by real keys."""
    program = shutil.which("xdotool")
    if program is None:
        pytest.skip("xdotool is not installed: apt-get install xdotool")
    with display() as name:
        environment = {**os.environ, "DISPLAY": name}
        words = [sys.executable, "-m", "twin", "view", "held", "--state", "end.json", "--screenshot", "end.png"]
        with subprocess.Popen(words, env=environment, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as window:
            try:
                keys = ["key", "ctrl+s", "key", "Return", "key", "e", "key", "ctrl+q"]
                find = [
                    "search",
                    "--sync",
                    "--onlyvisible",
                    "--name",
                    "the twin",
                    "mousemove",
                    "--window",
                    "%1",
                    "60",
                    "60",
                ]
                subprocess.run([program, *find], env=environment, check=True, timeout=PATIENCE, capture_output=True)
                subprocess.run([program, *keys], env=environment, check=True, timeout=PATIENCE, capture_output=True)
                _, errors = window.communicate(timeout=PATIENCE)
            finally:
                window.kill()
        assert (window.returncode, errors) == (0, "")
    assert load_scene(str(tmp_path / "held-1.toml")).state == load_scene("held").state
    end = json.loads((tmp_path / "end.json").read_text(encoding="utf-8"))
    assert end["moves"] == ["turn cw"]
    with Image.open(tmp_path / "end.png") as picture:
        assert picture.size == (1280, 800)


def test_without_a_display_one_sentence_says_what_to_do(tmp_path):
    if not sys.platform.startswith("linux"):
        pytest.skip("only X11 can be without a display")
    run = run_view(["start", "--frames", "2", "--state", "a.json"], None, tmp_path)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "twin render" in run.stderr
    assert "install" in run.stderr
    broken = run_view(["start", "--frames", "2"], ":9999", tmp_path)
    assert broken.returncode == 2
    assert broken.stderr.count("\n") == 1
    assert "the display :9999 does not answer" in broken.stderr
    assert "twin render" in broken.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("hidden", ["arcade", "pyglet.gl"])
def test_without_arcade_or_opengl_one_sentence_says_what_to_do(tmp_path, hidden):
    code = (
        f"import sys; sys.modules[{hidden!r}] = None\n"
        "from importlib import util; from twin.window import display\n"
        f"found = util.find_spec; display.find_spec = lambda n: None if n == {hidden!r} else found(n)\n"
        "from twin.cli import main; sys.exit(main(['view', 'start', '--frames', '2']))"
    )
    environment = {**os.environ, "DISPLAY": ":9999"}
    ended = run([sys.executable, "-c", code], env=environment, cwd=tmp_path)
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "install" in ended.stderr
    assert "twin render" in ended.stderr


@pytest.mark.parametrize(
    "words", [["nowhere"], ["start", "hop"], ["start", "--frames", "0"], ["start", "--screenshot", "a.gif"]]
)
def test_view_refuses_bad_words(words, capsys):
    assert main(["view", *words]) == 2
    assert "Traceback" not in capsys.readouterr().err


# -- a long session ---------------------------------------------------------------------------------------------------


def test_random_input_ends_without_an_exception_and_with_flat_memory(screen):
    """A minute's worth of what `python -m benchmarks frames` does for five."""
    if memory_mb() == 0.0:
        pytest.skip("memory is read from /proc")
    view, dice, memory = screen.show(session("start")), random.Random(7), []
    for number in range(90):
        wild_inputs(view, dice, screen.frames)
        if number % 30 == 29:
            memory.append(memory_mb())
    assert memory[-1] - memory[0] < 30
