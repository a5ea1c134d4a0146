"""The whole table on one screen of 80 × 24: board, garments, sliders, cards, and what happened."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from twin.board.castle import GARMENT_CODES
from twin.board.grid import PLUG_SPACE, SIDE, space_at, to_board
from twin.board.state import State, home_space, magnets
from twin.game.cards import back_on_top
from twin.game.positions import PLACE, RETURN
from twin.game.rules import garment_under, joint
from twin.play.telling import end_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twin.board.machine import Machine
    from twin.game.positions import Game
    from twin.play.catalogue import Catalogue
    from twin.play.session import Seats
    from twin.reports.board_text import Paint

WIDTH: Final = 80
_CELL: Final = 5  # ghost, blank or second ghost, two letters of a garment, magnet
_BOARD: Final = 2 + SIDE * (_CELL + 1) + 1
_PANEL: Final = WIDTH - _BOARD - 2
_REACH: Final = SIDE // 2

_LINES: Final = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Where walls meet, by who comes there: 1 from above, 2 from the right, 4 from below, 8 from the left."""
_PLAIN: Final = " +++++++++++++++"
_STRAIGHT: Final = "─│"
_PLAIN_STRAIGHT: Final = "-|"
_TIED: Final = "\N{NO-BREAK SPACE}"
"""Keeps a deck's words on one line, and a colon with the word before it."""


