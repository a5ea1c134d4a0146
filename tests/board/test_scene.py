"""Scenes: what a file says is what stands there, and a position written down is read again as it was."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import SHIPPED, machines, states, texts
from twin.board.expectation import FATES, Expectation
from twin.board.grid import centre
from twin.board.moves import Push, Turn
from twin.board.scene import Scene, load_scene, parse_scene, scene_names, scene_toml
from twin.board.state import Slider, State, validate_state
from twin.errors import BadInputError

MACHINE = SHIPPED["reconstruction"]
SLIDERS = """
[[sliders]]
name = "A"
tunnel = 1
offset = 0
[[sliders]]
name = "B"
tunnel = 3
offset = -2
flipped = true
[[sliders]]
name = "C"
tunnel = 5
offset = 2
"""
SCENE = f"""
title = "Two ghosts"
orientation = 1
[ghosts]
blue = {{ x = 118.5, y = -121 }}
red = "c2"
{SLIDERS}
[[expect]]
move = "push A north"
because = "red stands on A2"
fates = {{ red = "carried" }}
covers = {{ red = ["c2", "b2"], blue = [] }}
broken = ["B6"]
conflict = false
chancy = true
"""


def read(text: str) -> Scene:
    return parse_scene(tomllib.loads(text), "here")


@pytest.mark.parametrize("name", scene_names())
def test_every_shipped_scene_loads(name):
    scene = load_scene(name)
    assert scene.name == name
    assert scene.title != name
    validate_state(scene.state, scene.machine)


def test_the_start_position_is_that_of_the_rules():
    """S2, S3, S4: orientation 0, sliders A, B, C in tunnels 1, 3, 5, ghosts on the corners of their colours."""
    state = load_scene("start").state
    assert state.orientation == 0
    assert state.sliders == (Slider("A", 1), Slider("B", 3), Slider("C", 5))
    corners = {colour: centre(space, MACHINE.space) for colour, space in MACHINE.castle.corners.items()}
    assert state.places == corners


def test_a_scene_says_what_stands_where():
    scene = read(SCENE)
    assert (scene.name, scene.title, scene.machine) == ("here", "Two ghosts", MACHINE)
    assert scene.state.orientation == 1
    assert scene.state.places == {"red": (-80.0, 40.0), "blue": (118.5, -121.0)}
    assert scene.state.sliders == (Slider("A", 1), Slider("B", 3, -2, flipped=True), Slider("C", 5, 2))


def test_a_scene_says_what_is_expected():
    (expectation,) = read(SCENE).expectations
    assert expectation == Expectation(
        move=Push("A", "north"),
        because="red stands on A2",
        fates=(("red", "carried"),),
        covers=(("blue", ()), ("red", ("b2", "c2"))),
        broken=("B6",),
        conflict=False,
        chancy=True,
    )


def test_what_is_left_out_is_not_claimed():
    text = f'[ghosts]\nred = "a1"\n{SLIDERS}\n[[expect]]\nmove = "turn cw"\nbecause = ""\nconflict = false'
    scene = read(text)
    assert (scene.title, scene.machine.name, scene.state.orientation) == ("here", "reconstruction", 0)
    assert scene.expectations == (Expectation(Turn("cw"), "", conflict=False),)


@pytest.mark.parametrize("fate", FATES)
def test_every_fate_can_be_expected(fate):
    assert read(SCENE.replace('"carried"', f'"{fate}"')).expectations[0].fates == (("red", fate),)


def test_another_machine_may_be_given():
    heavy = MACHINE.with_values({"ghost.mass": 20})
    assert parse_scene(tomllib.loads(SCENE), "here", heavy).machine["ghost.mass"] == 20


def test_a_machine_given_by_path_lies_beside_the_scene(tmp_path):
    shipped = Path(__file__).parent.parent.parent / "calibration/machines/ferrite.toml"
    (tmp_path / "mine.toml").write_bytes(shipped.read_bytes())
    (tmp_path / "scene.toml").write_text(f'machine = "mine.toml"\n{SCENE}', encoding="utf-8")
    assert load_scene(str(tmp_path / "scene.toml")).machine == SHIPPED["ferrite"]


def test_a_saved_scene_finds_its_machine_again(tmp_path):
    """A scene saved into another folder names the machine's file from there."""
    shipped = Path(__file__).parent.parent.parent / "calibration/machines/ferrite.toml"
    (tmp_path / "mine.toml").write_bytes(shipped.read_bytes())
    (tmp_path / "scene.toml").write_text(f'machine = "mine.toml"\n{SCENE}', encoding="utf-8")
    (tmp_path / "sub").mkdir()
    scene = load_scene(str(tmp_path / "scene.toml"))
    (tmp_path / "sub/saved.toml").write_text(scene_toml(scene, tmp_path / "sub"), encoding="utf-8")
    saved = load_scene(str(tmp_path / "sub/saved.toml"))
    assert (saved.machine, saved.state) == (scene.machine, scene.state)


@given(st.data(), texts)
def test_a_written_scene_is_read_again(data: st.DataObject, title: str) -> None:
    """Title and position survive the journey through a file, to the last bit."""
    machine = data.draw(machines())
    scene = Scene("here", title, machine, data.draw(states(machine)))
    again = parse_scene(tomllib.loads(scene_toml(scene)), "here", machine)
    assert again.state == scene.state
    assert again.title == title


TITLES = ["", '"', "\\", "a\nb", "\t\x7f\0", "é — 日本", "\u2028", "👻", "\U000e0001", "\U0010ffff"]


@pytest.mark.parametrize("title", TITLES)
def test_any_title_survives(title):
    """Quotes, control characters and characters beyond the basic plane are written so that TOML reads them again."""
    scene = Scene("here", title, MACHINE, read(SCENE).state)
    assert tomllib.loads(scene_toml(scene))["title"] == title


def test_centres_are_written_as_spaces():
    """A ghost on a centre is written by its space, in the names of the turned board; any other by its place."""
    text = scene_toml(read(SCENE))
    assert 'red = "c2"' in text
    assert "blue = { x = 118.5, y = -121.0 }" in text


def test_tiny_numbers_are_written_as_toml():
    state = State.of(0, {"red": (1e-7, -40.0)}, read(SCENE).state.sliders)
    assert read(scene_toml(Scene("here", "t", MACHINE, state))).state == state


def test_an_unknown_scene_gets_a_suggestion():
    with pytest.raises(BadInputError, match="did you mean 'start'"):
        load_scene("strat")
