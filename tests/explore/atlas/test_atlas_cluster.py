"""An atlas that a Dask cluster builds is the one that this process builds, also when a worker dies on the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack

import pytest

from tests.children import PATIENCE, ROOT, started, until
from twin.board.machine import load_machine
from twin.errors import BadInputError
from twin.explore.atlas import cluster as atlas_cluster
from twin.explore.atlas.build import Piece, build_atlas, write_atlas
from twin.explore.atlas.cluster import make_on_worker, on_cluster, require_equals
from twin.explore.atlas.contents import Plan
from twin.explore.atlas.manifest import origin
from twin.explore.atlas.queries import open_atlas
from twin.explore.atlas.store import open_store

Client = pytest.importorskip("distributed").Client
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

PLAN = Plan(load_machine(), limit=60_000)
SIZE = 1000


def start(stack, module, *words):
    """A scheduler or worker of Dask in a process of its own, ended with the stack."""
    environment = {**os.environ, "NUMBA_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    words = (sys.executable, "-m", f"distributed.cli.{module}", *words, "--no-dashboard")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return stack.enter_context(started(list(words), cwd=ROOT, env=environment, **quiet))


def start_cluster(stack, folder, workers):
    """A scheduler's address on the loopback, its process, and worker processes of one thread each."""
    note = folder / "scheduler.json"
    scheduler = start(stack, "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(note))
    until(note.exists, "the scheduler")
    words = ("--scheduler-file", str(note), "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny")
    started = [start(stack, "dask_worker", *words, "--name", f"w{k}") for k in range(workers)]
    return json.loads(note.read_text())["address"], scheduler, started


def rows(folder):
    with open_atlas(folder) as atlas:
        return atlas.rows("SELECT * FROM turns ORDER BY turn, ghost")


def test_a_worker_that_dies_costs_nothing(tmp_path):
    """Two workers, one killed in the middle: the same rows as without a cluster, each once.

    A worker with other versions is refused, and so is a cluster whose scheduler is lost.
    """
    with ExitStack() as stack:
        store = stack.enter_context(open_store(tmp_path / "cluster", PLAN, resume=False, size=SIZE))
        address, scheduler, workers = start_cluster(stack, tmp_path, 2)
        make = stack.enter_context(on_cluster(address))
        watch = stack.enter_context(Client(address, set_as_default=False))
        watch.wait_for_workers(2, timeout=30)
        other = {**origin(), "versions": {**origin()["versions"], "numpy": "0.1"}}
        with pytest.raises(BadInputError, match=r'tcp://127.* has versions numpy "[0-9.]+", this process has "0\.1"'):
            require_equals(watch, other)
        named = {own["name"]: place for place, own in watch.scheduler_info(n_workers=-1)["workers"].items()}
        left = []
        for written in write_atlas(store, make):
            left.append(written.left)
            busy = workers[0].poll() is None and watch.processing().get(named["w0"])
            if len(left) >= 5 and busy:
                workers[0].kill()
                workers[0].wait(PATIENCE)
                killed_after = len(left)
        assert workers[1].poll() is None
        pieces = iter(make(PLAN, [Piece(number, 0, SIZE) for number in range(60)]))
        next(pieces)
        scheduler.kill()
        with pytest.raises(BadInputError, match="the scheduler was lost"):
            list(pieces)
    assert killed_after < store.count
    assert len(left) == store.count == 60
    assert left[-1] == 0
    build_atlas(PLAN, tmp_path / "here", size=SIZE)
    assert rows(tmp_path / "cluster") == rows(tmp_path / "here")


def test_a_cluster_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(atlas_cluster, "TIMEOUT", 1)
    with pytest.raises(BadInputError, match=r"--cluster: tcp://127\.0\.0\.1:1: no cluster answers"):
        on_cluster("tcp://127.0.0.1:1").__enter__()


def test_a_worker_with_another_twin_refuses():
    """A worker that comes later is refused with its first piece."""
    with pytest.raises(BadInputError, match=r'a worker has code "[0-9a-f]+", this process has "0123"'):
        make_on_worker(PLAN, Piece(0, 0, 10), {**origin(), "code": "0123"})
