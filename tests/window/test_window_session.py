"""A whole session without a window: moves, choices, turns by hand, undo, files, forecasts; all as the engine says."""

from __future__ import annotations

import json
import math
import random
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.setups import MACHINE
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.scene import load_scene
from twin.board.state import Slider, magnets, validate_state
from twin.cli import main
from twin.cli.view_commands import session_json
from twin.drawing.pose import Layers
from twin.drawing.scene_picture import stamps
from twin.drawing.timeline import Timeline
from twin.outcome.engine import Twin
from twin.physics.hand import NOMINAL
from twin.physics.measured import MeasuredTurn, read_turn
from twin.reports.as_json import outcome_json
from twin.reports.sentences import outcome_sentences
from twin.window.background_forecast import Forecast, ForecastRequest, forecast
from twin.window.live_hand import LiveHand
from twin.window.playback import Playback
from twin.window.prompt import Prompt, keyed
from twin.window.sandbox_board import MOST_MOMENTS, Sandbox
from twin.window.sandbox_commands import ask, carry_out, save_path, save_scene
from twin.window.sandbox_commands import load_scene as load_into
from twin.window.sandbox_keys import BINDINGS, COMMANDS, HELD
from twin.window.sandbox_pointer import SandboxPointer, Target
from twin.window.sandbox_session import SandboxSession

FRAME = 1 / 60


@pytest.fixture
def session():
    made = []

    def make(name: str = "start") -> SandboxSession:
        made.append(SandboxSession(load_scene(name), outcome_sentences))
        return made[-1]

    yield make
    for one in made:
        one.close()


def play(session: SandboxSession, seconds: float = 4.0) -> None:
    for _ in range(round(seconds / FRAME)):
        session.advance(FRAME)
        session.pose()
        session.notes()


def told(session: SandboxSession) -> dict[str, object]:
    outcome = session_json(session)["outcome"]
    assert isinstance(outcome, dict)
    return outcome


# -- the window shows what the engine computed ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["held", "all-at-once", "bump-in-turn", "straddles-after-turn", "turned-board"])
def test_a_turn_ends_as_the_command_says(session, capsys, name):
    """D1, D2: the state after a turn in a session is that of `twin turn --json`, for the same path."""
    shown = session(name)
    carry_out(shown, "turn_cw")
    play(shown)
    assert main(["turn", name, "cw", "--json"]) == 0
    wanted = json.loads(capsys.readouterr().out)
    end = time.monotonic() + 60
    while shown.sandbox.moment.outcome.too_close != wanted["too_close"] and time.monotonic() < end:
        shown.advance(FRAME)  # the background still looks whether it is too close to call
        time.sleep(0.01)
    assert told(shown) == wanted
    pose = shown.pose()
    if not shown.sandbox.moment.is_open:
        for colour, place in shown.sandbox.state.ghosts:
            assert (pose.ghosts[colour].x, pose.ghosts[colour].y) == place


@pytest.mark.parametrize(
    ("name", "keys", "words", "code"),
    [
        ("edge/engines-part", ["turn_ccw"], ["turn", "edge/engines-part", "ccw"], 0),
        ("start", ["select_1", "east"], ["drag", "start", "red", "east"], 3),
    ],
)
def test_the_state_tells_at_once_what_the_command_tells(session, capsys, name, keys, words, code):
    """No waiting for the background: what is too close to call says so, and a barred move names its rule (A2)."""
    shown = session(name)
    for key in keys:
        carry_out(shown, key)
    state = told(shown)
    assert main([*words, "--json"]) == code
    assert state == json.loads(capsys.readouterr().out)
    assert state["too_close"] is (code == 0)


def test_at_every_instant_the_pose_is_the_trace():
    scene = load_scene("bump-in-turn")
    outcome = Twin(scene.machine).act(scene.state, Turn("cw"), sensitivity=False)
    timeline, trace = Timeline(outcome, NOMINAL, outcome.after()), outcome.trace
    assert trace is not None
    for frame, at in enumerate(trace.times):
        pose = timeline.pose(float(at))
        assert pose.board == trace.board[frame]
        for number, colour in enumerate(trace.ghosts):
            x, y, spin = trace.poses[frame, number]
            if not math.isnan(x):
                ghost = pose.ghosts[colour]
                assert (ghost.x, ghost.y, ghost.spin) == pytest.approx((x, y, spin), abs=1e-9)


