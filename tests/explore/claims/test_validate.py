"""Rules D3 to D5 over many moves: the claims hold, a planted mistake is found, and the finger of the model is firm."""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from markupsafe import escape

from tests.setups import MACHINE, standing
from twin.board.grid import CORNERS, SPACES, covered_spaces
from twin.board.moves import Turn
from twin.board.scene import load_scene
from twin.board.state import MAX_OFFSET, Slider, State, magnets, validate_state
from twin.cli import validate_commands
from twin.cli.validate_commands import validate as command
from twin.explore.claims.finger import FIRM, drift, lay_finger, pinned_trace
from twin.explore.claims.let_it_happen import PROOFS, validate
from twin.explore.claims.placing_order import can_dead_end, nearest_dead_end
from twin.explore.claims.snap_oracle import COMPLETE, CORNER, FALLBACK, LEGAL, faults, measure
from twin.explore.hunt.cases import FAMILIES, Case, draw_case, family_of
from twin.outcome.engine import Twin
from twin.outcome.snap import Landing, snap
from twin.physics.hand import NOMINAL
from twin.reports.claims_page import validation_html, validation_json, validation_lines
from twin.stats import percent

SAMPLES = 1500


@pytest.fixture(scope="module")
def found():
    return validate(MACHINE, SAMPLES, 3, fingers=12)


def options(*words):
    parser = argparse.ArgumentParser()
    validate_commands.add(parser.add_subparsers(dest="command"))
    return parser.parse_args([*words])


def doubled(places, angle, orientation, machine):
    """A wrong snapping layer: every fallen ghost may also be put on d4."""
    landing = snap(places, angle, orientation, machine)
    fallen = [colour for colour, place in places.items() if place is None]
    if not fallen or not landing.placements:
        return landing
    extra = tuple((c, "d4" if c == fallen[0] else s) for c, s in landing.placements[0])
    return replace(landing, placements=(*landing.placements, extra))


def forgetful(places, angle, orientation, machine):
    """A wrong snapping layer: it hides conflicts by giving everybody the fallback."""
    landing = snap(places, angle, orientation, machine)
    return landing if landing.fallback is None else Landing(landing.footings, (landing.fallback,), None)


class TestCases:
    @pytest.mark.parametrize("family", FAMILIES)
    def test_every_family_gives_possible_positions_and_moves(self, family):
        dice = random.Random(family)
        for _ in range(60):
            case = draw_case(MACHINE, dice, family)
            validate_state(case.state, MACHINE)
            assert case.hand == NOMINAL
            if not isinstance(case.move, Turn):
                assert abs(case.state.slider(case.move.slider).offset + case.move.step) <= MAX_OFFSET

    def test_half_of_the_families_is_random(self):
        assert [family_of(n) for n in range(0, 24, 2)] == ["random"] * 12
        assert {family_of(n) for n in range(24)} == set(FAMILIES)


class TestRuler:
    def test_measures_what_the_grid_covers(self):
        rng = np.random.default_rng(5)
        ends = rng.uniform(-139.0, 139.0, (200, 4, 2))
        measured = measure(ends, np.zeros(200, np.int8), np.zeros(200), MACHINE)
        for n in range(200):
            for i in range(4):
                here = tuple(SPACES[k] for k in np.flatnonzero(measured.covered[n, i]))
                assert here == covered_spaces(tuple(ends[n, i]), MACHINE.reach, MACHINE.space)

    def test_sees_every_fault(self):
        landing = snap({"red": (0.0, 60.0), "yellow": None}, 0.0, 0, MACHINE)
        right = {"red": ("d5", "d6"), "yellow": None}
        assert faults(landing, right, 8) == set()
        assert faults(landing, right, 7) == {COMPLETE}
        first = landing.placements[0]
        for wrong, fault in [
            ((("red", "a1"), ("yellow", "a1")), {LEGAL, COMPLETE, CORNER}),
            ((("red", "c5"), ("yellow", "a1")), {LEGAL, COMPLETE}),
            ((("red", "d5"), ("yellow", "a2")), {LEGAL, COMPLETE, CORNER}),
            ((("red", "d5"),), {LEGAL, COMPLETE, CORNER}),
        ]:
            assert faults(replace(landing, placements=(first, wrong)), right, 8) == fault
        assert FALLBACK in faults(replace(landing, fallback=first), right, 8)


class TestPlacing:
    def test_G9_an_order_matters_where_a_space_is_wanted_by_the_one_who_has_no_other(self):  # noqa: N802
        assert nearest_dead_end([], [(2, 1), (2,)])
        assert can_dead_end([], [(1, 2), (2,)])
        assert not nearest_dead_end([], [(1, 2), (2,)])
        assert can_dead_end([3], [(1, 2), (2, 3)])
        assert not can_dead_end([], [(1, 2), (3, 4), (5, 6)])

    def test_D5_fallen_ghosts_never_end_dead_among_themselves(self):  # noqa: N802
        corners = tuple(SPACES.index(corner) for corner in CORNERS)
        for fallen in (1, 2, 3, 4):
            assert not can_dead_end(corners[: 4 - fallen], [corners] * fallen)


