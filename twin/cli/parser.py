"""The parser of the command `twin`, put together from the families of its commands."""

from __future__ import annotations

import argparse
from typing import Final

from twin import __version__
from twin.cli import (
    atlas_commands,
    cache_commands,
    calibrate_commands,
    check_commands,
    demo,
    explore_commands,
    look_commands,
    move_commands,
    play_commands,
    saved_game_commands,
    tournament_commands,
    validate_commands,
    view_commands,
)

FAMILIES: Final = (
    *(move_commands, demo, look_commands, check_commands, explore_commands, atlas_commands, validate_commands),
    *(calibrate_commands, view_commands, saved_game_commands, play_commands, tournament_commands, cache_commands),
)
"""In the order of `twin --help`."""
EXIT_CODES: Final = """exit codes: 0 done · 2 bad input or usage · 3 not allowed by the rules · \
4 a check found something · 130 interrupted"""


class _Help(argparse.HelpFormatter):
    """Leaves room for the longest name of a command, which argparse counts without its indentation."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = len("    sensitivity")


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands; `handler` of what it parses is the function that performs the chosen one."""
    parser = argparse.ArgumentParser(
        prog="twin",
        description='A physics-based digital twin of the board game "Ab durch die Mauer".',
        epilog=f"A scene or machine is a name that ships with the twin, or a path to a .toml file. {EXIT_CODES}",
        allow_abbrev=False,
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="version", version=f"twin {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for family in FAMILIES:
        family.add(commands)
    return parser
