"""Bots at the window's table: they think in a process of their own, so that the window never waits for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from twin.game.bots import make_bot
from twin.window.filmed_board import ShowTable
from twin.window.side_process import Aside

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from twin.board.machine import Machine
    from twin.game.actions import Action
    from twin.game.bots import Bot
    from twin.game.positions import Game
    from twin.play.session import Seats


PAUSE: Final = 0.7
"""How long a bot waits at least before it acts, s: time to see what happened before."""


@dataclass(frozen=True)
class Company:
    """Which bots play, and where."""

    seats: Seats
    machine: Machine
    engine: str
    seed: int
    """Of the game; each bot's own follows from it."""
    budget: float
    """How long a planner thinks about an action, s; it stands for a number of simulated moves."""

    def bots(self) -> dict[str, Bot]:
        """Every bot by its colour, with a seed of its own, as at the terminal's table."""
        table = ShowTable(self.machine, self.engine)
        seed, colours = self.seed * len(self.seats.colours), self.seats.colours
        return {
            colour: make_bot(name, table, seed + colours.index(colour), self.budget)
            for colour, name in self.seats.bots.items()
        }


class Thinker(Protocol):
    """Whoever asks the bots."""

    def ask(self, game: Game) -> int:
        """What would the player whose turn it is do? Returns the number that the answer will carry."""

    def fetch(self) -> list[tuple[int, Action | None]]:
        """The answers that have come in; None from a bot that could not think of anything."""

    def close(self) -> None:
        """Think no more."""


class Mind:
    """What a bot makes up its mind about: one action at a time, asked for as soon as it is its turn."""

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._asked = 0
        self._done = False
        self._waited = 0.0
        self.answer: Action | None = None
        """What it wants to do, once it is ready; None if it could not think of anything."""

    def is_ready(self, game: Game, seconds: float, *, quiet: bool) -> bool:
        """Let time pass; whether it has thought, and waited for `PAUSE` on a quiet table."""
        if not self._asked:
            self._asked = self._thinker.ask(game)
        for number, action in self._thinker.fetch():
            if number == self._asked:
                self.answer, self._done = action, True
        self._waited += seconds if quiet else 0.0
        return quiet and self._done and self._waited >= PAUSE

    def forget(self) -> None:
        """Something has happened: think anew."""
        self._asked, self._done, self._waited, self.answer = 0, False, 0.0, None

    def close(self) -> None:
        """Think no more."""
        self._thinker.close()


class HereThinker:
    """Thinks at once and here: for programs, which want the same pictures whatever the clock says."""

    def __init__(self, company: Company) -> None:
        self._bots = company.bots()
        self._answers: list[tuple[int, Action | None]] = []
        self._number = 0

    def ask(self, game: Game) -> int:
        """Ask, and have the answer."""
        self._number += 1
        self._answers.append((self._number, self._bots[game.current_player or ""].choose(game)))
        return self._number

    def fetch(self) -> list[tuple[int, Action | None]]:
        """The answers."""
        found, self._answers = self._answers, []
        return found

    def close(self) -> None:
        """Nothing goes on."""


class AwayThinker(Aside):
    """Thinks in another process, which is started at once and ends with the window. `fetch` never waits."""

    def __init__(self, company: Company) -> None:
        super().__init__()
        self._company = company
        self._number = 0
        self._open: tuple[int, Game] | None = None
        self._failed = 0
        """The question over which a process has died."""
        if company.seats.bots:
            self._launch(think, company)

    def ask(self, game: Game) -> int:
        """Send a question."""
        self._number += 1
        self._open = (self._number, game)
        if self._pipe is not None:
            self._pipe.send(self._open)
        return self._number

    def fetch(self) -> list[tuple[int, Action | None]]:
        """The answers that have come in; a process that has died is replaced, and once asked again."""
        found: list[tuple[int, Action | None]] = []
        try:
            found.extend(self._received())
        except (EOFError, OSError):
            self.close()
            pipe = self._launch(think, self._company)
            if self._open is not None and self._failed == self._open[0]:
                found.append((self._failed, None))
            elif self._open is not None:
                self._failed = self._open[0]
                pipe.send(self._open)
        if any(self._open is not None and number == self._open[0] for number, _ in found):
            self._open = None
        return found


def think(pipe: Connection[Any, Any], company: Company) -> None:
    """The loop of the other process: ends when the pipe does."""
    bots = company.bots()
    try:
        while True:
            number, game = pipe.recv()
            pipe.send((number, bots[game.current_player].choose(game)))
    except (EOFError, OSError, KeyboardInterrupt):
        return
