"""Work that ends the process that does it; light, since each new process imports it."""

from __future__ import annotations

import os


def die(_plan, _piece):
    """End this process as the kernel does for lack of memory: at once, without a word."""
    os._exit(9)
