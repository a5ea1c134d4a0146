"""The game in a window: draws a game's session, and turns keys and mouse into what they mean there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import arcade

from twin.drawing.frame import Frame, fitted
from twin.drawing.palette import HIGHLIGHT, NIGHT, WHITE
from twin.drawing.pose import lying
from twin.drawing.scene_picture import stamps
from twin.drawing.text_measure import text_width
from twin.physics.drive import relocated
from twin.play.telling import end_sentence
from twin.window import game_commands
from twin.window.celebration import celebration_stamps
from twin.window.game_files import ask_to_leave, ask_to_save
from twin.window.game_keys import COMMANDS, card
from twin.window.game_line import paint_line
from twin.window.game_panel import Shown, paint_game, scale_of
from twin.window.game_pointer import GamePointer
from twin.window.key_card import paint_card, paint_tip
from twin.window.layout import layout_of
from twin.window.prompt import clicked, keyed
from twin.window.screen.painter import Painter
from twin.window.screen.sandbox_view import CALM, KEY_NAMES, LONGEST_FRAME, MODIFIERS, PATIENCE, chord_of
from twin.window.screen.stage import Stage
from twin.window.search_picture import curtain_stamps, search_stamps

if TYPE_CHECKING:
    from twin.drawing.scene_picture import Stamp
    from twin.window.game_session import GameSession
    from twin.window.prompt import Asked


class PlayView(arcade.View):
    """One game on the screen."""

    def __init__(self, session: GameSession, window: arcade.Window) -> None:
        super().__init__(window)
        self.session = session
        self.pointer = GamePointer(session)
        self.show_panel = True
        self.show_keys = False
        self.prompt: Asked | None = None
        self._leaving = False
        self._mouse = (-1.0, -1.0)
        self._rested = 0.0
        self._resized = 0.0
        self._shown = Shown()
        self._panel, self._over = Painter(), Painter()
        ratio = window.get_pixel_ratio()
        self.layout = layout_of(window.width, window.height, panel=True)
        self.frame = fitted(*self.layout.stage)
        self._stage = Stage(session.machine, self.frame, ratio)
        self._side = Stage(session.machine, self._side_frame(), ratio)

    # -- time and drawing -------------------------------------------------------------------------------------------

    def on_update(self, delta_time: float) -> bool:
        """Let time pass."""
        seconds = min(delta_time, LONGEST_FRAME)
        self.session.advance(seconds)
        self._rested += seconds
        self._resized += seconds
        self._fit()
        return True

    def on_draw(self) -> bool:
        """Draw everything."""
        self.clear(color=NIGHT)
        session = self.session
        self._stage.show(self._board_stamps())
        self._stage.draw()
        self._panel.begin()
        paint_line(self._panel, self.layout, session)
        self._shown = paint_game(self._panel, self.layout, session, self._mouse)
        self._panel.draw()
        side = self._side_frame()
        self._side.show(self._shown.stamps(side.scale))
        self._side.draw()
        self._over.begin()
        self._paint_over()
        self._over.draw()
        return True

    def on_resize(self, width: int, height: int) -> None:
        """Share the window out anew; pictures follow once it has kept its size for a moment."""
        super().on_resize(width, height)
        self._resized = 0.0
        self._share_out()

    # -- keys -------------------------------------------------------------------------------------------------------

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """A key goes down."""
        name = KEY_NAMES.get(symbol, "")
        if self.prompt is not None:
            self.prompt = keyed(self.prompt, name)
            return True
        command = COMMANDS.get(chord_of(name, modifiers)) or COMMANDS.get(name if name == "QUESTION" else "")
        if command is not None:
            self.run(command)
        elif self.show_keys:
            self.show_keys = name in MODIFIERS
        return True

    def on_text(self, text: str) -> bool:
        """Letters are typed."""
        if self.prompt is not None:
            self.prompt.type(text)
        return True

    def run(self, command: str) -> None:
        """Carry out a command, of the window or of the game; over the key card it only closes that."""
        if self.show_keys and command != "quit":
            self.show_keys = False
            return
        match command:
            case "help":
                self.show_keys = True
            case "panel":
                self.show_panel = not self.show_panel
                self._share_out()
            case "fullscreen":
                self.window.set_fullscreen(not self.window.fullscreen)
            case "quit":
                self.window.on_close()
            case "save":
                self.prompt = ask_to_save(self.session)
            case _:
                game_commands.carry_out(self.session, command)

    def may_close(self) -> bool:
        """Whether the window may close: what cannot be kept is asked about first."""
        if not self._leaving:
            self.prompt = ask_to_leave(self.session, self._leave)
        return self.prompt is None

    # -- mouse ------------------------------------------------------------------------------------------------------

    def on_mouse_motion(self, x: float, y: float, _dx: float, _dy: float) -> bool:
        """The mouse moves."""
        self._mouse, self._rested = (x, y), 0.0
        return True

    def on_mouse_press(self, x: float, y: float, button: int, _modifiers: int) -> bool:
        """A button goes down."""
        self._mouse, self._rested = (x, y), 0.0
        if self.prompt is not None:
            self.prompt = clicked(self.prompt, x, y)
            return True
        if self.show_keys:
            self.show_keys = False
            return True
        if button != arcade.MOUSE_BUTTON_LEFT:
            return True
        for spot in self._shown.spots:
            if spot.box.holds(x, y):
                # A deck on the table is no card in the hand; but it is a place to which a deck can go (Q8).
                game = self.session.game
                if self.session.curtain.seen is None or game.options.wandering_decks or spot.command[:6] != "number":
                    self.run(spot.command)
                return True
        if y >= self.layout.stage[1] and x < self.layout.width - self.layout.panel:
            self.pointer.press(self.frame.to_place((x, y)))
        return True

    def on_mouse_drag(self, x: float, y: float, _dx: float, _dy: float, _buttons: int, _modifiers: int) -> bool:
        """The mouse moves with a button down."""
        self._mouse, self._rested = (x, y), 0.0
        self.pointer.pull(self.frame.to_place((x, y)))
        return True

    def on_mouse_release(self, _x: float, _y: float, _button: int, _modifiers: int) -> bool:
        """A button goes up."""
        self.pointer.release()
        return True

    # -- parts ------------------------------------------------------------------------------------------------------

    def _leave(self) -> None:
        self._leaving, self.prompt = True, None
        self.window.on_close()

    def _board_stamps(self) -> list[Stamp]:
        """The board, what is planned on it, and what lies over it."""
        session, notes = self.session, self.session.notes()
        layers, plan = session.layers, session.plan
        if plan is not None:
            layers = replace(layers, hidden=True)
            notes = replace(notes, planned=lying(relocated(session.game.board, plan), session.machine))
        corner = self._corner()
        if corner is not None:
            notes = replace(notes, handle=corner)
        pose = session.pose()
        found = stamps(pose, session.machine, replace(layers, handles=session.may_act), notes)
        room = self.layout.stage[2] / self.frame.scale
        return found + search_stamps(session) + celebration_stamps(session) + curtain_stamps(session, room)

    def _paint_over(self) -> None:
        session = self.session
        if self.prompt is not None:
            self.prompt.paint(self._over, self.layout)
        elif self.show_keys:
            say = session.say
            paint_card(self._over, self.layout, (say("window.keys"), say("window.close_card")), card(say))
        elif session.curtain.waits_for is not None and session.curtain.drawn >= 1.0:
            name = session.say.colour(session.curtain.waits_for)
            lines = (session.say("curtain.down", player=name), session.say("curtain.enter", player=name).rstrip(": "))
            self._banner(lines, 0.5)
        elif session.curtain.seen is not None:
            self._banner((session.say("curtain.cards", deck=session.curtain.seen.deck),), 0.9)
        elif session.game.is_over and session.is_quiet:
            self._banner((end_sentence(session.game, session.say),), 0.9)
        else:
            tip = self._tip()
            if tip:
                paint_tip(self._over, self.layout, tip, self._mouse)

    def _banner(self, lines: tuple[str, ...], height: float) -> None:
        """Large words over the board, the first the largest."""
        left, bottom, width, tall = self.layout.stage
        sizes = [self.layout.unit * (1.9 if number == 0 else 1.15) for number in range(len(lines))]
        lengths = [text_width(line, 1.0, bold=True) for line in lines]
        sizes = [min(size, (width - 80) / length) for size, length in zip(sizes, lengths, strict=True)]
        wide = max(size * length for size, length in zip(sizes, lengths, strict=True)) + 44
        high = sum(sizes) * 1.5 + 22
        top = bottom + tall * height + high / 2
        self._over.box(left + (width - wide) / 2, top - high, wide, high, HIGHLIGHT)
        self._over.box(left + (width - wide) / 2 + 3, top - high + 3, wide - 6, high - 6, (*NIGHT[:3], 245))
        top -= 12
        for number, (line, size, length) in enumerate(zip(lines, sizes, lengths, strict=True)):
            tone = HIGHLIGHT if number == 0 else WHITE
            self._over.words(line, left + (width - size * length) / 2, top, size, tone, bold=True)
            top -= size * 1.5

    def _share_out(self) -> None:
        self.layout = layout_of(self.window.width, self.window.height, panel=self.show_panel)
        self.frame = fitted(*self.layout.stage)
        self._stage.move_to(self.frame)
        self._side.move_to(self._side_frame())

    def _side_frame(self) -> Frame:
        return Frame(scale_of(self.layout), (0.0, 0.0))

    def _fit(self) -> None:
        """Draw pictures anew once the window has kept its size for a moment."""
        if self._resized < CALM:
            return
        machine, ratio = self.session.machine, self.window.get_pixel_ratio()
        for stage, frame in ((self._stage, self.frame), (self._side, self._side_frame())):
            if not stage.suits(machine, frame, ratio):
                stage.remake(machine, frame, ratio)

    def _corner(self) -> int | None:
        """The corner that would be taken."""
        x, y = self._mouse
        if not self.session.may_act or y < self.layout.stage[1] or x > self.layout.width - self.layout.panel:
            return None
        target = self.pointer.target(self.frame.to_place(self._mouse))
        return int(target.name) if target is not None and target.kind == "corner" else None

    def _tip(self) -> str:
        if self._rested < PATIENCE or self._mouse[0] < 0:
            return ""
        for spot in self._shown.spots:
            if spot.box.holds(*self._mouse):
                return spot.tip
        x, y = self._mouse
        if y < self.layout.stage[1] or x > self.layout.width - self.layout.panel:
            return ""
        return self.pointer.tip(self.frame.to_place(self._mouse))
