"""The one place for hypothesis strategies: machines, positions, moves and hands that a twin can be given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hypothesis import assume, reject
from hypothesis import strategies as st

from twin.board.grid import DIRECTIONS, PLUG_SPACE, SIDE, STANDING_SPACES, Place, centre, edge_distance
from twin.board.machine import Machine, load_machine, machine_names
from twin.board.moves import Drag, Move, Push, Relocate, Turn
from twin.board.state import COLOURS, MAX_OFFSET, Slider, State, magnets, validate_state
from twin.errors import BadInputError
from twin.physics.hand import NOMINAL, Hand, varied_hand

if TYPE_CHECKING:
    from collections.abc import Mapping

SHIPPED: Final = {name: load_machine(name) for name in machine_names()}
"""Every machine that ships with the twin, by name."""

MAGNETS: Final[tuple[Mapping[str, float], ...]] = (
    {},
    {"magnet.gap": 3.5, "magnet.slider_diameter": 8.0},
    {"magnet.gap": 7.0, "magnet.ghost_diameter": 10.0, "magnet.ghost_height": 4.0},
)
"""Shapes of magnets to choose from. Few, because the table of forces of each new shape takes half a second."""

SHAPES: Final = tuple(key for key in SHIPPED["reconstruction"].quantities if key.startswith("magnet."))[1:]
"""What a magnet's table depends on: all but the remanence."""

BLOCKS: Final = tuple(
    tuple(f"{column}{row}" for column in columns for row in rows if f"{column}{row}" != PLUG_SPACE)
    for columns in ("abc", "cde", "efg")
    for rows in ("123", "345", "567")
)
"""Blocks of nine spaces (eight around the plug) in which ghosts crowd."""

words = st.text(st.characters(codec="utf-8", exclude_categories=("Zs", "Zl", "Zp", "Cc")), min_size=1, max_size=8)
"""Anything that people could type for a name: no blanks in it."""

texts = st.text(st.characters(codec="utf-8"), max_size=40)
spaces = st.sampled_from(STANDING_SPACES)
"""Names of the 48 spaces that a ghost can stand on."""

orientations = st.integers(0, 3)
offsets = st.integers(-MAX_OFFSET, MAX_OFFSET)


class Play(NamedTuple):
    """Everything that a move depends on."""

    machine: Machine
    state: State
    move: Move
    hand: Hand

    def __repr__(self) -> str:
        changes = {k: v for k, v in self.machine.values().items() if v != SHIPPED[self.machine.name][k]}
        return f"{self.machine.name} with {changes}; {self.state}; {self.move}; {self.hand}"


def places(size: float = 40.0) -> st.SearchStrategy[Place]:
    """Places of the board frame (mm), lines and edges among them."""
    half = SIDE * size / 2
    lines = st.integers(-SIDE, SIDE).map(lambda line: line * size / 2)
    along = st.floats(-half, half) | lines
    return st.tuples(along, along)


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    """A shipped machine with any of its values changed within its range."""
    base = SHIPPED[draw(st.sampled_from(sorted(SHIPPED, reverse=True)))]
    free = {
        key: st.floats(*quantity.range) | st.sampled_from(quantity.range)
        for key, quantity in base.quantities.items()
        if key not in SHAPES
    }
    changes = draw(st.fixed_dictionaries({}, optional=free)) | dict(draw(st.sampled_from(MAGNETS)))
    try:
        return base.with_values(changes)
    except BadInputError:  # no board could have such a combination
        reject()


@st.composite
def sliders(draw: st.DrawFn, machine: Machine) -> list[Slider]:
    """All sliders of a machine, each in a tunnel of its own, pushed and flipped in any way that B5 allows."""
    tunnels = draw(st.permutations(range(1, len(machine.tunnels) + 1)))
    return [Slider(name, tunnel, draw(offsets), draw(st.booleans())) for name, tunnel in zip(machine.sliders, tunnels)]  # noqa: B905 - some tunnels stay free


