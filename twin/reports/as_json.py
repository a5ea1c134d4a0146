"""Outcomes and machines as the JSON of the command-line contract; places are rounded to 0.001 mm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from twin.board.moves import move_json
from twin.board.state import covers
from twin.stats import wilson

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.scene import Scene
    from twin.outcome.engine import Outcome
    from twin.outcome.ensemble import Ensemble

SCHEMA: Final = 1


def outcome_json(outcome: Outcome, samples: Ensemble | None = None) -> dict[str, Any]:
    """One move and what came of it."""
    ghosts: dict[str, Any] = {}
    for colour, ghost in outcome.ghosts:
        x, y = (None, None) if ghost.place is None else (_mm(ghost.place[0]), _mm(ghost.place[1]))
        ghosts[colour] = {"x": x, "y": y, "fate": ghost.fate, "covers": list(ghost.covers), "space": ghost.space}
        ghosts[colour] |= {
            "touched": list(ghost.touched),
            "margin": None if ghost.margin is None else _mm(ghost.margin),
        }
        ghosts[colour] |= {"walls": ["|".join(pair) for pair in ghost.walls], "slip": _mm(ghost.slip)}
        ghosts[colour] |= {"too_close": ghost.too_close}
    landing = outcome.landing
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "move": move_json(outcome.move),
        "engine": outcome.engine,
        "legal": outcome.legal,
        "broken": list(outcome.broken),
        "orientation": outcome.orientation,
        "conflict": landing.conflict,
        "too_close": outcome.too_close,
        "warnings": list(outcome.warnings),
        "ghosts": ghosts,
        "placements": [dict(placement) for placement in landing.placements],
        "fallback": None if landing.fallback is None else dict(landing.fallback),
    }
    if samples is not None:
        data["samples"] = samples_json(samples)
    return data


def samples_json(samples: Ensemble) -> dict[str, Any]:
    """An ensemble: shares that add up to 1, with Wilson's 95 % intervals; `chancy` is null if hands are too few to say.

    `share` and `interval` are those of the commonest outcome of all ghosts together.
    """
    size = samples.size
    ghosts = {}
    for colour, shares in samples.ghosts:
        ghosts[colour] = {
            "spaces": {key: count / size for key, count in shares.spaces.items()},
            "interval": {key: [round(b, 4) for b in wilson(count, size)] for key, count in shares.spaces.items()},
            "fates": {key: count / size for key, count in shares.fates.items()},
            "chancy": shares.chancy,
        }
    return {
        "n": size,
        "seed": samples.seed,
        "chancy": samples.chancy,
        "share": samples.share,
        "interval": [round(bound, 4) for bound in samples.interval],
        "ghosts": ghosts,
    }


def machine_json(machine: Machine) -> dict[str, Any]:
    """A machine's values, tunnels and sliders."""
    return {
        "name": machine.name,
        "title": machine.title,
        "values": machine.values(),
        "tunnels": list(machine.tunnels),
        "sliders": {
            name: [{"segment": m.segment, "polarity": m.polarity} for m in magnets]
            for name, magnets in machine.sliders.items()
        },
        "castle": machine.castle.drawing.splitlines(),
    }


def scene_json(scene: Scene) -> dict[str, Any]:
    """A scene's position and what each ghost covers."""
    state = scene.state
    return {
        "name": scene.name,
        "title": scene.title,
        "machine": scene.machine.name,
        "orientation": state.orientation,
        "ghosts": {
            colour: {"x": _mm(x), "y": _mm(y), "covers": list(covers(state, colour, scene.machine))}
            for colour, (x, y) in state.ghosts
        },
        "sliders": [
            {"name": s.name, "tunnel": s.tunnel, "offset": s.offset, "flipped": s.flipped} for s in state.sliders
        ],
        "expect": [{"move": str(e.move), "because": e.because} for e in scene.expectations],
    }


def _mm(value: float) -> float:
    return round(value, 3) + 0.0  # no negative zero
