"""What holds for every move on every machine: nothing is lost, nothing overlaps, all can be placed and repeated."""

from __future__ import annotations

import json
import math
import os
import sys
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from tests.children import run
from tests.strategies import SHIPPED, landings, machines, plays
from twin.board.expectation import FATES
from twin.board.grid import CORNERS, STANDING_SPACES, centre, covered_spaces
from twin.board.moves import Drag, Push, Turn
from twin.board.state import TOUCH_TOLERANCE, Slider, State, covers, validate_state
from twin.outcome.engine import Outcome, Twin
from twin.outcome.snap import Landing, Placement, snap
from twin.physics.trace import WALL

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.strategies import Play
    from twin.board.grid import Place
    from twin.board.moves import DragDirection

ROOT = Path(__file__).parent.parent.parent
ALWAYS = {"fell", "blocked", "shoved", "left"}
FATES_OF_MOVES = {
    "Turn": ALWAYS | {"caught", "held", "rode"},
    "Push": ALWAYS | {"carried", "stayed"},
    "Drag": ALWAYS | {"stayed", "dragged"},
    "Relocate": ALWAYS | {"stayed"},
}


def played(play: Play) -> Outcome:
    return Twin(play.machine).act(play.state, play.move, play.hand, sensitivity=False)


def displacement(placement: Placement, landing: Landing, size: float) -> float:
    """By how much all ghosts together are moved when they are placed (mm); a fallen one is put back from nowhere."""
    moved = 0.0
    for colour, space in placement:
        place = landing.footing(colour).place
        moved += 0.0 if place is None else math.dist(place, centre(space, size))
    return moved


# -- claims about one outcome ------------------------------------------------------------------------------------------


def no_ghost_is_lost(outcome: Outcome) -> None:
    """Every ghost of the position is in the outcome, and it fell exactly if it is nowhere."""
    colours = outcome.before.colours
    assert tuple(colour for colour, _ in outcome.ghosts) == colours
    assert tuple(colour for colour, _ in outcome.landing.footings) == colours
    assert outcome.trace is None or outcome.trace.ghosts == colours
    for _, ghost in outcome.ghosts:
        fell = ghost.fate == "fell"
        assert fell == (ghost.place is None) == (ghost.margin is None) == (not ghost.covers)


def nothing_overlaps(outcome: Outcome) -> None:
    """At the end no ghost overlaps another one or the plug by more than a tenth of a millimetre."""
    machine = outcome.machine
    standing = [ghost.place for _, ghost in outcome.ghosts if ghost.place is not None]
    for place in standing:
        assert math.hypot(*place) >= machine["plug.radius"] + machine.radius - TOUCH_TOLERANCE
    for one, other in combinations(standing, 2):
        assert math.dist(one, other) >= 2 * machine.radius - TOUCH_TOLERANCE


def all_numbers_make_sense(outcome: Outcome) -> None:
    """Every number is finite until its ghost falls; margins, slips and times are not negative."""
    for colour, ghost in outcome.ghosts:
        numbers = [*ghost.start, *(ghost.place or ()), ghost.slip, ghost.margin or 0.0]
        assert all(math.isfinite(number) for number in numbers), colour
        assert ghost.slip >= 0
        assert ghost.margin is None or ghost.margin >= 0
    if outcome.trace is None:
        return
    trace = outcome.trace
    assert np.isfinite(trace.times).all()
    assert np.isfinite(trace.board).all()
    assert (np.diff(trace.times) > 0).all()
    for index, fallen in enumerate(trace.fallen):
        there = trace.times < (math.inf if fallen is None else fallen)
        for array in (trace.poses, trace.velocities, trace.forces):
            assert np.isfinite(array[there, index]).all()
            assert np.isnan(array[~there, index]).all()
    events = [contact.time for contact in trace.contacts]
    events += [crossing.time for crossing in trace.crossings]
    events += [warning.time for warning in trace.warnings]
    assert all(0 <= time <= trace.times[-1] for time in events)


