"""Commands that make moves: `turn`, `push`, `drag`, `relocate` and `run`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from twin.cli.options import (
    AUTO,
    NOT_ALLOWED,
    add_changes,
    add_engine,
    add_json,
    add_machine,
    add_output,
    add_region,
    add_samples,
    add_scene,
    command,
    count,
    placing,
)
from twin.cli.output import Progress, announce_compiling, finite, heading, print_json, print_lines, print_pictures
from twin.cli.output_files import tell_written
from twin.cli.scenes import load
from twin.errors import BadInputError, BarredMoveError
from twin.stats import HAND, STEPS
from twin.writing import write_whole

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from twin.board.moves import Move
    from twin.board.scene import Scene
    from twin.board.state import State
    from twin.cli.options import Commands
    from twin.outcome.engine import Outcome, Twin
    from twin.outcome.ensemble import Ensemble
    from twin.physics.hand import Hand


def add(commands: Commands) -> None:
    """Add the commands to the parser's."""
    sub = command(commands, "turn", turn, "turn the board by 90° and see what becomes of the ghosts")
    add_scene(sub)
    sub.add_argument("direction", metavar="cw|ccw", choices=("cw", "ccw"), help="seen from above")
    sub.add_argument(
        "--path", metavar="FILE", help="turn along a measured path: a table of time_s and angle_rad or angle_deg (.csv)"
    )
    add_region(sub)
    _act_options(sub)
    sub = command(commands, "push", push, "push a slider by one segment")
    add_scene(sub)
    sub.add_argument("slider", metavar="SLIDER", help="its name, for example A")
    sub.add_argument("direction", metavar="north|south", choices=("north", "south"))
    _act_options(sub)
    sub = command(commands, "drag", drag, "drag a ghost to the next space")
    add_scene(sub)
    sub.add_argument("ghost", metavar="GHOST", help="red, yellow, green or blue")
    sub.add_argument(
        "direction", metavar="north|east|south|west", choices=("north", "east", "south", "west"), help="of the floor"
    )
    _act_options(sub)
    sub = command(commands, "relocate", relocate, "move a slider to another tunnel")
    add_scene(sub)
    sub.add_argument("slider", metavar="SLIDER")
    sub.add_argument("tunnel", metavar="TUNNEL", type=int, help="where it goes: 1 to 5, from the left")
    sub.add_argument("offset", metavar="OFFSET", type=int, help="how far north it ends, -2 to 2 segments")
    sub.add_argument("--flip", action="store_true", help="turn it end for end on the way")
    _act_options(sub)
    sub = command(commands, "run", run, "make several moves one after the other")
    add_scene(sub)
    sub.add_argument("moves", metavar='"MOVE"', nargs="+", help='for example "turn cw" "push A north"')
    _act_options(sub)


def _act_options(sub: ArgumentParser) -> None:
    add_engine(sub)
    add_samples(
        sub,
        "also draw N varied hands: how sure is it? auto: 100 to 2,000, until it is decided (turn and push draw so "
        "unless --json); 0: none",
        least=0,
    )
    add_json(sub)
    add_output(sub, "--save", "write the scene afterwards (.toml)", ending=".toml")
    sub.add_argument(
        "--place", metavar="GHOST=SPACE,…", type=placing, default={}, help="choose among the placements (D4, D5)"
    )
    sub.add_argument("--as-is", action="store_true", help="settled ghosts stay where physics left them, off-centre")
    add_output(sub, "--trace", "write poses, velocities, forces, energies (.csv or .parquet)")
    sub.add_argument(
        "--frames", metavar="N", type=count(), default=100, help="frames per second in --trace (default 100; 1000: all)"
    )
    add_output(sub, "--record", "write the run, for `twin replay`")
    add_machine(sub)
    add_changes(sub)


@dataclass(frozen=True)
class Made:
    """One move that was made, and the position after it."""

    outcome: Outcome
    samples: Ensemble | None
    after: State


