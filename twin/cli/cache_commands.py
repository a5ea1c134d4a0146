"""The command `cache`: what the twin keeps between runs to save time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twin.cli.options import add_json, command
from twin.cli.output import print_json

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.caches import Entry
    from twin.cli.options import Commands


def add(commands: Commands) -> None:
    """Add the command to the parser's."""
    sub = command(commands, "cache", cache, "show or clear the files that the twin keeps to save time")
    sub.add_argument(
        "part",
        metavar="clear",
        nargs="?",
        choices=("clear",),
        help="remove them; files that the twin did not put there stay",
    )
    add_json(sub)
    sub.epilog = (
        "Compiled code, force tables and samples lie in the folder that the environment variable TWIN_CACHE names, or "
        "else in mauer-twin in the user's cache folder ($XDG_CACHE_HOME or ~/.cache), 100 MB at most. Without them "
        "every result is the same. A folder that another user owns or may write is not used."
    )


def cache(options: Namespace) -> int:
    """`twin cache` shows what is kept and where, `twin cache clear` removes it."""
    from twin.caches import KERNEL, LIMIT, MAGNETS, REGION, Cache, cache_folder

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
    kinds = {
        KERNEL: ("folder of compiled code", "folders of compiled code"),
        MAGNETS: ("force table of a pair of magnets", "force tables of pairs of magnets"),
        REGION: ("sample of machines that fit the rulebook", "samples of machines that fit the rulebook"),
    }
    for kind, (one, many) in kinds.items():
        some = [entry for entry in entries if entry.kind == kind]
        if some:
            print(f"  {len(some)} {one if len(some) == 1 else many}, {_size(some)}")
    if refusal is not None:
        print(refusal)
    print("TWIN_CACHE names another folder; `twin cache clear` clears this one.")
    return 0


def _entry(entry: Entry) -> dict[str, Any]:
    from datetime import UTC, datetime

    used = datetime.fromtimestamp(entry.used, tz=UTC).isoformat(timespec="seconds")
    return {"name": entry.path.name, "kind": entry.kind, "bytes": entry.size, "used": used}


def _size(entries: tuple[Entry, ...] | list[Entry]) -> str:
    return f"{sum(entry.size for entry in entries) / 1e6:.1f} MB"
