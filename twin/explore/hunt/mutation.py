"""Small changes to a case: the steps of a hunt, and the simplifications that lead back out of it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from twin.board.moves import Push, Turn
from twin.board.state import COLOURS, MAX_OFFSET, Slider, State, magnets
from twin.explore.hunt.cases import Case, draw_move, is_possible

if TYPE_CHECKING:
    import random

    from twin.board.grid import Place
    from twin.board.machine import Machine

_TRIES: Final = 4
_DECIMALS: Final = 1
"""Places are tried to a tenth of a millimetre, so that a person can read what is found."""


def mutated(case: Case, machine: Machine, dice: random.Random) -> Case:
    """A case like this one, a little changed; always possible, never pushed beyond B5, of the same kind of move."""
    for _ in range(_TRIES):
        state = case.state
        for _ in range(dice.choices((1, 2, 3), (6, 3, 1))[0]):
            state = _change(state, machine, dice)
        move: Turn | Push = case.move
        if dice.random() < 0.15:
            move = _other_move(case, state, dice)
        if is_possible(state, machine) and in_reach(state, move):
            return Case(state, move, family=case.family)
    return case


def in_reach(state: State, move: Turn | Push) -> bool:
    """Whether B5 lets the move be made."""
    return isinstance(move, Turn) or abs(state.slider(move.slider).offset + move.step) <= MAX_OFFSET


def simpler(case: Case, machine: Machine) -> list[Case]:
    """Cases that are each one step simpler than this one, the greatest simplification first; possible ones only."""
    state, size = case.state, machine.space
    found = []
    if len(state.ghosts) > 1:
        found += [replace(state, ghosts=tuple(g for g in state.ghosts if g[0] != c)) for c in state.colours]
    if state.orientation:
        found.append(replace(state, orientation=0))
    usual = [Slider(name, 2 * k + 1) for k, name in enumerate(sorted(machine.sliders))]
    found.append(replace(state, sliders=tuple(usual)))
    for slider in state.sliders:
        if slider.offset:
            found.append(state.with_slider(replace(slider, offset=0)))
            nearer = slider.offset - (1 if slider.offset > 0 else -1)
            found.append(state.with_slider(replace(slider, offset=nearer)))
        if slider.flipped:
            found.append(state.with_slider(replace(slider, flipped=False)))
    for colour, (x, y) in state.ghosts:
        middle = round(x / size) * size, round(y / size) * size
        whole = float(round(x)), float(round(y))
        for place in (middle, (middle[0], y), (x, middle[1]), whole, (whole[0], y), (x, whole[1])):
            if place != (x, y):
                found.append(_placed(state, colour, place))
    return [
        Case(s, case.move, family=case.family)
        for s in found
        if s != state and weight(s, machine) < weight(state, machine) and is_possible(s, machine)
        and in_reach(s, case.move)
    ]  # fmt: skip


def weight(state: State, machine: Machine) -> tuple[float, ...]:
    """How complicated a position is; every simplification makes this smaller."""
    size = machine.space
    off = [abs(v / size - round(v / size)) > 0 for _, place in state.ghosts for v in place]
    broken = [v != round(v) for _, place in state.ghosts for v in place]
    turned = sum(abs(s.offset) + 2 * s.flipped for s in state.sliders)
    usual = sum(s.tunnel != 2 * k + 1 for k, s in enumerate(state.sliders))
    return (
        float(len(state.ghosts)),
        float(sum(off)),
        float(sum(broken)),
        float(turned + 2 * usual + (state.orientation > 0)),
    )


def _change(state: State, machine: Machine, dice: random.Random) -> State:
    """One random change of a ghost or a slider."""
    if dice.random() < 0.25:
        return _moved_slider(state, machine, dice)
    missing = [c for c in COLOURS if c not in state.colours]
    if missing and dice.random() < 0.15:
        return _placed(state, missing[0], (dice.randint(-3, 3) * machine.space, dice.randint(-3, 3) * machine.space))
    colour = dice.choice(state.colours)
    return _placed(state, colour, _new_place(state, state.places[colour], machine, dice))


def _new_place(state: State, old: Place, machine: Machine, dice: random.Random) -> Place:
    """Somewhere else for a ghost (floor frame, mm), perhaps where no ghost can stand."""
    (x, y), size = old, machine.space
    match dice.randrange(7):
        case 0:
            x, y = dice.randint(-3, 3) * size, dice.randint(-3, 3) * size
        case 1:
            dx, dy = dice.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
            x, y = x + dx * size, y + dy * size
        case 2:
            there = dice.choice(magnets(state, machine))
            x, y = there.x, there.y
        case 3:
            ox, oy = state.places[dice.choice(state.colours)]
            angle, far = dice.uniform(0.0, 2.0 * math.pi), dice.choice((2.0 * machine.radius, size))
            x, y = ox + far * math.cos(angle), oy + far * math.sin(angle)
        case 4:
            x, y = round(x / size) * size, round(y / size) * size
        case _:
            sd = dice.choice((0.3, 2.0, 8.0))
            x, y = x + dice.gauss(0.0, sd), y + dice.gauss(0.0, sd)
    return x, y


def _moved_slider(state: State, machine: Machine, dice: random.Random) -> State:
    """One slider elsewhere in its tunnel, turned end for end or not, or in another tunnel, swapped if it is taken."""
    slider = dice.choice(state.sliders)
    if dice.random() < 0.5:
        offset = dice.randint(-MAX_OFFSET, MAX_OFFSET)
        return state.with_slider(replace(slider, offset=offset, flipped=dice.random() < 0.5))
    tunnel = dice.randint(1, len(machine.tunnels))
    other = next((s for s in state.sliders if s.tunnel == tunnel), None)
    moved = state.with_slider(replace(slider, tunnel=tunnel))
    return moved if other is None or other == slider else moved.with_slider(replace(other, tunnel=slider.tunnel))


def _placed(state: State, colour: str, place: Place) -> State:
    rounded = round(place[0], _DECIMALS), round(place[1], _DECIMALS)
    return State.of(state.orientation, {**state.places, colour: rounded}, state.sliders)


def _other_move(case: Case, state: State, dice: random.Random) -> Turn | Push:
    """Another move of the same kind."""
    if isinstance(case.move, Turn):
        return Turn("ccw" if case.move.direction == "cw" else "cw")
    for _ in range(20):
        move = draw_move(state, dice)
        if isinstance(move, Push):
            return move
    return case.move