def turn(options: Namespace) -> int:
    """`twin turn SCENE cw|ccw [--path FILE]`."""
    from twin.board.moves import Turn
    from twin.outcome.engine import KERNEL
    from twin.physics.measured import read_turn

    if options.machines is not None:
        from twin.cli import over_region

        return over_region.turn(options)
    if options.path is None:
        return _make(options, [Turn(options.direction)])
    if options.engine == KERNEL or options.record:
        raise BadInputError("a measured turn runs on pymunk and is not recorded", source=options.path, field="--path")
    return _make(options, [Turn(options.direction)], read_turn(Path(options.path)))


def push(options: Namespace) -> int:
    """`twin push SCENE SLIDER north|south`."""
    from twin.board.moves import Push

    return _make(options, [Push(options.slider, options.direction)])


def drag(options: Namespace) -> int:
    """`twin drag SCENE GHOST north|east|south|west`."""
    from twin.board.moves import Drag

    return _make(options, [Drag(options.ghost, options.direction)])


def relocate(options: Namespace) -> int:
    """`twin relocate SCENE SLIDER TUNNEL OFFSET [--flip]`."""
    from twin.board.moves import Relocate

    return _make(options, [Relocate(options.slider, options.tunnel, options.offset, options.flip)])


def run(options: Namespace) -> int:
    """`twin run SCENE "MOVE" "MOVE"…`: stops at the first move that the rules forbid."""
    from twin.board.moves import parse_move

    return _make(options, [parse_move(text) for text in options.moves])


def _make(options: Namespace, moves: list[Move], measured: Hand | None = None) -> int:
    from twin.outcome.engine import Twin
    from twin.physics.hand import NOMINAL

    hand = measured or NOMINAL
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
    from twin.board.moves import Push, Turn
    from twin.outcome.engine import KERNEL
    from twin.outcome.ensemble import sample_move, sampler

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
    from twin.reports.as_json import outcome_json
    from twin.reports.sentences import ensemble_sentences, outcome_sentences

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
        print_lines(outcome_sentences(one.outcome, _placing(one.outcome, choice, last=number == len(moves))))
        if one.samples is not None:
            if one.samples is first:
                print(HAND)
            print_lines(ensemble_sentences(one.samples))
        if number < len(made):
            print()
    if not made[-1].outcome.legal and len(made) < len(moves):
        print(f"Stopped here: {len(moves) - len(made)} of {len(moves)} moves were not made.")


def _placing(outcome: Outcome, choice: dict[str, str], *, last: bool) -> list[str]:
    """The ways to place the ghosts, and which of them the picture, and what comes after it, take."""
    from twin.reports.sentences import placement_sentences

    if not outcome.legal:
        return placement_sentences(outcome, choice if last else {}, "the picture takes")
    if not last:
        return placement_sentences(outcome, {}, "the picture and the next move take")
    return placement_sentences(outcome, choice, "the picture and --save take", "Choose with --place.")


def _write(options: Namespace, scene: Scene, made: list[Made], hand: Hand, wanted: int, choice: dict[str, str]) -> None:
    outcomes = [one.outcome for one in made]
    if options.trace:
        from twin.outcome.engine import Twin
        from twin.reports.trace_file import write_trace

        twin = Twin(scene.machine)
        finer = [twin.act(o.before, o.move, hand, sensitivity=False, frame_rate=options.frames) for o in outcomes]
        write_trace(Path(options.trace), finer)
    if options.record:
        import json

        from twin.reports.run_record import record_json

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
        from twin.board.scene import Scene, scene_toml

        path = Path(options.save)
        title = f"{scene.title}, after {', '.join(str(o.move) for o in outcomes)}"
        after = Scene(path.stem, title[:200], scene.machine, made[-1].after)
        write_whole(path, scene_toml(after, path.absolute().parent), durable=True)
        if options.changes:
            print("twin: note: a scene holds no values of its machine; give --set again", file=sys.stderr)
    tell_written(options, options.trace, options.record, options.save)


def _choice(place: dict[str, str], scene: Scene) -> dict[str, str]:
    from twin.board.state import parse_space

    for ghost, space in place.items():
        if ghost not in scene.state.colours:
            problem = f"a ghost must be one of {', '.join(scene.state.colours)}; got {ghost!r}"
            raise BadInputError(problem, field="--place")
        try:
            parse_space(space)
        except BadInputError as error:
            raise error.within(field=f"--place {ghost}") from None
    return dict(place)
