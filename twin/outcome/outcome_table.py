"""Outcomes as a table with names in place of numbers: a row for each ghost of each move."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from twin.board.expectation import FATES
from twin.board.grid import SIDE, SPACES
from twin.board.state import COLOURS
from twin.errors import MissingExtraError
from twin.outcome.outcomes import touched_names
from twin.physics.trace import WARNINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from twin.board.machine import Machine
    from twin.outcome.outcomes import Outcomes

    Array = NDArray[Any]

OFF: Final = "off"
_BASE: Final = len(SPACES) + 1


def arrow_table(outcomes: Outcomes) -> Any:  # noqa: ANN401 - a pyarrow.Table
    """The table as a `pyarrow.Table`.

    Columns: `move` (row of the outcomes) and `ghost`; `from_x`, `from_y`, `x`, `y` (floor frame) and `margin`, `slip`,
    in mm, null once fallen; `fate`, `covers` (`c2+c3`, or `off`), `touched` and `warnings` (joined by `+`), `walls`
    (how many), `grip_before` and `grip_after` (`A2`, or null); `orientation`, `placements` and `conflict` of the move.
    """
    _require("pyarrow")
    import pyarrow as pa

    moves, ghosts = np.nonzero(outcomes.present)

    def own(values: Array) -> Array:
        return values[moves, ghosts]

    grips = own(outcomes.grips).astype(np.int64)
    machines = outcomes.which[moves].astype(np.int64) << 32
    columns = {
        "move": pa.array(moves),
        "ghost": coded(ghosts, COLOURS),
        "from_x": _number(own(outcomes.start)[:, 0]),
        "from_y": _number(own(outcomes.start)[:, 1]),
        "x": _number(own(outcomes.end)[:, 0]),
        "y": _number(own(outcomes.end)[:, 1]),
        "fate": coded(own(outcomes.fate), FATES),
        "covers": spelled_covers(own(outcomes.covers)),
        "touched": spelled(own(outcomes.touched), touched_texts),
        "margin": _number(own(outcomes.margin)),
        "slip": _number(own(outcomes.slip)),
        "walls": pa.array(own(outcomes.walls)[:, 0]),
        "warnings": spelled(own(outcomes.warnings), _warnings_texts),
        "grip_before": _magnets(outcomes.machines, machines, grips[:, 0]),
        "grip_after": _magnets(outcomes.machines, machines, grips[:, 1]),
        "orientation": pa.array(outcomes.orientation[moves]),
        "placements": pa.array(outcomes.placements[moves]),
        "conflict": pa.array(outcomes.conflict[moves]),
    }
    return pa.table(columns)


def pandas_frame(outcomes: Outcomes) -> Any:  # noqa: ANN401 - a pandas.DataFrame
    """The table as a `pandas.DataFrame`; words are categories."""
    _require("pandas")
    return arrow_table(outcomes).to_pandas()


def coded(values: Array, words: Sequence[str]) -> Any:  # noqa: ANN401 - a pyarrow.Array
    """Numbers of words as a column of words."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(values.astype(np.int32)), pa.array(words, pa.string()))


def spelled(keys: Array, spell: Callable[[Array], list[str]]) -> Any:  # noqa: ANN401 - a pyarrow.Array
    """One word per key as a column of words; each different key is spelled once."""
    different, places = np.unique(keys, return_inverse=True)
    return coded(places, spell(different))


def spelled_covers(covers: Array) -> Any:  # noqa: ANN401 - a pyarrow.Array
    """Covered spaces (N, 4) as a column of words."""
    codes = covers.astype(np.int64) + 1
    return spelled(
        codes @ _BASE ** np.arange(3, -1, -1), lambda keys: [covers_text(_digits(key)) for key in keys.tolist()]
    )


def covers_text(spaces: Iterable[int]) -> str:
    """What a ghost covers: `c2+c3`, or `off` once fallen; numbers below 0 do not count."""
    return "+".join(SPACES[space] for space in spaces if space >= 0) or OFF


def touched_texts(keys: Array) -> list[str]:
    """Whom and what ghosts touched, by the bits of each: `blue+plug`, or nothing."""
    return ["+".join(touched_names(bits)) for bits in keys.tolist()]


def _warnings_texts(keys: Array) -> list[str]:
    return ["+".join(kind for bit, kind in enumerate(WARNINGS) if bits >> bit & 1) for bits in keys.tolist()]


def _number(values: Array) -> Any:  # noqa: ANN401 - a pyarrow.Array
    """Numbers; what is not one becomes null."""
    import pyarrow as pa

    return pa.array(np.ascontiguousarray(values), mask=np.isnan(values))


def _magnets(machines: tuple[Machine, ...], keys: Array, grips: Array) -> Any:  # noqa: ANN401 - a pyarrow.Array
    """Names of magnets; null where none grips. Upper bits of `keys` number the machines."""
    import pyarrow as pa

    def label(key: int) -> str:
        slider, segment = divmod(key & 0xFFFF, SIDE)
        return f"{sorted(machines[key >> 32].sliders)[slider]}{segment + 1}"

    held = grips >= 0
    words = spelled((keys + grips)[held], lambda found: [label(key) for key in found.tolist()])
    places = np.zeros(len(grips), np.int64)
    places[held] = np.arange(int(held.sum()))
    return words.take(pa.array(places, mask=~held))


def _digits(key: int) -> list[int]:
    """The four spaces in a key of `covers`, -1 where there is none."""
    digits: list[int] = []
    for _ in range(4):
        key, digit = divmod(key, _BASE)
        digits.insert(0, digit - 1)
    return digits


def _require(package: str) -> None:
    if find_spec(package) is None:
        extra = "'mauer-twin[parquet]'" if package == "pyarrow" else package
        raise MissingExtraError(f"a table of outcomes needs the package {package}: pip install {extra}")
