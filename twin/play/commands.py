"""What people type: the grammar of actions, the same in their own language, numbers from a list, and commands.

The words of the grammar always work whole. The language's own words also work shortened, as long as only one fits.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from twin.board.moves import Relocate
from twin.errors import BadInputError
from twin.game.actions import parse_action
from twin.play.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.game.actions import Action
    from twin.game.positions import Game
    from twin.play.catalogue import Catalogue

COMMANDS: Final = ("help", "moves", "look", "undo", "save", "quit")
SLOTS: Final = {
    "turn": ("turns",),
    "push": ("slider", "compass"),
    "drag": ("colours", "compass"),
    "relocate": ("slider", "tunnel", "offset", "flip"),
    "search": ("deck",),
    "stop": (),
    "place": ("colours", "space"),
    "keep": (),
    "top": ("parts",),
    "put": ("deck",),
}
"""What follows each verb: a kind of word in the catalogue, or a name that is the same in all languages."""

HELPED: Final = SLOTS | {"push": ("slider", "along"), "drag": ("compass",), "save": ("file",)}
"""The same for the help: sliders move along two directions only, and a drag is of the player's own ghost."""

WIDTH: Final = 80
"""Characters in a line of the help."""


@dataclass(frozen=True)
class Command:
    """Something that a person asks of the program and not of the game."""

    name: str
    """One of `COMMANDS`."""
    argument: str = ""


def menu(actions: Sequence[Action]) -> list[Action]:
    """The actions that are numbered for choosing: all but relocations, of which there are dozens."""
    return [action for action in actions if not isinstance(action, Relocate)]


def read(text: str, game: Game, actions: Sequence[Action], catalogue: Catalogue) -> Action | Command:
    """What a line means; raises `BadInputError` in the reader's language if it means nothing.

    `actions` are the legal ones: their numbers in `menu` are understood. An action that is not allowed is read all
    the same; the rules say why it is not.
    """
    words = text.split()
    if not words:
        raise BadInputError(catalogue("told.unclear", text=""))
    if words[0].isdecimal() and len(words) == 1:
        numbered = menu(actions)
        if not 1 <= int(words[0][:4]) <= len(numbered):
            raise BadInputError(catalogue("told.number", text=words[0][:8]))
        return numbered[int(words[0]) - 1]
    verb = "help" if words[0] == "?" else meaning(words[0], "verbs", catalogue)
    if verb in COMMANDS:
        return Command(verb, text.split(maxsplit=1)[1].strip() if len(words) > 1 else "")
    rest = words[1:]
    if verb == "drag" and len(rest) == 1:
        rest = [game.options.players[game.seat], *rest]  # a player has one ghost only
    try:
        return parse_action(" ".join([verb, *_arguments(verb, rest, game, catalogue)]))
    except BadInputError as error:
        if error.field in {"action", "move"}:  # English words of the grammar; this reader may have others
            raise BadInputError(catalogue("told.unclear", text=text.strip()[:60])) from None
        raise


def meaning(word: str, kind: str, catalogue: Catalogue) -> str:
    """The word of the grammar that a typed word stands for."""
    table, typed = catalogue.words[kind], plain(word)
    if typed in table:
        return typed
    exact = [meant for meant, own in table.items() if typed in map(plain, own)]
    near = [meant for meant, own in table.items() if any(plain(one).startswith(typed) for one in own)]
    found = exact or near
    if len(found) == 1:
        return found[0]
    if not found:
        raise BadInputError(catalogue("told.unclear", text=word[:60]))
    options = ", ".join(table[meant][0] for meant in found)
    raise BadInputError(catalogue("told.several", text=word[:60], words=options))


def seats_in_grammar(text: str, catalogue: Catalogue) -> str:
    """Who plays, as in `rot,blau=greedy`, with the language's own colours put into the grammar's."""
    found = []
    for item in text.split(","):
        colour, equals, who = item.partition("=")
        found.append(meaning(colour.strip(), "colours", catalogue) + equals + who)
    return ",".join(found)


def help_lines(catalogue: Catalogue) -> list[str]:
    """What can be typed, with the language's own words first and those of the grammar behind."""
    lines = []
    for verb, own in catalogue.words["verbs"].items():
        usage = " ".join([own[0], *(_usage(kind, catalogue) for kind in HELPED.get(verb, ()))])
        also = "" if own[0] == verb else f" ({verb})"
        lines += textwrap.wrap(f"{usage}{also}: {catalogue(f'help.{verb}')}", WIDTH, subsequent_indent="    ")
    return [*lines, catalogue("help.short")]


def written(action: Action, catalogue: Catalogue) -> str:
    """An action as this language writes it, in the words that `read` understands."""
    verb, *rest = str(action).split()
    words = [catalogue.word("verbs", verb)]
    for word, kind in zip(rest, SLOTS[verb], strict=False):
        words.append(catalogue.word(kind, word) if kind in catalogue.words else word)
    return " ".join(words)


def _arguments(verb: str, words: list[str], game: Game, catalogue: Catalogue) -> list[str]:
    """Words after a verb, each put into the grammar by its kind; a surplus is left for the grammar to refuse."""
    kinds = SLOTS[verb]
    found = []
    for number, word in enumerate(words):
        kind = kinds[number] if number < len(kinds) else ""
        if kind in catalogue.words:
            found.append(meaning(word, kind, catalogue))
        elif kind == "slider":
            names = {plain(slider.name): slider.name for slider in game.board.sliders}
            found.append(names.get(plain(word), word))
        else:
            found.append(word.lower())
    return found


def _usage(kind: str, catalogue: Catalogue) -> str:
    if kind == "flip":
        return f"[{catalogue.word('flip', 'flip')}]"
    if kind == "along":
        return "|".join(catalogue.word("compass", direction) for direction in ("north", "south"))
    if kind in catalogue.words:
        return "|".join(own[0] for own in catalogue.words[kind].values())
    return catalogue(f"names.{kind}")
