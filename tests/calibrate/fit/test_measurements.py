"""Sheets that people fill in: what is read from them, and that a broken one is refused by line and column."""

from __future__ import annotations

import argparse
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.broken_measurements import BENCHES, GOOD, GOOD_BENCH, HEADER, SHEETS
from tests.setups import MACHINE
from twin.board.moves import Push, Turn
from twin.calibrate.fit.bench import KINDS, combined, pull_off_force, read_bench
from twin.calibrate.fit.measurements import machine_of_scenes, read_measurements, sheet_text
from twin.cli import fit_commands
from twin.cli.fit_commands import check, fit
from twin.errors import BadInputError
from twin.files import data_folder
from twin.physics.magnets import grip_table


def read(tmp_path, text):
    path = tmp_path / "sheet.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_measurements(path, MACHINE)


def options(*words):
    parser = argparse.ArgumentParser()
    fit_commands.add(parser.add_subparsers(dest="part"))
    return parser.parse_args([*words])


class TestMeasurements:
    def test_a_sheet_is_read_trial_by_trial(self, tmp_path):
        found = read(tmp_path, GOOD + "2b,start,push A north,red,,,off\n2b,start,push A north,blue,120,-119.5,g1+f1\n")
        assert [trial.name for trial in found.trials] == ["1", "2", "2b"]
        first, _, last = found.trials
        assert first.setup.move == Turn("cw")
        assert first.sightings[0].place == (-80.5, -79.2)
        assert last.setup.move == Push("A", "north")
        assert [(s.ghost, s.place, s.space) for s in last.sightings] == [
            ("red", None, "off"),
            ("blue", (120.0, -119.5), "f1+g1"),
        ]
        assert len(found.setups) == 2
        assert len(found.rows) == 4

    def test_a_byte_order_mark_windows_lines_blanks_and_another_order_are_no_fault(self, tmp_path):
        plain = read(tmp_path, GOOD)
        assert read(tmp_path, b"\xef\xbb\xbf" + GOOD.encode()).trials == plain.trials
        assert [t.sightings for t in read(tmp_path, GOOD.replace("\n", "\r\n")).trials] == [
            t.sightings for t in plain.trials
        ]
        spaced = read(tmp_path, GOOD.replace(",", " , ") + "\n,,,,,,\n")
        assert [t.sightings[0].place for t in spaced.trials] == [t.sightings[0].place for t in plain.trials]
        turned = read(tmp_path, "space,y,x,ghost,move,scene,trial\n,-79.2,-80.5,red,turn cw,held,1\n")
        assert turned.trials[0] == plain.trials[0]

    def test_a_duration_may_be_told(self, tmp_path):
        text = f"{HEADER.strip()},duration\n1,held,turn cw,red,,,b2,1.4\n"
        assert read(tmp_path, text).trials[0].setup.duration == 1.4
        with pytest.raises(BadInputError, match=r"line 2, column 8 \(duration\)"):
            read(tmp_path, text.replace("1.4", "-1"))

    def test_a_scene_is_found_beside_the_sheet(self, tmp_path):
        (tmp_path / "mine.toml").write_text(
            (
                '[ghosts]\nred = "b2"\n[[sliders]]\nname = "A"\ntunnel = 1\noffset = 0\n[[sliders]]\nname = "B"\n'
                'tunnel = 3\noffset = 0\n[[sliders]]\nname = "C"\ntunnel = 5\noffset = 0\n'
            ),
            encoding="utf-8",
        )
        found = read(tmp_path, HEADER + "1,mine.toml,turn cw,red,,,b2\n")
        assert found.states(MACHINE)[found.setups[0]].places["red"] == (-80.0, -80.0)

    def test_a_scene_that_ships_in_a_folder_is_found_by_its_name(self, tmp_path):
        found = read(tmp_path, HEADER + "1,edge/topples,turn cw,red,,,b2\n")
        assert found.setups[0].path == "edge/topples"

    def test_the_machine_is_the_one_that_all_scenes_name(self, tmp_path):
        text = (data_folder("scenes") / "held.toml").read_text(encoding="utf-8")
        assert "reconstruction" in text
        (tmp_path / "mine.toml").write_text(text.replace("reconstruction", "ferrite"), encoding="utf-8")
        path = tmp_path / "sheet.csv"
        path.write_text(HEADER + "1,mine.toml,turn cw,red,,,b2\n", encoding="utf-8")
        assert machine_of_scenes(path).name == "ferrite"
        path.write_text(HEADER + "1,mine.toml,turn cw,red,,,b2\n2,held,turn cw,red,,,b2\n", encoding="utf-8")
        with pytest.raises(BadInputError, match=r"line 3, column 2 \(scene\).*--machine"):
            machine_of_scenes(path)

    @given(st.lists(st.tuples(st.floats(-140, 140), st.floats(-140, 140)), min_size=1, max_size=5))
    def test_what_is_written_is_read_again(self, tmp_path_factory, places):
        rows = [
            {"trial": str(n), "scene": "held", "move": "turn cw", "ghost": "red", "x": f"{x:.1f}", "y": f"{y:.1f}"}
            for n, (x, y) in enumerate(places)
            if max(abs(x), abs(y)) > 15
        ]
        if rows:
            found = read(tmp_path_factory.mktemp("sheet"), sheet_text(rows))
            assert [s.place for _, s in found.rows] == [(float(r["x"]), float(r["y"])) for r in rows]


