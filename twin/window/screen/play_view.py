"""The game in a window: draws a game's session, and turns keys and mouse into what they mean there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from twin.drawing.frame import Frame
from twin.drawing.palette import HIGHLIGHT, NIGHT, WHITE
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
from twin.window.key_card import paint_card
from twin.window.screen.board_view import BoardView
from twin.window.screen.stage import Stage
from twin.window.search_picture import curtain_stamps, search_stamps

if TYPE_CHECKING:
    import arcade

    from twin.board.grid import Place
    from twin.board.state import Slider
    from twin.drawing.pose import Layers
    from twin.drawing.scene_picture import Stamp
    from twin.window.button import Button
    from twin.window.game_session import GameSession


class PlayView(BoardView):
    """One game on the screen."""

    session: GameSession
    pointer: GamePointer
    keys = COMMANDS

    def __init__(self, session: GameSession, window: arcade.Window) -> None:
        super().__init__(session, GamePointer(session), window)
        self._leaving = False
        self._shown = Shown()
        self._side = Stage(session.machine, self._side_frame(), window.get_pixel_ratio())

    def may_close(self) -> bool:
        """Whether the window may close: what cannot be kept is asked about first."""
        if not self._leaving:
            self.prompt = ask_to_leave(self.session, self._leave)
        return self.prompt is None

    # -- parts ------------------------------------------------------------------------------------------------------

    def _leave(self) -> None:
        self._leaving, self.prompt = True, None
        self.window.on_close()

    def _carry_out(self, command: str) -> None:
        if command == "save":
            self.prompt = ask_to_save(self.session)
        else:
            game_commands.carry_out(self.session, command)

    def _click(self, command: str) -> None:
        # A deck on the table is no card in the hand; but it is a place to which a deck can go (Q8).
        cards_are_open = self.session.curtain.seen is not None and not self.session.game.options.wandering_decks
        if not (cards_are_open and command.startswith("number")):
            self.run(command)

    def _press(self, place: Place, *, free: bool) -> None:  # noqa: ARG002 - nothing is placed freely in a game
        self.pointer.press(place)

    def _layers(self) -> Layers:
        return replace(self.session.layers, handles=self.session.may_act)

    def _ahead(self) -> Slider | None:
        plan = self.session.plan
        return None if plan is None else relocated(self.session.game.board, plan)

    def _corner(self) -> int | None:
        return super()._corner() if self.session.may_act else None

    def _board_stamps(self) -> list[Stamp]:
        """The board, and what lies over it."""
        session, room = self.session, self.layout.stage[2] / self.frame.scale
        over = search_stamps(session) + celebration_stamps(session) + curtain_stamps(session, room)
        return super()._board_stamps() + over

    def _paint_panel(self) -> list[Button]:
        paint_line(self._panel, self.layout, self.session)
        self._shown = paint_game(self._panel, self.layout, self.session, self._mouse)
        return self._shown.buttons

    def _draw_pieces(self) -> None:
        self._side.show(self._shown.stamps(self._side_frame().scale))
        self._side.draw()

    def _paint_keys(self) -> None:
        say = self.session.say
        paint_card(self._over, self.layout, (say("window.keys"), say("window.close_card")), card(say))

    def _paint_signs(self) -> None:
        session = self.session
        if session.curtain.waits_for is not None and session.curtain.drawn >= 1.0:
            name = session.say.colour(session.curtain.waits_for)
            lines = (session.say("curtain.down", player=name), session.say("curtain.enter", player=name).rstrip(": "))
            self._banner(lines, 0.5)
        elif session.curtain.seen is not None:
            self._banner((session.say("curtain.cards", deck=session.curtain.seen.deck),), 0.9)
        elif session.game.is_over and session.is_quiet:
            self._banner((end_sentence(session.game, session.say),), 0.9)
        else:
            self._paint_tip()

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

    def _stages(self) -> list[tuple[Stage, Frame]]:
        return [*super()._stages(), (self._side, self._side_frame())]

    def _side_frame(self) -> Frame:
        return Frame(scale_of(self.layout), (0.0, 0.0))
