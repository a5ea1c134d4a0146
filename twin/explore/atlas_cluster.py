"""Building an atlas on a Dask cluster.

Workers run pieces and hand the finished Parquet bytes back (about 0.1 MB per 20,000 turns of one ghost, 1 MB of four);
only the process that asked writes. So workers need no shared folder, no file has two writers, and a piece that is
run twice, since its worker was lost before it answered, is still written once. A piece depends on its plan and
stretch alone: Dask gives the pieces of a lost worker to others, and the bytes are the same.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, Final

from twin.errors import BadInputError, MissingExtraError
from twin.explore.atlas_build import Piece, make_piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twin.explore.atlas_build import Maker
    from twin.explore.atlas_plan import Plan

LOCAL: Final = "local"
TIMEOUT: Final = 20
"""How long to wait for a scheduler and its first worker, s."""
RETRIES: Final = 3
_AHEAD: Final = 2
"""Pieces per thread of the cluster that are under way at once: enough to keep it busy, few enough to stay small."""
_ONE_AT_A_TIME: Final = threading.Lock()
"""The kernel's threads serve one caller per process."""


@contextmanager
def on_cluster(address: str) -> Iterator[Maker]:
    """Connect to the cluster of a scheduler (`tcp://host:8786`), or start own processes (`local`), to run pieces there.

    Raises `BadInputError` if there is no scheduler, or no worker comes to it, within `TIMEOUT`. As with everything that
    starts processes, a script that asks for `local` needs the guard `if __name__ == "__main__"`.
    """
    if find_spec("distributed") is None:
        raise MissingExtraError("--cluster needs the package distributed: pip install 'mauer-twin[cluster]'")
    with ExitStack() as stack:
        client = _connected(address, stack)
        yield partial(_run, client)


def make_on_worker(plan: Plan, piece: Piece, code: str) -> bytes:
    """What a worker does; refuses if its twin is not the one that asks."""
    from twin.kernel import code_hash

    if code_hash() != code:
        raise BadInputError(f"a worker's twin is another one: kernel {code_hash()}, not {code}", field="--cluster")
    with _ONE_AT_A_TIME:
        return make_piece(plan, piece)


def _connected(address: str, stack: ExitStack) -> Any:  # noqa: ANN401 - distributed.Client, which has no types
    """A client of a cluster that has at least one worker; closed with the stack."""
    dask: Any = import_module("distributed")
    try:
        if address != LOCAL:
            client = stack.enter_context(dask.Client(address, timeout=TIMEOUT))
        else:
            with _deaf_to_interrupts():
                # One thread per process; all processes together use each core once.
                cluster = dask.LocalCluster(
                    n_workers=os.cpu_count(),
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address=None,
                    silence_logs=logging.ERROR,
                    env={"NUMBA_NUM_THREADS": "1"},
                )
            client = stack.enter_context(dask.Client(stack.enter_context(cluster), timeout=TIMEOUT))
        client.wait_for_workers(1, timeout=TIMEOUT)
    except (OSError, ValueError, RuntimeError) as error:
        problem = f"no cluster answers within {TIMEOUT} s: {error}"
        raise BadInputError(" ".join(problem.split())[:300], source="--cluster", field=address) from None
    return client


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes and threads that are started in here never see Ctrl-C, which a terminal sends to all at once.

    This process stops for it, and ends them in good order. Where signals cannot be held back, nothing changes.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would let signals through again when it is started later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run(client: Any, plan: Plan, pieces: list[Piece]) -> Iterator[tuple[Piece, bytes]]:  # noqa: ANN401
    """Pieces as they are finished, a few under way at a time."""
    from twin.kernel import code_hash

    dask: Any = import_module("distributed")

    code, waiting = code_hash(), iter(pieces)
    of: dict[str, Piece] = {}

    def submit(piece: Piece) -> Any:  # noqa: ANN401 - a distributed.Future
        future = client.submit(make_on_worker, plan, piece, code, pure=False, retries=RETRIES)
        of[future.key] = piece
        return future

    ahead = max(2, _AHEAD * sum(client.nthreads().values()))
    running = dask.as_completed([submit(piece) for _, piece in zip(range(ahead), waiting, strict=False)])
    try:
        for future in running:
            content: bytes = future.result()
            yield of.pop(future.key), content
            for piece in waiting:
                running.add(submit(piece))
                break
    except dask.KilledWorker as error:
        problem = f"workers die again and again; the last one with {of.get(error.task, 'a piece')}"
        raise BadInputError(problem, source="--cluster") from None
