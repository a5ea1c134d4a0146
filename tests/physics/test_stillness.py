"""A relocation that is said to leave every ghost alone does so."""

from __future__ import annotations

import math
import random

from twin.board.machine import load_machine
from twin.board.moves import Relocate
from twin.outcome.engine import Twin
from twin.outcome.legality import judge
from twin.outcome.riding_share import random_state
from twin.physics.certainty import stays_put

MACHINE = load_machine()


def test_what_is_said_to_stay_put_does():
    """Over random allowed relocations: the reference engine moves nobody that the proof says stays."""
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
