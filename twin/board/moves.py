"""The four magical moves, and the one grammar in which people and files write them.

turn cw · push A north · drag red east · relocate A 2 -1 [flip]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, cast

from twin.board.grid import DIRECTIONS
from twin.errors import BadInputError

TurnDirection = Literal["cw", "ccw"]
PushDirection = Literal["north", "south"]
DragDirection = Literal["north", "east", "south", "west"]

GRAMMAR: Final = (
    "turn cw|ccw · push SLIDER north|south · drag GHOST north|east|south|west · relocate SLIDER TUNNEL OFFSET [flip]"
)


@dataclass(frozen=True)
class Turn:
    """Turn the board by 90° about the plug (rule D1)."""

    direction: TurnDirection
    """`cw` or `ccw`, seen from above."""

    def __post_init__(self) -> None:
        if self.direction not in {"cw", "ccw"}:
            problem = f"a turn's direction must be cw or ccw; got {self.direction!r}"
            raise BadInputError(problem, field="move")

    def __str__(self) -> str:
        return f"turn {self.direction}"

    @property
    def quarter(self) -> int:
        """+1 for a clockwise quarter, -1 for a counterclockwise one."""
        return 1 if self.direction == "cw" else -1


@dataclass(frozen=True)
class Push:
    """Push one slider by exactly one segment along its tunnel (rule B1)."""

    slider: str
    direction: PushDirection

    def __post_init__(self) -> None:
        if self.direction not in {"north", "south"}:
            problem = f"a push's direction must be north or south (tunnels run that way); got {self.direction!r}"
            raise BadInputError(problem, field="move")

    def __str__(self) -> str:
        return f"push {self.slider} {self.direction}"

    @property
    def step(self) -> int:
        """+1 for north, -1 for south."""
        return 1 if self.direction == "north" else -1


@dataclass(frozen=True)
class Drag:
    """Drag a ghost to the adjoining space, in a direction of the floor (rules A1 to A5)."""

    ghost: str
    direction: DragDirection

    def __post_init__(self) -> None:
        if self.direction not in DIRECTIONS:
            problem = f"a drag's direction must be north, east, south or west; got {self.direction!r}"
            raise BadInputError(problem, field="move")

    def __str__(self) -> str:
        return f"drag {self.ghost} {self.direction}"


@dataclass(frozen=True)
class Relocate:
    """Pull a slider out and push it into another tunnel (rules C1 to C3)."""

    slider: str
    tunnel: int
    """The tunnel that it goes to, counted 1, 2 … from the left."""
    offset: int
    """How far it is pushed in: the offset it ends with, in segments."""
    flip: bool = False
    """Whether it is turned end for end on the way (gap G5)."""

    def __str__(self) -> str:
        return f"relocate {self.slider} {self.tunnel} {self.offset}{' flip' if self.flip else ''}"


Move = Turn | Push | Drag | Relocate


def parse_move(text: str) -> Move:
    """Read a move as people write it.

    >>> parse_move("push A north")
    Push(slider='A', direction='north')
    >>> str(parse_move("relocate C 2 -1 flip"))
    'relocate C 2 -1 flip'
    """
    match text.split():
        case ["turn", direction]:
            return Turn(cast("TurnDirection", direction))
        case ["push", slider, direction]:
            return Push(slider, cast("PushDirection", direction))
        case ["drag", ghost, direction]:
            return Drag(ghost, cast("DragDirection", direction))
        case ["relocate", slider, tunnel, offset]:
            return Relocate(slider, _whole(tunnel, "tunnel"), _whole(offset, "offset"))
        case ["relocate", slider, tunnel, offset, "flip"]:
            return Relocate(slider, _whole(tunnel, "tunnel"), _whole(offset, "offset"), flip=True)
    problem = f"a move must be one of: {GRAMMAR}; got {text[:80]!r}"
    raise BadInputError(problem, field="move")


def move_json(move: Move) -> dict[str, object]:
    """The move as the JSON contract writes it."""
    match move:
        case Turn(direction):
            return {"kind": "turn", "direction": direction}
        case Push(slider, direction):
            return {"kind": "push", "slider": slider, "direction": direction}
        case Drag(ghost, direction):
            return {"kind": "drag", "ghost": ghost, "direction": direction}
        case Relocate(slider, tunnel, offset, flip):
            return {"kind": "relocate", "slider": slider, "tunnel": tunnel, "offset": offset, "flip": flip}


def _whole(word: str, what: str) -> int:
    try:
        return int(word)
    except ValueError:
        problem = f"a relocation's {what} must be a whole number; got {word!r}"
        raise BadInputError(problem, field="move") from None
