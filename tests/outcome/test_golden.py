"""Runs come out as they did when the golden files were written, byte for byte where that is promised."""

from __future__ import annotations

import difflib
import json
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import children
from tests.golden import COMMAND, FOLDER, HASHES, OUTCOMES, cases, hashes, playthrough, playthrough_file, summary
from twin.board.scene import scene_names

if TYPE_CHECKING:
    import subprocess

ROOT = Path(__file__).resolve().parent.parent.parent
PYMUNK_7 = ROOT / ".venv-pymunk7/bin/python"
HINT = f"If this is meant, look at what changed and write the golden files anew: {COMMAND}"
MAX_BYTES = 300_000

promised = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="the same bytes are promised for Linux on x86-64; elsewhere only the same outcomes are",
)


def kept(path: Path) -> dict[str, str]:
    """The content of a golden file."""
    data: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return data


def differing(now: dict[str, str], then: dict[str, str]) -> str:
    """The names whose values differ, with both values."""
    names = [name for name in then | now if now.get(name) != then.get(name)]
    lines = [f"  {name}: {then.get(name)} is kept, {now.get(name)} comes out" for name in names[:10]]
    return "\n".join([f"{len(names)} of {len(then | now)} differ:", *lines])


@promised
def test_every_run_has_the_hash_that_was_kept():
    """The same platform and wheels give the same bytes."""
    now, then = hashes(), kept(HASHES)
    assert now == then, f"{differing(now, then)}\n{HINT}"


def test_every_sure_outcome_is_as_it_was_kept():
    """Any platform gives the same fates and spaces, where they are not too close to call."""
    then = kept(OUTCOMES)
    known = cases()
    now = {name: summary(known[name].run()) for name in then if name in known}
    assert now == then, f"{differing(now, then)}\n{HINT}"


@promised
@pytest.mark.parametrize("name", scene_names())
def test_a_playthrough_reads_as_it_was_kept(name):
    path = playthrough_file(name)
    assert path.is_file(), f"{path.name} is missing. Write the golden files anew: {COMMAND}"
    then, now = path.read_text(encoding="utf-8"), playthrough(name)
    difference = "\n".join(difflib.unified_diff(then.splitlines(), now.splitlines(), "kept", "now", lineterm="", n=1))
    assert now == then, f"{difference}\n{HINT}"


def test_golden_files_are_those_of_the_scenes_and_small():
    """One playthrough per scene, none left over, and little to carry around."""
    assert set(FOLDER.glob("*.txt")) == {playthrough_file(name) for name in scene_names()}, HINT
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MAX_BYTES


@promised
def test_pymunk_7_gives_the_same_hashes():
    """The bytes of pymunk 6.9 and 7.3 are the same."""
    if not PYMUNK_7.is_file():
        pytest.skip(f"there is no {PYMUNK_7.relative_to(ROOT)} to compare with; `make pymunk7` sets it up")
    version = run("-c", "import pymunk; print(pymunk.version)")
    assert version.stdout.startswith("7."), f"pymunk 7 should be installed there: {version.stdout}{version.stderr}"
    check = run("-m", "tests.golden", "--check-hashes", str(HASHES))
    assert check.stdout, check.stderr
    now, then = json.loads(check.stdout), kept(HASHES)
    assert now == then, f"with pymunk {version.stdout.strip()} {differing(now, then)}"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in the environment with pymunk 7."""
    return children.run([str(PYMUNK_7), *arguments], cwd=ROOT)
