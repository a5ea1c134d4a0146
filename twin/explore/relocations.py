"""The relocations of a position, in groups that do the same.

Rules C1 and C2 keep ghosts off both corridors, so that an allowed relocation hardly ever moves a ghost: the nearest
magnet then passes more than 30 mm away. Only where one passes so near that its pull could beat friction is it
simulated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from twin.board.moves import Relocate
from twin.board.state import MAX_OFFSET, covers
from twin.outcome.legality import judge
from twin.physics.certainty import passes_clear

if TYPE_CHECKING:
    from twin.board.grid import Place
    from twin.board.state import State
    from twin.outcome.engine import Twin

Ends = tuple[tuple[str, tuple[str, tuple[str, ...], "Place | None"]], ...]
"""By ghost: fate, spaces covered, floor place (mm)."""


@dataclass(frozen=True)
class Group:
    """Relocations of one slider to one tunnel with the same effect on the ghosts."""

    moves: tuple[Relocate, ...]
    """By offset, then flip."""
    broken: tuple[str, ...]
    reasons: tuple[str, ...]
    ghosts: Ends | None
    """None for barred relocations, which are not made."""
    simulated: bool
    """On pymunk, by the nominal hand; otherwise no magnet passes near enough to move a ghost."""


def relocation_groups(twin: Twin, state: State) -> list[Group]:
    """All relocations: every slider to every tunnel, offset and way round, grouped."""
    found = []
    for slider in state.sliders:
        for tunnel in range(1, len(twin.machine.tunnels) + 1):
            if tunnel != slider.tunnel:
                found += _to_tunnel(twin, state, relocations(slider.name, tunnel))
    return found


def relocations(slider: str, tunnel: int) -> tuple[Relocate, ...]:
    """Every way in which a slider can go into a tunnel within the limits of B5."""
    offsets = range(-MAX_OFFSET, MAX_OFFSET + 1)
    return tuple(Relocate(slider, tunnel, offset, flip) for offset in offsets for flip in (False, True))


def _to_tunnel(twin: Twin, state: State, moves: tuple[Relocate, ...]) -> list[Group]:
    verdict = judge(state, moves[0], twin.machine)  # the same for all offsets and both ways round
    if verdict.broken:
        return [Group(moves, verdict.broken, verdict.reasons, None, simulated=False)]
    astray = twin.machine["spread.place_max"]  # whatever hand finds the ghosts
    if passes_clear(state, moves[0].slider, moves[0].tunnel, twin.machine, astray):
        still: Ends = tuple((c, ("stayed", covers(state, c, twin.machine), place)) for c, place in state.ghosts)
        return [Group(moves, (), (), still, simulated=False)]
    groups: dict[object, tuple[list[Relocate], Ends]] = {}
    for move in moves:
        outcome = twin.act(state, move, sensitivity=False)
        ends: Ends = tuple((c, (g.fate, g.covers, g.place)) for c, g in outcome.ghosts)
        groups.setdefault(outcome.key, ([], ends))[0].append(move)
    return [Group(tuple(alike), (), (), ends, simulated=True) for alike, ends in groups.values()]
