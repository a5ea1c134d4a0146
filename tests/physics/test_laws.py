"""The laws of both engines, one by one, and that the compiled ones are the same.

| what | must agree with | how closely |
|---|---|---|
| every compiled law | the Python function, over 10,000 random inputs | all bits; where `math.hypot` is used, but one |
| the reference engine's inline forces | the laws, cell by cell | to the last bit |
"""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from twin.board import grid
from twin.board.machine import load_machine
from twin.board.moves import Turn
from twin.board.state import State
from twin.outcome.riding_share import random_state
from twin.physics import laws
from twin.physics.drive import plan
from twin.physics.friction import limit_surface
from twin.physics.kernel import compiled_laws
from twin.physics.kernel.steps import friction_shares, ghost_force, magnet_force
from twin.physics.magnets import CUTOFF, ghost_table, grip_table
from twin.physics.numerics import FAINT, STEP
from twin.physics.reference import Run

MACHINE = load_machine()
STATE = State.of(0, {"red": (80.0, 80.0), "blue": (-80.0, 80.0)}, random_state(MACHINE, random.Random(1)).sliders)
RUN = Run(STATE, MACHINE, plan(STATE, Turn("cw"), MACHINE))
INPUTS = 10_000


def test_cells_of_the_force_tables_follow_each_other_without_gaps():
    for cell in (0, 1, 7, 16_199):
        assert laws.table_cell(cell * laws.SPACING) == (cell, 0.0)
        assert laws.table_cell((cell + 0.5) * laws.SPACING) == (cell, 0.5)


def test_a_force_goes_straight_from_one_cell_to_the_next():
    assert [laws.along_cell(4.0, -2.0, part) for part in (0.0, 0.25, 1.0)] == [4.0, 3.5, 2.0]


def test_bounds_hold_for_all_that_is_farther_away():
    """No force beyond a distance exceeds the row that stands for it."""
    for table in (grip_table(MACHINE), ghost_table(MACHINE)):
        for distance in (-1.0, 0.0, 0.9, 17.3, 40.0, 89.99, CUTOFF, 200.0):
            pull, lift = table.beyond(distance)
            for farther in np.linspace(max(distance, 0.0), 2 * CUTOFF, 400):
                sideways, up = table.at(float(farther))
                assert abs(sideways) <= pull
                assert abs(up) <= lift


def test_the_cell_of_a_share_depends_on_the_ratio_of_speeds_alone():
    for slide, rim in ((1.0, 1.0), (4.0, 1.0), (0.5, 3.0), (1.0, 0.0), (0.0, 1.0)):
        cell, part = laws.share_cell(slide, rim)
        assert (cell, part) == laws.share_cell(8.0 * slide, 8.0 * rim)
        assert (cell + part) / laws.CELLS == pytest.approx(rim / (slide + rim))
        assert 0 <= cell < laws.CELLS


def test_both_engines_share_friction_alike():
    """The kernel's shares, in every cell, against the laws; the reference engine's loop is the same sum inline."""
    limit = np.column_stack(limit_surface())
    for cell in range(laws.CELLS):
        rim = (cell + 0.3) / laws.CELLS
        k, f = laws.share_cell(1.0 - rim, rim)
        wanted = tuple(laws.along_cell(t[k], t[k + 1] - t[k], f) for t in limit_surface())
        assert friction_shares(limit, 1.0 - rim, rim) == wanted
        foot = RUN.feet[0]
        foot.pose = (0.0, 0.0, 0.0, 0.0, 0.0, 100.0 * rim / MACHINE.radius)
        RUN._rub(foot, 100.0 * (1.0 - rim) * STEP, 0.0)
        assert foot.shares == pytest.approx(wanted, abs=1e-12)


def test_a_sure_grip_is_less_than_friction():
    assert laws.sure_grip(0.3, 1000.0) == pytest.approx(0.95 * 300.0)
    assert laws.sure_grip(0.3, -1.0) < 0.0


def test_a_ghost_begins_to_rock_where_its_moments_balance():
    rocking = laws.rocking_of(MACHINE)
    pull = rocking.ratio * 1000.0
    assert laws.edge_moment(pull, rocking.lever, 1000.0, MACHINE.radius) == pytest.approx(0.0, abs=1e-9)
    assert laws.edge_moment(1.1 * pull, rocking.lever, 1000.0, MACHINE.radius) > 0.0
    assert math.tan(rocking.topple_angle) == pytest.approx(MACHINE.radius / MACHINE["ghost.cm_height"])
    assert 0.0 < rocking.lean_lever < rocking.lever


def test_a_tilted_foot_rises_falls_back_and_comes_to_rest():
    assert laws.tilted(0.0, 0.0, -5.0, 2.0, 0.1) == (0.0, 0.0)
    tilt, rate = laws.tilted(0.0, 0.0, 5.0, 2.0, 0.1)
    assert (tilt, rate) == pytest.approx((0.025, 0.25))
    while tilt > 0.0:
        tilt, rate = laws.tilted(tilt, rate, -5.0, 2.0, 0.1)
    assert (tilt, rate) == (0.0, 0.0)


