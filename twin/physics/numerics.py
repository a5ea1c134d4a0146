"""How time is cut, how contacts are solved, and what counts as rest: numbers that every engine shares."""

from __future__ import annotations

from typing import Final

STEP: Final = 0.001
"""Length of a step, s."""

FRAME_RATE: Final = 100
"""Frames per second of a trace."""

QUIET: Final = 0.005
"""How long everything must be slower than `tolerance.rest` to count as at rest, s."""

SLIPPING: Final = 1.0
"""A foot that slides faster than this over the board has begun to slip, mm/s."""

CONTACT_WINDOW: Final = 0.01
"""Time over which contact forces are averaged before they are compared with what tips a ghost, s."""

FAINT: Final = 1e-6
"""An averaged force below this is forgotten, µN."""

ITERATIONS: Final = 20
"""Sweeps of the contact solver per step; a chain of four pushed ghosts is stiff from about 15."""

COLLISION_SLOP: Final = 0.01
"""Overlap that the solver leaves alone, mm. (pymunk's default of 0.1 is meant in its own length unit.)"""

COLLISION_BIAS: Final = 0.9**1000
"""Share of an overlap that is left after a second of being pushed apart: a tenth of it goes every millisecond.

An impact at full speed overlaps by up to 0.4 mm in its first step, which must be gone when all is at rest."""

COLLISION_PERSISTENCE: Final = 3
"""Steps for which a contact that was lost is remembered."""
