"""An atlas answers questions, and only questions, and is told as a page."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import shutil
import zlib
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.atlases import (
    ONE_SLIDER,
    begin,
    command,
    crowded_atlas,
    small_atlas,
)
from twin.board.grid import SPACES
from twin.errors import BadInputError
from twin.explore.atlas import slider_settings as atlas_settings
from twin.explore.atlas import turn_table as atlas_table
from twin.explore.atlas.build import write_atlas
from twin.explore.atlas.contents import Plan
from twin.explore.atlas.manifest import MANIFEST
from twin.explore.atlas.queries import QUESTIONS, open_atlas, ready_made
from twin.explore.atlas.relabelling import relabel_row, setting_of
from twin.explore.atlas.store import open_store
from twin.explore.atlas.summary import summarise
from twin.reports.atlas_page import page


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return small_atlas(tmp_path_factory.mktemp("atlas") / "small")


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    return crowded_atlas(tmp_path_factory.mktemp("atlas") / "crowd")


def unpacked(data):
    """Keys (N, 10) and counts (N, fates, 48) of a page's data."""
    keys, counts = (zlib.decompress(base64.b64decode(data[name])) for name in ("keys", "counts"))
    shape = (data["rows"], len(data["fates"]), len(data["spaces"]))
    return (
        np.frombuffer(keys, np.uint8).reshape(data["rows"], -1),
        np.frombuffer(counts, f"<u{data['bytes']}").reshape(shape),
    )


