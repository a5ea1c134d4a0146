"""The command `demo`: in a minute, what the twin can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.cli.options import command
from twin.cli.output import Progress, announce_compiling, heading, print_lines, print_pictures
from twin.stats import HAND, wilson

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.cli.options import Commands
    from twin.outcome.engine import Outcome

SAMPLES: Final = 1000
TURNS: Final = 5000
SEED: Final = 1


def add(commands: Commands) -> None:
    """Add the command to the parser's."""
    command(commands, "demo", demo, "show in a minute what the twin can do")


def demo(_: Namespace) -> int:
    """`twin demo`."""
    from twin.outcome.engine import KERNEL, Twin
    from twin.outcome.ensemble import sample_move
    from twin.outcome.riding_share import count_fates
    from twin.reports.sentences import ensemble_sentences
    from twin.reports.why_story import story_lines, tell

    heading("1. One turn of the machine, simulated: friction, contact and magnets decide.")
    turned = _shown("all-at-once", "turn ccw")
    print()
    heading("2. Why? The story of two of the ghosts.")
    for colour in ("yellow", "blue"):
        print_lines(story_lines(tell(turned, colour)))
    print()
    heading("3. A slider is pushed: its magnet takes a ghost through a wall, and that one pushes another.")
    _shown("carried-through-walls", "push A north")
    print()
    heading(f"4. How sure is that? The turn of step 1 with {SAMPLES:,} varied hands.")
    announce_compiling()
    twin = Twin(turned.machine, KERNEL)
    samples = sample_move(
        twin, turned.before, turned.move, turned, size=SAMPLES, seed=SEED, progress=Progress(SAMPLES, "hands")
    )
    print(HAND)
    print_lines(ensemble_sentences(samples))
    print()
    heading("5. The rules are checked by number.")
    _shown("push-off-the-board", "push C north", pictures=False)
    print()
    heading(f"6. What {TURNS:,} random turns with four ghosts do, on the batch kernel.")
    fates = count_fates(turned.machine, TURNS, SEED, Progress(TURNS, "turns"))
    total = sum(fates.values())
    low, high = wilson(fates["rode"], total)
    shares = ", ".join(f"{fate} {100 * count / total:.0f} %" for fate, count in fates.most_common())
    print(f"{shares}. Simply riding: {100 * low:.0f}–{100 * high:.0f} % with 95 % confidence.")
    print('\nGo on with: twin scenes · twin show start · twin turn start cw · twin why held "turn cw" · twin --help')
    return 0


def _shown(name: str, move: str, *, pictures: bool = True) -> Outcome:
    from twin.board.moves import parse_move
    from twin.board.scene import load_scene
    from twin.outcome.engine import Twin
    from twin.reports.sentences import outcome_sentences

    scene = load_scene(name)
    outcome = Twin(scene.machine).act(scene.state, parse_move(move))
    print(f"{scene.title}: {move}")
    if pictures:
        print_pictures(outcome.before, outcome.after(), scene.machine)
    print_lines(outcome_sentences(outcome))
    return outcome
