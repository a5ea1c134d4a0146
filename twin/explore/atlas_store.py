"""The folder of an atlas: a manifest that tells where it comes from, and Parquet files of so many turns each.

A file appears under its name when it is whole, never before, so whatever stops a build costs the files that were being
made and nothing else.
"""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from twin.errors import BadInputError
from twin.explore.atlas_table import COLUMNS, require_pyarrow
from twin.writing import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from twin.explore.atlas_plan import Plan

KIND: Final = "twin atlas"
SCHEMA: Final = 1
MANIFEST: Final = "manifest.json"
PARTITION: Final = 20_000
"""Turns in one file."""
_TEMPORARY: Final = ".twin-*"
"""What `write_whole` calls a file that is not whole yet."""
_KEYS: Final = ("ghosts", "flips", "sample", "seed", "every", "total", "partition", "code", "versions", "machine")
_COUNTS: Final = ("ghosts", "every", "total", "partition")
_GROWING: Final = ("sample", "limit", "total")
"""What may be more when an atlas is continued."""
_MACHINE_KEYS: Final = ("name", "fingerprint", "tunnels", "sliders")
"""What readers of a manifest rely on."""


@dataclass(frozen=True)
class Store:
    """The folder of one atlas, for one plan."""

    folder: Path
    plan: Plan
    size: int = PARTITION
    """Turns in one file; the last one may hold fewer."""

    @property
    def count(self) -> int:
        """How many files a whole atlas has."""
        return -(-self.plan.total // self.size)

    def span(self, number: int) -> tuple[int, int]:
        """First place of a file's turns in the plan, and the first place after them."""
        first = number * self.size
        return first, min(first + self.size, self.plan.total)

    def path(self, number: int) -> Path:
        """A file's place."""
        return self.folder / file_name(number)

    def missing(self) -> list[int]:
        """Numbers of the files that are not there yet, or not whole."""
        return [number for number in range(self.count) if not self._is_whole(number)]

    def left(self) -> int:
        """How many turns are still to be run."""
        return sum(last - first for first, last in map(self.span, self.missing()))

    def write(self, number: int, content: bytes) -> None:
        """Put a file into its place."""
        write_whole(self.path(number), content)

    def _is_whole(self, number: int) -> bool:
        import pyarrow as pa
        from pyarrow import parquet

        first, last = self.span(number)
        try:
            rows: int = parquet.read_metadata(self.path(number)).num_rows
        except (OSError, pa.ArrowException):
            return False
        return rows == (last - first) * self.plan.ghosts


def open_store(folder: Path, plan: Plan, *, resume: bool, size: int = PARTITION) -> Store:
    """The folder for a plan: made, or found and compared with what it holds.

    With `resume` an atlas may grow: more turns of the same kind, by a greater `limit` or `sample`, are added to those
    that are there. Raises `BadInputError` if the folder is not empty and `resume` is false, or if it holds anything
    but an atlas made by the same plan, machine and versions: one atlas never mixes two origins.
    """
    require_pyarrow()
    store = Store(folder, plan, size)
    wanted = manifest_json(store)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for stale in folder.glob(_TEMPORARY) if resume else ():
            stale.unlink(missing_ok=True)
        empty = not any(folder.iterdir())
    except OSError as error:
        raise BadInputError(f"cannot be used as a folder: {error.strerror}", source=str(folder)) from None
    if not empty:
        if not resume:
            raise BadInputError("the folder must be empty or missing; --resume continues an atlas", source=str(folder))
        _compare(read_manifest(folder), wanted, folder / MANIFEST)
    write_whole(folder / MANIFEST, json.dumps(wanted, ensure_ascii=False, indent=1) + "\n")
    return store


def read_manifest(folder: Path) -> dict[str, Any]:
    """What the folder's manifest says, or a `BadInputError` if it is none of an atlas."""
    path = folder / MANIFEST
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise BadInputError(f"is not an atlas: it has no {MANIFEST}", source=str(folder)) from None
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", source=str(path)) from None
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"must be JSON: {error}"[:300], source=str(path)) from None
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise BadInputError(f"must be the manifest of an atlas (kind = {KIND!r})", source=str(path))
    if data.get("schema") != SCHEMA:
        raise BadInputError(f"must be {SCHEMA}; got {data.get('schema')!r}", source=str(path), field="schema")
    machine = data.get("machine")
    for key in (*_KEYS, *(f"machine.{key}" for key in _MACHINE_KEYS)):
        table = machine if key.startswith("machine.") else data
        if not isinstance(table, dict) or key.removeprefix("machine.") not in table:
            raise BadInputError("is missing; only `twin atlas build` writes manifests", source=str(path), field=key)
    for key in _COUNTS:
        if not isinstance(data[key], int) or data[key] < 1:
            raise BadInputError(f"must be a whole number above 0; got {data[key]!r}", source=str(path), field=key)
    return data


def files(folder: Path, manifest: dict[str, Any]) -> list[Path]:
    """The Parquet files of an atlas that are there, in order; others in its folder are none of it."""
    whole = {file_name(number) for number in range(-(-manifest["total"] // manifest["partition"]))}
    found = sorted(path for path in folder.glob("turns-*.parquet") if path.name in whole)
    if not found:
        raise BadInputError("the atlas holds no turns yet; `twin atlas build --resume` goes on", source=str(folder))
    return found


def file_name(number: int) -> str:
    """What the files of an atlas are called."""
    return f"turns-{number:06d}.parquet"


def manifest_json(store: Store) -> dict[str, Any]:
    """Where an atlas comes from: what it holds, on which machine, made by which code."""
    from twin.kernel import code_hash

    plan, machine = store.plan, store.plan.machine
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
        "partition": store.size,
        "orientation": 0,
        "engine": "kernel",
        "code": code_hash(),
        "versions": _versions(),
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


def _compare(found: dict[str, Any], wanted: dict[str, Any], path: Path) -> None:
    """Raise unless an atlas that was begun so can be continued so."""
    # The first turns of an atlas, or of a sample, do not depend on how many follow.
    grows = found["total"] <= wanted["total"] and (found["sample"] is None) == (wanted["sample"] is None)
    for key in (*wanted, *(key for key in found if key not in wanted)):
        if found.get(key) == wanted.get(key) or (grows and key in _GROWING):
            continue
        then, now = _first_difference(found.get(key), wanted.get(key))
        problem = f"this atlas was begun otherwise and can't be continued: {then} then, {now} now"
        raise BadInputError(problem, source=str(path), field=key)


def _versions() -> dict[str, str]:
    """What the numbers in an atlas may depend on, beside the code itself."""
    names = {"twin": "mauer-twin", "numba": "numba", "numpy": "numpy", "pyarrow": "pyarrow"}
    found = {name: version(package) for name, package in names.items()}
    return found | {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}


def _first_difference(found: object, wanted: object) -> tuple[str, str]:
    """The first entries that differ, for a message."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        key = min(key for key in found.keys() | wanted.keys() if found.get(key) != wanted.get(key))
        then, now = _first_difference(found.get(key), wanted.get(key))
        return f"{key} {then}", now
    return json.dumps(found)[:100], json.dumps(wanted)[:100]
