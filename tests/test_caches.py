"""The cache costs time and nothing else: damaged, foreign, unwritable, full, or used by two processes at once."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from twin import caches
from twin.caches import Cache, cache_folder, heard_by
from twin.cli import main
from twin.errors import BadInputError
from twin.physics.kernel.compiled import HOME, code_hash, compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
NOT_ROOT = not hasattr(os, "geteuid") or os.geteuid() != 0
NO_OWNERS = not hasattr(os, "geteuid")
NOBODY = 65534


def tripled(x: int) -> int:
    return 3 * x + 1


def doubled(x: int) -> int:
    return 2 * x + 1


def called(home: Cache) -> int:
    """What the compiled function gives in a process that has not called it before; 1 more for code that was compiled.

    A tenth of the result is the function's value at 5.
    """
    function: Any = compiled(tripled, home=home)
    value: int = function(5)
    return 10 * value + len(function.stats.cache_misses)


TAKEN, COMPILED = 160, 161


@pytest.fixture
def home(tmp_path: Path) -> Cache:
    """A cache that holds one compiled function."""
    home = Cache(tmp_path / "cache")
    assert called(home) == COMPILED
    return home


def code_file(home: Cache) -> Path:
    (path,) = home.folder.glob("kernel-*/*.cache")
    return path


# -- damaged --------------------------------------------------------------------------------------------------------


class Trap:
    """A pickle of it makes a file when it is read."""

    def __reduce__(self):
        return Path.touch, (Path("trapped"),)


def flipped(raw: bytes, at: int) -> bytes:
    at %= len(raw)
    return raw[:at] + bytes([raw[at] ^ 4]) + raw[at + 1 :]


DAMAGED = {
    "emptied": lambda _: b"",
    "cut within the hash": lambda raw: raw[:20],
    "cut off": lambda raw: raw[: len(raw) // 2],
    "garbage": lambda raw: bytes(range(256)) * (len(raw) // 256),
    "flipped in the hash": lambda raw: flipped(raw, 3),
    "flipped at the begin": lambda raw: flipped(raw, 40),
    "flipped in the machine code": lambda raw: flipped(raw, len(raw) // 2),
    "flipped at the end": lambda raw: flipped(raw, -1),
    "brackets": lambda _: b"[" * 100_000,
    "a pickle that does something": lambda _: pickle.dumps(Trap()),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_code_is_compiled_anew(home: Cache, damage: str, tmp_path, monkeypatch) -> None:
    """Nothing of it is read as a pickle; the result is the same, and the file is whole again for the next process."""
    monkeypatch.chdir(tmp_path)
    path = code_file(home)
    path.write_bytes(DAMAGED[damage](path.read_bytes()))
    assert called(home) == COMPILED
    assert called(home) == TAKEN
    assert not Path("trapped").exists()


def test_code_of_another_function_is_not_used(home: Cache) -> None:
    """A sound file under a wrong name."""
    path = code_file(home)
    compiled(doubled, home=home)(5)
    (other,) = (file for file in path.parent.iterdir() if file != path)
    shutil.copy(other, path)
    assert called(home) == COMPILED


def test_code_that_numba_refuses_is_compiled_anew(home: Cache) -> None:
    """A content that is whole, but is not what numba can build from, as another version might have left it."""
    function = compiled(tripled, home=home)
    kept = {}

    class Spy(Cache):
        def keep(self, name: str, recipe: str, content: bytes) -> None:  # noqa: ARG002 - as it is called
            kept[name] = recipe

    compiled(tripled, home=Spy(home.folder / "elsewhere"))(5)
    ((name, recipe),) = kept.items()
    home.keep(name, recipe, pickle.dumps(("of", "another", "version")))
    assert function(5) == 16
    assert called(home) == TAKEN


def test_a_folder_in_a_files_place_is_passed_over(home: Cache) -> None:
    path = code_file(home)
    path.unlink()
    path.mkdir()
    assert called(home) == COMPILED


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the platform has no fifos")
def test_a_pipe_in_a_files_place_is_not_waited_for(home: Cache) -> None:
    path = code_file(home)
    path.unlink()
    os.mkfifo(path)
    assert called(home) == COMPILED
    assert called(home) == TAKEN


def test_a_file_in_the_folders_place_is_passed_over(tmp_path: Path) -> None:
    """Of the cache itself, and of the folder within it."""
    (tmp_path / "cache").write_text("in the way", encoding="utf-8")
    assert called(Cache(tmp_path / "cache")) == COMPILED
    assert called(Cache(tmp_path / "cache" / "deeper")) == COMPILED
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / f"kernel-{code_hash()}").write_text("in the way", encoding="utf-8")
    assert called(Cache(tmp_path / "other")) == COMPILED
    assert (tmp_path / "cache").read_text(encoding="utf-8") == "in the way"


@pytest.mark.skipif(NO_OWNERS, reason="the platform's files have no owners")
def test_a_folder_that_cannot_be_written_still_serves(home: Cache) -> None:
    """What it holds is used, what it lacks is made and not kept, and the reason can be asked for."""
    with without_rights(home.folder) as readable:
        home = Cache(readable)
        assert called(home) == TAKEN
        home.keep("magnets", "recipe", b"content")
        assert home.load("magnets", "recipe") is None
        assert home.obstacle() == f"{readable}: cannot be used as the cache: it cannot be written"


@contextmanager
def without_rights(folder: Path) -> Iterator[Path]:
    """A copy of a folder that this process may read and not write; root becomes another user, who owns it."""
    with tempfile.TemporaryDirectory() as outer:
        copy = Path(shutil.copytree(folder, Path(outer) / "cache"))
        Path(outer).chmod(0o755)
        for path in (copy, *copy.rglob("*")):
            if not NOT_ROOT:
                os.chown(path, NOBODY, NOBODY)
            path.chmod(0o500 if path.is_dir() else 0o400)
        if not NOT_ROOT:
            os.seteuid(NOBODY)
        try:
            yield copy
        finally:
            if not NOT_ROOT:
                os.seteuid(0)
            copy.chmod(0o700)
            for path in copy.rglob("*"):
                path.chmod(0o700)


def test_a_full_disk_costs_time_only(tmp_path: Path) -> None:
    """On a file system of 4 kB nothing can be kept; nothing is left behind, and the result is the same."""
    place = tmp_path / "small"
    place.mkdir()
    mount = shutil.which("mount")
    if NOT_ROOT or mount is None:
        pytest.skip("only root can mount a small file system")
    made = subprocess.run([mount, "-t", "tmpfs", "-o", "size=4k,mode=700", "tmpfs", place], capture_output=True)  # noqa: PLW1510
    if made.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        heard: list[str] = []
        with heard_by(heard.append):
            assert called(Cache(place / "cache")) == COMPILED
        assert not any(path.is_file() for path in place.rglob("*"))
        assert heard[-1] == f"{place / 'cache'}: the cache cannot be written: No space left on device"
    finally:
        subprocess.run(["umount", place], check=True)  # noqa: S607


def test_two_processes_that_begin_at_once_do_not_harm_each_other(tmp_path: Path) -> None:
    script = "import sys, tests.test_caches as t; from pathlib import Path; print(t.called(t.Cache(Path(sys.argv[1]))))"
    command = [sys.executable, "-c", script, str(tmp_path / "cache")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=ROOT, text=True) for _ in range(2)]
    printed = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert {int(text) // 10 for text in printed} == {16}
    assert called(Cache(tmp_path / "cache")) == TAKEN
    assert {path.suffix for path in code_file(Cache(tmp_path / "cache")).parent.iterdir()} == {".cache"}


# -- not this user's own --------------------------------------------------------------------------------------------

REFUSED = {
    "the folder is another user's": (lambda folder: os.chown(folder, NOBODY, -1), "another user owns it"),
    "its group may write to the folder": (lambda folder: folder.chmod(0o770), "other users may write to it"),
    "all may write to the folder": (lambda folder: folder.chmod(0o707), "other users may write to it"),
}


@pytest.mark.skipif(NO_OWNERS, reason="the platform's files have no owners")
@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("inner", [False, True])
def test_a_folder_that_others_control_is_not_used(home: Cache, case: str, inner: bool) -> None:  # noqa: FBT001
    """Nothing is read from it or written to it, and a sentence says why: of the cache, and of a folder within."""
    spoil, why = REFUSED[case]
    if "another" in case and NOT_ROOT:
        pytest.skip("only root can give a folder away")
    folder = code_file(home).parent if inner else home.folder
    spoil(folder)
    before = listing(home.folder)
    heard: list[str] = []
    with heard_by(heard.append):
        assert called(home) == COMPILED
        if not inner:
            home.keep("magnets", "recipe", b"content")
    assert listing(home.folder) == before
    assert f"{folder}: is not used as the cache: {why}" in heard[0]


@pytest.mark.skipif(NO_OWNERS, reason="the platform's files have no owners")
def test_a_file_that_others_control_is_not_read(home: Cache) -> None:
    """It is replaced by one that this user alone may write."""
    path = code_file(home)
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o666)
    assert called(home) == COMPILED
    assert path.stat().st_mode & 0o777 == 0o600
    if not NOT_ROOT:
        os.chown(path, NOBODY, -1)
        assert called(home) == COMPILED
        assert path.stat().st_uid == 0
    assert called(home) == TAKEN


@pytest.mark.skipif(NO_OWNERS, reason="the platform's files have no owners")
def test_new_folders_are_private(home: Cache) -> None:
    assert home.folder.stat().st_mode & 0o777 == 0o700
    assert code_file(home).parent.stat().st_mode & 0o777 == 0o700


def test_where_files_have_no_owners_the_cache_is_used(home: Cache, monkeypatch) -> None:
    monkeypatch.delattr(os, "geteuid", raising=False)
    assert called(home) == TAKEN


def listing(folder: Path) -> list[tuple[Path, int]]:
    return sorted((path, path.lstat().st_mtime_ns) for path in folder.rglob("*") if path.is_file())


# -- bounded --------------------------------------------------------------------------------------------------------


def test_what_was_unused_for_longest_makes_room(tmp_path: Path, monkeypatch) -> None:
    """Reading counts as use; nothing goes before the limit is reached."""
    monkeypatch.setattr(caches, "LIMIT", 4000)
    cache = Cache(tmp_path / "cache")
    for number in range(3):
        cache.keep("magnets", str(number), bytes(1000))
        aged(cache, number)
    assert cache.load("magnets", "0") is not None
    cache.keep("region", "3", bytes(1000))
    kept = [number for number in range(3) if cache.load("magnets", str(number)) is not None]
    assert kept == [0, 2]
    assert sum(entry.size for entry in cache.entries()) <= 4000


def test_old_code_makes_room_and_the_code_in_use_does_not(home: Cache, monkeypatch) -> None:
    """All of a version's code goes together, also what earlier versions kept."""
    code_file_size = code_file(home).stat().st_size
    old = home.folder / "kernel-0123456789abcdef"
    (old / "kernel_sha").mkdir(parents=True)
    for path in (
        old / "kernel_sha" / "run.run-101.py311.1.nbc",
        old / "a-0.cache",
        home.folder / f"magnets-{'0' * 20}.json",
    ):
        path.write_bytes(bytes(1000))
    monkeypatch.setattr(caches, "LIMIT", code_file_size + 1000)
    home.keep("magnets", "recipe", b"content")
    assert {entry.kind for entry in home.entries()} == {"kernel", "magnets"}
    assert not old.exists()
    assert called(home) == TAKEN


