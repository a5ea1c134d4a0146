"""One reading of many moves: `Outcomes` answers as `Outcome` does, and can be sliced, compared and made a table."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest

from twin.board.machine import load_machine
from twin.board.moves import Move, Push, Turn
from twin.board.scene import load_scene
from twin.board.state import Slider, State
from twin.errors import BadInputError, MissingExtraError
from twin.outcome.engine import KERNEL, Twin
from twin.outcome.many import simulate_many
from twin.outcome.riding_share import random_state
from twin.physics.drive import askew, driven
from twin.physics.hand import NOMINAL, varied_hand

MACHINE = load_machine()
SLIDERS = [Slider("A", 1), Slider("B", 3), Slider("C", 5)]
CROWD = State.of(0, {"red": (-120, -120), "yellow": (-120, -80), "green": (-80, -120), "blue": (-80, -80)}, SLIDERS)


@pytest.fixture(scope="module")
def made():
    """Random turns and pushes by varied hands without shifts, then a jam."""
    dice = random.Random(3)
    states = [random_state(MACHINE, dice) for _ in range(59)]
    states.append(load_scene("jam-in-turn", MACHINE).state)
    moves: list[Move] = [
        dice.choice((Turn("cw"), Push("A", "north" if s.slider("A").offset < 2 else "south"))) for s in states
    ]
    moves[-1] = load_scene("jam-in-turn", MACHINE).expectations[0].move
    hands = [varied_hand(MACHINE, 0, 1, n) for n in range(59)] + [NOMINAL]
    return states, moves, hands, simulate_many(states, moves, machine=MACHINE, hands=hands)


def test_outcomes_answer_as_one_outcome_does(made):
    """Board and sliders afterwards, by how much it lies askew, landing, options, falls, the position after a choice."""
    states, moves, hands, outcomes = made
    twin = Twin(MACHINE, KERNEL)
    for n, (state, move, hand) in enumerate(zip(states, moves, hands, strict=True)):
        one = twin.act(state, move, hand, sensitivity=False)
        assert (int(outcomes.orientation[n]), outcomes.sliders_of(n)) == (one.orientation, one.sliders)
        assert one.sliders == driven(state, move).sliders
        assert outcomes.askew[n] == one.askew == askew(move, hand)
        assert outcomes.landing_of(n) == one.landing
        assert outcomes.options_of(n) == one.landing.options
        assert outcomes.takes_off[n] == bool(one.fallen)
        assert outcomes.after(n) == one.after()
        assert outcomes.key(n) == one.key
    assert outcomes.conflict[-1]
    free = next(n for n in range(59) if outcomes.placements[n] > 1)
    choice = dict(outcomes.landing_of(free).placements[-1])
    assert outcomes.after(free, choice) == twin.act(states[free], moves[free], hands[free], sensitivity=False).after(
        choice
    )


def test_slices_are_outcomes(made):
    *_, outcomes = made
    assert [len(part) for part in (outcomes[5:10], outcomes[3], outcomes[-1], outcomes[60:])] == [5, 1, 1, 0]
    assert outcomes[5:10].key(1) == outcomes[6].key(0) == outcomes.key(6)
    assert [one.key(0) for one in outcomes] == [outcomes.key(n) for n in range(len(outcomes))]
    with pytest.raises(IndexError):
        outcomes[60]
    with pytest.raises(ValueError, match="read-only"):
        outcomes[3].fate[0, 0] = 0


def test_outcomes_are_compared_by_value(made):
    states, moves, hands, outcomes = made
    again = simulate_many(states, moves, machine=load_machine(), hands=hands)
    assert outcomes == again
    assert outcomes[2:] != outcomes[:-2] != outcomes
    assert outcomes != "outcomes"
    with pytest.raises(TypeError):
        hash(outcomes)
    assert len(repr(outcomes)) < 80


def test_outcomes_of_several_machines_are_parts_of_one_whole():
    """In whatever order machines alternate, each row is what its own machine gives."""
    names = ("held", "ferrite-too-weak", "held", "rides")
    scenes = [load_scene(name) for name in names]
    together = simulate_many(scenes, [Turn("cw")] * 4)
    assert together[0] == together[2] == simulate_many(scenes[:1], [Turn("cw")])
    assert [together.machine_of(n) for n in range(4)] == [scene.machine for scene in scenes]
    for n, scene in enumerate(scenes):
        assert together[n] == simulate_many([scene], [Turn("cw")])


def test_two_outcomes_with_traces_can_be_compared():
    twin = Twin(MACHINE)
    one, same, other = (twin.act(CROWD, Turn(way), sensitivity=False) for way in ("cw", "cw", "ccw"))
    assert one == same
    assert one != other
    assert hash(one.trace) == hash(same.trace)


def test_a_wrong_colour_is_refused(made):
    *_, outcomes = made
    with pytest.raises(BadInputError, match="red, yellow, green, blue; got 'pink'"):
        outcomes.fate_of(0, "pink")


def test_a_table_has_names_in_place_of_numbers(made):
    pytest.importorskip("pyarrow", reason="the table needs pyarrow")
    states, _, _, outcomes = made
    rows = outcomes.to_arrow().to_pylist()
    assert len(rows) == sum(len(state.ghosts) for state in states)
    for row in rows:
        n, colour = row["move"], row["ghost"]
        assert row["fate"] == outcomes.fate_of(n, colour)
        assert row["covers"] == ("+".join(outcomes.covers_of(n, colour)) or "off")
        assert row["touched"] == "+".join(outcomes.touched_by(n, colour))
        assert (row["x"], row["y"]) == (outcomes.end_of(n, colour) or (None, None))
        assert row["margin"] == outcomes.margin_of(n, colour)
        assert row["walls"] == outcomes.wall_count(n, colour)
        grips = [None if g < 0 else f"{'ABC'[g // 7]}{g % 7 + 1}" for g in outcomes.grips_of(n, colour)]
        assert [row["grip_before"], row["grip_after"]] == grips
        assert row["conflict"] == bool(outcomes.conflict[n])


def test_a_data_frame_is_the_same_table(made):
    pytest.importorskip("pandas", reason="the data frame needs pandas")
    *_, outcomes = made
    frame = outcomes.to_pandas()
    assert list(frame["fate"]) == outcomes.to_arrow()["fate"].to_pylist()
    assert np.isnan(frame["x"][frame["fate"] == "fell"]).all()


def test_without_pyarrow_the_table_says_what_to_install(made, monkeypatch):
    *_, outcomes = made
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr("twin.outcome.outcome_table.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"mauer-twin\[parquet\]"):
        outcomes.to_arrow()
