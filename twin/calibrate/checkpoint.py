"""A checkpoint: log likelihoods that are known already, in a file beside the result until that is written.

A fit asks for its points in an order that follows from its seed and from the answers before. So a fit that was killed
starts again, is handed the answers from the file until they run out, and ends with the same bytes.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import numpy as np

from twin.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from twin.calibrate.posterior import Asked

EVERY: Final = 32
"""New answers between two savings."""


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
            with np.load(path, allow_pickle=False) as file:
                if str(file["recipe"]) != self.recipe:
                    return
                asked, answers = file["asked"], file["answers"]
        except (OSError, ValueError, KeyError, EOFError):
            return  # none there, or damaged: everything is computed anew
        self.asked, self.answers = list(asked), list(answers)
