"""What every key does in a game: the one table behind the keyboard, the key card and the buttons' tooltips.

Texts are keys of the message catalogue, so that the card speaks the players' language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.window.sandbox_keys import Binding, chord_name

if TYPE_CHECKING:
    from twin.play.catalogue import Catalogue

GROUPS: Final[tuple[tuple[str, tuple[Binding, ...]], ...]] = (
    (
        "window.group_moves",
        (
            Binding("turn_ccw", ("Q",), "window.key_turn_ccw"),
            Binding("turn_cw", ("E",), "window.key_turn_cw"),
            Binding("select_next", ("TAB",), "window.key_select"),
            Binding("north", ("UP",), "window.key_along"),
            Binding("south", ("DOWN",), "window.key_along"),
            Binding("west", ("LEFT",), "window.key_across"),
            Binding("east", ("RIGHT",), "window.key_across"),
            Binding("flip", ("F",), "window.key_flip"),
            Binding("stop", ("SPACE",), "help.stop"),
            Binding("undo", ("U", "ctrl+Z"), "help.undo"),
        ),
    ),
    (
        "window.group_choices",
        (
            Binding("number_1", ("KEY_1", "NUM_1"), "window.key_number"),
            Binding("next_choice", ("C",), "window.key_choice"),
            Binding("accept", ("ENTER", "RETURN", "NUM_ENTER"), "window.key_accept"),
            Binding("cancel", ("ESCAPE",), "window.key_cancel"),
        ),
    ),
    (
        "window.group_look",
        (
            Binding("hidden", ("H",), "window.key_hidden"),
            Binding("replay", ("R",), "window.key_replay"),
            Binding("forecast", ("P",), "window.key_forecast"),
        ),
    ),
    (
        "window.group_window",
        (
            Binding("save", ("ctrl+S",), "help.save"),
            Binding("panel", ("I",), "window.key_panel"),
            Binding("fullscreen", ("F11",), "window.key_fullscreen"),
            Binding("help", ("F1", "QUESTION", "shift+SLASH", "shift+QUESTION"), "window.key_help"),
            Binding("quit", ("ctrl+Q",), "help.quit"),
        ),
    ),
)

COMMANDS: Final = {chord: b.command for _, bindings in GROUPS for b in bindings for chord in b.chords} | {
    f"{kind}_{number}": f"number_{number}" for kind in ("KEY", "NUM") for number in range(1, 6)
}
_SHOWN: Final = {"number_1": "1 … 5", "help": "?", "north": "↑ ↓", "west": "← →"}
"""Keys that stand for several."""
_SAID_ABOVE: Final = ("south", "east")


def key_name(command: str) -> str:
    """The key of a command as a person reads it.

    >>> key_name("turn_cw"), key_name("accept"), key_name("west")
    ('E', 'Enter', '← →')
    """
    chord = next(b.chords[0] for _, bindings in GROUPS for b in bindings if b.command == command)
    return _SHOWN.get(command) or chord_name(chord)


def card(say: Catalogue) -> list[tuple[str, list[tuple[str, str]]]]:
    """The key card in a language: groups of keys and what they do."""
    return [
        (say(title), [(key_name(b.command), say(b.text)) for b in bindings if b.command not in _SAID_ABOVE])
        for title, bindings in GROUPS
    ]
