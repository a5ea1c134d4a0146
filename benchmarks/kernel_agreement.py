"""Whether the kernel ends as the reference engine does, ghost by ghost, on random turns and pushes of four ghosts.

An outcome is a ghost's fate and the spaces that it covers. Ghosts that touched no other ghost, on either engine, are
counted apart from those that did: contacts magnify the last digits. Every disagreement must be one that a person's
hand could not repeat either: `chancy` (one of 40 varied hands gives that ghost another outcome, on the kernel) or too
close to call (`Twin.act` finds another outcome a tenth of a millimetre, or half a step, away). Since chance alone
would excuse some, the share of all ghosts that are chancy is measured beside it. As a control, the same comparison is
made with a reference engine whose ghosts start a tenth of a millimetre away: it must find differences.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from twin.board.machine import load_machine
from twin.board.moves import Push, Turn
from twin.board.state import COLOURS, MAX_OFFSET, State
from twin.outcome.engine import Twin
from twin.outcome.many import simulate_many
from twin.outcome.riding_share import random_state
from twin.physics.hand import varied_hand
from twin.physics.starts import nudged
from twin.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twin.board.grid import Place
    from twin.board.moves import Move
    from twin.outcome.outcomes import Outcomes

TITLE: Final = "Kernel agreement: the same outcomes as the reference engine"

TURNS: Final = 2000
PUSHES: Final = 1000
SEED: Final = 1
HANDS: Final = 40
"""Varied hands that tell whether a ghost's outcome is chancy."""
BASE: Final = 100
"""Moves of each kind whose ghosts are all tested for being chancy."""
_QUICK: Final = (100, 50)
_KINDS: Final = ("turns", "pushes")

Key = tuple[str, tuple[str, ...]]


class Seen(NamedTuple):
    """What the reference engine did to a ghost."""

    key: Key
    place: Place | None
    touched: bool
    """Whether it touched another ghost."""


@dataclass(frozen=True)
class Disagreement:
    """A ghost that ends otherwise on the kernel."""

    kind: str
    scene: int
    move: str
    ghost: str
    reference: str
    """Fate and covered spaces there …"""
    kernel: str
    """… and here."""
    touched: bool
    fates: tuple[str, str]
    chancy: bool
    """Whether a varied hand gives it another outcome."""
    reached: bool
    """Whether one of those is the reference engine's."""
    too_close: bool


def measure(*, quick: bool) -> dict[str, object]:
    """Shares of equal outcomes, distances of places, and every disagreement."""
    counts = dict(zip(_KINDS, _QUICK if quick else (TURNS, PUSHES), strict=True))
    spawn = multiprocessing.get_context("spawn")  # the same on every platform
    found: list[Disagreement] = []
    result: dict[str, object] = {"seed": SEED, "hands": HANDS}
    with ProcessPoolExecutor(os.cpu_count(), spawn) as pool:
        for kind, count in counts.items():
            references = list(pool.map(partial(reference, kind), range(count), chunksize=10))
            part, different = compare(kind, references)
            close = list(pool.map(partial(too_close, kind), sorted({scene for scene, _, _ in different})))
            flagged = {(scene, colour) for scene, colours in close for colour in colours}
            found += [judged(kind, scene, colour, seen, flagged) for scene, colour, seen in different]
            shifted = list(pool.map(partial(reference, kind, displaced=True), range(min(count, BASE)), chunksize=10))
            control = _counted(len(compare(kind, shifted)[1]), sum(map(len, shifted)))
            result[kind] = part | {"chancy": base_rate(kind, min(count, BASE)), "control": control}
    result["fates"] = dict(Counter(f"{a} → {b}" for a, b in (d.fates for d in found)).most_common())
    result["disagreements"] = [asdict(disagreement) for disagreement in found]
    result["not_chancy"] = sum(not d.chancy for d in found)
    result["not_too_close"] = sum(not d.too_close for d in found)
    result["neither"] = sum(not d.chancy and not d.too_close for d in found)
    return result


