"""The batch kernel as the floors above use it: moves as jobs (arrays), and the state of its compiled code.

`twin.outcome.many` runs jobs; nothing above this floor imports the kernel itself.
"""

from __future__ import annotations

from twin.physics.kernel import code_hash, compiling, is_compiled
from twin.physics.kernel.columns import GHOSTS
from twin.physics.kernel.jobs import TURN, WARPS, Jobs, empty_jobs, encode

__all__ = ["GHOSTS", "TURN", "WARPS", "Jobs", "code_hash", "compiling", "empty_jobs", "encode", "is_compiled"]
