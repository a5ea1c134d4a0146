"""A checkpoint: log likelihoods that are known already, in a file beside the result until that is written.

A fit asks for its points in an order that follows from its seed and from the answers before. So a fit that was killed
starts again, is handed the answers from the file until they run out, and ends with the same bytes.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from twin.errors import BadInputError
from twin.files import read_bytes
from twin.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from twin.calibrate.fit.posterior import Asked

EVERY: Final = 32
"""New answers between two savings."""
MOST_BYTES: Final = 100_000_000
"""Two thousand answers on five thousand trials; what is larger, packed or unpacked, is no checkpoint."""
_PARTS: Final = ("recipe.npy", "asked.npy", "answers.npy")
_DAMAGED: Final = (ValueError, ArithmeticError, KeyError, TypeError, EOFError, MemoryError, RuntimeError, zlib.error)
"""What zip files and arrays that are damaged raise, besides `BadZipFile`."""


class Checkpoint:
    """Answers by the order in which they are asked for."""

    def __init__(self, path: Path | None, recipe: str) -> None:
        """`recipe` stands for everything that the answers depend on; a file with another one is not used."""
        self.path, self.recipe = path, recipe
        self.asked: list[NDArray[np.float64]] = []
        self.answers: list[NDArray[np.float64]] = []
        self.position = 0
        self.unsaved = 0
        if path is not None:
            self._load(path)

    @property
    def known(self) -> int:
        """Answers from an earlier run."""
        return len(self.answers)

    def answer(self, asked: Asked, compute: Callable[[Asked], NDArray[np.float64]]) -> NDArray[np.float64]:
        """The next answer: from the file, or computed and kept."""
        key = np.array([*asked.cube, asked.hands, asked.seed])
        if self.position < len(self.answers) and np.array_equal(self.asked[self.position], key):
            self.position += 1
            return self.answers[self.position - 1]
        del self.asked[self.position :], self.answers[self.position :]  # another way from here on
        answer = compute(asked)
        self.asked.append(key)
        self.answers.append(answer)
        self.position += 1
        self.unsaved += 1
        if self.unsaved >= EVERY:
            self.save()
        return answer

    def save(self) -> None:
        """Write what is known."""
        if self.path is not None and self.answers:
            content = io.BytesIO()
            np.savez(content, recipe=np.array(self.recipe), asked=np.array(self.asked), answers=np.array(self.answers))
            write_whole(self.path, content.getvalue())
        self.unsaved = 0

    def remove(self) -> None:
        """Forget the file: the result is written."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _load(self, path: Path) -> None:
        try:
            raw = read_bytes(path, MOST_BYTES)
        except BadInputError:
            if path.exists() and not path.is_file():
                raise
            return
        try:
            recipe, asked, answers = _arrays(raw)
        except (*_DAMAGED, zipfile.BadZipFile):
            return  # everything is computed anew
        if str(recipe) == self.recipe and asked.ndim == answers.ndim == 2 and len(asked) == len(answers):
            self.asked, self.answers = list(asked), list(answers)


def _arrays(raw: bytes) -> list[NDArray[Any]]:
    """The arrays of a checkpoint's file; none of them is unpacked if they are too large together."""
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        if sum(packed.getinfo(name).file_size for name in _PARTS) > MOST_BYTES:
            raise ValueError("the arrays are too large")
        return [np.lib.format.read_array(io.BytesIO(packed.read(name)), allow_pickle=False) for name in _PARTS]
