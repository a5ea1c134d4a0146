"""Snapping: from where physics left the ghosts to the positions that the rules D4 and D5 allow.

It knows the geometry of spaces and nothing of rules beyond those two, and nothing of physics: a layer that knew what
is legal would hide the jams that the twin exists to find.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from twin.board.grid import CORNERS, STANDING_SPACES, Place, centre, cover_margin, covered_spaces, to_board
from twin.errors import BadInputError, BarredMoveError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twin.board.machine import Machine

_DECIMALS: Final = 6
"""Displacements are compared to a nanometre, so that equal ones are ordered by name and not by their last bits."""

Placement = tuple[tuple[str, str], ...]
"""A space for every ghost: pairs of colour and space, in the order of the ghosts."""


@dataclass(frozen=True)
class Footing:
    """How one ghost stands after a move."""

    place: Place | None
    """In the board's frame, mm; None once fallen."""
    covers: tuple[str, ...]
    """The spaces that it covers; none if fallen, one if settled, several if it straddles."""
    margin: float | None
    """How far it could shift before `covers`, or being on the board, changes (mm); None once fallen."""

    @property
    def space(self) -> str | None:
        """Its space, if settled."""
        return self.covers[0] if len(self.covers) == 1 else None


@dataclass(frozen=True)
class Landing:
    """How all ghosts stand, and where they may be put."""

    footings: tuple[tuple[str, Footing], ...]
    placements: tuple[Placement, ...]
    """Joint placements, every ghost on a space of its own: the smallest total displacement first, then by name."""
    fallback: Placement | None
    """Where there is no joint placement: the nearest legal position. It keeps a game alive; no player may claim it."""

    @property
    def conflict(self) -> bool:
        """Whether no joint placement exists."""
        return not self.placements

    @property
    def options(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The spaces that each ghost may be put on: covered ones, corners once fallen; in a conflict the fallback."""
        if self.fallback is not None:
            return tuple((colour, (space,)) for colour, space in self.fallback)
        return tuple((colour, f.covers if f.place is not None else CORNERS) for colour, f in self.footings)

    def footing(self, colour: str) -> Footing:
        """How one ghost stands."""
        return dict(self.footings)[colour]

    def placement(self, choice: Mapping[str, str] | None = None) -> Placement:
        """The first placement that agrees with `choice`; the fallback if there is none at all."""
        choice = dict(choice or {})
        colours = [colour for colour, _ in self.footings]
        for colour in choice:
            if colour not in colours:
                raise BadInputError(f"a placed ghost must be one of {', '.join(colours)}", field=colour)
        if self.fallback is not None:
            if choice and any(dict(self.fallback)[c] != s for c, s in choice.items()):
                raise BarredMoveError("no joint placement exists; only the fallback position can be taken", ("D4",))
            return self.fallback
        fitting = [p for p in self.placements if all(dict(p)[c] == s for c, s in choice.items())]
        if not fitting:
            options = "; ".join(", ".join(f"{c}={s}" for c, s in p) for p in self.placements[:6])
            fallen = any(self.footing(c).place is None for c in choice)
            raise BarredMoveError(f"ghosts cannot be placed so; possible: {options}", ("D5" if fallen else "D4",))
        return fitting[0]


def snap(places: Mapping[str, Place | None], angle: float, orientation: int, machine: Machine) -> Landing:
    """The landing of ghosts at floor places (None if fallen) on a board that lies `angle` radians askew."""
    footings = tuple((colour, _footing(place, angle, orientation, machine)) for colour, place in places.items())
    options = [f.covers if f.place is not None else CORNERS for _, f in footings]
    placements = _joint(footings, options, machine.space)
    fallback = None if placements else _fallback(footings, machine.space)
    return Landing(footings, placements, fallback)


def _footing(place: Place | None, angle: float, orientation: int, machine: Machine) -> Footing:
    if place is None:
        return Footing(None, (), None)
    if angle != 0.0:
        cos, sin = math.cos(angle), math.sin(angle)
        place = (cos * place[0] + sin * place[1], cos * place[1] - sin * place[0])
    here = to_board(place, orientation)
    return Footing(
        here, covered_spaces(here, machine.reach, machine.space), cover_margin(here, machine.reach, machine.space)
    )


def _displacement(footing: Footing, space: str, size: float) -> float:
    """How far a ghost is moved to a space; a fallen one is put back from nowhere, which counts as nothing."""
    return 0.0 if footing.place is None else math.dist(footing.place, centre(space, size))


def _joint(
    footings: Sequence[tuple[str, Footing]], options: Sequence[Sequence[str]], size: float
) -> tuple[Placement, ...]:
    colours = [colour for colour, _ in footings]
    found = []
    for spaces in product(*options):
        if len(set(spaces)) == len(spaces):
            moved = sum(_displacement(f, s, size) for (_, f), s in zip(footings, spaces, strict=True))
            found.append((round(moved, _DECIMALS), spaces))
    return tuple(tuple(zip(colours, spaces, strict=True)) for _, spaces in sorted(found))


def _fallback(footings: Sequence[tuple[str, Footing]], size: float) -> Placement:
    """The legal position with the smallest total displacement: standing ghosts on any spaces, fallen ones on corners.

    With n ghosts the best position uses one of the n nearest spaces of each: of n spaces the others can take only n -
    1.
    """
    options: list[Sequence[str]] = []
    for _, footing in footings:
        moved = sorted((round(_displacement(footing, space, size), _DECIMALS), space) for space in STANDING_SPACES)
        options.append(CORNERS if footing.place is None else [space for _, space in moved[: len(footings)]])
    return _joint(footings, options, size)[0]
