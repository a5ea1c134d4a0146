"""Machine files made by a fit: the file that it began with, and in it what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from twin.board.machine import parse_machine
from twin.board.quantities import KEYS
from twin.files import data_folder, find, parse_toml, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twin.board.machine import Machine

MEASURED: Final = "measured"


@dataclass(frozen=True)
class FittedValue:
    """A value that was found, in the unit of its key."""

    key: str
    value: float
    range: tuple[float, float]


def measured_toml(base: Machine, values: Sequence[FittedValue], title: str, notes: Sequence[str]) -> str:
    """The file of a machine with some values measured; read back before it is handed out."""
    data = read_toml(find(base.path or base.name, data_folder("calibration", "machines"), "machine"))
    data["title"] = title
    data["notes"] = "\n".join(["", *notes, ""])
    for measured in values:
        group, name = measured.key.split(".")
        value = rounded(measured.value)
        low, high = (rounded(bound) for bound in measured.range)
        data[group][name] = {
            "value": value,
            "unit": KEYS[measured.key].unit,
            "source": MEASURED,
            "range": [min(low, value), max(high, value)],
        }
    text = _toml(data)
    parse_machine(parse_toml(text), base.name)
    return text


def rounded(value: float) -> float:
    """Five significant digits: more than can be measured."""
    return float(f"{value:.5g}")


def _toml(data: Mapping[str, Any]) -> str:
    """A machine as TOML, in the form of the files that ship: values inline, drawings and notes as blocks."""
    tables = {key: value for key, value in data.items() if isinstance(value, dict)}
    lines = [f"{key} = {_value(value)}" for key, value in data.items() if key not in tables]
    for name, table in tables.items():
        nested = {key: value for key, value in table.items() if _is_table(name, value)}
        if len(nested) < len(table):
            lines += ["", f"[{name}]"]
            lines += [f"{key} = {_value(value)}" for key, value in table.items() if key not in nested]
        for key, inner in nested.items():
            lines += ["", f"[{name}.{key}]"]
            lines += [f"{inner_key} = {_value(value)}" for inner_key, value in inner.items()]
    return "\n".join(lines) + "\n"


def _is_table(name: str, value: object) -> bool:
    return isinstance(value, dict) and name in {"sliders", "castle"}


def _value(value: object) -> str:
    if isinstance(value, int | float):
        return repr(value).lower()  # true and false among them
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            return "[\n" + "".join(f"    {_value(inner)},\n" for inner in value) + "]"
        return "[" + ", ".join(_value(inner) for inner in value) + "]"
    text = str(value)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    if "\n" in text:
        # The line end right after the opening quotes is not part of the text.
        return '"""' + ("" if text.startswith("\n") else "\n") + escaped + '"""'
    return f'"{escaped}"'
