"""The message catalogue: everything that players read and type, in the five languages of the rulebooks.

A language is one file in `languages/`. All have the same keys and the same places for values; a message that is
missing anywhere is a mistake that the tests find, so that nothing here falls back to English in silence.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from twin.errors import BadInputError
from twin.files import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LANGUAGES: Final = ("en", "de", "fr", "it", "nl")
FOLDER: Final = Path(__file__).parent / "languages"
VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Variables of the environment that name a person's language, the strongest first."""


@dataclass(frozen=True)
class Catalogue:
    """One language. Call it with the key of a message and the values for its places."""

    language: str
    messages: Mapping[str, str] = field(hash=False)
    """Texts by table and key: `header.turn`."""
    words: Mapping[str, Mapping[str, tuple[str, ...]]] = field(hash=False)
    """What can be typed: kind of word, then the word of the grammar, then this language's own words for it."""

    def __call__(self, key: str, /, **values: object) -> str:
        """A message with its places filled."""
        return self.messages[key].format(**values)

    def count(self, key: str, number: int) -> str:
        """A message in the singular or the plural."""
        return self(f"{key}_one" if number == 1 else f"{key}_many", count=number)

    def colour(self, colour: str) -> str:
        """What a ghost, and its player, is called."""
        return self.messages[f"colours.{colour}"]

    def part(self, part: str) -> str:
        """A part of the body."""
        return self.messages[f"parts.{part}"]

    def garment(self, name: str) -> str:
        """A garment by its name in the machine file; names that are not in the catalogue stay as they are."""
        return self.messages.get(f"garments.{name}", name)

    def rule(self, number: str) -> str:
        """A rule in a few words."""
        return self.messages[f"rules.{number}"]

    def listed(self, items: Iterable[str], word: str = "and") -> str:
        """Names as a list in a sentence: a, b and c; or with `or` before the last."""
        *most, last = items
        return f"{', '.join(most)} {self(f'end.{word}')} {last}" if most else last

    def word(self, kind: str, word: str) -> str:
        """The language's own first word for a word of the grammar."""
        return self.words[kind][word][0]


@lru_cache(maxsize=len(LANGUAGES))
def load_catalogue(language: str) -> Catalogue:
    """The catalogue of a language, by its two letters.

    >>> load_catalogue("de")("header.turn", turn=3)
    'Spielzug 3'
    """
    if language not in LANGUAGES:
        raise BadInputError(f"must be one of {', '.join(LANGUAGES)}; got {language!r}", field="language")
    data = read_toml(FOLDER / f"{language}.toml")
    typed = data.pop("typed")
    messages = {f"{table}.{key}": str(text) for table, texts in data.items() for key, text in texts.items()}
    words = {kind: {word: tuple(own) for word, own in table.items()} for kind, table in typed.items()}
    return Catalogue(language, messages, words)


def language_of(environment: Mapping[str, str]) -> str:
    """The language that a person has asked the system for, if it is one of the five; else English.

    >>> language_of({"LANG": "nl_BE.UTF-8"}), language_of({"LANG": "C"})
    ('nl', 'en')
    """
    chosen = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    language = chosen.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    return language if language in LANGUAGES else "en"


def plain(word: str) -> str:
    """A word without accents and capitals, as people type it in a hurry.

    >>> plain("Rückgängig")
    'ruckgangig'
    """
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
