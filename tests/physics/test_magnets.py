"""Tables of magnet forces: the figures that the design rests on, and the cache on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.setups import MACHINE, changed
from twin.caches import cache_folder
from twin.physics import magnets
from twin.physics.laws import SPACING
from twin.physics.magnets import CUTOFF, Disc, ForceTable, ghost_table, grip_table

STRONG = grip_table(changed(MACHINE, {"magnet__remanence": 1.1}))
"""A ghost over a slider at 1.1 T."""


# -- figures --------------------------------------------------------------------------------------------------------


def test_over_its_magnet_a_ghost_is_pressed_down() -> None:
    """At 1.1 T a ghost straight over a magnet is pressed down with 1.50 N and not pulled aside."""
    pull, lift = STRONG.at(0.0)
    assert pull == 0.0
    assert lift == pytest.approx(-1.50e6, rel=0.01)


def test_the_pull_is_strongest_five_millimetres_aside() -> None:
    """At 1.1 T the pull back to the magnet peaks at 0.71 to 0.74 N, 5 mm from it."""
    peak, distance = max((-STRONG.at(step / 100)[0], step / 100) for step in range(2000))
    assert 0.71e6 < peak < 0.74e6
    assert distance == pytest.approx(5.0, abs=0.2)


def test_the_pull_changes_its_sign_once() -> None:
    """The pull turns into a push once, near 18 mm, and has died away to 0.0024 N at 40 mm."""
    signs = [STRONG.at(step / 10)[0] < 0 for step in range(1, round(CUTOFF * 10))]
    changes = [step / 10 for step in range(1, len(signs)) if signs[step] != signs[step - 1]]
    assert changes == [pytest.approx(18.0, abs=0.5)]
    assert STRONG.at(40.0)[0] == pytest.approx(2400.0, rel=0.05)


def test_ghosts_that_touch_repel_with_a_tenth_of_their_weight() -> None:
    """At 1.1 T two ghosts side by side repel each other with a tenth of a ghost's weight, and less farther off."""
    table = ghost_table(changed(MACHINE, {"magnet__remanence": 1.1}))
    weight = MACHINE["ghost.mass"] * MACHINE["gravity.g"]
    forces = [table.at(2 * MACHINE.radius + step)[0] for step in range(50)]
    assert forces[0] == pytest.approx(0.1 * weight, rel=0.1)
    assert forces == sorted(forces, reverse=True)
    assert forces[-1] > 0


def test_a_table_ends_at_the_cutoff() -> None:
    """From the cutoff on there is no force."""
    assert len(STRONG.pull) == len(STRONG.lift) == round(CUTOFF**2 / SPACING) + 1
    assert STRONG.at(CUTOFF - 0.01) != (0.0, 0.0)
    assert STRONG.at(CUTOFF) == STRONG.at(1000.0) == (0.0, 0.0)


def test_a_weaker_magnet_farther_below_grips_less() -> None:
    """A wider gap weakens pull and pressure."""
    lifts = [grip_table(changed(MACHINE, {"magnet__gap": gap})).at(0.0)[1] for gap in (4.0, 5.0, 6.5)]
    assert lifts == sorted(lifts)
    assert lifts[-1] < 0


def test_the_energy_is_the_integral_of_the_pull() -> None:
    """Between any two distances the energy differs by the work of the pull, summed up in small steps."""
    energy = STRONG.energy()
    assert len(energy) == len(STRONG.pull)
    assert energy[-1] == 0.0
    for first, last in ((0, 200), (50, 648), (648, 3200), (3200, 12800)):
        ends = [(index * SPACING) ** 0.5 for index in (first, last)]
        width = (ends[1] - ends[0]) / 4000
        work = sum(STRONG.at(ends[0] + (step + 0.5) * width)[0] for step in range(4000)) * width
        assert energy[first] - energy[last] == pytest.approx(work, rel=1e-4)


# -- the cache on disk ----------------------------------------------------------------------------------------------


@pytest.fixture
def computed(tmp_path, monkeypatch):
    """A fresh cache folder, and a list that grows by one for each table that is computed."""
    calls: list[int] = []
    # Smooth stand-ins, so that a computation costs nothing.
    table = ForceTable(tuple(-1e5 / (1 + k) for k in range(12801)), tuple(-2e5 / (1 + k) for k in range(12801)))

    def compute(*_) -> ForceTable:
        calls.append(1)
        return table

    monkeypatch.setattr(magnets, "_compute", compute)
    monkeypatch.setenv("TWIN_CACHE", str(tmp_path / "cache"))
    _forget()
    yield calls
    _forget()


