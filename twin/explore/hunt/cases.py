"""Positions and moves to be tried out: random ones, and crowded ones that ask for trouble.

Half of what `draw_case` gives is random. The other half is adversarial: ghosts on adjoining spaces, at the edge, round
the plug, over magnets, in a row above a slider that is pushed, or off-centre and pressed against each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.board.moves import Push, Turn
from twin.board.state import COLOURS, MAX_OFFSET, State, magnets, validate_state
from twin.errors import BadInputError
from twin.outcome.riding_share import random_state
from twin.physics.hand import NOMINAL, Hand

if TYPE_CHECKING:
    import random

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.state import Slider

ADVERSARIAL: Final = ("crowded", "edge", "plug", "magnets", "chain", "off-centre")
FAMILIES: Final = ("random", *ADVERSARIAL)

TURNS: Final = 0.75
"""Share of turns among the moves; the rest are pushes."""

_HALF: Final = 3
_AROUND: Final = tuple((c, r) for c in (-1, 0, 1) for r in (-1, 0, 1) if (c, r) != (0, 0))
_ALL: Final = tuple((c, r) for c in range(-3, 4) for r in range(-3, 4) if (c, r) != (0, 0))
_JITTER: Final = 12.0
"""How far off-centre a ghost is put at most, per axis, mm."""

Cell = tuple[int, int]
"""Column and row as the floor sees them, counted from the plug."""


@dataclass(frozen=True)
class Case:
    """One move on one position, by one hand."""

    state: State
    move: Turn | Push
    hand: Hand = NOMINAL
    family: str = "random"

    @property
    def turning(self) -> bool:
        """Whether the move is a turn."""
        return isinstance(self.move, Turn)


def family_of(index: int) -> str:
    """The family of the case with this number: every other one is random, the rest go round.

    >>> [family_of(n) for n in range(4)]
    ['random', 'crowded', 'random', 'edge']
    """
    return "random" if index % 2 == 0 else ADVERSARIAL[index // 2 % len(ADVERSARIAL)]


def draw_case(machine: Machine, dice: random.Random, family: str) -> Case:
    """A position of a family and a move on it, by the nominal hand; always possible, never pushed beyond B5."""
    sliders = random_state(machine, dice, 1).sliders
    count = dice.choices((2, 3, 4), (2, 3, 5))[0]
    if family == "chain":
        return _chain(machine, dice, sliders, count)
    places = [(c * machine.space, r * machine.space) for c, r in _cells(machine, dice, sliders, count, family)]
    if family == "off-centre":
        places = _pressed(machine, dice, places)
    state = standing(dice.randrange(4), places, sliders, dice)
    return Case(state, draw_move(state, dice), family=family)


def draw_move(state: State, dice: random.Random) -> Turn | Push:
    """A turn, or a push that B5 allows."""
    if dice.random() < TURNS:
        return Turn("cw" if dice.random() < 0.5 else "ccw")
    slider = dice.choice(state.sliders)
    return _push(slider, north=dice.random() < 0.5)


def standing(orientation: int, places: list[Place], sliders: tuple[Slider, ...], dice: random.Random) -> State:
    """Ghosts of shuffled colours at floor places (mm)."""
    colours = dice.sample(COLOURS, len(places))
    return State.of(orientation, dict(zip(colours, places, strict=True)), sliders)


def is_possible(state: State, machine: Machine) -> bool:
    """Whether the position can stand on the machine."""
    try:
        validate_state(state, machine)
    except BadInputError:
        return False
    return True


def _push(slider: Slider, *, north: bool) -> Push:
    """A push that way, or the other way where B5 forbids it."""
    if slider.offset == (MAX_OFFSET if north else -MAX_OFFSET):
        north = not north
    return Push(slider.name, "north" if north else "south")


def _cells(machine: Machine, dice: random.Random, sliders: tuple[Slider, ...], count: int, family: str) -> list[Cell]:
    """Cells of a position, all different; those of a cluster adjoin each other."""
    match family:
        case "random":
            return dice.sample(_ALL, count)
        case "plug":
            return dice.sample(_AROUND, count)
        case "edge":
            ground = [cell for cell in _ALL if max(map(abs, cell)) == _HALF]
            return _cluster(dice, dice.choice(ground), ground, count)
        case "magnets":
            over = _magnet_cells(machine, sliders)
            chosen = dice.sample(over, min(len(over), count))
            rest = dice.sample([cell for cell in _ALL if cell not in chosen], count - len(chosen))
            return [*chosen, *rest]
        case _:
            return _cluster(dice, dice.choice(_ALL), _ALL, count)


def _cluster(dice: random.Random, first: Cell, ground: tuple[Cell, ...] | list[Cell], count: int) -> list[Cell]:
    """Cells that grow from the first to adjoining ones within the ground."""
    cells = [first]
    while len(cells) < count:
        beside = sorted({(c + dc, r + dr) for c, r in cells for dc, dr in _AROUND} & set(ground) - set(cells))
        cells.append(dice.choice(beside))
    return cells


def _magnet_cells(machine: Machine, sliders: tuple[Slider, ...]) -> list[Cell]:
    """The cells of the board that lie over a magnet, but for the plug's."""
    found = {(round(m.x / machine.space), round(m.y / machine.space)) for m in magnets(State(0, (), sliders), machine)}
    return sorted(found & set(_ALL))


def _chain(machine: Machine, dice: random.Random, sliders: tuple[Slider, ...], count: int) -> Case:
    """A row of ghosts in a slider's corridor, the last one over a magnet, and the slider pushed along the row."""
    slider = dice.choice(sliders)
    push = _push(slider, north=dice.random() < 0.5)
    column = round(machine.tunnels[slider.tunnel - 1] / machine.space)
    over = [r for c, r in _magnet_cells(machine, (slider,)) if c == column]
    first = dice.choice(over) if over else dice.randint(-_HALF, _HALF)
    row = [(column, first + k * push.step) for k in range(count)]
    cells = [cell for cell in row if cell in _ALL] or [(-_HALF, -_HALF)]
    places = [(c * machine.space, r * machine.space) for c, r in cells]
    state = standing(dice.randrange(4), places, sliders, dice)
    return Case(state, push if dice.random() < 0.5 else draw_move(state, dice), family="chain")


def _pressed(machine: Machine, dice: random.Random, places: list[Place]) -> list[Place]:
    """The places moved off-centre, some of them until they touch the one before; who has no room is left out."""
    moved: list[Place] = []
    for x, y in places:
        place = (round(x + dice.uniform(-_JITTER, _JITTER), 1), round(y + dice.uniform(-_JITTER, _JITTER), 1))
        if moved and dice.random() < 0.4:
            angle = dice.uniform(0.0, 2.0 * math.pi)
            (ox, oy), apart = moved[-1], 2.0 * machine.radius
            place = (round(ox + apart * math.cos(angle), 2), round(oy + apart * math.sin(angle), 2))
        trial = State.of(0, dict(zip(COLOURS, [*moved, place], strict=False)), random_state(machine, dice, 1).sliders)
        if is_possible(trial, machine):
            moved.append(place)
    return moved or [(machine.space, machine.space)]
