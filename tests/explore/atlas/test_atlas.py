"""An atlas holds every turn once, says what the engines say, and survives being killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.atlases import (
    CROWD,
    MACHINE,
    ONE_SLIDER,
    TINY,
    begin,
    command,
    crowded_atlas,
    files_of,
    small_atlas,
    state_and_move,
    table_of,
)
from tests.children import PATIENCE, started
from twin.board.grid import SPACES, centre
from twin.board.machine import SegmentMagnet
from twin.board.state import COLOURS, State
from twin.errors import BadInputError, MissingExtraError
from twin.explore.atlas import cluster as atlas_cluster
from twin.explore.atlas import queries as atlas_query
from twin.explore.atlas import turn_table as atlas_table
from twin.explore.atlas.build import build_atlas, write_atlas
from twin.explore.atlas.contents import Plan
from twin.explore.atlas.manifest import MANIFEST
from twin.explore.atlas.queries import open_atlas
from twin.explore.atlas.relabelling import relabel, relabel_row, setting_of
from twin.explore.atlas.shuffle import shuffled
from twin.explore.atlas.store import open_store
from twin.outcome.engine import Twin
from twin.outcome.many import simulate_many
from twin.outcome.outcome_table import covers_text, touched_texts

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def machine_with(count):
    """The default machine with so many sliders."""
    return replace(MACHINE, sliders=dict.fromkeys("ABCDE"[:count], (SegmentMagnet(2, 1),)))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return small_atlas(tmp_path_factory.mktemp("atlas") / "small")


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    return crowded_atlas(tmp_path_factory.mktemp("atlas") / "crowd")


class TestNumbers:
    @given(st.integers(1, 4), st.integers(1, 5), st.booleans(), st.data())
    def test_numbers_and_turns_are_one_to_one(self, ghosts, sliders, flips, data):
        """Decoding and encoding undo each other, and every decoded turn can stand on the board."""
        plan = Plan(machine_with(sliders), ghosts=ghosts, flips=flips)
        turns = np.array(data.draw(st.lists(st.integers(0, plan.every - 1), min_size=1, max_size=50)))
        decoded = plan.decode(turns)
        assert plan.encode(decoded).tolist() == turns.tolist()
        assert np.all(np.diff(decoded.spaces, axis=1) > 0)
        assert SPACES.index("d4") not in decoded.spaces
        assert np.all(np.abs(decoded.sliders[:, :, 1]) <= 2)
        tunnels = np.sort(decoded.sliders[:, :, 0], axis=1)
        assert np.all(np.diff(tunnels, axis=1) > 0)
        assert tunnels.min() >= 0
        assert tunnels.max() <= 4
        assert flips or not decoded.sliders[:, :, 2].any()

    def test_all_turns_of_one_ghost_differ(self):
        """720,000 numbers are 720,000 different turns: spaces, settings and directions in every combination."""
        plan = Plan(MACHINE)
        assert plan.total == plan.every == 48 * 60 * 125 * 2 == 720_000
        spaces, sliders, direction = plan.decode(np.arange(plan.total))
        rows = np.column_stack([spaces, sliders.reshape(len(spaces), -1), direction])
        assert len(np.unique(rows, axis=0)) == plan.total

    @pytest.mark.parametrize(("ghosts", "positions"), [(1, 48), (2, 1128), (3, 17296), (4, 194580)])
    def test_sizes(self, ghosts, positions):
        plan = Plan(MACHINE, ghosts=ghosts, flips=True)
        assert plan.positions == positions
        assert plan.every == positions * 7500 * 8 * 2

    @given(st.integers(1, 3000), st.integers(0, 2**70))
    def test_a_shuffle_holds_every_number_once(self, size, seed):
        assert sorted(shuffled(np.arange(size), size, seed)) == list(range(size))

    def test_samples_are_different_turns_and_do_not_depend_on_the_files(self):
        plan = Plan(MACHINE, ghosts=4, flips=True, sample=30_000, seed=3)
        turns = plan.turns(0, 30_000)
        assert len(np.unique(turns)) == 30_000
        halves = np.concatenate([plan.turns(0, 11_000), plan.turns(11_000, 40_000)])
        assert np.array_equal(np.sort(halves), turns)
        assert abs(turns.mean() / plan.every - 0.5) < 0.01
        assert not np.array_equal(turns, replace(plan, seed=4).turns(0, 30_000))

    def test_a_limit_takes_the_first(self):
        assert Plan(MACHINE, limit=10).turns(0, 99).tolist() == list(range(10))
        assert Plan(MACHINE, limit=10, sample=20).total == 10
        assert not Plan(MACHINE, limit=10).exhaustive

    @pytest.mark.parametrize(
        "values", [{"ghosts": 0}, {"ghosts": 5}, {"sample": 0}, {"sample": 720_001}, {"limit": 0}, {"seed": -1}]
    )
    def test_nonsense_is_refused(self, values):
        with pytest.raises(BadInputError, match="must"):
            Plan(MACHINE, **values)


class TestRows:
    @pytest.mark.slow
    def test_a_whole_atlas_is_what_the_reference_engine_says(self, tmp_path):
        """Every turn of one ghost on a small machine, run on pymunk: fate, covered spaces and touches, all of them."""
        plan, twin = Plan(TINY), Twin(TINY)
        assert plan.exhaustive
        build_atlas(plan, tmp_path, size=700)
        rows = table_of(tmp_path)
        assert [row[0] for row in rows] == list(range(plan.total)) == list(range(960))
        seen = set()
        for turn, values in enumerate(rows):
            row = dict(zip(atlas_table.COLUMNS, values, strict=True))
            ghost = twin.act(*state_and_move(plan, turn), sensitivity=False).ghost("red")
            assert (row["fate"], row["covers"]) == (ghost.fate, "+".join(ghost.covers) or "off"), turn
            assert row["touched"] == "+".join(ghost.touched)
            if ghost.place is None:
                assert row["x"] is row["y"] is row["margin"] is None
            else:
                # The kernel takes longer steps; `test_kernel` holds the two engines to the same 2 mm.
                assert (row["x"], row["y"]) == pytest.approx(ghost.place, abs=2.0)
            seen.add(row["fate"])
        assert seen >= {"fell", "caught", "held", "rode"}

    def test_rows_of_four_ghosts_say_what_the_kernel_says(self, crowd):
        plan = CROWD
        rows = table_of(crowd)
        turns = plan.turns(0, 1500)
        assert [row[0] for row in rows] == np.repeat(turns, 4).tolist()
        states, moves = zip(*(state_and_move(plan, turn) for turn in turns[::10]), strict=True)
        outcomes = simulate_many(states, moves, machine=MACHINE)
        for n in range(len(states)):
            for k, colour in enumerate(COLOURS):
                row = dict(zip(atlas_table.COLUMNS, rows[40 * n + k], strict=True))
                assert row["ghost"] == k + 1
                assert row["from_space"] == row["ghosts"].split()[k]
                assert centre(row["from_space"], 40.0) == states[n].places[colour]
                words = zip(states[n].sliders, row["sliders"].split(), strict=True)
                assert all((s.tunnel, s.offset, s.flipped) == setting_of(s.name, word) for s, word in words)
                assert row["direction"] == moves[n].direction
                assert row["fate"] == outcomes.fate_of(n, colour)
                assert row["covers"] == ("+".join(outcomes.covers_of(n, colour)) or "off")
                assert row["touched"] == "+".join(outcomes.touched_by(n, colour))
                assert row["walls"] == outcomes.walls[n, k, 0]
                assert row["conflict"] == outcomes.conflict[n]

    @pytest.mark.parametrize("orientation", [1, 2, 3])
    def test_rows_hold_for_other_orientations_under_other_names(self, small, orientation):
        plan = Plan(ONE_SLIDER)
        with open_atlas(small) as atlas:
            rows = [dict(zip(atlas_table.COLUMNS, row, strict=True)) for row in atlas.rows("FROM turns ORDER BY turn")]
        picked = range(0, 2400, 7)
        plays = [state_and_move(plan, turn) for turn in picked]
        states = [State.of(orientation, state.places, state.sliders) for state, _ in plays]
        outcomes = simulate_many(states, [move for _, move in plays], machine=ONE_SLIDER)
        for n, turn in enumerate(picked):
            row = relabel_row(rows[turn], orientation)
            assert centre(row["from_space"], 40.0, orientation) == states[n].places["red"]
            assert row["fate"] == outcomes.fate_of(n, "red")
            assert row["covers"] == ("+".join(outcomes.covers_of(n, "red")) or "off")
            assert row["walls"] is None
        assert relabel_row(rows[0], 0) == rows[0]

    def test_names(self):
        assert relabel("c2", 3) == "b5"
        assert covers_text([-1, -1, -1, -1]) == "off"
        assert touched_texts(np.array([0b11000])) == ["blue+plug"]
        with pytest.raises(BadInputError, match="0 to 3"):
            relabel_row({}, 4)


class TestFiles:
    def test_files_do_not_depend_on_how_many_turns_they_hold(self, small, tmp_path):
        build_atlas(Plan(ONE_SLIDER), tmp_path / "other", size=1000)
        assert table_of(tmp_path / "other") == table_of(small)

    def test_killed_and_resumed_is_the_same_as_uninterrupted(self, tmp_path):
        """SIGKILL costs the file being made; what is resumed ends with the same bytes, and no turn twice."""
        script = (
            "import sys; from pathlib import Path; from twin.board.machine import load_machine\n"
            "from twin.explore.atlas.contents import Plan; from twin.explore.atlas.build import write_atlas\n"
            "from twin.explore.atlas.store import open_store\n"
            "with open_store(Path(sys.argv[1]), Plan(load_machine(), limit=40_000), resume=False, size=500) as store:\n"
            "    for written in write_atlas(store): print(written.number, flush=True)\n"
        )
        folder = tmp_path / "killed"
        words = [sys.executable, "-c", script, str(folder)]
        with started(words, stdout=subprocess.PIPE, cwd=ROOT) as process:
            assert process.stdout is not None
            for _ in range(5):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE)
        assert process.returncode == -signal.SIGKILL
        kept = files_of(folder)
        assert 5 <= len(kept) < 80
        (folder / ".twin-half").write_bytes(b"what a killed write leaves behind")
        plan = Plan(MACHINE, limit=40_000)
        told = []
        ran = build_atlas(plan, folder, resume=True, size=500, progress=lambda *counts: told.append(counts))
        assert ran == 40_000 - 500 * len(kept)
        assert told[-1] == (ran, ran)
        assert len(told) == 80 - len(kept)
        build_atlas(plan, tmp_path / "whole", size=500)
        assert files_of(folder) == files_of(tmp_path / "whole")
        assert table_of(folder) == table_of(tmp_path / "whole")
        assert not list(folder.glob(".twin-*"))
        with open_atlas(folder) as atlas:
            assert atlas.rows("SELECT count(*), count(DISTINCT turn) FROM turns") == [(40_000, 40_000)]

    def test_resuming_what_is_whole_runs_nothing_and_a_torn_file_is_made_again(self, tmp_path):
        plan = Plan(ONE_SLIDER, limit=900)
        build_atlas(plan, tmp_path, size=300)
        before = files_of(tmp_path)
        assert build_atlas(plan, tmp_path, resume=True, size=300) == 0
        torn = tmp_path / "turns-000001.parquet"
        torn.write_bytes(torn.read_bytes()[:100])
        with open_store(tmp_path, plan, resume=True, size=300) as store:
            assert store.left(store.survey()) == 300
            assert [written.number for written in write_atlas(store)] == [1]
        assert files_of(tmp_path) == before

    @pytest.mark.parametrize(
        ("changes", "key"),
        [
            ({"limit": 899}, "limit: .*900 then, 899 now"),
            ({"ghosts": 2}, "ghosts: .*1 then, 2 now"),
            ({"flips": True}, "flips: .*false then, true now"),
            ({"sample": 950}, "sample: .*null then, 950 now"),
            ({"machine": ONE_SLIDER.with_values({"friction.board": 0.3})}, "machine: .*then"),
        ],
    )
    def test_another_plan_is_not_continued(self, tmp_path, changes, key):
        plan = Plan(ONE_SLIDER, limit=900)
        begin(tmp_path, plan, resume=False)
        with pytest.raises(BadInputError, match=key):
            begin(tmp_path, replace(plan, **changes), resume=True)

    @pytest.mark.parametrize("first", [Plan(ONE_SLIDER, limit=900), Plan(ONE_SLIDER, sample=900, seed=4)])
    def test_an_atlas_can_grow(self, tmp_path, first):
        """More turns of the same kind are added; what comes of it is what was never interrupted."""
        more = replace(first, limit=2100 if first.limit else None, sample=2100 if first.sample else None)
        build_atlas(first, tmp_path / "grown", size=800)
        assert build_atlas(more, tmp_path / "grown", resume=True, size=800) == 1300  # the torn file and a new one
        build_atlas(more, tmp_path / "whole", size=800)
        assert files_of(tmp_path / "grown") == files_of(tmp_path / "whole")
        assert (tmp_path / "grown" / MANIFEST).read_bytes() == (tmp_path / "whole" / MANIFEST).read_bytes()
        with pytest.raises(BadInputError, match="2100 then, 900 now"):
            begin(tmp_path / "grown", first, resume=True, size=800)

    def test_other_versions_are_not_continued(self, tmp_path):
        plan = Plan(ONE_SLIDER, limit=900)
        begin(tmp_path, plan, resume=False)
        path = tmp_path / MANIFEST
        data = json.loads(path.read_text())
        assert data["machine"]["fingerprint"] == ONE_SLIDER.fingerprint
        data["versions"]["numba"] = "0.1"
        path.write_text(json.dumps(data))
        with pytest.raises(BadInputError, match=r'versions: .*numba "0\.1" then'):
            begin(tmp_path, plan, resume=True)

    def test_a_folder_in_use_is_refused(self, tmp_path, capsys):
        (tmp_path / "letter.txt").write_text("keep me")
        words = ("build", "--out", tmp_path, "--ghosts", 1, "--limit", 10)
        assert command(*words) == 2
        assert "--resume" in capsys.readouterr().err
        assert command(*words, "--resume") == 2
        assert "is not an atlas" in capsys.readouterr().err
        assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]

    def test_missing_packages_are_named(self, monkeypatch, tmp_path, small):
        monkeypatch.setattr(atlas_table, "find_spec", lambda _name: None)
        with pytest.raises(MissingExtraError, match=r"pip install 'mauer-twin\[atlas\]'"):
            build_atlas(Plan(ONE_SLIDER), tmp_path)
        assert command("verify", small) == 2
        monkeypatch.undo()
        monkeypatch.setattr(atlas_query, "find_spec", lambda _name: None)
        with pytest.raises(MissingExtraError, match=r"mauer-twin\[atlas\]"), open_atlas(small):
            pass
        monkeypatch.setattr(atlas_cluster, "find_spec", lambda _name: None)
        with pytest.raises(MissingExtraError, match=r"mauer-twin\[cluster\]"), atlas_cluster.on_cluster("tcp://x"):
            pass


def test_build_tells_what_it_did(tmp_path, capsys):
    words = (
        "build",
        "--out",
        tmp_path / "a",
        "--ghosts",
        2,
        "--sample",
        300,
        "--seed",
        9,
        "--flips",
        "--partition",
        100,
    )
    assert command(*words, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["ran"], data["total"], data["files"]) == (300, 300, 3)
    assert command(*words, "--resume") == 0
    assert "300 were there already" in capsys.readouterr().out
    assert command(*words[:6], 200, *words[7:], "--resume") == 2
    assert "sample: this atlas was begun otherwise" in capsys.readouterr().err
    changed = ("build", "--out", tmp_path / "c", "--ghosts", 1, "--limit", 5, "--set", "friction.board=0.35")
    assert command(*changed) == 0
    manifest = json.loads((tmp_path / "c" / MANIFEST).read_text(encoding="utf-8"))
    assert manifest["machine"]["values"]["friction.board"] == 0.35
    assert command(*changed[:-1], "friction.board=9") == 2
    assert command("build", "--out", tmp_path / "b", "--ghosts", 7) == 2
    assert command("build", "--out", tmp_path / "b", "--ghosts", 1, "--machine", "nix") == 2
    assert not (tmp_path / "b").exists()
