"""Drives: every move begins where things stand, ends where they should, and takes as long as its hand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.setups import MACHINE, standing
from tests.strategies import orientations, spaces, states
from twin.board.grid import DIRECTIONS, centre, neighbour
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import MAX_OFFSET, State, magnets
from twin.physics.drive import Drive, Phase, drag_target, plan, relocated
from twin.physics.hand import NOMINAL, Hand, varied_hand
from twin.physics.numerics import STEP

if TYPE_CHECKING:
    from collections.abc import Sequence

START = standing((-120.0, -120.0), (120.0, 120.0))
HANDS = st.just(NOMINAL) | st.builds(varied_hand, st.just(MACHINE), st.just(2), st.integers(0, 99), st.integers(0, 99))
SETTLE = round(MACHINE["hand.settle_time"] / STEP)


def _never_back(values: Sequence[float]) -> bool:
    return list(values) in (sorted(values), sorted(values, reverse=True))


def _settles_last(drive: Drive) -> Phase:
    """The last phase, which must drive nothing."""
    last = drive.phases[-1]
    assert (last.angles, last.shifts, last.grip) == ((), (), ())
    assert not any(last.moving)
    assert last.steps == SETTLE
    return last


@given(HANDS, st.sampled_from(["cw", "ccw"]))
def test_a_turn_goes_a_quarter_and_never_back(hand: Hand, direction) -> None:
    """A turn takes the board from its angle by a quarter and the hand's misalignment, clockwise negative."""
    drive = plan(START, Turn(direction), MACHINE, hand)
    turning = drive.phases[0]
    end = (-1 if direction == "cw" else 1) * (math.pi / 2 + hand.misalignment)
    assert turning.angles[0] == 0.0
    assert turning.angles[-1] == drive.final_angle == pytest.approx(end)
    assert _never_back(turning.angles)
    assert len(turning.angles) == turning.steps + 1
    assert turning.steps * STEP == pytest.approx(MACHINE["hand.turn_time"] * hand.pace, abs=STEP)
    assert turning.magnets == _settles_last(drive).magnets == magnets(START, MACHINE)
    assert not any(turning.moving)
    assert drive.dragged is None


@given(HANDS, st.data())
def test_a_push_goes_one_segment_and_never_back(hand: Hand, data) -> None:
    """A push takes the magnets of its slider, and no others, exactly one space along, and they stay there."""
    state = data.draw(states(MACHINE))
    slider = data.draw(st.sampled_from(state.sliders))
    directions = [d for d, step in (("north", 1), ("south", -1)) if abs(slider.offset + step) <= MAX_OFFSET]
    move = Push(slider.name, data.draw(st.sampled_from(directions)))
    drive = plan(state, move, MACHINE, hand)
    pushing, settled = drive.phases[0], _settles_last(drive)
    assert pushing.shifts[0] == 0.0
    assert pushing.shifts[-1] == pytest.approx(40.0 * move.step)
    assert _never_back(pushing.shifts)
    assert len(pushing.shifts) == pushing.steps + 1
    assert pushing.steps * STEP == pytest.approx(MACHINE["hand.push_time"] * hand.pace, abs=STEP)
    assert drive.final_angle == 0.0
    assert _shifted(pushing, pushing.shifts[-1]) == {(m.label, m.x, m.y) for m in settled.magnets}
    assert all(moving == (m.slider == slider.name) for m, moving in zip(pushing.magnets, pushing.moving, strict=True))


@given(HANDS, spaces, orientations, st.sampled_from(tuple(DIRECTIONS)))
def test_a_drag_goes_to_the_next_space_and_never_back(hand: Hand, space: str, orientation: int, direction) -> None:
    """The hand's grip goes straight from the ghost to the centre of the next space, or as far beyond the edge."""
    state = State.of(orientation, {}, START.sliders).on_spaces({"red": space}, 40.0)
    move = Drag("red", direction)
    drive = plan(state, move, MACHINE, hand)
    grip = drive.phases[0].grip
    step = DIRECTIONS[direction]
    start = state.places["red"]
    target = (start[0] + 40.0 * step[0], start[1] + 40.0 * step[1])
    there = neighbour(space, direction, orientation)
    assert there is None or centre(there, 40.0, orientation) == target
    assert drag_target(state, move, MACHINE) == target
    assert grip[0] == start
    assert grip[-1] == target
    assert _never_back([x for x, _ in grip])
    assert _never_back([y for _, y in grip])
    assert len(grip) == drive.phases[0].steps + 1
    assert drive.phases[0].steps * STEP == pytest.approx(MACHINE["hand.drag_time"] * hand.pace, abs=STEP)
    assert drive.dragged == "red"
    _settles_last(drive)


