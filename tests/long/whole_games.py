"""Whole random games of two to four players, with all options: no card is lost, each can be kept and replayed."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from tests.hidden import any_action
from twin.board.castle import GARMENT_CODES
from twin.board.machine import load_machine, machine_names
from twin.board.state import COLOURS, validate_state
from twin.errors import TwinError
from twin.game.board import Table
from twin.game.bots import NAMES
from twin.game.cards import part_of
from twin.game.positions import EXACT, VARIED, Game, Options, new_game
from twin.game.rules import legal_actions
from twin.game.saved import dumps, observation, parse_game
from twin.outcome.engine import KERNEL
from twin.play.record import parse_record, record_text, replay
from twin.play.session import HUMAN, Seats, Session
from twin.processes import run_all

if TYPE_CHECKING:
    from tests.long.trial import Trial
    from twin.board.machine import Machine

GAMES: Final = 1_000
LIMITS: Final = (10, 100, 400)
"""Turns after which a game is a draw; the last is the game's usual limit."""
EVERY: Final = 10
"""Actions between two saves."""


@dataclass(frozen=True)
class Job:
    """One game."""

    number: int
    seed: int


@dataclass(frozen=True)
class Played:
    """How a game went."""

    players: int
    actions: int
    turns: int
    winner: bool
    found: int
    """Cards."""
    problems: tuple[str, ...]


def run(trial: Trial) -> None:
    """All games, shared out among processes."""
    jobs = [Job(number, trial.seed) for number in range(trial.size(GAMES))]
    done = run_all(played, jobs, trial.workers) if trial.workers else enumerate(map(played, jobs))
    games = []
    for _, game in done:
        games.append(game)
        for problem in game.problems:
            trial.found(problem)
        if len(games) % max(len(jobs) // 10, 1) == 0:
            trial.say(f"{len(games):,} of {len(jobs):,} games")
    players = Counter(game.players for game in games)
    trial.say(
        f"{len(games):,} games ({', '.join(f'{players[n]} of {n}' for n in sorted(players))} players), "
        f"{sum(game.actions for game in games):,} actions, {sum(game.turns for game in games):,} turns, "
        f"{sum(game.found for game in games):,} cards found, {sum(game.winner for game in games)} games won"
    )


@cache
def _table(machine: str) -> Table:
    return Table(load_machine(machine), KERNEL)


def played(job: Job) -> Played:
    """One game from its beginning to its end, looked at after every action, and played again from its record."""
    dice = random.Random(f"{job.seed} {job.number}")
    table = _table(dice.choice(machine_names()))
    machine = table.machine
    options = Options(
        players=tuple(dice.sample(COLOURS, dice.randint(2, 4))),
        seed=dice.randrange(10**6),
        hand=dice.choice((EXACT, VARIED)),
        stop_early=dice.random() < 0.5,
        wandering_decks=dice.random() < 0.5,
        as_is=dice.random() < 0.2,
        max_turns=dice.choice(LIMITS),
    )
    sliders = [name + dice.choice(("", " flip")) for name in dice.sample(sorted(machine.sliders), len(machine.sliders))]
    session = Session(new_game(machine, options, sliders))
    problems: list[str] = []
    try:
        while not session.game.is_over:
            session = session.act(any_action(legal_actions(session.game, table), dice), table)
            problems += _wrong(session.game, machine, whole=len(session.steps) % EVERY == 0)
        problems += _wrong(session.game, machine, whole=True)
        seats = Seats(tuple((colour, HUMAN) for colour in options.players))
        record = parse_record(record_text(session, seats, machine, KERNEL), NAMES)
        if replay(record, Table(record.start.machine, KERNEL)).game != session.game:
            problems.append("a replay ends otherwise")
    except TwinError as error:
        problems.append(f"{type(error).__name__}: {error}")
    return Played(
        players=len(options.players),
        actions=len(session.steps),
        turns=session.game.turn,
        winner=session.game.winner is not None,
        found=sum(map(len, session.game.owned)),
        problems=tuple(f"game {job.number} (seed {job.seed}), {options}: {problem}" for problem in problems),
    )


def _wrong(game: Game, machine: Machine, *, whole: bool) -> list[str]:
    """What cannot be in a game: cards lost or doubled, ghosts that stand on each other, a save that reads otherwise."""
    found = []
    cards = [card for pile in (*game.decks, *game.owned) for card in pile]
    if sorted(cards) != sorted(GARMENT_CODES):
        found.append(f"the cards are {cards}")
    found += [f"a seat owns {owned}" for owned in game.owned if len(set(map(part_of, owned))) != len(owned)]
    try:
        validate_state(game.board, machine)
    except TwinError as error:
        found.append(f"after {game.turn} turns: {error}")
    if whole:
        if parse_game(json.loads(dumps(game)), machine) != game:
            found.append("a save reads otherwise")
        for player in game.options.players:
            observation(game, player, machine)
    return found
