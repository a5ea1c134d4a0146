"""Tournaments: fair seats, the same games whoever plays them, and figures that say how sure they are."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections import Counter

import pytest

from benchmarks import bot_strength, random_games
from tests.children import PATIENCE, ROOT, started, until
from twin.cli import tournament_commands
from twin.cli.tournament_commands import standing_json, tournament
from twin.errors import BadInputError
from twin.game.tournament import Result, Standing, Tournament, entrant, hold, play, quantile
from twin.stats import wilson

SHORT = Tournament(("random", "greedy"), games=6, seed=2, max_turns=30)


def parsed(*words):
    """Options as the command line reads them."""
    parser = argparse.ArgumentParser()
    tournament_commands.add(parser.add_subparsers(dest="command"))
    return parser.parse_args(["tournament", *words])


@pytest.fixture(scope="module")
def short():
    return hold(SHORT)


class TestFairness:
    def test_every_bot_goes_first_equally_often(self, short):
        assert Counter(result.first for result in short.results) == {0: 3, 1: 3}

    def test_four_bots_take_every_seat(self):
        results = [play(Tournament(("random",) * 4, 4, max_turns=8), number) for number in range(4)]
        assert sorted(result.first for result in results) == [0, 1, 2, 3]
        assert all(result.turns == 8 and result.winner is None for result in results)

    def test_results_do_not_depend_on_the_number_of_processes(self, short):
        assert hold(SHORT, workers=2) == short

    def test_a_game_follows_from_its_number_alone(self, short):
        assert play(SHORT, 4) == short.results[4]

    def test_another_seed_gives_other_games(self, short):
        assert hold(Tournament(("random", "greedy"), 6, seed=3, max_turns=30)).results != short.results

    def test_a_planner_counted_in_simulations_is_repeatable(self):
        what = Tournament(("planner", "random"), 2, nodes=40, max_turns=6)
        assert hold(what) == hold(what)
        assert hold(what).is_reproducible
        assert not Standing(Tournament(("planner", "random"), 2), ()).is_reproducible

    def test_progress_is_told(self):
        told: list[int] = []
        hold(Tournament(("random", "random"), 3, max_turns=3), progress=told.append)
        assert told == [1, 2, 3]


class TestStrength:
    """Small versions of what the benchmark `bot_strength` measures at full size."""

    def test_greedy_beats_random(self):
        assert hold(Tournament(("greedy", "random"), 8)).wins["greedy"] >= 6

    def test_the_planner_beats_greedy(self):
        assert hold(Tournament(("planner", "greedy"), 6, nodes=60)).wins["planner"] >= 5


class TestFigures:
    def standing(self, winners, turns):
        results = [Result(n, w, 0, t, t, (), 0, 0) for n, (w, t) in enumerate(zip(winners, turns, strict=True))]
        return Standing(Tournament(("greedy", "random"), len(results)), tuple(results))

    def test_unfinished_games_are_nobodys(self):
        standing = self.standing([0, 0, 1, None], [10, 20, 30, 400])
        assert standing.wins == {"greedy": 2, "random": 1}
        assert standing.unfinished == 1
        assert standing.interval() == wilson(2, 4)
        assert standing.turns() == {"mean": 115.0, "p50": 20, "p90": 400}

    def test_the_json_keeps_its_contract(self):
        told = standing_json(self.standing([0, 0, 1, None], [10, 20, 30, 400]))
        assert list(told)[:5] == ["games", "wins", "unfinished", "interval", "turns"]
        assert (told["games"], told["wins"], told["unfinished"]) == (4, {"greedy": 2, "random": 1}, 1)
        assert told["turns"]["mean"] == 115.0
        assert told["turns"]["p90"] == 400

    def test_a_bot_against_itself_has_two_names(self):
        assert Tournament(("random", "random"), 1).labels == ("random", "random#2")
        assert Tournament(("greedy", "random", "greedy", "greedy"), 1).labels == (
            "greedy",
            "random",
            "greedy#2",
            "greedy#3",
        )

    @pytest.mark.parametrize(("share", "value"), [(0.0, 1), (0.25, 1), (0.5, 2), (0.9, 4), (1.0, 4)])
    def test_quantiles(self, share, value):
        assert quantile([1, 2, 3, 4], share) == value


class TestCommand:
    def test_json(self, capsys):
        words = ["random", "random", "--games", "2", "--max-turns", "4", "--workers", "1", "--json"]
        assert tournament(parsed(*words)) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["wins"] == {"random": 0, "random#2": 0}
        assert told["unfinished"] == told["games"] == 2
        assert told["interval"][0] == 0.0

    def test_table(self, capsys):
        words = ["planner@5", "greedy", "--games", "2", "--max-turns", "2", "--workers", "1"]
        assert tournament(parsed(*words)) == 0
        told = capsys.readouterr().out
        assert "planner@5" in told
        assert "95 % interval" in told
        assert "--nodes" in told, "whoever plays by the clock is told how to repeat it"
        assert "\x1b" not in told

    @pytest.mark.parametrize("bots", [["genius", "greedy"], ["greedy"], ["random"] * 5, ["greedy@20", "random"]])
    def test_bad_bots_are_refused(self, bots):
        with pytest.raises(BadInputError) as error:
            tournament(parsed(*bots))
        assert error.value.exit_code == 2

    @pytest.mark.parametrize("text", ["planner@", "planner@x", "planner@0", "planner@-5", "", "Planner"])
    def test_bad_names(self, text):
        with pytest.raises(BadInputError):
            entrant(text)

    @pytest.mark.parametrize(
        "words", [["--games", "0"], ["--games", "x"], ["--budget", "0"], ["--nodes", "-1"], ["--workers", "0"]]
    )
    def test_bad_words_end_with_2(self, words, capsys):
        with pytest.raises(SystemExit) as stop:
            parsed("planner", "greedy", *words)
        assert stop.value.code == 2
        assert "must be a whole number" in capsys.readouterr().err

    def test_a_game_that_breaks_is_not_passed_over(self):
        with pytest.raises(BadInputError, match="no-such-machine"):
            hold(Tournament(("random", "random"), 2, machine="no-such-machine"), workers=2)
        until(lambda: not multiprocessing.active_children(), "the end of the workers")  # a moment after the pool's

    @pytest.mark.skipif(os.name != "posix", reason="interrupts are sent otherwise there")
    def test_an_interrupt_ends_all_processes_quietly(self):
        """Ctrl-C reaches the whole group; only the parent speaks, and nobody is left behind."""
        code = (
            "from twin.game.tournament import Tournament, hold\n"
            "def told(done): print(done, flush=True)\n"
            "if __name__ == '__main__':\n"
            "    try: hold(Tournament(('random', 'random'), 100000, max_turns=20), 2, progress=told)\n"
            "    except KeyboardInterrupt: print('interrupted', flush=True)\n"
        )
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with started([sys.executable, "-c", code], cwd=ROOT, text=True, **pipes) as run:
            assert run.stdout is not None
            assert run.stdout.readline().strip() == "1"
            os.killpg(run.pid, signal.SIGINT)
            out, err = run.communicate(timeout=PATIENCE)  # until the last process that holds the pipes has ended
        assert out.split()[-1] == "interrupted"
        assert "Traceback" not in err
        assert run.returncode == 0


class TestBenchmarks:
    def test_random_games_add_up(self):
        """A small version of the benchmark: every game, every fate and every length is counted once."""
        standing = hold(Tournament(("random", "random"), 6, seed=1, max_turns=60))
        told = random_games.summary(standing)
        assert told["games"] == 6
        results = standing.results
        assert told["ghost_moves"] == sum(count for result in results for _, count in result.fates)
        assert told["straddles"] == sum(result.straddles for result in results)
        assert all(result.actions >= result.turns for result in results)
        speed = {"cores": 2, "seconds": 1.0, "games_a_second": 6.0, "reference_games": 1}
        speed |= {"reference_games_a_second": 0.5, "processor_ms_a_game": 90.0, "games_a_second_on_free_cores": 22.2}
        assert "6 games without an error" in random_games.lines({**told, **speed})[0]
        assert "| no winner after 60 | 6 | 100.00 % |" in random_games.page({**told, **speed})

    def test_bot_strength_says_its_figures_in_words(self):
        row = {"games": 4, "wins": 3, "unfinished": 0, "share": 0.75, "interval": [0.3, 0.95], "turns_mean": 14.0}
        told = bot_strength.lines(
            {"greedy_against_random": row, "against_greedy": {"20": row}, "against_planner_50": {"200": row}}
        )
        assert (
            told[1] == "planner 20 ms a move against greedy: 3 of 4 won (30 to 95 %), 0 unfinished, 14.0 turns a game"
        )
        assert len(told) == 3
