"""What every key does: the one table behind the keyboard, the key card, the buttons' tooltips and the documentation."""

from __future__ import annotations

from typing import Final, NamedTuple


class Binding(NamedTuple):
    """A command, the keys that give it, and what it is for."""

    command: str
    chords: tuple[str, ...]
    """Keys as `ctrl+shift+Z`, modifiers in this order; the first is the one that is shown."""
    text: str


ALSO: Final = "…"
"""Stands for a text: on the key card this key stands beside the one before it."""

GROUPS: Final[tuple[tuple[str, tuple[Binding, ...]], ...]] = (
    (
        "Turn the board",
        (
            Binding("turn_ccw", ("Q",), "turn it counterclockwise, by the nominal hand"),
            Binding("turn_cw", ("E",), "turn it clockwise, by the nominal hand"),
            Binding("hold_ccw", ("Z",), "turn it by hand while held (or drag a corner)"),
            Binding("hold_cw", ("X",), ALSO),
            Binding("let_go", ("ESCAPE",), "let go of the board; close what is open"),
        ),
    ),
    (
        "Ghosts and sliders",
        (
            Binding("select_next", ("TAB",), "select the next (1–4 ghosts, 5–9 sliders, 0 none)"),
            Binding("select_previous", ("shift+TAB",), "select the one before"),
            Binding("north", ("UP",), "drag the ghost, push the slider"),
            Binding("south", ("DOWN",), ALSO),
            Binding("west", ("LEFT",), "drag the ghost, or move the slider; or turn"),
            Binding("east", ("RIGHT",), ALSO),
            Binding("free_north", ("shift+UP",), "place the ghost freely, by 2 mm (mouse: Shift)"),
            Binding("free_south", ("shift+DOWN",), ALSO),
            Binding("free_west", ("shift+LEFT",), "the same; move the slider end for end"),
            Binding("free_east", ("shift+RIGHT",), ALSO),
            Binding("hop_north", ("ctrl+UP",), "place the ghost on the next space"),
            Binding("hop_south", ("ctrl+DOWN",), ALSO),
            Binding("hop_west", ("ctrl+LEFT",), ALSO),
            Binding("hop_east", ("ctrl+RIGHT",), ALSO),
        ),
    ),
    (
        "Choose (D4, D5)",
        (
            Binding("next_choice", ("C",), "the next way to place ghosts (or click a space)"),
            Binding("take_choice", ("ENTER", "RETURN", "NUM_ENTER"), "take it"),
        ),
    ),
    (
        "Look closer",
        (
            Binding("hidden", ("H",), "see what is hidden under the board"),
            Binding("forecast", ("P",), "forecast a turn, or the selected slider's push"),
            Binding("forces", ("F",), "show forces: magnets, friction, contacts"),
            Binding("trails", ("T",), "show trails"),
            Binding("badges", ("B",), "show fates"),
            Binding("outlines", ("O",), "show where physics left the ghosts"),
        ),
    ),
    (
        "Time",
        (
            Binding("pause", ("SPACE",), "pause, go on, or play the move again"),
            Binding("step_back", ("COMMA",), "a hundredth of a second back, on"),
            Binding("step_on", ("PERIOD",), ALSO),
            Binding("slower", ("MINUS", "NUM_SUBTRACT"), "slower"),
            Binding("faster", ("PLUS", "EQUAL", "shift+EQUAL", "shift+PLUS", "NUM_ADD"), "faster"),
            Binding("to_start", ("HOME",), "to the start of the move, to its end"),
            Binding("to_end", ("END",), ALSO),
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


def tip_of(command: str) -> str:
    """What a command does, and its key.

    >>> tip_of("undo")
    'undo  [Ctrl+Z]'
    """
    return f"{TEXTS[command]}  [{key_name(command)}]"


def chord_name(chord: str) -> str:
    """A key with its modifiers as a person reads it."""
    return "+".join(_SIGNS.get(part, part) for part in chord.split("+"))


def card() -> list[tuple[str, list[tuple[str, str]]]]:
    """The key card: groups of keys and what they do; keys that do much the same stand together.

    >>> card()[1][1][2:5:2]
    [('↑ ↓', 'drag the ghost, push the slider'), ('Shift+↑ ↓', 'place the ghost freely, by 2 mm (mouse: Shift)')]
    """
    found = []
    for title, bindings in GROUPS:
        rows: list[tuple[str, str]] = []
        for binding in bindings:
            name = chord_name(binding.chords[0])
            if binding.text == ALSO:
                rows[-1] = (f"{rows[-1][0]} {name.rpartition('+')[2]}", rows[-1][1])
            else:
                rows.append((name, binding.text))
        found.append((title, rows))
    return found
