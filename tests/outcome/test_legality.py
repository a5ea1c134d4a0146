# ruff: noqa: N802 - rules are numbered with a capital letter
"""Which rules forbid a move: each rule by its number, with a move that breaks it and one that does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import SHIPPED, moves, orientations, spaces, states
from twin.board.grid import DIRECTIONS, PLUG_SPACE, SPACES, Place, centre, neighbour, space_under, to_board
from twin.board.moves import Drag, Push, Relocate, Turn, parse_move
from twin.board.state import Slider, State, covers
from twin.errors import BadInputError
from twin.outcome.engine import Twin
from twin.outcome.legality import Verdict, corridor, judge, standing_on

MACHINE = SHIPPED["reconstruction"]
SIZE = MACHINE.space
SLIDERS = (Slider("A", 1), Slider("B", 3), Slider("C", 5))
TUNNELS = range(1, 6)


def at(orientation: int = 0, /, sliders: tuple[Slider, ...] = SLIDERS, **ghosts: str | Place) -> State:
    """A position with ghosts on spaces or at floor places."""
    places = {c: centre(p, SIZE, orientation) if isinstance(p, str) else p for c, p in ghosts.items()}
    return State.of(orientation, places, sliders)


def verdict(state: State, move: str) -> Verdict:
    return judge(state, parse_move(move), MACHINE)


def broken(state: State, move: str) -> tuple[str, ...]:
    return verdict(state, move).broken


def pushed(slider: str, offset: int) -> tuple[Slider, ...]:
    return tuple(Slider(s.name, s.tunnel, offset if s.name == slider else 0) for s in SLIDERS)


# -- a: drag your ghost ------------------------------------------------------------------------------------------------


def test_A1_an_adjoining_space_in_the_same_room_is_allowed():
    assert verdict(at(red="a1"), "drag red north") == Verdict((), (), feasible=True)


@pytest.mark.parametrize(("space", "direction"), [("a1", "west"), ("a1", "south"), ("g7", "north"), ("g7", "east")])
def test_A1_beyond_the_edge_there_is_no_space(space, direction):
    """Dragging a ghost off the board is barred, but can be done."""
    told = verdict(at(red=space), f"drag red {direction}")
    assert told.broken == ("A1",)
    assert told.feasible
    assert "the board ends there" in told.reasons[0]


def test_A1_only_a_ghost_in_play_can_be_dragged():
    with pytest.raises(BadInputError, match="one of red; got 'blue'"):
        broken(at(red="a1"), "drag blue north")


@given(spaces, st.sampled_from(sorted(DIRECTIONS)), orientations)
def test_A1_A2_A4_alone_on_the_board(space: str, direction: str, orientation: int) -> None:
    """Edge, wall and plug, and nothing else, bar the drag of a lonely ghost, however the board lies."""
    there = neighbour(space, direction, orientation)
    wanted = {"A1"} if there is None else set()
    if there is not None and MACHINE.castle.wall_between(space, there):
        wanted.add("A2")
    if there == PLUG_SPACE:
        wanted.add("A4")
    assert set(broken(at(orientation, red=space), f"drag red {direction}")) == wanted


def test_A2_never_through_a_wall():
    told = verdict(at(red="a1"), "drag red east")
    assert told.broken == ("A2",)
    assert told.reasons == ("there is a wall between a1 and b1",)
    assert told.feasible


def test_A2_walls_turn_with_the_board():
    """At orientation 1 the wall east of a1 lies south of it, and the open side north of a1 lies east."""
    assert broken(at(1, red="a1"), "drag red south") == ("A2",)
    assert broken(at(1, red="a1"), "drag red east") == ()


def test_A2_off_centre_the_space_under_the_centre_counts():
    assert broken(at(red=(-101.0, -120.0)), "drag red east") == ("A2",)
    assert broken(at(red=(-99.0, -120.0)), "drag red east") == ()


@pytest.mark.parametrize("direction", ["northeast", "southwest", "diagonally"])
def test_A3_a_diagonal_drag_cannot_be_written(direction):
    with pytest.raises(BadInputError, match="north, east, south or west"):
        parse_move(f"drag red {direction}")


@given(spaces, st.sampled_from(sorted(DIRECTIONS)), orientations)
def test_A3_every_drag_is_orthogonal(space: str, direction: str, orientation: int) -> None:
    there = neighbour(space, direction, orientation)
    if there is not None:
        (x, y), (tx, ty) = centre(space, SIZE), centre(there, SIZE)
        assert sorted((abs(x - tx), abs(y - ty))) == [0, SIZE]


@pytest.mark.parametrize(("space", "direction"), [("c4", "east"), ("e4", "west"), ("d3", "north"), ("d5", "south")])
def test_A4_never_onto_the_plug(space, direction):
    told = verdict(at(red=space), f"drag red {direction}")
    assert "A4" in told.broken
    assert "the plug stands on d4" in told.reasons


def test_A4_past_the_plug_is_allowed():
    assert broken(at(red="b4"), "drag red east") == ()


def test_A5_never_onto_another_ghost():
    told = verdict(at(red="b1", blue="c1"), "drag red east")
    assert told.broken == ("A5",)
    assert told.reasons == ("blue is in the way on c1",)
    assert told.feasible


def test_A5_a_ghost_elsewhere_does_not_matter():
    assert broken(at(red="b1", blue="b2"), "drag red east") == ()
    assert broken(at(red="b1", blue="d1"), "drag red east") == ()


def test_A5_a_straddler_is_on_every_space_it_covers():
    """Blue stands across c1 and d1: red must not go to c1."""
    assert broken(at(red="b1", blue=(-20.0, -120.0)), "drag red east") == ("A5",)


def test_A5_never_over_another_ghost():
    """A ghost in the way counts wherever it stands: here in the space that red is leaving."""
    state = at(red=(-135.0, -139.0), blue=(-120.0, -112.0))
    assert covers(state, "blue", MACHINE) == ("a1",)
    assert broken(state, "drag red north") == ("A5",)


@pytest.mark.parametrize(
    ("orientation", "direction", "red", "blue"),
    [
        (0, "west", (99.8, -21.4), (82.8, -48.5)),
        (1, "north", (-21.4, -99.8), (-48.5, -82.8)),
        (2, "east", (-99.8, 21.4), (-82.8, 48.5)),
        (3, "south", (21.4, 99.8), (48.5, 82.8)),
    ],
)
def test_A5_the_whole_path_counts_in_every_direction(orientation, direction, red, blue):
    """Blue stands in the space that red leaves, and red's foot would run into it on the straight way to the next."""
    state = at(orientation, red=red, blue=blue)
    assert broken(state, f"drag red {direction}") == ("A5",)
    assert broken(at(orientation, red=red), f"drag red {direction}") == ()


