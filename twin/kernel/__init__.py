"""The batch kernel: turns and pushes in compiled code (numba), many at a time, by the reference engine's laws.

Compiled code is kept in the user's cache folder, in a folder named after the sources it was made from: numba itself
does not notice when a function that another one calls has changed.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from numba import config

from twin.magnets import cache_folder

_LOWER = ("expectation", "friction", "grid", "hand", "magnets", "numerics", "state")
"""Modules outside this package whose constants and functions are compiled in."""


def code_hash() -> str:
    """A short hash of all sources that the compiled code comes from."""
    here = Path(__file__).parent
    sources = [*sorted(here.glob("*.py")), *(here.parent / f"{name}.py" for name in _LOWER)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


if not getattr(config, "CACHE_DIR", ""):
    setattr(config, "CACHE_DIR", str(cache_folder() / f"kernel-{code_hash()}"))  # noqa: B010 - unknown to type checkers


def is_compiled() -> bool:
    """Whether compiled code from an earlier run is at hand."""
    folder = Path(str(getattr(config, "CACHE_DIR", "")))
    return any(folder.rglob("*.nbc"))
