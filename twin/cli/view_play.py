"""`twin view --play`: the whole game in the window, with the options and files of `twin play`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from twin.cli.files import tell_written
from twin.cli.output import finite
from twin.cli.play import DEFAULT_PLAYERS, Screen, kept_to_the_end, seated
from twin.errors import BadInputError
from twin.outcome.engine import PYMUNK
from twin.play.catalogue import language_of, load_catalogue
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.cli.play import Sitting
    from twin.play.catalogue import Catalogue
    from twin.window.game_session import GameSession


def play_in_window(options: Namespace) -> int:
    """Open the window, play until it is closed or for so many pictures, and keep what was asked for."""
    if options.scene != "start" or options.move is not None or options.changes:
        raise BadInputError("a game begins as the rules say: give no scene, move or --set", field="--play")
    catalogue = load_catalogue(options.language or language_of(os.environ))
    if options.players is None and options.resume is None and not options.go_on:
        options.players = DEFAULT_PLAYERS
    # The reference engine keeps every instant: what is shown is what was played.
    with seated(options, catalogue, Screen(None), PYMUNK) as sitting:
        _show(options, sitting, catalogue)
    return 0


def _show(options: Namespace, sitting: Sitting, catalogue: Catalogue) -> None:
    """Play a game in the window, and write what it showed in the end."""
    from twin.window.display import require_window

    require_window()

    from twin.drawing.animation import write_still
    from twin.window.bot_seat import AwayThinker, Company, HereThinker
    from twin.window.filmed_board import ShowTable
    from twin.window.game_session import GameSession
    from twin.window.screen.arcade_window import show
    from twin.window.screen.play_view import PlayView
    from twin.window.signals import asked_to_end

    play, seats, engine, keeper = sitting.session, sitting.seats, sitting.engine, sitting.keeper
    machine = sitting.table.machine
    company = Company(seats, machine, engine, play.start.options.seed, options.budget / 1000.0)
    thinker = AwayThinker(company) if options.frames is None else HereThinker(company)
    session = GameSession(play, seats, ShowTable(machine, engine), catalogue, thinker, keeper)
    command = "twin view --play"
    with asked_to_end() as asked:
        keeper.begin(play)
        with kept_to_the_end(keeper, lambda: session.play, command):
            picture = show(
                lambda window: PlayView(session, window),
                session.close,
                size=options.size,
                frames=options.frames,
                ended=lambda: bool(asked),
            )
        where = keeper.where(session.play, command)
        if where:
            print(where)
        if options.screenshot:
            write_still(Path(options.screenshot), picture)
        if options.state:
            write_whole(Path(options.state), state_text(session))
    tell_written(options, options.screenshot, options.state)


def state_text(session: GameSession) -> str:
    """What the window shows of the game, as JSON; no hidden cards."""
    return json.dumps(finite({"schema": 1, **session.shown()}), ensure_ascii=False, indent=2) + "\n"
