"""Machines: the shipped ones load and are fully documented; changed ones stay within their ranges."""

from __future__ import annotations

import copy
import pickle
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import SHIPPED, machines
from twin.board.machine import DEFAULT_MACHINE, SegmentMagnet, load_machine, machine_names, parse_machine
from twin.board.quantities import KEYS, SOURCES
from twin.errors import BadInputError

FOLDER = Path(__file__).parent.parent.parent / "calibration/machines"
MACHINE = SHIPPED["reconstruction"]


def content(name: str = "reconstruction") -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def test_the_default_machine_ships():
    assert DEFAULT_MACHINE in machine_names()
    assert load_machine() == load_machine("reconstruction") == MACHINE


@pytest.mark.parametrize("name", machine_names())
def test_every_value_of_a_shipped_machine_has_unit_source_and_range(name):
    """Nothing is left undocumented: all values, each with where it comes from and what is plausible."""
    machine = SHIPPED[name]
    assert list(machine.values()) == list(KEYS)
    for key, quantity in machine.quantities.items():
        assert quantity.unit == KEYS[key].unit
        assert quantity.source in SOURCES
        low, high = quantity.range
        assert KEYS[key].low <= low <= quantity.value <= high <= KEYS[key].high
        assert low < high
    data = content(name)
    assert data["tunnels"]["source"] in SOURCES
    assert data["castle"]["source"] in SOURCES
    assert all(slider["source"] in SOURCES for slider in data["sliders"].values())


@pytest.mark.parametrize("name", machine_names())
def test_a_shipped_machine_is_a_game(name):
    """Three sliders with different magnets, five tunnels, and a title that says what it is."""
    machine = SHIPPED[name]
    assert machine.name == name
    assert machine.title != name
    assert sorted(machine.sliders) == ["A", "B", "C"]
    assert len(machine.tunnels) == 5
    assert len(set(machine.sliders.values())) == 3
    assert all(2 <= len(magnets) <= 3 for magnets in machine.sliders.values())


def test_the_shipped_machines_differ():
    assert len({machine.fingerprint for machine in SHIPPED.values()}) == len(SHIPPED)


def test_a_few_values():
    """The values that the contract of the command line shows."""
    shown = {"board.space": 40.0, "ghost.radius": 13, "ghost.mass": 12, "plug.radius": 14, "friction.board": 0.25}
    shown |= {"friction.ghost": 0.3, "magnet.remanence": 0.8, "magnet.gap": 5, "hand.turn_time": 1.2}
    assert {key: MACHINE[key] for key in shown} == shown
    assert list(MACHINE.tunnels) == [-80, -40, 0, 40, 80]
    assert list(SHIPPED["outer-tunnels"].tunnels) == [-120, -40, 0, 40, 120]
    assert MACHINE.sliders["A"] == (SegmentMagnet(2, 1), SegmentMagnet(5, 1), SegmentMagnet(7, 1))


def test_sizes_follow_from_values():
    machine = MACHINE.with_values({"board.space": 36, "ghost.radius": 12, "tolerance.line": 3})
    assert (machine.space, machine.radius, machine.reach) == (36, 12, 9)
    assert list(machine.tunnels) == [-72, -36, 0, 36, 72]


@pytest.mark.parametrize("key", KEYS)
def test_values_change_within_their_range(key):
    """Both ends of a range are allowed, and nothing but that value changes."""
    for bound in MACHINE.quantities[key].range:
        changed = MACHINE.with_values({key: bound})
        assert changed.values() == MACHINE.values() | {key: bound}
        assert changed.quantities[key].range == MACHINE.quantities[key].range


@pytest.mark.parametrize("key", KEYS)
def test_values_outside_their_range_need_another_word(key):
    """Beyond its range a value must be insisted on; beyond the limits of sense even that does not help."""
    (_, high), most = MACHINE.quantities[key].range, KEYS[key].high
    beyond = min(high * 1.01, most)
    if beyond > high:
        with pytest.raises(BadInputError, match=r"within its range .*--beyond-range") as caught:
            MACHINE.with_values({key: beyond})
        assert caught.value.field == key
        assert MACHINE.with_values({key: beyond}, force=True)[key] == beyond
    with pytest.raises(BadInputError, match="must be"):
        MACHINE.with_values({key: most * 1.01}, force=True)


