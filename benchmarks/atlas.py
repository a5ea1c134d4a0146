"""What a whole atlas costs: every turn of one ghost on the default machine, from the command to the last file.

Each build is a process of its own, so that time and memory are those of `twin atlas build`, its start included. The
kernel is compiled before. A smaller build beside it shows that memory does not grow with the number of turns.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

TITLE: Final = "Atlas: every turn of one ghost, from the command to the last file"

_SMALL: Final = 60_000
_QUICK: Final = 120_000
_MEGA: Final = 1_000_000


def measure(*, quick: bool) -> dict[str, object]:
    """Seconds, processor seconds, peak memory and size of a small build and of a whole one (quick: a larger part)."""
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "warm", 10)
        small = build(Path(folder) / "small", _SMALL)
        whole = build(Path(folder) / "whole", _QUICK if quick else None)
    return {"cores": os.cpu_count(), "small": small, "whole": whole}


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    said = []
    for name in ("small", "whole"):
        part = cast("Mapping[str, Any]", result[name])
        cost = f"{part['seconds']:.1f} s by the clock, {part['processor_seconds']:.1f} s of processor time"
        said.append(
            f"{part['turns']:,} turns: {cost} on {result['cores']} cores, {part['peak_mb']:.0f} MB of memory at most, "
            f"{part['file_mb']:.1f} MB of files"
        )
    return said


def build(folder: Path, limit: int | None) -> dict[str, float]:
    """Build an atlas of one ghost, the first `limit` turns or all, in a process of its own."""
    some = [] if limit is None else ["--limit", str(limit)]
    words = [sys.executable, "-m", "twin", "atlas", "build", "--out", str(folder), "--ghosts", "1", "--json", *some]
    start = time.perf_counter()
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        told = cast("Any", process.stdout).read()
        _, code, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    return {
        "turns": json.loads(told)["ran"],
        "seconds": round(seconds, 2),
        "processor_seconds": round(usage.ru_utime + usage.ru_stime, 2),
        "peak_mb": round(usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / _MEGA, 1),
        "file_mb": round(sum(path.stat().st_size for path in folder.glob("*.parquet")) / _MEGA, 2),
    }