def test_A5_a_ghost_behind_is_not_in_the_way():
    assert broken(at(red=(-120.0, -110.0), blue=(-120.0, -136.0)), "drag red north") == ()


def test_A5_a_ghost_that_is_only_touched_is_not_in_the_way():
    """Feet side by side, overlapping by the little that contacts leave, can slide along each other."""
    state = at(red=(-120.0, -120.0), blue=(-94.01, -119.5))
    assert "a2" not in covers(state, "blue", MACHINE)
    outcome = Twin(MACHINE).act(state, Drag("red", "north"), sensitivity=False)
    assert outcome.ghost("red").space == "a2"
    assert outcome.broken == ()


# -- b: push a slider --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("direction", "step"), [("north", 1), ("south", -1)])
def test_B1_a_push_is_exactly_one_segment(direction, step):
    outcome = Twin(MACHINE).act(at(red="a1"), Push("B", direction), sensitivity=False)
    assert outcome.sliders == pushed("B", step)
    assert outcome.legal


@pytest.mark.parametrize("words", ["push A north 2", "push A", "push A east", "push north"])
def test_B1_no_other_push_can_be_written(words):
    with pytest.raises(BadInputError):
        parse_move(words)


def test_B1_only_a_slider_of_the_machine_can_be_pushed():
    with pytest.raises(BadInputError, match="one of A, B, C; got 'D'"):
        broken(at(red="a1"), "push D north")


