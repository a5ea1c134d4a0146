"""Writing files: wholly or not at all, through links, and by one program at a time."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from twin import writing
from twin.errors import BadInputError
from twin.writing import Hold, clear_leftovers, is_taken, lock_folder, write_whole

if TYPE_CHECKING:
    from pathlib import Path

NEEDS_OWNERS = pytest.mark.skipif(
    not hasattr(os, "fchown") or os.geteuid() != 0, reason="only root may give files away"
)
HOLDER = """
import sys, pathlib
from twin.writing import Hold
hold = Hold(pathlib.Path(sys.argv[1]))
hold.write("theirs")
print("held", flush=True)
sys.stdin.read()
"""
WRITER = """
import os, pathlib, sys
from twin import writing
os.fsync = lambda _: os.kill(os.getpid(), 9)
writing.write_whole(pathlib.Path(sys.argv[1]), "new", durable=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("start.toml", "chain.toml", "notes.txt"):
        (tmp_path / name).write_text("", encoding="utf-8")
    return tmp_path


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("content", ["old and new\n", b"\x00\xff"])
def test_a_file_is_replaced_wholly(content, folder):
    target = folder / "start.toml"
    target.write_text("old", encoding="utf-8")
    write_whole(target, content)
    assert target.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert sorted(path.name for path in folder.iterdir()) == ["chain.toml", "notes.txt", "start.toml"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "ctrl-c"])
