"""Many moves at once: the front door of the batch kernel."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from twin.board.expectation import FATES
from twin.board.grid import SPACES
from twin.board.state import COLOURS, MAX_OFFSET, State
from twin.errors import BadInputError
from twin.physics.measured import MeasuredTurn
from twin.physics.trace import PLUG, WARNINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.moves import Move, Push, Turn
    from twin.board.scene import Scene
    from twin.physics.hand import Hand
    from twin.physics.kernel.jobs import Jobs


@dataclass(frozen=True)
class Outcomes:
    """What came of N moves, as arrays; read-only. Ghosts are in the order of `twin.board.state.COLOURS`.

    Spaces are numbered as in `twin.board.grid.SPACES`, fates as in `twin.board.expectation.FATES`; -1 means none.
    """

    present: NDArray[np.bool_]
    """(N, 4) which ghosts are there."""
    start: NDArray[np.float64]
    """(N, 4, 2) where the hand found them, floor frame, mm."""
    end: NDArray[np.float64]
    """(N, 4, 2) where they end, floor frame, mm; NaN once fallen."""
    fate: NDArray[np.int8]
    """(N, 4)"""
    covers: NDArray[np.int8]
    """(N, 4, 4) spaces covered, rising, in the board's names after the move."""
    margin: NDArray[np.float64]
    """(N, 4) mm to the next different outcome; NaN once fallen."""
    touched: NDArray[np.uint8]
    """(N, 4) bits of the ghosts, by colour, and 16 for the plug."""
    slip: NDArray[np.float64]
    """(N, 4) length of the path over the board, mm."""
    walls: NDArray[np.int16]
    """(N, 4, 9) how many walls were crossed, then the first eight as codes for `twin.physics.kernel.walls.decode`."""
    warnings: NDArray[np.uint8]
    """(N, 4) bits: 1 lifted, 2 tipping, 4 would topple, 8 never settled."""
    grips: NDArray[np.int16]
    """(N, 4, 2) magnet that grips before and after: slider · 7 + segment - 1."""
    placements: NDArray[np.int64]
    """(N,) number of joint placements; none is a conflict."""
    orientation: NDArray[np.int8]
    """(N,) of the board after the move."""

    def __len__(self) -> int:
        return len(self.placements)

    @property
    def conflict(self) -> NDArray[np.bool_]:
        """(N,) whether no joint placement exists."""
        conflict: NDArray[np.bool_] = self.placements == 0
        return conflict

    def fate_of(self, n: int, colour: str) -> str:
        """One ghost's fate, in a word."""
        return FATES[self.fate[n, COLOURS.index(colour)]]

    def covers_of(self, n: int, colour: str) -> tuple[str, ...]:
        """The spaces that one ghost covers; none once fallen."""
        return tuple(SPACES[k] for k in self.covers[n, COLOURS.index(colour)] if k >= 0)

    def touched_by(self, n: int, colour: str) -> tuple[str, ...]:
        """Whom and what one ghost touched, sorted."""
        bits = int(self.touched[n, COLOURS.index(colour)])
        return tuple(sorted(name for bit, name in enumerate((*COLOURS, PLUG)) if bits >> bit & 1))

    def end_of(self, n: int, colour: str) -> Place | None:
        """Where one ghost ends (floor frame, mm); None once fallen."""
        x, y = self.end[n, COLOURS.index(colour)]
        return None if np.isnan(x) else (float(x), float(y))

    def margin_of(self, n: int, colour: str) -> float | None:
        """How far one ghost is from the next different outcome, mm; None once fallen."""
        margin = float(self.margin[n, COLOURS.index(colour)])
        return None if np.isnan(margin) else margin

    def slip_of(self, n: int, colour: str) -> float:
        """Length of one ghost's path over the board, mm."""
        return float(self.slip[n, COLOURS.index(colour)])

    def grips_of(self, n: int, colour: str) -> tuple[int, int]:
        """The magnets that grip one ghost before and after, by number, -1 for none."""
        before, after = self.grips[n, COLOURS.index(colour)]
        return int(before), int(after)

    def walls_of(self, n: int, colour: str) -> tuple[tuple[str, str], ...]:
        """The first eight walls that one ghost crossed, as the spaces on either side."""
        from twin.physics.kernel.walls import decode

        codes = self.walls[n, COLOURS.index(colour)]
        return tuple(decode(int(code)) for code in codes[1 : 1 + min(int(codes[0]), len(codes) - 1)])

    def warnings_of(self, n: int, colours: Sequence[str]) -> tuple[str, ...]:
        """What a flat model cannot say about one run, in words."""
        bits = {colour: int(self.warnings[n, COLOURS.index(colour)]) for colour in colours}
        return tuple(
            f"{kind}: {colour}: {WARNINGS[kind]}"
            for colour in colours
            for bit, kind in enumerate(WARNINGS)
            if bits[colour] >> bit & 1
        )

    def key(self, n: int) -> tuple[tuple[str, tuple[str, tuple[str, ...]]], ...]:
        """What makes two outcomes the same, as `Outcome.key` gives it."""
        there = [colour for i, colour in enumerate(COLOURS) if self.present[n, i]]
        return tuple((colour, (self.fate_of(n, colour), self.covers_of(n, colour))) for colour in there)


