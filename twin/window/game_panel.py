"""The side panel of a game: players in their costumes, decks, buttons, and the story.

Boxes and words go to a painter; figures and decks come back as sprites for a stage that lies over them, at places in
pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from twin.board.castle import PARTS as BODY
from twin.drawing import costume_picture, deck_picture
from twin.drawing.palette import (
    BUTTON,
    GHOSTS,
    HIGHLIGHT,
    PANEL,
    PANEL_DIM,
    PANEL_LINE,
    PANEL_TEXT,
    PARTS,
    WHITE,
    WRONG,
    blend,
)
from twin.drawing.scene_picture import Stamp
from twin.drawing.text_measure import text_width
from twin.game.cards import back_on_top
from twin.game.positions import MOVE
from twin.game.rules import may_search
from twin.play.commands import written
from twin.window.button import Button, paint_button
from twin.window.game_keys import key_name
from twin.window.layout import USUAL

if TYPE_CHECKING:
    from twin.drawing.artwork import Key
    from twin.window.game_session import GameSession
    from twin.window.layout import Layout
    from twin.window.screen.painter import Painter

MM: Final = 1.25
"""Pixels of a figure's millimetre at the usual size of letters."""

_VERDICTS: Final = {False: "window.forecast_sure", True: "window.forecast_chancy", None: "window.forecast_open"}
"""Words for a forecast, by whether it is chancy."""

LARGEST: Final = 1.3
"""How much larger figures grow where few players leave room."""


@dataclass
class Shown:
    """What a panel is made of besides boxes and words."""

    buttons: list[Button] = field(default_factory=list)
    sprites: list[tuple[Key, float, float]] = field(default_factory=list)
    """Pictures and the pixels of their middles."""

    def stamps(self, scale: float) -> list[Stamp]:
        """The sprites as stamps of a stage with its origin in the window's corner, at `scale` pixels per mm."""
        return [Stamp(key, x / scale, y / scale) for key, x, y in self.sprites]


def scale_of(layout: Layout) -> float:
    """Pixels per mm of figures and decks: as the letters grow, but so that four decks find room side by side."""
    room = (layout.panel - 2 * layout.unit) / 4 / (deck_picture.BACK[0] + 12.0)
    return min(MM * layout.unit / USUAL, room) if layout.panel else MM


def paint_game(painter: Painter, layout: Layout, session: GameSession, mouse: tuple[float, float]) -> Shown:
    """Say the panel."""
    shown = Shown()
    if layout.panel == 0.0:
        return shown
    left, unit = layout.width - layout.panel, layout.unit
    inner = layout.panel - 2 * unit
    painter.box(left, 0, layout.panel, layout.height, PANEL)
    painter.box(left, 0, 2, layout.height, PANEL_LINE)
    game, say = session.game, session.say
    top = layout.height - unit * 0.8
    head = say("header.turn", turn=game.turn)
    if session.play.casual:
        head += f" · {say('header.casual')}"
    top -= painter.words(head, left + unit, top, unit * 0.85, PANEL_DIM, width=inner) + unit * 0.1
    sizes = (unit, scale_of(layout))
    top = _players(painter, session, (left + unit, top, inner), sizes, shown)
    top = _decks(painter, session, (left + unit, top, inner), sizes, shown)
    top = _buttons(painter, session, (left + unit, top, inner), unit, mouse, shown)
    _story(painter, session, (left + unit, top, inner), unit)
    _flight(session, shown)
    return shown


def _players(
    painter: Painter, session: GameSession, area: tuple[float, float, float], sizes: tuple[float, float], shown: Shown
) -> float:
    """Everybody as a figure, in the order of play; the one whose turn it is on a lighter ground."""
    (left, top, inner), (unit, scale) = area, sizes
    game, say = session.game, session.say
    count = len(game.options.players)
    gap = 6.0
    wide = (inner - gap * (count - 1)) / count
    large = round(min((wide - 8) / (costume_picture.WIDTH * scale), LARGEST), 2)
    figure = costume_picture.HEIGHT * scale * large
    tall = figure + unit * 4.0
    flying = session.flight
    for seat, (colour, who) in enumerate(session.seats.players):
        x = left + seat * (wide + gap)
        turn = seat == game.seat and not game.is_over
        won = game.winner == seat
        if turn or won:
            painter.box(x - 2, top - tall - 2, wide + 4, tall + 4, HIGHLIGHT if won else GHOSTS[colour])
        painter.box(x, top - tall, wide, tall, blend(PANEL, BUTTON, 0.95 if turn or won else 0.45))
        name = say.colour(colour)
        size = min(unit, unit * (wide - 8) / max(text_width(name, unit, bold=True), 1.0))
        middle = x + wide / 2
        painter.words(name, middle - text_width(name, size, bold=True) / 2, top - 5, size, PANEL_TEXT, bold=True)
        if who in session.seats.bots.values():
            small = unit * 0.72
            painter.words(who, middle - text_width(who, small) / 2, top - 7 - unit * 1.1, small, PANEL_DIM)
        cards = [c for c in game.owned[seat] if flying is None or flying.seat != seat or c != flying.card]
        key: Key = ("figure", large, colour, *cards)
        shown.sprites.append((key, middle, top - tall + unit * 1.3 + figure / 2))
        pip, apart = min(unit * 0.72, wide / 7), min(unit, wide / 6)
        for number, part in enumerate(BODY):
            has = part in game.parts(seat)
            at = middle + (number - 2) * apart - pip / 2
            painter.box(at, top - tall + unit * 0.45, pip, pip, blend(PARTS[part], WHITE, 0.25) if has else PANEL_LINE)
    return top - tall - unit * 0.8


