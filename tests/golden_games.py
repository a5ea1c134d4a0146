"""Golden games: whole turns of the game as text for people to read, kept so that a change is noticed.

    python -m tests.golden_games        writes all files of tests/golden/games anew

Every choice is drawn from the allowed ones by seeded dice. A game is told as `twin play` tells it, with what is hidden
at the table written out.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from twin.board.machine import load_machine
from twin.board.moves import Relocate
from twin.game.actions import Search, Stop
from twin.game.board import Table
from twin.game.positions import EXACT, RETURN, VARIED, Options, new_game
from twin.game.rules import legal_actions
from twin.play.catalogue import load_catalogue
from twin.play.record import digest
from twin.play.session import HUMAN, Seats, Session
from twin.play.telling import told
from twin.reports.board_text import Paint
from twin.reports.game_screen import GameScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twin.game.actions import Action
    from twin.game.positions import Game

FOLDER: Final = Path(__file__).parent / "golden" / "games"
COMMAND: Final = "python -m tests.golden_games"


@dataclass(frozen=True)
class Golden:
    """One game that is kept."""

    title: str
    options: Options
    language: str
    turns: int
    """After so many it is left off."""


GAMES: Final = {
    "two-exact": Golden("Two players, the exact hand", Options(("red", "blue"), 3, EXACT), "en", 9),
    "two-varied": Golden("Zwei Spieler, Hände wie im Leben", Options(("green", "yellow"), 17, VARIED), "de", 9),
    "three-as-is": Golden(
        "Three players, settled ghosts stay off-centre (G7)",
        Options(("blue", "red", "green"), 14, VARIED, as_is=True),
        "en",
        9,
    ),
    "four-wandering": Golden(
        "Four players, searched decks go to another place (Q8)",
        Options(("red", "yellow", "green", "blue"), 4, VARIED, wandering_decks=True),
        "en",
        9,
    ),
    "four-strict": Golden(
        "Vier spelers, eerder ophouden alleen op een bruikbare vermomming (G8)",
        Options(("yellow", "blue", "red", "green"), 14, EXACT, stop_early=False),
        "nl",
        9,
    ),
}


def drawn(actions: Sequence[Action], dice: random.Random) -> Action:
    """An allowed action: a search if there is one, else any kind with equal chances, stops and relocations seldom."""
    seldom = [action for action in actions if isinstance(action, Stop | Relocate)]
    usual = [action for action in actions if action not in seldom]
    searches = [action for action in actions if isinstance(action, Search)]
    if searches:
        return dice.choice(searches)
    if seldom and (not usual or dice.random() < 0.1):
        return dice.choice(seldom)
    kinds = sorted({type(action).__name__ for action in usual})
    kind = dice.choice(kinds)
    return dice.choice([action for action in usual if type(action).__name__ == kind])


def playthrough(golden: Golden) -> str:
    """A game as text: the table after each turn, and between them actions with what came of them."""
    machine = load_machine()
    table = Table(machine)
    catalogue = load_catalogue(golden.language)
    seats = Seats(tuple((colour, HUMAN) for colour in golden.options.players))
    screen = GameScreen(machine, seats, catalogue, Paint(coloured=False))
    session = Session(new_game(machine, golden.options))
    dice = random.Random(f"golden game {golden.options.seed}")
    lines = [golden.title, str(golden.options), "", *_hidden(session.game), "", *screen.lines(session.game, ())]
    while not session.game.is_over and session.game.turn <= golden.turns:
        player = session.game.current_player
        session = session.act(drawn(legal_actions(session.game, table), dice), table)
        step = session.steps[-1]
        lines += ["", f"> {player}: {step.action}", *told(step, machine, catalogue)]
        if session.game.phase == RETURN and step.after.searched is not None:
            lines.append(f"(hidden from the others: {' '.join(step.after.decks[step.after.searched]) or '-'})")
        if step.event.ended:
            lines += ["", *screen.lines(session.game, ())]
    lines += ["", *_hidden(session.game), f"digest {digest(session.game)}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write_all(folder: Path = FOLDER) -> None:
    """Write all golden games anew, and remove those that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    for name, golden in GAMES.items():
        (folder / f"{name}.txt").write_text(playthrough(golden), encoding="utf-8", newline="\n")


def _hidden(game: Game) -> list[str]:
    """What lies in the decks, from the top."""
    return [f"deck {number}: {' '.join(deck) or '-'}" for number, deck in enumerate(game.decks, 1)]


if __name__ == "__main__":
    write_all()
    sys.exit(0)