class TestQuestions:
    @pytest.mark.parametrize("name", QUESTIONS)
    def test_ready_made_questions_are_answered(self, crowd, small, name):
        for folder in (crowd, small):
            with open_atlas(folder) as atlas:
                answer = atlas.ask(name)
                rows = list(answer.rows)
                assert answer.columns
                assert rows or name == "conflicts"

    @pytest.mark.parametrize(
        ("asked", "name"),
        [
            ("which spaces are safe under every slider setting?", "safe-spaces"),
            ("Which turns  move the most ghosts", "most-moved"),
            ("where do ghosts fall?", "falls"),
        ],
    )
    def test_questions_may_be_asked_in_words(self, small, asked, name):
        assert ready_made(asked) is QUESTIONS[name]
        assert ready_made("which") is ready_made("where do ghosts sleep?") is ready_made("") is None
        with open_atlas(small) as atlas:
            assert atlas.rows(asked) == atlas.rows(name)

    def test_sql_relabels_for_other_orientations(self, crowd):
        with open_atlas(crowd) as atlas:
            sql = "SELECT ghosts, covers, relabel(ghosts, 3), relabel(covers, 3) FROM turns ORDER BY turn, ghost"
            for ghosts, covers, *renamed in atlas.rows(sql)[:200]:
                row = relabel_row({"ghosts": ghosts, "covers": covers}, 3)
                assert renamed == [row["ghosts"], row["covers"]]
            with pytest.raises(BadInputError, match="0 to 3; got 4"):
                atlas.rows("SELECT relabel(covers, 4) FROM turns")

    def test_safe_spaces_and_falls_complete_each_other(self, small):
        with open_atlas(small) as atlas:
            safe = {row[0] for row in atlas.rows("safe-spaces")}
            falls = {row[0] for row in atlas.rows("falls")}
        assert safe | falls == set(SPACES) - {"d4"}
        assert not safe & falls
        assert falls

    def test_most_moved_counts_ghosts(self, crowd):
        with open_atlas(crowd) as atlas:
            turn, ghosts, _, _, moved, *_ = atlas.rows("most-moved")[0]
            rows = atlas.rows(f"SELECT from_space, covers FROM turns WHERE turn = {turn}")  # noqa: S608 - a number
        assert moved == sum(a != b for a, b in rows)
        assert sorted(ghosts.split()) == sorted(a for a, _ in rows)

    @pytest.mark.parametrize(
        "sql",
        [
            *("", "nonsense", "SELECT nothing FROM turns", "SELECT 1; SELECT 2", "DROP VIEW turns", "SET threads = 1"),
            *("COPY turns TO 'stolen.csv'", "SELECT * FROM read_csv('/etc/passwd')", "ATTACH 'other.db'"),
            *("SELECT * FROM glob('/*')", "SELECT 1/0::INT + 'a'::INT", "INSTALL httpfs", "SELECT * FROM small"),
        ],
    )
    def test_bad_and_forbidden_questions_get_one_line(self, small, capsys, sql, monkeypatch, tmp_path):
        monkeypatch.chdir(tmp_path)
        assert command("query", small, sql) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert re.fullmatch(r"twin: query: [^\n]+\n", captured.err)
        assert not list(tmp_path.iterdir())

    def test_forms_of_an_answer(self, small, capsys):
        sql = "SELECT turn, x, covers FROM turns WHERE turn < 2 ORDER BY turn"
        assert command("query", small, sql, "--json") == 0
        data = json.loads(capsys.readouterr().out)
        assert data["columns"] == ["turn", "x", "covers"]
        assert command("query", small, sql, "--csv") == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert [[int(row["turn"]), row["covers"]] for row in rows] == [[row[0], row[2]] for row in data["rows"]]
        formulas = "SELECT '=1+1' AS \"=a\", '-b', '@c', chr(9) || 'd', '-2.5', -2.5 FROM turns LIMIT 1"
        assert command("query", small, formulas, "--csv") == 0
        head, row = csv.reader(io.StringIO(capsys.readouterr().out))
        assert (head[0], row) == ("'=a", ["'=1+1", "'-b", "'@c", "'\td", "-2.5", "-2.5"])
        assert command("query", small, "SELECT * FROM turns ORDER BY turn") == 0
        out = capsys.readouterr().out.splitlines()
        assert len(out) == 202
        assert "the first 200" in out[-1]
        assert command("query", small, "SELECT * FROM turns WHERE false") == 0
        assert "(nothing)" in capsys.readouterr().out

    def test_names_are_listed(self, capsys):
        assert command("query", "--list") == 0
        out = capsys.readouterr().out
        assert all(name in out for name in (*QUESTIONS, *atlas_table.COLUMNS))
        assert command("query", "somewhere") == 2

    def test_what_is_no_atlas_is_refused(self, tmp_path, capsys):
        assert command("query", tmp_path, "fates") == 2
        assert command("report", tmp_path / "nowhere") == 2
        (tmp_path / MANIFEST).write_text("[]")
        assert command("report", tmp_path) == 2
        (tmp_path / MANIFEST).write_text('{"kind": "twin atlas", "schema": 1, "machine": {}}')
        assert command("report", tmp_path) == 2
        begin(tmp_path / "begun", Plan(ONE_SLIDER), resume=False)
        assert command("query", tmp_path / "begun", "fates") == 2
        assert capsys.readouterr().err.count("\n") == 5

    def test_files_that_are_none_of_it_are_not_read(self, small, crowd, tmp_path):
        shutil.copytree(small, tmp_path / "copy")
        shutil.copy(crowd / "turns-000000.parquet", tmp_path / "copy" / "turns-000004.parquet")
        with open_atlas(tmp_path / "copy") as atlas:
            assert atlas.rows("SELECT count(*), count(DISTINCT turn) FROM turns") == [(2400, 2400)]

    def test_an_unfinished_atlas_answers_and_says_so(self, tmp_path, capsys):
        with open_store(tmp_path, Plan(ONE_SLIDER), resume=False, size=600) as store:
            next(iter(write_atlas(store)))
        assert command("query", tmp_path, "SELECT count(*) FROM turns", "--json") == 0
        captured = capsys.readouterr()
        assert json.loads(captured.out)["rows"] == [[600]]
        assert "unfinished: 1 of 4 files" in captured.err
        assert command("report", tmp_path) == 0
        assert "unfinished, 1,800 turns are still to be run" in capsys.readouterr().out