@pytest.mark.parametrize("move", [Push("A", "north"), Relocate("A", 2, -1, flip=True), Drag("red", "north")])
def test_sliders_and_ghosts_end_where_the_position_says(move):
    scene = load_scene("start")
    outcome = Twin(scene.machine).act(scene.state, move, sensitivity=False)
    after = outcome.after()
    timeline = Timeline(outcome, NOMINAL, after)
    last = timeline.pose(timeline.duration)
    assert {(s, x, y) for s, x, y in last.sliders} == {
        (s, scene.machine.tunnels[s.tunnel - 1], s.offset * scene.machine.space) for s in after.sliders
    }
    assert timeline.pose(timeline.end).sliders == last.sliders


# -- turns by hand ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [1, -1])
def test_a_turn_by_hand_equals_the_same_path_on_the_command_line(session, tmp_path, capsys, way):
    """The physics follows the mouse's own path: slow, stopped, jerky, and the same when it is made again."""
    shown = session("all-at-once")
    dice = random.Random(way)
    before = shown.sandbox.state
    shown.take_board()
    wanted = 0.0
    for frame in range(150):
        if not 40 < frame < 60:  # it stops for a third of a second
            wanted += way * max(dice.gauss(0.02, 0.03), -0.02)
        shown.live.pull_to(wanted)
        shown.advance(FRAME)
        if shown.live.turn.at_rest and frame == 59:
            assert shown.live.turn.time < frame * FRAME
    live = shown.live
    live.release()
    while shown.live is not None:
        last = live.turn.places
        shown.advance(FRAME)
    moment = shown.sandbox.moment
    assert isinstance(moment.hand, MeasuredTurn)
    assert moment.label == ("turn ccw" if way > 0 else "turn cw")
    assert [way * angle for angle in moment.hand.path] == live.turn.path
    save_path(shown, str(tmp_path / "path.csv"))
    hand = read_turn(tmp_path / "path.csv")
    again = Twin(MACHINE).act(before, Turn("ccw" if way > 0 else "cw"), hand, sensitivity=False)
    assert outcome_json(again) == outcome_json(moment.outcome)
    assert again.trace is not None
    assert again.trace.digest() == moment.outcome.trace.digest()
    assert last.keys() == before.places.keys()
    words = ["turn", "all-at-once", "ccw" if way > 0 else "cw", "--path", str(tmp_path / "path.csv"), "--json"]
    assert main(words) == 0
    assert told(shown) == json.loads(capsys.readouterr().out)


def test_a_board_that_is_let_go_early_goes_back(session):
    """D1: less than half a quarter is no turn; the position stays."""
    shown = session("start")
    before = shown.sandbox.state
    shown.take_board()
    for _ in range(30):
        shown.live.pull_by(0.02)
        shown.advance(FRAME)
    assert shown.pose().board > 0.3
    carry_out(shown, "let_go")
    play(shown)
    assert shown.live is None
    assert shown.sandbox.state == before
    assert not shown.sandbox.can_undo


def test_the_hand_never_turns_beyond_a_quarter():
    hand = LiveHand(load_scene("start").state, MACHINE)
    for _ in range(20):
        hand.pull_by(1.0)
        hand.advance(0.5)
    assert hand.angle <= math.pi / 2
    hand.release()
    for _ in range(60):
        hand.advance(FRAME)
    assert hand.done
    assert hand.angle == math.pi / 2
    assert hand.hand.misalignment == 0.0


def test_moves_wait_while_the_board_is_in_the_hand(session):
    shown = session("start")
    shown.take_board()
    carry_out(shown, "turn_cw")
    assert shown.make(Turn("cw")) is None
    assert shown.sandbox.labels == ("Start position",)


# -- positions --------------------------------------------------------------------------------------------------------

DOABLE = [b.command for b in BINDINGS if b.command not in HELD | {"save": 0, "load": 0, "save_path": 0, "forecast": 0}]


