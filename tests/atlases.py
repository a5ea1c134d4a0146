"""Atlases, and the command that makes and asks them, for several tests."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

import numpy as np

from twin.board.grid import SPACES, centre
from twin.board.machine import load_machine
from twin.board.moves import Turn
from twin.board.state import COLOURS, Slider, State
from twin.cli import atlas_commands, perform
from twin.errors import TwinError
from twin.explore.atlas.build import build_atlas
from twin.explore.atlas.contents import DIRECTIONS, Plan
from twin.explore.atlas.queries import open_atlas
from twin.explore.atlas.store import open_store

MACHINE = load_machine()
ONE_SLIDER = replace(MACHINE, sliders={"A": MACHINE.sliders["A"]})
"""Few settings: 5 tunnels × 5 offsets, so 2,400 turns of one ghost."""
TINY = replace(ONE_SLIDER, columns=(MACHINE.columns[0], MACHINE.columns[2]))
"""Fewer still, 960 turns of one ghost: one slider in the first tunnel or under the plug."""
CROWD = Plan(MACHINE, ghosts=4, flips=True, sample=1500, seed=5)


def small_atlas(folder):
    """Every turn of one ghost over one slider."""
    assert build_atlas(Plan(ONE_SLIDER), folder, size=700) == 2400
    return folder


def crowded_atlas(folder):
    """A sample of turns of four ghosts, sliders flipped too."""
    assert build_atlas(CROWD, folder, size=500) == 1500
    return folder


def begin(folder, plan, **how):
    """Open a folder for a plan, and leave it."""
    with open_store(folder, plan, **how):
        pass


def table_of(folder):
    """All rows of an atlas, sorted, as plain values."""
    with open_atlas(folder) as atlas:
        return atlas.rows("SELECT * FROM turns ORDER BY turn, ghost")


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


def command(*words):
    """Exit code of an `atlas` command; its complaint goes to the error stream, as `twin` does it."""
    parser = argparse.ArgumentParser(prog="twin")
    atlas_commands.add(parser.add_subparsers())
    try:
        options = parser.parse_args(["atlas", *map(str, words)])
        return perform(options)
    except SystemExit as stop:
        return stop.code
    except TwinError as error:
        sys.stderr.write(f"twin: {error}\n")
        return error.exit_code


def state_and_move(plan, turn):
    """A turn of an atlas, as the reference engine takes it."""
    spaces, sliders, direction = (values[0] for values in plan.decode(np.array([turn])))
    ghosts = {COLOURS[k]: centre(SPACES[space], plan.machine.space) for k, space in enumerate(spaces)}
    names = sorted(plan.machine.sliders)
    rows = [Slider(n, int(t) + 1, int(o), flipped=bool(f)) for n, (t, o, f) in zip(names, sliders, strict=True)]
    return State.of(0, ghosts, rows), Turn(DIRECTIONS[direction])
