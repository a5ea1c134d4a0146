"""Energies of the ghosts along a trace, for files and for the test that nothing gains energy by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from twin.physics.drive import plan
from twin.physics.hand import NOMINAL, Hand
from twin.physics.laws import SPACING
from twin.physics.magnets import ForceTable, ghost_table, grip_table
from twin.physics.numerics import STEP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.outcome.engine import Outcome
    from twin.physics.drive import Drive
    from twin.physics.trace import Trace


def outcome_energies(outcome: Outcome, hand: Hand = NOMINAL) -> NDArray[np.float64]:
    """Energies of a move's run: shaped (F, G, 2), see `energies`."""
    if outcome.trace is None:
        return np.zeros((0, len(outcome.ghosts), 2))
    drive = plan(outcome.before, outcome.move, outcome.machine, hand, STEP)
    return energies(outcome.trace, drive, outcome.machine)


def energies(trace: Trace, drive: Drive, machine: Machine) -> NDArray[np.float64]:
    """Kinetic and magnetic energy of each ghost at each frame, nJ: shaped (F, G, 2).

    The energy of two ghosts in each other's field is shared equally between them. NaN once a ghost has fallen.
    """
    x, y = trace.poses[:, :, 0], trace.poses[:, :, 1]
    mass, radius = machine["ghost.mass"], machine.radius
    v2 = trace.velocities[:, :, 0] ** 2 + trace.velocities[:, :, 1] ** 2
    kinetic = 0.5 * mass * v2 + 0.25 * mass * radius**2 * trace.velocities[:, :, 2] ** 2
    magnetic = np.where(np.isnan(x), np.nan, 0.0)
    grip, repulsion = grip_table(machine), ghost_table(machine)
    for frame, time in enumerate(trace.times):
        for mx, my, polarity in _magnets_at(drive, round(float(time) / drive.step)):
            s = (x[frame] - mx) ** 2 + (y[frame] - my) ** 2
            magnetic[frame] += polarity * _energy(grip, s)
    for one in range(len(trace.ghosts)):
        for other in range(len(trace.ghosts)):
            if one != other:
                s = (x[:, one] - x[:, other]) ** 2 + (y[:, one] - y[:, other]) ** 2
                magnetic[:, one] += 0.5 * np.nan_to_num(_energy(repulsion, s))
    return np.stack([kinetic, magnetic], axis=2)


def _magnets_at(drive: Drive, index: int) -> list[tuple[float, float, int]]:
    """Places and polarities of all magnets at an instant of a drive."""
    for phase in drive.phases[:-1]:
        if index < phase.steps:
            shift = phase.shifts[index] if phase.shifts else 0.0
            pairs = zip(phase.magnets, phase.moving, strict=True)
            return [(m.x, m.y + shift if moving else m.y, m.polarity) for m, moving in pairs]
        index -= phase.steps
    return [(m.x, m.y, m.polarity) for m in drive.phases[-1].magnets]


def _energy(table: ForceTable, s: NDArray[np.float64]) -> NDArray[np.float64]:
    values = np.asarray(table.energy())
    interpolated: NDArray[np.float64] = np.interp(s, np.arange(len(values)) * SPACING, values, right=0.0)
    return interpolated