@pytest.mark.parametrize(("offset", "direction"), [(2, "north"), (-2, "south")])
def test_B5_a_slider_is_never_pulled_out(offset, direction):
    """With both hatched segments showing, a push farther that way is barred and cannot be done."""
    told = verdict(at(red="a1", sliders=pushed("A", offset)), f"push A {direction}")
    assert told.broken == ("B5",)
    assert not told.feasible


@pytest.mark.parametrize(
    ("offset", "direction"), [(1, "north"), (-1, "south"), (2, "south"), (-2, "north"), (0, "north")]
)
def test_B5_up_to_both_hatched_segments_is_allowed(offset, direction):
    assert verdict(at(red="a1", sliders=pushed("A", offset)), f"push A {direction}") == Verdict((), (), feasible=True)


def test_B6_no_push_may_take_a_ghost_off_the_board():
    """Red stands on A7 at the edge: the magnet takes it along, over the edge; barred, but simulated."""
    outcome = Twin(MACHINE).act(at(red="b7", blue="e1"), Push("A", "north"), sensitivity=False)
    assert outcome.broken == ("B6",)
    assert outcome.reasons == ("the push would take red off the board",)
    assert outcome.done
    assert outcome.ghost("red").fate == "fell"


def test_B6_a_push_away_from_the_edge_is_allowed():
    outcome = Twin(MACHINE).act(at(red="b7", blue="e1"), Push("A", "south"), sensitivity=False)
    assert outcome.legal
    assert outcome.ghost("red").fate == "carried"
    assert outcome.ghost("red").space == "b6"


def test_B6_a_turn_may_take_a_ghost_off_the_board():
    """D5 deals with ghosts that a turn throws off; B6 is about pushes."""
    fast = MACHINE.with_values({"hand.turn_time": 0.6, "friction.board": 0.15})
    outcome = Twin(fast).act(at(red="a1"), Turn("cw"), sensitivity=False)
    assert outcome.ghost("red").fate == "fell"
    assert outcome.legal


# -- c: move a slider to another tunnel --------------------------------------------------------------------------------


@pytest.mark.parametrize("move", ["relocate A 2 0", "relocate A 2 -2 flip", "relocate C 4 2", "relocate B 2 1"])
def test_C1_C2_C3_a_free_tunnel_under_free_corridors(move):
    assert verdict(at(red="a1", blue="g7"), move) == Verdict((), (), feasible=True)


@pytest.mark.parametrize("row", range(1, 8))
def test_C1_no_ghost_anywhere_on_the_corridor_that_it_leaves(row):
    """Slider A leaves tunnel 1, below column b."""
    told = verdict(at(red=f"b{row}"), "relocate A 2 0")
    assert told.broken == ("C1",)
    assert told.feasible
    assert "red on the corridor above tunnel 1" in told.reasons[0]


def test_C1_a_straddler_stands_on_the_corridor():
    """Red's centre is over column a, but it covers b too."""
    assert broken(at(red=(-105.0, -120.0)), "relocate A 2 0") == ("C1",)
    assert broken(at(red=(-112.0, -120.0)), "relocate A 2 0") == ()


def test_C1_corridors_turn_with_the_board():
    """At orientation 1 row 2 lies above tunnel 1."""
    assert broken(at(1, red="f2"), "relocate A 2 0") == ("C1",)
    assert broken(at(1, red="b5"), "relocate A 2 0") == ()


@pytest.mark.parametrize("row", range(1, 8))
def test_C2_no_ghost_anywhere_on_the_corridor_that_it_enters(row):
    """Slider A enters tunnel 2, below column c."""
    told = verdict(at(red=f"c{row}"), "relocate A 2 0")
    assert told.broken == ("C2",)
    assert told.feasible


@pytest.mark.parametrize("tunnel", [1, 3, 5])
def test_C2_a_taken_tunnel_is_not_free(tunnel):
    """Neither another slider's tunnel nor its own is another, free one; it cannot be done."""
    told = verdict(at(red="a1"), f"relocate A {tunnel} 0")
    assert told.broken == ("C2",)
    assert not told.feasible


@pytest.mark.parametrize("tunnel", [0, 6, -1])
def test_C2_a_tunnel_that_does_not_exist_is_no_move(tunnel):
    with pytest.raises(BadInputError, match="1 to 5"):
        broken(at(red="a1"), f"relocate A {tunnel} 0")


