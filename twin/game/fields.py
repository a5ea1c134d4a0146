"""Values of a saved game, taken for what they are or refused by the name of their field: nothing is converted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twin.board.quantities import is_number
from twin.errors import BadInputError, shown

if TYPE_CHECKING:
    from collections.abc import Collection


def table(value: object, field: str, keys: Collection[str]) -> dict[str, object]:
    """An object with these keys and no others."""
    if not isinstance(value, dict):
        raise BadInputError(f"must be an object; got {shown(value)}", field=field)
    for key in keys:
        if key not in value:
            raise BadInputError("is missing", field=f"{field}.{key}")
    for key in value:
        if key not in keys:
            raise BadInputError(f"is not known here; there are {', '.join(keys)}", field=f"{field}.{key}"[:80])
    return value


def row(value: object, field: str, count: int | None = None) -> list[object]:
    """A list, of so many values if that is given."""
    if not isinstance(value, list) or (count is not None and len(value) != count):
        many = "" if count is None else f" of {count}"
        raise BadInputError(f"must be a list{many}; got {shown(value)}", field=field)
    return value


def whole(value: object, field: str, low: int | None = None, high: int | None = None) -> int:
    """A whole number between two limits, each of them among what is allowed."""
    if not isinstance(value, int) or isinstance(value, bool) or (low is not None and value < low):
        least = "" if low is None else f" from {low} on" if high is None else f" from {low} to {high}"
        raise BadInputError(f"must be a whole number{least}; got {shown(value)}", field=field)
    if high is not None and value > high:
        raise BadInputError(f"must be at most {high}; got {shown(value)}", field=field)
    return value


def flag(value: object, field: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise BadInputError(f"must be true or false; got {shown(value)}", field=field)
    return value


def word(value: object, field: str, among: Collection[str]) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in among:
        raise BadInputError(f"must be one of {', '.join(among)}; got {shown(value)}", field=field)
    return value


def words(value: object, field: str, among: Collection[str]) -> tuple[str, ...]:
    """A list of such words, none of them twice."""
    found = tuple(word(item, field, among) for item in row(value, field))
    if len(set(found)) != len(found):
        raise BadInputError(f"must name nothing twice; got {shown(value)}", field=field)
    return found


def place(value: object, field: str) -> tuple[float, float]:
    """Two finite numbers, mm."""
    x, y = (_finite(item, field) for item in row(value, field, 2))
    return x, y


def _finite(value: object, field: str) -> float:
    if not isinstance(value, int | float) or not is_number(value):
        raise BadInputError(f"must be two finite numbers; got {shown(value)}", field=field)
    return float(value)
