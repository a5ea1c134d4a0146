"""`Twin`: the one place where move checks, simulation and snapping meet. State and move in, `Outcome` out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from twin.board.grid import SIDE, to_floor
from twin.board.machine import Machine, load_machine
from twin.board.moves import Drag, Move, Push, Turn
from twin.board.state import COLOURS, TOUCH_TOLERANCE, Slider, State, magnets, validate_state
from twin.errors import BadInputError
from twin.outcome.fates import Story, fate, gripping
from twin.outcome.legality import judge
from twin.outcome.many import simulate_many
from twin.outcome.snap import Landing, Placement, snap
from twin.physics.drive import askew, driven, plan
from twin.physics.hand import NOMINAL, Hand
from twin.physics.numerics import FRAME_RATE, STEP
from twin.physics.reference import Run
from twin.physics.starts import NUDGES, nudged, shifted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.grid import Place
    from twin.board.state import Magnet
    from twin.physics.trace import Trace

PYMUNK: Final = "pymunk"
KERNEL: Final = "kernel"
ENGINES: Final = (PYMUNK, KERNEL)

Key = tuple[tuple[str, tuple[str, tuple[str, ...]]], ...]
"""What makes two outcomes the same: fate and covered spaces of every ghost."""


@dataclass(frozen=True)
class GhostOutcome:
    """What a move did to one ghost."""

    start: Place
    place: Place | None
    """Floor frame, mm; None once fallen."""
    fate: str
    covers: tuple[str, ...]
    """In the board's names after the move; empty once fallen."""
    margin: float | None
    touched: tuple[str, ...]
    """Ghosts, `plug` or `wall`."""
    walls: tuple[tuple[str, str], ...]
    """Walls crossed, as the spaces on either side."""
    slip: float
    """Length of its path over the board, mm."""
    grip_before: Magnet | None
    grip_after: Magnet | None
    too_close: bool = False

    @property
    def space(self) -> str | None:
        """Its space, if it covers just one."""
        return self.covers[0] if len(self.covers) == 1 else None

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What makes two outcomes the same: fate and covered spaces."""
        return self.fate, self.covers


@dataclass(frozen=True)
class Outcome:
    """A move and all that came of it."""

    before: State
    move: Move
    machine: Machine
    engine: str
    broken: tuple[str, ...]
    """Numbers of the rules that forbid the move."""
    reasons: tuple[str, ...]
    done: bool
    """False if physics cannot do it; then nothing happened."""
    orientation: int
    sliders: tuple[Slider, ...]
    """After the move."""
    askew: float
    """Angle by which the board lies beyond its orientation, radians, mathematically positive."""
    landing: Landing
    ghosts: tuple[tuple[str, GhostOutcome], ...]
    trace: Trace | None
    """None for a move that was not done, and from the kernel, which keeps no trace."""
    warnings: tuple[str, ...] = ()
    """What a flat model cannot say about this run."""

    @property
    def legal(self) -> bool:
        """Whether the rules allow the move."""
        return not self.broken

    @property
    def too_close(self) -> bool:
        """Whether the outcome flips under a tenth of a millimetre or half the step: numerics then, not physics."""
        return any(ghost.too_close for _, ghost in self.ghosts)

    @property
    def fallen(self) -> tuple[str, ...]:
        """The ghosts that fall off the board: with the nominal hand, B6 forbids such a push."""
        return tuple(colour for colour, ghost in self.ghosts if ghost.place is None)

    @property
    def key(self) -> Key:
        """What makes two outcomes the same."""
        return tuple((colour, ghost.key) for colour, ghost in self.ghosts)

    def ghost(self, colour: str) -> GhostOutcome:
        """What the move did to one ghost."""
        return dict(self.ghosts)[colour]

    def after(self, choice: Mapping[str, str] | None = None, *, as_is: bool = False) -> State:
        """The position once all ghosts are placed.

        `choice` narrows the placements down (`{"red": "c5"}`); the first that agrees is taken, the fallback if there
        is none at all. Ghosts stand on the centre of their space; with `as_is`, settled ones stay exactly where
        physics left them.
        """
        chosen = dict(self.placement(choice))
        # From the board's frame: a board that was left askew is straightened with the ghosts on it.
        still = {
            colour: to_floor(footing.place, self.orientation)
            for colour, footing in self.landing.footings
            if footing.place is not None and (not self.done or (as_is and footing.space == chosen[colour]))
        }
        state = State(self.orientation, self.before.ghosts, self.sliders).on_spaces(chosen, self.machine.space)
        places = state.places
        for colour, place in still.items():
            others = [there for other, there in places.items() if other != colour]
            # Beside a ghost that was put on its space there may be no room to stand off-centre.
            if all(math.dist(place, there) > 2 * self.machine.radius - TOUCH_TOLERANCE for there in others):
                places[colour] = place
        return State.of(self.orientation, places, self.sliders)

    def placement(self, choice: Mapping[str, str] | None = None) -> Placement:
        """As `Landing.placement`."""
        return self.landing.placement(choice)


class Twin:
    """The digital twin of one machine.

    `engine` chooses what simulates turns and pushes: `pymunk`, the reference, or `kernel`, which is a thousand times
    as fast in batches and keeps no trace. Drags and relocations always run on pymunk; `Outcome.engine` says so.

    >>> from twin import Turn, load_scene
    >>> outcome = Twin().act(load_scene("start").state, Turn("cw"))
    >>> [ghost.fate for _, ghost in outcome.ghosts]
    ['rode', 'rode', 'rode', 'rode']
    """

    def __init__(self, machine: Machine | None = None, engine: str = PYMUNK) -> None:
        if engine not in ENGINES:
            raise BadInputError(f"an engine must be one of {', '.join(ENGINES)}; got {engine!r}")
        self.machine = load_machine() if machine is None else machine
        self.engine = engine

    def act(
        self,
        state: State,
        move: Move,
        hand: Hand = NOMINAL,
        *,
        sensitivity: bool = True,
        frame_rate: float = FRAME_RATE,
    ) -> Outcome:
        """Make a move and tell what came of it; barred moves are made too where physics can do them.

        `sensitivity` also tests whether the outcome is too close to call, which takes about ten more runs.
        """
        validate_state(state, self.machine)
        verdict = judge(state, move, self.machine)
        if not verdict.feasible:
            return self._undone(state, move, verdict.broken, verdict.reasons)
        outcome = self._made(shifted(state, hand, self.machine), move, hand, frame_rate)
        if isinstance(move, Push) and outcome.fallen and hand == NOMINAL:
            verdict = verdict.taking_off(outcome.fallen)
        outcome = replace(outcome, before=state, broken=verdict.broken, reasons=verdict.reasons)
        return self._with_sensitivity(outcome, hand) if sensitivity else outcome

    def _with_sensitivity(self, outcome: Outcome, hand: Hand) -> Outcome:
        """Mark the ghosts whose outcome differs from slightly displaced starts or at half the step."""
        state, move = shifted(outcome.before, hand, self.machine), outcome.move
        keys = dict(outcome.key)
        flips: set[str] = set()
        others = self._nudged(state, move, hand)
        for other in [*others, self._run(state, move, hand, STEP / 2, FRAME_RATE).key]:
            flips |= {colour for colour, key in other if keys[colour] != key}
        marked = tuple((colour, replace(ghost, too_close=colour in flips)) for colour, ghost in outcome.ghosts)
        return replace(outcome, ghosts=marked)

    def _made(self, state: State, move: Move, hand: Hand, frame_rate: float) -> Outcome:
        """One run on the engine in use."""
        if self.engine == KERNEL and isinstance(move, Turn | Push):
            return self._from_kernel(state, move, hand)
        return self._run(state, move, hand, STEP, frame_rate)

    def _nudged(self, state: State, move: Move, hand: Hand) -> list[Key]:
        """What comes out from slightly displaced starts."""
        starts = [nudged(state, number) for number in range(NUDGES)]
        if self.engine == KERNEL and isinstance(move, Turn | Push):
            hands = [replace(hand, shifts=())] * NUDGES
            outcomes = simulate_many(starts, [move] * NUDGES, machine=self.machine, hands=hands)
            return [outcomes.key(number) for number in range(NUDGES)]
        return [self._run(start, move, hand, STEP, FRAME_RATE).key for start in starts]

    def _from_kernel(self, state: State, move: Move, hand: Hand) -> Outcome:
        """One run of the kernel, told like one of the reference engine, but without a trace."""
        outcomes = simulate_many([state], [move], machine=self.machine, hands=[replace(hand, shifts=())])
        after = State(int(outcomes.orientation[0]), (), outcomes.sliders_of(0))
        before, now = magnets(state, self.machine), magnets(after, self.machine)
        ghosts = []
        for colour in state.colours:
            gripped, grips = outcomes.grips_of(0, colour)
            ghosts.append(
                (
                    colour,
                    GhostOutcome(
                        start=state.places[colour],
                        place=outcomes.end_of(0, colour),
                        fate=outcomes.fate_of(0, colour),
                        covers=outcomes.covers_of(0, colour),
                        margin=outcomes.margin_of(0, colour),
                        touched=outcomes.touched_by(0, colour),
                        walls=outcomes.walls_of(0, colour),
                        slip=outcomes.slip_of(0, colour),
                        grip_before=_labelled(gripped, before, self.machine),
                        grip_after=_labelled(grips, now, self.machine),
                    ),
                )
            )
        return Outcome(
            before=state,
            move=move,
            machine=self.machine,
            engine=KERNEL,
            broken=(),
            reasons=(),
            done=True,
            orientation=after.orientation,
            sliders=after.sliders,
            askew=float(outcomes.askew[0]),
            landing=outcomes.landing_of(0),
            ghosts=tuple(ghosts),
            trace=None,
            warnings=outcomes.warnings_of(0, state.colours),
        )

    def _run(self, state: State, move: Move, hand: Hand, step: float, frame_rate: float) -> Outcome:
        """One run of the reference engine and its reading, without move checks."""
        trace = Run(state, self.machine, plan(state, move, self.machine, hand, step), frame_rate).trace()
        return self.read(trace, state, move, hand, step)

    def read(self, trace: Trace, state: State, move: Move, hand: Hand = NOMINAL, step: float = STEP) -> Outcome:
        """What came of a run of the reference engine, read as `act` reads its own; moves are not checked."""
        machine = self.machine
        after = driven(state, move)
        magnets_before, magnets_after = magnets(state, machine), magnets(after, machine)
        ends = {colour: trace.final(colour) for colour in state.colours}
        angle = askew(move, hand)
        landing = snap(ends, angle, after.orientation, machine)
        ghosts = []
        for index, colour in enumerate(trace.ghosts):
            start, end = state.places[colour], ends[colour]
            touched = trace.touched(colour)
            alone = self._alone(state, move, hand, step, colour) if any(t in COLOURS for t in touched) else end
            before, now = gripping(start, magnets_before, machine), gripping(end, magnets_after, machine)
            story = Story(colour, start, end, touched, trace.lifted[index], before, now, alone)
            footing = landing.footing(colour)
            walls = tuple((c.from_space, c.to_space) for c in trace.crossings if c.ghost == colour)
            ghosts.append(
                (
                    colour,
                    GhostOutcome(
                        start,
                        end,
                        fate(story, move, machine),
                        footing.covers,
                        footing.margin,
                        touched,
                        walls,
                        trace.slips[index],
                        before,
                        now if not trace.lifted[index] else None,
                    ),
                )
            )
        return Outcome(
            before=state,
            move=move,
            machine=machine,
            engine=PYMUNK,
            broken=(),
            reasons=(),
            done=True,
            orientation=after.orientation,
            sliders=after.sliders,
            askew=angle,
            landing=landing,
            ghosts=tuple(ghosts),
            trace=trace,
            warnings=tuple(str(warning) for warning in trace.warnings),
        )

    def _alone(self, state: State, move: Move, hand: Hand, step: float, colour: str) -> Place | None:
        """Where a ghost ends with the others taken away, the same hand."""
        alone = state.only(colour)
        drive = plan(state, move, self.machine, hand, step)
        if isinstance(move, Drag) and move.ghost != colour:  # another ghost is dragged
            drive = replace(drive, phases=tuple(replace(phase, grip=()) for phase in drive.phases), dragged=None)
        return Run(alone, self.machine, drive, 1.0).trace().final(colour)

    def _undone(self, state: State, move: Move, broken: tuple[str, ...], reasons: tuple[str, ...]) -> Outcome:
        """The outcome of a move that cannot be made: everything stays."""
        landing = snap(dict(state.ghosts), 0.0, state.orientation, self.machine)
        here = magnets(state, self.machine)
        ghosts = []
        for colour, place in state.ghosts:
            footing, grip = landing.footing(colour), gripping(place, here, self.machine)
            quiet = GhostOutcome(place, place, "stayed", footing.covers, footing.margin, (), (), 0.0, grip, grip)
            ghosts.append((colour, quiet))
        return Outcome(
            state,
            move,
            self.machine,
            self.engine,
            broken,
            reasons,
            done=False,
            orientation=state.orientation,
            sliders=state.sliders,
            askew=0.0,
            landing=landing,
            ghosts=tuple(ghosts),
            trace=None,
        )


def _labelled(label: int, where: tuple[Magnet, ...], machine: Machine) -> Magnet | None:
    """The magnet that the kernel numbers so (slider · 7 + segment - 1), or None."""
    if label < 0:
        return None
    slider, segment = sorted(machine.sliders)[label // SIDE], label % SIDE + 1
    return next(magnet for magnet in where if (magnet.slider, magnet.segment) == (slider, segment))
