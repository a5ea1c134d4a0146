"""Commands that make moves: `turn`, `push`, `drag`, `relocate` and `run`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from twin.board.moves import Drag, Push, Relocate, Turn, parse_move
from twin.board.scene import Scene, scene_toml
from twin.board.state import parse_space
from twin.cli.files import tell_written
from twin.cli.output import Progress, announce_compiling, finite, heading, print_json, print_pictures
from twin.cli.scenes import load
from twin.cli.words import AUTO
from twin.errors import BadInputError, BarredMoveError
from twin.outcome.engine import KERNEL, Twin
from twin.outcome.ensemble import sample_move, sampler
from twin.physics.hand import NOMINAL
from twin.physics.measured import read_turn
from twin.reports.as_json import outcome_json
from twin.reports.run_record import record_json
from twin.reports.sentences import ensemble_sentences, outcome_sentences, placement_sentences
from twin.stats import HAND, STEPS
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.board.moves import Move
    from twin.board.state import State
    from twin.outcome.engine import Outcome
    from twin.outcome.ensemble import Ensemble
    from twin.physics.hand import Hand

NOT_ALLOWED = 3


@dataclass(frozen=True)
class Made:
    """One move that was made, and the position after it."""

    outcome: Outcome
    samples: Ensemble | None
    after: State


def turn(options: Namespace) -> int:
    """`twin turn SCENE cw|ccw [--path FILE]`."""
    if options.path is None:
        return _make(options, [Turn(options.direction)])
    if options.engine == KERNEL or options.record:
        raise BadInputError("a measured turn runs on pymunk and is not recorded", source=options.path, field="--path")
    return _make(options, [Turn(options.direction)], read_turn(Path(options.path)))


def push(options: Namespace) -> int:
    """`twin push SCENE SLIDER north|south`."""
    return _make(options, [Push(options.slider, options.direction)])


def drag(options: Namespace) -> int:
    """`twin drag SCENE GHOST north|east|south|west`."""
    return _make(options, [Drag(options.ghost, options.direction)])


def relocate(options: Namespace) -> int:
    """`twin relocate SCENE SLIDER TUNNEL OFFSET [--flip]`."""
    return _make(options, [Relocate(options.slider, options.tunnel, options.offset, options.flip)])


def run(options: Namespace) -> int:
    """`twin run SCENE "MOVE" "MOVE"…`: stops at the first move that the rules forbid."""
    return _make(options, [parse_move(text) for text in options.moves])


def _make(options: Namespace, moves: list[Move], hand: Hand = NOMINAL) -> int:
    if options.trace:
        from twin.reports.trace_file import require_ending

        require_ending(Path(options.trace))
    scene = load(options)
    choice = _choice(options.place, scene)
    twin = Twin(scene.machine, options.engine)
    state = scene.state
    made: list[Made] = []
    for number, move in enumerate(moves, start=1):
        last = number == len(moves)
        made.append(_one(twin, state, move, hand, options, choice if last else {}))
        state = made[-1].after
        if not made[-1].outcome.legal:
            break
    _print(options, scene, made, moves, choice)
    _write(options, scene, made, hand, len(moves), choice)
    return 0 if made[-1].outcome.legal else NOT_ALLOWED


def _one(twin: Twin, state: State, move: Move, hand: Hand, options: Namespace, choice: dict[str, str]) -> Made:
    outcome = twin.act(state, move, hand)
    if options.engine == KERNEL and outcome.done and outcome.engine != KERNEL:
        print(f"twin: note: the kernel runs turns and pushes; {move} ran on {outcome.engine}", file=sys.stderr)
    size = _samples(options)
    samples = None
    if size != 0 and outcome.done:
        if isinstance(move, Turn | Push):
            announce_compiling()
        progress = Progress(size or STEPS[-1], "hands")
        samples = sample_move(
            sampler(twin, move), state, move, outcome, size=size, seed=options.seed, progress=progress
        )
        progress(progress.total)
    return Made(outcome, samples, outcome.after(choice, as_is=options.as_is))


def _samples(options: Namespace) -> int | None:
    """How many varied hands to draw: what was asked for, else what people get by default; None until it is decided."""
    if options.samples is not None:
        return None if options.samples == AUTO else int(options.samples)
    measured = getattr(options, "path", None) is not None  # varied hands would not be that hand
    return None if options.command in {"turn", "push"} and not (options.json or measured) else 0


def _print(options: Namespace, scene: Scene, made: list[Made], moves: list[Move], choice: dict[str, str]) -> None:
    if options.json:
        data = outcome_json(made[-1].outcome, made[-1].samples)
        if options.command == "run":
            data["outcomes"] = [outcome_json(one.outcome, one.samples) for one in made]
        print_json(data)
        return
    first = next((one.samples for one in made if one.samples is not None), None)
    for number, one in enumerate(made, start=1):
        count = f" ({number} of {len(moves)})" if len(moves) > 1 else ""
        heading(f"{scene.title}: {one.outcome.move}{count}")
        print_pictures(one.outcome.before, one.after, scene.machine, legend=number == len(made))
        for line in outcome_sentences(one.outcome, _placing(one.outcome, choice, last=number == len(moves))):
            print(line)
        if one.samples is not None:
            if one.samples is first:
                print(HAND)
            for line in ensemble_sentences(one.samples):
                print(line)
        if number < len(made):
            print()
    if not made[-1].outcome.legal and len(made) < len(moves):
        print(f"Stopped here: {len(moves) - len(made)} of {len(moves)} moves were not made.")


def _placing(outcome: Outcome, choice: dict[str, str], *, last: bool) -> list[str]:
    """The ways to place the ghosts, and which of them the picture, and what comes after it, take."""
    if not outcome.legal:
        return placement_sentences(outcome, choice if last else {}, "the picture takes")
    if not last:
        return placement_sentences(outcome, {}, "the picture and the next move take")
    return placement_sentences(outcome, choice, "the picture and --save take", "Choose with --place.")


def _write(options: Namespace, scene: Scene, made: list[Made], hand: Hand, wanted: int, choice: dict[str, str]) -> None:
    outcomes = [one.outcome for one in made]
    if options.trace:
        from twin.reports.trace_file import write_trace

        twin = Twin(scene.machine)
        finer = [twin.act(o.before, o.move, hand, sensitivity=False, frame_rate=options.frames) for o in outcomes]
        write_trace(Path(options.trace), finer)
    if options.record:
        import json

        choices: list[dict[str, str]] = [{} for _ in made]
        if len(made) == wanted:
            choices[-1] = choice
        data = finite(record_json(outcomes, choices, as_is=options.as_is))
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
        write_whole(Path(options.record), text, durable=True)
    if options.save:
        last = outcomes[-1]
        if not last.legal:
            tell_written(options, options.trace, options.record)
            raise BarredMoveError(
                f"{options.save} was not written: {last.move} is not allowed ({', '.join(last.broken)})", last.broken
            )
        path = Path(options.save)
        title = f"{scene.title}, after {', '.join(str(o.move) for o in outcomes)}"
        after = Scene(path.stem, title[:200], scene.machine, made[-1].after)
        write_whole(path, scene_toml(after, path.absolute().parent), durable=True)
        if options.changes:
            print("twin: note: a scene holds no values of its machine; give --set again", file=sys.stderr)
    tell_written(options, options.trace, options.record, options.save)


def _choice(place: dict[str, str], scene: Scene) -> dict[str, str]:
    for ghost, space in place.items():
        if ghost not in scene.state.colours:
            problem = f"a ghost must be one of {', '.join(scene.state.colours)}; got {ghost!r}"
            raise BadInputError(problem, field="--place")
        try:
            parse_space(space)
        except BadInputError as error:
            raise error.within(field=f"--place {ghost}") from None
    return dict(place)