def lines(result: dict[str, object]) -> list[str]:
    """The result in words."""
    said = []
    for kind in _KINDS:
        part = cast("Mapping[str, Any]", result[kind])
        said.append(f"{part['moves']} random {kind} of four ghosts")
        for key, who in (("touched_nobody", "touched nobody"), ("touched_somebody", "touched somebody")):
            group = part[key]
            said.append(f"  ghosts that {who}: {_percent(group)} alike; {_distances(group['distance'])}")
        said.append(f"  whole {kind}: {_percent(part['whole'])} alike")
        said.append(f"  chancy ghosts among all: {_percent(part['chancy'])}")
        said.append(f"  control, ghosts that end otherwise from starts 0.1 mm away: {_percent(part['control'])}")
    found = cast("list[dict[str, Any]]", result["disagreements"])
    said.append(f"disagreements: {len(found)}; fates on the reference engine → on the kernel:")
    said += [f"  {count:4d}  {pair}" for pair, count in cast("dict[str, int]", result["fates"]).items()]
    said.append(
        f"of them chancy within {result['hands']} varied hands: {len(found) - cast('int', result['not_chancy'])} "
        f"(the very outcome of the reference engine among them: {sum(d['reached'] for d in found)}); "
        f"too close to call: {len(found) - cast('int', result['not_too_close'])}"
    )
    said.append(f"neither chancy nor too close to call: {result['neither']} (the goal is 0)")
    for d in found:
        if not d["chancy"]:
            words = "too close to call" if d["too_close"] else "NOT EXPLAINED"
            said.append(
                f"  {d['kind']} {d['scene']}, {d['move']}, {d['ghost']}: {d['reference']} → {d['kernel']}, {words}"
            )
    return said


def play(kind: str, index: int) -> tuple[State, Move]:
    """A random position of four ghosts under a random orientation, and a turn or a push that can be made there."""
    machine, dice = load_machine(), random.Random(f"kernel agreement {SEED} {kind} {index}")
    state = random_state(machine, dice)
    state = State.of(dice.randrange(4), state.places, state.sliders)
    if kind == "turns":
        return state, Turn("cw" if dice.random() < 0.5 else "ccw")
    slider = dice.choice(state.sliders)
    north = slider.offset < MAX_OFFSET and (slider.offset == -MAX_OFFSET or dice.random() < 0.5)
    return state, Push(slider.name, "north" if north else "south")


def reference(kind: str, index: int, *, displaced: bool = False) -> dict[str, Seen]:
    """What the reference engine makes of one play, by ghost; `displaced`: from starts a tenth of a millimetre away."""
    state, move = play(kind, index)
    outcome = Twin(load_machine()).act(nudged(state, 0) if displaced else state, move, sensitivity=False)
    return {c: Seen(g.key, g.place, not set(COLOURS).isdisjoint(g.touched)) for c, g in outcome.ghosts}


def too_close(kind: str, index: int) -> tuple[int, list[str]]:
    """The ghosts of one play whose outcome is too close to call on the reference engine."""
    state, move = play(kind, index)
    return index, [c for c, ghost in Twin(load_machine()).act(state, move).ghosts if ghost.too_close]


def compare(
    kind: str, references: Sequence[Mapping[str, Seen]]
) -> tuple[dict[str, object], list[tuple[int, str, tuple[Seen, Seen]]]]:
    """Both engines on all plays of a kind: figures, and the ghosts that end otherwise (reference, kernel)."""
    plays = [play(kind, index) for index in range(len(references))]
    outcomes = simulate_many([state for state, _ in plays], [move for _, move in plays], machine=load_machine())
    alike: dict[bool, list[bool]] = {False: [], True: []}
    apart: dict[bool, list[float]] = {False: [], True: []}
    different = []
    for n, ghosts in enumerate(references):
        for colour, there in ghosts.items():
            here = _seen(outcomes, n, colour)
            touched = there.touched or here.touched
            alike[touched].append(there.key == here.key)
            if there.place is not None and here.place is not None:
                apart[touched].append(math.dist(there.place, here.place))
            if there.key != here.key:
                different.append((n, colour, (there, here)))
    groups = {
        name: _counted(sum(alike[touched]), len(alike[touched])) | {"distance": _spread(apart[touched])}
        for name, touched in (("touched_nobody", False), ("touched_somebody", True))
    }
    whole = _counted(len(plays) - len({n for n, _, _ in different}), len(plays))
    return {"moves": len(plays), **groups, "whole": whole}, different