def simulate_many(
    scenes: Sequence[Scene | State],
    moves: Sequence[Move],
    *,
    machine: Machine | None = None,
    hands: Sequence[Hand] | None = None,
) -> Outcomes:
    """Run one move on each scene, all cores at once; turns and pushes only.

    Scenes bring their machines along; bare states need `machine`, which otherwise overrides the scenes' own. Results
    do not depend on the number of threads, the size of the batch or its order.

    >>> from twin import Turn, load_scene
    >>> outcomes = simulate_many([load_scene("held"), load_scene("rides")], [Turn("cw"), Turn("cw")])
    >>> outcomes.fate_of(0, "red"), outcomes.fate_of(1, "red")
    ('held', 'rode')
    """
    if len(scenes) != len(moves) or (hands is not None and len(hands) != len(moves)):
        raise BadInputError(f"scenes, moves and hands must be equally many; got {len(scenes)} and {len(moves)}")
    if hands is not None and any(isinstance(hand, MeasuredTurn) for hand in hands):
        raise BadInputError("the kernel follows no measured turns: they run on the reference engine", field="hands")
    machines = _machines(scenes, machine)
    states = [scene if isinstance(scene, State) else scene.state for scene in scenes]
    groups: dict[int, list[int]] = {}
    for n, own in enumerate(machines):
        groups.setdefault(id(own), []).append(n)
    if len(groups) == 1:
        return _on_one_machine(machines[0], states, moves, hands)
    parts = []
    for members in groups.values():
        chosen = None if hands is None else [hands[n] for n in members]
        own = machines[members[0]]
        parts.append(_on_one_machine(own, [states[n] for n in members], [moves[n] for n in members], chosen))
    return _joined(parts, list(groups.values()), len(scenes))


def simulate_jobs(machine: Machine, jobs: Jobs) -> Outcomes:
    """Run jobs that are arrays already: what every other way of asking comes down to."""
    from twin.physics.kernel.batch import simulate_jobs as simulate
    from twin.physics.kernel.machine_arrays import laws
    from twin.physics.kernel.reading import read_batch

    own = laws(machine)
    results = simulate(own, jobs)
    reading = read_batch(own, jobs, results)
    return _frozen(
        present=results.present,
        start=results.start,
        end=results.end,
        fate=reading.fate,
        covers=reading.covers,
        margin=reading.margin,
        touched=results.touched,
        slip=results.slip,
        walls=results.walls,
        warnings=results.warnings,
        grips=reading.grips,
        placements=reading.placements,
        orientation=reading.orientation,
    )


def falls(machine: Machine, states: Sequence[State], moves: Sequence[Turn | Push]) -> NDArray[np.bool_]:
    """(N,) whether each move takes a ghost off the board with the nominal hand (B6); cheaper than whole outcomes."""
    from twin.physics.kernel.batch import simulate_jobs as simulate
    from twin.physics.kernel.jobs import encode
    from twin.physics.kernel.machine_arrays import laws

    return np.asarray(np.any(simulate(laws(machine), encode(machine, states, moves)).fallen, axis=1))


def ends(machine: Machine, jobs: Jobs, *, landing: int) -> NDArray[np.float64]:
    """(N, 4, 2) where the ghosts of jobs end, floor frame, mm; NaN once fallen. Nothing else is worked out.

    The last `landing` steps of each move are taken singly (see `twin.physics.kernel.machine_arrays.Laws`).
    """
    from twin.physics.kernel.batch import simulate_jobs as simulate
    from twin.physics.kernel.machine_arrays import laws

    return simulate(laws(machine)._replace(landing=landing), jobs).end


def _machines(scenes: Sequence[Scene | State], machine: Machine | None) -> list[Machine]:
    """The machine of each scene: one object for all machines that are equal, whatever file they came from."""
    if machine is not None:
        return [machine] * len(scenes)
    found: list[Machine] = []
    same: dict[int, Machine] = {}
    equal: dict[Machine, Machine] = {}
    for scene in scenes:
        if isinstance(scene, State):
            raise BadInputError("a bare state needs a machine: simulate_many(states, moves, machine=…)")
        own = same.get(id(scene.machine))
        if own is None:
            own = same[id(scene.machine)] = equal.setdefault(scene.machine, scene.machine)
        found.append(own)
    return found


def _on_one_machine(
    machine: Machine, states: Sequence[State], moves: Sequence[Move], hands: Sequence[Hand] | None
) -> Outcomes:
    from twin.physics.kernel.jobs import PUSH, encode

    jobs = encode(machine, states, moves, hands)
    rows = np.arange(len(states))
    offsets = jobs.sliders[rows, jobs.pushed, 1] + jobs.sign
    if np.any((jobs.kind == PUSH) & (np.abs(offsets) > MAX_OFFSET)):
        raise BadInputError(f"a push must end at an offset of -{MAX_OFFSET} to {MAX_OFFSET} (B5)", field="move")
    return simulate_jobs(machine, jobs)


def _joined(parts: list[Outcomes], members: list[list[int]], size: int) -> Outcomes:
    if len(parts) == 1:
        return parts[0]
    joined = {}
    for field in fields(Outcomes):
        first = getattr(parts[0], field.name) if parts else np.zeros((0, 4))
        whole = np.empty((size, *first.shape[1:]), first.dtype)
        for part, rows in zip(parts, members, strict=True):
            whole[rows] = getattr(part, field.name)
        joined[field.name] = whole
    return _frozen(**joined)


def _frozen(**arrays: NDArray[np.generic]) -> Outcomes:
    for array in arrays.values():
        array.setflags(write=False)
    return Outcomes(**arrays)  # type: ignore[arg-type]
