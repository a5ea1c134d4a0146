"""What is written in the window, measured without one: nothing is cut, nothing overlaps, every key is named."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest

from tests.window.test_window_game import at_window, game_on
from twin.board.moves import Turn
from twin.board.scene import load_scene, scene_names
from twin.drawing.text_measure import text_width, wrapped
from twin.play.catalogue import LANGUAGES
from twin.reports.sentences import outcome_sentences
from twin.window import game_keys
from twin.window import sandbox_keys as keys
from twin.window.background_forecast import Chance, Forecast
from twin.window.game_line import paint_line
from twin.window.game_panel import paint_game
from twin.window.key_card import paint_card, paint_keys, paint_note, paint_tip
from twin.window.layout import layout_of
from twin.window.prompt import Prompt
from twin.window.sandbox_commands import carry_out
from twin.window.sandbox_panel import BUTTONS, paint_panel
from twin.window.sandbox_session import SandboxSession
from twin.window.timeline_strip import paint_strip

SIZES = [(480, 360), (640, 480), (700, 1100), (1280, 800), (1920, 1200), (2560, 1080)]
AWAY = (-1.0, -1.0)


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    colour: tuple[int, ...]

    def holds(self, x, y):
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


class Sheet:
    """A painter that only remembers what it was told."""

    def __init__(self):
        self.boxes, self.texts = [], []

    def box(self, x, y, width, height, colour):
        self.boxes.append(Box(x, y, width, height, colour))
        return self.boxes[-1]

    def words(self, text, x, top, size, _colour, *, width=0.0, bold=False):
        lines = wrapped(text, size, width, bold=bold) if width else [text]
        wide = max(text_width(line, size, bold=bold) for line in lines) / 1.03
        high = len(lines) * size * 1.2
        self.texts.append((text, Box(x, top - high, wide, high, ())))
        return high


def new_sheet() -> Any:
    return Sheet()


def within(box, outer):
    return (
        box.x >= outer.x - 0.5
        and box.y >= outer.y - 0.5
        and box.x + box.width <= outer.x + outer.width + 0.5
        and box.y + box.height <= outer.y + outer.height + 0.5
    )


def overlap(one, other):
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return wide > 0.5 and high > 2.0


def check(sheet, outer):
    for text, box in sheet.texts:
        assert within(box, outer), (text, box, outer)
    for number, (text, box) in enumerate(sheet.texts):
        for other, beside in sheet.texts[number + 1 :]:
            assert not overlap(box, beside), (text, other)


@pytest.fixture
def session():
    """A session with much to tell: a turn with choices, forces, a long history, and a chancy forecast."""
    found = SandboxSession(load_scene("all-at-once"), outcome_sentences)
    for command in ("turn_cw", "reset", "turn_cw", "reset", "turn_ccw", "to_end", "forces"):
        carry_out(found, command)
    ways = tuple(Chance(spaces, 165, 500, (0.0, 0.0)) for spaces in ("c2+c3+d2+d3", "b2+b3", "off"))
    found.forecasting = Turn("cw")
    found.forecast = Forecast(Turn("cw"), 500, tuple((c, ways) for c in ("red", "yellow", "green", "blue")), 165)
    yield found
    found.close()


@pytest.mark.parametrize("size", SIZES)
def test_all_that_the_panel_tells_finds_room(session, size):
    layout, sheet = layout_of(*size, panel=True), new_sheet()
    buttons = paint_panel(sheet, layout, session, AWAY)
    if layout.panel == 0.0:
        assert buttons == []
        return
    check(sheet, Box(layout.width - layout.panel, 0.0, layout.panel, layout.height, ()))
    assert [button.command for button in buttons] == [command for command, _ in BUTTONS]
    said = " ".join(text for text, _ in sheet.texts)
    past = [] if size == (640, 480) else session.sentences  # the one size with a panel where that is too much
    for sentence in (*past, *session.forecast_lines, session.advice):
        assert sentence in said


@pytest.mark.parametrize("size", SIZES)
def test_the_strip_finds_room_for_bar_clock_and_buttons(session, size):
    layout = layout_of(*size, panel=True)
    for _ in range(6):
        sheet = new_sheet()
        bar, buttons = paint_strip(sheet, layout, session, AWAY)
        check(sheet, Box(0.0, 0.0, layout.stage[2], layout.strip, ()))
        assert [button.command for button in buttons] == ["pause", "faster", "slower"]
        assert bar.width > 60
        assert not any(overlap(bar, button.box) for button in buttons)
        carry_out(session, "slower")


def test_without_a_panel_messages_and_advice_stand_over_the_board(session):
    session.say("drag red east is not allowed (A2): shown and taken back.", wrong=True)
    for size, panel in (((480, 360), True), ((1280, 800), False)):
        layout, sheet = layout_of(*size, panel=panel), new_sheet()
        paint_note(sheet, layout, session)
        check(sheet, Box(0.0, 0.0, layout.width, layout.height, ()))
        assert session.message[0] in " ".join(text for text, _ in sheet.texts)
        assert session.advice in " ".join(text for text, _ in sheet.texts)
    beside = new_sheet()
    paint_note(beside, layout_of(1280, 800, panel=True), session)
    assert beside.texts == []


@pytest.mark.parametrize("size", SIZES)
def test_the_key_card_names_every_key_and_can_be_read(size):
    layout, sheet = layout_of(*size, panel=True), new_sheet()
    paint_keys(sheet, layout)
    check(sheet, Box(0.0, 0.0, layout.width, layout.height, ()))
    assert max(box.height for _, box in sheet.texts[2:]) > (8.0 if size == SIZES[0] else 10.0)
    shown = [part for text, _ in sheet.texts for part in text.replace("+", " ").split()]
    for binding in keys.BINDINGS:
        assert keys.key_name(binding.command).rpartition("+")[2] in [*shown, ""], binding


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_game_finds_room_for_its_words_in_every_language(language):
    players = "red,yellow=planner,green=greedy,blue"
    session = at_window(game_on(players), players, language=language)
    for size in SIZES:
        layout, sheet = layout_of(*size, panel=True), new_sheet()
        paint_line(sheet, layout, session)
        check(sheet, Box(0.0, 0.0, layout.stage[2], layout.strip, ()))
        sheet = new_sheet()
        paint_game(sheet, layout, session, AWAY)
        check(sheet, Box(layout.width - layout.panel, 0.0, layout.panel, layout.height, ()))
        sheet = new_sheet()
        paint_card(
            sheet, layout, (session.say("window.keys"), session.say("window.close_card")), game_keys.card(session.say)
        )
        check(sheet, Box(0.0, 0.0, layout.width, layout.height, ()))
    session.close()


@pytest.mark.parametrize("size", SIZES)
def test_tooltips_stay_in_the_window(size):
    layout, dice = layout_of(*size, panel=True), random.Random(3)
    for _ in range(50):
        sheet = new_sheet()
        mouse = dice.uniform(0, size[0]), dice.uniform(0, size[1])
        paint_tip(sheet, layout, "red on a1, gripped by magnet A5: drag it; with Shift, place it anywhere", mouse)
        check(sheet, Box(0.0, 0.0, layout.width, layout.height, ()))
        assert not any(box.holds(*mouse) for box in sheet.boxes)


@pytest.mark.parametrize("size", SIZES)
def test_a_listed_scene_is_chosen_by_a_click(size):
    layout, sheet = layout_of(*size, panel=True), new_sheet()
    prompt = Prompt("Load a scene: a name, or a path", "", hint="Esc leaves it", scenes=True)
    prompt.paint(sheet, layout)
    check(sheet, Box(0.0, 0.0, layout.width, layout.height, ()))
    name = scene_names()[3]
    box = next(box for text, box in sheet.texts if text == name)
    title = next(box for text, box in sheet.texts if text == prompt.title)
    assert prompt.click(title.x + 2, title.y + 2) is None
    assert prompt.click(box.x + 2, box.y + box.height / 2) is True
    assert prompt.answer == name
    assert prompt.click(1.0, 1.0) is False
    prompt.type("/a/very/long/path" * 20)
    long = new_sheet()
    prompt.paint(long, layout)
    check(long, Box(0.0, 0.0, layout.width, layout.height, ()))
