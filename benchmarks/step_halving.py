"""How often half the step changes an outcome of the reference engine, and whether the twin had warned of it.

Random turns and pushes of four ghosts are run with the usual step and with half of it. An outcome (fate and covered
spaces) that changes is numerics, so it must be rare, and be flagged as too close to call. `Twin.act` tests half the
step itself, so it flags every change by construction; what counts is how many the eight displacements of a tenth of a
millimetre find without having seen the half step.
"""

from __future__ import annotations

import multiprocessing
import os
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from twin.board.moves import Push, Turn
from twin.board.state import COLOURS, MAX_OFFSET
from twin.outcome.engine import Twin
from twin.outcome.riding_share import random_state
from twin.physics.hand import NOMINAL
from twin.physics.numerics import FRAME_RATE, STEP
from twin.physics.starts import NUDGES, nudged
from twin.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State

TITLE: Final = "Half the step: which outcomes change"

SCENES: Final = 300
SEED: Final = 1
_QUICK: Final = 40


@dataclass(frozen=True)
class Change:
    """A ghost whose outcome differs at half the step."""

    scene: int
    move: str
    ghost: str
    step: str
    """Fate and covered spaces with the usual step …"""
    half_step: str
    """… and with half of it."""
    touched: bool
    """Whether it touched another ghost, in either run."""
    fate_changed: bool
    nudges: int
    """How many of the eight displacements change its outcome too."""

    @property
    def flagged(self) -> bool:
        """Whether the displacements alone call it too close."""
        return self.nudges > 0


@dataclass(frozen=True)
class Scene:
    """What one scene adds to the counts."""

    alone: int
    """Ghosts that touched nobody in either run."""
    together: int
    changes: tuple[Change, ...]


def measure(*, quick: bool) -> dict[str, object]:
    """Shares of changed outcomes, with 95 % intervals, and every change."""
    scenes = compare(_QUICK if quick else SCENES)
    changes = [change for scene in scenes for change in scene.changes]
    alone, together = sum(s.alone for s in scenes), sum(s.together for s in scenes)
    return {
        "scenes": len(scenes),
        "seed": SEED,
        "touched_nobody": _share([c for c in changes if not c.touched], alone),
        "touched_somebody": _share([c for c in changes if c.touched], together),
        "flagged_by_nudges": _counted(sum(c.flagged for c in changes), len(changes)),
        "changes": [asdict(change) for change in changes],
    }


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    said = [f"{result['scenes']} random turns and pushes of four ghosts, steps of {STEP * 1e3:g} and {STEP * 500:g} ms"]
    for key, who in (("touched_nobody", "touched nobody"), ("touched_somebody", "touched somebody")):
        part = cast("Mapping[str, Any]", result[key])
        said.append(f"ghosts that {who}: {_percent(part)} changed; {part['fates']} of {part['hits']} in their fate")
    flagged = cast("Mapping[str, Any]", result["flagged_by_nudges"])
    said.append(f"changes that {NUDGES} displacements of the starts flag as too close to call: {_percent(flagged)}")
    rest = [c for c in cast("list[dict[str, Any]]", result["changes"]) if c["nudges"] == 0]
    said.append(f"not flagged by them: {len(rest)}")
    said += [f"  scene {c['scene']}, {c['move']}, {c['ghost']}: {c['step']} → {c['half_step']}" for c in rest]
    return said


def compare(count: int, seed: int = SEED) -> list[Scene]:
    """The first `count` scenes of a seed, spread over all cores."""
    spawn = multiprocessing.get_context("spawn")  # the same on every platform
    with ProcessPoolExecutor(os.cpu_count(), spawn) as pool:
        return list(pool.map(partial(compare_scene, seed=seed), range(count), chunksize=5))


def compare_scene(index: int, seed: int = SEED) -> Scene:
    """One scene of a seed, at both steps."""
    twin = Twin()
    state, move = random_play(twin.machine, random.Random(f"step halving {seed} {index}"))
    usual = twin.act(state, move, sensitivity=False)
    half = twin._run(state, move, NOMINAL, STEP / 2, FRAME_RATE)  # noqa: SLF001 - the one way to another step
    touched = {c for run in (usual, half) for c, ghost in run.ghosts if not set(COLOURS).isdisjoint(ghost.touched)}
    changed = [colour for colour, ghost in usual.ghosts if ghost.key != half.ghost(colour).key]
    changes = []
    if changed:
        nudges = [twin.act(nudged(state, number), move, sensitivity=False) for number in range(NUDGES)]
        for colour in changed:
            one, other = usual.ghost(colour), half.ghost(colour)
            hits = sum(outcome.ghost(colour).key != one.key for outcome in nudges)
            fate_changed = one.fate != other.fate
            words = _words(one.key), _words(other.key)
            changes.append(Change(index, str(move), colour, *words, colour in touched, fate_changed, hits))
    return Scene(len(usual.ghosts) - len(touched), len(touched), tuple(changes))


def random_play(machine: Machine, dice: random.Random) -> tuple[State, Move]:
    """A random position of four ghosts and a turn or a push that can be made there, each as likely as the other."""
    state = random_state(machine, dice)
    if dice.random() < 0.5:
        return state, Turn("cw" if dice.random() < 0.5 else "ccw")
    slider = dice.choice(state.sliders)
    north = slider.offset < MAX_OFFSET and (slider.offset == -MAX_OFFSET or dice.random() < 0.5)
    return state, Push(slider.name, "north" if north else "south")


def _share(changes: list[Change], ghosts: int) -> dict[str, object]:
    return _counted(len(changes), ghosts) | {"fates": sum(change.fate_changed for change in changes)}


def _counted(hits: int, trials: int) -> dict[str, object]:
    return {"hits": hits, "of": trials, "share": hits / trials if trials else None, "interval": wilson(hits, trials)}


def _percent(part: Mapping[str, Any]) -> str:
    low, high = part["interval"]
    share = "none to count" if part["share"] is None else f"{part['share']:.2%}"
    return f"{share} ({part['hits']} of {part['of']}; 95 % interval {low:.2%} to {high:.2%})"


def _words(key: tuple[str, tuple[str, ...]]) -> str:
    return f"{key[0]} {'+'.join(key[1]) or 'off'}"
