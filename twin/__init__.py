"""The physics-based digital twin of the board game "Ab durch die Mauer".

    from twin import Twin, Turn, load_scene
    scene = load_scene("start")
    outcome = Twin(scene.machine).act(scene.state, Turn("cw"))

Names are loaded when they are first used, so that `import twin` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twin.board.castle import Castle, Garment
    from twin.board.machine import Machine, load_machine
    from twin.board.moves import Drag, Move, Push, Relocate, Turn, parse_move
    from twin.board.scene import Scene, load_scene
    from twin.board.state import Slider, State
    from twin.errors import BadInputError, BarredMoveError, TwinError
    from twin.outcome.engine import GhostOutcome, Outcome, Twin
    from twin.outcome.ensemble import Ensemble, sample_move
    from twin.outcome.many import simulate_many
    from twin.outcome.move_arrays import MoveArrays, move_names, simulate_arrays
    from twin.outcome.outcomes import Outcomes
    from twin.outcome.snap import Landing
    from twin.physics.hand import Hand, varied_hand
    from twin.physics.trace import Trace

__version__ = "0.1.0"

_HOMES = {
    "board.castle": ("Castle", "Garment"),
    "board.machine": ("Machine", "load_machine"),
    "board.moves": ("Drag", "Move", "Push", "Relocate", "Turn", "parse_move"),
    "board.scene": ("Scene", "load_scene"),
    "board.state": ("Slider", "State"),
    "errors": ("BadInputError", "BarredMoveError", "TwinError"),
    "outcome.engine": ("GhostOutcome", "Outcome", "Twin"),
    "outcome.ensemble": ("Ensemble", "sample_move"),
    "outcome.many": ("simulate_many",),
    "outcome.move_arrays": ("MoveArrays", "move_names", "simulate_arrays"),
    "outcome.outcomes": ("Outcomes",),
    "outcome.snap": ("Landing",),
    "physics.hand": ("Hand", "varied_hand"),
    "physics.trace": ("Trace",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BadInputError", "BarredMoveError", "Castle", "Drag", "Ensemble", "Garment", "GhostOutcome", "Hand", "Landing",
    "Machine", "Move", "MoveArrays", "Outcome",
    "Outcomes", "Push", "Relocate", "Scene", "Slider", "State", "Trace", "Turn", "Twin", "TwinError",
    "load_machine", "load_scene", "move_names", "parse_move", "sample_move", "simulate_arrays",
    "simulate_many", "varied_hand",
]  # fmt: skip


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        message = f"module 'twin' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"twin.{home}"), name)