class TestBrokenSheets:
    def test_there_are_forty(self):
        assert len(SHEETS) >= 40

    def test_a_sheet_that_is_too_large_is_refused_unread(self, tmp_path):
        with pytest.raises(BadInputError, match=r"sheet.csv: must be at most 2,000,000 bytes"):
            read(tmp_path, GOOD + "3,held,turn cw,red,,,b2\n" * 100_000)

    @pytest.mark.parametrize("name", SHEETS)
    def test_line_and_column_are_named_and_nothing_is_written(self, name, tmp_path):
        broken = SHEETS[name]
        path = tmp_path / "sheet.csv"
        path.write_bytes(broken.content)
        given_options = options("fit", str(path), "--out", str(tmp_path / "mine.toml"), "--json")
        with pytest.raises(BadInputError) as told:
            fit(given_options)
        message = str(told.value)
        assert told.value.exit_code == 2
        assert message.startswith(str(path))
        assert f"line {broken.line}, column {broken.column}" in message
        assert broken.words in message
        assert len(message) < 700
        assert [p.name for p in tmp_path.iterdir()] == ["sheet.csv"]
        with pytest.raises(BadInputError, match=f"line {broken.line}, column {broken.column}"):
            check(options("check", "reconstruction", str(path)))

    @pytest.mark.parametrize("name", BENCHES)
    def test_bench_too(self, name, tmp_path):
        broken = BENCHES[name]
        sheet, bench = tmp_path / "sheet.csv", tmp_path / "bench.csv"
        sheet.write_text(GOOD, encoding="utf-8")
        bench.write_bytes(broken.content)
        given_options = options("fit", str(sheet), "--bench", str(bench), "--out", str(tmp_path / "mine.toml"))
        with pytest.raises(BadInputError) as told:
            fit(given_options)
        assert f"line {broken.line}, column {broken.column}" in str(told.value)
        assert broken.words in str(told.value)
        assert len(list(tmp_path.iterdir())) == 2

    def test_missing_files_and_folders_are_told(self, tmp_path):
        for words in (
            ("fit", str(tmp_path / "none.csv"), "--out", str(tmp_path / "m.toml")),
            ("fit", str(tmp_path), "--out", str(tmp_path / "m.toml")),
            ("fit", "x.csv", "--out", str(tmp_path / "none" / "m.toml")),
            ("fit", "x.csv", "--out", str(tmp_path / "m.txt")),
        ):
            with pytest.raises(BadInputError):
                fit(options(*words))
        assert list(tmp_path.iterdir()) == []


class TestBench:
    def test_units_and_formulas(self, tmp_path):
        path = tmp_path / "bench.csv"
        path.write_text(GOOD_BENCH + "pull_off_force,1.2,N,0.1\nghost_diameter,2.6,cm,\n", encoding="utf-8")
        angle, mass, pull, foot = read_bench(path)
        assert angle.own_value()[0] == pytest.approx(math.tan(math.radians(14)))
        assert (mass.value, mass.sd) == (12.0, 0.5)
        assert (pull.value, pull.unit) == (1200.0, "mN")
        assert foot.own_value()[0] == pytest.approx(13.0)
        assert foot.sd == KINDS["ghost_diameter"].sd

    def test_a_pull_is_that_of_the_magnet_and_the_weight(self):
        weight = MACHINE["ghost.mass"] * MACHINE["gravity.g"] / 1000
        assert pull_off_force(MACHINE) == pytest.approx(weight - grip_table(MACHINE).at(0.0)[1] / 1000)

    def test_every_quantity_agrees_with_the_machine_that_it_is_taken_from(self):
        for kind in KINDS.values():
            if kind.key:
                assert kind.value(kind.predicted(MACHINE)) == pytest.approx(MACHINE[kind.key])

    def test_repeats_are_weighted_by_their_precision(self, tmp_path):
        path = tmp_path / "bench.csv"
        path.write_text("quantity,value,unit,sd\ngap,5,mm,1\ngap,6,mm,0.5\n", encoding="utf-8")
        value, sd = combined(read_bench(path))["magnet.gap"]
        assert value == pytest.approx(5.8)
        assert sd == pytest.approx(1 / math.sqrt(5))
