"""Many moves at once: the front door of the batch kernel."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from twin.board.machine import load_machine
from twin.board.state import MAX_OFFSET, State
from twin.errors import BadInputError
from twin.outcome.outcomes import frozen, joined
from twin.physics.measured import MeasuredTurn
from twin.physics.starts import shifted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.board.moves import Move, Push, Turn
    from twin.board.scene import Scene
    from twin.outcome.outcomes import Outcomes
    from twin.physics.hand import Hand
    from twin.physics.kernel.jobs import Jobs


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
    if not scenes:
        return _on_one_machine(machine or load_machine(), [], [], None)
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
    return joined(parts, list(groups.values()), len(scenes))


def simulate_shifted(
    machine: Machine, states: Sequence[State], moves: Sequence[Move], hands: Sequence[Hand]
) -> Outcomes:
    """Run moves from where each hand finds the ghosts, displaced as for the reference engine before anything is run.

    `simulate_many` displaces them as well, but keeps the order in which the kernel takes ghosts that touch.
    """
    found = [shifted(state, hand, machine) for state, hand in zip(states, hands, strict=True)]
    still = [replace(hand, shifts=()) if hand.shifts else hand for hand in hands]
    return simulate_many(found, moves, machine=machine, hands=still)


def simulate_jobs(machine: Machine, jobs: Jobs) -> Outcomes:
    """Run jobs that are arrays already: what every other way of asking comes down to."""
    from twin.physics.kernel.batch import simulate_jobs as simulate
    from twin.physics.kernel.machine_arrays import laws
    from twin.physics.kernel.reading import read_batch

    own = laws(machine)
    results = simulate(own, jobs)
    reading = read_batch(own, jobs, results)
    return frozen(
        (machine,),
        which=np.zeros(len(jobs.kind), np.int32),
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
        askew=reading.askew,
        sliders=reading.sliders,
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
