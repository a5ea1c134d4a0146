"""The command `game`: a saved game, begun, shown and played on without a person at the table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twin.board.machine import Machine, load_machine
from twin.cli.output import paint_for, print_json, shows_boxes
from twin.cli.words_table import sliders_of
from twin.errors import BadInputError
from twin.files import read_json
from twin.game.actions import parse_action
from twin.game.board import Table
from twin.game.positions import MOVE, Game, Options, new_game
from twin.game.rules import apply, legal_actions
from twin.game.saved import game_json, observation, parse_game
from twin.play.catalogue import load_catalogue
from twin.play.session import HUMAN, Seats, Step
from twin.play.telling import told
from twin.reports.game_screen import GameScreen
from twin.writing import Hold

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from twin.game.rules import Event


def new(options: Namespace) -> int:
    """`twin game new FILE --players red,blue`."""
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
    _told(options, game, machine)
    return 0


def show(options: Namespace) -> int:
    """`twin game show FILE [--player red]`."""
    game, machine = _load(Path(options.file))
    if options.player is not None and options.player not in game.options.players:
        raise BadInputError(f"must be one of {', '.join(game.options.players)}", field="--player")
    _told(options, game, machine)
    return 0


def act(options: Namespace) -> int:
    """`twin game act FILE "turn cw"`: an action that is not allowed leaves the file as it is.

    The file is held from the reading on, so that no other program's action is lost.
    """
    with Hold(Path(options.file)) as file:
        game, machine = _load(file.path)
        steps = []
        for text in options.actions:
            action = parse_action(text)
            after, event = apply(game, action, Table(machine))
            steps.append(Step(game, action, event, after))
            game = after
        _save(file, game, machine)
    _told(options, game, machine, steps)
    return 0


def _load(path: Path) -> tuple[Game, Machine]:
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
    data = game_json(game) | {"machine": machine.path or machine.name}
    file.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", private=True)


def _told(options: Namespace, game: Game, machine: Machine, steps: Sequence[Step] = ()) -> None:
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
    for line in screen.lines(game, [line for step in steps for line in told(step, machine, say)]):
        print(line)
    for line in _private_lines(game, steps[-1].player if steps else shown, machine):  # never the next player's secrets
        print(line)


def _private_lines(game: Game, player: str, machine: Machine) -> list[str]:
    """What one player alone knows of the decks, and what it has to choose now."""
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
