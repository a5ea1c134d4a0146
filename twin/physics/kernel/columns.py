"""Columns of the tables that hold the ghosts of one run, one row each, and what bits mean."""

from __future__ import annotations

from typing import Final

GHOSTS: Final = 4
PAIRS: Final = 10
"""Six pairs of ghosts, and four of a ghost and the plug."""

RIDING: Final = 0
STEPPED: Final = 1
FALLEN: Final = 2
ABSENT: Final = 3

LIFTED: Final = 1
TIPPING: Final = 2
TOPPLE: Final = 4
UNSETTLED: Final = 8
REPELLED: Final = 16
"""Bits of what a flat model cannot say; the last one: lifted by a magnet that repels."""

PLUG_BIT: Final = 1 << GHOSTS

# Place (mm), velocity (mm/s), spin (radians/s).
X: Final = 0
Y: Final = 1
VX: Final = 2
VY: Final = 3
W: Final = 4
# Velocity that only parts what overlaps, mm/s.
BX: Final = 5
BY: Final = 6
# Place in the board's frame at the last instant, mm.
AX: Final = 7
AY: Final = 8
# Force of all magnets, with the loss of rocking, and normal force, µN.
FX: Final = 9
FY: Final = 10
NORMAL: Final = 11
# Limits of friction (µN) and of friction torque (µN·mm).
LIMIT: Final = 12
TWIST: Final = 13
# Impulses of the friction joints in the last step, µN·s and µN·mm·s.
GX: Final = 14
GY: Final = 15
GW: Final = 16
# Size of the slider magnets' pull, and averaged force of contacts, µN.
PULL: Final = 17
PUSH: Final = 18
# Tilt about the edge of the foot, radians, and its rate.
TILT: Final = 19
TILT_RATE: Final = 20
# Length of the path over the board, mm.
SLIP: Final = 21
# Velocity of the surface under it in the coming step (mm/s), its spin (radians/s), and the time that a force acts, s.
SX: Final = 22
SY: Final = 23
SW: Final = 24
KICK: Final = 25
COLUMNS: Final = 26

# Columns of a second table, of whole numbers: how it moves, the instant at which it is looked at next, …
MODE: Final = 0
READY: Final = 1
# … steps since it was looked at last, steps for which it last was certain to ride, …
STRIDE: Final = 2
LEAP: Final = 3
# … steps for which its foot has stuck, or it has swung calmly in a magnet's grip, …
STUCK_FOR: Final = 4
CALM: Final = 5
# … bits of whom it touches now, whom it has touched, and of what a flat model cannot say.
TOUCHING: Final = 6
TOUCHED: Final = 7
FLAGS: Final = 8
MARKS: Final = 9
