"""What is certain without a run: relocations that leave every ghost alone, machines that are calm."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from twin.board.machine import load_machine
from twin.board.moves import Relocate
from twin.outcome.engine import Twin
from twin.outcome.legality import judge
from twin.outcome.riding_share import random_state
from twin.physics.certainty import is_calm, leads, passes_clear, pulling_distance, rests_centred, stays_put

MACHINE = load_machine()


def test_what_is_said_to_stay_put_does():
    """Over random allowed relocations: the reference engine moves no ghost that the proof says stays."""
    dice, twin = random.Random(2), Twin(MACHINE)
    proved = checked = 0
    while checked < 25:
        state = random_state(MACHINE, dice, ghosts=3)
        tunnel = dice.choice([t for t in range(1, 6) if t not in {s.tunnel for s in state.sliders}])
        move = Relocate(dice.choice("ABC"), tunnel, dice.randint(-2, 2), dice.random() < 0.5)
        if judge(state, move, MACHINE).broken:
            continue
        checked += 1
        if stays_put(state, move, MACHINE):
            proved += 1
            outcome = twin.act(state, move, sensitivity=False)
            for colour, ghost in outcome.ghosts:
                assert ghost.place is not None
                assert math.dist(ghost.place, state.places[colour]) < 0.001, (state, move)
    assert proved > 20, "nearly all allowed relocations can be proved harmless"


def test_a_ghost_over_the_passing_magnets_is_not_said_to_stay():
    """A relocation under a ghost (barred by C1) proves nothing."""
    state = random_state(MACHINE, random.Random(1), ghosts=1)
    slider = state.slider("A")
    above = state.on_spaces({"red": "d7"}, MACHINE.space)
    placed = type(state).of(0, {"red": (MACHINE.tunnels[slider.tunnel - 1], 80.0)}, above.sliders)
    free = next(t for t in range(1, 6) if t not in {s.tunnel for s in state.sliders})
    assert not stays_put(placed, Relocate("A", free, 0), MACHINE)


def test_of_centred_ghosts_beside_both_tunnels_a_calm_machine_is_enough():
    """The bound of a whole space holds for every relocation that C1 and C2 allow."""
    dice = random.Random(6)
    for _ in range(40):
        state = random_state(MACHINE, dice, ghosts=4)
        assert rests_centred(state, MACHINE)
        for slider in state.sliders:
            for tunnel in {1, 2, 3, 4, 5} - {other.tunnel for other in state.sliders}:
                move = Relocate(slider.name, tunnel, 0)
                if not judge(state, move, MACHINE).broken:
                    assert stays_put(state, move, MACHINE)
                    assert passes_clear(state, slider.name, tunnel, MACHINE, MACHINE["spread.place_max"])


def test_a_slider_passes_clear_of_ghosts_beyond_its_pulling_distance():
    state = random_state(MACHINE, random.Random(1), ghosts=1)
    slider, reach = state.sliders[0], pulling_distance(MACHINE)
    free = next(t for t in range(1, 6) if t not in {s.tunnel for s in state.sliders})
    for tunnel in (slider.tunnel, free):
        x = MACHINE.tunnels[tunnel - 1]
        for beside, astray, clear in ((reach, 0.0, True), (reach - 0.1, 0.0, False), (reach, 0.1, False)):
            placed = type(state).of(0, {"red": (x + beside, 80.0)}, state.sliders)
            assert passes_clear(placed, slider.name, tunnel if tunnel == free else free, MACHINE, astray) == clear


@pytest.mark.parametrize(
    "changes", [{"friction.board": 0.02}, {"magnet.remanence": 1.5, "friction.board": 0.15}, {"ghost.mass": 0.5}]
)
def test_a_lively_machine_is_not_calm(changes):
    assert is_calm(MACHINE)
    assert not is_calm(MACHINE.with_values(changes, force=True))


def test_a_weak_hand_does_not_lead():
    assert leads(MACHINE)
    assert not leads(MACHINE.with_values({"hand.drag_force": 300.0}, force=True))


def test_a_repelling_magnet_makes_a_machine_uncertain():
    sliders = {name: tuple(m._replace(polarity=-1) for m in own) for name, own in MACHINE.sliders.items()}
    assert not is_calm(replace(MACHINE, sliders=sliders))
