"""How hypothesis searches: freely at a desk (`dev`), the same way each time in CI (`ci`)."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadlines: how fast the machine is must not decide whether a test passes.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
