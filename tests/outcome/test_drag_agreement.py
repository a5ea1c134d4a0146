"""Dragging by the rules and by physics: what A1 to A5 bar cannot be done, and what they allow can.

*Done* by physics means: the dragged ghost ends on the wanted space, and nobody else has moved.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from tests.setups import MACHINE, SLIDERS
from twin.board.grid import DIRECTIONS, PLUG_SPACE, STANDING_SPACES, neighbour
from twin.board.moves import Drag
from twin.board.state import State
from twin.outcome.engine import Outcome, Twin
from twin.outcome.legality import judge
from twin.physics.trace import PLUG, WALL

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.moves import DragDirection

ORIENTATIONS = pytest.mark.parametrize("orientation", range(4))
COLUMNS = pytest.mark.parametrize("column", "abcdefg")
MOVED = 0.5
"""Farther than this (mm) nobody moves by itself: magnets and neighbours stir a ghost by less."""


def _drag(orientation: int, spaces: dict[str, str], direction: str, machine: Machine = MACHINE) -> Outcome:
    state = State.of(orientation, {}, SLIDERS).on_spaces(spaces, 40.0)
    return Twin(machine).act(state, Drag("red", cast("DragDirection", direction)), sensitivity=False)


def _done(outcome: Outcome, target: str | None) -> bool:
    """Whether physics did what was wanted."""
    red, *others = (ghost for _, ghost in outcome.ghosts)
    moved = [g.place is None or math.dist(g.place, g.start) > MOVED for g in others]
    return target is not None and red.space == target and not any(moved)


def _drags(column: str, orientation: int) -> list[tuple[str, str, str | None]]:
    """Space, direction and target of all drags from a column."""
    starts = [space for space in STANDING_SPACES if space[0] == column]
    return [(space, way, neighbour(space, way, orientation)) for space in starts for way in DIRECTIONS]


@ORIENTATIONS
@COLUMNS
def test_a_lone_ghost_can_be_dragged_exactly_where_the_rules_allow(orientation: int, column: str) -> None:
    """From every space, in each direction, however the board lies: A1, A2 and A4 bar a drag if and only if it fails."""
    for space, direction, target in _drags(column, orientation):
        outcome = _drag(orientation, {"red": space}, direction)
        assert outcome.broken == judge(outcome.before, outcome.move, MACHINE).broken
        assert _done(outcome, target) == outcome.legal, (space, direction, outcome.broken)


@ORIENTATIONS
def test_a1_a_ghost_dragged_over_the_edge_falls(orientation: int) -> None:
    """A1: a drag beyond the edge is barred, and physics shows why: the ghost falls, or leaves the board."""
    for column in "abcdefg":
        for space, direction, target in _drags(column, orientation):
            if target is None:
                outcome = _drag(orientation, {"red": space}, direction)
                assert outcome.broken == ("A1",)
                assert outcome.done
                assert outcome.ghost("red").fate == "fell"
                assert outcome.ghost("red").place is None


@ORIENTATIONS
def test_a2_a_wall_stops_a_dragged_ghost(orientation: int) -> None:
    """A2: a ghost that is dragged at a wall touches it and stays in its space."""
    for space, direction, target in _drags("c", orientation) + _drags("e", orientation):
        if target is not None and MACHINE.castle.wall_between(space, target):
            outcome = _drag(orientation, {"red": space}, direction)
            ghost = outcome.ghost("red")
            assert "A2" in outcome.broken
            assert WALL in ghost.touched
            assert ghost.place is not None
            assert math.dist(ghost.start, ghost.place) < 20.0 - MACHINE.radius + 0.5
            assert ghost.walls == ()


@ORIENTATIONS
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a4_the_plug_stops_a_dragged_ghost(orientation: int, direction: str) -> None:
    """A4: even with no wall around it, the plug bars a drag onto its space, in the rules and in physics."""
    open_walls = frozenset(pair for pair in MACHINE.castle.walls if PLUG_SPACE not in pair)
    machine = replace(MACHINE, castle=replace(MACHINE.castle, walls=open_walls))
    back = {"north": "south", "south": "north", "east": "west", "west": "east"}[direction]
    space = neighbour(PLUG_SPACE, back, orientation)
    assert space is not None
    outcome = _drag(orientation, {"red": space}, direction, machine)
    ghost = outcome.ghost("red")
    assert outcome.broken == ("A4",)
    assert ghost.touched == (PLUG,)
    assert ghost.place is not None
    assert math.hypot(*ghost.place) >= machine["plug.radius"] + machine.radius - 0.1
    assert ghost.space == space


@pytest.mark.slow
@ORIENTATIONS
@COLUMNS
def test_a5_no_ghost_can_be_dragged_onto_another(orientation: int, column: str) -> None:
    """A5: onto a space where another ghost stands, no drag is allowed and none can be done without moving that one."""
    for space, direction, target in _drags(column, orientation):
        if target is not None and target != PLUG_SPACE:
            outcome = _drag(orientation, {"red": space, "blue": target}, direction)
            assert "A5" in outcome.broken
            assert not _done(outcome, target), (space, direction)


@pytest.mark.slow
@ORIENTATIONS
@COLUMNS
def test_ghosts_beside_the_way_bar_nothing(orientation: int, column: str) -> None:
    """Ghosts on spaces beside the way change neither what the rules allow nor what physics can do, and stay."""
    for space, direction, target in _drags(column, orientation):
        if target is None or target == PLUG_SPACE:
            continue
        aside = ("north", "south") if direction in {"east", "west"} else ("east", "west")
        beside = [neighbour(target, way, orientation) for way in aside]
        others = [s for s in beside if s is not None and s != PLUG_SPACE]
        spaces = {"red": space} | dict(zip(("yellow", "green"), others, strict=False))
        outcome = _drag(orientation, spaces, direction)
        assert outcome.broken == judge(outcome.before.only("red"), outcome.move, MACHINE).broken
        assert _done(outcome, target) == outcome.legal, (space, direction, others)