@given(st.lists(st.sampled_from([*DOABLE, *(f"select_{n}" for n in range(10))]), max_size=25), st.integers(0, 99))
@settings(max_examples=25)
def test_whatever_is_pressed_the_position_stays_possible_and_undo_leads_back(presses, seed):
    shown = SandboxSession(load_scene("start"), outcome_sentences, seed=seed)
    shown._background.ask = lambda *_: 0  # type: ignore[method-assign]  # a process for each example would take minutes
    for press in presses:
        carry_out(shown, press)
        shown.advance(0.5)
        shown.pose()
        shown.notes()
        validate_state(shown.sandbox.state, MACHINE)
    latest = shown.sandbox.state
    back = 0
    while shown.sandbox.undo():
        back += 1
    assert shown.sandbox.state == load_scene("start").state
    for _ in range(back):
        assert shown.sandbox.redo()
    if not shown.sandbox.can_redo:
        assert shown.sandbox.state == latest or back == 0


def test_arrows_do_what_is_selected(session):
    shown = session("start")
    carry_out(shown, "select_1")
    carry_out(shown, "north")
    assert shown.sandbox.moment.label == "drag red north"
    play(shown, 1.0)
    carry_out(shown, "west")  # off the board: not allowed, and nothing happens (A1)
    assert "A1" in shown.message[0]
    assert shown.message_is_wrong
    assert shown.sandbox.moment.label == "drag red north"
    carry_out(shown, "select_5")
    carry_out(shown, "north")
    assert shown.sandbox.moment.label == "push A north"
    carry_out(shown, "free_east")
    assert shown.sandbox.moment.label == "relocate A 2 1 flip"
    carry_out(shown, "select_1")
    carry_out(shown, "free_east")
    assert shown.sandbox.state.places["red"] == (-118.0, -80.0)
    carry_out(shown, "hop_east")
    assert shown.sandbox.state.places["red"] == (-80.0, -80.0)
    carry_out(shown, "let_go")
    carry_out(shown, "east")
    assert shown.sandbox.moment.label == "turn cw"


def test_selection_goes_round(session):
    shown = session("start")
    found = []
    for _ in range(7):
        carry_out(shown, "select_next")
        found.append(shown.selected)
    assert found == ["red", "yellow", "green", "blue", "A", "B", "C"]
    carry_out(shown, "select_next")
    assert shown.selected == "red"
    carry_out(shown, "select_previous")
    assert shown.selected == "C"


def test_a_barred_push_is_shown_and_taken_back(session):
    """B6: the push would take a ghost off the board; one sees it, and then it has not happened."""
    shown = session("push-off-the-board")
    before = shown.sandbox.state
    outcome = None
    for slider in before.sliders:
        for direction in ("north", "south"):
            made = shown.sandbox.twin.act(before, Push(slider.name, direction), sensitivity=False)
            if "B6" in made.broken:
                outcome = shown.make(made.move)
    assert outcome is not None
    assert shown.playback.timeline.end > 0.3
    play(shown)
    assert shown.sandbox.state == before
    assert any("B6" in line for line in shown.sentences)


def test_choices_are_offered_and_taken(session):
    """D4, D5: the spaces to choose from are those of the engine's placements; a click takes one."""
    shown = session("fall-and-straddle")
    expectation = load_scene("fall-and-straddle").expectations[0]
    shown.make(expectation.move)
    play(shown)
    moment = shown.sandbox.moment
    assert moment.is_open
    assert "Choose" in shown.advice
    offered = shown.notes().choices
    assert set(shown.notes().proposed) == {colour for colour, _ in moment.options}
    assert len(offered) == len(shown.options) <= len(moment.options)
    assert len({colour for colour, _ in offered}) == 1
    pointer = SandboxPointer(shown)
    while shown.sandbox.moment.is_open:
        _, place = shown.notes().choices[-1]
        target = pointer.target(place)
        assert target is not None
        assert target.kind == "choice"
        pointer.press(place, free=False)
    placed = shown.sandbox.moment
    chosen = dict(placed.fitting[0])
    assert placed.outcome.after(chosen) == placed.state
    play(shown)
    pose = shown.pose()
    assert {c: (g.x, g.y) for c, g in pose.ghosts.items()} == placed.state.places


def test_choices_by_keys(session):
    shown = session("fall-and-straddle")
    shown.make(load_scene("fall-and-straddle").expectations[0].move)
    play(shown)
    wanted = shown.sandbox.moment.fitting[1]
    carry_out(shown, "next_choice")
    carry_out(shown, "take_choice")
    assert shown.sandbox.moment.choice == dict(wanted)
    assert not shown.sandbox.moment.is_open


