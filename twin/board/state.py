"""What stands where: orientation of the board, ghosts, sliders, and the magnets that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.board.grid import (
    PLUG_SPACE,
    SIDE,
    SPACES,
    Place,
    centre,
    covered_spaces,
    edge_distance,
    space_under,
    to_board,
)
from twin.errors import BadInputError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twin.board.machine import Machine

COLOURS: Final = ("red", "yellow", "green", "blue")
"""The four ghosts, in the order in which they are always listed."""

MAX_OFFSET: Final = 2
"""Segments that a slider may stick out: two hatched ones at each end (rule B5)."""

TOUCH_TOLERANCE: Final = 0.1
"""How far two feet may overlap in a position that is read in, mm: what the contact solver itself leaves."""


@dataclass(frozen=True)
class Slider:
    """One slider in its tunnel."""

    name: str
    tunnel: int
    offset: int = 0
    """Segments north of its middle place, -2 … +2."""
    flipped: bool = False
    """Turned end for end."""


class Magnet(NamedTuple):
    """One magnet of a slider, where it is now (floor frame, mm)."""

    x: float
    y: float
    polarity: int
    slider: str
    segment: int

    @property
    def label(self) -> str:
        """Its name: slider and segment, for example A2."""
        return f"{self.slider}{self.segment}"


@dataclass(frozen=True)
class State:
    """A position of the whole machine; immutable, compared by value.

    `ghosts` pairs colours with places in the floor frame (mm), always in the order of `COLOURS`; `sliders` are sorted
    by name. Build one with `State.of`, which puts things in order.
    """

    orientation: int
    ghosts: tuple[tuple[str, Place], ...]
    sliders: tuple[Slider, ...]

    @staticmethod
    def of(orientation: int, ghosts: Mapping[str, Place], sliders: Iterable[Slider]) -> State:
        """A state from parts in any order."""
        ordered = tuple((colour, ghosts[colour]) for colour in COLOURS if colour in ghosts)
        return State(orientation % 4, ordered, tuple(sorted(sliders, key=lambda s: s.name)))

    @property
    def places(self) -> dict[str, Place]:
        """Where each ghost stands, floor frame."""
        return dict(self.ghosts)

    @property
    def colours(self) -> tuple[str, ...]:
        """The ghosts in play."""
        return tuple(colour for colour, _ in self.ghosts)

    def slider(self, name: str) -> Slider:
        """A slider by its name."""
        for slider in self.sliders:
            if slider.name == name:
                return slider
        names = ", ".join(s.name for s in self.sliders)
        problem = f"a slider must be one of {names}; got {name!r}"
        raise BadInputError(problem, field="move")

    def board_place(self, colour: str) -> Place:
        """Where a ghost stands on the board (board frame)."""
        return to_board(self.places[colour], self.orientation)

    def only(self, colour: str) -> State:
        """The same position with all other ghosts taken away."""
        return replace(self, ghosts=((colour, self.places[colour]),))

    def with_slider(self, slider: Slider) -> State:
        """The same position with one slider changed."""
        others = [s for s in self.sliders if s.name != slider.name]
        return replace(self, sliders=tuple(sorted([*others, slider], key=lambda s: s.name)))

    def on_spaces(self, spaces: Mapping[str, str], size: float) -> State:
        """The same position with ghosts on the centres of the given spaces."""
        places = self.places | {colour: centre(space, size, self.orientation) for colour, space in spaces.items()}
        return State.of(self.orientation, places, self.sliders)


def segment_y(slider: Slider, segment: int, size: float) -> float:
    """Floor y (mm) of a segment's middle; a push north is offset + 1, flipped or not."""
    along = 4 - segment if slider.flipped else segment - 4
    return (along + slider.offset) * size


def magnets(state: State, machine: Machine) -> tuple[Magnet, ...]:
    """All magnets where they are now, in an order that depends on their places alone."""
    found = [
        Magnet(machine.tunnels[s.tunnel - 1], segment_y(s, m.segment, machine.space), m.polarity, s.name, m.segment)
        for s in state.sliders
        for m in machine.sliders[s.name]
    ]
    return tuple(sorted(found, key=lambda m: (m.x, m.y)))


