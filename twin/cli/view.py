"""Commands that show pictures: `view`, the window, and `render`, pictures without one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from twin.board.moves import parse_move
from twin.cli.files import tell_written
from twin.cli.output import Progress, finite
from twin.cli.scenes import load
from twin.errors import BadInputError
from twin.physics.hand import NOMINAL
from twin.reports.as_json import outcome_json, scene_json
from twin.reports.sentences import outcome_sentences

if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from twin.window.sandbox_session import Session

NOT_ALLOWED = 3
GAME_ONLY = (
    *("players", "language", "hand", "casual", "wandering_decks", "strict_stop", "as_is", "max_turns", "engine"),
    *("sliders", "save", "resume", "record"),
)
"""Options of `twin view` that mean nothing without --play."""


def render(options: Namespace) -> int:
    """`twin render SCENE ["MOVE"] --out FILE`."""
    from twin.drawing.animation import ending_of
    from twin.drawing.pose import Layers
    from twin.drawing.scene_render import made, timeline_of
    from twin.drawing.scene_render import render as draw

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
    from twin.window.display import require_window

    if options.screenshot and not options.screenshot.lower().endswith(".png"):
        raise BadInputError("a screenshot's file must end in .png", source=options.screenshot, field="--screenshot")
    if options.play:
        from twin.cli.view_play import play_in_window

        return play_in_window(options)
    for option in GAME_ONLY:
        if getattr(options, option) is not None:
            raise BadInputError("is for games: add --play", field=f"--{option.replace('_', '-')}")
    move = None if options.move is None else parse_move(options.move)
    scene = load(options)
    require_window()

    from twin.drawing.animation import write_still
    from twin.window.sandbox_session import Session
    from twin.window.screen.arcade_window import open_window
    from twin.window.signals import asked_to_end
    from twin.writing import write_whole

    session = Session(scene, outcome_sentences, seed=1 if options.seed is None else options.seed)
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


def session_json(session: Session) -> dict[str, Any]:
    """The position that a window shows, as `twin show --json` tells it, and the last move as `twin turn --json`."""
    sandbox = session.sandbox
    outcome = session.last_outcome()
    return {
        "schema": 1,
        **scene_json(sandbox.as_scene(sandbox.scene.name)),
        "moves": list(sandbox.labels[1:]),
        "outcome": None if outcome is None else outcome_json(outcome),
        "playing": not session.is_quiet,
    }
