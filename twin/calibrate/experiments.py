"""Experiments: set-ups that a person can make within a minute, ghosts on the centres of spaces, and one move."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.board.grid import STANDING_SPACES, centre
from twin.board.moves import Push, Turn
from twin.board.state import COLOURS, MAX_OFFSET, Slider, State, magnets, validate_state
from twin.calibrate.fit.measurements import MeasuredSetup
from twin.errors import BadInputError
from twin.outcome.many import simulate_many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.board.machine import Machine
    from twin.board.state import Magnet

MOST_GHOSTS: Final = 2
"""More ghosts take longer to set up, and their collisions reveal little about anything else."""
ON_MAGNET: Final = 0.6
"""Share of ghosts that are put over a magnet on purpose: most others only ride along."""
PUSHES: Final = 0.4
"""Share of pushes among the moves."""
DULL: Final = 4
"""Of so many experiments one may be dull: where all ghosts ride or stay, their scatter shows the hand alone."""
_TRIES: Final = 60
"""Draws per experiment that is wanted, before what is there must do."""


@dataclass(frozen=True)
class Experiment:
    """Something to try: on the board as it lies in the start position."""

    ghosts: tuple[tuple[str, str], ...]
    """Colours and spaces."""
    sliders: tuple[Slider, ...]
    move: Turn | Push

    def state(self, machine: Machine) -> State:
        """The position on a machine."""
        places = {colour: centre(space, machine.space) for colour, space in self.ghosts}
        return State.of(0, places, self.sliders)

    def setup(self, name: str) -> MeasuredSetup:
        """The set-up as measurements name it, its scene in a file of this name."""
        return MeasuredSetup(f"{name}.toml", f"{name}.toml", self.move)


def draw_experiments(machine: Machine, count: int, seed: int) -> tuple[Experiment, ...]:
    """Up to `count` different experiments, from a seed alone.

    The rules allow each of them. On this machine, in most of them a ghost does something other than ride or stay.
    """
    dice = random.Random(f"experiments {seed}")
    found: dict[Experiment, None] = {}
    for _ in range(_TRIES):
        drawn = [_draw(machine, dice) for _ in range(2 * count)]
        fresh = [e for e in dict.fromkeys(drawn) if e is not None and e not in found]
        for experiment, eventful in _eventful(fresh, machine):
            if eventful or len(found) % DULL == 0:
                found[experiment] = None
            if len(found) == count:
                return tuple(found)
    return tuple(found)


def _eventful(experiments: Sequence[Experiment], machine: Machine) -> list[tuple[Experiment, bool]]:
    """Those that the rules allow, and whether anything happens in them."""
    if not experiments:
        return []
    outcomes = simulate_many([e.state(machine) for e in experiments], [e.move for e in experiments], machine=machine)
    allowed = []
    for n, experiment in enumerate(experiments):
        fates = {outcomes.fate_of(n, colour) for colour, _ in experiment.ghosts}
        if not (isinstance(experiment.move, Push) and "fell" in fates):  # rule B6
            allowed.append((experiment, not fates <= {"rode", "stayed"}))
    return allowed


def _draw(machine: Machine, dice: random.Random) -> Experiment | None:
    tunnels = dice.sample(range(1, len(machine.tunnels) + 1), len(machine.sliders))
    sliders = tuple(
        Slider(name, tunnel, dice.randint(-MAX_OFFSET, MAX_OFFSET))
        for name, tunnel in zip(sorted(machine.sliders), sorted(tunnels), strict=True)
    )
    empty = State.of(0, {}, sliders)
    move: Turn | Push = Turn(dice.choice(("cw", "ccw")))
    if dice.random() < PUSHES:
        move = Push(dice.choice(sorted(machine.sliders)), dice.choice(("north", "south")))
        if abs(empty.slider(move.slider).offset + move.step) > MAX_OFFSET:
            return None
    over = [s for s in STANDING_SPACES if any(_above(s, m, machine) for m in magnets(empty, machine))]
    count = dice.randint(1, MOST_GHOSTS)
    spaces: list[str] = []
    while len(spaces) < count:
        pool = over if over and dice.random() < ON_MAGNET else STANDING_SPACES
        space = dice.choice(pool)
        if space not in spaces:
            spaces.append(space)
    experiment = Experiment(tuple(zip(COLOURS, spaces, strict=False)), sliders, move)
    try:
        validate_state(experiment.state(machine), machine)
    except BadInputError:
        return None
    return experiment


def _above(space: str, magnet: Magnet, machine: Machine) -> bool:
    x, y = centre(space, machine.space)
    return abs(x - magnet.x) < 1.0 and abs(y - magnet.y) < 1.0
