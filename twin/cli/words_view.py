"""The words of `view` and `render`."""

from __future__ import annotations

import argparse
import math
import re
from typing import TYPE_CHECKING, Final

from twin.cli.words import add_changes, add_machine, add_output, add_scene, command, count
from twin.cli.words_table import add_table

if TYPE_CHECKING:
    from twin.cli.words import Commands

LEAST: Final = 64
MOST: Final = 4096
"""Sizes of pictures, pixels a side."""


def add(commands: Commands) -> None:
    """Add the commands to the parser's."""
    view = command(
        commands, "view", ("view", "view"), "open a window to see a scene, touch it and turn it by hand, or play"
    )
    view.add_argument("scene", metavar="SCENE", nargs="?", default="start", help="a name or a path (default: start)")
    view.add_argument("move", metavar='"MOVE"', nargs="?", help='make it at once, for example "turn cw"')
    view.add_argument("--size", metavar="W×H", type=_size, help="of the window, pixels (default 1280×800)")
    view.add_argument("--frames", metavar="N", type=count(), help="close the window after N pictures")
    add_output(view, "--screenshot", "write what the window shows in the end (.png)")
    add_output(view, "--state", "write the position that it shows in the end (.json)")
    view.add_argument("--seed", metavar="S", type=int, help="of random positions; of deal and hands (default 1)")
    add_machine(view)
    add_changes(view)
    game = view.add_argument_group("the game in the window")
    game.add_argument("--play", action="store_true", help="play the whole game, people and bots in any mix")
    add_table(game, "pymunk")
    render = command(
        commands, "render", ("view", "render"), "draw a scene, or a move as an animation, without a window"
    )
    add_scene(render)
    render.add_argument("move", metavar='"MOVE"', nargs="?", help='for example "turn cw"')
    add_output(render, "--out", "a .png, .gif, .webp or .mp4 file", need=True)
    render.add_argument("--size", metavar="W×H", type=_size, help="pixels (default 800×800, animations 480×480)")
    render.add_argument("--frame", metavar="T", type=_time, help="only the instant T of the move, s")
    render.add_argument("--hidden", action="store_true", help="show what is hidden under the board")
    render.add_argument("--forces", action="store_true", help="show forces: magnets, friction, contacts")
    add_machine(render)
    add_changes(render)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})[x×X](\d{1,5})", text)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (LEAST <= width <= MOST and LEAST <= height <= MOST):
        raise argparse.ArgumentTypeError(f"must be W×H, {LEAST} to {MOST} pixels each, like 800×600; got {text!r}")
    return width, height


def _time(text: str) -> float:
    try:
        time = float(text)
    except ValueError:
        time = math.nan
    if not (math.isfinite(time) and time >= 0.0):
        raise argparse.ArgumentTypeError(f"must be a time of zero seconds or more; got {text!r}")
    return time
