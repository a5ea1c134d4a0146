"""The command `cache`: what the twin keeps between runs to save time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from twin.caches import KERNEL, LIMIT, MAGNETS, REGION, Cache, cache_folder
from twin.cli.output import print_json

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.caches import Entry

_WORDS: Final = {
    KERNEL: ("folder of compiled code", "folders of compiled code"),
    MAGNETS: ("force table of a pair of magnets", "force tables of pairs of magnets"),
    REGION: ("sample of machines that fit the rulebook", "samples of machines that fit the rulebook"),
}


def cache(options: Namespace) -> int:
    """`twin cache` shows what is kept and where, `twin cache clear` removes it."""
    place = Cache(cache_folder())
    if options.part == "clear":
        gone = place.clear()
        if options.json:
            print_json({"folder": str(place.folder), "removed": [_entry(entry) for entry in gone]})
        else:
            print(f"{place.folder}: {_size(gone)} removed")
        return 0
    entries, refusal = place.entries(), place.refusal()
    if options.json:
        data: dict[str, Any] = {"folder": str(place.folder), "used": refusal is None, "refusal": refusal}
        size = sum(entry.size for entry in entries)
        print_json(data | {"bytes": size, "limit": LIMIT, "entries": [_entry(entry) for entry in entries]})
        return 0
    print(f"{place.folder}: {_size(entries)} of at most {LIMIT / 1e6:.0f} MB")
    for kind, (one, many) in _WORDS.items():
        some = [entry for entry in entries if entry.kind == kind]
        if some:
            print(f"  {len(some)} {one if len(some) == 1 else many}, {_size(some)}")
    if refusal is not None:
        print(refusal)
    print("TWIN_CACHE names another folder; `twin cache clear` clears this one.")
    return 0


def _entry(entry: Entry) -> dict[str, Any]:
    used = datetime.fromtimestamp(entry.used, tz=UTC).isoformat(timespec="seconds")
    return {"name": entry.path.name, "kind": entry.kind, "bytes": entry.size, "used": used}


def _size(entries: tuple[Entry, ...] | list[Entry]) -> str:
    return f"{sum(entry.size for entry in entries) / 1e6:.1f} MB"
