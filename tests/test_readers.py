"""Files that commands read: plain ones only, of a limited size, and nothing in them ends in a traceback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest

from tests.broken_measurements import GOOD
from tests.setups import MACHINE
from twin.calibrate.fit.checkpoint import Checkpoint
from twin.calibrate.fit.measurements import read_measurements
from twin.calibrate.fit.posterior import Asked
from twin.cli import main
from twin.errors import BadInputError
from twin.files import data_folder
from twin.physics.measured import read_turn

if TYPE_CHECKING:
    from pathlib import Path

BAD_INPUT: Final = 2

READERS: Final[dict[str, tuple[str, list[str]]]] = {
    "a scene": ("a.toml", ["show"]),
    "a machine": ("a.toml", ["machine"]),
    "a record of moves": ("a.json", ["replay"]),
    "a measured turn": ("a.csv", ["turn", "start", "cw", "--path"]),
    "measurements": ("a.csv", ["calibrate", "check", "reconstruction"]),
    "evidence": ("a.toml", ["calibrate", "rulebook", "--evidence"]),
    "a saved game": ("a.json", ["game", "show"]),
    "a game to go on with": ("a.json", ["play", "--resume"]),
    "a script": ("a.txt", ["play", "--players", "red,blue", "--script"]),
}
"""A file that a command reads: a name for it, and the words before it."""

EACH: Final = pytest.mark.parametrize("reader", READERS)


def complaint(reader: str, file: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*READERS[reader][1], str(file)]) == BAD_INPUT
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    assert str(file) in told.err
    return told.err


@EACH
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this platform has no named pipes")
def test_a_pipe_is_refused_at_once(reader, tmp_path, capsys):
    """Nothing ever writes into this one, so reading it would wait for ever."""
    file = tmp_path / READERS[reader][0]
    os.mkfifo(file)
    assert "it is a pipe" in complaint(reader, file, capsys)


@EACH
def test_a_device_without_end_is_refused(reader, tmp_path, capsys):
    if not os.path.exists("/dev/zero"):  # noqa: PTH110
        pytest.skip("this platform has no /dev/zero")
    file = tmp_path / READERS[reader][0]
    file.symlink_to("/dev/zero")
    assert "it is a device" in complaint(reader, file, capsys)


@EACH
def test_a_large_file_is_refused_unread(reader, tmp_path, capsys):
    """A hundred gigabytes that take no room on the disk."""
    file = tmp_path / READERS[reader][0]
    with file.open("wb") as hollow:
        hollow.truncate(100_000_000_000)
    assert "must be at most" in complaint(reader, file, capsys)


# -- memory ------------------------------------------------------------------------------------------------------------

CHILD: Final = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (500_000_000, 500_000_000))
from pathlib import Path
from twin.calibrate.fit.checkpoint import Checkpoint
from twin.errors import BadInputError
from twin.files import data_folder
from twin.physics.measured import read_turn
from twin.reports.run_record import replay
from twin.board.scene import load_scene
folder = Path(sys.argv[1])
for read in (
    lambda: load_scene(str(folder / "keys.toml")),
    lambda: load_scene(str(folder / "heading.toml")),
    lambda: replay(folder / "tables.json"),
    lambda: replay(folder / "deep.json"),
    lambda: read_turn(folder / "cells.csv"),
):
    try:
        read()
    except BadInputError as error:
        print(error.problem)
print("known:", Checkpoint(folder / "packed", "recipe").known)
"""


def test_small_files_that_would_take_much_memory_are_refused_within_500_mb(tmp_path):
    """Dotted keys, tables by the million, tables within tables, cells by the million, zeros packed a thousandfold."""
    pytest.importorskip("resource")
    head = b'{"kind":"twin record","schema":1,"moves":['
    (tmp_path / "keys.toml").write_bytes(b"a" + b".a" * 40_000 + b" = 1\n")
    (tmp_path / "heading.toml").write_bytes(b"[a" + b".a" * 100_000 + b"]\n")
    (tmp_path / "tables.json").write_bytes(head + b"{}," * 900_000 + b"{}]}")
    (tmp_path / "deep.json").write_bytes(head + b"[" * 900_000)
    (tmp_path / "cells.csv").write_bytes(b"time_s,angle_rad\n" + b"11," * 3_000_000)
    with zipfile.ZipFile(tmp_path / "packed", "w", zipfile.ZIP_DEFLATED) as packed:
        for name in ("recipe.npy", "asked.npy", "answers.npy"):
            packed.writestr(name, bytes(50_000_000))
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path)], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    *problems, known = run.stdout.splitlines()
    wanted = ["at most 20 parts", "at most 20 parts", "not a whole record", "must be JSON", "at most 200 letters"]
    for problem, words in zip(problems, wanted, strict=True):
        assert words in problem
    assert known == "known: 0"


