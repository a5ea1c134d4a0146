"""Work in the background: what a move would do with many varied hands, and whether an outcome is too close to call.

It runs in a process of its own, since a thread would share Python's lock with the window and make it stutter. Answers
are fetched between two pictures, never waited for. The process is started with the first question and ends with the
window, or with the pipe if the window is gone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from twin.stats import STEPS, VERDICTS, count_words, is_chancy, share_words
from twin.window.side_process import Aside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from multiprocessing.connection import Connection

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State
    from twin.outcome.engine import Key
    from twin.physics.hand import Hand

OFF: Final = "off"


@dataclass(frozen=True)
class Chance:
    """One way for a ghost to end."""

    spaces: str
    """What it covers, joined by `+`, or `off`."""
    hands: int
    """In how many hands it ends so."""
    size: int
    """Of how many."""
    place: Place | None
    """Where it stands then, on average (floor frame, mm)."""

    @property
    def share(self) -> float:
        """The share of hands in which it ends so."""
        return self.hands / self.size


@dataclass(frozen=True)
class Forecast:
    """What a move would do, the likeliest first."""

    move: Move
    size: int
    ghosts: tuple[tuple[str, tuple[Chance, ...]], ...]
    most: int
    """Hands in which the commonest outcome of all ghosts together came up."""

    @property
    def chancy(self) -> bool | None:
        """False: sure; True: chancy; None: too few hands to say."""
        return is_chancy(self.most, self.size)

    def lines(self) -> list[str]:
        """The forecast in words."""
        counts = count_words(self.most, self.size)
        found = [f"Forecast of {self.move}: {VERDICTS[self.chancy]}, the commonest outcome in {counts}."]
        for colour, chances in self.ghosts:
            parts = []
            for chance in chances[:3]:
                where = "off the board" if chance.spaces == OFF else chance.spaces
                parts.append(f"{where} {share_words(chance.hands, chance.size)}")
            found.append(f"{colour}: {', '.join(parts)}")
        return found


@dataclass(frozen=True)
class ForecastRequest:
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
        pipe.send(ForecastRequest(self._number, machine, state, move, seed, hand))
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
            found = forecasts(question)
            while not pipe.poll():  # a newer question comes first
                answer = next(found, None)
                if answer is None:
                    break
                pipe.send((question.number, answer))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def too_close(question: ForecastRequest) -> frozenset[str]:
    """The ghosts whose outcome flips under a tenth of a millimetre or half the step."""
    from twin.outcome.engine import Twin
    from twin.physics.hand import NOMINAL

    outcome = Twin(question.machine).act(question.state, question.move, question.hand or NOMINAL)
    return frozenset(colour for colour, ghost in outcome.ghosts if ghost.too_close)


def forecast(question: ForecastRequest, size: int) -> Forecast:
    """What becomes of every ghost with `size` varied hands."""
    return next(forecasts(question, (size,)))


def forecasts(question: ForecastRequest, sizes: Sequence[int] = STEPS) -> Iterator[Forecast]:
    """Better and better forecasts, one after each number of hands, until the verdict is decided."""
    from twin.outcome.many import simulate_many
    from twin.physics.hand import varied_hand

    state, machine = question.state, question.machine
    keys: Counter[Key] = Counter()
    ends: dict[str, dict[str, list[Place | None]]] = {colour: {} for colour in state.colours}
    for size in sizes:
        hands = [varied_hand(machine, len(state.ghosts), question.seed, k) for k in range(keys.total(), size)]
        outcomes = simulate_many([state] * len(hands), [question.move] * len(hands), machine=machine, hands=hands)
        for n in range(len(hands)):
            key = outcomes.key(n)
            keys[key] += 1
            for colour, (_, covers) in key:
                ends[colour].setdefault("+".join(covers) or OFF, []).append(outcomes.end_of(n, colour))
        ghosts = tuple((colour, _chances(found, size)) for colour, found in ends.items())
        yield Forecast(question.move, size, ghosts, max(keys.values()))
        if is_chancy(max(keys.values()), size) is not None:
            return


def _chances(ends: Mapping[str, Sequence[Place | None]], size: int) -> tuple[Chance, ...]:
    """One ghost's ways to end, the likeliest first."""
    chances = []
    for spaces, places in sorted(ends.items(), key=lambda item: (-len(item[1]), item[0])):
        standing = [place for place in places if place is not None]
        middle = None
        if standing:
            middle = (sum(x for x, _ in standing) / len(standing), sum(y for _, y in standing) / len(standing))
        chances.append(Chance(spaces, len(places), size, middle))
    return tuple(chances)
