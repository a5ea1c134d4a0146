"""The words of the command `cache`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.cli.words import add_json, command

if TYPE_CHECKING:
    from twin.cli.words import Commands


def add(commands: Commands) -> None:
    """Add `cache`."""
    cache = command(commands, "cache", ("cache", "cache"), "show or clear the files that the twin keeps to save time")
    cache.add_argument(
        "part",
        metavar="clear",
        nargs="?",
        choices=("clear",),
        help="remove them; files that the twin did not put there stay",
    )
    add_json(cache)
    cache.epilog = (
        "Compiled code, force tables and samples lie in the folder that the environment variable TWIN_CACHE names, or "
        "else in mauer-twin in the user's cache folder ($XDG_CACHE_HOME or ~/.cache), 100 MB at most. Without them "
        "every result is the same. A folder that another user owns or may write is not used."
    )
