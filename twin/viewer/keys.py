"""What every key does: the one table behind the keyboard, the key card, the buttons' tooltips and the documentation."""

from __future__ import annotations

from typing import Final, NamedTuple


class Binding(NamedTuple):
    """A command, the keys that give it, and what it is for."""

    command: str
    chords: tuple[str, ...]
    """Keys as `ctrl+shift+Z`, modifiers in this order; the first is the one that is shown."""
    text: str


GROUPS: Final[tuple[tuple[str, tuple[Binding, ...]], ...]] = (
    (
        "Turn the board",
        (
            Binding("turn_ccw", ("Q",), "turn it counterclockwise, with a nominal hand"),
            Binding("turn_cw", ("E",), "turn it clockwise, with a nominal hand"),
            Binding("hold_ccw", ("Z",), "turn it by hand as long as the key is held (or drag a corner)"),
            Binding("hold_cw", ("X",), "the same clockwise; the path you make is the path that counts"),
            Binding("let_go", ("ESCAPE",), "let go: the board goes to the nearest quarter; or close what is open"),
        ),
    ),
    (
        "Ghosts and sliders",
        (
            Binding("select_next", ("TAB",), "select the next ghost or slider (1–4 ghosts, 5–9 sliders, 0 none)"),
            Binding("select_previous", ("shift+TAB",), "select the one before"),
            Binding("north", ("UP",), "drag the ghost, or push the slider, north"),
            Binding("south", ("DOWN",), "… south"),
            Binding("west", ("LEFT",), "drag the ghost west; move the slider to the next free tunnel; or turn"),
            Binding("east", ("RIGHT",), "… east"),
            Binding("free_north", ("shift+UP",), "place the ghost freely, by 2 mm (with the mouse: Shift)"),
            Binding("free_south", ("shift+DOWN",), "… south"),
            Binding("free_west", ("shift+LEFT",), "… west; a slider is flipped on the way to the next tunnel"),
            Binding("free_east", ("shift+RIGHT",), "… east"),
            Binding("hop_north", ("ctrl+UP",), "place the ghost on the next space, walls or not"),
            Binding("hop_south", ("ctrl+DOWN",), "… south"),
            Binding("hop_west", ("ctrl+LEFT",), "… west"),
            Binding("hop_east", ("ctrl+RIGHT",), "… east"),
        ),
    ),
    (
        "Choose (D4, D5)",
        (
            Binding("next_choice", ("C",), "show the next way to place the ghosts (or click a space)"),
            Binding("take_choice", ("ENTER", "RETURN", "NUM_ENTER"), "take it"),
        ),
    ),
    (
        "Look closer",
        (
            Binding("hidden", ("H",), "see what is hidden under the board"),
            Binding("forecast", ("P",), "forecast the next turn, or push of the selected slider; again: the other way"),
            Binding("forces", ("F",), "show forces: magnets, friction, contacts"),
            Binding("trails", ("T",), "show trails"),
            Binding("badges", ("B",), "show fates"),
            Binding("outlines", ("O",), "show where physics left the ghosts before they were placed"),
        ),
    ),
    (
        "Time",
        (
            Binding("pause", ("SPACE",), "pause or go on; once a move is over, play it again"),
            Binding("step_on", ("PERIOD",), "one hundredth of a second on"),
            Binding("step_back", ("COMMA",), "one hundredth back"),
            Binding("slower", ("MINUS", "NUM_SUBTRACT"), "slower"),
            Binding("faster", ("PLUS", "EQUAL", "shift+EQUAL", "NUM_ADD"), "faster"),
            Binding("to_start", ("HOME",), "to the start of the move"),
            Binding("to_end", ("END",), "to its end"),
        ),
    ),
    (
        "Positions",
        (
            Binding("undo", ("ctrl+Z", "U"), "undo"),
            Binding("redo", ("ctrl+Y", "ctrl+shift+Z"), "redo"),
            Binding("reset", ("ctrl+R",), "back to the scene as it was"),
            Binding("random", ("N",), "a random position"),
            Binding("save", ("ctrl+S",), "save as a scene"),
            Binding("load", ("ctrl+O",), "load a scene"),
            Binding("save_path", ("ctrl+P",), "save the path of the last turn by hand"),
        ),
    ),
    (
        "Window",
        (
            Binding("help", ("F1", "QUESTION", "shift+SLASH", "shift+QUESTION"), "this card (also ?)"),
            Binding("panel", ("I",), "show or hide the side panel"),
            Binding("fullscreen", ("F11",), "full screen or not"),
            Binding("quit", ("ctrl+Q",), "close the window"),
        ),
    ),
)

BINDINGS: Final = tuple(binding for _, bindings in GROUPS for binding in bindings)
COMMANDS: Final = {chord: binding.command for binding in BINDINGS for chord in binding.chords}
TEXTS: Final = {binding.command: binding.text for binding in BINDINGS}
HELD: Final = {"hold_ccw": 1, "hold_cw": -1}
"""Commands that last as long as their key is held: the way they turn the board, mathematically."""

_SIGNS: Final = {"UP": "↑", "DOWN": "↓", "LEFT": "←", "RIGHT": "→", "PERIOD": ".", "COMMA": ",", "MINUS": "-"} | {
    "PLUS": "+", "ESCAPE": "Esc", "TAB": "Tab", "SPACE": "Space", "ENTER": "Enter", "HOME": "Home", "END": "End",
} | {"ctrl": "Ctrl", "shift": "Shift"}  # fmt: skip
"""Keys as a person reads them."""


def key_name(command: str) -> str:
    """The key of a command as a person reads it.

    >>> key_name("redo"), key_name("step_on"), key_name("north")
    ('Ctrl+Y', '.', '↑')
    """
    return chord_name(next(binding.chords[0] for binding in BINDINGS if binding.command == command))


def chord_name(chord: str) -> str:
    """A key with its modifiers as a person reads it."""
    return "+".join(_SIGNS.get(part, part) for part in chord.split("+"))
