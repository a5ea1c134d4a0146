"""The board as text: walls, ghosts, magnets underneath and sliders sticking out, as it lies on the floor now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.board.grid import PLUG_SPACE, SIDE, space_at, to_board
from twin.board.state import covers, magnets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twin.board.machine import Machine
    from twin.board.state import State

_CODES: Final = {"red": "31", "yellow": "33", "green": "32", "blue": "34", "garment": "36", "dim": "2", "bold": "1"}
_CELL: Final = 4
LEGEND: Final = "R Y G B ghosts (R? straddles) · o magnet below · ## plug · [A] slider sticking out · lines are walls"


class Paint:
    """Colours for a terminal, or none."""

    def __init__(self, *, coloured: bool) -> None:
        self.coloured = coloured

    def __call__(self, text: str, name: str) -> str:
        """The text in a colour, bold for ghosts."""
        if not self.coloured or name not in _CODES:
            return text
        bold = "" if name in {"garment", "dim", "bold"} else "1;"
        return f"\x1b[{bold}{_CODES[name]}m{text}\x1b[0m"


def board_lines(state: State, machine: Machine, paint: Paint) -> list[str]:
    """A picture of a position, lines of equal visible width: the floor's north is up, names run along the edges."""
    under = {(round(m.x / machine.space), round(m.y / machine.space)): m for m in magnets(state, machine)}
    standing: dict[tuple[int, int], list[str]] = {}
    for colour, (x, y) in state.ghosts:
        spot = (min(max(round(x / machine.space), -3), 3), min(max(round(y / machine.space), -3), 3))
        standing.setdefault(spot, []).append(colour)
    lines = [_outside(state, machine, row, under, paint) for row in (5, 4)]
    for row in range(3, -4, -1):
        lines.append("  " + _wall_line(state, machine, row + 0.5))
        lines.append(_row(state, machine, row, standing, under, paint))
    lines.append("  " + _wall_line(state, machine, -3.5))
    lines += [_outside(state, machine, row, under, paint) for row in (-4, -5)]
    names = [_name_at(state, column, -3) for column in range(-3, 4)]
    edge = 0 if state.orientation % 2 == 0 else 1
    lines.append("  " + "".join(f"  {name[edge]}  " for name in names) + " ")
    return lines


def side_by_side(left: list[str], right: list[str], gap: str = "   ") -> list[str]:
    """Two pictures beside each other; both must have lines of equal visible width."""
    return [a + gap + b for a, b in zip(left, right, strict=True)]


def _name_at(state: State, column: int, row: int) -> str:
    x, y = to_board((float(column), float(row)), state.orientation)
    return space_at(round(x), round(y)) or "??"


def _walled(state: State, machine: Machine, one: tuple[int, int], other: tuple[int, int]) -> bool:
    if max(abs(one[0]), abs(one[1]), abs(other[0]), abs(other[1])) > SIDE // 2:
        return True
    return machine.castle.wall_between(_name_at(state, *one), _name_at(state, *other))


def _wall_line(state: State, machine: Machine, y: float) -> str:
    upper, lower = round(y + 0.5), round(y - 0.5)
    parts = ["-" * _CELL if _walled(state, machine, (c, upper), (c, lower)) else " " * _CELL for c in range(-3, 4)]
    return "+" + "+".join(parts) + "+"


def _row(
    state: State,
    machine: Machine,
    row: int,
    standing: dict[tuple[int, int], list[str]],
    under: Mapping[tuple[int, int], object],
    paint: Paint,
) -> str:
    label = _name_at(state, -3, row)[1 if state.orientation % 2 == 0 else 0]
    text = f"{label} "
    for column in range(-3, 4):
        text += "|" if _walled(state, machine, (column - 1, row), (column, row)) else " "
        ghosts = standing.get((column, row), [])
        mark = paint("o", "dim") if (column, row) in under else " "
        if _name_at(state, column, row) == PLUG_SPACE and not ghosts:
            text += " ## "
        elif len(ghosts) > 1:
            text += "".join(paint(g[0].upper(), g) for g in ghosts) + " " * (_CELL - 1 - len(ghosts)) + mark
        elif ghosts:
            straddles = len(covers(state, ghosts[0], machine)) > 1
            text += " " + paint(ghosts[0][0].upper(), ghosts[0]) + ("?" if straddles else " ") + mark
        else:
            text += "   " + mark
    return text + "|"


def _outside(state: State, machine: Machine, row: int, under: Mapping[tuple[int, int], object], paint: Paint) -> str:
    """What of the sliders can be seen beyond an edge of the board."""
    text = "  "
    for column in range(-3, 4):
        shown = "    "
        for slider in state.sliders:
            if (
                round(machine.tunnels[slider.tunnel - 1] / machine.space) == column
                and abs(row - slider.offset) <= SIDE // 2
            ):
                mark = "o" if (column, row) in under else " "
                shown = paint(f"[{slider.name[:1]}{mark}]", "dim")
        text += " " + shown
    return text + " "
