"""Damage to an atlas is noticed and mended, forged manifests are refused, and a folder has one build at a time."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from itertools import islice

import pytest

from tests.atlases import MACHINE, TINY, begin, command, files_of, table_of
from twin.cli import atlas_commands
from twin.errors import BadInputError
from twin.explore.atlas import manifest as atlas_manifest
from twin.explore.atlas.build import Written, build_atlas, write_atlas
from twin.explore.atlas.contents import Plan
from twin.explore.atlas.file_hashes import HASHES, add_hash, hash_of, read_hashes
from twin.explore.atlas.manifest import MANIFEST, read_manifest
from twin.explore.atlas.store import files_of as files_by_manifest
from twin.explore.atlas.store import open_store
from twin.writing import TEMPORARY, fcntl

PLAN = Plan(TINY)
SIZE = 300
FIRST, SECOND = "turns-000000.parquet", "turns-000001.parquet"
SECOND_FILE_DAMAGED = rf"{SECOND}: is damaged: .*`twin atlas build --resume` .* mends the atlas"


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("atlas") / "pristine"
    build_atlas(PLAN, folder, size=SIZE)
    return folder


@pytest.fixture
def copy(pristine, tmp_path):
    return shutil.copytree(pristine, tmp_path / "copy")


@pytest.fixture
def old(copy):
    """An atlas as earlier versions made it: without hashes."""
    (copy / HASHES).unlink()
    change_manifest(copy, lambda data: data.pop("hashes"))
    return copy


def change_manifest(folder, change):
    path = folder / MANIFEST
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def flip(path, bit):
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


def overwrite(path):
    """A thousand bytes in the middle, so that the file's footer is as it was."""
    content = bytearray(path.read_bytes())
    content[200:1200] = bytes(1000)
    path.write_bytes(content)


def verified(folder, capsys):
    """Exit code and JSON of `twin atlas verify`."""
    capsys.readouterr()
    code = command("verify", folder, "--json")
    return code, json.loads(capsys.readouterr().out)


