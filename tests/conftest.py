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


@pytest.fixture(scope="session", autouse=True)
def _compiled_kernel():
    """Compile the batch kernel before the first test, if it has to be: what commands print does not depend on it."""
    from twin.board.moves import Push, Turn
    from twin.board.scene import load_scene
    from twin.outcome.kernel_door import is_compiled
    from twin.outcome.many import falls, simulate_many

    if not is_compiled():
        scene, push = load_scene("held"), Push("A", "north")
        falls(scene.machine, [scene.state], [push])
        simulate_many([scene], [Turn("cw")])
        simulate_many([scene] * 100, [push] * 100)
