"""The batch kernel: turns and pushes in compiled code (numba), many at a time, by the reference engine's laws."""

from __future__ import annotations

from twin.physics.kernel.compiled import code_hash, compiling, is_compiled

__all__ = ["code_hash", "compiling", "is_compiled"]
