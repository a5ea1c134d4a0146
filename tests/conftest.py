"""How hypothesis searches: freely at a desk (`dev`), the same way each time in CI (`ci`); signals for all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from tests.children import let_children_hear_signals

# No deadlines: how fast the machine is must not decide whether a test passes.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(autouse=True, scope="session")
def _children_hear_signals() -> None:
    """Also under `nohup`, in every process that runs tests."""
    let_children_hear_signals()


@pytest.fixture(scope="session", autouse=True)
def _files_of_the_tests_alone(tmp_path_factory):
    """Tests and programs that they start keep unfinished games in a folder of their own; none waits for a disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TWIN_STATE", str(tmp_path_factory.mktemp("state")))
        patch.setattr(os, "fsync", lambda _: None)
        yield
