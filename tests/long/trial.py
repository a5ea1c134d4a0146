"""What all long trials have in common: how large they are, how they tell what they do, and what they find."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

CORES: Final = os.cpu_count() or 1


@dataclass
class Trial:
    """One run of a trial: its size, its seed, and what it has found so far."""

    folder: Path
    """For files of its own."""
    scale: float = 1.0
    """Of the full size."""
    seed: int = 1
    workers: int = CORES
    """Processes that share the work; none for a trial in this process."""
    say: Callable[[str], None] = lambda _: None
    """Takes a line of progress or a figure."""
    findings: list[str] = field(default_factory=list)

    def size(self, full: float, least: int = 1) -> int:
        """How much of something there is at this scale."""
        return max(round(full * self.scale), least)

    def found(self, what: str) -> None:
        """Keep something that must not be, and tell it."""
        self.findings.append(what)
        self.say(f"FOUND: {what}")


def peak_mb() -> float:
    """The most memory that this process has had, MB."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(most) / (1e6 if sys.platform == "darwin" else 1e3)


def limit_memory(more: int) -> None:
    """Let this process map so many bytes more than it has now, where the platform can tell how many these are."""
    import resource

    mapped = Path("/proc/self/statm")
    if mapped.exists():
        now = int(mapped.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (now + more, hard))