def covers(state: State, colour: str, machine: Machine) -> tuple[str, ...]:
    """The spaces that a ghost covers as the board lies now."""
    return covered_spaces(state.board_place(colour), machine.reach, machine.space)


def home_space(state: State, colour: str, machine: Machine) -> str:
    """The one space that a ghost counts as standing on: the one under its centre, else the nearest that it covers."""
    place = state.board_place(colour)
    under = space_under(place, machine.space)
    if under is not None and under != PLUG_SPACE:
        return under
    options = covers(state, colour, machine)
    return min(options, key=lambda space: (math.dist(place, centre(space, machine.space)), space))


def validate_state(state: State, machine: Machine) -> None:
    """Raise `BadInputError` unless the position can stand on the machine; its `field` names what is wrong."""
    _validate_sliders(state.sliders, machine)
    if not 1 <= len(state.ghosts) <= len(COLOURS):
        problem = f"a scene must have 1 to 4 ghosts of {', '.join(COLOURS)}; got {len(state.ghosts)}"
        raise BadInputError(problem, field="ghosts")
    half = SIDE * machine.space / 2
    for index, (colour, place) in enumerate(state.ghosts):
        field = f"ghosts.{colour}"
        if not all(math.isfinite(value) for value in place):
            problem = f"a place must be two finite numbers, mm; got {place}"
            raise BadInputError(problem, field=field)
        if edge_distance(to_board(place, state.orientation), machine.space) < 0:
            problem = f"a ghost must stand on the board, within ±{half:g} mm; got x = {place[0]:g}, y = {place[1]:g}"
            raise BadInputError(problem, field=field)
        free = machine["plug.radius"] + machine.radius - math.hypot(*place)
        if free > TOUCH_TOLERANCE:
            problem = f"a ghost must not stand on the plug ({PLUG_SPACE}); it is {free:.1f} mm too near"
            raise BadInputError(problem, field=field)
        for other, there in state.ghosts[:index]:
            overlap = 2 * machine.radius - math.dist(place, there)
            if overlap > TOUCH_TOLERANCE:
                problem = f"two ghosts must not stand in one place: {colour} overlaps {other} by {overlap:.1f} mm"
                raise BadInputError(problem, field=field)


def parse_space(name: object) -> str:
    """A space that a ghost can stand on, or a `BadInputError` that says what would be right."""
    if not isinstance(name, str) or name not in SPACES:
        problem = f"a space must be a1 to g7; got {shown(name)}"
        raise BadInputError(problem)
    if name == PLUG_SPACE:
        problem = f"no ghost stands on {PLUG_SPACE}: the plug fills it"
        raise BadInputError(problem)
    return name


def _validate_sliders(sliders: tuple[Slider, ...], machine: Machine) -> None:
    names = [slider.name for slider in sliders]
    for name in machine.sliders:
        if names.count(name) != 1:
            times = "missing" if name not in names else "given twice"
            problem = f"the machine's sliders {', '.join(machine.sliders)} must each be given once; {name} is {times}"
            raise BadInputError(problem, field="sliders")
    taken: dict[int, str] = {}
    for slider in sliders:
        field = f"sliders.{slider.name}"
        if slider.name not in machine.sliders:
            problem = f"a slider's name must be one of {', '.join(machine.sliders)}; got {shown(slider.name)}"
            raise BadInputError(problem, field=field)
        if not 1 <= slider.tunnel <= len(machine.tunnels):
            problem = f"a tunnel must be 1 to {len(machine.tunnels)}; got {slider.tunnel}"
            raise BadInputError(problem, field=f"{field}.tunnel")
        if slider.tunnel in taken:
            problem = f"tunnel {slider.tunnel} is taken by slider {taken[slider.tunnel]} already"
            raise BadInputError(problem, field=f"{field}.tunnel")
        if abs(slider.offset) > MAX_OFFSET:
            problem = f"an offset must be -{MAX_OFFSET} to {MAX_OFFSET}; got {slider.offset}"
            raise BadInputError(problem, field=f"{field}.offset")
        taken[slider.tunnel] = slider.name
