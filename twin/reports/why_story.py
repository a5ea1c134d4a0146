"""Why it happened: the story of each ghost in a move, in order of time, with its margins.

Forces are given in mN. *To spare* compares the most that a magnet can pull sideways with the friction that drags the
ghost along at that point: above zero the magnet can hold the ghost, below it cannot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from twin.board.grid import space_under
from twin.board.moves import Drag, Push, Turn
from twin.board.state import COLOURS, magnets
from twin.physics.magnets import grip_table
from twin.physics.trace import PLUG, WALL

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.state import Magnet, State
    from twin.outcome.engine import GhostOutcome, Outcome
    from twin.physics.trace import Trace

_MILLI: Final = 1000.0
"""µN in one mN, nm in one µm."""


class StoryEvent(NamedTuple):
    """Something that happened to a ghost."""

    time: float
    text: str


@dataclass(frozen=True)
class GhostStory:
    """What happened to one ghost, and how firm that is."""

    ghost: str
    magnet: str | None
    """The magnet that gripped it at the start."""
    spare: float | None
    """Force to spare of that magnet against friction, mN; None without one."""
    events: tuple[StoryEvent, ...]
    end: str
    """How it ended, and how far from the next different outcome."""
    margin: float | None


def tell(outcome: Outcome, colour: str) -> GhostStory:
    """The story of one ghost."""
    ghost = outcome.ghost(colour)
    grip = ghost.grip_before
    spare = None if grip is None else grip_to_spare(outcome.machine)
    events = [StoryEvent(0.0, _opening(outcome, colour, spare))]
    if outcome.trace is not None:
        events += sorted(_events(outcome.trace, colour))
    return GhostStory(
        colour, grip.label if grip else None, spare, tuple(events), _ending(outcome, colour, ghost), ghost.margin
    )


def story_lines(story: GhostStory) -> list[str]:
    """The story as lines for people."""
    lines = [f"{story.ghost}: {story.events[0].text}"]
    lines += [f"  {event.time:6.3f} s  {event.text}" for event in story.events[1:]]
    return [*lines, f"  at the end {story.end}"]


def story_json(story: GhostStory) -> dict[str, Any]:
    """The story for programs."""
    return {
        "magnet": story.magnet,
        "spare_mN": None if story.spare is None else round(story.spare, 1),
        "events": [{"time": round(e.time, 4), "text": e.text} for e in story.events],
        "end": story.end,
        "margin": None if story.margin is None else round(story.margin, 3),
    }


def grip_to_spare(machine: Machine) -> float:
    """The largest excess of a magnet's sideways pull over the friction at the same distance, mN."""
    table = grip_table(machine)
    friction, weight = machine["friction.board"], machine["ghost.mass"] * machine["gravity.g"]
    best = -math.inf
    for tenth in range(1, int(machine["tolerance.grip"] * 20)):
        pull, lift = table.at(tenth / 10)
        best = max(best, -pull - friction * max(weight - lift, 0.0))
    return best / _MILLI


def _opening(outcome: Outcome, colour: str, spare: float | None) -> str:
    ghost = outcome.ghost(colour)
    start = space_under(outcome.before.board_place(colour), outcome.machine.space) or "the edge"
    grip = ghost.grip_before
    if grip is not None and spare is not None:
        verdict = f"{spare:.0f} mN to spare" if spare >= 0 else f"{-spare:.0f} mN too weak"
        moving = " (it is the slider that moves)" if _moves(outcome, grip) else ""
        return f"starts on {start}, gripped by magnet {grip.label}{moving}; against friction that is {verdict}."
    nearest = _nearest(outcome.before, outcome.machine, ghost.start)
    if nearest is None:
        return f"starts on {start}; there are no magnets."
    magnet, distance = nearest
    return f"starts on {start}, gripped by nothing; the nearest magnet, {magnet.label}, is {distance:.0f} mm away."


def _moves(outcome: Outcome, grip: Magnet) -> bool:
    return isinstance(outcome.move, Push) and outcome.move.slider == grip.slider


def _nearest(state: State, machine: Machine, place: tuple[float, float]) -> tuple[Magnet, float] | None:
    found = [(math.dist(place, (m.x, m.y)), m) for m in magnets(state, machine)]
    if not found:
        return None
    distance, magnet = min(found)
    return magnet, distance


def _events(trace: Trace, colour: str) -> list[StoryEvent]:
    """Slips, contacts (the first with each other body), walls, warnings and the fall."""
    index = trace.ghosts.index(colour)
    events = []
    slipped = trace.slip_times[index]
    if slipped is not None:
        events.append(StoryEvent(slipped, f"its foot began to slip on the board, {trace.slips[index]:.1f} mm in all."))
    first: dict[str, float] = {}
    for contact in trace.contacts:
        if contact.ghost == colour:
            first.setdefault(contact.other, contact.time)
    for other, time in first.items():
        what = other if other in COLOURS else {PLUG: "the plug", WALL: "a wall"}.get(other, other)
        again = sum(c.ghost == colour and c.other == other for c in trace.contacts) - 1
        times = f", and {again} more time{'s' if again > 1 else ''} after that" if again else ""
        events.append(StoryEvent(time, f"it touched {what}{times}."))
    events += [
        StoryEvent(c.time, f"it crossed the wall between {c.from_space} and {c.to_space}.")
        for c in trace.crossings
        if c.ghost == colour
    ]
    events += [StoryEvent(w.time, f"warning, {w.kind}: {w.text}.") for w in trace.warnings if w.ghost == colour]
    fallen = trace.fallen[index]
    if fallen is not None:
        events.append(StoryEvent(fallen, "its centre left the board: it fell."))
    return events


def _ending(outcome: Outcome, colour: str, ghost: GhostOutcome) -> str:
    alone = f"the fate is {ghost.fate!r}"
    if not outcome.done:
        return "nothing was moved."
    if ghost.place is None:
        return f"it is off the board; {alone}."
    where = f"it stands on {ghost.space}" if ghost.space else f"it straddles {' and '.join(ghost.covers)}"
    grip = ghost.grip_after
    if grip is not None:
        distance = _grip_distance(ghost)
        where += f", {distance:.1f} mm from magnet {grip.label}, which grips it"
    elif isinstance(outcome.move, Turn) and ghost.grip_before is None and not ghost.touched:
        where += f", {_ride_error(outcome, colour):.2f} mm from where the board alone would have carried it"
    elif isinstance(outcome.move, Drag):
        where += ", held by friction"
    firm = f"{ghost.margin:.1f} mm from the next different outcome"
    close = "; too close to call" if ghost.too_close else ""
    return f"{where}; {alone}, {firm}{close}."


def _grip_distance(ghost: GhostOutcome) -> float:
    if ghost.place is None or ghost.grip_after is None:
        return math.nan
    return math.dist(ghost.place, (ghost.grip_after.x, ghost.grip_after.y))


def _ride_error(outcome: Outcome, colour: str) -> float:
    ghost, move = outcome.ghost(colour), outcome.move
    if ghost.place is None or not isinstance(move, Turn):
        return math.nan
    x, y = ghost.start
    return math.dist(ghost.place, (move.quarter * y, -move.quarter * x))