def test_a_misspelt_key_gets_a_suggestion():
    with pytest.raises(BadInputError, match=r"did you mean 'friction\.board'") as caught:
        MACHINE.with_values({"friction.bored": 0.3})
    assert caught.value.field == "friction.bored"


def test_a_strange_key_is_told_where_to_look():
    with pytest.raises(BadInputError, match="twin machine"):
        MACHINE.with_values({"zzz": 1.0})


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"ghost.radius": 20}, "ghost.radius", "narrower than a space of 40 mm"),
        ({"plug.radius": 28}, "plug.radius", "at most 40 mm"),
        ({"tolerance.line": 13}, "tolerance.line", "below ghost.radius"),
        ({"ghost.magnet_height": 16}, "ghost.magnet_height", "below the centre of mass"),
    ],
)
def test_values_that_no_board_could_have_together(changes, field, words):
    with pytest.raises(BadInputError, match=words) as caught:
        MACHINE.with_values(changes, force=True)
    assert caught.value.field == field


@given(machines())
def test_values_within_their_ranges_go_together(machine) -> None:
    """Any combination of values within the ranges is a machine, which finds room for everything."""
    assert 2 * machine.radius < machine.space
    assert machine.reach > 0
    assert machine.tunnels == tuple(sorted(machine.tunnels))


def test_a_fingerprint_knows_what_matters():
    """It changes with each value, with tunnels, magnets and walls, and not with names, titles and sources."""
    data = content()
    other = copy.deepcopy(data) | {"title": "Another", "notes": "else"}
    other["ghost"]["mass"]["source"] = "measured"
    other["ghost"]["mass"]["range"] = [10, 14]
    assert parse_machine(other, "other").fingerprint == MACHINE.fingerprint
    marks = {MACHINE.with_values({key: MACHINE.quantities[key].range[0]}).fingerprint for key in KEYS}
    marks |= {MACHINE.with_values({key: MACHINE.quantities[key].range[1]}).fingerprint for key in KEYS}
    marks |= {machine.fingerprint for machine in SHIPPED.values()}
    other["sliders"]["A"]["magnets"] = [{"segment": 3, "polarity": -1}]
    marks.add(parse_machine(other, "other").fingerprint)
    assert len(marks) > 2 * len(KEYS)
    assert MACHINE.with_values({}).fingerprint == MACHINE.fingerprint


def test_equal_machines_are_equal_whatever_their_names():
    other = parse_machine(content(), "other")
    assert other == MACHINE
    assert hash(other) == hash(MACHINE)
    assert other != MACHINE.with_values({"ghost.mass": 13})


def test_a_machine_travels_to_other_processes():
    assert pickle.loads(pickle.dumps(MACHINE)) == MACHINE


def test_a_machine_is_loaded_by_path(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes((FOLDER / "ferrite.toml").read_bytes())
    assert load_machine(str(path)) == SHIPPED["ferrite"]
    assert load_machine(str(path)).name == "mine"


def test_title_and_notes_may_be_left_out():
    data = content()
    del data["title"], data["notes"]
    assert parse_machine(data, "mine").title == "mine"


def test_magnets_may_repel_and_sliders_may_be_bare():
    data = content()
    data["sliders"]["A"]["magnets"] = []
    data["sliders"]["B"]["magnets"] = [{"segment": 7, "polarity": -1}, {"segment": 1, "polarity": 1}]
    machine = parse_machine(data, "mine")
    assert machine.sliders["A"] == ()
    assert machine.sliders["B"] == (SegmentMagnet(1, 1), SegmentMagnet(7, -1))


@given(st.sampled_from(sorted(KEYS)), st.floats(0, 1))
def test_a_changed_value_is_the_one_asked_for(key: str, share: float) -> None:
    low, high = MACHINE.quantities[key].range
    value = min(low + share * (high - low), high)
    assert MACHINE.with_values({key: value})[key] == value


def test_of_several_unknown_keys_always_the_same_is_told():
    """Which one is named does not depend on how this process hashes words: the first by name."""
    unknown = dict.fromkeys(f"zz{number}" for number in range(20))
    for table, field in ((None, "zz0"), ("tunnels", "tunnels.zz0"), ("castle", "castle.zz0")):
        data = content()
        (data if table is None else data[table]).update(unknown)
        with pytest.raises(BadInputError, match="unknown key") as caught:
            parse_machine(data, "mine")
        assert caught.value.field == field