@pytest.mark.parametrize("offset", [3, -3, 99])
def test_C3_it_ends_between_the_limits(offset):
    told = verdict(at(red="a1"), f"relocate A 2 {offset}")
    assert told.broken == ("C3",)
    assert not told.feasible


@pytest.mark.parametrize("offset", range(-2, 3))
def test_C3_every_offset_between_the_limits_is_allowed(offset):
    assert broken(at(red="a1"), f"relocate A 2 {offset}") == ()


def test_several_rules_can_be_broken_at_once():
    """Each with a sentence of its own, in the order of the numbers."""
    told = verdict(at(red="b1", blue="c1"), "relocate A 2 3")
    assert told.broken == ("C1", "C2", "C3")
    assert len(told.reasons) == 3
    assert not told.feasible


# -- d: turn the board -------------------------------------------------------------------------------------------------


@given(st.data(), st.sampled_from(["cw", "ccw"]))
def test_D1_a_turn_is_never_barred(data: st.DataObject, direction: str) -> None:
    assert verdict(data.draw(states(MACHINE)), f"turn {direction}") == Verdict((), (), feasible=True)


@pytest.mark.parametrize(("direction", "orientation"), [("cw", 1), ("ccw", 3)])
def test_D1_a_turn_is_one_quarter(direction, orientation):
    outcome = Twin(MACHINE).act(at(red="a1"), Turn(direction), sensitivity=False)
    assert outcome.orientation == orientation


@pytest.mark.parametrize("words", ["turn 180", "turn cw 2", "turn"])
def test_D1_no_other_turn_can_be_written(words):
    with pytest.raises(BadInputError):
        parse_move(words)


# -- corridors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("orientation", "wanted"),
    [
        (0, "b1 b2 b3 b4 b5 b6 b7"),
        (1, "g2 f2 e2 d2 c2 b2 a2"),
        (2, "f7 f6 f5 f4 f3 f2 f1"),
        (3, "a6 b6 c6 d6 e6 f6 g6"),
    ],
)
def test_the_corridor_of_tunnel_1_from_south_to_north(orientation, wanted):
    assert corridor(1, orientation, MACHINE) == tuple(wanted.split())


@pytest.mark.parametrize("name", sorted(SHIPPED))
@pytest.mark.parametrize("orientation", range(4))
def test_a_corridor_is_what_lies_over_a_tunnel(name, orientation):
    """A space is on a corridor if its centre has the tunnel's x on the floor, on every machine."""
    machine = SHIPPED[name]
    for tunnel, x in zip(TUNNELS, machine.tunnels, strict=True):
        over = {space for space in SPACES if centre(space, SIZE, orientation)[0] == x}
        assert set(corridor(tunnel, orientation, machine)) == over
        floor = [(x, row * SIZE) for row in range(-3, 4)]
        under = tuple(space_under(to_board(place, orientation), SIZE) for place in floor)
        assert corridor(tunnel, orientation, machine) == under


@given(st.data(), st.sampled_from(TUNNELS))
def test_who_covers_a_space_of_a_corridor_stands_on_it(data: st.DataObject, tunnel: int) -> None:
    state = data.draw(states(MACHINE))
    over = set(corridor(tunnel, state.orientation, MACHINE))
    wanted = [colour for colour in state.colours if over.intersection(covers(state, colour, MACHINE))]
    assert list(standing_on(tunnel, state, MACHINE)) == wanted


# -- every verdict -----------------------------------------------------------------------------------------------------


@given(st.data())
def test_a_verdict_names_rules_of_the_moves_kind(data: st.DataObject) -> None:
    """Rules are named in order, each with a reason; what cannot be done is always barred, and drags can be done."""
    state = data.draw(states(MACHINE))
    move = data.draw(moves(state, MACHINE))
    told = judge(state, move, MACHINE)
    assert list(told.broken) == sorted(set(told.broken))
    assert len(told.reasons) == len(told.broken)
    assert all(told.reasons)
    kinds: dict[type, str] = {Turn: "", Push: "B", Drag: "A", Relocate: "C"}
    assert {rule[0] for rule in told.broken} <= set(kinds[type(move)])
    assert told.feasible or told.broken
    assert told.feasible or not isinstance(move, Drag | Turn)