def test_time_can_be_stopped_stepped_and_run_through(session):
    shown = session("start")
    carry_out(shown, "turn_cw")
    shown.advance(0.5)
    carry_out(shown, "pause")
    shown.advance(1.0)
    playback = shown.playback
    assert playback.time == 0.5
    carry_out(shown, "step_on")
    assert playback.time == pytest.approx(0.51)
    carry_out(shown, "step_back")
    carry_out(shown, "slower")
    carry_out(shown, "pause")
    shown.advance(0.1)
    assert playback.time == pytest.approx(0.55)
    carry_out(shown, "to_end")
    assert shown.is_quiet
    carry_out(shown, "pause")
    assert playback.time == 0.0
    assert isinstance(playback, Playback)
    assert not playback.over


def test_saved_is_loaded_again(session, tmp_path):
    shown = session("start")
    carry_out(shown, "turn_ccw")
    carry_out(shown, "random")
    carry_out(shown, "turn_cw")
    path = tmp_path / "mine.toml"
    save_scene(shown, str(path))
    assert load_scene(str(path)).title == "Random position, after turn cw"
    assert load_scene(str(path)).state == shown.sandbox.state
    carry_out(shown, "reset")
    assert shown.sandbox.state == load_scene("start").state
    load_into(shown, str(path))
    assert shown.sandbox.state == load_scene(str(path)).state
    load_into(shown, "no-such-scene")
    assert shown.message_is_wrong
    save_scene(shown, str(tmp_path / "none" / "mine.toml"))
    assert shown.message_is_wrong
    save_scene(shown, str(tmp_path / "mine.txt"))
    assert shown.message_is_wrong
    save_path(shown, str(tmp_path / "path.csv"))
    assert shown.message_is_wrong
    assert [p.name for p in tmp_path.iterdir()] == ["mine.toml"]


def answered(asked, text):
    """What is asked after this was typed."""
    asked.text = text
    return keyed(asked, "RETURN")


def turned_by_hand(session):
    """A session after a turn by hand."""
    shown = session("start")
    shown.take_board()
    for _ in range(60):
        shown.live.pull_by(-0.03)
        shown.advance(FRAME)
    shown.live.release()
    while shown.live is not None:
        shown.advance(FRAME)
    return shown


@pytest.mark.parametrize(("command", "name"), [("save", "mine.toml"), ("save_path", "mine.csv")])
def test_a_file_that_is_there_is_overwritten_only_after_a_question(session, tmp_path, command, name):
    shown = turned_by_hand(session)
    path = tmp_path / name
    path.write_text("mine", encoding="utf-8")
    question = answered(ask(shown, command), str(path))
    assert name in question.title
    assert keyed(question, "ESCAPE") is None
    again = keyed(question, "RETURN")  # the answer that is marked loses nothing
    assert isinstance(again, Prompt)
    assert again.text == str(path)
    assert path.read_text(encoding="utf-8") == "mine"
    assert answered(again, str(tmp_path / f"other-{name}")) is None
    question = answered(again, str(path))
    assert question is not None
    chosen = keyed(question, "DOWN")
    assert chosen is not None
    assert chosen is question
    assert keyed(chosen, "RETURN") is None
    written = path.read_text(encoding="utf-8")
    assert written != "mine"
    assert (tmp_path / f"other-{name}").read_text(encoding="utf-8") == written
    path.write_text("", encoding="utf-8")
    assert answered(ask(shown, command), str(path)) is None, "what was saved here is saved again without a question"
    assert path.read_text(encoding="utf-8") == written


def test_an_empty_file_costs_nothing_and_a_wrong_name_is_told_at_once(session, tmp_path):
    shown = session("start")
    empty, wrong = tmp_path / "empty.toml", tmp_path / "notes.txt"
    empty.write_text("", encoding="utf-8")
    wrong.write_text("mine", encoding="utf-8")
    assert answered(ask(shown, "save"), str(empty)) is None
    assert empty.stat().st_size > 0
    again = answered(ask(shown, "save"), str(wrong))
    assert (again.text, ".toml" in again.problem) == (str(wrong), True)
    assert wrong.read_text(encoding="utf-8") == "mine"