def test_a_drag_from_off_the_centre_ends_on_a_centre() -> None:
    """A ghost that stands askew in its space is dragged from where it stands to the centre of the next one."""
    state = standing((-113.0, -125.0))
    drive = plan(state, Drag("red", "east"), MACHINE)
    assert drive.phases[0].grip[0] == (-113.0, -125.0)
    assert drive.phases[0].grip[-1] == (-80.0, -120.0)


@given(HANDS, st.data())
def test_a_relocation_leaves_the_board_on_the_way(hand: Hand, data) -> None:
    """A relocated slider is drawn out beyond the reach of every magnet and pushed in to where it belongs."""
    state = data.draw(states(MACHINE))
    slider = data.draw(st.sampled_from(state.sliders))
    tunnel = data.draw(st.sampled_from([t for t in range(1, 6) if t not in {s.tunnel for s in state.sliders}]))
    move = Relocate(slider.name, tunnel, data.draw(st.integers(-2, 2)), data.draw(st.booleans()))
    drive = plan(state, move, MACHINE, hand)
    out, back, settled = *drive.phases[:2], _settles_last(drive)
    assert len(drive.phases) == 3
    assert _shifted(out, 0.0) == {(m.label, m.x, m.y) for m in magnets(state, MACHINE)}
    after = state.with_slider(relocated(state, move))
    assert settled.magnets == back.magnets == magnets(after, MACHINE)
    assert (out.shifts[0], back.shifts[-1]) == (0.0, 0.0)
    assert out.shifts[-1] == back.shifts[0]
    for phase, shift in ((out, out.shifts[-1]), (back, back.shifts[0])):
        assert _never_back(phase.shifts)
        assert phase.steps * STEP == pytest.approx(MACHINE["hand.relocate_time"] * hand.pace, abs=STEP)
        for magnet, moving in zip(phase.magnets, phase.moving, strict=True):
            assert moving == (magnet.slider == slider.name)
            assert not moving or abs(magnet.y + shift) > 140.0 + 80.0
    # It is drawn out on the side where it sticks out already.
    assert math.copysign(1.0, out.shifts[-1]) == (1.0 if slider.offset >= 0 else -1.0)


@pytest.mark.parametrize("flip", [False, True])
def test_a_relocation_flips_on_request(flip: bool) -> None:  # noqa: FBT001 - a parameter
    """A relocated slider has the tunnel and offset asked for, and is turned end for end if asked."""
    once = relocated(START, Relocate("B", 2, -1, flip))
    assert (once.name, once.tunnel, once.offset, once.flipped) == ("B", 2, -1, flip)
    again = relocated(START.with_slider(once), Relocate("B", 4, 2, flip))
    assert again.flipped is False


@pytest.mark.parametrize("move", [Turn("cw"), Push("A", "north"), Drag("red", "east"), Relocate("A", 2, 1)], ids=str)
def test_half_the_step_is_the_same_drive(move) -> None:
    """With half the step a drive passes through the same instants, and as many between them."""
    whole, half = (plan(START, move, MACHINE, NOMINAL, step) for step in (STEP, STEP / 2))
    for one, other in zip(whole.phases, half.phases, strict=True):
        assert other.steps == 2 * one.steps
        assert other.magnets == one.magnets
        for name in ("angles", "shifts"):
            assert getattr(other, name)[::2] == pytest.approx(getattr(one, name))


def _shifted(phase: Phase, shift: float) -> set[tuple[str, float, float]]:
    """Labels and places of a phase's magnets once those that move have come so far."""
    return {
        (m.label, m.x, m.y + (shift if moving else 0.0)) for m, moving in zip(phase.magnets, phase.moving, strict=True)
    }
