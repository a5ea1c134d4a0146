"""The command `play`: the whole game at one terminal, or from a script."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from twin.cli.options import add_force, add_machine, command
from twin.cli.output import paint_for, shows_boxes
from twin.cli.table_options import add_table
from twin.errors import BadInputError

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.cli.options import Commands
    from twin.game.board import Table
    from twin.game.bots import Bot
    from twin.play.session import Seats, Session


def add(commands: Commands) -> None:
    """Add the command to the parser's; without --players it asks at the terminal who plays."""
    sub = command(commands, "play", play, "play the game at the terminal, people and bots in any mix")
    sub.epilog = "Type ? in the game for help."
    add_table(sub, "kernel")
    sub.add_argument("--seed", metavar="S", type=int, help="of the deal and of the hands (default 1)")
    add_machine(sub, "play on this machine")
    sub.add_argument("--script", metavar="FILE", help="people's actions, one a line, # for remarks")
    add_force(sub)


def play(options: Namespace) -> int:
    """`twin play --players red=human,blue=planner`: exit code 0 however the table is left, but see Ctrl-C."""
    from twin.cli.seating import Screen, kept_to_the_end, seated
    from twin.outcome.engine import KERNEL
    from twin.play.catalogue import language_of, load_catalogue
    from twin.play.conversation import ENDED, OVER, QUIT, Conversation
    from twin.reports.game_screen import GameScreen

    catalogue = load_catalogue(options.language or language_of(os.environ))
    terminal = Screen(options.script)
    with seated(options, catalogue, terminal, KERNEL) as sitting:
        seats, table, keeper = sitting.seats, sitting.table, sitting.keeper
        paint, boxes = paint_for(sys.stdout), shows_boxes(sys.stdout)
        terminal.screen = GameScreen(table.machine, seats, catalogue, paint, boxes=boxes)
        keeper.begin(sitting.session)
        bots = _bots(seats, table, sitting.session, options.budget)

        def save(session: Session, name: str) -> str | None:
            if name and not keeper.may_write(name):
                raise BadInputError(catalogue("told.exists", file=name))
            return keeper.save(session, name)

        talk = Conversation(sitting.session, seats, table, catalogue, terminal, bots, save, keeper.follow)
        with kept_to_the_end(keeper, lambda: talk.session, "twin play"):
            ending = talk.run()
        if ending == ENDED and options.script is not None:
            terminal.say(catalogue("told.script_end"))
        elif terminal.left_over and ending == OVER:
            print(catalogue("told.script_rest", count=terminal.left_over), file=sys.stderr)
        where = keeper.where(talk.session, "twin play")
        if where:
            terminal.say(where)
        if ending == QUIT or (ending == ENDED and options.script is None):
            terminal.say(catalogue("told.bye"))
    return 0


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
