"""The command `play`: the whole game at one terminal, or from a script."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from twin.cli.files import TAKEN, same_file
from twin.cli.output import paint_for, shows_boxes
from twin.cli.words_table import sliders_of
from twin.engine import KERNEL
from twin.errors import BadInputError, visible
from twin.files import parse_json, read_text
from twin.game.state import VARIED, Options, new_game
from twin.game.table import Table
from twin.machine import load_machine
from twin.play.catalogue import language_of, load_catalogue
from twin.play.commands import seats_in_grammar
from twin.play.conversation import ENDED, QUIT, Conversation
from twin.play.record import is_record, parse_record, record_text, replay
from twin.play.save import parse_saved, save
from twin.play.session import HUMAN, Seats, Session, parse_seats
from twin.reports.game_screen import GameScreen
from twin.state import COLOURS
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Collection, Sequence

    from twin.game.bots import Bot
    from twin.machine import Machine
    from twin.play.catalogue import Catalogue

DEFAULT_PLAYERS: Final = "red=human,blue=greedy"
SETTLED: Final = (
    "seed",
    "hand",
    "machine",
    "casual",
    "wandering_decks",
    "strict_stop",
    "sliders",
    "as_is",
    "max_turns",
)
"""Options of a new game; a resumed one has them already."""
CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"
"""Wipes the screen and what could be scrolled back to."""


def play(options: Namespace) -> int:
    """`twin play --players red=human,blue=planner`: exit code 0 however the table is left, but see Ctrl-C."""
    catalogue = load_catalogue(options.language or language_of(os.environ))
    terminal = Screen(options.script)
    session, seats, table, engine = begin(options, catalogue, terminal)
    terminal.screen = GameScreen(table.machine, seats, catalogue, paint_for(sys.stdout), boxes=shows_boxes(sys.stdout))

    own = [file for file in (options.save, None if terminal.from_record else options.resume) if file is not None]
    keep = Keeper(own, seats, table.machine, catalogue)
    talk = Conversation(session, seats, table, catalogue, terminal, _bots(seats, table, session, options.budget), keep)
    try:
        ending = talk.run()
        _keep_at_end(options.save, talk.session, seats, table.machine)
        if ending == ENDED and options.script is not None:
            terminal.say(catalogue("told.script_end"))
        elif ending in {ENDED, QUIT}:
            terminal.say(catalogue("told.bye"))
        elif terminal.left_over:
            print(catalogue("told.script_rest", count=terminal.left_over), file=sys.stderr)
    except (KeyboardInterrupt, OSError):  # Ctrl-C, or a terminal that has gone away
        _keep_at_end(options.save, talk.session, seats, table.machine)
        raise
    finally:
        if options.record is not None:
            write_whole(Path(options.record), record_text(talk.session, seats, table.machine, engine), durable=True)
    return 0


class Screen:
    """The real terminal: asks the keyboard, the pipe or the script, and writes to the screen or the pipe."""

    def __init__(self, script: str | None) -> None:
        self.source = script
        self.live = script is None and sys.stdin.isatty() and sys.stdout.isatty()
        self.screen: GameScreen | None = None
        self.from_record = False
        text = "" if script is None else read_text(Path(script))
        lines = ((number, visible(line).partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1))
        self._waiting = [(number, line) for number, line in lines if line]
        self._line = 0

    @property
    def left_over(self) -> int:
        """Lines of the script that nobody has asked for."""
        return len(self._waiting)

    def ask(self, prompt: str) -> str:
        """The next line; what does not come from a keyboard is shown beside the prompt."""
        if self.live:
            try:
                return input(prompt)
            except (EOFError, KeyboardInterrupt):
                print()  # what is told next begins a line of its own
                raise
        if self.source is None:
            line = sys.stdin.readline()
            if not line:
                raise EOFError
        elif self._waiting:
            self._line, line = self._waiting.pop(0)
        else:
            raise EOFError
        print(prompt + line.strip())
        return line

    def say(self, text: str) -> None:
        """A line."""
        print(text)

    def frame(self, session: Session, story: Sequence[str]) -> None:
        """The table, on a fresh screen or under what was printed before."""
        if self.screen is None:
            return
        print("\x1b[2J\x1b[H" if self.live else "", end="" if self.live else "\n")
        for line in self.screen.lines(session.game, story, casual=session.casual):
            print(line)

    def clear(self) -> None:
        """Wipe a real screen; a pipe has nothing to wipe."""
        if self.live:
            print(CLEAR, end="", flush=True)

    def where(self) -> str:
        """The script and its line."""
        return f"{self.source}, line {self._line}"


class Keeper:
    """Saves games: under the names that were agreed, or under new ones; never over somebody else's file."""

    def __init__(self, own: list[str], seats: Seats, machine: Machine, catalogue: Catalogue) -> None:
        self._own, self._seats, self._machine, self._say = own, seats, machine, catalogue

    def __call__(self, play: Session, name: str) -> str | None:
        """Save a session under a name, '' for the agreed one, and say which; None if none was agreed."""
        target = name or next(iter(self._own), None)
        if target is None:
            return None
        if target not in self._own and Path(target).exists():
            raise BadInputError(self._say("told.exists", file=target))
        save(Path(target), play, self._seats, self._machine)
        self._own.append(target)  # from now on it is this game's own
        return target