class TestDamage:
    def test_a_flipped_bit_never_gives_other_rows(self, pristine, copy):
        """In any file of the folder: the same rows, or a refusal."""
        rows, dice = table_of(pristine), random.Random(1)
        paths, refused = sorted(path.name for path in pristine.iterdir()), 0
        for name in itertools.chain(paths, dice.choices(paths, k=24)):
            path = copy / name
            flip(path, dice.randrange(8 * path.stat().st_size))
            try:
                assert table_of(copy) == rows
            except BadInputError:
                refused += 1
            shutil.copy(pristine / name, path)
        assert refused >= 15
        assert table_of(copy) == rows

    def test_a_damaged_file_is_named_and_made_anew(self, pristine, copy, capsys):
        overwrite(copy / SECOND)
        for words in (("query", copy, "fates"), ("report", copy)):
            assert command(*words) == 2
            assert capsys.readouterr().err.count("\n") == 1
            with pytest.raises(BadInputError, match=SECOND_FILE_DAMAGED):
                table_of(copy)
        assert verified(copy, capsys) == (
            4,
            {
                "folder": str(copy),
                "files": 4,
                "fine": 3,
                "damaged": {SECOND: "its content is not what was written"},
                "missing": [],
                "without_hash": 0,
                "not_made_yet": 0,
            },
        )
        assert build_atlas(PLAN, copy, resume=True, size=SIZE) == SIZE
        assert verified(copy, capsys)[0] == 0
        assert files_of(copy) == files_of(pristine)

    def test_verify_tells_people_what_is_damaged_and_what_is_missing(self, copy, capsys):
        assert command("verify", copy) == 0
        assert "4 of 4 files are as they were written\n" in capsys.readouterr().out
        overwrite(copy / FIRST)
        (copy / SECOND).unlink()
        assert command("verify", copy) == 4
        out = capsys.readouterr().out.splitlines()
        assert out[:2] == [
            f"{FIRST}: its content is not what was written",
            f"{SECOND}: is missing: it was deleted, or its build was killed",
        ]
        assert "2 of 4 files are as they were written, 1 damaged, 1 missing" in out[2]
        assert command("verify", copy / "nowhere") == 2

    def test_what_another_program_put_there_is_damage(self, copy):
        """A file of the right size and shape that no build has written; a folder in a file's place."""
        shutil.copy(copy / FIRST, copy / SECOND)
        with pytest.raises(BadInputError, match=SECOND_FILE_DAMAGED):
            table_of(copy)
        (copy / SECOND).unlink()
        (copy / SECOND).mkdir()
        with pytest.raises(BadInputError, match="must be a file; it is a folder"):
            table_of(copy)

    def test_a_list_of_hashes_that_is_lost_is_noticed(self, copy, capsys):
        (copy / HASHES).unlink()
        code, told = verified(copy, capsys)
        assert (code, told["fine"], set(told["damaged"].values())) == (4, 0, {f"{HASHES} has no hash of it"})
        assert build_atlas(PLAN, copy, resume=True, size=SIZE) == PLAN.total
        assert verified(copy, capsys)[0] == 0

    def test_a_torn_line_costs_one_file(self, copy):
        """What a kill leaves in the list is passed over, and the next line is not spoilt by it."""
        path = copy / HASHES
        path.write_bytes(path.read_bytes()[:-5])
        assert len(read_hashes(copy, 4)) == 3
        assert build_atlas(PLAN, copy, resume=True, size=SIZE) == 60
        assert len(read_hashes(copy, 4)) == 4
        path.write_bytes(b"\n" * 1_100_000)
        with pytest.raises(BadInputError, match="must be at most"):
            read_hashes(copy, 4)

    def test_a_hash_whose_file_was_not_written_any_more_does_no_harm(self, pristine, copy):
        """A build that is killed between the two leaves the file from before, which stays valid."""
        add_hash(copy, FIRST, hash_of(b"never written"))
        assert table_of(copy) == table_of(pristine)

    def test_an_atlas_without_hashes_is_read_with_a_note(self, old, capsys):
        assert command("query", old, "SELECT count(*) FROM turns", "--json") == 0
        told = capsys.readouterr()
        assert json.loads(told.out)["rows"] == [[960]]
        assert "4 files of an earlier version without a hash: damage would go unnoticed" in told.err
        code, counts = verified(old, capsys)
        assert (code, counts["fine"], counts["without_hash"], counts["damaged"]) == (0, 0, 4, {})

    def test_an_atlas_without_hashes_gets_them_when_it_goes_on(self, pristine, old, capsys):
        (old / SECOND).write_bytes((old / SECOND).read_bytes()[:100])
        assert build_atlas(PLAN, old, resume=True, size=SIZE) == SIZE
        assert files_of(old) == files_of(pristine)
        assert verified(old, capsys)[1]["fine"] == 4
        overwrite(old / FIRST)
        with pytest.raises(BadInputError, match="is damaged"):
            table_of(old)


