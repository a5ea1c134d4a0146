"""Traces: crossings of walls, hashes that notice every change, arrays that nobody can change, and falls."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.setups import BARE, MACHINE, board_drive, every_step, standing
from tests.strategies import places
from twin.board.grid import centre, space_under
from twin.board.moves import Push, Turn
from twin.board.state import COLOURS
from twin.physics.reference import simulate
from twin.physics.trace import CHUNK, Caveat, Contact, Crossing, Trace, frozen, rows, wall_crossings

if TYPE_CHECKING:
    from twin.board.grid import Place

CASTLE = MACHINE.castle


# -- crossings of walls ---------------------------------------------------------------------------------------------


def _brute_force(path: list[Place], parts: int = 20000) -> list[tuple[str, str]]:
    """Walls under a path, found by looking which space lies under each of very many points of it."""
    under = []
    for (ax, ay), (bx, by) in pairwise(path):
        for part in range(parts):
            share = (part + 0.5) / parts
            under.append(space_under((ax + share * (bx - ax), ay + share * (by - ay)), 40.0))
    pairs = [(a, b) for a, b in pairwise(under) if a is not None and b is not None and a != b]
    return [(a, b) for a, b in pairs if CASTLE.wall_between(a, b)]


def _near_a_corner(path: list[Place]) -> bool:
    """Whether a path passes so near to where four spaces meet that points along it could miss one of them."""
    for (ax, ay), (bx, by) in pairwise(path):
        length2 = (bx - ax) ** 2 + (by - ay) ** 2
        for x in range(-140, 141, 40):
            for y in range(-140, 141, 40):
                share = 0.0 if length2 == 0 else ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length2
                share = min(max(share, 0.0), 1.0)
                if math.hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y) < 0.05:
                    return True
    return False


def _on_a_line(path: list[Place]) -> bool:
    """Whether a point of a path is so near to a line that the points along it could all lie beyond that line."""
    return any(abs(value % 40.0 - 20.0) < 0.05 for place in path for value in place)


@given(st.lists(places(), min_size=2, max_size=3))
def test_crossings_are_the_walls_under_the_path(path: list[Place]) -> None:
    """The crossings of any path are the walls that a look at very many of its points finds, in the same order."""
    assume(not _near_a_corner(path))
    assume(not _on_a_line(path))
    found = wall_crossings("red", range(len(path)), path, CASTLE, 40.0)
    assert [(c.from_space, c.to_space) for c in found] == _brute_force(path)
    times = [crossing.time for crossing in found]
    assert times == sorted(times)
    assert all(0.0 <= time <= len(path) - 1 for time in times)


@given(st.lists(places(), min_size=2, max_size=6))
def test_crossings_are_the_same_backwards(path: list[Place]) -> None:
    """A path walked backwards crosses the same walls the other way round."""
    assume(not _near_a_corner(path))
    assume(not _on_a_line(path))
    times = range(len(path))
    there = wall_crossings("red", times, path, CASTLE, 40.0)
    back = wall_crossings("red", times, path[::-1], CASTLE, 40.0)
    assert [(c.to_space, c.from_space) for c in back[::-1]] == [(c.from_space, c.to_space) for c in there]


def test_a_stop_exactly_on_a_line_loses_no_crossing() -> None:
    """A path that has a point exactly on a line crosses the same walls as the straight path without that point."""
    ends = [(0.0, -108.73781397877919), (0.0, 60.0)]
    straight = wall_crossings("red", range(2), ends, CASTLE, 40.0)
    stopped = wall_crossings("red", range(3), [ends[0], (0.0, 20.0), ends[1]], CASTLE, 40.0)
    assert ("d4", "d5") in [(c.from_space, c.to_space) for c in straight]
    assert ("d4", "d5") in [(c.from_space, c.to_space) for c in stopped]


def test_a_crossing_is_told_with_its_time() -> None:
    """A wall halfway between two points is crossed halfway between their times; an opening is no crossing."""
    wall = next(pair for pair in sorted(map(sorted, CASTLE.walls)))
    ends = [centre(space, 40.0) for space in wall]
    assert wall_crossings("red", (2.0, 3.0), ends, CASTLE, 40.0) == (Crossing(2.5, "red", *wall),)
    assert not CASTLE.wall_between("a1", "a2")
    assert not wall_crossings("red", (0.0, 1.0), [centre("a1", 40.0), centre("a2", 40.0)], CASTLE, 40.0)


def test_nothing_is_crossed_after_a_fall_or_off_the_board() -> None:
    """A path that ends in NaN is followed up to there, and lines beyond the edge are no walls."""
    wall = next(pair for pair in sorted(map(sorted, CASTLE.walls)))
    one, other = (centre(space, 40.0) for space in wall)
    gone = (math.nan, math.nan)
    assert not wall_crossings("red", range(3), [one, gone, other], CASTLE, 40.0)
    assert len(wall_crossings("red", range(3), [one, other, gone], CASTLE, 40.0)) == 1
    assert not wall_crossings("red", range(2), [(-120.0, 120.0), (-120.0, 400.0)], CASTLE, 40.0)


def test_crossings_of_a_run_follow_its_path() -> None:
    """What a run reports is what its path on the board crosses: a carried ghost goes through walls, and is named."""
    state = standing().on_spaces({"red": "b2"}, 40.0)
    trace = simulate(state, Push("A", "north"), MACHINE)
    path = [(float(x), float(y)) for x, y in trace.poses[:, 0, :2]]
    assert CASTLE.wall_between("b2", "b3")
    assert [(c.ghost, c.from_space, c.to_space) for c in trace.crossings] == [("red", "b2", "b3")]
    assert _brute_force(path, parts=50) == [("b2", "b3")]


# -- hashes ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trace() -> Trace:
    """A run with everything in it: a fall, contacts, crossings and a warning."""
    run = simulate(standing((-120.0, -120.0), (-93.0, -120.0), (120.0, 120.0)), Turn("cw"), MACHINE)
    return replace(
        run,
        contacts=(Contact(0.5, "red", "yellow"),),
        crossings=(Crossing(0.25, "red", "a1", "b1"),),
        warnings=(Caveat("topple", "red", 0.75, "would fall over"),),
        fallen=(None, 1.0, None),
    )


def _bumped(values, *index: int):
    """The same array with the last bit of one number changed."""
    array = np.array(values)
    array[index] = np.nextafter(array[index], math.inf)
    return frozen(array)


CHANGES = {
    "a time": lambda t: replace(t, times=_bumped(t.times, 3)),
    "an angle of the board": lambda t: replace(t, board=_bumped(t.board, -1)),
    "a place": lambda t: replace(t, poses=_bumped(t.poses, 10, 1, 0)),
    "the last place": lambda t: replace(t, poses=_bumped(t.poses, -1, 2, 1)),
    "an angle": lambda t: replace(t, poses=_bumped(t.poses, 0, 0, 2)),
    "a velocity": lambda t: replace(t, velocities=_bumped(t.velocities, 20, 2, 1)),
    "a spin": lambda t: replace(t, velocities=_bumped(t.velocities, 20, 2, 2)),
    "a frame less": lambda t: replace(
        t, times=t.times[:-1], board=t.board[:-1], poses=t.poses[:-1], velocities=t.velocities[:-1]
    ),
    "the names of the ghosts": lambda t: replace(t, ghosts=("red", "yellow", "blue")),
    "no contact": lambda t: replace(t, contacts=()),
    "the time of a contact": lambda t: replace(t, contacts=(Contact(0.501, "red", "yellow"),)),
    "the ghost of a contact": lambda t: replace(t, contacts=(Contact(0.5, "red", "green"),)),
    "no crossing": lambda t: replace(t, crossings=()),
    "the time of a crossing": lambda t: replace(t, crossings=(Crossing(0.26, "red", "a1", "b1"),)),
    "the space of a crossing": lambda t: replace(t, crossings=(Crossing(0.25, "red", "a1", "a2"),)),
    "no warning": lambda t: replace(t, warnings=()),
    "the kind of a warning": lambda t: replace(t, warnings=(Caveat("tipping", "red", 0.75, "would fall over"),)),
    "the time of a warning": lambda t: replace(t, warnings=(Caveat("topple", "red", 0.751, "would fall over"),)),
    "a slip": lambda t: replace(t, slips=(t.slips[0] + 1e-9, *t.slips[1:])),
    "a fall less": lambda t: replace(t, fallen=(None, None, None)),
    "the time of a fall": lambda t: replace(t, fallen=(None, 1.001, None)),
    "who fell": lambda t: replace(t, fallen=(1.0, None, None)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_hash_notices_every_change(trace: Trace, change: str) -> None:
    """A trace of which a bit of a pose or velocity, a name, an event, a slip or a fall differs has another hash."""
    other = CHANGES[change](trace)
    assert other.digest() != trace.digest()


def test_equal_runs_have_equal_hashes() -> None:
    """The same run twice has the same hash and checkpoints, and one frame for each hundredth of a second."""
    state = standing((-120.0, -80.0), (80.0, 40.0))
    one, other = (simulate(state, Turn("ccw"), MACHINE) for _ in range(2))
    assert one.digest() == other.digest()
    assert one.checkpoints() == other.checkpoints()
    assert len(one.checkpoints()) == math.ceil(len(one.times) / CHUNK)


@pytest.mark.parametrize("frame", [0, 4, 5, 63, -1])
def test_checkpoints_show_where_two_runs_part(trace: Trace, frame: int) -> None:
    """All checkpoints from the first different frame on differ, and none before it."""
    frame %= len(trace.times)
    other = replace(trace, poses=_bumped(trace.poses, frame, 0, 0))
    same = [a == b for a, b in zip(trace.checkpoints(), other.checkpoints(), strict=True)]
    assert same == [chunk < frame // CHUNK for chunk in range(len(same))]


# -- arrays ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["times", "board", "poses", "velocities", "forces"])
def test_arrays_are_read_only(name: str) -> None:
    """Nobody can change the arrays of a trace."""
    array = getattr(simulate(standing((-120.0, -80.0)), Push("A", "north"), MACHINE), name)
    assert not array.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1.0


def test_arrays_have_the_shapes_that_they_should() -> None:
    """F frames and G ghosts, in the order of their colours, whatever the order of their places."""
    state = standing((120.0, 80.0), (0.0, 80.0), (-120.0, 40.0))
    trace = simulate(state, Turn("cw"), MACHINE)
    frames = len(trace.times)
    assert trace.ghosts == COLOURS[:3]
    assert trace.board.shape == (frames,)
    assert trace.poses.shape == trace.velocities.shape == (frames, 3, 3)
    assert trace.forces.shape == (frames, 3, 4)
    assert [tuple(place) for place in trace.poses[0, :, :2]] == [place for _, place in state.ghosts]
    assert np.diff(trace.times).min() > 0
    assert np.diff(trace.times[:-1]) == pytest.approx(0.01)


def test_the_last_frame_is_the_end_of_the_run() -> None:
    """However few frames are kept, the last one is the instant at which everything had come to rest."""
    state = standing((-120.0, -80.0), (80.0, 40.0))
    few, all_of_them = (simulate(state, Turn("ccw"), MACHINE, frame_rate=rate) for rate in (7, 1e6))
    assert len(few.times) < 20 < len(all_of_them.times)
    assert few.times[-1] == all_of_them.times[-1]
    assert np.array_equal(few.poses[-1], all_of_them.poses[-1])
    assert np.diff(all_of_them.times) == pytest.approx(0.001)


# -- falls ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fall() -> Trace:
    """A ghost that is flung off a corner beside one that stays."""
    state = standing((-125.0, -125.0), (0.0, 40.0))
    angles = [12.0 * (index / 1000) ** 2 for index in range(601)]
    return every_step(state, BARE, board_drive(state, BARE, angles))


def test_a_ghost_is_nowhere_after_its_fall(fall: Trace) -> None:
    """From the instant of its fall on, every number of a ghost is NaN; before, and for the others, none is."""
    when = fall.fallen[0]
    assert when is not None
    assert fall.fallen[1] is None
    gone = fall.times >= when - 1e-9
    assert 0 < gone.sum() < len(gone)
    for array in (fall.poses, fall.velocities, fall.forces):
        assert np.isnan(array[gone, 0]).all()
        assert np.isfinite(array[~gone, 0]).all()
        assert np.isfinite(array[:, 1]).all()
    assert fall.final("red") is None
    assert fall.final("yellow") is not None


def test_a_ghost_falls_when_its_centre_leaves_the_board(fall: Trace) -> None:
    """Its last place is within a step's way inside the edge of the turned board."""
    last = int(np.isfinite(fall.poses[:, 0, 0]).sum()) - 1
    x, y = fall.poses[last, 0, :2]
    angle = fall.board[last]
    here = (math.cos(angle) * x + math.sin(angle) * y, math.cos(angle) * y - math.sin(angle) * x)
    assert 138.0 < max(map(abs, here)) <= 140.0


def test_a_table_of_a_trace_leaves_out_the_fallen(fall: Trace) -> None:
    """Written as rows, a trace has one for each ghost and frame, but none for a ghost that has fallen."""
    table = list(rows(fall, np.zeros((len(fall.times), 2, 2))))
    assert sum(row["ghost"] == "yellow" for row in table) == len(fall.times)
    assert sum(row["ghost"] == "red" for row in table) == np.isfinite(fall.poses[:, 0, 0]).sum()
    assert all(math.isfinite(value) for row in table for value in row.values() if isinstance(value, float))
