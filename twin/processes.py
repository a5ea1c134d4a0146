"""Processes beside this one, for work that takes long: spawned, and silent when a signal reaches all of them at once.

A terminal sends Ctrl-C to the whole group, and SIGHUP when it closes. This process answers and ends the others, or goes
on with them (`nohup`); they never hear of it, from their first instant on. To all other signals they answer as usual,
also where this process ignores some, and they end when this process does, however it ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

from twin.errors import TwinError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future
    from multiprocessing.process import BaseProcess

    J = TypeVar("J")
    R = TypeVar("R")

WAITING: Final = 3
"""Jobs per process that are handed out ahead of time."""
_TO_ALL: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name))
"""What a terminal sends to all processes of a group."""


class LostProcessError(TwinError):
    """A process was ended from outside before it had done its work."""


def run_all(task: Callable[[J], R], jobs: Iterable[J], workers: int) -> Generator[tuple[int, R]]:
    """The task's results for all jobs with the number of each job, as they are finished, by so many processes.

    Task, jobs and results must be picklable. Jobs are taken a few ahead, so they may be very many. A caller that is
    interrupted, or closes the iterator, ends the processes at once.
    """
    context = multiprocessing.get_context("spawn")
    with deaf_children():
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin)
    left = enumerate(jobs)
    numbers: dict[Future[R], int] = {}

    def hand_out() -> None:
        with deaf_children():
            for number, job in islice(left, workers * WAITING - len(numbers)):
                numbers[pool.submit(task, job)] = number

    try:
        hand_out()
        while numbers:
            done, _ = wait(numbers, return_when=FIRST_COMPLETED)
            for future in done:
                yield numbers.pop(future), future.result()
            hand_out()
    except BaseException as error:
        _abandon(pool)
        if isinstance(error, BrokenProcessPool):
            problem = "a process that worked for this one was ended from outside, or lacked memory"
            raise LostProcessError(problem) from None
        raise
    pool.shutdown()


def beside(task: Callable[..., None], *args: object) -> BaseProcess:
    """One process that runs a task beside this one, started."""
    process = multiprocessing.get_context("spawn").Process(target=_began, args=(task, *args), daemon=True)
    with deaf_children():
        process.start()
    return process


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes that are started in here hear nothing of their terminal; this process hears it afterwards.

    Where signals cannot be held back (Windows), they grow deaf a moment after their start.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    before = signal.pthread_sigmask(signal.SIG_BLOCK, _TO_ALL)
    try:
        resource_tracker.ensure_running()  # it cleans up after all others, and lets Ctrl-C through again as it starts
        signal.pthread_sigmask(signal.SIG_BLOCK, _TO_ALL)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _began(task: Callable[..., None], *args: object) -> None:
    _begin()
    task(*args)


def _begin() -> None:
    """What a started process does first: it leaves its terminal to its parent, and ends when that has ended."""
    for number in _TO_ALL:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _abandon(pool: ProcessPoolExecutor) -> None:
    """Stop at once: jobs that are under way are of no use any more."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.kill()  # it may not have come to answering SIGTERM yet
    pool.shutdown(cancel_futures=True)
