"""Work in the background: what a move would do with many varied hands, and whether an outcome is too close to call.

It runs in a process of its own, since a thread would share Python's lock with the window and make it stutter. Answers
are fetched between two pictures, never waited for. The process is started with the first question and ends with the
window, or with the pipe if the window is gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from twin.viewer.aside import Aside

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from twin.grid import Place
    from twin.hand import Hand
    from twin.machine import Machine
    from twin.moves import Move
    from twin.state import State

SIZES: Final = (40, 200, 500)
"""Varied hands after which a forecast is shown: soon a rough one, then a better one."""

OFF: Final = "off"


@dataclass(frozen=True)
class Chance:
    """One way for a ghost to end."""

    spaces: str
    """What it covers, joined by `+`, or `off`."""
    share: float
    low: float
    high: float
    """The share with its 95 % interval."""
    place: Place | None
    """Where it stands then, on average (floor frame, mm)."""


@dataclass(frozen=True)
class Forecast:
    """What a move would do, the likeliest first."""

    move: Move
    size: int
    ghosts: tuple[tuple[str, tuple[Chance, ...]], ...]

    def lines(self) -> list[str]:
        """The forecast in words."""
        found = [f"Forecast of {self.move}, from {self.size} varied hands:"]
        for colour, chances in self.ghosts:
            parts = []
            for chance in chances[:3]:
                where = "off the board" if chance.spaces == OFF else chance.spaces
                parts.append(f"{where} {100 * chance.share:.0f} % ({100 * chance.low:.0f}–{100 * chance.high:.0f})")
            found.append(f"{colour}: {', '.join(parts)}")
        return found


@dataclass(frozen=True)
class Question:
    """What is asked of the background process."""

    number: int
    machine: Machine
    state: State
    move: Move
    seed: int
    hand: Hand | None = None
    """With a hand: is that outcome too close to call? Without: what would happen?"""


class Background(Aside):
    """The other process, seen from the window. `fetch` never waits."""

    def __init__(self) -> None:
        super().__init__()
        self._number = 0

    def ask(self, machine: Machine, state: State, move: Move, seed: int, hand: Hand | None = None) -> int:
        """Send a question; returns the number that its answers will carry. Older forecasts are given up."""
        pipe = self._pipe or self._launch(answer_questions)
        self._number += 1
        pipe.send(Question(self._number, machine, state, move, seed, hand))
        return self._number

    def fetch(self) -> list[tuple[int, Forecast | frozenset[str]]]:
        """The answers that have come in."""
        found: list[tuple[int, Forecast | frozenset[str]]] = []
        try:
            found.extend(self._received())
        except (EOFError, OSError):  # it has died; the next question starts another
            self.close()
        return found


def answer_questions(pipe: Connection[Any, Any]) -> None:
    """The loop of the background process: ends when the pipe does."""
    try:
        while True:
            question = pipe.recv()
            if question.hand is not None:
                pipe.send((question.number, too_close(question)))
                continue
            for size in SIZES:
                if pipe.poll():
                    break  # somebody asks for something newer
                pipe.send((question.number, forecast(question, size)))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def too_close(question: Question) -> frozenset[str]:
    """The ghosts whose outcome flips under a tenth of a millimetre or half the step."""
    from twin.engine import Twin
    from twin.hand import NOMINAL

    outcome = Twin(question.machine).act(question.state, question.move, question.hand or NOMINAL)
    return frozenset(colour for colour, ghost in outcome.ghosts if ghost.too_close)


def forecast(question: Question, size: int) -> Forecast:
    """What becomes of every ghost with `size` varied hands."""
    from twin.hand import varied_hand
    from twin.many import simulate_many
    from twin.verdict import wilson

    state, machine = question.state, question.machine
    hands = [varied_hand(machine, len(state.ghosts), question.seed, index) for index in range(size)]
    outcomes = simulate_many([state] * size, [question.move] * size, machine=machine, hands=hands)
    ghosts = []
    for colour in state.colours:
        ends: dict[str, list[Place | None]] = {}
        for n in range(size):
            ends.setdefault("+".join(outcomes.covers_of(n, colour)) or OFF, []).append(outcomes.end_of(n, colour))
        chances = []
        for spaces, places in sorted(ends.items(), key=lambda item: (-len(item[1]), item[0])):
            standing = [place for place in places if place is not None]
            middle = None
            if standing:
                middle = (sum(x for x, _ in standing) / len(standing), sum(y for _, y in standing) / len(standing))
            chances.append(Chance(spaces, len(places) / size, *wilson(len(places), size), middle))
        ghosts.append((colour, tuple(chances)))
    return Forecast(question.move, size, tuple(ghosts))
