"""Saving under a name that is typed: nothing is written over without a question, and what fails can be tried again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from twin.window.prompt import Answer, Prompt, Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin.window.prompt import Asked


@dataclass(frozen=True)
class SavingWords:
    """Words shown while something is saved."""

    title: str
    hint: str
    taken: Callable[[str], str]
    """The question about a file that is there already."""
    other: str
    overwrite: str
    choose: str
    """How one of several answers is chosen."""


@dataclass(frozen=True)
class Saving:
    """Asks for a name, asks again before another file is written over, and tells why nothing could be written."""

    words: SavingWords
    may_write: Callable[[str], bool]
    """Whether a file of this name costs nothing: none is there, it is empty, or it is one's own."""
    write: Callable[[str], str]
    """Writes under a name; returns the problem, or nothing."""

    def ask(self, name: str, problem: str = "") -> Prompt:
        """Ask for a name."""
        return Prompt(self.words.title, name, self._named, hint=self.words.hint, problem=problem)

    def _named(self, name: str) -> Asked | None:
        if self.may_write(name):
            return self._write(name)
        answers = (
            Answer(self.words.other, lambda: self.ask(name)),
            Answer(self.words.overwrite, lambda: self._write(name)),
        )
        return Question(self.words.taken(name), answers, hint=self.words.choose)

    def _write(self, name: str) -> Asked | None:
        problem = self.write(name)
        return self.ask(name, problem) if problem else None