class TestFinger:
    def test_D3_a_finger_holds_its_ghost_against_board_magnets_and_ghosts(self):  # noqa: N802
        """Beside a magnet that pulls it, on a board that turns under it, and rammed by a riding ghost."""
        state = standing((-80.0, -68.0), (-68.0, -80.0 - 20.0))
        for move in (Turn("cw"), Turn("ccw")):
            trace = pinned_trace(Case(state, move), Twin(MACHINE), "red")
            assert drift(trace, "red") <= FIRM
            assert trace.final("red") == pytest.approx((-80.0, -68.0), abs=FIRM)

    def test_D3_a_finger_changes_the_others(self):  # noqa: N802
        """Two ghosts ride round in each other's tracks; a finger on the first stops the second."""
        bare = [Slider("A", 1, 2), Slider("B", 2, 2), Slider("C", 5, 2)]
        state = State.of(0, {"red": (0.0, 80.0), "yellow": (-40.0, 80.0)}, bare)
        assert not [m for m in magnets(state, MACHINE) if abs(m.x) < 20 and abs(m.y - 80.0) < 20]
        finger = lay_finger(Case(state, Turn("cw")), Twin(MACHINE), "red")
        assert finger.drift <= FIRM
        assert finger.covers == finger.fates == ("yellow",)

    def test_D3_a_finger_far_away_changes_nobody(self):  # noqa: N802
        state = standing((0.0, 80.0), (-40.0, -120.0))
        assert lay_finger(Case(state, Turn("ccw")), Twin(MACHINE), "red").fates == ()


class TestValidation:
    def test_what_must_hold_holds(self, found):
        assert found.broken == ()
        must = [claim for claim in found.claims if claim.kind == "must_hold"]
        assert len(must) == 7
        assert all(claim.held > 0 and claim.broken == 0 for claim in must)

    def test_counts_add_up(self, found):
        for claim in found.claims:
            low, high = claim.interval
            share = claim.broken / (claim.held + claim.broken)
            assert 0.0 <= low <= share + 1e-12
            assert share <= high + 1e-12
            if claim.distribution is not None:
                assert sum(claim.distribution.values()) == claim.held + claim.broken
                assert claim.distribution.get("1", 0) == claim.held
        assert sum(c.broken for c in found.claims if c.claim.startswith("a joint placement")) > 0

    def test_repeats_under_a_seed(self, found):
        again = validate(MACHINE, SAMPLES, 3, fingers=12)
        assert [(c.claim, c.held, c.broken) for c in again.claims] == [
            (c.claim, c.held, c.broken) for c in found.claims
        ]
        other = validate(MACHINE, SAMPLES, 4, fingers=0)
        assert [c.broken for c in other.claims] != [c.broken for c in found.claims[: len(other.claims)]]

    def test_is_told_as_json_lines_and_page(self, found):
        told = validation_json(found, {})
        assert told["turns"] == SAMPLES
        keys = {"claim", "kind", "held", "broken", "interval", "scenes"}
        assert all(keys <= claim.keys() for claim in told["claims"])
        assert {claim["kind"] for claim in told["claims"]} == {"must_hold", "finding"}
        page = validation_html(found, {})
        assert page.startswith("<!DOCTYPE html>")
        assert "<script" not in page
        assert "http" not in page
        assert all(str(escape(proof)) in page for proof in PROOFS.values())
        assert set(PROOFS) <= {claim.claim for claim in found.claims if claim.kind == "must_hold"}
        assert any("must hold" in line for line in validation_lines(found))

    def test_findings_say_how_often_something_happens(self, found):
        """A sentence with count, number, share and interval; that no placement exists is rare, and it says so."""
        lines = validation_lines(found)
        claim = next(c for c in found.claims if c.claim == "a joint placement exists (turns, random positions)")
        low, high = (percent(bound, 1) for bound in claim.interval)
        expected = (
            f"No joint placement exists after {claim.broken} of {claim.tried} turns from random positions: "
            f"{percent(claim.broken / claim.tried, 1)} % ({low}–{high} %)."
        )
        assert claim.broken < claim.tried / 100
        assert expected in [line.strip() for line in lines]
        told = validation_json(found, {})["claims"]
        assert [c["finding"] for c in told if c["claim"] == claim.claim] == [expected]
        assert str(escape(expected)) in validation_html(found, {})
        findings = [c for c in told if c["kind"] == "finding"]
        assert all(f"{c['broken']:,} of {c['held'] + c['broken']:,} " in c["finding"] for c in findings)
        assert not any("not so" in line or "how often it is not" in line for line in lines)

    @pytest.mark.parametrize(("wrong", "samples"), [(doubled, 300), (forgetful, 600)])
    def test_a_planted_mistake_is_found(self, wrong, samples, tmp_path, capsys):
        """A snapping layer that puts ghosts on the plug, or hides conflicts, ends with exit code 4."""
        given = options("validate", "let-it-happen", "--samples", str(samples), "--json", "--out", str(tmp_path))
        assert command(given, snap=wrong) == 4
        told = json.loads(capsys.readouterr().out)
        broken = [claim for claim in told["claims"] if claim["kind"] == "must_hold" and claim["broken"]]
        assert broken
        assert all(claim["scenes"] for claim in broken)

    def test_the_command_saves_scenes_that_load_and_act(self, tmp_path, capsys):
        page = tmp_path / "page.html"
        given = options(
            *("validate", "let-it-happen", "--samples", "300", "--seed", "2"),
            *("--json", "--out", str(tmp_path / "worst"), "--html", str(page)),
        )
        assert command(given) == 0
        told = json.loads(capsys.readouterr().out)
        files = [file for claim in told["claims"] for file in claim["scenes"]]
        assert files
        for file in files[:6]:
            scene = load_scene(file)
            validate_state(scene.state, scene.machine)
            assert file in page.read_text(encoding="utf-8")
            assert f"{Path(file).name}" in Path(file).read_text(encoding="utf-8")
