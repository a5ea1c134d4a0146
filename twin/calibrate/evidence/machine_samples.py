"""Samples of machines: points spread evenly over the ranges of their parameters, the same for the same seed."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from scipy.stats import qmc

from twin.calibrate.evidence.parameters import from_unit, named_values
from twin.calibrate.fit.quick_forces import quick_machine
from twin.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.calibrate.evidence.parameters import Parameter

Design = Literal["sobol", "latin"]
SOBOL: Final = "sobol"
"""Scrambled Sobol' points: a longer sample begins with the shorter one of the same seed."""
LATIN: Final = "latin"
"""A Latin hypercube: every parameter's range in as many strips as points, one point in each."""


@dataclass(frozen=True)
class Sample:
    """N machines of one box."""

    base: Machine
    parameters: tuple[Parameter, ...]
    points: NDArray[np.float64]
    """(N, d) in the units of the parameters; read-only."""

    def __len__(self) -> int:
        return len(self.points)

    def machine(self, index: int) -> Machine | None:
        """One of the machines, with quick tables of forces; None if no board can have such values."""
        try:
            return quick_machine(self.base, named_values(self.parameters, self.points[index]))
        except BadInputError:
            return None

    def machines(self) -> Iterator[Machine | None]:
        """All of them, in order."""
        return (self.machine(index) for index in range(len(self)))


def unit_points(count: int, dimensions: int, seed: int, design: Design = SOBOL) -> NDArray[np.float64]:
    """(count, dimensions) points in the unit cube."""
    source = qmc.LatinHypercube(dimensions, rng=seed) if design == LATIN else qmc.Sobol(dimensions, rng=seed)
    with warnings.catch_warnings():
        # Counts that are no power of two lose the last of the balance, which is no reason to refuse them.
        warnings.filterwarnings("ignore", "The balance properties", UserWarning)
        points: NDArray[np.float64] = source.random(count)
    return points


def sample(base: Machine, chosen: Sequence[Parameter], count: int, seed: int, design: Design = SOBOL) -> Sample:
    """`count` machines from the ranges of the chosen parameters; everything else is as in the base."""
    points = from_unit(chosen, unit_points(count, len(chosen), seed, design))
    points.setflags(write=False)
    return Sample(base, tuple(chosen), points)