def test_an_average_goes_to_what_lasts_and_is_forgotten_when_faint():
    average = 0.0
    for _ in range(400):
        average = laws.averaged(average, 8.0, 0.1)
    assert average == pytest.approx(8.0)
    assert laws.averaged(0.9 * FAINT, 0.0, 0.1) == 0.0


@pytest.mark.parametrize(
    ("push", "pull", "normal", "falls"),
    [(100.0, 0.0, 60.0, True), (100.0, 0.0, 90.0, False), (100.0, 200.0, 60.0, False), (100.0, 0.0, 0.0, False)],
)
def test_a_push_tips_if_its_moment_beats_the_weight_and_the_magnet(push, pull, normal, falls):
    assert laws.tips(push, pull, normal, (8.0, 1.5), 10.0) == falls


def test_the_first_line_on_a_path_is_the_one_that_is_met_first():
    """East over the line at x = 20, after 1/4 of the way; north over y = 20 after half of it."""
    start, end = (10.0, 0.0), (50.0, 40.0)
    assert laws.first_line((0, 0), (1, 1), start, end, 40.0) == (0, 0.25)
    assert laws.first_line((1, 0), (1, 1), start, end, 40.0) == (1, 0.5)
    assert laws.first_line((1, 1), (0, 0), end, start, 40.0) == (1, 0.5)
    assert laws.first_line((0, 0), (1, 1), (0.0, 0.0), (40.0, 40.0), 40.0) == (0, 0.5), "a crossing of lines"


def test_the_reference_engine_pulls_as_the_laws_say_in_every_cell():
    """Its inline forces of magnets, and those between ghosts, against the laws and against the kernel."""
    grip, between, dice = grip_table(MACHINE), ghost_table(MACHINE), random.Random(1)
    cells, pushes = np.array(grip.cells), np.array(between.cells)[:, :2].copy()
    one, other = RUN.feet
    other.pose, RUN._pairs = (0.0, 0.0), [(one, other)]
    for cell in [*range(0, len(cells) + 40, 7), len(cells) - 1, len(cells)]:
        d, angle = math.sqrt((cell + dice.random()) * laws.SPACING), dice.uniform(0.0, math.tau)
        x, y, shift, polarity = d * math.cos(angle), d * math.sin(angle), dice.uniform(-1.0, 1.0), dice.choice((-1, 1))
        found, part = laws.table_cell(x * x + (y - shift) * (y - shift))
        pull, rise, lift, lift_rise = grip.cells[found] if found < len(cells) else (0.0, 0.0, 0.0, 0.0)
        g = polarity * laws.along_cell(pull, rise, part)
        wanted = g * x, g * (y - shift), polarity * laws.along_cell(lift, lift_rise, part)
        one.pose, one.near = (x, y), [(0.0, 0.0, polarity, True)]
        assert RUN._magnets(one, shift) == wanted
        assert magnet_force(cells, np.array([[0.0, 0.0, polarity, 1.0]]), 1, x, y, shift) == wanted
        push = ghost_force(pushes, x, y)
        assert RUN._between() == [(push * x, push * y), (-push * x, -push * y)]


def draws(dice):
    """Arguments for every compiled law, by its name."""
    force, length, size = lambda: dice.uniform(-5e4, 5e4), lambda: dice.uniform(-200.0, 200.0), 40.0
    start, end = (length(), length()), (length(), length())
    cells = [tuple(grid.cell_index(value, size) for value in place) for place in (start, end)]
    return {
        "table_cell": (dice.uniform(0.0, 2e4),),
        "along_cell": (force(), force(), dice.random()),
        "bound_row": (length(), 91),
        "share_cell": (dice.random() * 10.0 ** dice.randint(-3, 3), dice.random()),
        "sure_grip": (dice.random(), force()),
        "edge_moment": (force(), length(), force(), 10.0),
        "tilted": (max(dice.uniform(-1.0, 1.0), 0.0), dice.uniform(-9.0, 9.0), force(), dice.uniform(1.0, 2e3), 1e-3),
        "averaged": (abs(force()) * 10.0 ** dice.randint(-9, 0), 0.0, 0.1),
        "tips": (abs(force()), abs(force()), force(), (8.0, 1.5), 10.0),
        "first_line": (*cells, start, end, size),
        "cell_index": (length(), size),
        "to_floor": (start, dice.randint(-5, 5)),
        "distance_to_square": (length(), length(), size),
        "edge_distance": (start, size),
    }


def test_every_law_is_the_same_compiled():
    """To the last bit; only distances to a corner may differ in it, since Python rounds `math.hypot` better than C."""
    dice = random.Random(5)
    compiled = {name: law for name, law in vars(compiled_laws).items() if hasattr(law, "py_func")}
    assert compiled.keys() == draws(dice).keys()
    for _ in range(INPUTS):
        for name, values in draws(dice).items():
            if name == "first_line" and values[0] == values[1]:
                continue
            wanted, found = compiled[name].py_func(*values), compiled[name](*values)
            if name == "distance_to_square":
                assert abs(found - wanted) <= math.ulp(wanted), (name, values)
            else:
                assert found == wanted, (name, values)
