"""Recorded runs: everything that is needed to run a scene's moves again and to check whether the same bytes come out.

A record is JSON of a few kB: the position, the machine's values, the moves with the choices that were made, versions,
a hash of the parameters, each outcome and each trace's hash with checkpoints along its time.
"""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from twin.board.castle import parse_castle
from twin.board.machine import Machine, SegmentMagnet
from twin.board.moves import parse_move
from twin.board.quantities import KEYS, Quantity, is_number, parse_value
from twin.board.state import Slider, State, validate_state
from twin.errors import BadInputError, TwinError, shown, visible
from twin.files import read_json
from twin.outcome.engine import Outcome, Twin
from twin.physics.numerics import FRAME_RATE
from twin.physics.trace import CHUNK
from twin.reports.as_json import outcome_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from twin.physics.trace import Trace

KIND: Final = "twin record"
SCHEMA: Final = 1
MOST_BYTES: Final = 3_000_000
"""A record of a thousand moves has about 3 MB."""


class Divergence(NamedTuple):
    """Where a replay first differs from its record."""

    move: int
    """Number of the move, from 1."""
    time: float | None
    """Start of the first stretch of the trace that differs, s; None if only the outcome does."""
    what: str


def record_json(outcomes: Sequence[Outcome], choices: Sequence[dict[str, str]], *, as_is: bool) -> dict[str, Any]:
    """The record of moves made one after the other; `choices` are the placements that were asked for after each."""
    first = outcomes[0]
    return {
        "kind": KIND,
        "schema": SCHEMA,
        "versions": versions(),
        "parameters": first.machine.fingerprint,
        "machine": _machine_json(first.machine),
        "state": _state_json(first.before),
        "as_is": as_is,
        "engine": first.engine,
        "moves": [
            {
                "move": str(outcome.move),
                "place": choice,
                "outcome": outcome_json(outcome),
                "trace": None if outcome.trace is None else _trace_json(outcome.trace),
            }
            for outcome, choice in zip(outcomes, choices, strict=True)
        ],
    }


def versions() -> dict[str, str]:
    """What a run's bytes may depend on."""
    names = {"twin": "mauer-twin", "pymunk": "pymunk", "numpy": "numpy"}
    found = {name: version(package) for name, package in names.items()}
    return found | {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}


def read_record(path: Path) -> dict[str, Any]:
    """A record from its file."""
    data = read_json(path, MOST_BYTES)
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise BadInputError(f"must be a record written with --record (kind = {KIND!r})", source=str(path))
    if data.get("schema") != SCHEMA:
        problem = f"must be {SCHEMA}; got {shown(data.get('schema'))}"
        raise BadInputError(problem, source=str(path), field="schema")
    if not isinstance(data.get("moves"), list) or not data["moves"]:
        raise BadInputError("must be a list of one move or more", source=str(path), field="moves")
    if not isinstance(data.get("versions", {}), dict):
        raise BadInputError("must be a table", source=str(path), field="versions")
    return data


def replay(path: Path) -> Divergence | None:
    """Run a record again; None if every byte of every trace and every outcome is the same."""
    data = read_record(path)
    try:
        return _replayed(data)
    except TwinError as error:
        problem = error.problem if isinstance(error, BadInputError) else str(error)
        field = error.field if isinstance(error, BadInputError) else ""
        raise BadInputError(problem, source=str(path), field=field) from None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise BadInputError(f"is not a whole record: {visible(repr(error))}"[:300], source=str(path)) from None


def _replayed(data: dict[str, Any]) -> Divergence | None:
    machine = _machine(data["machine"])
    changed = machine.fingerprint != data["parameters"]
    state = _state(data["state"])
    validate_state(state, machine)
    twin = Twin(machine, str(data["engine"]))
    for number, step in enumerate(data["moves"], start=1):
        outcome = twin.act(state, parse_move(step["move"]))
        found = _compared(number, step, outcome)
        if found is not None:
            return found._replace(what=f"{found.what}; the machine's parameters were changed") if changed else found
        if outcome.legal:
            state = outcome.after(dict(step["place"]), as_is=bool(data["as_is"]))
    return Divergence(1, None, "the machine's parameters were changed, without effect") if changed else None


def _compared(number: int, step: dict[str, Any], outcome: Outcome) -> Divergence | None:
    then, now = step["trace"], None if outcome.trace is None else _trace_json(outcome.trace)
    if then is not None and now is not None and then["hash"] != now["hash"]:
        pairs = zip(then["checkpoints"], now["checkpoints"], strict=False)
        same = next((k for k, (a, b) in enumerate(pairs) if a != b), None)
        if same is None:
            same = min(len(then["checkpoints"]), len(now["checkpoints"]))
        return Divergence(number, same * CHUNK / FRAME_RATE, "the traces part company")
    if (then is None) != (now is None):
        return Divergence(number, None, "one of the two was not simulated")
    before, after = step["outcome"], json.loads(json.dumps(outcome_json(outcome)))
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key):
            text = f"the outcome's {key} differs: {before.get(key)} then, {after.get(key)} now"
            return Divergence(number, None, text)
    return None


def _trace_json(trace: Trace) -> dict[str, Any]:
    return {"hash": trace.digest(), "every": CHUNK / FRAME_RATE, "checkpoints": list(trace.checkpoints())}


def _machine_json(machine: Machine) -> dict[str, Any]:
    return {
        "name": machine.name,
        "values": machine.values(),
        "columns": list(machine.columns),
        "sliders": {name: [list(m) for m in magnets] for name, magnets in machine.sliders.items()},
        "castle": machine.castle.drawing,
        "garments": machine.castle.legend(),
    }


def _machine(data: dict[str, Any]) -> Machine:
    values = {key: parse_value(key, data["values"][key], f"machine.values.{key}") for key in KEYS}
    return Machine(
        name=str(data["name"]),
        title=str(data["name"]),
        quantities={key: Quantity(v, KEYS[key].unit, "assumed", (v, v)) for key, v in values.items()},
        columns=tuple(_whole(c, "machine.columns") for c in data["columns"]),
        sliders={
            str(name): tuple(
                SegmentMagnet(*(_whole(n, f"machine.sliders.{name}") for n in magnet)) for magnet in magnets
            )
            for name, magnets in sorted(data["sliders"].items())
        },
        castle=parse_castle(data["castle"], data["garments"]),
    )


def _state_json(state: State) -> dict[str, Any]:
    return {
        "orientation": state.orientation,
        "ghosts": {colour: list(place) for colour, place in state.ghosts},
        "sliders": [[s.name, s.tunnel, s.offset, s.flipped] for s in state.sliders],
    }


def _state(data: dict[str, Any]) -> State:
    ghosts = {
        str(colour): (_finite(x, f"state.ghosts.{colour}"), _finite(y, f"state.ghosts.{colour}"))
        for colour, (x, y) in data["ghosts"].items()
    }
    sliders = [
        Slider(str(n), _whole(t, "state.sliders"), _whole(o, "state.sliders"), flipped=bool(f))
        for n, t, o, f in data["sliders"]
    ]
    return State.of(_whole(data["orientation"], "state.orientation"), ghosts, sliders)


def _finite(value: Any, field: str) -> float:  # noqa: ANN401 - as JSON gives it
    if not is_number(value):
        raise BadInputError(f"must be a finite number; got {shown(value)}", field=field)
    return float(value)


def _whole(value: object, field: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInputError(f"must be a whole number; got {shown(value)}", field=field)
    return value
