"""The line under the board: whose turn it is, what is waited for, and how many moves are left."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from twin.game.rules import may_search
from twin.game.state import MOVE, MOVES_A_TURN, PLACE, RETURN
from twin.play.telling import end_sentence
from twin.viewer.palette import GHOSTS, HIGHLIGHT, NIGHT, PANEL, PANEL_DIM, PANEL_LINE, PANEL_TEXT, WHITE, WRONG, blend
from twin.viewer.panel import STRIP
from twin.viewer.pen import font_of

if TYPE_CHECKING:
    from twin.viewer.game_session import GameSession
    from twin.viewer.panel import Layout
    from twin.viewer.screen.painter import Painter

SMALL: Final = 12.0
"""Letters where the line has to be two, pixels."""


def paint_line(painter: Painter, layout: Layout, session: GameSession) -> None:
    """Say the line under the board: whose turn it is, what to do, and how many moves are left."""
    width = layout.stage[2]
    painter.box(0, 0, width, STRIP, blend(NIGHT, PANEL, 0.7))
    hue = GHOSTS[session.player]
    painter.box(0, 0, 10, STRIP, hue)
    pip, gap = 18.0, 7.0
    right = width - 16.0
    if not session.game.is_over:
        for number in range(MOVES_A_TURN):
            x = right - (MOVES_A_TURN - number) * (pip + gap)
            full = number < session.game.moves_left
            painter.box(x, STRIP / 2 - pip / 2, pip, pip, blend(hue, WHITE, 0.25) if full else PANEL_LINE)
            if full:
                painter.box(x + 3, STRIP / 2 - pip / 2 + 3, pip - 6, pip - 6, hue)
        right -= MOVES_A_TURN * (pip + gap) + 12
        left = session.say.count("header.moves", session.game.moves_left)
        size = 13.0
        right -= text_width(left, size)
        if width > 620:
            painter.words(left, right, STRIP / 2 + 9, size, PANEL_DIM)
    text, tone = prompt(session), PANEL_TEXT
    if layout.panel == 0.0 and session.message:  # there is no other place for it
        text, tone = session.message, WRONG if session.message_is_wrong else HIGHLIGHT
    size, room = 15.0, max(right - 44.0, 60.0)
    size = max(size * min(room / max(text_width(text, size, bold=True), 1.0), 1.0), SMALL)
    if text_width(text, size, bold=True) > room:  # two lines
        painter.words(text, 24, STRIP / 2 + SMALL * 1.4, SMALL, tone, width=room, bold=True)
    else:
        painter.words(text, 24, STRIP / 2 + size * 0.62, size, tone, bold=True)


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
    key = {PLACE: "prompt.place", RETURN: "prompt.back"}.get(game.phase, "prompt.act")
    text = say(key, player=player).rstrip(": ")
    if game.phase == MOVE and may_search(game, session.machine):
        return f"{player}! {say('window.search')}"
    return text


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is, pixels, with a little to spare: screens round letters to whole pixels."""
    return _length(text, bold) * size * 1.03


@lru_cache(maxsize=1024)
def _length(text: str, bold: bool) -> float:  # noqa: FBT001 - a cache's key
    return font_of(100, bold=bold).getlength(text) / 100