# -- what used to end in a traceback -----------------------------------------------------------------------------------


def asked() -> Asked:
    return Asked(np.array([0.25, 0.5]), 16, 7)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """The file of a fit that was interrupted after one answer."""
    path = tmp_path / ".a.toml.checkpoint"
    memory = Checkpoint(path, "recipe")
    memory.answer(asked(), lambda _: np.array([-1.0, -2.0]))
    memory.save()
    return path


def test_a_checkpoint_knows_what_was_computed(checkpoint):
    memory = Checkpoint(checkpoint, "recipe")
    assert memory.known == 1
    assert memory.answer(asked(), lambda _: np.zeros(2)).tolist() == [-1.0, -2.0]
    assert Checkpoint(checkpoint, "another recipe").known == 0


def test_a_damaged_checkpoint_is_computed_anew(checkpoint):
    """Whichever byte is another, and wherever it ends, it is whole or it is not used."""
    whole = checkpoint.read_bytes()
    damaged = [whole[:length] for length in range(0, len(whole), 37)]
    damaged += [whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(0, len(whole), 7)]
    for content in [*damaged, b"PK\3\4x", b"\x93NUMPY", b"[]"]:
        checkpoint.write_bytes(content)
        memory = Checkpoint(checkpoint, "recipe")
        assert memory.known == 0 or memory.answers[0].tolist() == [-1.0, -2.0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this platform has no named pipes")
def test_a_checkpoint_that_is_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInputError, match="it is a pipe"):
        Checkpoint(tmp_path / "pipe", "recipe")


def test_a_measured_turn_may_have_the_line_ends_of_old_machines(tmp_path):
    path = tmp_path / "turn.csv"
    path.write_bytes(b"time_s,angle_deg\r0,0\r0.5,45\r1,90\r")
    assert read_turn(path).misalignment == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (b'0,"' + b"1" * 140_000 + b'"', "line 3 must have at most 200 letters"),
        (b"0," + "\u202e1".encode(), r"\u202e1"),
        (b"0,\x1b[31m", r"\x1b"),
    ],
)
def test_a_row_of_a_measured_turn_that_is_no_row_is_told(row, words, tmp_path):
    path = tmp_path / "turn.csv"
    path.write_bytes(b"time_s,angle_deg\n0,0\n" + row + b"\n")
    with pytest.raises(BadInputError) as told:
        read_turn(path)
    assert words in str(told.value)
    assert str(told.value).isprintable()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A record of one drag."""
    path = tmp_path_factory.mktemp("records") / "run.json"
    assert main(["drag", "start", "red", "north", "--record", str(path)]) == 0
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("moves", [], "one move or more"),
        ("moves", {}, "one move or more"),
        ("versions", ["twin"], "must be a table"),
        ("schema", "\u202e" * 500, "must be 1"),
        ("state", {"orientation": 0, "ghosts": {"red": [10**400, 0]}, "sliders": []}, "no float holds it"),
        ("state", {"orientation": 0, "ghosts": {"red": [1e308, 0]}, "sliders": []}, "sliders"),
        ("machine", {"columns": [float("inf")]}, "finite number"),
    ],
)
def test_a_record_that_cannot_be_is_told(key, value, words, recorded, tmp_path, capsys):
    data, record = json.loads(recorded) | {key: value}, tmp_path / "run.json"
    record.write_text(json.dumps(data), encoding="utf-8")
    assert main(["replay", str(record)]) == BAD_INPUT
    told = capsys.readouterr().err
    assert words in told
    assert "Traceback" not in told
    assert told.rstrip("\n").isprintable()


def test_a_sheet_writes_nothing_to_the_terminal_but_its_text(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text(GOOD.replace("\n1,", "\n1\x1b[2J\u202e,", 1), encoding="utf-8")
    names = [trial.name for trial in read_measurements(path, MACHINE).trials]
    assert names == [r"1\x1b[2J\u202e", "2"]


@pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="names of files are always text here")
def test_a_machine_whose_name_is_not_text_is_told_when_a_game_names_it(tmp_path, capsys):
    name = os.fsdecode(bytes(tmp_path / "m") + b"\xff.toml")
    shutil.copyfile(data_folder("calibration", "machines") / "reconstruction.toml", name)
    assert main(["game", "new", str(tmp_path / "game.json"), "--machine", name]) == BAD_INPUT
    assert "must be UTF-8 text" in capsys.readouterr().err
    assert not (tmp_path / "game.json").exists()