def test_what_cannot_be_saved_or_loaded_is_told_and_asked_again(session, tmp_path, monkeypatch):
    """The folder in which the window was opened is gone: nothing of the work is."""
    shown = session("start")
    carry_out(shown, "turn_cw")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    question = ask(shown, "save")
    assert question is not None
    again = keyed(question, "RETURN")
    assert isinstance(again, Prompt)
    assert (again.text, "is gone" in again.problem) == ("start-1.toml", True)
    assert shown.message_is_wrong
    assert answered(again, str(tmp_path / "kept.toml")) is None
    assert load_scene(str(tmp_path / "kept.toml")).state == shown.sandbox.state
    again = answered(ask(shown, "load"), "nowhere.toml")
    assert (again.text, "nowhere.toml" in again.problem) == ("nowhere.toml", True)
    assert ask(shown, "save_path") is None, "there is no path"
    assert shown.message_is_wrong


def test_the_title_tells_what_is_shown(session):
    shown = session("held")
    sandbox, loaded = shown.sandbox, load_scene("held").title

    def title(*commands):
        for command in commands:
            carry_out(shown, command)
        assert sandbox.as_scene("any").title == sandbox.title
        return sandbox.title

    assert title() == loaded
    assert title("random") == "Random position"
    assert title("undo", "turn_cw") == f"{loaded}, after turn cw"
    assert title("turn_ccw", "turn_cw") == f"{loaded}, after turn cw, turn ccw, turn cw"
    assert title("turn_cw") == f"{loaded}, after 4 changes"
    shown.place_freely(sandbox.state.colours[0], (0.0, 80.0))
    assert title() == f"{loaded}, after 5 changes"
    assert title("random", "turn_cw") == "Random position, after turn cw"
    assert title("reset") == loaded
    assert title("undo") == "Random position, after turn cw"


def test_history_is_bounded():
    sandbox = Sandbox(load_scene("start"))
    for _ in range(MOST_MOMENTS + 20):
        sandbox.randomise()
    assert len(sandbox._moments) == MOST_MOMENTS


def test_random_positions_repeat_with_the_seed():
    found = []
    for seed in (3, 3, 4):
        sandbox = Sandbox(load_scene("start"), seed)
        sandbox.randomise()
        sandbox.randomise()
        found.append(sandbox.state)
    assert found[0] == found[1] != found[2]


# -- the mouse --------------------------------------------------------------------------------------------------------


def test_ghosts_are_dragged_space_by_space_and_walls_stop_them(session):
    """A1, A2: a dragged ghost follows the mouse through its room, and stops at the wall."""
    shown = session("start")
    pointer = SandboxPointer(shown)
    pointer.press((-120.0, -120.0), free=False)
    pointer.pull((-120.0, -40.0))
    for _ in range(200):
        shown.advance(FRAME)
        pointer.tick()
    assert shown.sandbox.labels[1:] == ("drag red north", "drag red north")
    pointer.pull((-80.0, -40.0))
    for _ in range(100):
        shown.advance(FRAME)
        pointer.tick()
    space = "b3"
    allowed = not MACHINE.castle.wall_between("a3", space)
    assert (shown.sandbox.state.places["red"] == (-80.0, -40.0)) == allowed
    pointer.pull((-80.0, -80.0))  # b2 is behind a wall
    for _ in range(100):
        shown.advance(FRAME)
        pointer.tick()
    assert shown.sandbox.state.places["red"] == (-80.0, -40.0)
    assert "A2" in shown.message[0]
    pointer.release()


def test_shift_places_a_ghost_anywhere(session):
    shown = session("start")
    pointer = SandboxPointer(shown)
    pointer.press((-120.0, -120.0), free=True)
    pointer.pull((33.0, 61.0))
    ghost = shown.pose().ghosts["red"]
    assert (ghost.x, ghost.y) == (33.0, 61.0)
    pointer.release()
    assert shown.sandbox.state.places["red"] == (33.0, 61.0)
    pointer.press((33.0, 61.0), free=True)
    pointer.pull((3.0, 1.0))  # on the plug: not possible
    pointer.release()
    assert shown.message_is_wrong
    assert shown.sandbox.state.places["red"] == (33.0, 61.0)


