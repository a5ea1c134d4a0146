"""`--machines region:N` on `turn`, `explore` and `validate`: what holds for every machine that fits the rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from twin.board.moves import Push, Turn
from twin.board.state import MAX_OFFSET
from twin.cli.options import FOUND, NOT_ALLOWED
from twin.cli.output import Progress, announce_compiling, heading, print_json, print_lines
from twin.cli.scenes import load, machine_of
from twin.errors import BadInputError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from twin.board.machine import Machine
    from twin.board.scene import Scene
    from twin.board.state import State
    from twin.calibrate.evidence.region_machines import Prediction
    from twin.explore.claims.let_it_happen import Validation

ALONE: Final = ("save", "trace", "record", "png", "html", "out")
"""Options for one machine, which a region has no answer to."""


def turn(options: Namespace) -> int:
    """`twin turn SCENE cw|ccw --machines region:N`: the usual answer on the scene's machine, and over the region."""
    from twin.outcome.engine import Twin
    from twin.reports.as_json import outcome_json
    from twin.reports.sentences import outcome_sentences

    _refuse(options)
    scene = load(options)
    move = Turn(options.direction)
    outcome = Twin(scene.machine, options.engine).act(scene.state, move)
    found, misfits = _predicted(options, scene, [move])
    if options.json:
        print_json({**outcome_json(outcome), "region": _json(options, found, misfits)})
    else:
        heading(f"{scene.title}: {move}")
        print_lines(outcome_sentences(outcome))
        _print(found, misfits)
    return 0 if outcome.legal else NOT_ALLOWED


def explore(options: Namespace) -> int:
    """`twin explore SCENE --machines region:N`: every turn and push over the region."""
    _refuse(options)
    scene = load(options)
    found, misfits = _predicted(options, scene, moves_of(scene.state))
    if options.json:
        data = {"schema": 1, "scene": scene.name, "machine": scene.machine.name}
        print_json({**data, "region": _json(options, found, misfits)})
    else:
        heading(f"{scene.title}: every turn and push")
        _print(found, misfits)
    return 0


def validate(options: Namespace) -> int:
    """`twin validate let-it-happen --machines region:N`: `--samples` moves in all, shared out among the machines."""
    from twin.calibrate.evidence.facts import DEFAULT_EVIDENCE
    from twin.explore.claims.let_it_happen import validate as put_to_the_proof

    _refuse(options)
    machines = _machines(options, machine_of(options))
    each = max(options.samples // len(machines), 1)
    progress = Progress(len(machines), "machines")
    found: list[Validation] = []
    for number, machine in enumerate(machines):
        found.append(put_to_the_proof(machine, each, options.seed + number, fingers=0))
        progress(number + 1)
    claims = _claims(found)
    broken = [claim for claim in claims if claim["kind"] == "must_hold" and claim["broken"]]
    if options.json:
        region = {"n": len(machines), "evidence": DEFAULT_EVIDENCE, "seed": options.seed, "moves_each": each}
        print_json({"turns": each * len(machines), "seed": options.seed, "region": region, "claims": claims})
        return FOUND if broken else 0
    heading(f"{len(machines)} machines that fit the rulebook, {each} moves on each (seed {options.seed})")
    for claim in claims:
        print(f"  {_claim_line(claim, len(machines))}")
    return FOUND if broken else 0


def moves_of(state: State) -> list[Turn | Push]:
    """Both turns, and every push that stays within B5."""
    turns: list[Turn | Push] = [Turn("cw"), Turn("ccw")]
    pushes = [Push(slider.name, way) for slider in state.sliders for way in ("north", "south")]
    return turns + [p for p in pushes if abs(state.slider(p.slider).offset + p.step) <= MAX_OFFSET]


def _claim_line(claim: dict[str, Any], machines: int) -> str:
    """On how many machines a claim breaks, or how often, and on how many, something happens."""
    on = f"on {claim['machines_broken']} of {machines} machines"
    if claim["kind"] == "must_hold":
        return f"{f'BROKEN {on}' if claim['broken'] else 'holds on every machine'}: {claim['claim']}"
    return f"{claim['finding'][:-1]}, {on}."


def _predicted(options: Namespace, scene: Scene, moves: Sequence[Turn | Push]) -> tuple[tuple[Prediction, ...], int]:
    """The moves over the region, and the number of machines that the position does not fit on."""
    from twin.board.scene import load_scene
    from twin.calibrate.evidence.region_machines import predictions

    machines, states = [], []
    drawn = _machines(options, scene.machine)
    for machine in drawn:
        try:
            states.append(load_scene(options.scene, machine).state)
        except BadInputError:  # exact places that overlap, or lie beyond the edge, where sizes differ
            continue
        machines.append(machine)
    if not machines:
        raise BadInputError("the position fits on none of the machines", source=options.scene, field="--machines")
    progress = Progress(len(machines), "machines")
    return predictions(machines, states, moves, progress), len(drawn) - len(machines)


def _machines(options: Namespace, base: Machine) -> tuple[Machine, ...]:
    from twin.calibrate.evidence.region_machines import region

    if options.seed < 0:
        raise BadInputError(f"must not be negative with --machines; got {options.seed}", field="--seed")
    announce_compiling()
    progress = Progress(options.machines, "machines found")
    fixed = [key for key, _ in options.changes]
    try:
        return region(base, options.machines, options.seed, fixed=fixed, progress=progress)
    except BadInputError as error:
        raise BadInputError(error.problem, field="--machines") from None


def _refuse(options: Namespace) -> None:
    for name in ALONE:
        if getattr(options, name, None):
            raise BadInputError("tells of one machine; leave it out, or --machines", field=f"--{name}")


def _json(options: Namespace, found: tuple[Prediction, ...], misfits: int) -> dict[str, Any]:
    from twin.calibrate.evidence.facts import DEFAULT_EVIDENCE
    from twin.reports.region_words import predictions_json

    return predictions_json(found, evidence=DEFAULT_EVIDENCE, seed=options.seed, misfits=misfits)


def _print(found: tuple[Prediction, ...], misfits: int) -> None:
    from twin.reports.region_words import prediction_lines

    print(f"Over {found[0].size} machines that do all that the rulebook says, by the nominal hand:")
    for one in found:
        print(f"{one.move}: {'the same on every machine' if one.same else 'depends on the machine'}")
        print_lines(prediction_lines(one))
    if misfits:
        print(f"The position does not fit on {misfits} more machines, whose sizes differ.")


def _claims(found: Sequence[Validation]) -> list[dict[str, Any]]:
    """Every claim, with its counts over all machines and on how many of them it broke; a finding as a sentence."""
    from twin.reports.claims_page import finding_sentence

    total: dict[str, dict[str, Any]] = {}
    for validation in found:
        for claim in validation.claims:
            empty = {"claim": claim.claim, "kind": claim.kind, "held": 0, "broken": 0, "machines_broken": 0}
            entry = total.setdefault(claim.claim, empty)
            entry["held"] += claim.held
            entry["broken"] += claim.broken
            entry["machines_broken"] += bool(claim.broken)
            if claim.kind == "finding":
                entry["finding"] = finding_sentence(claim.happens, entry["broken"], entry["held"] + entry["broken"])
    return list(total.values())
