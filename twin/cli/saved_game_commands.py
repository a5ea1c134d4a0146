"""The command `game`: a saved game, begun, shown and played on without a person at the table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twin.cli.options import add_force, add_json, add_output, add_seed, command, family
from twin.cli.output import paint_for, print_json, print_lines, shows_boxes
from twin.cli.table_options import add_sliders, sliders_of
from twin.errors import BadInputError
from twin.writing import Hold

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence

    from twin.board.machine import Machine
    from twin.cli.options import Commands
    from twin.game.positions import Game
    from twin.game.rules import Event
    from twin.play.session import Step


def add(commands: Commands) -> None:
    """Add `game new`, `game show` and `game act`."""
    parts = family(commands, "game", "new|show|act", "play a saved game, action by action")
    sub = command(parts, "new", new, "begin a game and save it")
    add_output(sub, "file", "the saved game (.json)")
    add_json(sub)
    sub.add_argument("--players", metavar="COLOURS", default="red,blue", help="in the order of play: red,blue")
    add_seed(sub, "the deal and of the hands")
    sub.add_argument("--hand", choices=("varied", "exact"), default="varied", help="how moves are made")
    sub.add_argument("--strict-stop", action="store_true", help="a turn may be cut short only on a usable garment (G8)")
    sub.add_argument("--wandering-decks", action="store_true", help="a searched deck goes to another place (Q8)")
    add_sliders(sub)
    sub.add_argument("--as-is", action="store_true", help="settled ghosts stay off-centre (G7)")
    sub.add_argument("--max-turns", metavar="N", type=int, default=400, help="then it is a draw (G6)")
    sub.add_argument("--machine", metavar="NAME", help="play on this machine")
    add_force(sub)
    sub = _part(parts, "show", show, "show a saved game as one player sees it")
    sub.add_argument("--player", metavar="COLOUR", help="whose view; the one to move if not given")
    sub = _part(parts, "act", act, "make actions in a saved game")
    sub.add_argument("actions", metavar='"ACTION"', nargs="+", help='"turn cw", "search 2", "place red c5", "stop" …')


def _part(parts: Commands, name: str, handler: Callable[[Namespace], int], text: str) -> ArgumentParser:
    part = command(parts, name, handler, text)
    part.add_argument("file", metavar="FILE", help="the saved game (.json)")
    add_json(part)
    return part


def new(options: Namespace) -> int:
    """`twin game new FILE --players red,blue`."""
    from twin.board.machine import load_machine
    from twin.game.positions import Options, new_game

    path = Path(options.file)
    machine = load_machine(options.machine or "reconstruction")
    settings = Options(
        players=tuple(options.players.split(",")),
        seed=options.seed,
        hand=options.hand,
        stop_early=not options.strict_stop,
        wandering_decks=options.wandering_decks,
        as_is=options.as_is,
        max_turns=options.max_turns,
    )
    game = new_game(machine, settings, sliders_of(options.sliders))
    with Hold(path) as file:
        _save(file, game, machine)
    _print_game(options, game, machine)
    return 0


def show(options: Namespace) -> int:
    """`twin game show FILE [--player red]`."""
    game, machine = _load(Path(options.file))
    if options.player is not None and options.player not in game.options.players:
        raise BadInputError(f"must be one of {', '.join(game.options.players)}", field="--player")
    _print_game(options, game, machine)
    return 0


def act(options: Namespace) -> int:
    """`twin game act FILE "turn cw"`: an action that is not allowed leaves the file as it is.

    The file is held from the reading on, so that no other program's action is lost.
    """
    from twin.game.actions import parse_action
    from twin.game.board import Table
    from twin.game.rules import apply
    from twin.play.session import Step

    with Hold(Path(options.file)) as file:
        game, machine = _load(file.path)
        steps = []
        for text in options.actions:
            action = parse_action(text)
            after, event = apply(game, action, Table(machine))
            steps.append(Step(game, action, event, after))
            game = after
        _save(file, game, machine)
    _print_game(options, game, machine, steps)
    return 0


def _load(path: Path) -> tuple[Game, Machine]:
    from twin.board.machine import load_machine
    from twin.files import read_json
    from twin.game.saved import parse_game

    data = read_json(path)
    try:
        name = data.pop("machine", None) if isinstance(data, dict) else None
        if not isinstance(name, str):
            raise BadInputError("must be a saved game with its machine's name", field="machine")  # noqa: TRY301
        machine = load_machine(name)
        return parse_game(data, machine), machine
    except BadInputError as error:
        raise error.within(source=str(path)) from None


def _save(file: Hold, game: Game, machine: Machine) -> None:
    from twin.game.saved import game_json

    data = game_json(game) | {"machine": machine.path or machine.name}
    file.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", private=True)


def _print_game(options: Namespace, game: Game, machine: Machine, steps: Sequence[Step] = ()) -> None:
    from twin.game.board import Table
    from twin.game.rules import legal_actions
    from twin.game.saved import observation
    from twin.play.catalogue import load_catalogue
    from twin.play.session import HUMAN, Seats
    from twin.play.telling import told
    from twin.reports.game_screen import GameScreen

    player = getattr(options, "player", None)
    shown = player or game.current_player or game.options.players[0]
    if options.json:
        data = observation(game, shown, machine) | {"player": shown, "legal_actions": []}
        if shown == game.current_player:
            data["legal_actions"] = [str(action) for action in legal_actions(game, Table(machine))]
        if steps:
            data["event"] = _event_json(steps[-1].event)
        print_json(data)
        return
    say = load_catalogue("en")
    people = Seats(tuple((colour, HUMAN) for colour in game.options.players))
    screen = GameScreen(machine, people, say, paint_for(sys.stdout), boxes=shows_boxes(sys.stdout))
    print_lines(screen.lines(game, [line for step in steps for line in told(step, machine, say)]))
    # Never the next player's secrets.
    print_lines(_private_lines(game, steps[-1].player if steps else shown, machine))


def _private_lines(game: Game, player: str, machine: Machine) -> list[str]:
    """What one player alone knows of the decks, and what it has to choose now."""
    from twin.game.board import Table
    from twin.game.positions import MOVE
    from twin.game.rules import legal_actions

    seat, legend = game.options.players.index(player), machine.castle.legend()
    lines = []
    for number, known in enumerate(game.seen[seat], 1):
        if known is not None:
            names = ", ".join(legend[card] for card in sorted(known)) or "nothing"
            lines.append(f"{player} knows what is in deck {number}: {names}")
    if player == game.current_player and game.phase != MOVE:
        lines.append("now: " + ", ".join(str(action) for action in legal_actions(game, Table(machine))))
    return lines


def _event_json(event: Event) -> dict[str, Any]:
    happening = event.happening
    return {
        "action": str(event.action),
        "found": event.found,
        "ended": event.ended,
        "fates": {} if happening is None else dict(happening.fates),
        "conflict": happening is not None and happening.conflict,
    }
