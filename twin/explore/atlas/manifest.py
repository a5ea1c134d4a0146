"""The manifest of an atlas: what it holds, and where that comes from."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from twin.board.grid import SIDE
from twin.board.state import COLOURS
from twin.errors import BadInputError, shown
from twin.explore.atlas.contents import count_every, count_total
from twin.explore.atlas.file_hashes import HASHES
from twin.explore.atlas.turn_table import COLUMNS
from twin.files import read_json

if TYPE_CHECKING:
    from pathlib import Path

    from twin.explore.atlas.contents import Plan

KIND: Final = "twin atlas"
SCHEMA: Final = 1
MANIFEST: Final = "manifest.json"
LARGEST: Final = 100_000
"""Turns in one file at most: more would need more than a gigabyte of memory."""
MOST_SLIDERS: Final = 5
_GROWING: Final = ("sample", "limit", "total")
"""What may be more when an atlas is continued."""
_SEALED: Final = "hashes"
"""The key that names the list of hashes. An atlas made by an earlier version has neither, and can be continued."""

_KINDS: Final = {str: "text", dict: "a table", bool: "true or false", list: "a list"}


def manifest_json(plan: Plan, size: int) -> dict[str, Any]:
    """The manifest of an atlas that holds a plan's turns in files of `size` turns."""
    machine = plan.machine
    data = {
        "kind": KIND,
        "schema": SCHEMA,
        "ghosts": plan.ghosts,
        "flips": plan.flips,
        "sample": plan.sample,
        "seed": None if plan.sample is None else plan.seed,
        "limit": plan.limit,
        "every": plan.every,
        "total": plan.total,
        "partition": size,
        _SEALED: HASHES,
        "orientation": 0,
        "engine": "kernel",
        **origin(),
        "machine": {
            "name": machine.name,
            "fingerprint": machine.fingerprint,
            "values": machine.values(),
            "tunnels": list(machine.tunnels),
            "sliders": {name: [list(magnet) for magnet in machine.sliders[name]] for name in sorted(machine.sliders)},
            "castle": machine.castle.drawing,
        },
        "columns": COLUMNS,
    }
    plain: dict[str, Any] = json.loads(json.dumps(data))
    return plain


def origin() -> dict[str, Any]:
    """What the numbers in an atlas depend on beside its plan: the kernel's code, and the versions it runs on."""
    from twin.outcome.kernel_door import code_hash

    names = {"twin": "mauer-twin", "numba": "numba", "numpy": "numpy", "pyarrow": "pyarrow"}
    versions = {name: version(package) for name, package in names.items()}
    versions |= {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}
    return {"code": code_hash(), "versions": versions}


def is_sealed(manifest: dict[str, Any]) -> bool:
    """Whether each file of an atlas has its hash in the list; those of earlier versions have none."""
    return _SEALED in manifest


def read_manifest(folder: Path) -> dict[str, Any]:
    """The content of the folder's manifest, or a `BadInputError` with the field that cannot be so.

    All numbers are held against each other: how many turns there are follows from ghosts, tunnels, sliders and flips.
    """
    path = folder / MANIFEST
    if not os.path.lexists(path):
        raise BadInputError(f"is not an atlas: it has no {MANIFEST}", source=str(folder))
    data = read_json(path)
    try:
        return _checked(data)
    except BadInputError as error:
        raise error.within(source=str(path)) from None


def continued(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """The manifest of an atlas that was begun with the manifest `found` and goes on as `wanted`.

    Raises `BadInputError` if it can't: an atlas can only grow, and never mixes two origins.
    """
    # The first turns of an atlas, or of a sample, do not depend on how many follow.
    grows = found["total"] <= wanted["total"] and (found["sample"] is None) == (wanted["sample"] is None)
    kept = wanted if is_sealed(found) else {key: value for key, value in wanted.items() if key != _SEALED}
    for key in (*kept, *(key for key in found if key not in kept)):
        if found.get(key) == kept.get(key) or (grows and key in _GROWING):
            continue
        then, now = first_difference(found.get(key), kept.get(key))
        problem = f"this atlas was begun otherwise and can't be continued: {then} then, {now} now"
        raise BadInputError(problem, field=key)
    return kept


def first_difference(found: object, wanted: object) -> tuple[str, str]:
    """The first entries that differ, for a message; the first of them names the entry."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        key = min(key for key in found.keys() | wanted.keys() if found.get(key) != wanted.get(key))
        then, now = first_difference(found.get(key), wanted.get(key))
        return f"{key} {then}", now
    return json.dumps(found)[:100], json.dumps(wanted)[:100]


def _checked(data: Any) -> dict[str, Any]:  # noqa: ANN401 - as JSON gives it
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise BadInputError(f"must be the manifest of an atlas (kind = {KIND!r})")
    if data.get("schema") != SCHEMA:
        raise BadInputError(f"must be {SCHEMA}; got {shown(data.get('schema'))}", field="schema")
    for key, kind in (("code", str), ("versions", dict), ("machine", dict), ("flips", bool)):
        _require(isinstance(_value(data, key), kind), data, key, _KINDS[kind])
    _check_machine(data["machine"])
    tunnels, sliders = len(data["machine"]["tunnels"]), len(data["machine"]["sliders"])
    _check_number(data, "ghosts", len(COLOURS))
    every = count_every(data["ghosts"], tunnels, sliders, flips=data["flips"])
    _check_number(data, "sample", every, optional=True)
    _check_number(data, "limit", 10**15, optional=True)
    seed, drawn = _value(data, "seed"), _value(data, "sample") is not None
    _require((type(seed) is int and seed >= 0) if drawn else seed is None, data, "seed", "a seed with a sample only")
    _check_sum(data, "every", every, "for these ghosts, tunnels, sliders and flips")
    _check_sum(data, "total", count_total(every, data["sample"], data.get("limit")), "for this sample and limit")
    _check_number(data, "partition", LARGEST)
    return data


def _check_machine(machine: dict[str, Any]) -> None:
    try:
        for key, kind in (("name", str), ("fingerprint", str), ("tunnels", list), ("sliders", dict)):
            _require(isinstance(_value(machine, key), kind), machine, key, _KINDS[kind])
        tunnels, sliders = machine["tunnels"], machine["sliders"]
        _require(1 <= len(tunnels) <= SIDE, machine, "tunnels", f"1 to {SIDE} places")
        most = min(MOST_SLIDERS, len(tunnels))
        _require(1 <= len(sliders) <= most, machine, "sliders", f"1 to {most} sliders")
    except BadInputError as error:
        raise error.within(field="machine") from None


def _value(table: dict[str, Any], key: str) -> Any:  # noqa: ANN401 - as JSON gives it
    if key not in table:
        raise BadInputError("is missing; only `twin atlas build` writes manifests", field=key)
    return table[key]


def _check_number(data: dict[str, Any], key: str, most: int, *, optional: bool = False) -> None:
    value = data.get(key) if optional else _value(data, key)
    fits = (optional and value is None) or (type(value) is int and 1 <= value <= most)
    _require(fits, data, key, f"a whole number from 1 to {most:,}{' or null' if optional else ''}")


def _check_sum(data: dict[str, Any], key: str, right: int, why: str) -> None:
    value = _value(data, key)
    _require(type(value) is int and value == right, data, key, f"{right} {why}")


def _require(fits: bool, table: dict[str, Any], key: str, right: str) -> None:  # noqa: FBT001 - a check
    if not fits:
        raise BadInputError(f"must be {right}; got {shown(table.get(key))}", field=key)