def _decks(
    painter: Painter, session: GameSession, area: tuple[float, float, float], sizes: tuple[float, float], shown: Shown
) -> float:
    """The four decks: the back on top, how many cards, and the key that searches each."""
    (left, top, inner), (unit, scale) = area, sizes
    game, say = session.game, session.say
    tall = (deck_picture.BACK[1] + 14) * scale
    wide = inner / len(game.decks)
    lit = session.may_act and game.phase == MOVE and may_search(game, session.machine)
    for place, deck in enumerate(game.decks, 1):
        x = left + (place - 1) * wide
        part = back_on_top(deck) or ""
        shown.sprites.append((("deck", part, len(deck), lit and bool(deck)), x + wide / 2, top - tall / 2))
        text = say("panel.empty", number=place)
        if deck:
            text = say("panel.deck", number=place, part=say.part(part), count=len(deck))
        size = min(unit * 0.8, unit * 0.8 * (wide - 6) / max(text_width(text, unit * 0.8), 1.0))
        painter.words(
            text, x + wide / 2 - text_width(text, size) / 2, top - tall - 1, size, PANEL_TEXT if deck else PANEL_DIM
        )
        box = painter.box(x, top - tall - unit * 1.2, wide, tall + unit * 1.2, (0, 0, 0, 0))
        tip = f"{say('help.search')}  [{place}]" if deck else text
        shown.buttons.append(Button(box, f"number_{place}", tip))
    return top - tall - unit * 1.9


def _buttons(
    painter: Painter,
    session: GameSession,
    area: tuple[float, float, float],
    unit: float,
    mouse: tuple[float, float],
    shown: Shown,
) -> float:
    left, top, inner = area
    say = session.say
    on = {"hidden": session.layers.hidden, "forecast": session.forecasting is not None}
    rows = (
        (("turn_ccw", "⟲", "window.key_turn_ccw"), ("turn_cw", "⟳", "window.key_turn_cw"), ("stop", "", "help.stop")),
        (("undo", "", "help.undo"), ("save", "", "help.save"), ("help", "?", "window.key_help")),
    )
    if session.plan is not None:
        rows = (
            (
                ("flip", "", "window.key_flip"),
                ("accept", "do", "window.key_accept"),
                ("cancel", "cancel", "window.key_cancel"),
            ),
            rows[1],
        )
    wide, tall, gap = (inner - 2 * 6) / 3, unit * 1.85, 6
    for number, (command, sign, text) in enumerate(entry for row in rows for entry in row):
        x = left + (number % 3) * (wide + gap)
        y = top - tall - (number // 3) * (tall + gap)
        open_to_all = command in {"save", "help"}
        idle = not open_to_all and not session.may_act and session.curtain.seen is None
        word = {"do": say("window.do"), "cancel": say("window.cancel"), "?": say("window.keys")}.get(sign) or sign
        if not word:
            word = say.word("flip" if command == "flip" else "verbs", command)
        word = f"{word}  {key_name(command)}" if command in {"turn_ccw", "turn_cw"} else word
        size = unit * (1.1 if sign in {"⟲", "⟳"} else 0.92)
        box = paint_button(painter, (x, y, wide, tall), word, size, mouse, on=on.get(command, False), idle=idle)
        shown.buttons.append(Button(box, command, f"{say(text)}  [{key_name(command)}]"))
    return top - len(rows) * (tall + gap) - unit * 0.5


def _story(painter: Painter, session: GameSession, area: tuple[float, float, float], unit: float) -> None:
    """What was told last, and what happened, the latest on top as far as there is room."""
    left, top, inner = area
    size = unit * 0.9
    if session.message:
        tone = WRONG if session.message_is_wrong else HIGHLIGHT
        top -= painter.words(session.message, left, top, unit * 0.95, tone, width=inner) + unit * 0.5
    if session.forecasting is not None:
        drawn = 0 if session.forecast is None else session.forecast.size
        text = session.say("window.forecast_of", count=drawn, move=written(session.forecasting, session.say))
        if session.forecast is not None:
            text += f" – {session.say(_VERDICTS[session.forecast.chancy])}"
        top -= painter.words(text, left, top, unit * 0.95, HIGHLIGHT, width=inner) + unit * 0.5
    for number, (player, lines) in enumerate(reversed(session.story)):
        moving = number == 0 and session.playback is not None and session.playback.time < session.playback.timeline.end
        for index, line in enumerate(lines if not moving else lines[:1]):
            rows = max(round(text_width(line, size) / (inner - unit * 1.3) + 0.5), 1)
            if top - rows * size * 1.25 < unit * 0.6:
                return
            tone = PANEL_TEXT if number == 0 else PANEL_DIM
            if index == 0:
                painter.box(left, top - size * 1.05, unit * 0.55, unit * 0.55, GHOSTS[player])
            height = painter.words(line, left + unit * 1.2, top, size, tone, width=inner - unit * 1.2)
            top -= height + unit * 0.15
        top -= unit * 0.35


def _flight(session: GameSession, shown: Shown) -> None:
    """A found card on its way from its deck to its owner."""
    flight = session.flight
    if flight is None:
        return
    players = len(session.game.options.players)
    (_, x0, y0), (_, x1, y1) = shown.sprites[players + flight.deck - 1], shown.sprites[flight.seat]
    share = flight.share
    smooth = share * share * (3.0 - 2.0 * share)
    hop = 30.0 * 4.0 * share * (1.0 - share)
    shown.sprites.append((("piece", flight.card), x0 + smooth * (x1 - x0), y0 + smooth * (y1 - y0) + hop))
