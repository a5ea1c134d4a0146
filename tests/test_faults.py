"""Commands that are killed, hung up on, cut off from their reader or out of disk leave each file whole."""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.faults import COMMANDS, Fault, Faults

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="programs cannot be copied there")


@pytest.fixture(scope="module")
def faults(tmp_path_factory) -> Iterator[Faults]:
    with Faults(tmp_path_factory.mktemp("faults") / "scratch") as faults:
        yield faults


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if command.is_brief])
def test_each_file_is_old_or_new_or_absent(name, faults):
    """Whatever stops a command, and nothing of it is in the way of its next run."""
    draw = Random(name)
    with faults.on(COMMANDS[name]) as prepared:
        prepared.strike(prepared.at_random("SIGKILL", draw))
        for kind in ("SIGHUP", draw.choice(["ENOSPC", "EIO"]), "pipe"):
            prepared.strike(prepared.at_random(kind, draw), again=False)


def test_a_disk_that_fails_at_any_call_costs_one_sentence(faults):
    with faults.on(COMMANDS["run"]) as prepared:
        assert prepared.calls >= 3 * 3, "to open a file, to write it and to put it in its place"
        for call in range(1, prepared.calls + 1):
            for kind in ("ENOSPC", "EIO"):
                assert prepared.strike(Fault(kind, call), again=False) == 2
