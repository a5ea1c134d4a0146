"""Building an atlas on a Dask cluster.

Workers run pieces and hand the finished Parquet bytes back (about 0.1 MB per 20,000 turns of one ghost, 1 MB of four);
only the process that asked writes. So workers need no shared folder, no file has two writers, and a piece that is
run twice, since its worker was lost before it answered, is still written once. A piece depends on its plan and
stretch alone: Dask gives the pieces of a lost worker to others, and the bytes are the same.
"""

from __future__ import annotations

import logging
import threading
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from twin.errors import BadInputError, MissingExtraError
from twin.explore.atlas.build import make_piece
from twin.explore.atlas.manifest import first_difference, origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twin.explore.atlas.build import Maker, Piece
    from twin.explore.atlas.contents import Plan

TIMEOUT: Final = 20
"""How long to wait for a scheduler and its first worker, s."""
RETRIES: Final = 3
_AHEAD: Final = 2
"""Pieces per thread of the cluster that are under way at once: enough to keep it busy, few enough to stay small."""
_ONE_AT_A_TIME: Final = threading.Lock()
"""The kernel's threads serve one caller per process."""


@contextmanager
def on_cluster(address: str) -> Iterator[Maker]:
    """Connect to the cluster of a scheduler (`tcp://host:8786`, `tls://host:8786`) to run pieces there.

    Raises `BadInputError` if there is no scheduler, or no worker comes to it, within `TIMEOUT`, and if a worker has
    another twin, numba, numpy, pyarrow, Python or platform than this process. Dask's own configuration holds the
    certificates for `tls://`.
    """
    if find_spec("distributed") is None:
        raise MissingExtraError("--cluster ADDRESS needs the package distributed: pip install 'mauer-twin[cluster]'")
    with ExitStack() as stack:
        _silence(stack)
        client = _connected(address, stack)
        require_equals(client, origin())
        yield partial(_run, client)


def make_on_worker(plan: Plan, piece: Piece, here: dict[str, Any]) -> bytes:
    """What a worker does; refuses if its origin is another one than that of the process that asks (`here`)."""
    there = origin()
    if there != here:
        raise BadInputError(difference("a worker", there, here), source="--cluster")
    with _ONE_AT_A_TIME:
        return make_piece(plan, piece)


def difference(worker: str, there: dict[str, Any], here: dict[str, Any]) -> str:
    """What is wrong with a worker whose origin is another one.

    >>> difference("w1", {"code": "1", "versions": {"numpy": "1.0"}}, {"code": "1", "versions": {"numpy": "2.0"}})
    'w1 has versions numpy "1.0", this process has "2.0"; both must be the same'
    """
    theirs, ours = first_difference(there, here)
    return f"{worker} has {theirs}, this process has {ours}; both must be the same"


def _silence(stack: ExitStack) -> None:
    """Keep Dask's own reports, tracebacks among them, from the error stream until the stack is closed."""
    import_module("distributed")  # sets its levels when it is loaded
    for name in ("distributed", "distributed.client"):
        logger = logging.getLogger(name)
        stack.callback(logger.setLevel, logger.level)
        logger.setLevel(logging.CRITICAL)


def _connected(address: str, stack: ExitStack) -> Any:  # noqa: ANN401 - distributed.Client, which has no types
    """A client of a cluster that has at least one worker; closed with the stack."""
    dask: Any = import_module("distributed")
    try:
        client = stack.enter_context(dask.Client(address, timeout=TIMEOUT))
        client.wait_for_workers(1, timeout=TIMEOUT)
    except (OSError, ValueError, RuntimeError, TypeError) as error:
        problem = f"no cluster answers within {TIMEOUT} s: {error}"
        raise BadInputError(" ".join(problem.split())[:300], source="--cluster", field=address) from None
    return client


def require_equals(client: Any, here: dict[str, Any]) -> None:  # noqa: ANN401 - distributed.Client
    """Raise unless the origin of all workers is that of this process."""
    for worker, there in client.run(origin, on_error="return").items():
        if isinstance(there, Exception):
            problem = f"{worker} has no twin that fits this one: {there}"
            raise BadInputError(" ".join(problem.split())[:300], source="--cluster")
        if there != here:
            raise BadInputError(difference(worker, there, here), source="--cluster")


def _run(client: Any, plan: Plan, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, bytes]]:  # noqa: ANN401
    """Pieces as they are finished, a few under way at a time."""
    dask: Any = import_module("distributed")
    here, waiting = origin(), iter(pieces)
    of: dict[str, Piece] = {}

    def submit(piece: Piece) -> Any:  # noqa: ANN401 - a distributed.Future
        future = client.submit(make_on_worker, plan, piece, here, pure=False, retries=RETRIES)
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
    except CancelledError:
        problem = "the scheduler was lost; --resume goes on once there is one again"
        raise BadInputError(problem, source="--cluster") from None
