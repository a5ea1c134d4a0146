"""Fates: each word from a story made for it, and which word wins where several apply."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.strategies import SHIPPED
from twin.board.expectation import FATES
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import Magnet
from twin.outcome.fates import Story, fate, gripping

if TYPE_CHECKING:
    from twin.board.moves import Move

MACHINE = SHIPPED["reconstruction"]
A2 = Magnet(-80.0, -80.0, 1, "A", 2)
A5 = Magnet(-80.0, 40.0, 1, "A", 5)
B3 = Magnet(0.0, -40.0, 1, "B", 3)
HERE, THERE = (-80.0, -80.0), (-80.0, -40.0)

TURN, PUSH, DRAG, MOVED = Turn("cw"), Push("A", "north"), Drag("red", "north"), Relocate("A", 2, 0)
QUIET = Story("red", HERE, HERE, (), lifted=False, grip_before=None, grip_after=None, alone=HERE)
"""A ghost that stands on no magnet, touches nobody and stays."""

FALLEN = replace(QUIET, end=None, alone=None)
AT_THE_PLUG = replace(QUIET, touched=("plug",), grip_before=A2)
SHOVED = replace(QUIET, touched=("blue",), alone=THERE)
CAUGHT = replace(QUIET, grip_after=A2)
HELD = replace(QUIET, grip_before=A2, grip_after=A2)
LEFT = replace(QUIET, grip_before=A2)

STORIES: dict[str, tuple[Story, Move, str]] = {
    "fell in a turn": (FALLEN, TURN, "fell"),
    "fell in a push": (FALLEN, PUSH, "fell"),
    "fell out of the hand": (FALLEN, DRAG, "fell"),
    "the plug costs it its magnet": (AT_THE_PLUG, PUSH, "blocked"),
    "the plug costs it its magnet in a turn": (AT_THE_PLUG, TURN, "blocked"),
    "the plug leads it to another magnet": (replace(AT_THE_PLUG, grip_after=B3), TURN, "blocked"),
    "the plug is touched, the magnet kept": (replace(HELD, touched=("plug",)), TURN, "held"),
    "the plug is touched without a magnet": (replace(QUIET, touched=("plug",)), TURN, "rode"),
    "shoved in a turn": (SHOVED, TURN, "shoved"),
    "shoved in a push": (SHOVED, PUSH, "shoved"),
    "shoved by a dragged ghost": (SHOVED, Drag("blue", "north"), "shoved"),
    "saved by another from falling": (replace(SHOVED, alone=None), TURN, "shoved"),
    "touched, but not moved": (replace(SHOVED, alone=HERE), TURN, "rode"),
    "touched, moved by the tolerance": (replace(SHOVED, alone=(-80.0, -78.0)), TURN, "rode"),
    "touched, moved by a little more": (replace(SHOVED, alone=(-80.0, -77.9)), TURN, "shoved"),
    "moved otherwise than alone, but untouched": (replace(SHOVED, touched=()), TURN, "rode"),
    "stopped by a wall": (replace(QUIET, touched=("wall",), alone=THERE), DRAG, "dragged"),
    "caught by a magnet": (CAUGHT, TURN, "caught"),
    "caught by another magnet": (replace(CAUGHT, grip_before=B3), TURN, "caught"),
    "carried by the pushed slider": (HELD, PUSH, "carried"),
    "held by another slider in a push": (replace(HELD, grip_before=B3, grip_after=B3), PUSH, "stayed"),
    "a magnet comes to it": (CAUGHT, PUSH, "stayed"),
    "from magnet to magnet in a push": (replace(HELD, grip_after=A5), PUSH, "stayed"),
    "held by its magnet": (HELD, TURN, "held"),
    "lost its magnet in a turn": (LEFT, TURN, "left"),
    "lost its magnet in a push": (LEFT, PUSH, "left"),
    "its slider was taken away": (LEFT, MOVED, "left"),
    "dragged off its magnet": (LEFT, DRAG, "left"),
    "rode along": (QUIET, TURN, "rode"),
    "stayed in a push": (QUIET, PUSH, "stayed"),
    "stayed in a drag of another": (QUIET, Drag("blue", "north"), "stayed"),
    "stayed in a relocation": (QUIET, MOVED, "stayed"),
    "dragged": (QUIET, DRAG, "dragged"),
    "dragged onto a magnet": (CAUGHT, DRAG, "dragged"),
    "lifted, so neither caught": (replace(CAUGHT, lifted=True), TURN, "rode"),
    "nor held": (replace(HELD, lifted=True), TURN, "left"),
    "nor carried": (replace(HELD, lifted=True), PUSH, "left"),
}


@pytest.mark.parametrize("case", STORIES)
def test_a_story_has_its_fate(case):
    story, move, word = STORIES[case]
    assert fate(story, move, MACHINE) == word


def test_every_fate_has_a_story():
    assert {word for _, _, word in STORIES.values()} == set(FATES)


PRECEDENCE: dict[str, tuple[Story, Move, str]] = {
    "fell before blocked": (replace(AT_THE_PLUG, end=None), PUSH, "fell"),
    "fell before shoved": (replace(SHOVED, end=None), TURN, "fell"),
    "blocked before shoved": (replace(AT_THE_PLUG, touched=("blue", "plug"), alone=THERE), PUSH, "blocked"),
    "blocked before caught": (replace(AT_THE_PLUG, grip_after=B3), TURN, "blocked"),
    "blocked before left": (AT_THE_PLUG, TURN, "blocked"),
    "shoved before caught": (replace(SHOVED, grip_after=A2), TURN, "shoved"),
    "shoved before carried": (replace(SHOVED, grip_before=A2, grip_after=A2), PUSH, "shoved"),
    "shoved before held": (replace(SHOVED, grip_before=A2, grip_after=A2), TURN, "shoved"),
    "shoved before left": (replace(SHOVED, grip_before=A2), TURN, "shoved"),
    "shoved before rode": (SHOVED, TURN, "shoved"),
    "shoved before stayed": (SHOVED, MOVED, "shoved"),
    "shoved before dragged": (SHOVED, DRAG, "shoved"),
    "caught before rode": (CAUGHT, TURN, "caught"),
    "carried before stayed": (HELD, PUSH, "carried"),
    "held before rode": (HELD, TURN, "held"),
    "left before rode": (LEFT, TURN, "left"),
    "left before stayed": (LEFT, PUSH, "left"),
    "left before dragged": (LEFT, DRAG, "left"),
}


@pytest.mark.parametrize("case", PRECEDENCE)
def test_of_several_fates_the_first_is_told(case):
    story, move, word = PRECEDENCE[case]
    assert fate(story, move, MACHINE) == word
    first, _, second = case.partition(" before ")
    assert FATES.index(first) < FATES.index(second)


def test_the_order_of_the_fates():
    """The order that the design fixes."""
    assert " ".join(FATES) == "fell blocked shoved caught carried held left rode stayed dragged"


def test_a_magnet_grips_within_its_tolerance():
    """Within 9 mm, a value of the machine."""
    assert gripping((-71.0, -80.0), (A2,), MACHINE) == A2
    assert gripping((-70.9, -80.0), (A2,), MACHINE) is None
    assert gripping((-70.9, -80.0), (A2,), MACHINE.with_values({"tolerance.grip": 10})) == A2


def test_the_nearest_magnet_grips():
    near = Magnet(-80.0, -74.0, 1, "B", 1)
    assert gripping((-80.0, -78.0), (A2, near), MACHINE) == A2
    assert gripping((-80.0, -76.0), (A2, near), MACHINE) == near


def test_a_repelling_magnet_never_grips():
    assert gripping(HERE, (A2._replace(polarity=-1),), MACHINE) is None


def test_nothing_grips_a_fallen_ghost():
    assert gripping(None, (A2,), MACHINE) is None
