"""The line under the board: whose turn it is, what is waited for, and how many moves are left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.drawing.palette import GHOSTS, HIGHLIGHT, NIGHT, PANEL, PANEL_DIM, PANEL_LINE, PANEL_TEXT, WHITE, WRONG, blend
from twin.drawing.text_measure import text_width
from twin.game.positions import MOVE, MOVES_A_TURN, PLACE, RETURN
from twin.game.rules import may_search
from twin.play.telling import end_sentence
from twin.window.layout import USUAL_STRIP

if TYPE_CHECKING:
    from twin.window.game_session import GameSession
    from twin.window.layout import Layout
    from twin.window.screen.painter import Painter

SMALL: Final = 12.0
"""Letters where the line has to be two, pixels, in a window of 800 pixels' height."""


def paint_line(painter: Painter, layout: Layout, session: GameSession) -> None:
    """Say the line under the board: whose turn it is, what to do, and how many moves are left."""
    width, strip = layout.stage[2], layout.strip
    middle, grown = strip / 2, strip / USUAL_STRIP
    painter.box(0, 0, width, strip, blend(NIGHT, PANEL, 0.7))
    hue = GHOSTS[session.player]
    painter.box(0, 0, 10 * grown, strip, hue)
    right = width - 16.0 * grown
    if not session.game.is_over:
        right = _moves_left(painter, session, (right, middle, width), grown)
    text, tone = prompt(session), PANEL_TEXT
    if layout.panel == 0.0 and session.message:  # there is no other place for it
        text, tone = session.message, WRONG if session.message_is_wrong else HIGHLIGHT
    left, size, small = 24.0 * grown, 15.0 * grown, SMALL * grown
    room = max(right - left - 20.0 * grown, 60.0)
    size = max(size * min(room / max(text_width(text, size, bold=True), 1.0), 1.0), small)
    if text_width(text, size, bold=True) > room:  # two lines
        painter.words(text, left, middle + small * 1.4, small, tone, width=room, bold=True)
    else:
        painter.words(text, left, middle + size * 0.62, size, tone, bold=True)


def _moves_left(painter: Painter, session: GameSession, area: tuple[float, float, float], grown: float) -> float:
    """How many moves are left, as squares and in words; returns where they begin."""
    right, middle, width = area
    hue, pip, gap, rim = GHOSTS[session.player], 18.0 * grown, 7.0 * grown, 3.0 * grown
    for number in range(MOVES_A_TURN):
        x = right - (MOVES_A_TURN - number) * (pip + gap)
        full = number < session.game.moves_left
        painter.box(x, middle - pip / 2, pip, pip, blend(hue, WHITE, 0.25) if full else PANEL_LINE)
        if full:
            painter.box(x + rim, middle - pip / 2 + rim, pip - 2 * rim, pip - 2 * rim, hue)
    left, size = session.say.count("header.moves", session.game.moves_left), 13.0 * grown
    right -= MOVES_A_TURN * (pip + gap) + 12 * grown + text_width(left, size)
    if width > 620 * grown:
        painter.words(left, right, middle + size * 0.7, size, PANEL_DIM)
    return right


def prompt(session: GameSession) -> str:  # noqa: PLR0911 - one sentence for each thing that can be waited for
    """What is waited for, in one sentence."""
    say, game = session.say, session.game
    player = say.colour(session.player)
    seen = session.curtain.seen
    if seen is not None:
        if seen.decided:
            return say("window.cards_seen")
        return say("window.cards_place" if game.options.wandering_decks else "window.cards_top")
    if session.curtain.waits_for is not None:
        return say("curtain.down", player=say.colour(session.curtain.waits_for))
    if game.is_over:
        return end_sentence(game, say)
    if session.player not in session.seats.humans:
        return say("window.thinking", player=player)
    plan = session.plan
    if plan is not None:
        return say("window.plan", slider=plan.slider, tunnel=plan.tunnel, offset=f"{plan.offset:+d}")
    if session.options:
        ghost, _ = session.options[session.choice % len(session.options)]
        return say("window.choose", ghost=say.colour(ghost))
    phase = MOVE if session.film.runs else game.phase  # nobody is asked about ghosts that still move
    key = {PLACE: "prompt.place", RETURN: "prompt.back"}.get(phase, "prompt.act")
    text = say(key, player=player).rstrip(": ")
    if game.phase == MOVE and may_search(game, session.machine):
        return f"{player}! {say('window.search')}"
    return text
