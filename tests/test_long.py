"""The long trials at a tiny scale: each still runs, finds nothing, and would find what must not be."""

from __future__ import annotations

import random
from importlib import import_module
from pathlib import Path

import pytest

from tests.faults import COMMANDS
from tests.long import kills, mutants
from tests.long.__main__ import PARTS
from tests.long.mutation import CSV, JSON, LINES, PLAIN, TOML, mutant
from tests.long.readers import Reader
from tests.long.trial import Trial

TINY = 0.0002


@pytest.mark.parametrize("part", PARTS)
def test_a_trial_at_a_tiny_scale_finds_nothing(part, tmp_path, monkeypatch):
    monkeypatch.setattr(kills, "COMMANDS", {"game new": COMMANDS["game new"]})
    told: list[str] = []
    trial = Trial(tmp_path, TINY, workers=0, say=told.append)
    import_module(f"tests.long.{PARTS[part][0]}").run(trial)
    assert not trial.findings
    assert told


def test_a_reader_that_raises_anything_else_is_found(tmp_path, monkeypatch):
    broken = Reader(JSON, "a.json", 1, lambda: (b'{"a": 1}',), dict[Path, str]().__getitem__)
    monkeypatch.setattr(mutants, "READERS", {"broken": broken})
    trial = Trial(tmp_path, TINY, workers=0)
    mutants.run(trial)
    (finding,) = trial.findings
    assert finding.startswith("broken: KeyError in mutants.py:")


@pytest.mark.parametrize("kind", [TOML, JSON, LINES, CSV, PLAIN])
def test_mutants_follow_from_their_seed(kind):
    bases = (b"[1, 2]", b'a = [1, "x"]', b"a,b\n1,2\n")
    one, other = ([mutant(kind, bases, random.Random(n)) for n in range(50)] for _ in range(2))
    assert one == other
    assert len(set(one)) > 25
