"""What happened, in the reader's language: a sentence for the action and one for each ghost that it moved."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from twin.board.grid import centre, space_at, to_board
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import State, home_space, magnets
from twin.game.actions import GiveBack, Put, Search, Stop
from twin.game.positions import PLACE
from twin.game.rules import garment_under, joint
from twin.outcome.fates import gripping

if TYPE_CHECKING:
    from twin.board.machine import Machine
    from twin.board.state import Magnet
    from twin.game.positions import Game
    from twin.game.rules import Happening
    from twin.play.catalogue import Catalogue
    from twin.play.session import Step


def told(step: Step, machine: Machine, catalogue: Catalogue) -> list[str]:
    """Everything that all players may know of a step. What was seen in a deck is not among it."""
    lines = [action_sentence(step, machine, catalogue)]
    happening = step.event.happening
    if happening is not None:
        lines += _ghosts(step, happening, machine, catalogue)
    if isinstance(step.action, Put):
        lines += _left_over(step, machine, catalogue)
    if isinstance(step.action, Search):
        key = "action.missing" if step.event.found is None else "action.found"
        lines.append(catalogue(key, player=catalogue.colour(step.player)))
    if step.after.is_over:
        lines.append(end_sentence(step.after, catalogue))
    return lines


def action_sentence(step: Step, machine: Machine, catalogue: Catalogue) -> str:  # noqa: PLR0911 - one per action
    """What a player did."""
    say, player = catalogue, catalogue.colour(step.player)
    match step.action:
        case Turn(direction):
            return say("action.turn", player=player, direction=say(f"directions.{direction}"))
        case Push(slider, direction):
            return say("action.push", player=player, slider=slider, direction=say(f"directions.{direction}"))
        case Drag(_, direction):
            return say("action.drag", player=player, direction=say(f"directions.{direction}"))
        case Relocate(slider, tunnel, offset, flip):
            key = "action.relocate_flip" if flip else "action.relocate"
            return say(key, player=player, slider=slider, tunnel=tunnel, offset=offset)
        case Search(deck):
            card = garment_under(step.before, machine)
            name = "" if card is None else machine.castle.legend()[card]
            return say("action.search", player=player, deck=deck, garment=say.garment(name))
        case Put(ghost, space):
            return say("action.place", ghost=say.colour(ghost), space=space)
        case GiveBack(top, place):
            if place is not None:
                return say("action.put", player=player, place=place)
            return (
                say("action.keep", player=player)
                if top is None
                else say("action.top", player=player, part=say.part(top))
            )
        case Stop():
            return say("action.stop", player=player)


def end_sentence(game: Game, catalogue: Catalogue) -> str:
    """The winner, or that there is none."""
    if game.winner is None:
        return catalogue("header.draw")
    return catalogue("header.won", player=catalogue.colour(game.options.players[game.winner]))


def choices(game: Game, catalogue: Catalogue) -> list[str]:
    """Who is to be placed where, and which spaces are not free because another ghost needs them (D4, D5, G9)."""
    if game.pending is None:
        return []
    ways, lines, open_ghosts = joint(game.pending), [], 0
    for colour, spaces in game.pending.options:
        free = sorted({way[colour] for way in ways})
        if len(free) < 2:
            continue
        open_ghosts += 1
        name = catalogue.colour(colour)
        lines.append(catalogue("choice.place", ghost=name, spaces=catalogue.listed(free, "or")))
        settled = {options[0] for other, options in game.pending.options if other != colour and len(options) == 1}
        taken = [space for space in spaces if space not in free and space not in settled]
        lines += [catalogue("choice.reserved", ghost=name, space=space) for space in taken]
    return [*lines, catalogue("choice.order")] if open_ghosts > 1 else lines


def _ghosts(step: Step, happening: Happening, machine: Machine, catalogue: Catalogue) -> list[str]:
    """A sentence for each ghost that moved, and one if they jammed."""
    options, walls = dict(happening.pending.options), dict(happening.walls)
    lines = []
    for colour, fate in happening.fates:
        if fate == "stayed" and options[colour] == (home_space(step.before.board, colour, machine),):
            continue
        if fate == "dragged" and len(options[colour]) == 1:  # that it was dragged stands there already
            lines.append(catalogue("action.arrives", ghost=catalogue.colour(colour), space=options[colour][0]))
            continue
        text = _fate(step, colour, fate, happening, machine, catalogue)
        if walls[colour]:
            text += catalogue.count("end.walls", walls[colour])
        if happening.conflict:
            lines.append(text + ".")
        else:
            where = _end(step, colour, fate, options[colour], machine, catalogue)
            lines.append(catalogue("end.sentence", what=text, where=where))
    if happening.conflict:
        places = ", ".join(f"{catalogue.colour(colour)} {spaces[0]}" for colour, spaces in options.items())
        lines.append(catalogue("end.conflict", places=places))
    return lines or [catalogue("action.still")]


def _fate(step: Step, colour: str, fate: str, happening: Happening, machine: Machine, catalogue: Catalogue) -> str:
    ghost = catalogue.colour(colour)
    others = [other for other in step.before.board.colours if other != colour]
    if fate == "shoved" and len(others) == 1:
        return catalogue("fate.shoved_by", ghost=ghost, other=catalogue.colour(others[0]))
    if fate == "carried" and isinstance(step.action, Push):
        return catalogue("fate.carried", ghost=ghost, slider=step.action.slider)
    if fate in {"held", "caught"}:
        space = _magnet_space(step, colour, fate, happening, machine)
        if space is None:
            return catalogue(f"fate.{fate}_outside", ghost=ghost)
        return catalogue(f"fate.{fate}", ghost=ghost, space=space)
    return catalogue(f"fate.{fate}", ghost=ghost)


def _magnet_space(step: Step, colour: str, fate: str, happening: Happening, machine: Machine) -> str | None:
    """The space that now lies over the magnet that holds a ghost; None if the magnet sticks out beyond the board."""
    pending = happening.pending
    after = State(pending.orientation, step.before.board.ghosts, pending.sliders)
    here = magnets(after, machine)
    magnet: Magnet | None = None
    if fate == "held":  # in a turn sliders lie still, so its magnet is the one that it started on
        magnet = gripping(step.before.board.places[colour], here, machine)
    if magnet is None:
        spots = [centre(space, machine.space, pending.orientation) for space in dict(pending.options)[colour]]
        middle = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
        magnet = min(here, key=lambda one: math.dist(middle, (one.x, one.y)))
    x, y = to_board((magnet.x / machine.space, magnet.y / machine.space), pending.orientation)
    return space_at(round(x), round(y))


def _end(step: Step, colour: str, fate: str, spaces: tuple[str, ...], machine: Machine, catalogue: Catalogue) -> str:
    """Where a ghost ended, or what is still to be chosen."""
    if len(spaces) == 1:
        return catalogue("end.stands", space=spaces[0])
    pending = step.after.pending if step.after.phase == PLACE else None
    free = {way[colour] for way in joint(pending)} if pending else {home_space(step.after.board, colour, machine)}
    if fate == "fell":
        return catalogue("end.corner") if len(free) > 1 else catalogue("end.corner_forced", space=min(free))
    listed = catalogue.listed(spaces)
    if len(free) > 1:
        return catalogue("end.straddles", spaces=listed)
    return catalogue("end.forced", spaces=listed, space=min(free))


def _left_over(step: Step, machine: Machine, catalogue: Catalogue) -> list[str]:
    """The other ghosts that a placing leaves only one space."""
    if step.before.pending is None or not isinstance(step.action, Put):
        return []
    ways = joint(step.before.pending)
    after = step.after
    lines = []
    for colour, _ in step.before.pending.options:
        before = {way[colour] for way in ways}
        if colour == step.action.ghost or len(before) == 1:
            continue
        if after.phase == PLACE and after.pending is not None:
            now = {way[colour] for way in joint(after.pending)}
        else:
            now = {home_space(after.board, colour, machine)}
        if len(now) == 1:
            lines.append(catalogue("action.leaves", ghost=catalogue.colour(colour), space=min(now)))
    return lines
