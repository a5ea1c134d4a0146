"""Contacts between ghosts, plug and walls, read from pymunk's arbiters after each step (no callbacks)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from pymunk import batch

from twin.physics.laws import averaged, tips
from twin.physics.numerics import CONTACT_WINDOW
from twin.physics.trace import Contact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.board.machine import Machine
    from twin.physics.reference.foot import Foot
    from twin.physics.reference.world import World

_FIELDS: Final = batch.ArbiterFields.BODY_A_ID | batch.ArbiterFields.BODY_B_ID | batch.ArbiterFields.TOTAL_IMPULSE


class Touches:
    """Who touches whom in a run, since when and how hard."""

    def __init__(self, world: World, machine: Machine, step: float) -> None:
        self.world, self.step = world, step
        self.contacts: list[Contact] = []
        self._heights = machine["ghost.contact_height"], machine["ghost.magnet_height"]
        self._radius, self._plug = machine.radius, machine["plug.radius"]
        self._share = step / CONTACT_WINDOW
        self._buffer = batch.Buffer()
        self._possible = True
        self._pushed = False

    def list_near(self, feet: Sequence[Foot], pairs: Sequence[tuple[Foot, Foot]], skin: float) -> None:
        """Note whether a ghost can touch anything before the lists are made anew, with places off by `skin` at most."""
        plug, feet_apart = self._radius + self._plug + skin, 2.0 * self._radius + skin
        self._possible = (
            self.world.hand is not None
            or any(math.hypot(*foot.listed) < plug for foot in feet)
            or any(math.dist(one.listed, other.listed) < feet_apart for one, other in pairs)
        )

    def read(self, time: float, feet: Sequence[Foot]) -> list[Foot]:
        """Note new contacts and average their forces; returns the feet that are pushed hard enough to tip."""
        if not self._possible and not self._pushed:
            return []
        sums, partners = self._arbiters()
        tipping = []
        self._pushed = False
        for foot in feet:
            colour = foot.ghost.colour
            now = frozenset(partners.get(colour, ()))
            self.contacts += [Contact(time, colour, partner) for partner in sorted(now - foot.touching)]
            foot.touching = now
            foot.push = averaged(foot.push, sums.get(colour, 0.0) / self.step, self._share)
            self._pushed = self._pushed or foot.push > 0.0
            # The push acts at the height of the contact; the magnet's pull, which it works against, at the foot.
            if foot.ghost is not self.world.dragged and tips(
                foot.push, math.hypot(*foot.pull), foot.normal, self._heights, self._radius
            ):
                tipping.append(foot)
        return tipping

    def _arbiters(self) -> tuple[dict[str, float], dict[str, set[str]]]:
        """Impulse on each body in the last step (µN·s), and whom it touches."""
        buffer = self._buffer
        buffer.clear()
        batch.get_space_arbiters(self.world.space, _FIELDS, buffer)
        ids = memoryview(buffer.int_buf()).cast("P").tolist()
        values = memoryview(buffer.float_buf()).cast("d").tolist()
        names = self.world.names
        impulses: dict[str, list[float]] = {}
        partners: dict[str, set[str]] = {}
        for k in range(len(ids) // 2):
            one, other = names.get(ids[2 * k], ""), names.get(ids[2 * k + 1], "")
            impulse = math.hypot(values[2 * k], values[2 * k + 1])
            if impulse > 0.0:
                for a, b in ((one, other), (other, one)):
                    impulses.setdefault(a, []).append(impulse)
                    partners.setdefault(a, set()).add(b)
        # Sorted, since pymunk finds contacts in an order that may differ from run to run.
        return {name: sum(sorted(parts)) for name, parts in impulses.items()}, partners
