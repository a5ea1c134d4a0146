"""The command `why`: the story of each ghost in a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.board.moves import move_json, parse_move
from twin.cli.output import heading, print_json
from twin.cli.scenes import load
from twin.errors import BadInputError
from twin.outcome.engine import Twin
from twin.reports.why_story import story_json, story_lines, tell

if TYPE_CHECKING:
    from argparse import Namespace

NOT_ALLOWED = 3


def why(options: Namespace) -> int:
    """`twin why SCENE "MOVE" [--ghost red]`."""
    scene = load(options)
    move = parse_move(options.move)
    if options.ghost is not None and options.ghost not in scene.state.colours:
        problem = f"must be one of {', '.join(scene.state.colours)}; got {options.ghost!r}"
        raise BadInputError(problem, field="--ghost")
    outcome = Twin(scene.machine).act(scene.state, move)
    stories = [tell(outcome, colour) for colour in scene.state.colours if options.ghost in {None, colour}]
    if options.json:
        ghosts = {story.ghost: story_json(story) for story in stories}
        print_json({"schema": 1, "move": move_json(move), "broken": list(outcome.broken), "ghosts": ghosts})
    else:
        heading(f"{scene.title}: {move}")
        for rule, reason in zip(outcome.broken, outcome.reasons, strict=True):
            print(f"Not allowed by {rule}: {reason}.")
        for story in stories:
            for line in story_lines(story):
                print(line)
    return 0 if outcome.legal else NOT_ALLOWED
