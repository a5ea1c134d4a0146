"""The message catalogue: whatever can be said or typed in one language can be in all five."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

from twin.board.castle import GARMENT_CODES, PARTS
from twin.board.expectation import FATES
from twin.board.machine import load_machine
from twin.board.state import COLOURS
from twin.errors import BadInputError
from twin.game.actions import parse_action
from twin.game.positions import Options, new_game
from twin.play.catalogue import FOLDER, LANGUAGES, language_of, load_catalogue, plain
from twin.play.commands import COMMANDS, SLOTS, Command, help_lines, read, seats_in_grammar, written

ENGLISH = load_catalogue("en")
OTHERS = [language for language in LANGUAGES if language != "en"]
MACHINE = load_machine()
GAME = new_game(MACHINE, Options(COLOURS))

every_language = pytest.mark.parametrize("language", LANGUAGES)
every_other = pytest.mark.parametrize("language", OTHERS)

ACTIONS = (
    "turn cw",
    "turn ccw",
    "push B south",
    "drag red east",
    "relocate A 2 -1",
    "relocate C 4 2 flip",
    "search 3",
    "stop",
    "place yellow c5",
    "keep",
    *(f"top {part}" for part in PARTS),
    "put 4",
)


def places(text):
    """The names of the places for values in a message."""
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def test_there_is_one_file_for_each_language():
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == sorted(LANGUAGES)


@every_other
def test_every_message_is_in_every_language(language):
    other = load_catalogue(language)
    assert list(other.messages) == list(ENGLISH.messages)
    assert {kind: set(table) for kind, table in other.words.items()} == {
        kind: set(table) for kind, table in ENGLISH.words.items()
    }


@every_other
def test_messages_have_the_same_places_for_values(language):
    other = load_catalogue(language)
    for key, text in ENGLISH.messages.items():
        assert places(other.messages[key]) == places(text), key


@every_other
def test_sentences_are_translated(language):
    """A sentence that is word for word the English one was forgotten; single words may agree."""
    other = load_catalogue(language)
    same = [key for key, text in ENGLISH.messages.items() if other.messages[key] == text and len(text.split()) > 3]
    assert [key for key in same if any(letter.isalpha() for letter in ENGLISH.messages[key].partition("{")[0])] == []


@every_language
def test_no_message_is_empty_or_has_stray_blanks(language):
    for key, text in load_catalogue(language).messages.items():
        assert text.strip(), key
        assert "  " not in text, key
        assert text.isprintable(), key


@every_language
def test_everything_that_the_game_can_name_has_a_name(language):
    catalogue = load_catalogue(language)
    assert {catalogue.colour(colour) for colour in COLOURS}.isdisjoint({""})
    assert all(catalogue.part(part) for part in PARTS)
    assert len({catalogue.garment(name) for name in MACHINE.castle.legend().values()}) == len(GARMENT_CODES)
    assert all(f"garments.{name}" in catalogue.messages for name in MACHINE.castle.legend().values())
    assert all(f"fate.{fate}" in catalogue.messages for fate in FATES)
    assert all(f"help.{verb}" in catalogue.messages for verb in (*SLOTS, *COMMANDS))


@every_language
def test_every_rule_that_the_game_can_name_has_a_reason(language):
    """The numbers are read from the source of rules and move checks, so that a new one is not forgotten."""
    sources = ("game/rules.py", "outcome/legality.py", "outcome/engine.py", "play/session.py")
    root = Path(__file__).resolve().parent.parent.parent / "twin"
    text = "".join((root / source).read_text(encoding="utf-8") for source in sources)
    numbers = {f"{letter}{n}" for letter in "ABCDEQST" for n in range(1, 9) if f'"{letter}{n}"' in text}
    assert {"A1", "B2", "B6", "D4", "Q7", "T3"} <= numbers
    assert all(load_catalogue(language).rule(number) for number in numbers)


def test_a_name_that_somebody_made_up_stays_as_it_is():
    assert load_catalogue("fr").garment("space helmet") == "space helmet"


@every_language
def test_actions_are_read_as_they_are_written(language):
    """The list of moves shows words that can be typed."""
    catalogue = load_catalogue(language)
    for text in ACTIONS:
        action = parse_action(text)
        assert read(written(action, catalogue), GAME, [], catalogue) == action
        assert read(written(action, catalogue).upper(), GAME, [], catalogue) == action


@every_language
def test_the_english_grammar_always_works(language):
    catalogue = load_catalogue(language)
    for text in ACTIONS:
        assert read(text, GAME, [], catalogue) == parse_action(text)
    for name in COMMANDS:
        assert read(name, GAME, [], catalogue) == Command(name)
    assert read("?", GAME, [], catalogue) == Command("help")


@every_language
def test_no_word_means_two_things(language):
    """Within its kind a word stands for one thing, in this language and in the grammar."""
    for kind, table in load_catalogue(language).words.items():
        meanings: dict[str, str] = {}
        for meant, own in table.items():
            for word in {meant, *map(plain, own)}:
                assert meanings.setdefault(word, meant) == meant, f"{kind}: {word}"


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("en", "t right", "turn cw"),
        ("en", "d n", "drag red north"),
        ("en", "push a s", "push A south"),
        ("de", "d rechts", "turn cw"),
        ("de", "schieb c süd", "push C south"),
        ("de", "stelle gruen c5", "place green c5"),
        ("fr", "fouille 2", "search 2"),
        ("fr", "demenage b 2 1 retourne", "relocate B 2 1 flip"),
        ("it", "spingi B nord", "push B north"),
        ("nl", "draai linksom", "turn ccw"),
        ("nl", "boven hoofd", "top headgear"),
    ],
)
def test_short_forms_and_own_words(language, text, meant):
    assert read(text, GAME, [], load_catalogue(language)) == parse_action(meant)


def test_numbers_choose_from_the_list():
    actions = [parse_action(text) for text in ("turn cw", "relocate A 2 0", "stop")]
    assert read("2", GAME, actions, ENGLISH) == parse_action("stop"), "relocations have no numbers"
    for text in ("0", "3", "99999999999999999999"):
        with pytest.raises(BadInputError, match="no number"):
            read(text, GAME, actions, ENGLISH)


@every_language
@pytest.mark.parametrize(
    "text", ["", "xyzzy", "turn", "turn sideways", "search", "place red", "top hat", "²", "stop now"]
)
def test_what_is_not_clear_is_said_to_be(language, text):
    with pytest.raises(BadInputError):
        read(text, GAME, [], load_catalogue(language))


def test_a_beginning_that_fits_several_words_is_not_guessed():
    with pytest.raises(BadInputError, match="push, put"):
        read("pu A north", GAME, [], ENGLISH)


@every_language
def test_the_help_names_every_word_and_fits_the_screen(language):
    catalogue = load_catalogue(language)
    lines = help_lines(catalogue)
    text = " ".join(lines)
    assert max(map(len, lines)) <= 80
    for verb in (*SLOTS, *COMMANDS):
        assert catalogue.word("verbs", verb) in text


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "it-IT"}, "it"),
        ({"LC_MESSAGES": "nl_BE.UTF-8", "LANG": "de_DE.UTF-8"}, "nl"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "de_AT"}, "de"),
        ({"LANG": "pt_BR.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_of_the_system(environment, language):
    assert language_of(environment) == language


def test_no_other_language():
    with pytest.raises(BadInputError, match="de, fr"):
        load_catalogue("tlh")


@pytest.mark.parametrize(
    ("language", "typed"),
    [("en", "red, blue=greedy"), ("de", "rot,Blau=greedy"), ("fr", "rouge,bleu=greedy"), ("nl", "rood,blue=greedy")],
)
def test_who_plays_is_told_in_the_languages_own_colours(language, typed):
    assert seats_in_grammar(typed, load_catalogue(language)) == "red,blue=greedy"


def test_who_plays_must_be_ghosts():
    with pytest.raises(BadInputError):
        seats_in_grammar("rot,rosa", load_catalogue("de"))


WORDS_OF_THE_RULEBOOKS = {
    "de": ("Gespenst", "Mauer", "Schieber", "Kammer", "Gang", "Stecker", "Eckfeld", "Stapel", "Verkleidung"),
    "fr": ("fantôme", "mur", "réglette", "section", "souterrain", "fixation", "case de coin", "paquet", "déguisement"),
    "it": ("fantasma", "muro", "barretta", "segmento", "corridoio", "perno", "ad angolo", "mazzo", "travestimento"),
    "nl": ("spook", "muur", "schuiver", "kamer", "gang", "stekker", "hoekveld", "stapel", "vermomming"),
}
OTHER_WORDS = {
    "de": ("Geist", "Wand", "Glied", "Runde"),
    "fr": ("tiroir", "pivot", "pile", "segment"),
    "it": ("cursore", "galleria", "tabellone"),
    "nl": ("schuif ", "verkled", "segment", " vak"),
}


@every_other
def test_pieces_are_called_what_the_rulebook_calls_them(language):
    """Whoever looks something up in the rulebook finds the same words there, and one thing has one name."""
    text = "\n".join(load_catalogue(language).messages.values())
    assert [word for word in WORDS_OF_THE_RULEBOOKS[language] if word not in text] == []
    assert [word for word in OTHER_WORDS[language] if word in text] == []
