"""The words of `explore`, `reach` and `compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from twin.cli.parser import Commands


def add(commands: Commands) -> None:
    """Add the commands to the parser's."""
    # The parser imports this module, so that its helpers are there only once it is used.
    from twin.cli.parser import _command, _count, _json, _machine, _scene, _set

    explore = _command(
        commands, "explore", ("explore", "explore"), "list every move of a position and how likely what it does is"
    )
    _scene(explore)
    _samples(explore, "varied hands for each turn and push (default 200)")
    _json(explore)
    _files(explore, "draw a board for each turn and push")
    _machine(explore)
    _set(explore)
    reach = _command(commands, "reach", ("explore", "reach"), "find the surest ways for a ghost to a space")
    _scene(reach)
    reach.add_argument("ghost", metavar="GHOST", help="red, yellow, green or blue: the player's own, which it may drag")
    reach.add_argument("space", metavar="SPACE", help="where it should go, for example c5")
    reach.add_argument(
        "--moves", metavar="K", type=int, choices=(1, 2, 3), default=3, help="at most so many, 1 to 3 (default 3)"
    )
    _samples(reach, "varied hands for the first move, and plays of each way (default 200)")
    reach.add_argument("--no-relocate", action="store_true", help="leave out moving sliders to other tunnels")
    _json(reach)
    _machine(reach)
    _set(reach)
    compare = _command(
        commands, "compare", ("explore", "compare"), "find where two machines differ, on the same random positions"
    )
    compare.add_argument("first", metavar="MACHINE_A", help="a name or a path")
    compare.add_argument("second", metavar="MACHINE_B", help="another one")
    compare.add_argument(
        "--positions", metavar="N", type=_count, default=500, help="each with one turn and one push (default 500)"
    )
    compare.add_argument("--seed", metavar="S", type=int, default=1, help="of the positions (default 1)")
    _json(compare)
    _files(compare, "draw the firmest examples")
    _set(compare)


def _samples(sub: argparse.ArgumentParser, text: str) -> None:
    from twin.cli.parser import _count

    sub.add_argument("--samples", metavar="N", type=_count, default=200, help=text)
    sub.add_argument("--seed", metavar="S", type=int, default=1, help="of the varied hands (default 1)")


def _files(sub: argparse.ArgumentParser, text: str) -> None:
    sub.add_argument("--png", metavar="FILE", help=text)
    sub.add_argument("--html", metavar="FILE", help="write one page with pictures and tables")
