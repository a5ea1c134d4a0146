"""Quick tables of forces: which model must agree with which, and in what norm.

| quick table | agrees with | within |
|---|---|---|
| pull and lift over a slider | magpylib's getFT (`physics.magnets`) | 2 % of their peaks, up to 80 mm |
| pull between ghosts | the same | 2 % of itself, at every distance at which feet can touch, up to 80 mm |
| cells, tails, energy | those of a plain table of the same numbers | rounding |
| outcomes on a quick machine | those on the same machine with full tables | the same spaces and fates |

Peaks are the norm over a slider, since a ghost is held, caught or lost where pull and pressure are near them; far away,
where the pull changes its sign, a relative error means nothing.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.setups import MACHINE, changed
from twin.board.moves import Move, Push, Turn
from twin.board.scene import load_scene
from twin.calibrate.evidence.parameters import from_unit, named, named_values
from twin.calibrate.fit.quick_forces import QuickTable, force_tables, grip, quick_machine, repulsion, unchecked_machine
from twin.errors import BadInputError
from twin.outcome.engine import Twin
from twin.outcome.many import simulate_many
from twin.physics.laws import SPACING
from twin.physics.magnets import CUTOFF, FADE, Disc, ForceTable, _compute, ghost_table, grip_table

WITHIN = 0.02
SHAPES = (
    "magnet.gap",
    "magnet.ghost_diameter",
    "magnet.ghost_height",
    "magnet.slider_diameter",
    "magnet.slider_height",
)
COUNT = round(CUTOFF**2 / SPACING) + 1
DISTANCES = np.sqrt(np.arange(COUNT) * SPACING)
NEARER = DISTANCES <= FADE


def _corners_and_randoms() -> list[dict[str, float]]:
    chosen = named(MACHINE, SHAPES)
    units = [[0, 1, 1, 1, 1], [1, 0, 0, 0, 0], *np.random.default_rng(5).random((3, 5)).tolist()]
    return [named_values(chosen, from_unit(chosen, unit)) for unit in units]


@pytest.mark.parametrize("values", [*_corners_and_randoms(), {"magnet.gap": 0.7}, {"magnet.gap": 20.0}])
def test_the_grip_agrees_with_magpylib(values: dict[str, float]) -> None:
    """At corners of the ranges, within them and beyond them: pull and lift within 2 % of their peaks."""
    gap, d, h, below, depth = (values.get(key, MACHINE[key]) for key in SHAPES)
    full = _compute(Disc(d, h), Disc(below, depth), gap + (h + depth) / 2, COUNT)
    quick = grip(d / 2, h, below / 2, depth, gap)
    for ours, theirs in ((quick[0] * DISTANCES, full.pull * DISTANCES), (quick[1], np.array(full.lift))):
        assert np.abs(ours - theirs)[NEARER].max() < WITHIN * np.abs(theirs).max()


@pytest.mark.parametrize(("d", "h"), [(6.0, 2.0), (10.0, 5.0), (8.3, 3.7)])
def test_the_repulsion_of_ghosts_agrees_with_magpylib(d: float, h: float) -> None:
    """Wherever feet can be: within 2 % of the force itself."""
    full = np.array(_compute(Disc(d, h), Disc(d, h), 0.0, COUNT).pull)
    quick = repulsion(d / 2, h)
    feet = NEARER & (2 * MACHINE.quantities["ghost.radius"].range[0] <= DISTANCES)
    assert np.abs(quick / np.where(feet, full, 1.0) - 1.0)[feet].max() < WITHIN


def test_forces_scale_with_the_square_of_the_remanence() -> None:
    weak, strong = (force_tables(quick_machine(MACHINE, {"magnet.remanence": b})) for b in (0.5, 1.0))
    for a, b in zip(weak, strong, strict=True):
        assert np.allclose(4.0 * np.array(a.pull), np.array(b.pull))
        assert np.allclose(4.0 * np.array(a.lift), np.array(b.lift))


def test_a_quick_table_is_a_table() -> None:
    """Cells, bounds, energy and look-ups are those of a plain table of the same numbers, as plain numbers."""
    for quick in force_tables(MACHINE):
        plain = ForceTable(tuple(quick.pull), tuple(quick.lift))
        assert isinstance(quick, QuickTable)
        assert np.allclose(np.array(quick.cells), np.array(plain.cells), rtol=1e-12)
        assert np.allclose(np.array(quick.tails), np.array(plain.tails), rtol=1e-12)
        assert np.allclose(quick.energy(), plain.energy(), rtol=1e-9)
        assert quick.at(7.3) == pytest.approx(plain.at(7.3))
        assert [type(value) for value in quick.cells[3]] == [float] * 4
        assert type(quick.at(7.3)[1]) is float


def test_a_quick_machine_never_stands_in_for_another() -> None:
    """It equals machines of its kind only, so that what is kept for one kind is not used for the other."""
    quick = quick_machine(MACHINE, {})
    assert quick != MACHINE
    assert quick == quick_machine(MACHINE, {})
    assert hash(quick) == hash(quick_machine(MACHINE, {}))
    assert quick != quick_machine(MACHINE, {"magnet.gap": 5.5})
    assert len({quick, MACHINE}) == 2


def test_a_quick_machine_that_is_changed_has_the_tables_of_its_new_values() -> None:
    changed_later = quick_machine(MACHINE, {}).with_values({"magnet.gap": 7.0})
    assert grip_table(changed_later) == force_tables(quick_machine(MACHINE, {"magnet.gap": 7.0}))[0]
    assert grip_table(changed_later) != grip_table(quick_machine(MACHINE, {}))
    assert ghost_table(changed_later).at(30.0)[0] == pytest.approx(ghost_table(MACHINE).at(30.0)[0], rel=WITHIN)


def test_outcomes_on_a_quick_machine_are_the_same() -> None:
    """On scenes that do not hang by a hair: the kernel and the reference engine end as with full tables."""
    moves: list[Move] = [Turn("cw"), Turn("ccw"), Turn("cw"), Push("A", "north")]
    quick = quick_machine(MACHINE, {})
    scenes = [load_scene(name) for name in ("held", "caught", "rides", "carried-through-walls")]
    full = simulate_many(scenes, moves)
    fast = simulate_many(scenes, moves, machine=quick)
    assert [fast.key(n) for n in range(len(moves))] == [full.key(n) for n in range(len(moves))]
    assert np.nanmax(np.abs(fast.end - full.end)) < 0.5
    outcome = Twin(quick).act(scenes[1].state, Turn("ccw"))
    assert outcome.key == Twin(MACHINE).act(scenes[1].state, Turn("ccw")).key


def test_impossible_machines_are_refused_unless_a_design_needs_them() -> None:
    """A plug that leaves room on its space is no board; physics could run it all the same."""
    values = {"plug.radius": 8.0, "ghost.radius": 10.0, "tolerance.line": 4.0, "board.space": 44.0}
    with pytest.raises(BadInputError):
        quick_machine(MACHINE, values)
    assert unchecked_machine(MACHINE, values)["plug.radius"] == 8.0
    with pytest.raises(BadInputError, match="range"):
        quick_machine(MACHINE, {"magnet.gap": 30.0})


def test_a_machine_changed_by_force_keeps_its_own_way_of_tables() -> None:
    """An ordinary machine still gets magpylib's table, to the last bit."""
    assert type(grip_table(changed(MACHINE, {"magnet__remanence": 1.1}))) is ForceTable
