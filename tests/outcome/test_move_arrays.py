"""Moves given as arrays do what the same moves do as objects, and what cannot be is refused by array and row."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from twin.board.grid import SPACES, centre
from twin.board.machine import load_machine
from twin.board.moves import Push, Turn, parse_move
from twin.board.state import COLOURS, Slider, State
from twin.errors import BadInputError
from twin.outcome.many import simulate_many
from twin.outcome.move_arrays import MoveArrays, move_names, simulate_arrays
from twin.outcome.riding_share import random_state
from twin.physics.hand import Hand, varied_hand

MACHINE = load_machine()
NAMES = move_names(MACHINE)
SIZE = 150


def drawn(seed: int) -> tuple[list[State], list[Turn | Push], list[Hand]]:
    """Random turns and pushes of one to four ghosts, some colours missing, under any orientation, by varied hands."""
    dice = random.Random(seed)
    states, moves, hands = [], [], []
    for number in range(SIZE):
        found = random_state(MACHINE, dice)
        chosen = sorted(dice.sample(COLOURS, dice.randint(1, 4)), key=COLOURS.index)
        orientation = dice.randrange(4)
        spaces = dict(zip(chosen, dice.sample([s for s in SPACES if s != "d4"], len(chosen)), strict=True))
        places = {colour: centre(space, MACHINE.space, orientation) for colour, space in spaces.items()}
        states.append(State.of(orientation, places, found.sliders))
        slider = dice.choice(found.sliders)
        push = Push(slider.name, "north" if slider.offset < 2 else "south")
        moves.append(dice.choice((Turn("cw"), Turn("ccw"), push)))
        hands.append(varied_hand(MACHINE, len(chosen), seed, number))
    return states, moves, hands


def as_arrays(states, moves, hands=None) -> dict[str, np.ndarray]:
    """The same as arrays; ghosts as spaces, which all of them stand on."""
    number = {(space, o): centre(space, MACHINE.space, o) for space in SPACES for o in range(4)}
    spaces = np.full((len(states), 4), -1)
    sliders = np.zeros((len(states), 3, 3), np.int64)
    for n, state in enumerate(states):
        for colour, place in state.ghosts:
            at = next(k for k, space in enumerate(SPACES) if number[space, state.orientation] == place)
            spaces[n, COLOURS.index(colour)] = at
        sliders[n] = [(s.tunnel, s.offset, s.flipped) for s in state.sliders]
    given = {
        "moves": np.array([NAMES.index(str(move)) for move in moves]),
        "sliders": sliders,
        "spaces": spaces,
        "orientation": np.array([state.orientation for state in states]),
    }
    if hands is not None:
        given["hands"] = np.array([(h.pace, *h.warp, *[0.0] * (3 - len(h.warp)), h.misalignment) for h in hands])
        given["shifts"] = np.zeros((len(states), 4, 2))
        for n, hand in enumerate(hands):
            given["shifts"][n, : len(hand.shifts)] = hand.shifts
    return given


def with_places(given, states):
    """The same moves with the ghosts at places."""
    places = np.full((len(states), 4, 2), np.nan)
    for n, state in enumerate(states):
        for colour, place in state.ghosts:
            places[n, COLOURS.index(colour)] = place
    return {name: array for name, array in given.items() if name != "spaces"} | {"places": places}


@pytest.fixture(scope="module")
def moves_and_arrays():
    states, moves, hands = drawn(5)
    return states, moves, hands, as_arrays(states, moves, hands)


def test_every_move_has_a_number():
    assert [str(parse_move(name)) for name in NAMES] == list(NAMES)
    assert len(NAMES) == 2 + 2 * len(MACHINE.sliders)


def test_arrays_do_what_the_same_objects_do(moves_and_arrays):
    """Turns and pushes of one to four ghosts, by varied hands that find the ghosts displaced."""
    states, moves, hands, given = moves_and_arrays
    wanted = simulate_many(states, moves, machine=MACHINE, hands=hands)
    assert simulate_arrays(MoveArrays(MACHINE, **given)) == wanted
    assert simulate_arrays(MoveArrays(MACHINE, **with_places(given, states))) == wanted


def test_what_is_left_out_is_nominal(moves_and_arrays):
    """Without orientation, hands and shifts the board lies at 0 and the nominal hand finds the ghosts in place."""
    states, moves, _, given = moves_and_arrays
    upright = [State.of(0, s.places, s.sliders) for s in states]
    plain = {name: given[name] for name in ("moves", "sliders")}
    plain["places"] = with_places(given, states)["places"]
    assert simulate_arrays(MoveArrays(MACHINE, **plain)) == simulate_many(upright, moves, machine=MACHINE)


def test_slices_and_chunks_are_parts_of_the_whole(moves_and_arrays):
    *_, given = moves_and_arrays
    arrays = MoveArrays(MACHINE, **given)
    whole = simulate_arrays(arrays)
    assert simulate_arrays(arrays[20:30]) == whole[20:30]
    first = 0
    for outcomes in arrays.outcomes(chunk=64):
        assert outcomes == whole[first : first + len(outcomes)]
        first += len(outcomes)
    assert first == len(whole) == len(arrays)


def test_sliders_that_are_the_same_for_all_moves_are_given_once(moves_and_arrays):
    *_, given = moves_and_arrays
    once = np.array([(1, 0, 0), (5, -1, 1), (3, 1, 0)])
    many = {**given, "sliders": np.broadcast_to(once, (SIZE, 3, 3))}
    one = MoveArrays(MACHINE, **{**given, "sliders": once})
    assert simulate_arrays(one) == simulate_arrays(MoveArrays(MACHINE, **many))
    assert simulate_arrays(one[5:9]) == simulate_arrays(one)[5:9]


def test_no_moves_have_no_outcomes(moves_and_arrays):
    *_, given = moves_and_arrays
    assert len(simulate_arrays(MoveArrays(MACHINE, **{name: array[:0] for name, array in given.items()}))) == 0


CHANGES: dict[str, list[tuple[Any, str]]] = {
    "moves": [(8, "0 to 7"), (-1, "0 to 7")],
    "orientation": [(4, "0, 1, 2 or 3")],
    "sliders": [
        ([(0, 0, 0), (2, 0, 0), (3, 0, 0)], "tunnel must be 1 to 5"),
        ([(2, 0, 0), (2, 0, 0), (3, 0, 0)], "one slider"),
        ([(1, 3, 0), (2, 0, 0), (3, 0, 0)], "offset"),
        ([(1, 0, 2), (2, 0, 0), (3, 0, 0)], "flipped"),
    ],
    "spaces": [
        ((49, -1, -1, -1), "-1 to 48"),
        ((SPACES.index("d4"), -1, -1, -1), "plug"),
        ((-1, -1, -1, -1), "must be a ghost"),
        ((3, -1, 3, -1), "one space"),
    ],
    "places": [
        ([(np.inf, 0.0), *[(np.nan, np.nan)] * 3], "finite"),
        ([(0.0, np.nan), *[(np.nan, np.nan)] * 3], "finite"),
        ([(np.nan, np.nan)] * 4, "must be a ghost"),
        ([(150.0, 0.0), *[(np.nan, np.nan)] * 3], "on the board"),
        ([(5.0, 0.0), *[(np.nan, np.nan)] * 3], "plug"),
        ([(80.0, 0.0), (np.nan, np.nan), (80.0, 5.0), (np.nan, np.nan)], "green overlaps red"),
    ],
    "hands": [((0.0, 0.0, 0.0, 0.0, 0.0), "pace"), ((1.0, 0.5, 0.5, 0.1, 0.0), "warp"), ((np.nan,) * 5, "finite")],
    "shifts": [([(np.nan, 0.0)] * 4, "finite")],
}


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [(name, value, problem) for name, changes in CHANGES.items() for value, problem in changes],
)
def test_what_cannot_be_is_refused_by_array_and_row(moves_and_arrays, name, value, problem):
    states, _, _, given = moves_and_arrays
    given = with_places(given, states) if name == "places" else dict(given)
    given[name] = given[name].copy()
    given[name][7] = value
    with pytest.raises(BadInputError, match=problem) as raised:
        MoveArrays(MACHINE, **given)
    assert f"{name}[7]" in str(raised.value)


def test_a_push_too_far_is_refused(moves_and_arrays):
    *_, given = moves_and_arrays
    numbers, sliders = given["moves"].copy(), given["sliders"].copy()
    numbers[3], sliders[3, 0, 1] = NAMES.index("push A north"), 2
    with pytest.raises(BadInputError, match=r"moves\[3\].*B5"):
        MoveArrays(MACHINE, **{**given, "moves": numbers, "sliders": sliders})


@pytest.mark.parametrize("name", ["moves", "sliders", "spaces", "orientation", "hands", "shifts"])
def test_shapes_and_kinds_of_numbers_are_checked(moves_and_arrays, name):
    *_, given = moves_and_arrays
    with pytest.raises(BadInputError, match=name):
        MoveArrays(MACHINE, **{**given, name: given[name][..., None]})
    with pytest.raises(BadInputError, match=f"{name}.*numbers"):
        MoveArrays(MACHINE, **{**given, name: given[name].astype(str)})


def test_ghosts_are_given_one_way(moves_and_arrays):
    states, _, _, given = moves_and_arrays
    for some in (given | with_places(given, states), {"moves": given["moves"], "sliders": given["sliders"]}):
        with pytest.raises(BadInputError, match="either spaces or places"):
            MoveArrays(MACHINE, **some)


def test_hands_of_objects_and_of_arrays_find_the_ghosts_alike():
    """A shift that would put a ghost into the plug is left out in both."""
    state = State.of(0, {"red": (40.0, 0.0)}, [Slider("A", 1), Slider("B", 3), Slider("C", 5)])
    hand = replace(varied_hand(MACHINE, 1, 1, 1), shifts=((-30.0, 0.0),))
    given = as_arrays([state], [Turn("cw")], [hand])
    wanted = simulate_many([state], [Turn("cw")], machine=MACHINE, hands=[hand])
    assert simulate_arrays(MoveArrays(MACHINE, **given)) == wanted
    assert wanted.start_of(0, "red") == (40.0, 0.0)
