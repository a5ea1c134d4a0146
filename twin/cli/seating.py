"""A game at a table in the terminal or the window: who sits down, which game is on it, and which files keep it."""

from __future__ import annotations

import os
import secrets
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from twin.board.machine import load_machine
from twin.board.state import COLOURS
from twin.cli.output_files import TAKEN, same_file
from twin.cli.table_options import sliders_of
from twin.errors import BadInputError, visible
from twin.files import parse_json, read_text
from twin.game.board import Table
from twin.game.positions import VARIED, Options, new_game
from twin.play.commands import seats_in_grammar
from twin.play.keeper import Keeper
from twin.play.record import is_record, parse_record, replay
from twin.play.save import parse_saved
from twin.play.session import HUMAN, Seats, Session, parse_seats
from twin.play.unfinished import games_folder, latest, unfinished_games
from twin.writing import Hold

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Collection, Iterator, Sequence

    from twin.play.catalogue import Catalogue
    from twin.play.unfinished import Unfinished
    from twin.reports.game_screen import GameScreen

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


@dataclass(frozen=True)
class Sitting:
    """What is on the table when the players sit down."""

    session: Session
    seats: Seats
    table: Table
    engine: str
    keeper: Keeper


@contextmanager
def kept_to_the_end(keeper: Keeper, now: Callable[[], Session], command: str) -> Iterator[None]:
    """Keep the game for the last time, however the table is left; an interruption's message names its file."""
    try:
        yield
    except KeyboardInterrupt:  # Ctrl-C, or a terminal that has gone away
        with suppress(BadInputError):
            keeper.leave(now())
        raise KeyboardInterrupt(*filter(None, [keeper.where(now(), command)])) from None
    except BaseException:
        with suppress(BadInputError):
            keeper.leave(now())
        raise
    try:
        keeper.leave(now())
    except BadInputError as error:
        where = keeper.where(now(), command)
        raise BadInputError(". ".join(filter(None, [error.problem, where])), source=error.source) from None


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
        """The number of the script's lines that have not been read."""
        return len(self._waiting)

    def ask(self, prompt: str) -> str:
        """The next line; what does not come from a keyboard is shown beside the prompt."""
        if self.live:
            try:
                return input(prompt)
            except (EOFError, KeyboardInterrupt):
                print()  # what is printed next begins a line of its own
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


@contextmanager
def seated(options: Namespace, catalogue: Catalogue, terminal: Screen, engine: str) -> Iterator[Sitting]:
    """The table with a game on it, a new one or an old one; all is checked before anything is written.

    No other program can write the game's files until the table is left. `engine` simulates unless another is named.
    """
    with ExitStack() as stack:
        _check_targets(options)
        unfinished = _unfinished(options, catalogue, terminal, stack)
        saved, record = (
            None if name is None else stack.enter_context(Hold(Path(name))) for name in (options.save, options.record)
        )
        if options.resume is not None:
            session, seats, table, engine = _resumed(options, terminal, engine)
        else:
            engine = options.engine or engine
            session, seats, table = _begun(options, catalogue, terminal, engine)
        own = None if terminal.from_record or options.go_on else options.resume
        keeper = Keeper(seats, table.machine, engine, catalogue, unfinished, saved=saved, record=record, own=own)
        stack.callback(keeper.release)
        yield Sitting(session, seats, table, engine, keeper)


def _begun(options: Namespace, catalogue: Catalogue, terminal: Screen, engine: str) -> tuple[Session, Seats, Table]:
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
    start = new_game(machine, settings, sliders_of(options.sliders))
    return Session(start, casual=bool(options.casual)), seats, Table(machine, engine)


def _unfinished(options: Namespace, catalogue: Catalogue, terminal: Screen, stack: ExitStack) -> Hold:
    """The game's file among the unfinished ones: of the game that --continue means, or of a new one."""
    folder = games_folder(os.environ)
    if not options.go_on:
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}.jsonl"
        return stack.enter_context(Hold(folder / name))
    if options.resume is not None:
        raise BadInputError("cannot be used with --resume: one game at a time", field="--continue")
    try:
        games = unfinished_games(folder, _bot_names())
    except BadInputError as error:
        raise error.within(field="--continue") from None
    for game in games:
        stack.enter_context(game.hold)
    chosen = _chosen(games, catalogue, terminal)
    for game in games:
        if game is not chosen:
            game.hold.release()
    options.resume = str(chosen.hold.path)
    return chosen.hold


def _chosen(games: list[Unfinished], catalogue: Catalogue, terminal: Screen) -> Unfinished:
    """Which of the unfinished games goes on: the players are asked if they are there, else it is the latest."""
    told = [_described(game, catalogue) for game in games]
    if len(games) > 1 and not terminal.live:
        terminal.say(catalogue("keep.latest", count=len(games), game=told[0]))
    elif len(games) > 1:
        for number, text in enumerate(told, 1):
            terminal.say(f"{number:2} {text}")
        while True:
            try:
                answer = terminal.ask(catalogue("prompt.which")).strip() or "1"
            except EOFError:
                break
            if answer.isdecimal() and 1 <= int(answer[:4]) <= len(games):
                return games[int(answer[:4]) - 1]
            terminal.say(catalogue("told.number", text=answer[:60]))
    return games[0]


def _described(game: Unfinished, catalogue: Catalogue) -> str:
    """One line: who plays, which turn it is, and when the game was played last."""
    players = (
        catalogue.colour(colour) if who == HUMAN else f"{catalogue.colour(colour)} ({who})"
        for colour, who in game.saved.seats.players
    )
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(game.written))
    return f"{', '.join(players)} · {catalogue('header.turn', turn=game.saved.game.turn)} · {date}"


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
        except EOFError:
            break
        try:
            return _seats(seats_in_grammar(answer, catalogue) if answer else DEFAULT_PLAYERS)
        except BadInputError:
            players = catalogue.listed((HUMAN, *_bot_names()), "or")
            terminal.say(catalogue("told.who", default=DEFAULT_PLAYERS, colours=", ".join(COLOURS), players=players))
    return _seats(DEFAULT_PLAYERS)


def _resumed(options: Namespace, terminal: Screen, engine: str) -> tuple[Session, Seats, Table, str]:
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
            text = latest(text) if options.go_on else text
            saved, engine = parse_saved(parse_json(text), names), options.engine or engine
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
