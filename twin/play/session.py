"""A game in progress as one immutable value: how it began, every step since, and what may be taken back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import COLOURS
from twin.errors import BadInputError, BarredMoveError
from twin.game.actions import Action, Put
from twin.game.positions import PLACE, Game
from twin.game.rules import Event, apply

if TYPE_CHECKING:
    from collections.abc import Collection

    from twin.game.rules import Board

HUMAN: Final = "human"


@dataclass(frozen=True)
class Seats:
    """Who plays: colours in the order of play, each with `human` or the name of a bot."""

    players: tuple[tuple[str, str], ...]

    @property
    def colours(self) -> tuple[str, ...]:
        """The ghosts, in the order of play."""
        return tuple(colour for colour, _ in self.players)

    @property
    def humans(self) -> tuple[str, ...]:
        """The ghosts that people play."""
        return tuple(colour for colour, who in self.players if who == HUMAN)

    @property
    def bots(self) -> dict[str, str]:
        """The name of the bot that plays each of the other ghosts."""
        return {colour: who for colour, who in self.players if who != HUMAN}

    @property
    def secrets(self) -> bool:
        """Whether people share a screen who must not see each other's cards (Q2)."""
        return len(self.humans) > 1

    def __str__(self) -> str:
        return ",".join(f"{colour}={who}" for colour, who in self.players)


def parse_seats(text: str, bots: Collection[str]) -> Seats:
    """Read who plays, as in `red=human,blue=planner`; a colour alone is a person's.

    >>> str(parse_seats("red,blue=greedy", ("greedy",)))
    'red=human,blue=greedy'
    """
    seats = []
    for item in text.split(","):
        colour, _, who = (word.strip().lower() for word in item.partition("="))
        if colour not in COLOURS:
            raise BadInputError(f"must be like red=human,blue=greedy with {', '.join(COLOURS)}; got {item[:40]!r}")
        if "=" in item and who not in {HUMAN, *bots}:
            raise BadInputError(f"{colour} must be played by one of {', '.join((HUMAN, *bots))}; got {who[:40]!r}")
        seats.append((colour, who or HUMAN))
    colours = [colour for colour, _ in seats]
    if not 2 <= len(colours) <= 4 or len(set(colours)) != len(colours):
        raise BadInputError(f"must be two to four different ghosts (S1); got {text[:80]!r}")
    return Seats(tuple(seats))


@dataclass(frozen=True)
class Step:
    """One action, with the game before and after it."""

    before: Game
    action: Action
    event: Event
    after: Game

    @property
    def player(self) -> str:
        """Whose action it was."""
        return self.before.options.players[self.before.seat]


@dataclass(frozen=True)
class Session:
    """A game, how it came about, and whether everything in it may be taken back."""

    start: Game
    steps: tuple[Step, ...] = ()
    casual: bool = False

    @property
    def game(self) -> Game:
        """The game now."""
        return self.steps[-1].after if self.steps else self.start

    def act(self, action: Action, board: Board) -> Session:
        """The session one step on; raises `BarredMoveError` if the rules forbid it."""
        before = self.game
        after, event = apply(before, action, board)
        return replace(self, steps=(*self.steps, Step(before, action, event, after)))

    def undone(self, humans: Collection[str]) -> Session:
        """The session before a person's last decision, and before what bots did after it.

        Only drags, relocations and placings that are not complete are taken back, as long as nothing came after them:
        pushes and turns stand (B2), and what was seen in a deck cannot be unseen. In a casual session everything is.
        Raises `BarredMoveError` for what stands, `BadInputError` where there is nothing.
        """
        steps = self.steps
        while self.casual and steps and steps[-1].player not in humans:
            steps = steps[:-1]
        if not steps or steps[-1].player not in humans:
            raise BadInputError("there is nothing to take back")
        if not self.casual:
            rule = _stands(steps[-1])
            if rule is not None:
                raise BarredMoveError(f"{steps[-1].action} stands", (rule,))
        return replace(self, steps=steps[:-1])


def _stands(step: Step) -> str | None:
    """The rule by which a step cannot be taken back; None if it can."""
    match step.action:
        case Drag() | Relocate():
            return None
        case Put():
            return None if step.after.phase == PLACE else "B2"
        case Turn() | Push():
            return "B2"
    return "T2"
