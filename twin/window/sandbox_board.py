"""The sandbox behind the window: a position, what led to it, and every way to change it. It knows no drawing.

Moves go through the engine and its rules. A move that the rules forbid is made where physics can make it, and taken
back: one sees why. Whatever changes the position can be undone.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from twin.board.grid import centre
from twin.board.scene import Scene, load_scene, scene_toml
from twin.board.state import State, validate_state
from twin.errors import BadInputError
from twin.outcome.engine import Outcome, Twin
from twin.outcome.riding_share import random_state
from twin.physics.hand import NOMINAL, Hand
from twin.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from twin.board.grid import Place
    from twin.board.moves import Move
    from twin.outcome.snap import Placement

MOST_MOMENTS: Final = 500
"""How many steps back are kept."""

MOST_TOLD: Final = 3
"""How many changes a title lists; of more it tells the number."""

RANDOM: Final = "random position"
RESET: Final = "reset"


@dataclass(frozen=True)
class Moment:
    """One position in the history, and how it came about."""

    state: State
    label: str
    outcome: Outcome | None = None
    """The move that led here, if it was one."""
    hand: Hand = NOMINAL
    choice: Mapping[str, str] = field(default_factory=dict)
    """Spaces chosen so far among the placements (D4, D5)."""
    origin: str = ""
    """Title of the position that this one was made from: a scene's, or a random one's."""
    changes: int = 0
    """How many moves and placements ago that was."""

    @property
    def fitting(self) -> tuple[Placement, ...]:
        """The placements that agree with what was chosen."""
        if self.outcome is None or not self.outcome.done:
            return ()
        return tuple(
            placement
            for placement in self.outcome.landing.placements
            if all(dict(placement)[colour] == space for colour, space in self.choice.items())
        )

    @property
    def is_open(self) -> bool:
        """Whether somebody has yet to choose where ghosts are put."""
        return len(self.fitting) > 1

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """What can be chosen: pairs of ghost and space, for ghosts with more than one space left."""
        if not self.is_open:
            return ()
        spaces: dict[str, set[str]] = {}
        for placement in self.fitting:
            for colour, space in placement:
                spaces.setdefault(colour, set()).add(space)
        return tuple((c, space) for c, found in spaces.items() if len(found) > 1 for space in sorted(found))


class Sandbox:
    """A scene to play with. Every verb that changes something returns what to tell the person."""

    def __init__(self, scene: Scene, seed: int = 1) -> None:
        self.seed = seed
        self._begin(scene)

    @property
    def moment(self) -> Moment:
        """Where we are."""
        return self._moments[self._index]

    @property
    def state(self) -> State:
        """The position; while a choice is open, with the nearest placement."""
        return self.moment.state

    @property
    def can_undo(self) -> bool:
        """Whether there is anything before this."""
        return self._index > 0

    @property
    def can_redo(self) -> bool:
        """Whether something was undone."""
        return self._index < len(self._moments) - 1

    @property
    def labels(self) -> tuple[str, ...]:
        """What led here, the oldest first."""
        return tuple(moment.label for moment in self._moments[: self._index + 1])

    @property
    def title(self) -> str:
        """What is shown: the scene, or what has become of it."""
        origin, changes = self.moment.origin, self.moment.changes
        if not changes:
            return origin
        told = f"{changes} changes" if changes > MOST_TOLD else ", ".join(self.labels[-changes:])
        return f"{origin}, after {told}"

    # -- moves ------------------------------------------------------------------------------------------------------

    def act(self, move: Move, hand: Hand = NOMINAL) -> Outcome:
        """Make a move; it becomes part of the history if physics can do it and the rules allow it."""
        outcome = self.twin.act(self.state, move, hand, sensitivity=False)
        if outcome.done and outcome.legal:
            self._add(Moment(outcome.after(), str(move), outcome, hand))
        return outcome

    def choose(self, colour: str, space: str) -> bool:
        """Put a ghost on one of its spaces (D4, D5); False if that is not to be chosen."""
        moment = self.moment
        if (colour, space) not in moment.options or moment.outcome is None:
            return False
        choice = {**moment.choice, colour: space}
        self._moments[self._index] = replace(moment, choice=choice, state=moment.outcome.after(choice))
        return True

    def take_placement(self, number: int = 0) -> None:
        """Take one of the placements that are left as a whole."""
        moment = self.moment
        if moment.is_open and moment.outcome is not None:
            choice = dict(moment.fitting[number % len(moment.fitting)])
            self._moments[self._index] = replace(moment, choice=choice, state=moment.outcome.after(choice))

    def mark_close(self, moment: Moment, colours: frozenset[str]) -> None:
        """Note, once it is known, whose outcome in a move is too close to call."""
        for index, known in enumerate(self._moments):
            if known.outcome is not None and known.outcome is moment.outcome:
                self._moments[index] = replace(known, outcome=marked(known.outcome, colours))

    # -- changes without physics ------------------------------------------------------------------------------------

    def place(self, colour: str, place: Place) -> str:
        """Put a ghost somewhere, walls or not; returns why not, or nothing."""
        state = State.of(self.state.orientation, self.state.places | {colour: place}, self.state.sliders)
        try:
            validate_state(state, self.scene.machine)
        except BadInputError as error:
            return error.problem
        self._add(Moment(state, f"{colour} placed"))
        return ""

    def place_on(self, colour: str, space: str) -> str:
        """Put a ghost on the middle of a space; returns why not, or nothing."""
        return self.place(colour, centre(space, self.scene.machine.space, self.state.orientation))

    def randomise(self) -> None:
        """A random position; the next one each time, the same ones for the same seed."""
        dice = random.Random(f"sandbox {self.seed}")
        self.seed += 1
        found = random_state(self.scene.machine, dice, len(self.state.ghosts))
        places = dict(zip(self.state.colours, (place for _, place in found.ghosts), strict=True))
        self._add(Moment(State.of(0, places, found.sliders), RANDOM))

    def reset(self) -> None:
        """Back to the scene as it was loaded; this can be undone too."""
        if self.state != self.scene.state:
            self._add(Moment(self.scene.state, RESET))

    def undo(self) -> bool:
        """One step back; False if there is none."""
        if not self.can_undo:
            return False
        self._index -= 1
        return True

    def redo(self) -> bool:
        """One step forward again; False if there is none."""
        if not self.can_redo:
            return False
        self._index += 1
        return True

    # -- files ------------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the position as a scene, wholly or not at all."""
        if path.suffix != ".toml":
            raise BadInputError("a scene's file must end in .toml", source=str(path))
        try:
            text = scene_toml(self.as_scene(path.stem), path.absolute().parent)
        except OSError:
            problem = "cannot be written: the folder in which the window was opened is gone; name another one"
            raise BadInputError(problem, source=str(path)) from None
        write_whole(path, text)

    def as_scene(self, name: str) -> Scene:
        """The position as a scene of its own."""
        return Scene(name, self.title[:200], self.scene.machine, self.state)

    def load(self, name: str) -> None:
        """Another scene, by name or path; the history begins anew."""
        self._begin(load_scene(name))

    def _begin(self, scene: Scene) -> None:
        self.scene = scene
        self.twin = Twin(scene.machine)
        self._moments = [Moment(scene.state, scene.title, origin=scene.title)]
        self._index = 0

    def _add(self, moment: Moment) -> None:
        origins = {RANDOM: RANDOM.capitalize(), RESET: self.scene.title}  # these owe nothing to what came before
        before = (self.moment.origin, self.moment.changes + 1)
        origin, changes = (origins[moment.label], 0) if moment.label in origins else before
        moment = replace(moment, origin=origin, changes=changes)
        self._moments = [*self._moments[: self._index + 1], moment][-MOST_MOMENTS:]
        self._index = len(self._moments) - 1


def marked(outcome: Outcome, colours: frozenset[str]) -> Outcome:
    """An outcome that says of these ghosts, and of no others, that they are too close to call."""
    return replace(outcome, ghosts=tuple((c, replace(g, too_close=c in colours)) for c, g in outcome.ghosts))
