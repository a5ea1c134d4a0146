"""The command `game`: a saved game, begun, shown and played on without a person at the table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twin.cli.output import announce_compiling, heading, paint_for, print_json
from twin.cli.words_table import sliders_of
from twin.errors import BadInputError
from twin.game.actions import parse_action
from twin.game.rules import apply, legal_actions
from twin.game.saved import game_json, observation, parse_game
from twin.game.state import Game, Options, new_game
from twin.game.table import Table
from twin.library import MAX_BYTES, write_whole
from twin.machine import Machine, load_machine
from twin.reports.picture import LEGEND, board_lines

if TYPE_CHECKING:
    from argparse import Namespace

    from twin.game.rules import Event


def new(options: Namespace) -> int:
    """`twin game new FILE --players red,blue`."""
    path = Path(options.file)
    if path.exists() and not options.force:
        raise BadInputError("there is a file already; give another name, or --force", source=str(path))
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
    _save(path, game, machine)
    _told(options, game, machine, None)
    return 0


def show(options: Namespace) -> int:
    """`twin game show FILE [--player red]`."""
    game, machine = _load(Path(options.file))
    if options.player is not None and options.player not in game.options.players:
        raise BadInputError(f"must be one of {', '.join(game.options.players)}", field="--player")
    _told(options, game, machine, None)
    return 0


def act(options: Namespace) -> int:
    """`twin game act FILE "turn cw"`: an action that is not allowed leaves the file as it is."""
    path = Path(options.file)
    game, machine = _load(path)
    announce_compiling()
    event = None
    for text in options.actions:
        game, event = apply(game, parse_action(text), Table(machine))
    _save(path, game, machine)
    _told(options, game, machine, event)
    return 0


def _load(path: Path) -> tuple[Game, Machine]:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        data = json.loads(raw)
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", source=str(path)) from None
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"must be JSON: {error}"[:200], source=str(path)) from None
    try:
        name = data.pop("machine", None) if isinstance(data, dict) else None
        if not isinstance(name, str):
            raise BadInputError("must be a saved game with its machine's name", field="machine")  # noqa: TRY301
        machine = load_machine(name)
        return parse_game(data, machine), machine
    except BadInputError as error:
        raise error.within(source=str(path)) from None


def _save(path: Path, game: Game, machine: Machine) -> None:
    data = game_json(game) | {"machine": machine.path or machine.name}
    write_whole(path, json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")


def _told(options: Namespace, game: Game, machine: Machine, event: Event | None) -> None:
    player = getattr(options, "player", None)
    shown = player or game.current_player or game.options.players[0]
    if options.json:
        data = observation(game, shown, machine) | {"player": shown, "legal_actions": []}
        if shown == game.current_player:
            data["legal_actions"] = [str(action) for action in legal_actions(game, Table(machine))]
        if event is not None:
            data["event"] = _event_json(event)
        print_json(data)
        return
    paint = paint_for(sys.stdout)
    over = "the game is over" if game.is_over else f"{game.current_player} to play"
    heading(f"Turn {game.turn}: {over}")
    for line in board_lines(game.board, machine, paint):
        print(line.rstrip())
    print(paint(LEGEND, "dim"))
    for colour, cards in zip(game.options.players, game.owned, strict=True):
        names = ", ".join(machine.castle.legend()[card] for card in cards) or "nothing yet"
        print(f"{paint(colour, colour)}: {names}")
    if event is not None:
        _print_event(event, machine)
    if game.winner is not None:
        print(f"{game.options.players[game.winner]} wins")
    elif not game.is_over:
        print(f"{game.moves_left} moves left; phase {game.phase}")


def _event_json(event: Event) -> dict[str, Any]:
    happening = event.happening
    return {
        "action": str(event.action),
        "found": event.found,
        "ended": event.ended,
        "fates": {} if happening is None else dict(happening.fates),
        "conflict": happening is not None and happening.conflict,
    }


def _print_event(event: Event, machine: Machine) -> None:
    if event.happening is not None:
        print(f"{event.action}: " + ", ".join(f"{colour} {fate}" for colour, fate in event.happening.fates))
    elif event.found is not None:
        print(f"{event.action}: found the {machine.castle.legend()[event.found]}")
    else:
        print(f"{event.action}: done")
