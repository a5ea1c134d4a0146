"""An atlas that own processes build is the one that this process builds, also when some of them are killed."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.atlases import TINY, files_of, table_of
from tests.children import PATIENCE, ROOT, started, twin, until
from tests.dying import die
from twin.explore.atlas import local_processes as atlas_processes
from twin.explore.atlas.build import build_atlas, write_atlas
from twin.explore.atlas.contents import Plan
from twin.explore.atlas.local_processes import on_processes
from twin.explore.atlas.store import open_store
from twin.processes import LostProcessError

PLAN = Plan(TINY)


def sockets_of(process):
    """What a process has open that others could reach through the network; nothing where this cannot be seen."""
    folder = Path(f"/proc/{process.pid}/fd")
    return (
        [link for link in map(os.readlink, folder.iterdir()) if link.startswith("socket:")] if folder.exists() else []
    )


@pytest.mark.slow
def test_a_process_that_is_killed_costs_nothing_and_none_listens(tmp_path):
    """One of two processes is killed in mid-build: the same files; none of the processes has a socket."""
    with open_store(tmp_path / "processes", PLAN, resume=False, size=20) as store, on_processes(2) as make:
        done = []
        for written in write_atlas(store, make):
            done.append(written.number)
            if len(done) == 3:
                children = multiprocessing.active_children()
                assert children
                assert not [socket for child in children for socket in sockets_of(child)]
                children[0].kill()
    assert sorted(done) == list(range(48))
    build_atlas(PLAN, tmp_path / "here", size=20)
    assert files_of(tmp_path / "processes") == files_of(tmp_path / "here")


def test_processes_that_die_again_and_again_end_the_build_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(atlas_processes, "make_in_process", die)
    with on_processes(1) as make, pytest.raises(LostProcessError, match="was ended from outside"):
        build_atlas(PLAN, tmp_path, make=make)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C goes to a process group")
def test_ctrl_c_ends_own_processes_quietly(tmp_path):
    """The interrupt that a terminal sends to all processes ends the build with 130, no traceback, whole files only."""
    words = ("--out", str(tmp_path / "a"), "--ghosts", "2", "--limit", "2000000", "--partition", "1000")
    command = twin("atlas", "build", *words, "--cluster", "local")
    with started(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: process.poll() is not None or list(tmp_path.glob("a/*.parquet")), "the first file")
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert re.fullmatch(r"twin: interrupted: [0-9,]+ turns were added to .*; --resume goes on from there\n", told)
    assert table_of(tmp_path / "a")
