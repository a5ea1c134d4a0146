"""A process beside the window: started when it is needed, asked through a pipe, never waited for."""

from __future__ import annotations

import multiprocessing
from typing import TYPE_CHECKING, Any

from twin.processes import beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


class Aside:
    """The other process, seen from the window; it ends with `close`, or with the pipe if the window is gone."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None

    def close(self) -> None:
        """End the process."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.terminate()
            self._process.join(2.0)
        self._pipe = self._process = None

    def _launch(self, target: Callable[..., None], *args: object) -> Connection[Any, Any]:
        """Start the process with its end of the pipe and what else it is to know; returns our end."""
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = beside(target, theirs, *args)
        theirs.close()
        return self._pipe

    def _received(self) -> Iterator[Any]:
        """What has come in; raises EOFError or OSError if the process has died."""
        while self._pipe is not None and self._pipe.poll():
            yield self._pipe.recv()
