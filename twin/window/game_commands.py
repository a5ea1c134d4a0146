"""What commands do in a game: the verbs behind the keys and the buttons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from twin.board.grid import DIRECTIONS
from twin.board.moves import Drag, Push, Relocate, Turn
from twin.board.state import MAX_OFFSET
from twin.game.actions import GiveBack, Search, Stop
from twin.game.cards import part_of

if TYPE_CHECKING:
    from twin.board.moves import DragDirection, PushDirection
    from twin.window.game_session import GameSession


def carry_out(session: GameSession, command: str) -> None:  # noqa: C901, PLR0912 - one case a command
    """Carry out a command of the key table; those of the window itself are the view's, and nothing here."""
    match command.split("_"):
        case ["turn", way]:
            session.wish(Turn("cw" if way == "cw" else "ccw"))
        case [direction] if direction in DIRECTIONS:
            _arrow(session, direction)
        case ["number", digit]:
            number(session, int(digit))
        case ["select", _]:
            _select_next(session)
        case ["next", "choice"]:
            session.choice += 1
        case ["flip"]:
            if session.plan is not None:
                session.plan = replace(session.plan, flip=not session.plan.flip)
        case ["accept"]:
            session.accept()
        case ["cancel"]:
            session.plan = None
            session.forget_forecast()
            session.tell("")
        case ["stop"]:
            session.wish(Stop())
        case ["undo"]:
            session.undo()
        case ["hidden"]:
            session.layers = replace(session.layers, hidden=not session.layers.hidden)
        case ["forecast"]:
            session.ask_forecast()
        case ["replay"] if session.playback is not None and session.playback.over:
            session.playback.seek(0.0)


def number(session: GameSession, chosen: int) -> None:
    """A number: the deck to search; or the card that goes on top (Q5), or the deck's new place (Q8)."""
    seen = session.curtain.seen
    if seen is None:
        if 1 <= chosen <= len(session.game.decks):
            session.wish(Search(chosen))
    elif seen.decided:
        session.accept()
    elif session.game.options.wandering_decks:
        session.wish(GiveBack(place=chosen))
    elif 1 <= chosen <= len(seen.cards):
        session.wish(GiveBack() if chosen == 1 else GiveBack(top=part_of(seen.cards[chosen - 1])))


def begin_plan(session: GameSession, slider: str, tunnel: int, offset: int, *, flip: bool = False) -> None:
    """Think about moving a slider to another tunnel; says at once which rule forbids it, if one does."""
    plan = Relocate(slider, tunnel, min(max(offset, -MAX_OFFSET), MAX_OFFSET), flip)
    if session.table.broken(session.game.board, plan):
        session.wish(plan)  # refused, with the rule's number
    else:
        session.plan, session.selected = plan, slider
        session.tell("")


def _select_next(session: GameSession) -> None:
    if session.may_act and session.plan is None:
        names = [session.player, *(slider.name for slider in session.game.board.sliders)]
        here = names.index(session.selected) if session.selected in names else -1
        session.selected = names[(here + 1) % len(names)]
        session.forget_forecast()


def _arrow(session: GameSession, direction: str) -> None:
    """An arrow key: choose among spaces, change the plan, drag the own ghost, push the selected slider, or plan."""
    chosen, plan = session.selected, session.plan
    if not session.may_act:
        return
    if session.options:
        session.choice += 1 if direction in {"north", "east"} else -1
    elif plan is not None and direction in {"north", "south"}:
        offset = plan.offset + (1 if direction == "north" else -1)
        session.plan = replace(plan, offset=min(max(offset, -MAX_OFFSET), MAX_OFFSET))
    elif plan is not None:
        session.plan = replace(plan, tunnel=_next_tunnel(session, plan.tunnel, direction) or plan.tunnel)
    elif chosen is None or chosen == session.player:
        session.wish(Drag(session.player, cast("DragDirection", direction)))
    elif direction in {"north", "south"}:
        session.wish(Push(chosen, cast("PushDirection", direction)))
    else:
        slider = session.game.board.slider(chosen)
        there = _next_tunnel(session, slider.tunnel, direction)
        step = 1 if direction == "east" else -1
        beside = min(max(slider.tunnel + step, 1), len(session.machine.tunnels))
        begin_plan(session, chosen, there or beside, slider.offset)


def _next_tunnel(session: GameSession, here: int, direction: str) -> int | None:
    """The next tunnel on that side that a slider may enter (C2)."""
    free = session.table.free_tunnels(session.game.board)
    beyond = [tunnel for tunnel in free if (tunnel > here if direction == "east" else tunnel < here)]
    return None if not beyond else min(beyond) if direction == "east" else max(beyond)