def placements_are_legal(landing: Landing) -> None:
    """Each stands alone: settled ghosts where they are, straddlers on a space they cover, fallen ones on corners."""
    for placement in landing.placements:
        assert [colour for colour, _ in placement] == [colour for colour, _ in landing.footings]
        taken = [space for _, space in placement]
        assert len(set(taken)) == len(taken)
        assert set(taken) <= set(STANDING_SPACES)
        for colour, space in placement:
            footing = landing.footing(colour)
            assert space in (CORNERS if footing.place is None else footing.covers)
            assert footing.space is None or space == footing.space
    assert len(set(landing.placements)) == len(landing.placements)


def conflicts_have_a_fallback(landing: Landing) -> None:
    """There is no placement exactly in a conflict, and exactly then there is a legal fallback."""
    assert landing.conflict == (not landing.placements) == (landing.fallback is not None)
    if landing.fallback is not None:
        taken = [space for _, space in landing.fallback]
        assert [colour for colour, _ in landing.fallback] == [colour for colour, _ in landing.footings]
        assert len(set(taken)) == len(taken)
        assert set(taken) <= set(STANDING_SPACES)
        for colour, space in landing.fallback:
            assert landing.footing(colour).place is not None or space in CORNERS


def placements_are_sorted(landing: Landing, size: float) -> None:
    """The smallest total displacement comes first; equal ones are in the order of their names."""
    keys = [(round(displacement(p, landing, size), 6), tuple(space for _, space in p)) for p in landing.placements]
    assert keys == sorted(keys)


def walls_are_crossed_where_they_stand(outcome: Outcome) -> None:
    """Each crossing lies on a wall of the castle."""
    for _, ghost in outcome.ghosts:
        for one, other in ghost.walls:
            assert outcome.machine.castle.wall_between(one, other)


def walls_stop_only_who_is_dragged(outcome: Outcome) -> None:
    """The ghost in the hand passes through no wall (A2), and no wall stops anybody else (B7, D2)."""
    for colour, ghost in outcome.ghosts:
        if isinstance(outcome.move, Drag) and outcome.move.ghost == colour:
            assert not ghost.walls
        else:
            assert WALL not in ghost.touched


def fates_fit_the_move(outcome: Outcome) -> None:
    """A fate is one of the ten words, and one that this kind of move can bring about."""
    for colour, ghost in outcome.ghosts:
        assert ghost.fate in FATES
        assert ghost.fate in FATES_OF_MOVES[type(outcome.move).__name__]
        if ghost.fate == "dragged":
            assert isinstance(outcome.move, Drag)
            assert outcome.move.ghost == colour
        if ghost.fate == "carried":
            assert isinstance(outcome.move, Push)
            assert ghost.grip_before is not None
            assert ghost.grip_before.slider == outcome.move.slider


def the_board_and_sliders_are_driven(outcome: Outcome) -> None:
    """Only a turn turns the board, only a push or relocation moves a slider, and an undone move does neither."""
    before, move = outcome.before, outcome.move
    turned = (outcome.orientation - before.orientation) % 4
    assert turned == ((1 if move.direction == "cw" else 3) if isinstance(move, Turn) else 0)
    changed = [new.name for old, new in zip(before.sliders, outcome.sliders, strict=True) if old != new]
    assert changed == ([] if isinstance(move, Turn | Drag) or not outcome.done else [move.slider])
    assert outcome.done == (outcome.trace is not None)


def the_game_can_go_on(outcome: Outcome) -> None:
    """The position afterwards is valid, with ghosts put straight and with ghosts left as they are."""
    for as_is in (False, True):
        after = outcome.after(as_is=as_is)
        assert (after.orientation, after.sliders) == (outcome.orientation, outcome.sliders)
        assert after.colours == outcome.before.colours
        validate_state(after, outcome.machine)


def settled_ghosts_stay_settled(outcome: Outcome) -> None:
    """A ghost that is settled after the move stands on that space alone in the next position, tidy or as it is."""
    placed = dict(outcome.landing.fallback or outcome.landing.placements[0])
    for colour, ghost in outcome.ghosts:
        if ghost.space is not None and ghost.space == placed[colour]:
            for as_is in (False, True):
                assert covers(outcome.after(as_is=as_is), colour, outcome.machine) == (ghost.space,)


def all_ghosts_can_be_placed(outcome: Outcome) -> None:
    """Placements are legal and sorted; where there is none, there is a fallback."""
    placements_are_legal(outcome.landing)
    placements_are_sorted(outcome.landing, outcome.machine.space)
    conflicts_have_a_fallback(outcome.landing)


