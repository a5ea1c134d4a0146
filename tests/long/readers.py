"""Every reader of files from outside, with good files to make mutants of."""

from __future__ import annotations

import json
import random
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tests.atlases import TINY
from tests.broken_measurements import GOOD, GOOD_BENCH
from tests.hidden import any_action, played
from tests.long.mutation import CSV, JSON, LINES, PACKED, PLAIN, TOML
from twin.board.machine import Machine, load_machine
from twin.board.moves import parse_move
from twin.board.scene import load_scene
from twin.caches import MAGNETS, Cache
from twin.calibrate.evidence.facts import load_evidence
from twin.calibrate.fit.bench import check_bench, combined, read_bench
from twin.calibrate.fit.checkpoint import Checkpoint
from twin.calibrate.fit.measurements import machine_of_scenes, read_measurements
from twin.calibrate.fit.posterior import Asked
from twin.errors import TwinError
from twin.explore.atlas.build import build_atlas
from twin.explore.atlas.contents import Plan
from twin.explore.atlas.file_hashes import HASHES, read_hashes
from twin.explore.atlas.manifest import MANIFEST
from twin.explore.atlas.queries import open_atlas
from twin.explore.atlas.summary import summarise
from twin.files import data_folder, parse_json, read_json, read_text
from twin.game.actions import parse_action
from twin.game.board import Table
from twin.game.bots import NAMES
from twin.game.positions import MOVE, PLACE, RETURN, Game, Options, new_game
from twin.game.rules import legal_actions
from twin.game.saved import observation
from twin.outcome.engine import Twin
from twin.physics.hand import varied_hand
from twin.physics.measured import read_turn
from twin.play.catalogue import LANGUAGES, load_catalogue
from twin.play.commands import read as read_typed
from twin.play.record import parse_record, record_text, replay
from twin.play.save import parse_saved, save_text
from twin.play.session import HUMAN, Seats, Session, parse_seats
from twin.play.unfinished import unfinished_games
from twin.reports.as_json import machine_json, scene_json
from twin.reports.atlas_page import page
from twin.reports.run_record import record_json
from twin.reports.run_record import replay as replay_run

if TYPE_CHECKING:
    from collections.abc import Callable

Bases = tuple[bytes, ...]

RECIPE: Final = "of a table"
KEPT: Final = bytes(range(256)) * 4


@dataclass(frozen=True)
class Reader:
    """What reads a kind of file, and good files of that kind."""

    kind: str
    name: str
    """Of the file in its folder."""
    share: float
    """Of all mutants, relative to the other readers; less for those that compute."""
    bases: Callable[[], Bases]
    read: Callable[[Path], object]
    """Read the file as a command does, and use what it holds."""
    beside: Callable[[], dict[str, bytes]] = dict
    """Other files that lie in its folder."""


# -- good files --------------------------------------------------------------------------------------------------------


def _shipped(*parts: str) -> Bases:
    return tuple(path.read_bytes() for path in sorted(data_folder(*parts).rglob("*.toml")))


@cache
def _machine() -> Machine:
    return load_machine()


@cache
def _game(phase: str) -> Game:
    """A game that has come to a phase."""
    dice = random.Random(5)
    table = Table(_machine())
    while True:
        options = Options(("red", "blue", "green"), seed=dice.randrange(1000), wandering_decks=dice.random() < 0.5)
        game = played(new_game(_machine(), options), table, dice, 10)
        if game.phase == phase:
            return game


def _seats(game: Game) -> Seats:
    return Seats(tuple((colour, HUMAN) for colour in game.options.players))


def _saves() -> Bases:
    games = [_game(phase) for phase in (MOVE, PLACE, RETURN)]
    return tuple(save_text(Session(game), _seats(game), _machine()).encode() for game in games)


def _play_records() -> Bases:
    found = []
    for seed in (1, 2):
        game = new_game(_machine(), Options(("red", "blue"), seed=seed))
        session, table, dice = Session(game), Table(_machine()), random.Random(seed)
        for _ in range(8):
            session = session.act(any_action(legal_actions(session.game, table), dice), table)
        found.append(record_text(session, _seats(game), _machine(), "kernel").encode())
    return tuple(found)


def _run_records() -> Bases:
    found = []
    for scene, move, engine in (("drag", "drag red north", "pymunk"), ("held", "turn cw", "kernel")):
        start = load_scene(scene)
        outcome = Twin(start.machine, engine).act(start.state, parse_move(move), sensitivity=False)
        found.append(json.dumps(record_json([outcome], [{}], as_is=False)).encode())
    return tuple(found)


def _measurements() -> Bases:
    return GOOD.encode(), GOOD.replace("held", "rides").encode(), _timed().encode()


def _timed() -> str:
    head, *rows = GOOD.splitlines()
    return "\n".join([f"{head},duration", *(f"{row},1.2" for row in rows)]) + "\n"


def _benches() -> Bases:
    return GOOD_BENCH.encode(), (data_folder("calibration") / "synthetic" / "bench.csv").read_bytes()


def _turns() -> Bases:
    hand = varied_hand(_machine(), 1, 3, 3)
    rows = [(k / 25, 90 * min(k / 30, 1) ** 2 * (3 - 2 * min(k / 30, 1))) for k in range(35)]
    table = "time_s,angle_deg\n" + "".join(f"{time},{angle + hand.misalignment}\n" for time, angle in rows)
    return table.encode(), b"time_s,angle_rad\n0,0\n0.5,0.8\n1,1.5707963267948966\n"


@cache
def _atlas() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        build_atlas(Plan(TINY, limit=120), Path(folder), size=60)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def _file_of_atlas() -> Bases:
    return tuple(content for name, content in _atlas().items() if name.endswith(".parquet"))


