"""The words of `explore`, `reach` and `compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.cli.words import (
    AUTO,
    add_changes,
    add_json,
    add_machine,
    add_pictures,
    add_samples,
    add_scene,
    add_seed,
    command,
    count,
)
from twin.cli.words_calibrate import add_region

if TYPE_CHECKING:
    from twin.cli.words import Commands


def add(commands: Commands) -> None:
    """Add the commands to the parser's."""
    explore = command(
        commands, "explore", ("explore", "explore"), "list every move of a position and how likely what it does is"
    )
    add_scene(explore)
    add_samples(
        explore,
        "varied hands for each turn and push, at most 75 for a drag; auto (default): 100 to 2,000, until it is decided",
        default=AUTO,
    )
    add_json(explore)
    add_pictures(explore, "draw a board for each turn and push, for each ghost's drags, each slider's relocations")
    add_machine(explore)
    add_changes(explore)
    add_region(explore)
    reach = command(commands, "reach", ("explore", "reach"), "find the surest ways for a ghost to a space")
    add_scene(reach)
    reach.add_argument("ghost", metavar="GHOST", help="red, yellow, green or blue: the player's own, which it may drag")
    reach.add_argument("space", metavar="SPACE", help="where it should go, for example c5")
    reach.add_argument(
        "--moves", metavar="K", type=int, choices=(1, 2, 3), default=3, help="at most so many, 1 to 3 (default 3)"
    )
    add_samples(
        reach,
        "varied hands for the first move, and plays of each way (default 200); auto: plays until each way is decided",
        default=200,
    )
    reach.add_argument("--no-relocate", action="store_true", help="leave out moving sliders to other tunnels")
    add_json(reach)
    add_machine(reach)
    add_changes(reach)
    compare = command(
        commands, "compare", ("explore", "compare"), "find where two machines differ, on the same random positions"
    )
    compare.add_argument("first", metavar="MACHINE_A", help="a name or a path")
    compare.add_argument("second", metavar="MACHINE_B", help="another one")
    compare.add_argument(
        "--positions", metavar="N", type=count(), default=500, help="each with one turn and one push (default 500)"
    )
    add_seed(compare, "the positions")
    add_json(compare)
    add_pictures(compare, "draw the firmest examples")
    add_changes(compare)