def _forget() -> None:
    """Drop all tables that are kept in memory, as a new process would."""
    for function in vars(magnets).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def test_a_table_is_computed_once(computed: list[int]) -> None:
    """A second process reads what the first one computed, and gets the same table."""
    first = grip_table(MACHINE)
    _forget()
    assert grip_table(MACHINE) == first
    assert len(computed) == 1
    assert [path.suffix for path in cache_folder().iterdir()] == [".cache"]


def test_each_shape_has_a_file_of_its_own(computed: list[int]) -> None:
    """Other magnets or another gap are computed anew; another remanence is not."""
    grip_table(MACHINE)
    grip_table(changed(MACHINE, {"magnet__gap": 5.5}))
    grip_table(changed(MACHINE, {"magnet__ghost_diameter": 9.0}))
    grip_table(changed(MACHINE, {"magnet__remanence": 1.0}))
    ghost_table(MACHINE)
    assert len(computed) == len(list(cache_folder().iterdir())) == 4


DAMAGED = {
    "empty": lambda _: b"",
    "cut off": lambda raw: raw[: len(raw) // 2],
    "one number short": lambda raw: raw[:-8],
    "one bit flipped": lambda raw: raw[:-100] + bytes([raw[-100] ^ 1]) + raw[-99:],
    "not a table": lambda _: b"[" * 100_000,
    "null": lambda raw: bytes(len(raw)),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_computed_anew(computed: list[int], damage: str) -> None:
    """A file that is not what was written is computed anew and mended."""
    first = grip_table(MACHINE)
    (path,) = cache_folder().iterdir()
    sound = path.read_bytes()
    path.write_bytes(DAMAGED[damage](sound))
    _forget()
    assert grip_table(MACHINE) == first
    assert len(computed) == 2
    assert path.read_bytes() == sound


def test_the_file_of_other_magnets_is_not_used(computed: list[int]) -> None:
    """A sound file under another file's name is computed anew."""
    grip_table(MACHINE)
    (first,) = cache_folder().iterdir()
    ghost_table(MACHINE)
    (second,) = (path for path in cache_folder().iterdir() if path != first)
    second.write_bytes(first.read_bytes())
    _forget()
    ghost_table(MACHINE)
    assert len(computed) == 3


def test_a_folder_that_cannot_be_written_costs_only_time(computed: list[int], tmp_path, monkeypatch) -> None:
    """Where no folder can be made, tables are computed each time, and nothing is raised."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("TWIN_CACHE", str(tmp_path / "file" / "cache"))
    first = grip_table(MACHINE)
    _forget()
    assert grip_table(MACHINE) == first
    assert len(computed) == 2


def test_a_full_disk_costs_only_time(computed: list[int], monkeypatch) -> None:
    """Where a file cannot be moved into its place, the table is used all the same."""

    def refuse(*_) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    assert grip_table(MACHINE).at(0.0)[1] < 0
    assert len(computed) == 1


def test_the_real_computation_comes_back_from_disk_unchanged(tmp_path, monkeypatch) -> None:
    """A table that was computed and one that was read are equal to the last bit."""
    monkeypatch.setenv("TWIN_CACHE", str(tmp_path))
    _forget()
    fresh = grip_table(MACHINE)
    _forget()
    assert grip_table(MACHINE) == fresh
    _forget()


def test_tables_of_other_versions_are_not_used(tmp_path, monkeypatch):
    """Another magpylib may give other last digits: a table that it made would change the hash of a run."""
    monkeypatch.setenv("TWIN_CACHE", str(tmp_path))
    disc, table = Disc(8.0, 3.0), magnets._table.__wrapped__  # without what this process remembers
    monkeypatch.setattr("twin.physics.magnets._compute", lambda *_: ForceTable((1.0, 2.0), (3.0, 4.0)))
    made = table(disc, disc, 9.0)
    monkeypatch.setattr("twin.physics.magnets._compute", lambda *_: ForceTable((5.0, 6.0), (7.0, 8.0)))
    assert table(disc, disc, 9.0) == made
    monkeypatch.setattr("twin.physics.magnets.version", lambda _: "0.0")
    assert table(disc, disc, 9.0) != made
