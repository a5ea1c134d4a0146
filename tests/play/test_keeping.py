"""At the table nothing is lost: every action is on the disk at once, and a game goes on from where it was."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.children import PATIENCE, started, twin
from tests.play.test_play import BOTS, ENGLISH, MACHINE, PEOPLE, TABLE, TWO, Paper, every_language
from tests.play.test_play import play as play_script
from twin.board.moves import Drag
from twin.cli import main
from twin.cli.seating import Screen, _chosen, kept_to_the_end
from twin.errors import BadInputError
from twin.files import parse_json
from twin.game.positions import new_game
from twin.game.saved import parse_game
from twin.play.catalogue import load_catalogue
from twin.play.conversation import ENDED, QUIT, Conversation
from twin.play.keeper import Keeper
from twin.play.record import is_record, parse_record, replay
from twin.play.save import parse_saved, save
from twin.play.session import Session
from twin.play.unfinished import LONGEST_LOG, MOST, games_folder, latest, unfinished_games
from twin.writing import Hold

TABLE_WORDS = ("--players", "red,blue", "--language", "en")
needs_locks = pytest.mark.skipif(os.name != "posix", reason="there are no such locks there")
needs_signals = pytest.mark.skipif(os.name != "posix", reason="signals are another matter there")


@pytest.fixture(autouse=True)
def games(tmp_path, monkeypatch):
    """The folder of unfinished games, which is not there yet."""
    monkeypatch.setenv("TWIN_STATE", str(tmp_path / "state"))
    return tmp_path / "state" / "games"


@pytest.fixture
def dragged():
    """A session after one drag."""
    return Session(new_game(MACHINE, TWO)).act(Drag("red", "north"), TABLE)


def in_file(path):
    """The game in a file: of a save, a record or a log."""
    text = path.read_text(encoding="utf-8")
    if is_record(text):
        return replay(parse_record(text, BOTS), TABLE).game
    return parse_saved(parse_json(latest(text)), BOTS).game


def keeper_of(folder, *, saved=None, record=None, language="en"):
    def hold(name):
        return None if name is None else Hold(folder / name)

    among = Hold(games_folder(os.environ) / "this.jsonl")
    catalogue = load_catalogue(language)
    return Keeper(PEOPLE, MACHINE, "kernel", catalogue, among, saved=hold(saved), record=hold(record))


def fails(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# -- every action at once ---------------------------------------------------------------------------------------------


def test_every_action_is_in_all_files_before_the_next_is_asked_for(tmp_path, games):
    """An action that is taken back as well: a save, a record without an end, and the log of an unfinished game."""
    for files in ({"saved": "game.json", "record": "game.jsonl"}, {}):
        keeper = keeper_of(tmp_path, **files)
        paths = [tmp_path / name for name in files.values()] or [games / "this.jsonl"]
        looked: list[int] = []

        class Looking(Paper):
            def ask(self, prompt):
                if talk.session.steps or files:  # noqa: B023 - asked within this round
                    assert [in_file(path) for path in paths] == [talk.session.game] * len(paths)  # noqa: B023
                looked.append(len(talk.session.steps))  # noqa: B023
                return super().ask(prompt)

        answers = ("drag north", "drag north", "undo", "relocate A 2 1", "stop", "drag north", "quit")
        start = Session(new_game(MACHINE, TWO))
        keeper.begin(start)
        talk = Conversation(start, PEOPLE, TABLE, ENGLISH, Looking(*answers), {}, keeper.save, keeper.follow)
        assert talk.run() == QUIT
        assert looked == [0, 1, 2, 1, 2, 3, 4]
        if files:
            assert parse_record((tmp_path / "game.jsonl").read_text(encoding="utf-8"), BOTS).digest is None
        keeper.leave(talk.session)
        assert [in_file(path) for path in paths] == [talk.session.game] * len(paths)
    assert parse_record((tmp_path / "game.jsonl").read_text(encoding="utf-8"), BOTS).digest is not None


def test_a_game_that_is_left_before_its_first_action_is_not_kept(tmp_path, games, capsys):
    assert play_script(tmp_path, ["quit"], *TABLE_WORDS) == 0
    assert not games.exists()
    assert capsys.readouterr().out.endswith("Goodbye.\n")


def test_a_log_stays_short(tmp_path, dragged, games, monkeypatch):
    monkeypatch.setattr("twin.play.keeper.LONGEST_LOG", 3000)
    keeper = keeper_of(tmp_path)
    for _ in range(10):
        keeper.follow(dragged)
        keeper.follow(dragged.undone(("red",)))
    assert in_file(games / "this.jsonl") == dragged.start
    assert (games / "this.jsonl").stat().st_size < 3000 + 1000 < LONGEST_LOG


# -- ended from outside -----------------------------------------------------------------------------------------------


@needs_signals
@pytest.mark.parametrize(("names", "kept"), [(("SIGKILL", "SIGTERM"), True), (("SIGKILL", "SIGHUP"), False)])
def test_a_game_that_is_ended_from_outside_goes_on_where_it_was(tmp_path, games, capsys, names, kept):
    """Killed, when the machine shuts down, at a hangup: with --save and --record, and without."""
    files = {name: (tmp_path / f"{name}.json", tmp_path / f"{name}.jsonl") for name in names}
    ended = {}
    for number, name in enumerate(names, 1):
        words = ["--seed", str(number), *(("--save", files[name][0], "--record", files[name][1]) if kept else ())]
        command = twin("play", *TABLE_WORDS, *map(str, words))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with started(command, **pipes) as program:
            assert program.stdin is not None
            assert program.stdout is not None
            assert program.stderr is not None
            program.stdin.write("drag north\nstop\ndrag north\n")
            program.stdin.flush()
            shown = ""
            until_turn = "Turn 2 · Blue to play · 2 moves left"
            while until_turn not in shown:
                line = program.stdout.readline()
                assert line, program.stderr.read()
                shown += line
            if kept and name == "SIGKILL":  # it has the file in use, and leaves no lock behind
                assert main(["game", "act", str(files[name][0]), "stop"]) == 2
                assert "another program has this file in use" in capsys.readouterr().err
            program.send_signal(getattr(signal, name))
            _, told = program.communicate(timeout=PATIENCE)
            ended[name] = program.returncode, told
    where = ENGLISH("keep.goes_on", command="twin play --continue")
    if kept:
        path = files["SIGTERM"][0]
        where = ENGLISH("keep.in_file", file=path, command=f"twin play --resume {path}")
    signals = {"SIGKILL": (-9, ""), "SIGTERM": (143, f"twin: ended by SIGTERM: {where}\n")}
    signals["SIGHUP"] = (129, f"twin: ended by SIGHUP: {where}\n")
    assert ended == {name: signals[name] for name in names}
    for number, name in enumerate(names, 1) if kept else enumerate(reversed(names)):  # the latest goes on first
        resume = ["--resume", str(files[name][number % 2])] if kept else ["--continue"]
        end = tmp_path / "end.json"
        assert play_script(tmp_path, ["drag north", "undo"], *resume, "--save", str(end), "--language", "en") == 0
        game = in_file(end)
        assert (game.turn, game.options.seed) == (2, names.index(name) + 1)
        assert "Turn 2 · Blue to play · 2 moves left" in capsys.readouterr().out
        end.unlink()
        for path in games.glob("*.jsonl") if not kept else ():
            if in_file(path) == game:
                path.unlink()
    assert not list(tmp_path.rglob(".twin-*"))


# -- two programs -----------------------------------------------------------------------------------------------------


@needs_locks
def test_a_second_program_on_the_same_file_is_refused(tmp_path, dragged, capsys):
    path = tmp_path / "game.json"
    save(path, dragged, PEOPLE, MACHINE)
    before = path.read_bytes()
    commands = [
        ["game", "act", str(path), "stop"],
        ["game", "new", str(path), "--overwrite"],
        ["play", "--resume", str(path), "--save", str(path)],
        ["play", "--players", "red,blue", "--record", str(path), "--overwrite"],
    ]
    with Hold(path):
        for words in commands:
            assert main(words) == 2
            assert f"{path}: another program has this file in use" in capsys.readouterr().err
        assert play_script(tmp_path, [f"save {path}"], "--resume", str(path)) == 2
    assert path.read_bytes() == before
    assert main(["game", "act", str(path), "stop"]) == 0


def test_save_and_record_are_two_files(tmp_path, capsys):
    path = str(tmp_path / "game.json")
    assert main(["play", *TABLE_WORDS, "--save", path, "--record", path]) == 2
    assert "--record: another option names this file, too" in capsys.readouterr().err


# -- files that cannot be written -------------------------------------------------------------------------------------


@every_language
def test_the_game_goes_on_when_the_disk_is_full_and_says_so_once(tmp_path, language, monkeypatch):
    """What could not be kept is kept as soon as there is room."""
    catalogue = load_catalogue(language)
    keeper = keeper_of(tmp_path, saved="game.json", record="game.jsonl", language=language)
    paper = Paper("drag north", "relocate A 2 1", "stop", "drag north", "quit")
    start = Session(new_game(MACHINE, TWO))
    keeper.begin(start)
    full = [True, True, True, False]

    def follow(session):
        with monkeypatch.context() as patch:
            if full.pop(0):
                patch.setattr(os, "write", fails)
            return keeper.follow(session)

    talk = Conversation(start, PEOPLE, TABLE, catalogue, paper, {}, keeper.save, follow)
    assert talk.run() == QUIT
    told = [line for line in paper.text.splitlines() if "No space left on device" in line]
    problem = f"{tmp_path / 'game.json'}: cannot be written: No space left on device"
    assert len(told) == 1
    assert told[0].startswith(catalogue("keep.fails", problem=problem)[:-1])
    assert told[0].endswith(catalogue("keep.nowhere"))
    assert in_file(tmp_path / "game.json") == in_file(tmp_path / "game.jsonl") == talk.session.game
    assert not list(tmp_path.rglob(".twin-*"))


def test_a_game_whose_files_cannot_be_written_is_kept_among_the_unfinished(tmp_path, games, dragged):
    """The folder of --save is gone; the end says so, with exit code 2 for the command."""
    (tmp_path / "gone").mkdir()
    keeper = keeper_of(tmp_path, saved="gone/game.json")
    keeper.begin(Session(dragged.start))
    (tmp_path / "gone" / "game.json").unlink()
    (tmp_path / "gone").rmdir()
    trouble = keeper.follow(dragged)
    assert "gone/game.json: cannot be written: No such file or directory" in trouble
    assert trouble.endswith(ENGLISH("keep.instead"))
    assert keeper.follow(dragged) == ""
    assert in_file(games / "this.jsonl") == dragged.game
    with pytest.raises(BadInputError, match="No such file"):
        keeper.leave(dragged)
    where = ENGLISH("keep.goes_on", command="twin play --continue")
    assert keeper.where(dragged, "twin play") == where
    with pytest.raises(BadInputError) as told, kept_to_the_end(keeper, lambda: dragged, "twin play"):
        pass
    assert str(told.value).endswith(f"gone/game.json: cannot be written: No such file or directory. {where}")


def test_a_home_that_cannot_be_written_ends_no_game(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    monkeypatch.setenv("TWIN_STATE", str(tmp_path / "file"))
    assert play_script(tmp_path, ["drag north", "quit"], *TABLE_WORDS) == 0
    shown = capsys.readouterr().out
    assert shown.count("The game goes on, but it could") == 1
    assert shown.endswith(f"{ENGLISH('keep.nowhere')}\nGoodbye.\n")


# -- how a game is left and goes on -----------------------------------------------------------------------------------


@every_language
def test_quit_says_where_the_game_is_and_how_to_go_on(tmp_path, language, capsys):
    catalogue, path = load_catalogue(language), tmp_path / "my game.json"
    words = ("--players", "red,blue", "--language", language)
    assert play_script(tmp_path, ["drag north", "quit"], *words) == 0
    kept = catalogue("keep.goes_on", command="twin play --continue")
    assert capsys.readouterr().out.endswith(f"{kept}\n{catalogue('told.bye')}\n")
    assert play_script(tmp_path, ["drag north", "quit"], *words, "--save", str(path)) == 0
    command = f"twin play --resume '{path}'"
    kept = catalogue("keep.in_file", file=path, command=command)
    assert capsys.readouterr().out.endswith(f"{kept}\n{catalogue('told.bye')}\n")
    assert play_script(tmp_path, ["quit"], "--resume", str(path), "--language", language) == 0


def test_unfinished_games_go_on_until_they_are_over(tmp_path, games, capsys):
    """In a pipe the latest of several goes on, and a line names it; a game that is over has no file any more."""
    assert main(["play", "--continue"]) == 2
    assert "--continue: there is no unfinished game" in capsys.readouterr().err
    for players, way in (("red,blue", "north"), ("green,yellow", "west")):
        words = ("--players", players, "--max-turns", "2", "--language", "en")
        assert play_script(tmp_path, [f"drag {way}"], *words) == 0
    older, newer = sorted(games.iterdir(), key=lambda path: "yellow" in path.read_text(encoding="utf-8"))
    os.utime(older, (1_700_000_000, 1_700_000_000))
    capsys.readouterr()
    lines = ["drag east", "stop", "drag east", "stop"]
    assert play_script(tmp_path, lines, "--continue", "--language", "en") == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Of 2 unfinished games the latest goes on: Green, Yellow · Turn 1 · ")
    assert "Nobody wins" in shown
    assert list(games.iterdir()) == [older]
    assert play_script(tmp_path, ["stop"], "--continue", "--language", "en") == 0
    assert "unfinished games" not in capsys.readouterr().out
    assert in_file(older).current_player == "blue"
    for more in (["--resume", str(newer)], ["--seed", "3"], ["--players", "blue,red"]):
        assert main(["play", "--continue", *more]) == 2
        assert "Traceback" not in capsys.readouterr().err


@every_language
def test_of_several_games_the_players_are_asked_which(tmp_path, games, dragged, language, capsys, monkeypatch):
    for name in ("one", "two"):
        keeper = keeper_of(tmp_path)
        keeper._among.hold = Hold(games / f"{name}.jsonl")
        keeper.follow(dragged)
        keeper._among.hold.release()
    os.utime(games / "one.jsonl", (1_700_000_000, 1_700_000_000))
    found = unfinished_games(games, BOTS)
    terminal = Screen(None)
    terminal.live = True
    answers = ["3", "no", "2"]
    monkeypatch.setattr(terminal, "ask", lambda _: answers.pop(0))
    catalogue = load_catalogue(language)
    assert _chosen(found, catalogue, terminal).hold.path.stem == "one"
    shown = capsys.readouterr().out.splitlines()
    assert shown[1].startswith(f" 2 {catalogue.colour('red')}, {catalogue.colour('blue')} · ")
    assert "· 2023-11-1" in shown[1]
    assert shown[2:] == [catalogue("told.number", text=text) for text in ("3", "no")]
    for game in found:
        game.hold.release()


def test_a_damaged_game_is_passed_over_and_named_if_it_is_the_only_one(games, dragged, tmp_path, capsys):
    keeper = keeper_of(tmp_path)
    keeper.follow(dragged)
    keeper._among.hold.release()
    kept = games / "this.jsonl"
    (games / "torn.jsonl").write_text(kept.read_text(encoding="utf-8") + '{"kind": "tw', encoding="utf-8")
    (games / "broken.jsonl").write_text("nonsense\n", encoding="utf-8")
    found = unfinished_games(games, BOTS)
    assert sorted(game.hold.path.stem for game in found) == ["this", "torn"]
    assert {game.saved.game for game in found} == {dragged.game}
    for game in found:
        game.hold.release()
        game.hold.path.unlink()
    assert main(["play", "--continue"]) == 2
    assert f"{games / 'broken.jsonl'}: --continue: must be JSON" in capsys.readouterr().err


@needs_locks
def test_a_game_that_another_program_plays_is_not_offered(dragged, tmp_path):
    keeper = keeper_of(tmp_path)
    keeper.follow(dragged)
    assert main(["play", "--continue"]) == 2
    keeper._among.hold.release()
    assert play_script(tmp_path, ["stop"], "--continue") == 0


def test_the_latest_games_are_kept_and_nothing_else_is_removed(games, dragged, tmp_path):
    games.mkdir(parents=True)
    for number in range(MOST + 5):
        (games / f"{number}.jsonl").write_text("{}\n", encoding="utf-8")
        os.utime(games / f"{number}.jsonl", (number + 1, number + 1))
    (games / "notes.txt").write_text("mine", encoding="utf-8")
    keeper_of(tmp_path).follow(dragged)
    kept = {path.stem for path in games.glob("*.jsonl")}
    assert kept == {"this", *map(str, range(6, MOST + 5))}
    assert (games / "notes.txt").is_file()


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes there")
def test_files_with_hidden_cards_are_private(tmp_path, games):
    """New ones are, for all that the umask allows; a file that is there keeps its mode."""
    old_umask = os.umask(0o022)
    try:
        files = [tmp_path / name for name in ("game.json", "game.jsonl", "other.json", "third.json")]
        words = ("--save", str(files[0]), "--record", str(files[1]))
        assert play_script(tmp_path, ["drag north", f"save {files[2]}"], *TABLE_WORDS, *words) == 0
        assert main(["game", "new", str(files[3])]) == 0
        assert play_script(tmp_path, ["drag north"], *TABLE_WORDS) == 0
        assert {path.stat().st_mode & 0o777 for path in (*files, *games.iterdir())} == {0o600}
        assert {path.stat().st_mode & 0o777 for path in (games, games.parent)} == {0o700}
        files[0].chmod(0o644)
        assert main(["game", "act", str(files[0]), "stop"]) == 0
        assert play_script(tmp_path, ["drag north"], "--resume", str(files[0]), "--save", str(files[0])) == 0
        assert files[0].stat().st_mode & 0o777 == 0o644
    finally:
        os.umask(old_umask)


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"TWIN_STATE": "/s", "XDG_STATE_HOME": "/x"}, "/s/games"),
        ({"XDG_STATE_HOME": "/x"}, "/x/mauer-twin/games"),
        ({"XDG_STATE_HOME": "not/absolute"}, "~/.local/state/mauer-twin/games"),
        ({"LOCALAPPDATA": "/users/anne/local"}, "/users/anne/local/mauer-twin/games"),
        ({}, "~/.local/state/mauer-twin/games"),
    ],
)
def test_where_unfinished_games_are(environment, folder):
    assert games_folder(environment) == Path(folder).expanduser()


# -- what ends a conversation -----------------------------------------------------------------------------------------


def test_only_the_end_of_the_answers_ends_a_conversation():
    """An error of the same name from elsewhere, as of a damaged file, is no player who leaves."""

    class Broken:
        def choose(self, game):
            raise EOFError(game.turn)

    session = Session(new_game(MACHINE, TWO))

    def talk(bots):
        return Conversation(session, PEOPLE, TABLE, ENGLISH, Paper("drag north"), bots, lambda *_: None)

    assert talk({}).run() == ENDED
    with pytest.raises(EOFError):
        talk({"red": Broken()}).run()


def test_actions_that_are_refused_leave_the_file_as_it_is(tmp_path, dragged, monkeypatch, capsys):
    """By the rules, by their grammar, or by a full disk."""
    path = tmp_path / "game.json"
    save(path, dragged, PEOPLE, MACHINE)
    before = path.read_bytes()
    for actions, code in ((["drag red south", "drag blue north"], 3), (["drag red south", "dance"], 2)):
        assert main(["game", "act", str(path), *actions]) == code
    monkeypatch.setattr(os, "write", fails)
    assert main(["game", "act", str(path), "drag red south"]) == 2
    monkeypatch.undo()
    assert "cannot be written: No space left on device" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert parse_game(json.loads(before) | {}, MACHINE) == dragged.game
