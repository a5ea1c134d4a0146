"""Commands that show pictures: `view`, the window on a scene or a game, and `render`, pictures without a window."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from twin.cli.options import NOT_ALLOWED, add_changes, add_machine, add_output, add_scene, command, count, number
from twin.cli.output import Progress, finite
from twin.cli.output_files import tell_written
from twin.cli.scenes import load
from twin.cli.table_options import add_table
from twin.errors import BadInputError
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.cli.options import Commands
    from twin.cli.seating import Sitting
    from twin.play.catalogue import Catalogue
    from twin.window.game_session import GameSession
    from twin.window.sandbox_session import SandboxSession

LEAST: Final = 64
MOST: Final = 4096
"""Sizes of pictures, pixels a side."""
GAME_ONLY: Final = (
    *("players", "language", "hand", "casual", "wandering_decks", "strict_stop", "as_is", "max_turns", "engine"),
    *("sliders", "save", "resume", "record"),
)
"""Options of `twin view` that mean nothing without --play."""


def add(commands: Commands) -> None:
    """Add the commands to the parser's."""
    sub = command(commands, "view", view, "open a window to see a scene, touch it and turn it by hand, or play")
    sub.add_argument("scene", metavar="SCENE", nargs="?", default="start", help="a name or a path (default: start)")
    sub.add_argument("move", metavar='"MOVE"', nargs="?", help='make it at once, for example "turn cw"')
    sub.add_argument("--size", metavar="W×H", type=_size, help="of the window, pixels (default 1280×800)")
    sub.add_argument("--frames", metavar="N", type=count(), help="close the window after N pictures")
    add_output(sub, "--screenshot", "write what the window shows in the end (.png)")
    add_output(sub, "--state", "write the position that it shows in the end (.json)")
    sub.add_argument("--seed", metavar="S", type=int, help="of random positions; of deal and hands (default 1)")
    add_machine(sub)
    add_changes(sub)
    game = sub.add_argument_group("the game in the window")
    game.add_argument("--play", action="store_true", help="play the whole game, people and bots in any mix")
    add_table(game, "pymunk")
    sub = command(commands, "render", render, "draw a scene, or a move as an animation, without a window")
    add_scene(sub)
    sub.add_argument("move", metavar='"MOVE"', nargs="?", help='for example "turn cw"')
    add_output(sub, "--out", "a .png, .gif, .webp or .mp4 file", need=True)
    sub.add_argument("--size", metavar="W×H", type=_size, help="pixels (default 800×800, animations 480×480)")
    sub.add_argument(
        "--frame",
        metavar="T",
        type=number("a time of zero seconds or more", lambda seconds: 0.0 <= seconds < math.inf),
        help="only the instant T of the move, s",
    )
    sub.add_argument("--hidden", action="store_true", help="show what is hidden under the board")
    sub.add_argument("--forces", action="store_true", help="show forces: magnets, friction, contacts")
    add_machine(sub)
    add_changes(sub)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})[x×X](\d{1,5})", text)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (LEAST <= width <= MOST and LEAST <= height <= MOST):
        raise argparse.ArgumentTypeError(f"must be W×H, {LEAST} to {MOST} pixels each, like 800×600; got {text!r}")
    return width, height


def render(options: Namespace) -> int:
    """`twin render SCENE ["MOVE"] --out FILE`."""
    from twin.board.moves import parse_move
    from twin.drawing.animation import ending_of
    from twin.drawing.pose import Layers
    from twin.drawing.scene_render import made, timeline_of
    from twin.drawing.scene_render import render as draw
    from twin.physics.hand import NOMINAL

    path = Path(options.out)
    ending_of(path)
    move = None if options.move is None else parse_move(options.move)
    scene = load(options)
    layers = Layers(hidden=options.hidden, forces=options.forces)
    outcome = None if move is None else made(scene, move, NOMINAL)
    timeline = None if outcome is None or not outcome.done else timeline_of(outcome, NOMINAL)
    bars: dict[int, Progress] = {}

    def progress(done: int, total: int) -> None:
        bars.setdefault(total, Progress(total, "pictures"))(done)

    draw(path, scene, timeline, size=options.size, time=options.frame, layers=layers, progress=progress)
    tell_written(options, options.out)
    if outcome is not None and not outcome.legal:
        for rule, reason in zip(outcome.broken, outcome.reasons, strict=True):
            print(f"twin: not allowed by {rule}: {reason}", file=sys.stderr)
        return NOT_ALLOWED
    return 0


def view(options: Namespace) -> int:
    """`twin view [SCENE] ["MOVE"]`."""
    from twin.board.moves import parse_move
    from twin.reports.sentences import outcome_sentences
    from twin.window.display import require_window

    if options.screenshot and not options.screenshot.lower().endswith(".png"):
        raise BadInputError("a screenshot's file must end in .png", source=options.screenshot, field="--screenshot")
    if options.play:
        return _play_in_window(options)
    for option in GAME_ONLY:
        if getattr(options, option) is not None:
            raise BadInputError("is for games: add --play", field=f"--{option.replace('_', '-')}")
    move = None if options.move is None else parse_move(options.move)
    scene = load(options)
    require_window()

    from twin.drawing.animation import write_still
    from twin.window.sandbox_session import SandboxSession
    from twin.window.screen.arcade_window import open_window
    from twin.window.signals import asked_to_end

    session = SandboxSession(scene, outcome_sentences, seed=1 if options.seed is None else options.seed)
    if move is not None:
        session.make(move)
    with asked_to_end() as asked:
        picture = open_window(session, size=options.size, frames=options.frames, ended=lambda: bool(asked))
        if options.screenshot:
            write_still(Path(options.screenshot), picture)
        if options.state:
            text = json.dumps(finite(session_json(session)), ensure_ascii=False, indent=2)
            write_whole(Path(options.state), text + "\n")
    tell_written(options, options.screenshot, options.state)
    return 0


def session_json(session: SandboxSession) -> dict[str, Any]:
    """The position that a window shows, as `twin show --json` prints it, and the last move as `twin turn --json`."""
    from twin.reports.as_json import outcome_json, scene_json

    sandbox = session.sandbox
    outcome = session.last_outcome()
    return {
        "schema": 1,
        **scene_json(sandbox.as_scene(sandbox.scene.name)),
        "moves": list(sandbox.labels[1:]),
        "outcome": None if outcome is None else outcome_json(outcome),
        "playing": not session.is_quiet,
    }


def _play_in_window(options: Namespace) -> int:
    """Open the window, play until it is closed or for so many pictures, and keep what was asked for."""
    from twin.cli.seating import DEFAULT_PLAYERS, Screen, seated
    from twin.outcome.engine import PYMUNK
    from twin.play.catalogue import language_of, load_catalogue

    if options.scene != "start" or options.move is not None or options.changes:
        raise BadInputError("a game begins as the rules say: give no scene, move or --set", field="--play")
    catalogue = load_catalogue(options.language or language_of(os.environ))
    if options.players is None and options.resume is None and not options.go_on:
        options.players = DEFAULT_PLAYERS
    # The reference engine keeps every instant: what is shown is what was played.
    with seated(options, catalogue, Screen(None), PYMUNK) as sitting:
        _show_game(options, sitting, catalogue)
    return 0


def _show_game(options: Namespace, sitting: Sitting, catalogue: Catalogue) -> None:
    """Play a game in the window, and write what it showed in the end."""
    from twin.window.display import require_window

    require_window()

    from twin.cli.seating import kept_to_the_end
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