def test_sliders_are_dragged_by_their_tabs(session):
    """B1, B5, C2: segment by segment, no farther than two, and over to a free tunnel."""
    shown = session("start")
    pointer = SandboxPointer(shown)
    pointer.press((-80.0, 148.0), free=False)
    assert pointer.held == Target("slider", "A")
    pointer.pull((-80.0, 148.0 + 200.0))
    for _ in range(300):
        shown.advance(FRAME)
        pointer.tick()
    assert shown.sandbox.state.slider("A").offset == 2
    pointer.release()
    pointer.press((-80.0, 228.0), free=False)
    plans = []
    for place in ((-38.0, 190.0), (-80.0, 228.0), (-38.0, 190.0)):
        pointer.pull(place)
        plans.append(pointer.plan)
    assert plans == [Relocate("A", 2, 1), None, Relocate("A", 2, 1)]
    pointer.release()
    assert shown.sandbox.moment.label == "relocate A 2 1"
    play(shown)
    pointer.press((-40.0, 188.0), free=True)
    pointer.pull((-80.0, 148.0))
    pointer.release()
    assert shown.sandbox.moment.label == "relocate A 1 0 flip"


def test_a_slider_that_is_selected_or_on_its_way_is_marked(session):
    """One sees which slider the keys will push, and where one in the hand would go; not through the board."""
    shown = session("start")
    carry_out(shown, "select_6")
    carry_out(shown, "north")
    play(shown, 2.0)

    def rings(notes, layers=shown.layers):
        found = stamps(shown.pose(), MACHINE, layers, notes)
        return sorted((s.x, s.y) for s in found if s.key == ("selected",))

    assert rings(shown.notes()) == [(0.0, 187.5)]
    assert rings(shown.notes(), Layers(hidden=True)) == [(0.0, -107.5), (0.0, 187.5)]
    planned = replace(shown.notes(), planned=(Slider("B", 2, 0), -40.0, 0.0))
    assert rings(planned) == [(-40.0, -147.5), (-40.0, 147.5)]
    through = [s.key for s in stamps(shown.pose(), MACHINE, Layers(hidden=True), planned)]
    assert ("slider", "B", False) in through
    assert through.count(("magnet", 1)) == len(magnets(shown.sandbox.state, MACHINE))


def test_a_corner_turns_the_board(session):
    shown = session("start")
    pointer = SandboxPointer(shown)
    pointer.press((148.0, 148.0), free=False)
    for frame in range(120):
        angle = math.pi / 4 - min(frame / 60, 1.0) * math.pi / 2
        pointer.pull((209 * math.cos(angle), 209 * math.sin(angle)))
        shown.advance(FRAME)
    pointer.release()
    play(shown)
    assert shown.sandbox.moment.label == "turn cw"
    assert shown.sandbox.state.orientation == 1


def test_everything_has_a_tip(session):
    pointer = SandboxPointer(session("start"))
    assert "red on a1" in pointer.tip((-120.0, -120.0))
    assert "slider A" in pointer.tip((-80.0, 148.0))
    assert "turn the board" in pointer.tip((146.0, 146.0))
    assert "sombrero" in pointer.tip((80.0, 120.0))
    assert pointer.tip((500.0, 0.0)) == ""


# -- the rest ---------------------------------------------------------------------------------------------------------


def test_the_forecast_is_the_engine_s_and_comes_from_the_background(session):
    shown = session("bump-in-turn")
    carry_out(shown, "forecast")
    end = time.monotonic() + 120
    while shown.forecast is None and time.monotonic() < end:
        shown.advance(FRAME)
        time.sleep(0.01)
    assert isinstance(shown.forecast, Forecast)
    question = ForecastRequest(0, MACHINE, shown.sandbox.state, Turn("cw"), 1)
    assert shown.forecast == forecast(question, shown.forecast.size)
    for _, chances in shown.forecast.ghosts:
        assert sum(chance.share for chance in chances) == pytest.approx(1.0)
    assert shown.notes().chances
    assert "Forecast of turn cw" in shown.forecast.lines()[0]
    carry_out(shown, "turn_cw")
    assert shown.forecast is None


def test_no_key_means_two_things():
    chords = [chord for binding in BINDINGS for chord in binding.chords]
    assert len(chords) == len(set(chords)) == len(COMMANDS)
