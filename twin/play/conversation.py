"""The talk at the table: whose turn it is, what they type, what all may read, and what only one may see.

It neither prints nor reads: a `Terminal` does, so that a screen, a script and a test hold the same conversation.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final, Protocol

from twin.board.castle import GARMENT_CODES
from twin.board.moves import Relocate
from twin.board.state import MAX_OFFSET
from twin.errors import BadInputError, BarredMoveError
from twin.game.actions import Search
from twin.game.no_preview import NoForesight
from twin.game.positions import PLACE, RETURN
from twin.game.rules import legal_actions
from twin.play.commands import WIDTH, Command, help_lines, menu, read, written
from twin.play.telling import action_sentence, choices, told

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from twin.game.actions import Action
    from twin.game.bots import Bot
    from twin.game.positions import Game
    from twin.game.rules import Board
    from twin.play.catalogue import Catalogue
    from twin.play.session import Seats, Session

OVER: Final = "over"
QUIT: Final = "quit"
ENDED: Final = "ended"
"""How a conversation can end: the game is over, a player leaves, or there are no more answers."""

_COLUMN: Final = 26
_COLUMNS: Final = 3
"""The list of moves: three columns of 26 characters fit a terminal of 80."""


class Terminal(Protocol):
    """Where people read and type."""

    live: bool
    """Whether people sit in front of it: screens are cleared then, and Enter is waited for."""
    source: str | None
    """The script that answers come from; in a script nothing is forgiven."""

    def ask(self, prompt: str) -> str:
        """The answer to a prompt; raises `EOFError` when there are no more."""

    def say(self, text: str) -> None:
        """Print a line for all who can see the screen now."""

    def frame(self, session: Session, story: Sequence[str]) -> None:
        """The whole table: board, cards, and what happened since the last frame."""

    def clear(self) -> None:
        """Wipe the screen, and what could be scrolled back to."""

    def where(self) -> str:
        """The script and the line in it that was read last."""


class _InputEndedError(Exception):
    """The terminal or the script has no more lines."""


class Conversation:
    """One game, played to its end or left. `session` is always what has been played so far."""

    def __init__(
        self,
        session: Session,
        seats: Seats,
        board: Board,
        catalogue: Catalogue,
        terminal: Terminal,
        bots: Mapping[str, Bot],
        keep: Callable[[Session, str], str | None],
        follow: Callable[[Session], str] = lambda _: "",
    ) -> None:
        """`keep` saves a session under a name ('' for the agreed one) and returns the name; None if none was agreed.

        `follow` gets each session as soon as it has come about, and returns a note on it for all players, or ''.
        """
        self.session, self.seats, self.board = session, seats, board
        self.catalogue, self.terminal, self.bots, self.keep = catalogue, terminal, bots, keep
        self._follow = follow
        self._story: list[str] = []
        self._fresh = False  # whether the frame on the screen shows the game as it is
        self._left = False

    def run(self) -> str:
        """Talk until the game is over or a player leaves; returns how it ended."""
        try:
            while not self.session.game.is_over and not self._left:
                self._next()
        except _InputEndedError:
            return ENDED
        if self._left:
            return QUIT
        if not self._fresh:
            self._frame()
        return OVER

    def _next(self) -> None:
        game = self.session.game
        player = game.current_player or ""
        if player in self.bots:
            self._act(self.bots[player].choose(game))
            # People read the whole story at their next prompt; those who only watch read it turn by turn.
            if self.session.steps[-1].event.ended and not (self.terminal.live and self.seats.humans):
                self._frame()
        elif game.phase == RETURN:
            self._behind_curtain(player, self._give_back)
        else:
            if not self._fresh:
                self._frame()
                if game.phase == PLACE:
                    self._list(choices(game, self.catalogue))
            key = "prompt.place" if game.phase == PLACE else "prompt.act"
            self._answer(self._ask(self.catalogue(key, player=self.catalogue.colour(player))))

    def _ask(self, prompt: str) -> str:
        """A line from the terminal. An `EOFError` from anywhere else is no end of input."""
        try:
            return self.terminal.ask(prompt)
        except EOFError:
            raise _InputEndedError from None

    def _act(self, action: Action) -> None:
        self.session = self.session.act(action, self.board)
        self._story += told(self.session.steps[-1], self.board.machine, self.catalogue)
        self._keep_up()

    def _keep_up(self) -> None:
        """Notes on the game's files join the story, which the next frame shows."""
        trouble = self._follow(self.session)
        self._story += [trouble] if trouble else []
        self._fresh = False

    def _frame(self) -> None:
        self.terminal.frame(self.session, tuple(self._story))
        self._story, self._fresh = [], True

    def _answer(self, text: str) -> None:
        """Do what a person has typed; what cannot be done changes nothing."""
        game, say = self.session.game, self.catalogue
        if not text.strip():
            return
        try:
            wish = read(text, game, self._open(), say)
            if isinstance(wish, Command):
                self._command(wish)
                return
            self._act(wish)
        except BadInputError as error:
            if self.terminal.source is not None:
                raise BadInputError(str(error), source=self.terminal.where()) from None
            # A slider or tunnel that does not exist is reported in English below; at the table it is simply not clear.
            self.terminal.say(say("told.unclear", text=text.strip()[:60]) if error.field == "move" else str(error))
            return
        except BarredMoveError as error:
            self._refuse(error)
            return
        if isinstance(wish, Search) and self.session.game.phase != RETURN and not self.session.game.is_over:
            player = game.options.players[game.seat]
            self._behind_curtain(player, lambda: self._glimpse(player, wish.deck))

    def _refuse(self, error: BarredMoveError) -> None:
        """Say which rules forbid something, with their numbers."""
        reason = "; ".join(self.catalogue.rule(number) for number in error.broken)
        text = self.catalogue("told.barred", rules=", ".join(error.broken), reason=reason)
        if self.terminal.source is not None:
            raise BarredMoveError(f"{self.terminal.where()}: {text}", error.broken) from None
        for line in textwrap.wrap(text, WIDTH):
            self.terminal.say(line)

    def _command(self, command: Command) -> None:
        say, terminal = self.catalogue, self.terminal
        match command.name:
            case "help":
                for line in help_lines(say):
                    terminal.say(line)
            case "moves":
                self._list([])
            case "look":
                self._frame()
                self._key()
            case "undo":
                self._undo()
            case "save":
                name = self.keep(self.session, command.argument)
                where = say("told.save_where", word=say.word("verbs", "save"), file=say("names.file"))
                terminal.say(where if name is None else say("told.saved", file=name))
            case "quit":
                self._left = True

    def _undo(self) -> None:
        try:
            shorter = self.session.undone(self.seats.humans)
        except BadInputError:
            raise BadInputError(self.catalogue("told.nothing_undone")) from None
        undone = self.session.steps[len(shorter.steps)]
        self.session = shorter
        sentence = action_sentence(undone, self.board.machine, self.catalogue)
        self._story = [self.catalogue("told.undone", action=sentence)]
        self._keep_up()

    def _behind_curtain(self, player: str, show: Callable[[], None]) -> None:
        """Show something to one player only (Q2). With one person at the table there is no one to hide it from."""
        if not self.seats.secrets:
            show()
            return
        say, terminal, name = self.catalogue, self.terminal, self.catalogue.colour(player)
        if terminal.live:
            terminal.clear()
            terminal.say(say("curtain.down", player=name))
            self._ask(say("curtain.enter", player=name))
            terminal.clear()
        terminal.say(say("curtain.begins", player=name))
        try:
            show()
        finally:  # also if the player goes away in the middle: another player may not come and look
            if terminal.live:
                terminal.clear()
            terminal.say(say("curtain.ends"))
            self._fresh = False

    def _give_back(self) -> None:
        """Show the deck in hand until it is put back, or the search is taken back."""
        game = self.session.game
        if game.searched is None:
            return
        self._cards(game, game.searched)
        self._list([self.catalogue("choice.back")])
        player = self.catalogue.colour(game.options.players[game.seat])
        while self.session.game == game and not self._left:
            self._answer(self._ask(self.catalogue("prompt.back", player=player)))

    def _glimpse(self, player: str, deck: int) -> None:
        """Show a deck that can only go back as it is."""
        self._cards(self.session.game, deck - 1)
        if self.terminal.live and self.seats.secrets:
            self._ask(self.catalogue("curtain.over", player=self.catalogue.colour(player)))

    def _cards(self, game: Game, place: int) -> None:
        say, legend = self.catalogue, self.board.machine.castle.legend()
        found = self.session.steps[-1].event.found if self.session.steps else None
        self.terminal.say(say("curtain.cards", deck=place + 1))
        for card in game.decks[place]:
            self.terminal.say(f"  {card} {say.garment(legend[card])} ({say.part(GARMENT_CODES[card])})")
        if found is not None:
            self.terminal.say(say("action.found", player=say.colour(self.session.steps[-1].player)))

    def _open(self) -> tuple[Action, ...]:
        """What may be chosen now; only a casual game shows in advance which pushes would take a ghost off (B2, B6)."""
        board = self.board if self.session.casual else NoForesight(self.board)
        return legal_actions(self.session.game, board)

    def _list(self, lines: list[str]) -> None:
        """Lines, then what may be done now: numbered in columns, relocations by their pattern."""
        say, actions = self.catalogue, self._open()
        entries = [f"{number:2} {written(action, say)}" for number, action in enumerate(menu(actions), 1)]
        lines += _columns(entries)
        tunnels: dict[str, set[int]] = {}
        for action in actions:
            if isinstance(action, Relocate):
                tunnels.setdefault(action.slider, set()).add(action.tunnel)
        for free in sorted(set(map(frozenset, tunnels.values())), key=sorted):
            values = {
                "word": say.word("verbs", "relocate"),
                "slider": "|".join(slider for slider in sorted(tunnels) if tunnels[slider] == free),
                "tunnels": "|".join(map(str, sorted(free))),
                "flip": say.word("flip", "flip"),
            }
            text = say("choice.relocations", low=-MAX_OFFSET, high=MAX_OFFSET, **values)
            lines += textwrap.wrap(text, WIDTH)
        for line in lines:
            self.terminal.say(line)

    def _key(self) -> None:
        """What the marks on the board mean, and which garment lies where."""
        say, castle, game = self.catalogue, self.board.machine.castle, self.session.game
        player = game.current_player or game.options.players[0]
        self.terminal.say(say("told.legend", player=say.colour(player)))
        legend = castle.legend()
        spaces = {castle.code_at(space): space for space in castle.garments}
        entries = [f"{code} {spaces[code]} {say.garment(legend[code])}" for code in GARMENT_CODES]
        for line in _columns(entries):
            self.terminal.say(line)


def _columns(entries: list[str]) -> list[str]:
    rows = (entries[start : start + _COLUMNS] for start in range(0, len(entries), _COLUMNS))
    return [" ".join(f"{entry:<{_COLUMN}}" for entry in row).rstrip() for row in rows]
