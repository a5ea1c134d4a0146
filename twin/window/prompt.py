"""What the window asks: for a text, such as a name that is typed or chosen from a list; or for one of a few answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from twin.board.scene import scene_names
from twin.drawing.palette import BUTTON, HIGHLIGHT, NIGHT, PANEL, PANEL_DIM, PANEL_LINE, PANEL_TEXT, WRONG, faded
from twin.drawing.text_measure import text_width, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twin.drawing.palette import Colour
    from twin.window.layout import Layout
    from twin.window.screen.painter import Box, Painter

LISTED: Final = 12
"""Scenes that are listed at once."""

LONGEST: Final = 200
"""Letters of an answer at most."""

ROW: Final = 1.45
"""From name to name, in heights of letters."""

LINE: Final = 1.3
"""From line to line of a sentence, in heights of letters."""

SPACE: Final = 0.6
"""Under a sentence, in heights of its letters."""

WIDTH: Final = 42.0
"""Width of a question, in heights of letters."""


class Prompt:
    """A question that is answered by typing: what was typed so far, and the names that fit it.

    `then` takes the answer and returns what is asked next, if anything; `problem` says what was wrong with the last.
    """

    def __init__(
        self,
        title: str,
        text: str,
        then: Callable[[str], Asked | None] = lambda _: None,
        *,
        hint: str = "",
        problem: str = "",
        scenes: bool = False,
    ) -> None:
        self.title, self.text, self.hint, self.problem = title, text, hint, problem
        self._then = then
        self._scenes = scene_names() if scenes else []
        self.index = 0
        self._box: Box | None = None
        self._rows: list[tuple[int, Box]] = []

    @property
    def matches(self) -> list[str]:
        """The listed names that fit what was typed."""
        return [name for name in self._scenes if self.text in name]

    @property
    def answer(self) -> str:
        """What was typed, or the listed name that is marked."""
        found = self.matches
        return found[self.index % len(found)] if found and self.text not in self._scenes else self.text

    def take(self) -> Asked | None:
        """Go on with the answer; returns what is asked next."""
        return self._then(self.answer) if self.answer else None

    def type(self, text: str) -> None:
        """Letters come in."""
        self.text = (self.text + "".join(c for c in text if c.isprintable()))[:LONGEST]
        self.index = 0

    def press(self, key: str) -> None:
        """A key that is no letter, or a turn of the wheel."""
        match key:
            case "BACKSPACE":
                self.text = self.text[:-1]
                self.index = 0
            case "UP" | "DOWN":
                self.index += 1 if key == "DOWN" else -1

    def click(self, x: float, y: float) -> bool | None:
        """A click: True if it chose a listed name, False if it was beside the question, None if it changes nothing."""
        for index, row in self._rows:
            if row.holds(x, y):
                self.text, self.index = self.matches[index], 0
                return True
        return None if self._box is not None and self._box.holds(x, y) else False

    def paint(self, painter: Painter, layout: Layout) -> None:
        """Say the question, what was typed, and the list."""
        rows = min(LISTED, len(self._scenes))
        # Lines break the same at every size of letters, for the width grows with it.
        problem = wrapped(self.problem, 1.0, _width(layout, layout.unit) / layout.unit - 2) if self.problem else []
        self._box, unit = _sheet(painter, layout, 7.6 + ROW * rows + _tall(problem))
        left, inner = self._box.x + unit, self._box.width - 2 * unit
        top = self._box.y + self._box.height - unit
        top = _say(painter, problem, (left, top), unit, WRONG)
        painter.words(self.title, left, top, unit * 1.1, HIGHLIGHT, bold=True)
        painter.box(left, top - unit * 4.0, inner, unit * 2.0, PANEL_LINE)
        painter.words(self._end(unit, inner - unit), left + unit * 0.4, top - unit * 2.4, unit, PANEL_TEXT)
        top -= unit * 4.7
        found = self.matches
        mark = self.index % len(found) if found else 0
        first = max(min(mark - LISTED // 2, len(found) - LISTED), 0)
        listed = list(enumerate(found))[first : first + LISTED]
        self._rows = _answers(painter, (left, top, inner), unit, listed, mark)
        painter.words(self.hint, left, self._box.y + unit * 1.5, unit * 0.85, PANEL_DIM)

    def _end(self, size: float, room: float) -> str:
        """What was typed, with a cursor; only the end of what is too long to be shown."""
        shown = f"{self.text}▏"
        while text_width(shown, size) > room and len(shown) > 2:
            shown = f"…{shown[2:]}"
        return shown


class Answer(NamedTuple):
    """One of a few answers; `then` returns what is asked next, if anything."""

    text: str
    then: Callable[[], Asked | None]


class Question:
    """A question with a few answers, the first of them marked: let that be one that loses nothing."""

    def __init__(self, title: str, answers: Sequence[Answer], *, hint: str = "", problem: str = "") -> None:
        self.title, self.answers, self.hint, self.problem = title, answers, hint, problem
        self.index = 0
        self._box: Box | None = None
        self._rows: list[tuple[int, Box]] = []

    def take(self) -> Asked | None:
        """Go on with the marked answer; returns what is asked next."""
        return self.answers[self.index].then()

    def type(self, text: str) -> None:
        """Letters answer nothing."""

    def press(self, key: str) -> None:
        """A key, or a turn of the wheel: the mark moves."""
        step = {"UP": -1, "LEFT": -1, "DOWN": 1, "RIGHT": 1, "TAB": 1}.get(key, 0)
        self.index = (self.index + step) % len(self.answers)

    def click(self, x: float, y: float) -> bool | None:
        """A click: True if it chose an answer, False if it was beside the question, None if it changes nothing."""
        for index, row in self._rows:
            if row.holds(x, y):
                self.index = index
                return True
        return None if self._box is not None and self._box.holds(x, y) else False

    def paint(self, painter: Painter, layout: Layout) -> None:
        """Say the question and its answers."""
        room = _width(layout, layout.unit) / layout.unit - 2
        problem = wrapped(self.problem, 1.0, room) if self.problem else []
        title = wrapped(self.title, 1.1, room, bold=True)
        tall = _tall(problem) + 1.1 * _tall(title) + ROW * len(self.answers) + 3.4
        self._box, unit = _sheet(painter, layout, tall)
        left, inner = self._box.x + unit, self._box.width - 2 * unit
        top = self._box.y + self._box.height - unit
        top = _say(painter, problem, (left, top), unit, WRONG)
        top = _say(painter, title, (left, top), unit * 1.1, HIGHLIGHT, bold=True)
        listed = [(number, answer.text) for number, answer in enumerate(self.answers)]
        self._rows = _answers(painter, (left, top, inner), unit, listed, self.index)
        painter.words(self.hint, left, self._box.y + unit * 1.5, unit * 0.85, PANEL_DIM)


Asked = Prompt | Question
"""What can be asked."""


def keyed(asked: Asked, key: str) -> Asked | None:
    """What is asked after a key that is no letter: Escape leaves the question, Enter answers it."""
    match key:
        case "ESCAPE":
            return None
        case "ENTER" | "RETURN" | "NUM_ENTER":
            return asked.take()
        case _:
            asked.press(key)
            return asked


def clicked(asked: Asked, x: float, y: float) -> Asked | None:
    """What is asked after a click: one beside the question leaves it."""
    chosen = asked.click(x, y)
    return asked.take() if chosen else None if chosen is False else asked


def _width(layout: Layout, unit: float) -> float:
    return min(unit * WIDTH, layout.width - 20)


def _sheet(painter: Painter, layout: Layout, tall: float) -> tuple[Box, float]:
    """A sheet in the middle of a darkened window, so many heights of letters tall; and that height."""
    unit = min(layout.unit, (layout.height - 20) / tall)
    painter.box(0, 0, layout.width, layout.height, faded(NIGHT, 200))
    width, height = _width(layout, unit), unit * tall
    x, y = (layout.width - width) / 2, (layout.height - height) / 2
    painter.box(x - 2, y - 2, width + 4, height + 4, PANEL_DIM)
    return painter.box(x, y, width, height, PANEL), unit


def _tall(lines: Sequence[str]) -> float:
    """How high lines are with the space under them, in heights of their letters."""
    return LINE * len(lines) + SPACE if lines else 0.0


def _say(
    painter: Painter, lines: Sequence[str], at: tuple[float, float], size: float, tone: Colour, *, bold: bool = False
) -> float:
    """Say lines from a top left corner; returns where the next thing goes."""
    left, top = at
    for number, line in enumerate(lines):
        painter.words(line, left, top - number * size * LINE, size, tone, bold=bold)
    return top - size * _tall(lines)


def _answers(
    painter: Painter, area: tuple[float, float, float], unit: float, listed: Sequence[tuple[int, str]], mark: int
) -> list[tuple[int, Box]]:
    """Numbered answers under one another, one of them marked; returns where each stands."""
    left, top, width = area
    rows = []
    for number, text in listed:
        ground = BUTTON if number == mark else PANEL
        rows.append((number, painter.box(left, top - unit * (ROW - 0.2), width, unit * ROW, ground)))
        painter.words(text, left + unit * 0.4, top, unit * 0.95, HIGHLIGHT if number == mark else PANEL_TEXT)
        top -= unit * ROW
    return rows
