"""The search behind `reach`: positions expanded layer by layer, valued from the end, read off as lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from twin.board.moves import Push, Relocate, Turn
from twin.board.state import MAX_OFFSET, home_space
from twin.explore.chances import Edge, sampled_edges, sure_edges
from twin.explore.relocations import relocations as all_relocations
from twin.physics.certainty import passes_clear
from twin.physics.drive import driven

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twin.board.machine import Machine
    from twin.board.moves import Move
    from twin.board.state import State
    from twin.explore.chances import Choice
    from twin.outcome.snap import Placement
    from twin.physics.hand import Hand

BEAM: Final = (1, 1000, 6000)
"""Positions expanded in each layer, the likeliest first."""

SCOUTS: Final = 32
"""Varied hands per move in the second layer, and in the third where a glance shows hope."""

GLANCE: Final = 8
"""Varied hands with which the last layer is looked through."""

LEAST: Final = 0.01
"""Positions that come up less often than this are not expanded."""


class Value(NamedTuple):
    """What a position is worth: compared first by how sure the goal is, then by how few moves it takes."""

    sure: float
    minus_moves: float
    """Minus the moves made in winning, weighed by how often."""


NOTHING: Final = Value(0.0, 0.0)
GOAL: Final = Value(1.0, 0.0)


class LineStep(NamedTuple):
    """One move of a line: the move, the branch it takes most often, and the placement chosen there."""

    edge: Edge
    choice: Choice
    placement: Placement | None
    share: float


@dataclass(frozen=True)
class Line:
    """A line of play and its value, the other branches played as well as can be."""

    value: Value
    stops: tuple[LineStep, ...]


class WaySearch:
    """Positions and their edges; grows once, then answers."""

    def __init__(self, machine: Machine, ghost: str, space: str, *, relocations: bool = True) -> None:
        self.machine, self.ghost, self.space, self.relocations = machine, ghost, space, relocations
        self.edges: dict[State, list[Edge]] = {}
        self.dropped = 0
        self._values: dict[tuple[State, int], Value] = {}

    def grow(
        self, root: State, moves: int, hands: Sequence[Hand], progress: Callable[[int], None] | None = None
    ) -> None:
        """Expand the root with all hands, later layers with fewer, the last one with a glance first."""
        layer = {root: 1.0}
        for depth in range(moves):
            states = [state for state in layer if state not in self.edges]
            self._expand(states, hands if depth == 0 else hands[:SCOUTS], last=depth == moves - 1)
            if progress is not None:
                progress(depth + 1)
            if depth < moves - 1:
                layer = self._next(layer, BEAM[depth + 1])

    def wins(self, placement: Placement) -> bool:
        """Whether a placement puts the ghost on the space."""
        return (self.ghost, self.space) in placement

    def at_goal(self, state: State) -> bool:
        """Whether the ghost stands on the space."""
        return home_space(state, self.ghost, self.machine) == self.space

    def value(self, state: State, left: int) -> Value:
        """How sure the goal is from here with `left` moves; nothing for positions that were not expanded."""
        if left == 0 or state not in self.edges:
            return NOTHING
        key = (state, left)
        if key not in self._values:
            self._values[key] = max((self._worth(state, e, left) for e in self.edges[state]), default=NOTHING)
        return self._values[key]

    def best_edge(self, state: State, left: int) -> Edge | None:
        """The best move from here, or None if no hope is known."""
        if self.value(state, left).sure == 0.0:
            return None
        return max(self.edges[state], key=lambda edge: self._worth(state, edge, left))

    def best_placement(self, state: State, move: Move, choice: Choice, left: int) -> tuple[Placement, Value]:
        """The placement to choose after a move, with `left` moves to come; the first by name among equals."""
        best, worth = choice[0], NOTHING
        for placement in choice:
            if self.wins(placement):
                return placement, GOAL
            if left:
                value = self.value(self._placed(state, move, placement), left)
                if value > worth:
                    best, worth = placement, value
        return best, worth

    def lines(self, state: State, left: int, most: int) -> list[Line]:
        """The best lines from here: each move at each stop of the main branch, the best of them first.

        Of lines that differ only in how far a slider goes into its new tunnel, and which way round, the best stands
        for all.
        """
        found: list[Line] = []
        for edge in self.edges.get(state, ()) if left else ():
            found += self._lines_of(state, edge, left, most)
        found.sort(key=lambda line: (-round(line.value.sure, 9), -line.value.minus_moves, len(line.stops)))
        different: dict[tuple[str, ...], Line] = {}
        for line in found:
            different.setdefault(tuple(_rough(stop.edge.move) for stop in line.stops), line)
        return list(different.values())[:most]

    def _lines_of(self, state: State, edge: Edge, left: int, most: int) -> list[Line]:
        if edge.after is not None:
            stop = LineStep(edge, (), None, 1.0)
            if self.at_goal(edge.after):
                return [Line(Value(1.0, -1.0), (stop,))]
            rest = self.lines(edge.after, left - 1, most)
            return [Line(_later(line.value), (stop, *line.stops)) for line in rest]
        total = self._worth(state, edge, left)
        options = []
        for choice, count in edge.branches:
            placement, value = self.best_placement(state, edge.move, choice, left - 1)
            options.append((count / edge.size * value.sure, count / edge.size, choice, placement, value))
        hope, share, choice, placement, value = max(options, key=lambda option: option[:2])
        if hope == 0.0:
            return []
        stop = LineStep(edge, choice, placement, share)
        if value is GOAL:
            return [Line(total, (stop,))]
        found = []
        for line in self.lines(self._placed(state, edge.move, placement), left - 1, most):
            sure = total.sure + share * (line.value.sure - value.sure)
            minus_moves = total.minus_moves + share * (line.value.minus_moves - value.minus_moves)
            found.append(Line(Value(sure, minus_moves), (stop, *line.stops)))
        return found

    def _worth(self, state: State, edge: Edge, left: int) -> Value:
        """What a move is worth, over all its branches."""
        if edge.after is not None:
            return _later(GOAL if self.at_goal(edge.after) else self.value(edge.after, left - 1))
        sure = minus_moves = 0.0
        for choice, count in edge.branches:
            value = self.best_placement(state, edge.move, choice, left - 1)[1]
            sure += count / edge.size * value.sure
            minus_moves += count / edge.size * value.minus_moves
        return _later(Value(sure, minus_moves))

    def _placed(self, state: State, move: Move, placement: Placement) -> State:
        return driven(state, move).on_spaces(dict(placement), self.machine.space)

    def _expand(self, states: Sequence[State], hands: Sequence[Hand], *, last: bool) -> None:
        """Find all edges of some positions, in one batch; in the last layer in two, since a glance goes first.

        The last layer has no relocations: they move no ghost.
        """
        pairs = [(state, move) for state in states for move in _chancy_moves(state)]
        few = hands[:GLANCE] if last and len(states) > 1 else hands
        edges = sampled_edges(self.machine, pairs, few)
        if len(hands) > len(few):
            hopeful = [n for n, edge in enumerate(edges) if edge is not None and self._hope(edge)]
            more = sampled_edges(self.machine, [pairs[n] for n in hopeful], hands[len(few) :])
            for n, extra in zip(hopeful, more, strict=True):
                edges[n] = _together(edges[n], extra)
        for state in states:
            groups = self._relocations(state) if self.relocations and not last else []
            self.edges[state] = sure_edges(self.machine, state, self.ghost, relocations=groups)
        for (state, _), edge in zip(pairs, edges, strict=True):
            if edge is not None:
                self.edges[state].append(edge)

    def _relocations(self, state: State) -> list[tuple[Relocate, ...]]:
        """Every slider to every free tunnel, unless a magnet could move a ghost on its way."""
        taken = {slider.tunnel for slider in state.sliders}
        free = [tunnel for tunnel in range(1, len(self.machine.tunnels) + 1) if tunnel not in taken]
        return [
            all_relocations(slider.name, tunnel)
            for slider in state.sliders
            for tunnel in free
            if passes_clear(state, slider.name, tunnel, self.machine)
        ]

    def _hope(self, edge: Edge) -> bool:
        return any(self.wins(placement) for choice, _ in edge.branches for placement in choice)

    def _next(self, layer: dict[State, float], most: int) -> dict[State, float]:
        """The positions one move on, by how likely each is if one tries to get there."""
        found: dict[State, float] = {}
        for state, weight in layer.items():
            for edge in self.edges[state]:
                if edge.after is not None:
                    found[edge.after] = max(found.get(edge.after, 0.0), weight)
                for choice, count in edge.branches:
                    likely = weight * count / edge.size
                    for placement in choice if likely >= LEAST else ():
                        if not self.wins(placement):
                            child = self._placed(state, edge.move, placement)
                            found[child] = max(found.get(child, 0.0), likely)
        new = {state: weight for state, weight in found.items() if state not in self.edges and not self.at_goal(state)}
        kept = sorted(new, key=lambda state: (-new[state], repr(state)))[:most]
        self.dropped += len(new) - len(kept)
        return {state: new[state] for state in kept}


def _later(value: Value) -> Value:
    """The same one move later."""
    return Value(value.sure, value.minus_moves - value.sure)


def _rough(move: Move) -> str:
    """A move, a relocation without its offset and way round."""
    return f"relocate {move.slider} {move.tunnel}" if isinstance(move, Relocate) else str(move)


def _chancy_moves(state: State) -> list[Move]:
    """Both turns and the pushes that B5 allows."""
    moves: list[Move] = [Turn("cw"), Turn("ccw")]
    for slider in state.sliders:
        if slider.offset < MAX_OFFSET:
            moves.append(Push(slider.name, "north"))
        if slider.offset > -MAX_OFFSET:
            moves.append(Push(slider.name, "south"))
    return moves


def _together(one: Edge | None, other: Edge | None) -> Edge | None:
    """Two samples of the same move as one."""
    if one is None or other is None:
        return one
    counts = Counter(dict(one.branches)) + Counter(dict(other.branches))
    branches = tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return Edge(one.move, one.size + other.size, branches)