class TestManifest:
    @pytest.mark.parametrize(
        ("key", "value", "problem"),
        [
            ("total", 10**12, "total: must be 960 for this sample and limit; got 1000000000000"),
            ("total", "many", "total: must be 960"),
            ("every", 961, "every: must be 960 for these ghosts"),
            ("ghosts", 2, "every: must be "),
            ("ghosts", True, "ghosts: must be a whole number from 1 to 4; got True"),
            ("flips", 1, "flips: must be true or false; got 1"),
            ("flips", True, "every: must be 1920"),
            ("sample", 10**9, "sample: must be a whole number from 1 to 960 or null"),
            ("sample", 10, "seed: must be a seed with a sample only; got None"),
            ("limit", 100, "total: must be 100"),
            ("limit", -1, "limit: must be"),
            ("partition", 10**9, "partition: must be a whole number from 1 to 100,000"),
            ("partition", 0, "partition: must be"),
            ("machine", [], "machine: must be a table"),
            ("schema", [[1]], r"schema: must be 1; got \[\[1\]\]"),
        ],
    )
    def test_a_forged_number_is_refused_with_its_field(self, copy, key, value, problem):
        """Numbers that do not follow from each other are not believed."""
        change_manifest(copy, lambda data: data.update({key: value}))
        with pytest.raises(BadInputError, match=rf"{MANIFEST}: {problem}"):
            read_manifest(copy)

    @pytest.mark.parametrize(
        ("key", "value", "problem"),
        [
            ("tunnels", [0.0] * 1000, "must be 1 to 7 places"),
            ("sliders", {str(k): [] for k in range(3)}, "must be 1 to 2 sliders"),
            ("name", 5, "must be text"),
            ("fingerprint", None, "must be text"),
        ],
    )
    def test_a_forged_machine_is_refused_with_its_field(self, copy, key, value, problem):
        change_manifest(copy, lambda data: data["machine"].update({key: value}))
        with pytest.raises(BadInputError, match=rf"machine\.{key}: {problem}"):
            read_manifest(copy)
        change_manifest(copy, lambda data: data["machine"].pop(key))
        with pytest.raises(BadInputError, match=rf"machine\.{key}: is missing"):
            read_manifest(copy)

    @pytest.mark.parametrize("key", ["schema", "ghosts", "flips", "sample", "seed", "every", "total", "partition"])
    def test_a_missing_key_is_named(self, copy, key):
        change_manifest(copy, lambda data: data.pop(key))
        with pytest.raises(BadInputError, match=f"{MANIFEST}: {key}: "):
            read_manifest(copy)

    @pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"{}" + b" " * 1_000_000, b"\xff", b"[]"])
    def test_what_is_no_manifest_is_refused(self, copy, content):
        (copy / MANIFEST).write_bytes(content)
        with pytest.raises(BadInputError, match=MANIFEST):
            read_manifest(copy)

    def test_an_atlas_of_a_thousand_million_turns_begins_at_once(self, tmp_path):
        """Nothing is listed, opened or counted for turns that are still to be run."""
        plan = Plan(MACHINE, ghosts=4, sample=10**9)
        with open_store(tmp_path, plan, resume=False, size=5) as store:
            first = list(islice(write_atlas(store), 2))
            assert [(written.number, written.left) for written in first] == [(0, 10**9 - 5), (1, 10**9 - 10)]
            assert next(store.missing(store.survey())) == 2
        assert len(files_by_manifest(tmp_path, read_manifest(tmp_path)).present()) == 2

    def test_the_size_is_told_where_it_matters(self, tmp_path, capsys):
        atlas_commands._print_size(str(tmp_path), Written(0, 100, 10_000, 1000))
        assert capsys.readouterr().err == ""
        atlas_commands._print_size(str(tmp_path), Written(0, 100, 10**10, 1000))
        assert "will take about 100.0 GB more" in capsys.readouterr().err

    def test_files_are_limited_alike_by_words_and_by_manifest(self, tmp_path):
        assert atlas_commands.LARGEST == atlas_manifest.LARGEST
        with pytest.raises(BadInputError, match="--partition"):
            begin(tmp_path / "a", PLAN, resume=False, size=atlas_manifest.LARGEST + 1)


@pytest.mark.skipif(fcntl is None, reason="this platform has no such locks")
class TestOneBuildAtATime:
    def test_a_second_build_is_refused(self, copy, capsys):
        words = ("build", "--out", copy, "--ghosts", 1, "--resume")
        with open_store(copy, PLAN, resume=True, size=SIZE):
            assert command(*words) == 2
            assert "another `twin atlas build` has this folder in use" in capsys.readouterr().err
        begin(copy, PLAN, resume=True, size=SIZE)

    def test_only_what_killed_builds_left_is_cleared(self, copy):
        """A file that a running program is writing is locked, and stays."""
        (copy / f"{TEMPORARY}left").write_bytes(b"")
        with (copy / f"{TEMPORARY}running").open("wb") as running:
            fcntl.flock(running, fcntl.LOCK_EX)
            begin(copy, PLAN, resume=True, size=SIZE)
        assert [path.name for path in copy.glob(f"{TEMPORARY}*")] == [f"{TEMPORARY}running"]