def test_a_failing_replacement_leaves_the_old_file(error, folder, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", fail)
    monkeypatch.setattr(os, "rename", fail)
    target = folder / "start.toml"
    target.write_text("old", encoding="utf-8")
    with pytest.raises((BadInputError, KeyboardInterrupt)):
        write_whole(target, "new")
    assert target.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["chain.toml", "notes.txt", "start.toml"]


def test_text_that_cannot_be_encoded_leaves_nothing(folder):
    """A failure in the middle of the writing leaves neither a new file nor a temporary one."""
    with pytest.raises(BadInputError, match="its text must be UTF-8"):
        write_whole(folder / "new.toml", "good, then \ud800")
    assert sorted(path.name for path in folder.iterdir()) == ["chain.toml", "notes.txt", "start.toml"]


def test_a_missing_folder_is_bad_input(tmp_path):
    target = tmp_path / "none" / "new.toml"
    with pytest.raises(BadInputError, match="cannot be written") as caught:
        write_whole(target, "new")
    assert caught.value.source == str(target)


def test_a_link_stays_and_its_target_is_written(folder):
    (folder / "link").symlink_to("start.toml")
    write_whole(folder / "link", "new")
    assert (folder / "link").is_symlink()
    assert (folder / "start.toml").read_text(encoding="utf-8") == "new"


def test_a_link_to_nothing_makes_its_target(folder):
    (folder / "link").symlink_to("late.toml")
    write_whole(folder / "link", "new")
    assert (folder / "late.toml").read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode(mode, folder):
    (folder / "start.toml").chmod(mode)
    write_whole(folder / "start.toml", "new")
    assert mode_of(folder / "start.toml") == mode


@pytest.mark.parametrize(("mask", "private", "mode"), [(0o022, False, 0o644), (0o077, False, 0o600), (0, True, 0o600)])
def test_a_new_file_gets_what_the_umask_leaves(mask, private, mode, folder):
    before = os.umask(mask)
    try:
        write_whole(folder / "new.json", "new", private=private)
    finally:
        os.umask(before)
    assert mode_of(folder / "new.json") == mode


@NEEDS_OWNERS
def test_a_file_keeps_its_owner(folder):
    os.chown(folder / "start.toml", 1000, 1000)
    write_whole(folder / "start.toml", "new")
    status = (folder / "start.toml").stat()
    assert (status.st_uid, status.st_gid) == (1000, 1000)


@NEEDS_OWNERS
def test_a_device_is_written_to_and_stays(folder):
    device = folder / "null"
    os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    write_whole(device, "new")
    assert stat.S_ISCHR(device.stat().st_mode)


def test_a_pipe_without_a_reader_is_refused(folder):
    os.mkfifo(folder / "pipe")
    with pytest.raises(BadInputError, match="no program reads this pipe"):
        write_whole(folder / "pipe", "new")


def test_a_pipe_is_written_to(folder):
    os.mkfifo(folder / "pipe")
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(folder / "pipe", "new")
    assert os.read(reader, 10) == b"new"
    os.close(reader)


def test_a_folder_is_refused(folder):
    with pytest.raises(BadInputError, match="cannot be written: Is a directory"):
        write_whole(folder, "new")


@pytest.mark.parametrize("failing", ["write", "fsync", "rename"])
def test_an_error_of_the_disk_leaves_the_old_file(failing, folder, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    target = folder / "start.toml"
    target.write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, {"rename": "replace"}.get(failing, failing), fail)
    with pytest.raises(BadInputError, match="cannot be written: Input/output error"):
        write_whole(target, "new", durable=True)
    assert target.read_text(encoding="utf-8") == "old"
    assert len(list(folder.iterdir())) == 3


@pytest.mark.skipif(writing.fcntl is None, reason="this platform has no such locks")
@pytest.mark.parametrize(("module", "call"), [(os, "open"), (writing.fcntl, "flock")], ids=["unknown", "known"])
def test_an_interrupt_while_a_file_is_opened_leaves_nothing(module, call, folder, monkeypatch):
    """Before the program knows the new file's descriptor, or just after."""
    real = getattr(module, call)

    def interrupt(*given: object) -> None:
        monkeypatch.undo()
        real(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(module, call, interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(folder / "start.toml", "new")
    assert sorted(path.name for path in folder.iterdir()) == ["chain.toml", "notes.txt", "start.toml"]


def test_the_next_write_clears_what_a_kill_left(folder):
    target = folder / "start.toml"
    assert subprocess.run([sys.executable, "-c", WRITER, str(target)], check=False, timeout=60).returncode == -9
    assert len(list(folder.glob(".twin-*"))) == 1
    write_whole(folder / "chain.toml", "new")
    assert len(list(folder.glob(".twin-*"))) == 1, "another file's leftovers are left alone"
    write_whole(target, "new")
    assert not list(folder.glob(".twin-*"))


def test_what_a_program_is_writing_is_not_cleared(folder, monkeypatch):
    """Leftovers are cleared in the middle of a write; the write is still whole."""
    real = os.write

    def write_and_clear(descriptor: int, raw: bytes) -> int:
        clear_leftovers(folder)
        return real(descriptor, raw)

    monkeypatch.setattr(os, "write", write_and_clear)
    write_whole(folder / "start.toml", "new")
    assert (folder / "start.toml").read_text(encoding="utf-8") == "new"


def test_only_files_with_content_are_taken(folder):
    (folder / "start.toml").write_text("precious", encoding="utf-8")
    assert is_taken(folder / "start.toml")
    assert not any(map(is_taken, [folder / "chain.toml", folder / "none", folder, folder / ("x" * 5000)]))


def test_a_held_file_is_refused_to_a_second_program(folder):
    target = folder / "game.json"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(BadInputError, match="another program has this file in use") as caught:
            Hold(target)
        assert caught.value.source == str(target)
        other.kill()
        other.wait(60)
    with Hold(target) as hold:
        hold.write("ours")
        with pytest.raises(BadInputError, match="in use"):
            Hold(target)
        hold.write("ours again")
        with pytest.raises(BadInputError, match="in use"):
            Hold(target)
    assert target.read_text(encoding="utf-8") == "ours again"
    assert len(list(folder.iterdir())) == 4
    Hold(target).release()


def test_an_interrupt_while_a_file_is_released_harms_nothing(folder, monkeypatch):
    """Its descriptor is not closed twice: by then it may be another file's."""
    hold, close = Hold(folder / "start.toml"), os.close

    def interrupt(descriptor: int) -> None:
        close(descriptor)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "close", interrupt)
        with pytest.raises(KeyboardInterrupt):
            hold.release()
    hold.release()
    Hold(folder / "start.toml").release()


def test_a_held_file_may_be_new(folder):
    with Hold(folder / "new.json") as hold:
        hold.write("x", private=True)
        assert mode_of(folder / "new.json") == 0o600
        with pytest.raises(BadInputError, match="in use"):
            Hold(folder / "new.json")


def test_a_held_file_grows(folder, monkeypatch):
    """By all of a text or by nothing; what this program has not written, or others have replaced, is left alone."""
    target = folder / "game.jsonl"
    target.write_text("old\n", encoding="utf-8")
    with Hold(target) as hold:
        assert not hold.append("new\n")
        hold.write("one\n")
        assert hold.append("two\n")
        real = os.write

        def write_some_and_fail(descriptor: int, raw: bytes) -> int:
            if len(raw) < 5:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(descriptor, raw[:-1])

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", write_some_and_fail)
            with pytest.raises(BadInputError, match="No space left"):
                hold.append("three\n")
        assert target.read_text(encoding="utf-8") == "one\ntwo\n"
        assert hold.append("three\n")
        assert not hold.append("no text: \ud800\n")
        target.unlink()
        assert not hold.append("four\n")
        target.write_text("another's\n", encoding="utf-8")
        assert not hold.append("four\n")
    assert target.read_text(encoding="utf-8") == "another's\n"


def test_a_locked_folder_is_refused(folder):
    descriptor = lock_folder(folder, "another build")
    assert descriptor is not None
    with pytest.raises(BadInputError, match="another build has this folder in use"):
        lock_folder(folder, "another build")
    os.close(descriptor)
    again = lock_folder(folder, "another build")
    assert again is not None
    os.close(again)
