"""The words that `twin` understands."""

from __future__ import annotations

import argparse
from typing import Final

from twin import __version__
from twin.cli import (
    words_atlas,
    words_cache,
    words_calibrate,
    words_explore,
    words_game,
    words_look,
    words_moves,
    words_play,
    words_tournament,
    words_validate,
    words_view,
)

EXIT_CODES: Final = """exit codes: 0 done · 2 bad input or usage · 3 not allowed by the rules · \
4 a check found something · 130 interrupted"""


class _Help(argparse.HelpFormatter):
    """Leaves room for the longest name of a command, which argparse counts without its indentation."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = len("    sensitivity")


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands; `handler` names module and function of the one that was chosen."""
    parser = argparse.ArgumentParser(
        prog="twin",
        description='A physics-based digital twin of the board game "Ab durch die Mauer".',
        epilog=f"A scene or machine is a name that ships with the twin, or a path to a .toml file. {EXIT_CODES}",
        allow_abbrev=False,
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="version", version=f"twin {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    words_moves.add(commands)
    words_look.add(commands)
    words_explore.add(commands)
    words_atlas.add(commands)
    words_validate.add(commands)
    words_calibrate.add(commands)
    words_view.add(commands)
    words_game.add(commands)
    words_play.add(commands)
    words_tournament.add(commands)
    words_cache.add(commands)
    return parser
