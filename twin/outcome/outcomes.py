"""`Outcomes`: what came of many moves, as arrays, and every question that is asked about one of them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from twin.board.expectation import FATES
from twin.board.grid import CORNERS, SPACES
from twin.board.state import COLOURS, Slider, State
from twin.errors import BadInputError
from twin.outcome.snap import snap
from twin.physics.trace import PLUG, WARNINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.outcome.snap import Landing

_FELL = FATES.index("fell")


@dataclass(frozen=True, eq=False, repr=False)
class Outcomes:
    """What came of N moves, as arrays; read-only. Ghosts are in the order of `twin.board.state.COLOURS`.

    Spaces are numbered as in `twin.board.grid.SPACES`, fates as in `twin.board.expectation.FATES`; -1 means none.
    `outcomes[5:10]` is some of them, `outcomes[3]` one; two are equal if all their arrays are.
    """

    machines: tuple[Machine, ...]
    """The different machines of the moves."""
    which: NDArray[np.int32]
    """(N,) on which of them each move was made."""
    present: NDArray[np.bool_]
    """(N, 4) which ghosts are there."""
    start: NDArray[np.float64]
    """(N, 4, 2) where the hand found them, floor frame, mm."""
    end: NDArray[np.float64]
    """(N, 4, 2) where they end, floor frame, mm; NaN once fallen."""
    fate: NDArray[np.int8]
    """(N, 4)"""
    covers: NDArray[np.int8]
    """(N, 4, 4) spaces covered, rising, in the board's names after the move."""
    margin: NDArray[np.float64]
    """(N, 4) mm to the next different outcome; NaN once fallen."""
    touched: NDArray[np.uint8]
    """(N, 4) bits of the ghosts, by colour, and 16 for the plug."""
    slip: NDArray[np.float64]
    """(N, 4) length of the path over the board, mm."""
    walls: NDArray[np.int16]
    """(N, 4, 9) how many walls were crossed, then the first eight as codes, which `walls_of` reads."""
    warnings: NDArray[np.uint8]
    """(N, 4) bits: 1 lifted, 2 tipping, 4 would topple, 8 never settled."""
    grips: NDArray[np.int16]
    """(N, 4, 2) magnet that grips before and after: slider · 7 + segment - 1."""
    placements: NDArray[np.int64]
    """(N,) number of joint placements; none is a conflict."""
    orientation: NDArray[np.int8]
    """(N,) of the board after the move."""
    askew: NDArray[np.float64]
    """(N,) angle by which the board lies beyond that, radians, mathematically positive."""
    sliders: NDArray[np.int8]
    """(N, S, 3) after the move: tunnel (from 1), offset, flipped (0 or 1); sliders sorted by name, zeros for none."""

    def __len__(self) -> int:
        return len(self.placements)

    def __getitem__(self, rows: int | slice) -> Outcomes:
        """Some of the moves; nothing is copied."""
        if not isinstance(rows, slice):
            number = range(len(self))[rows]
            rows = slice(number, number + 1)
        parts: dict[str, Any] = {name: getattr(self, name)[rows] for name in _ARRAYS}
        return Outcomes(machines=self.machines, **parts)

    def __iter__(self) -> Iterator[Outcomes]:
        return (self[n] for n in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcomes):
            return NotImplemented
        if len(self) != len(other):
            return False
        pairs = set(zip(self.which.tolist(), other.which.tolist(), strict=True))
        if not all(self.machines[a] == other.machines[b] for a, b in pairs):
            return False
        return all(_same(getattr(self, name), getattr(other, name)) for name in _ARRAYS if name != "which")

    __hash__ = None  # type: ignore[assignment] # made of arrays

    def __repr__(self) -> str:
        return f"<Outcomes: {len(self)} moves, {int(self.present.sum())} ghosts, {int(self.fell.sum())} fell>"

    # -- of all moves ------------------------------------------------------------------------------------------------

    @property
    def conflict(self) -> NDArray[np.bool_]:
        """(N,) whether no joint placement exists."""
        conflict: NDArray[np.bool_] = self.placements == 0
        return conflict

    @property
    def fell(self) -> NDArray[np.bool_]:
        """(N, 4) which ghosts fall off the board."""
        fell: NDArray[np.bool_] = self.fate == _FELL
        return fell

    @property
    def takes_off(self) -> NDArray[np.bool_]:
        """(N,) whether a ghost falls off the board: with the nominal hand, B6 forbids such a push."""
        takes_off: NDArray[np.bool_] = np.logical_or.reduce(self.fell, axis=1)
        return takes_off

    def to_arrow(self) -> Any:  # noqa: ANN401 - a pyarrow.Table
        """A `pyarrow.Table` with a row for each ghost of each move, and names in place of numbers."""
        from twin.outcome.outcome_table import arrow_table

        return arrow_table(self)

    def to_pandas(self) -> Any:  # noqa: ANN401 - a pandas.DataFrame
        """The table of `to_arrow` as a `pandas.DataFrame`."""
        from twin.outcome.outcome_table import pandas_frame

        return pandas_frame(self)

    # -- of one move -------------------------------------------------------------------------------------------------

    def machine_of(self, n: int) -> Machine:
        """The machine that one move was made on."""
        return self.machines[int(self.which[n])]

    def colours_of(self, n: int) -> tuple[str, ...]:
        """The ghosts that are there."""
        return tuple(colour for colour, there in zip(COLOURS, self.present[n].tolist(), strict=True) if there)

    def sliders_of(self, n: int) -> tuple[Slider, ...]:
        """The sliders after one move."""
        return _sliders(tuple(sorted(self.machine_of(n).sliders)), self.sliders[n].tobytes())

    def landing_of(self, n: int) -> Landing:
        """How all ghosts stand after one move, worked out anew: exact places, joint placements and fallback."""
        ends = {colour: self.end_of(n, colour) for colour in self.colours_of(n)}
        return snap(ends, float(self.askew[n]), int(self.orientation[n]), self.machine_of(n))

    def options_of(self, n: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The spaces that each ghost may be put on, as `Landing.options` (D4, D5)."""
        if not self.placements[n]:
            return self.landing_of(n).options
        return tuple((colour, self.covers_of(n, colour) or CORNERS) for colour in self.colours_of(n))

    def after(self, n: int, choice: Mapping[str, str] | None = None) -> State:
        """The position after one move and a choice, every ghost on the centre of its space, as `Outcome.after`."""
        board = State(int(self.orientation[n]), (), self.sliders_of(n))
        return board.on_spaces(dict(self.landing_of(n).placement(choice)), self.machine_of(n).space)

    def warnings_of(self, n: int, colours: Sequence[str]) -> tuple[str, ...]:
        """What a flat model cannot say about one run, in words."""
        bits = {colour: int(self.warnings[n, column(colour)]) for colour in colours}
        return tuple(
            f"{kind}: {colour}: {WARNINGS[kind]}"
            for colour in colours
            for bit, kind in enumerate(WARNINGS)
            if bits[colour] >> bit & 1
        )

    def key(self, n: int) -> tuple[tuple[str, tuple[str, tuple[str, ...]]], ...]:
        """What makes two outcomes the same, as `Outcome.key` gives it."""
        return tuple((c, (self.fate_of(n, c), self.covers_of(n, c))) for c in self.colours_of(n))

    # -- of one ghost in one move ------------------------------------------------------------------------------------

    def fate_of(self, n: int, colour: str) -> str:
        """One ghost's fate, in a word."""
        return FATES[self.fate[n, column(colour)]]

    def covers_of(self, n: int, colour: str) -> tuple[str, ...]:
        """The spaces that one ghost covers; none once fallen."""
        return tuple(SPACES[k] for k in self.covers[n, column(colour)] if k >= 0)

    def touched_by(self, n: int, colour: str) -> tuple[str, ...]:
        """Whom and what one ghost touched, sorted."""
        return touched_names(int(self.touched[n, column(colour)]))

    def start_of(self, n: int, colour: str) -> Place:
        """Where the hand found one ghost (floor frame, mm)."""
        x, y = self.start[n, column(colour)].tolist()
        return x, y

    def end_of(self, n: int, colour: str) -> Place | None:
        """Where one ghost ends (floor frame, mm); None once fallen."""
        x, y = self.end[n, column(colour)].tolist()
        return None if x != x else (x, y)  # noqa: PLR0124 - NaN once fallen

    def margin_of(self, n: int, colour: str) -> float | None:
        """How far one ghost is from the next different outcome, mm; None once fallen."""
        margin = float(self.margin[n, column(colour)])
        return None if np.isnan(margin) else margin

    def slip_of(self, n: int, colour: str) -> float:
        """Length of one ghost's path over the board, mm."""
        return float(self.slip[n, column(colour)])

    def grips_of(self, n: int, colour: str) -> tuple[int, int]:
        """The magnets that grip one ghost before and after, by number, -1 for none."""
        before, after = self.grips[n, column(colour)]
        return int(before), int(after)

    def wall_count(self, n: int, colour: str) -> int:
        """How many walls one ghost crossed."""
        return int(self.walls[n, column(colour), 0])

    def walls_of(self, n: int, colour: str) -> tuple[tuple[str, str], ...]:
        """The first eight walls that one ghost crossed, as the spaces on either side."""
        from twin.physics.kernel.walls import decode

        count, *codes = self.walls[n, column(colour)].tolist()
        return tuple(decode(code) for code in codes[:count])


def column(colour: str) -> int:
    """The number of a ghost's column in arrays of all ghosts."""
    if colour not in COLOURS:
        raise BadInputError(f"a ghost must be one of {', '.join(COLOURS)}; got {colour!r}", field="colour")
    return COLOURS.index(colour)


def touched_names(bits: int) -> tuple[str, ...]:
    """Whom and what a ghost touched, sorted, from the bits in `Outcomes.touched`."""
    return tuple(sorted(name for bit, name in enumerate((*COLOURS, PLUG)) if bits >> bit & 1))


def frozen(machines: tuple[Machine, ...], **arrays: NDArray[np.generic]) -> Outcomes:
    """Outcomes whose arrays are read-only."""
    for array in arrays.values():
        array.setflags(write=False)
    return Outcomes(machines, **arrays)  # type: ignore[arg-type]


def joined(parts: Sequence[Outcomes], rows: Sequence[Sequence[int]], size: int) -> Outcomes:
    """Parts as one whole of `size` moves, each part at rows of its own."""
    whole: dict[str, NDArray[Any]] = {}
    for name in _ARRAYS:
        each = [getattr(part, name) for part in parts]
        widest = max(each, key=lambda array: array.shape[1:])  # machines may differ in how many sliders they have
        whole[name] = np.zeros((size, *widest.shape[1:]), widest.dtype)
        for array, own in zip(each, rows, strict=True):
            part: Any = (own, *(slice(0, length) for length in array.shape[1:]))
            whole[name][part] = array
    first = np.cumsum([0, *(len(part.machines) for part in parts)])
    for number, own in enumerate(rows):
        whole["which"][own] += first[number]
    return frozen(tuple(machine for part in parts for machine in part.machines), **whole)


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))


@lru_cache(maxsize=4096)
def _sliders(names: tuple[str, ...], codes: bytes) -> tuple[Slider, ...]:
    settings = np.frombuffer(codes, np.int8).reshape(-1, 3).tolist()
    pairs = zip(names, settings, strict=False)
    return tuple(Slider(name, tunnel, offset, flipped == 1) for name, (tunnel, offset, flipped) in pairs)


_ARRAYS = tuple(field.name for field in fields(Outcomes) if field.name != "machines")