def aged(cache: Cache, number: int) -> None:
    """Make the newest file look as if it had been used a while ago."""
    path = max((entry.path for entry in cache.entries()), key=lambda path: path.stat().st_mtime)
    os.utime(path, (1000 + number, 1000 + number))


def test_a_killed_process_leaves_nothing_for_ever(home: Cache) -> None:
    """Half-written files that no process holds go when something is added."""
    left = [home.folder / ".twin-0123-abc", code_file(home).parent / ".twin-0123-abc"]
    for path in left:
        path.write_bytes(b"half")
    home.keep("magnets", "recipe", b"content")
    assert not any(path.exists() for path in left)


# -- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def chosen(home: Cache, monkeypatch) -> Cache:
    monkeypatch.setenv("TWIN_CACHE", str(home.folder))
    return home


def test_the_cache_folder_can_be_chosen(monkeypatch, tmp_path) -> None:
    """`TWIN_CACHE` names the folder; else it is `mauer-twin` in the user's cache folder."""
    monkeypatch.setenv("TWIN_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("TWIN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "mauer-twin"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_folder() == tmp_path / ".cache" / "mauer-twin"

    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    assert cache_folder().parent == Path(tempfile.gettempdir())


def test_the_command_shows_what_is_kept(chosen: Cache, capsys) -> None:
    chosen.keep("magnets", "recipe", b"content")
    assert main(["cache"]) == 0
    printed = capsys.readouterr().out
    assert str(chosen.folder) in printed
    assert "1 folder of compiled code" in printed
    assert "1 force table" in printed
    assert main(["cache", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["folder"], data["used"], data["limit"]) == (str(chosen.folder), True, 100_000_000)
    assert {entry["kind"] for entry in data["entries"]} == {"kernel", "magnets"}
    assert data["bytes"] == sum(entry["bytes"] for entry in data["entries"]) > 0


def test_the_command_clears_only_what_the_twin_put_there(chosen: Cache, capsys) -> None:
    """A user's own files stay, wherever they are and however like the twin's their names look."""
    inner = code_file(chosen).parent
    own = [chosen.folder / "thesis.json", chosen.folder / "magnets-shopping.cache", inner / "notes.txt"]
    for path in own:
        path.write_text("mine", encoding="utf-8")
    (chosen.folder / f"magnets-{'0' * 20}.cache").mkdir()
    (chosen.folder / "kernel-aaaaaaaaaaaaaaaa").symlink_to(chosen.folder.parent)
    outside = chosen.folder.parent / "outside.cache"
    outside.write_text("mine", encoding="utf-8")
    chosen.keep("region", "recipe", b"content")
    assert main(["cache", "clear"]) == 0
    assert "MB removed" in capsys.readouterr().out
    assert all(path.read_text(encoding="utf-8") == "mine" for path in (*own, outside))
    assert sorted(path.name for path in chosen.folder.rglob("*") if path.is_file()) == sorted(path.name for path in own)
    assert main(["cache", "clear", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["folder"] == str(chosen.folder)


def test_the_command_needs_no_folder(tmp_path, monkeypatch, capsys) -> None:
    """Nothing is there, or a file is: that is shown, cleared, and nothing is made."""
    for name in ("nothing", "file"):
        monkeypatch.setenv("TWIN_CACHE", str(tmp_path / name))
        (tmp_path / "file").write_text("mine", encoding="utf-8")
        assert main(["cache"]) == main(["cache", "clear"]) == 0
        assert "0.0 MB" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(NOT_ROOT, reason="only root can give a folder away")
def test_the_command_clears_no_folder_of_another_user(chosen: Cache, capsys) -> None:
    os.chown(chosen.folder, NOBODY, -1)
    assert main(["cache", "clear"]) == 2
    assert capsys.readouterr().err == f"twin: {chosen.folder}: cannot be cleared: another user owns it\n"
    assert code_file(chosen).exists()
    with pytest.raises(BadInputError):
        chosen.clear()
    assert main(["cache"]) == 0
    assert "is not used as the cache: another user owns it" in capsys.readouterr().out


# -- what people read while they wait -------------------------------------------------------------------------------


def test_compiling_is_reported_when_it_happens(tmp_path: Path) -> None:
    heard: list[str] = []
    with heard_by(heard.append):
        called(Cache(tmp_path))
        assert len(heard) == 1
        assert heard[0].startswith("compiling the batch kernel")
        called(Cache(tmp_path))
    assert len(heard) == 1


def test_a_command_with_a_damaged_cache_gives_the_same_and_says_once_why_it_takes_longer(tmp_path, capsys) -> None:
    """The real kernel, in processes of their own: as it is, damaged, and mended."""
    words = ["turn", "start", "cw", "--samples", "2", "--json"]
    assert main(words) == 0  # from now on it is compiled
    expected = capsys.readouterr().out
    copy = tmp_path / "cache"
    copy.mkdir(0o700)
    shutil.copytree(HOME.folder / f"kernel-{code_hash()}", copy / f"kernel-{code_hash()}")
    for path in HOME.folder.glob("magnets-*.cache"):
        shutil.copy(path, copy)
    damaged = list(copy.glob("kernel-*/reading._read_some-*"))
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:1000])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TWIN_CACHE": str(copy)}
    command = [sys.executable, "-m", "twin", *words]
    for line in (["twin: compiling the batch kernel, once: this takes up to half a minute …"], []):
        run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=True)
        assert run.stdout == expected
        assert run.stderr.splitlines() == line


def test_an_error_of_a_bot_is_no_end_of_input(capsys, monkeypatch, tmp_path) -> None:
    """A game ends with a goodbye if the player's input ends, and not for an `EOFError` from anywhere else."""
    from twin.game.bots.greedy import GreedyBot

    def torn(*_: object) -> None:
        raise EOFError

    script = tmp_path / "nothing.txt"
    script.touch()
    assert main(["play", "--players", "red=human,blue=random", "--script", str(script)]) == 0
    capsys.readouterr()
    monkeypatch.setattr(GreedyBot, "choose", torn)
    with pytest.raises(EOFError):
        main(["play", "--players", "red=greedy,blue=greedy", "--script", str(script)])
