"""Misfits: values that change and values beyond a range are told from those that are neither."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.setups import MACHINE
from twin.board.moves import Push, Turn
from twin.calibrate.evidence.parameters import named
from twin.calibrate.fit.alternatives import find_rivals, splits
from twin.calibrate.fit.likelihood import as_seen
from twin.calibrate.fit.measurements import MeasuredSetup, Measurements, Sighting, Trial
from twin.calibrate.fit.problem import make_problem
from twin.calibrate.fit.profiles import MOST_POINTS, Lines, draw_lines, log_integral

TRIALS = 24
NOISE = 0.1
(FRICTION,) = named(MACHINE, ("friction.board",))


def sheet(moves):
    trials = (
        Trial(str(n), MeasuredSetup("start", "start", move), (Sighting("red", None, "a1", n + 2),))
        for n, move in enumerate(moves)
    )
    return Measurements("here", tuple(trials))


def line(read, *, low=FRICTION.low, high=FRICTION.high, bench=None):
    """A line through trials that read the friction with a bell-shaped error, from one value to another."""
    values = np.linspace(low, high, 301)
    trials = -0.5 * ((read - values[:, None]) / NOISE) ** 2
    known = np.zeros(values.shape) if bench is None else -0.5 * ((bench - values) / 0.01) ** 2
    return Lines(FRICTION, values[None], trials[None], known[None])


def rivals(read, **given_line):
    return find_rivals(as_seen(sheet([Turn("cw")] * len(read))), [line(read, **given_line)])


class TestLines:
    @given(st.floats(-400.0, 400.0), st.floats(-400.0, 400.0))
    def test_an_exponential_is_integrated_exactly(self, one, other):
        """From 0 to 1: (e^b - e^a) / (b - a), or e^a where they are the same; in logs, so that nothing overflows."""
        found = log_integral(np.array([0.0, 1.0]), np.array([one, other]), 0.0, 1.0)
        step = abs(other - one)
        exact = max(one, other) + (np.log(-np.expm1(-step) / step) if step > 1e-6 else 0.0)
        assert found == pytest.approx(exact, abs=1e-5)

    @given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
    def test_parts_of_a_line_add_up(self, first, second):
        x, logs = np.array([0.0, 0.3, 0.5, 1.0]), np.array([-3.0, 2.0, 1.0, -40.0])
        low, high = sorted((first, second))
        parts = [log_integral(x, logs, *ends) for ends in ((0.0, low), (low, high), (high, 1.0))]
        assert np.logaddexp.reduce(parts) == pytest.approx(log_integral(x, logs, 0.0, 1.0))

    def test_they_go_through_draws_and_beyond_the_ends_that_draws_lean_on(self):
        problem = make_problem(sheet([Turn("cw")]), MACHINE, parameters=("friction.board", "magnet.gap"))
        draws = np.random.default_rng(1).uniform([0.75, 0.4], [1.0, 0.6], (60, 2))
        asked = []

        def ask(own, point):
            asked.append((own, point))
            own.machine_at(point.cube)  # no board is impossible here, beyond the range or not
            return np.zeros(2)

        friction, gap = draw_lines(problem, draws, 3, 8, 1, ask)
        for found in (friction, gap):
            assert np.all(np.diff(found.values, axis=1) >= 0)
            assert found.values.shape[1] <= MOST_POINTS
        assert friction.values[:, -1] == pytest.approx(0.65)
        assert friction.values[:, 0] == pytest.approx(0.15)
        assert (gap.values.min(), gap.values.max()) == (3.0, 8.0)
        own, point = asked[0]
        assert own.machine_at(point.cube)["friction.board"] == pytest.approx(friction.values[0, 0])
        assert own.machine_at(point.cube)["magnet.gap"] == pytest.approx(3.0 + 5.0 * draws[0, 1])


class TestRivals:
    def test_a_value_that_changes_half_way_is_told(self):
        read = np.random.default_rng(2).normal(np.repeat([0.2, 0.35], TRIALS // 2), NOISE)
        best = rivals(read)[0]
        assert best.told
        assert best.parts == ("the first half of the trials", "the second")
        assert best.values == pytest.approx((0.2, 0.35), abs=0.06)
        assert "friction.board seems to change" in best.words

    def test_where_nothing_changes_a_change_is_hardly_ever_likelier(self):
        """Over all machines of the range its factor is 1 on average, so it is seldom large."""
        rng = np.random.default_rng(3)
        factors = []
        for _ in range(600):
            read = rng.normal(rng.uniform(FRICTION.low, FRICTION.high), NOISE, TRIALS)
            factors += [rival.factor for rival in rivals(read)]
        assert np.mean(np.array(factors) > 10.0) < 0.02
        assert np.mean(factors) == pytest.approx(1.0, abs=0.25)

    def test_a_value_beyond_its_range_is_told(self):
        rng = np.random.default_rng(4)
        beyond = rivals(rng.normal(0.55, NOISE, TRIALS), high=0.65)[0]
        assert beyond.parts == ()
        assert beyond.told
        assert beyond.values[0] == pytest.approx(0.55, abs=0.05)
        assert "beyond its range" in beyond.words
        inside = [rival for rival in rivals(rng.normal(0.3, NOISE, TRIALS), high=0.65) if not rival.parts]
        assert inside[0].factor < 0.1

    def test_a_bench_measurement_is_known_of_both_parts(self):
        """Who has measured the friction needs stronger evidence to believe that it changes."""
        read = np.repeat([0.2, 0.35], TRIALS // 2)
        assert rivals(read, bench=0.275)[0].factor < rivals(read)[0].factor / 10

    def test_trials_are_parted_by_their_moves_and_in_the_middle(self):
        moves = [Push("A", "north") if n % 3 == 0 else Turn("cw") for n in range(12)]
        found = splits(as_seen(sheet(moves)))
        assert [int(part.sum()) for part in found.values()] == [8, 6]
        assert list(splits(as_seen(sheet(moves[:9])))) == [("the first half of the trials", "the second")]