@st.composite
def states(draw: st.DrawFn, machine: Machine, *, least: int = 1, most: int = len(COLOURS)) -> State:
    """A valid position under any orientation: ghosts on spaces of their own, crowded or not, off-centre, on magnets."""
    colours = draw(st.permutations(COLOURS))[: draw(st.integers(least, most))]
    choice = draw(st.sampled_from([STANDING_SPACES, STANDING_SPACES, *BLOCKS]))
    taken = draw(st.lists(st.sampled_from(choice), min_size=len(colours), max_size=len(colours), unique=True))
    state = State.of(draw(orientations), {}, draw(sliders(machine)))
    state = state.on_spaces(dict(zip(colours, taken, strict=True)), machine.space)
    off = st.floats(-machine.space, machine.space)
    for colour in colours:
        (x, y), how = state.places[colour], draw(st.sampled_from(("centre", "off", "magnet", "off")))
        if how == "off":
            x, y = x + draw(off), y + draw(off)
        elif how == "magnet":
            x, y, *_ = draw(st.sampled_from(magnets(state, machine)))
        moved = State.of(state.orientation, state.places | {colour: (x, y)}, state.sliders)
        state = moved if stands(moved, machine) else state
    return state


@st.composite
def moves(draw: st.DrawFn, state: State, machine: Machine) -> Move:
    """Any move that can be written for a position, barred ones among them."""
    names, tunnels = st.sampled_from(sorted(machine.sliders)), st.integers(1, len(machine.tunnels))
    beyond = st.integers(-MAX_OFFSET - 1, MAX_OFFSET + 1)
    kinds: dict[str, st.SearchStrategy[Move]] = {
        "turn": turns(),
        "push": st.builds(Push, names, st.sampled_from(("north", "south"))),
        "drag": st.builds(Drag, st.sampled_from(state.colours), st.sampled_from(tuple(DIRECTIONS))),
        "relocate": st.builds(Relocate, names, tunnels, beyond, st.booleans()),
    }
    return draw(kinds[draw(st.sampled_from(("turn", "push", "drag", "turn", "push", "relocate")))])


def turns() -> st.SearchStrategy[Turn]:
    """Both turns."""
    return st.builds(Turn, st.sampled_from(("cw", "ccw")))


def written_moves() -> st.SearchStrategy[Move]:
    """Any move that the grammar can write, whether or not there is such a slider or ghost."""
    return (
        turns()
        | st.builds(Push, words, st.sampled_from(("north", "south")))
        | st.builds(Drag, words, st.sampled_from(tuple(DIRECTIONS)))
        | st.builds(Relocate, words, st.integers(), st.integers(), st.booleans())
    )


def hands(machine: Machine, ghosts: int) -> st.SearchStrategy[Hand]:
    """The nominal hand, or one that varies as a person's does."""
    varied = st.builds(varied_hand, st.just(machine), st.just(ghosts), st.integers(0, 999), st.integers(0, 999))
    return st.just(NOMINAL) | varied


@st.composite
def plays(draw: st.DrawFn, *, least: int = 1, most: int = len(COLOURS), nominal: bool = False) -> Play:
    """A move on any machine, from any position, by any hand."""
    machine = draw(machines())
    state = draw(states(machine, least=least, most=most))
    move = draw(moves(state, machine))
    hand = NOMINAL if nominal else draw(hands(machine, len(state.ghosts)))
    return Play(machine, state, move, hand)


@st.composite
def landings(draw: st.DrawFn, machine: Machine) -> dict[str, Place | None]:
    """Where ghosts may end, as floor places at orientation 0: crowded together, so that they jam, or fallen."""
    colours = draw(st.lists(st.sampled_from(COLOURS), min_size=1, max_size=4, unique=True).map(sorted))
    middle = centre(draw(spaces), machine.space)
    near = st.floats(-1.5 * machine.space, 1.5 * machine.space)
    found: dict[str, Place | None] = {}
    for colour in colours:
        place = None if draw(st.integers(0, 4)) == 4 else (middle[0] + draw(near), middle[1] + draw(near))
        assume(place is None or edge_distance(place, machine.space) >= 0)
        found[colour] = place
    return found


def stands(state: State, machine: Machine) -> bool:
    """Whether a position is valid on a machine."""
    try:
        validate_state(state, machine)
    except BadInputError:
        return False
    return True