def begin(options: Namespace, catalogue: Catalogue, terminal: Screen) -> tuple[Session, Seats, Table, str]:
    """The session to play, a new one or an old one; with everything checked before anything is written."""
    _check_targets(options)
    if options.resume is not None:
        return _resumed(options, terminal)
    seats = _asked(catalogue, terminal) if options.players is None else _seats(options.players)
    machine = load_machine(options.machine or "reconstruction")
    settings = Options(
        players=seats.colours,
        seed=1 if options.seed is None else options.seed,
        hand=options.hand or VARIED,
        stop_early=not options.strict_stop,
        wandering_decks=bool(options.wandering_decks),
        as_is=bool(options.as_is),
        max_turns=400 if options.max_turns is None else options.max_turns,
    )
    engine = options.engine or KERNEL
    start = new_game(machine, settings, sliders_of(options.sliders))
    return Session(start, casual=bool(options.casual)), seats, Table(machine, engine), engine


def _check_targets(options: Namespace) -> None:
    """Refuse to save a game over the record that it is resumed from: the way there would be lost."""
    if options.resume is None or options.save is None or options.overwrite:
        return
    if same_file(options.save, options.resume) and is_record(read_text(Path(options.resume))):
        raise BadInputError(TAKEN, source=options.save, field="--save")


def _asked(catalogue: Catalogue, terminal: Screen) -> Seats:
    """Who plays: asked until it can be understood if people are there, else the default."""
    while terminal.live:
        try:
            answer = terminal.ask(catalogue("prompt.who", default=DEFAULT_PLAYERS)).strip()
            return _seats(seats_in_grammar(answer, catalogue) if answer else DEFAULT_PLAYERS)
        except BadInputError:
            players = catalogue.listed((HUMAN, *_bot_names()), "or")
            terminal.say(catalogue("told.who", default=DEFAULT_PLAYERS, colours=", ".join(COLOURS), players=players))
        except EOFError:
            break
    return _seats(DEFAULT_PLAYERS)


def _resumed(options: Namespace, terminal: Screen) -> tuple[Session, Seats, Table, str]:
    for name in SETTLED:
        if getattr(options, name) is not None:
            problem = "is settled already in a game that is resumed"
            raise BadInputError(problem, field=f"--{name.replace('_', '-')}")
    path = Path(options.resume)
    text = read_text(path)
    names = _bot_names()
    try:
        if is_record(text):
            record = parse_record(text, names)
            saved, engine = record.start, options.engine or record.engine
            table = Table(saved.machine, engine)
            session = replay(record, table)
            terminal.from_record = True
        else:
            saved, engine = parse_saved(parse_json(text), names), options.engine or KERNEL
            table = Table(saved.machine, engine)
            session = Session(saved.game, casual=saved.casual)
    except BadInputError as error:
        raise error.within(source=str(path)) from None
    seats = saved.seats if options.players is None else _seats(options.players)
    if seats.colours != saved.seats.colours:
        raise BadInputError(f"must be {', '.join(saved.seats.colours)}, as in the saved game", field="--players")
    return session, seats, table, engine


def _seats(text: str) -> Seats:
    try:
        return parse_seats(text, _bot_names())
    except BadInputError as error:
        raise error.within(field="--players") from None


def _bot_names() -> Collection[str]:
    from twin.game.bots import NAMES

    return NAMES


def _bots(seats: Seats, table: Table, session: Session, budget: float) -> dict[str, Bot]:
    """Each bot with a seed of its own, so that two of a kind do not think alike.

    A planner's budget stands for a number of simulated moves and not for the clock, so that games can be repeated.
    """
    if not seats.bots:
        return {}
    from twin.game.bots import make_bot

    seed = session.start.options.seed
    return {
        colour: make_bot(name, table, seed * len(seats.colours) + seats.colours.index(colour), budget / 1000.0)
        for colour, name in seats.bots.items()
    }


def _keep_at_end(name: str | None, session: Session, seats: Seats, machine: Machine) -> None:
    if name is not None:
        save(Path(name), session, seats, machine)