class GameScreen:
    """Draws tables in one language, coloured or not; `boxes` draws walls as lines, else as `+--` for old terminals."""

    def __init__(
        self, machine: Machine, seats: Seats, catalogue: Catalogue, paint: Paint, *, boxes: bool = True
    ) -> None:
        self.machine, self.seats, self.catalogue, self.paint = machine, seats, catalogue, paint
        self.joints, self.straight = (_LINES, _STRAIGHT) if boxes else (_PLAIN, _PLAIN_STRAIGHT)

    def lines(self, game: Game, story: Sequence[str], *, casual: bool = False) -> list[str]:
        """A screen: a heading, the board with cards and the newest of the story beside it.

        What of the story finds no room beside the board stands above it.
        """
        board = self.board(game)
        panel = self._panel(game)
        told = [_wrapped(line, _PANEL) for line in story]
        room = len(board) - len(panel) - 1
        beside: list[list[str]] = []
        while told and sum(map(len, beside)) + len(told[-1]) <= room:
            beside.insert(0, told.pop())
        above = [line for text in list(story)[: len(told)] for line in _wrapped(text, WIDTH)]
        right = [*panel, "", *(line for wrapped in beside for line in wrapped)]
        right += [""] * (len(board) - len(right))
        pairs = zip(board, right, strict=True)
        return [*above, self._heading(game, casual=casual), *(f"{left}  {text}".rstrip() for left, text in pairs)]

    def board(self, game: Game) -> list[str]:
        """The board as it lies now, north up, lines of equal visible width; choices still open are in lower case."""
        state, marks = _standing(game, self.machine)
        under = {
            (round(m.x / self.machine.space), round(m.y / self.machine.space)) for m in magnets(state, self.machine)
        }
        edge = state.orientation % 2
        lines = [self._tunnels(state), *(self._outside(state, row, under) for row in (5, 4))]
        for row in range(_REACH, -_REACH - 1, -1):
            lines.append("  " + self._wall(state, row + 1))
            lines.append(f"{_name(state, -_REACH, row)[1 - edge]} " + self._row(game, state, row, marks, under))
        lines.append("  " + self._wall(state, -_REACH))
        lines += [self._outside(state, row, under) for row in (-4, -5)]
        names = (_name(state, column, -_REACH)[edge] for column in range(-_REACH, _REACH + 1))
        return [*lines, "  " + "".join(f"{name:^{_CELL + 1}}" for name in names) + " "]

    def _heading(self, game: Game, *, casual: bool) -> str:
        say = self.catalogue
        parts = [say("header.turn", turn=game.turn)]
        if game.is_over:
            parts.append(end_sentence(game, say))
        else:
            key = {PLACE: "header.placing", RETURN: "header.returning"}.get(game.phase, "header.to_play")
            parts.append(say(key, player=say.colour(game.options.players[game.seat])))
            if game.phase != RETURN:  # no move comes after a search (T2)
                parts.append(say.count("header.moves", game.moves_left))
        if casual:
            parts.append(say("header.casual"))
        return self.paint(" · ".join(parts), "bold")

    def _panel(self, game: Game) -> list[str]:
        """Who owns what, what can be seen of the decks, and where the player to move stands."""
        say, legend = self.catalogue, self.machine.castle.legend()
        lines = []
        for colour, cards in zip(game.options.players, game.owned, strict=True):
            who = self.seats.bots.get(colour)
            name = say.colour(colour) + (f" ({who})" if who else "")
            owned = ", ".join(say.garment(legend[card]) for card in cards) or say("panel.nothing")
            mark = ">" if colour == game.current_player else " "
            first, *more = _wrapped(say("panel.owner", name=name, owned=owned), _PANEL - 3, indent=" ")
            lines += [self.paint(f"{mark}{colour[0].upper()} {first}", colour), *(f"   {line}" for line in more)]
        decks = []
        for number, deck in enumerate(game.decks, 1):
            back = back_on_top(deck)
            key = "panel.empty" if back is None else "panel.deck"
            shown = say(key, number=number, part=say.part(back) if back else "", count=len(deck))
            decks.append(shown.replace(" ", _TIED))
        lines += _wrapped(say("panel.decks", decks=" · ".join(decks)), _PANEL)
        if game.phase != PLACE and not game.is_over:
            lines += _wrapped(self._place(game), _PANEL)
        return lines

    def _place(self, game: Game) -> str:
        say, colour = self.catalogue, game.options.players[game.seat]
        values = {"player": say.colour(colour), "space": home_space(game.board, colour, self.machine)}
        card = garment_under(game, self.machine)
        if card is None:
            return say("panel.space", **values)
        part = GARMENT_CODES[card]
        key = "panel.worn" if part in game.parts(game.seat) else "panel.garment"
        return say(key, **values, garment=say.garment(self.machine.castle.legend()[card]), part=say.part(part))

    def _row(
        self,
        game: Game,
        state: State,
        row: int,
        marks: Mapping[str, list[tuple[str, bool]]],
        under: set[tuple[int, int]],
    ) -> str:
        text = ""
        for column in range(-_REACH, _REACH + 1):
            text += self.straight[1] if self._walled(state, (column - 1, row), (column, row)) else " "
            space = _name(state, column, row)
            text += self.paint(" ### ", "dim") if space == PLUG_SPACE else self._cell(game, space, marks.get(space, []))
            if space != PLUG_SPACE:
                text += self.paint("o", "dim") if (column, row) in under else " "
        return text + self.straight[1]

    def _cell(self, game: Game, space: str, ghosts: list[tuple[str, bool]]) -> str:
        """Four characters: who is here or may be put here, and the garment, small if the player has that part."""
        text = "".join(self.paint(c[0].upper() if sure else c[0], c) for c, sure in ghosts[:4])
        if len(ghosts) > 2:
            return text + " " * (4 - len(ghosts))
        code = self.machine.castle.code_at(space) if space in self.machine.castle.garments else "  "
        if code in GARMENT_CODES:
            worn = GARMENT_CODES[code] in game.parts(game.seat)
            code = self.paint(code.lower(), "dim") if worn else self.paint(code, "garment")
        return text + " " * (2 - len(ghosts)) + code

    def _walled(self, state: State, one: tuple[int, int], other: tuple[int, int]) -> bool:
        inside = [max(map(abs, spot)) <= _REACH for spot in (one, other)]
        if not all(inside):
            return any(inside)
        return self.machine.castle.wall_between(_name(state, *one), _name(state, *other))

    def _wall(self, state: State, row: int) -> str:
        """The line of walls south of a row, its crossings drawn by the walls that meet there."""
        text = ""
        for column in range(-_REACH, _REACH + 2):
            west, east = column - 1, column
            up = self._walled(state, (west, row), (east, row))
            right = self._walled(state, (east, row), (east, row - 1))
            down = self._walled(state, (west, row - 1), (east, row - 1))
            left = self._walled(state, (west, row), (west, row - 1))
            text += self.joints[up + 2 * right + 4 * down + 8 * left]
            if column <= _REACH:
                text += (self.straight[0] if right else " ") * _CELL
        return text

    def _tunnels(self, state: State) -> str:
        """The number of each tunnel, and the slider in it with its offset; an f if it lies the other way round."""
        cells = {round(x / self.machine.space): str(number) for number, x in enumerate(self.machine.tunnels, 1)}
        for slider in state.sliders:
            offset = f"{slider.offset:+d}" if slider.offset else " 0"
            column = round(self.machine.tunnels[slider.tunnel - 1] / self.machine.space)
            cells[column] += f"{slider.name[:1]}{offset}{'f' if slider.flipped else ''}"
        line = "".join(f" {cells.get(column, ''):<{_CELL}}" for column in range(-_REACH, _REACH + 1))
        return self.paint(f"  {line} ", "dim")

    def _outside(self, state: State, row: int, under: set[tuple[int, int]]) -> str:
        """What of the sliders can be seen beyond an edge of the board."""
        text = "  "
        for column in range(-_REACH, _REACH + 1):
            shown = " " * _CELL
            for slider in state.sliders:
                at = round(self.machine.tunnels[slider.tunnel - 1] / self.machine.space)
                if at == column and abs(row - slider.offset) <= _REACH:
                    shown = self.paint(f"[{slider.name[:1]} {'o' if (column, row) in under else ' '}]", "dim")
            text += " " + shown
        return text + " "


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Text in lines of this width, none of which begins with the mark that French sets apart from its word."""
    for mark in ":;!?»":
        text = text.replace(f" {mark}", f"{_TIED}{mark}")
    return [line.replace(_TIED, " ") for line in textwrap.wrap(text, width, subsequent_indent=indent)]


def _name(state: State, column: int, row: int) -> str:
    x, y = to_board((float(column), float(row)), state.orientation)
    return space_at(round(x), round(y)) or "??"


def _standing(game: Game, machine: Machine) -> tuple[State, dict[str, list[tuple[str, bool]]]]:
    """Board and sliders as they lie now, and who is on each space: surely, or as a choice that is still open."""
    marks: dict[str, list[tuple[str, bool]]] = {}
    if game.pending is None:
        for colour in game.board.colours:
            marks.setdefault(home_space(game.board, colour, machine), []).append((colour, True))
        return game.board, marks
    ways = joint(game.pending)
    for colour, _ in game.pending.options:
        spaces = sorted({way[colour] for way in ways})
        for space in spaces:
            marks.setdefault(space, []).append((colour, len(spaces) == 1))
    return State(game.pending.orientation, game.board.ghosts, game.pending.sliders), marks