def _all_but_the_manifest() -> dict[str, bytes]:
    return {name: content for name, content in _atlas().items() if name != MANIFEST}


def _unsealed() -> dict[str, bytes]:
    """The manifest of an atlas without hashes, where no reading notices damage before the query."""
    manifest = json.loads(_atlas()[MANIFEST])
    del manifest["hashes"]
    return {MANIFEST: json.dumps(manifest).encode()}


def _checkpoints() -> Bases:
    with tempfile.TemporaryDirectory() as folder:
        memory = Checkpoint(Path(folder) / "a", "recipe")
        for hands in (8, 16):
            memory.answer(Asked(np.array([0.25, 0.5]), hands, 7), lambda _: np.array([-1.0, -2.0]))
        memory.save()
        return ((Path(folder) / "a").read_bytes(),)


def _caches() -> Bases:
    with tempfile.TemporaryDirectory() as folder:
        Cache(Path(folder) / "a").keep(MAGNETS, RECIPE, KEPT)
        return tuple(path.read_bytes() for path in (Path(folder) / "a").iterdir())


def _typed() -> Bases:
    return (
        b"turn cw\nturn ccw\npush A north\npush B south\n",
        b"drag red north\nrelocate A 2 -1 flip\nsearch 2\ntop headgear\nkeep\nput 3\nplace red c5\nstop\n",
        b"3\nhelp\nmoves\nundo\nsave x\nred=human,blue=greedy@20\n",
    )


# -- reading -----------------------------------------------------------------------------------------------------------


def _read_scene(path: Path) -> None:
    scene_json(load_scene(str(path)))


def _read_machine(path: Path) -> None:
    machine_json(load_machine(str(path)))


def _read_save(path: Path) -> None:
    saved = parse_saved(read_json(path), NAMES)
    for player in saved.game.options.players:
        observation(saved.game, player, saved.machine)


def _read_play_record(path: Path) -> None:
    record = parse_record(read_text(path), NAMES)
    replay(record, _table(record.start.machine, record.engine))


@cache
def _table(machine: Machine, engine: str) -> Table:
    return Table(machine, engine)


def _read_unfinished(path: Path) -> None:
    for game in unfinished_games(path.parent, NAMES):
        game.hold.release()


def _read_bench(path: Path) -> None:
    values = read_bench(path)
    combined(values)
    check_bench(values, _machine(), str(path))
    for value in values:
        value.surprise(_machine())


def _read_atlas(path: Path) -> None:
    with open_atlas(path.parent) as atlas:
        page(summarise(atlas))


def _read_checkpoint(path: Path) -> None:
    Checkpoint(path, "recipe").answer(Asked(np.array([0.25, 0.5]), 8, 7), lambda _: np.zeros(2))


def _read_cache(path: Path) -> None:
    """What was kept, or nothing: never anything else."""
    assert Cache(path.parent).load(MAGNETS, RECIPE) in {None, KEPT}


def _read_script(path: Path) -> None:
    """Every line as the grammar of moves, of actions and of seats, and as something typed in each language."""
    game = new_game(_machine(), Options(("red", "blue")))
    for line in read_text(path).splitlines()[:20]:
        for language in LANGUAGES:
            catalogue = load_catalogue(language)
            with suppress(TwinError):
                read_typed(line, game, (), catalogue)
        for parse in (parse_move, parse_action, lambda text: parse_seats(text, NAMES)):
            with suppress(TwinError):
                parse(line)


_FIRST: Final = "turns-000000.parquet"

READERS: Final[dict[str, Reader]] = {
    "scene": Reader(TOML, "a.toml", 8, lambda: _shipped("scenes"), _read_scene),
    "machine": Reader(TOML, "a.toml", 8, lambda: _shipped("calibration", "machines"), _read_machine),
    "evidence": Reader(
        TOML, "a.toml", 5, lambda: _shipped("calibration", "evidence"), lambda path: load_evidence(str(path))
    ),
    "saved game": Reader(JSON, "a.json", 10, _saves, _read_save),
    "unfinished game": Reader(LINES, "a.jsonl", 6, _saves, _read_unfinished),
    "play record": Reader(LINES, "a.jsonl", 3, _play_records, _read_play_record),
    "run record": Reader(JSON, "a.json", 1, _run_records, replay_run),
    "measurements": Reader(CSV, "a.csv", 10, _measurements, lambda path: read_measurements(path, _machine())),
    "machine of measurements": Reader(CSV, "a.csv", 3, _measurements, machine_of_scenes),
    "bench sheet": Reader(CSV, "a.csv", 10, _benches, _read_bench),
    "measured turn": Reader(CSV, "a.csv", 10, _turns, read_turn),
    "manifest": Reader(JSON, MANIFEST, 3, lambda: (_atlas()[MANIFEST],), _read_atlas, _all_but_the_manifest),
    "hashes": Reader(PLAIN, HASHES, 3, lambda: (_atlas()[HASHES],), lambda path: read_hashes(path.parent, 2)),
    "file of an atlas": Reader(PLAIN, _FIRST, 1, _file_of_atlas, _read_atlas, _unsealed),
    "checkpoint": Reader(PACKED, "a.checkpoint", 8, _checkpoints, _read_checkpoint),
    "cache": Reader(PLAIN, Cache(Path())._path(MAGNETS, RECIPE).name, 4, _caches, _read_cache),
    "script": Reader(PLAIN, "a.txt", 5, _typed, _read_script),
    "any JSON": Reader(JSON, "a.json", 2, _saves, lambda path: parse_json(read_text(path))),
}
"""All of them, by name. Languages and shipped data are not read from outside; compiled code is, as sealed as tables."""

if find_spec("pyarrow") is None or find_spec("duckdb") is None:
    for _name in ("manifest", "hashes", "file of an atlas"):
        del READERS[_name]