CLAIMS: list[Callable[[Outcome], None]] = [
    no_ghost_is_lost,
    nothing_overlaps,
    all_numbers_make_sense,
    all_ghosts_can_be_placed,
    walls_are_crossed_where_they_stand,
    walls_stop_only_who_is_dragged,
    fates_fit_the_move,
    the_board_and_sliders_are_driven,
    the_game_can_go_on,
    settled_ghosts_stay_settled,
]


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(plays())
def test_every_outcome_keeps_every_promise(play: Play) -> None:
    """Whatever is played on whatever machine, by whatever hand, all claims above hold."""
    outcome = played(play)
    for claim in CLAIMS:
        note(f"{claim.__name__}: {claim.__doc__}")
        claim(outcome)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(plays())
def test_a_second_run_gives_the_same_bytes(play: Play) -> None:
    """The same move on the same machine gives the same bytes, on a machine built anew too."""
    one, other = played(play), played(play._replace(machine=play.machine.with_values({})))
    assert (one.ghosts, one.landing, one.broken) == (other.ghosts, other.landing, other.broken)
    assert digest_of(one) == digest_of(other)


@pytest.mark.parametrize(("place", "direction"), [((-31.0, -17.0), "east"), ((-57.0, 101.0), "west")])
def test_a_foot_on_several_walls_gives_the_same_bytes_each_time(place: Place, direction: DragDirection) -> None:
    """The forces of several contacts add up to the same sum, in whatever order they are found."""
    machine = SHIPPED["reconstruction"]
    state = State.of(0, {"red": place}, (Slider("A", 1), Slider("B", 3), Slider("C", 5)))
    runs = [Twin(machine).act(state, Drag("red", direction), sensitivity=False) for _ in range(12)]
    assert len({digest_of(outcome) for outcome in runs}) == 1


def digest_of(outcome: Outcome) -> str:
    return "" if outcome.trace is None else outcome.trace.digest()


ANOTHER_PROCESS = """
import json, random
from twin.outcome.engine import Twin
from twin.board.machine import load_machine
from twin.board.moves import parse_move
from twin.outcome.riding_share import random_state

machine = load_machine("reconstruction")
twin, dice = Twin(machine), random.Random(7)
report = [machine.fingerprint]
for text in ("turn cw", "turn ccw", "push A north", "push B south", "drag red east", "relocate C 2 -1 flip"):
    outcome = twin.act(random_state(machine, dice), parse_move(text), sensitivity=False)
    report += [outcome.broken, outcome.landing.placements[:5], outcome.trace.digest() if outcome.trace else None]
print(json.dumps(report))
"""


def test_another_process_gives_the_same_bytes() -> None:
    """The order in which another process hashes its words changes nothing."""
    reports = set()
    for seed in ("1", "2", "3"):
        ended = run([sys.executable, "-c", ANOTHER_PROCESS], cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed})
        assert ended.returncode == 0, ended.stderr
        reports.add(ended.stdout)
    assert len(reports) == 1
    assert len([mark for mark in json.loads(reports.pop()) if isinstance(mark, str)]) > 4


# -- claims about snapping alone, which takes no simulation ------------------------------------------------------------


@settings(max_examples=300)
@given(st.data())
def test_every_landing_can_be_placed(data: st.DataObject) -> None:
    """However ghosts end, crowded or fallen, placements are legal and sorted, and a conflict has a fallback."""
    machine = data.draw(machines())
    landing = snap(data.draw(landings(machine)), 0.0, 0, machine)
    placements_are_legal(landing)
    conflicts_have_a_fallback(landing)
    placements_are_sorted(landing, machine.space)


@settings(max_examples=200)
@given(landings(SHIPPED["reconstruction"]))
def test_no_legal_placement_is_left_out(places: dict[str, Place | None]) -> None:
    """Every way to put straddlers on covered spaces and fallen ghosts on free corners is listed."""
    machine = SHIPPED["reconstruction"]
    options = [
        CORNERS if place is None else covered_spaces(place, machine.reach, machine.space) for place in places.values()
    ]
    wanted = {taken for taken in product(*options) if len(set(taken)) == len(taken)}
    landing = snap(places, 0.0, 0, machine)
    assert {tuple(space for _, space in placement) for placement in landing.placements} == wanted