class TestPage:
    def test_the_page_is_whole_small_and_loads_nothing(self, crowd, capsys):
        assert command("report", crowd) == 0
        text = (crowd / "report.html").read_text()
        assert len(text) < 2_000_000
        assert not re.search(r"https?://|<link|<img|src=|@import|url\(", text)
        assert text.count("<svg") == text.count("</svg>") >= 6
        data = json.loads(re.findall(r'id="data">(.*?)</script>', text, re.DOTALL)[0])
        keys, counts = unpacked(data)
        assert data["whole"]
        assert counts.sum() == 6000
        with open_atlas(crowd) as atlas:
            sliders, direction, fate, space, number = atlas.rows(
                "SELECT sliders, direction, fate, from_space, count(*) FROM turns GROUP BY ALL ORDER BY ALL"
            )[77]
        words = zip("ABC", sliders.split(), strict=True)
        wanted = [v for name, word in words for v in np.add(setting_of(name, word), (0, 2, 0))]
        row = counts[(keys == [*wanted, ("cw", "ccw").index(direction)]).all(axis=1)]
        assert row[:, data["fates"].index(fate), data["spaces"].index(space)].tolist() == [number]
        assert "1,500 turns of 4 ghosts" in capsys.readouterr().out

    def test_where_settings_are_too_many_sliders_are_told_one_by_one(self, crowd, monkeypatch):
        with open_atlas(crowd) as atlas:
            whole = summarise(atlas)
            monkeypatch.setattr(atlas_settings, "MOST_CELLS", 1000)
            single = summarise(atlas)
            words = atlas.rows("SELECT count(DISTINCT split_part(sliders, ' ', 2)) FROM turns")[0][0]
        assert (whole.settings.whole, single.settings.whole) == (True, False)
        assert single.findings == whole.findings
        for slider in range(3):
            own = single.settings.keys[:, 3 * slider] > 0
            assert single.settings.counts[own].sum() == 6000
        assert len(np.unique(single.settings.keys[single.settings.keys[:, 3] > 0, 3:6], axis=0)) == words
        assert "One slider at a time" in page(single)
        assert "One slider at a time" not in page(whole)

    def test_text_is_escaped(self, small):
        with open_atlas(small) as atlas:
            summary = summarise(atlas)
        evil = {**summary.manifest, "machine": {**summary.manifest["machine"], "name": "</title><script>alert(1)"}}
        text = page(replace(summary, manifest=evil, findings=("<b>&",)))
        assert "<script>alert" not in text
        assert "<li>&lt;b&gt;&amp;</li>" in text

    @pytest.mark.parametrize(
        ("column", "wrong", "problem"),
        [
            ("fate", "flew", "turns.fate: must be one of .*; got 'flew'"),
            ("fate", None, "turns.fate: must be one of .*; got None"),
            ("from_space", "h9", "turns.from_space: must be one of .*; got 'h9'"),
            ("covers", "a1+h9", "turns.covers: must be one of .*; got 'h9'"),
            ("direction", "up", "turns.direction: must be one of cw, ccw; got 'up'"),
            ("sliders", "A", "turns.sliders: must hold a tunnel and an offset for slider A"),
            ("sliders", "A1+0 B1+0", "turns.sliders: must hold a setting for each of A"),
        ],
    )
    def test_names_that_no_atlas_has_are_refused(self, small, column, wrong, problem):
        with open_atlas(small) as atlas:
            table = pa.concat_tables(parquet.read_table(path) for path in sorted(small.glob("*.parquet")))
            values = table[column].to_pylist()
            values[7] = wrong
            table = table.set_column(table.column_names.index(column), column, pa.array(values))
            atlas._connection.register("turns", table)
            with pytest.raises(BadInputError, match=problem):
                summarise(atlas)

    def test_findings_are_computed(self, small):
        with open_atlas(small) as atlas:
            summary = summarise(atlas)
            fell = atlas.rows("SELECT count(*) FROM turns WHERE fate = 'fell'")[0][0]
            safe = len(atlas.rows("safe-spaces"))
        assert summary.ghosts == 2400
        assert summary.total("fell") == fell
        text = " ".join(summary.findings)
        assert f"{100 * fell / 2400:.1f} % fell" in text
        assert f"{safe} of 48 spaces are safe" in text
        assert "every turn there is" in text
