"""The words of the command `play`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.cli.words import add_force, add_machine, command
from twin.cli.words_table import add_table

if TYPE_CHECKING:
    from twin.cli.words import Commands


def add(commands: Commands) -> None:
    """Add `play`; without --players it asks a person who plays."""
    play = command(commands, "play", ("play", "play"), "play the game at the terminal, people and bots in any mix")
    play.epilog = "Type ? in the game for help."
    add_table(play, "kernel")
    play.add_argument("--seed", metavar="S", type=int, help="of the deal and of the hands (default 1)")
    add_machine(play, "play on this machine")
    play.add_argument("--script", metavar="FILE", help="people's actions, one a line, # for remarks")
    add_force(play)