def judged(kind: str, scene: int, colour: str, seen: tuple[Seen, Seen], flagged: set[tuple[int, str]]) -> Disagreement:
    """A disagreement, with what a varied hand and the reference engine's own sensitivity say about it."""
    state, move = play(kind, scene)
    there, here = seen
    varied = varied_keys([(state, move)])
    others = {keys[colour] for keys in varied[0]} - {here.key}
    return Disagreement(
        kind=kind,
        scene=scene,
        move=str(move),
        ghost=colour,
        reference=_words(there.key),
        kernel=_words(here.key),
        touched=there.touched or here.touched,
        fates=(there.key[0], here.key[0]),
        chancy=bool(others),
        reached=there.key in others,
        too_close=(scene, colour) in flagged,
    )


def base_rate(kind: str, count: int) -> dict[str, object]:
    """How many of all ghosts are chancy: what the same test says when there is nothing to explain."""
    plays = [play(kind, index) for index in range(count)]
    nominal = simulate_many([state for state, _ in plays], [move for _, move in plays], machine=load_machine())
    chancy = total = 0
    for n, samples in enumerate(varied_keys(plays)):
        for colour, key in nominal.key(n):
            total += 1
            chancy += any(keys[colour] != key for keys in samples)
    return _counted(chancy, total)


def varied_keys(plays: Sequence[tuple[State, Move]]) -> list[list[dict[str, Key]]]:
    """Outcomes of each play under `HANDS` varied hands, on the kernel, by ghost."""
    machine = load_machine()
    states = [state for state, _ in plays for _ in range(HANDS)]
    moves = [move for _, move in plays for _ in range(HANDS)]
    hands = [varied_hand(machine, len(state.ghosts), SEED, k) for state, _ in plays for k in range(HANDS)]
    outcomes = simulate_many(states, moves, machine=machine, hands=hands)
    return [[dict(outcomes.key(n * HANDS + k)) for k in range(HANDS)] for n in range(len(plays))]


def _seen(outcomes: Outcomes, n: int, colour: str) -> Seen:
    x, y = map(float, outcomes.end[n, COLOURS.index(colour)])
    touched = not set(COLOURS).isdisjoint(outcomes.touched_by(n, colour))
    key = outcomes.fate_of(n, colour), outcomes.covers_of(n, colour)
    return Seen(key, None if math.isnan(x) else (x, y), touched)


def _spread(distances: list[float]) -> dict[str, float] | None:
    if not distances:
        return None
    median, most = np.quantile(distances, [0.5, 0.95])
    return {"median": float(median), "p95": float(most), "max": max(distances)}


def _counted(hits: int, trials: int) -> dict[str, object]:
    return {"hits": hits, "of": trials, "share": hits / trials if trials else None, "interval": wilson(hits, trials)}


def _percent(part: Mapping[str, Any]) -> str:
    low, high = part["interval"]
    share = "none to count" if part["share"] is None else f"{part['share']:.2%}"
    return f"{share} ({part['hits']} of {part['of']}; 95 % interval {low:.2%} to {high:.2%})"


def _distances(distance: Mapping[str, float] | None) -> str:
    if distance is None:
        return "no places to compare"
    return f"apart by {distance['median']:.2g} mm (median), {distance['p95']:.2g} (95 %), {distance['max']:.2g} (most)"


def _words(key: Key) -> str:
    return f"{key[0]} {'+'.join(key[1]) or 'off'}"
