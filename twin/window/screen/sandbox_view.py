"""The sandbox in a window: draws a session, and turns keys and mouse into what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from twin.physics.drive import relocated
from twin.window import sandbox_commands as commands
from twin.window.key_card import paint_keys, paint_note
from twin.window.sandbox_keys import COMMANDS, HELD
from twin.window.sandbox_panel import paint_panel
from twin.window.sandbox_pointer import SandboxPointer
from twin.window.screen.board_view import KEY_NAMES, BoardView
from twin.window.timeline_strip import paint_strip

if TYPE_CHECKING:
    import arcade

    from twin.board.grid import Place
    from twin.board.state import Slider
    from twin.window.button import Button
    from twin.window.sandbox_session import SandboxSession
    from twin.window.screen.painter import Box

HELD_SPEED: Final = 1.309
"""How fast a held key turns the board, radians/s: a quarter in the 1.2 s of the nominal hand."""


class SandboxView(BoardView):
    """One session on the screen."""

    session: SandboxSession
    pointer: SandboxPointer
    keys = COMMANDS

    def __init__(self, session: SandboxSession, window: arcade.Window) -> None:
        super().__init__(session, SandboxPointer(session), window)
        self._scrubbing = False
        self._turning = 0
        self._bar: Box | None = None

    def on_key_release(self, symbol: int, _modifiers: int) -> bool:
        """A key goes up: one that turned the board stops doing so."""
        if COMMANDS.get(KEY_NAMES.get(symbol, "")) in HELD:
            self._turning = 0
        return True

    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> bool:
        """The mouse moves with a button down."""
        if not self._scrubbing:
            return super().on_mouse_drag(x, y, dx, dy, buttons, modifiers)
        self._scrub(x)
        return self.on_mouse_motion(x, y, dx, dy)

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> bool:
        """A button goes up."""
        self._scrubbing = False
        return super().on_mouse_release(x, y, button, modifiers)

    def on_mouse_scroll(self, _x: float, _y: float, _scroll_x: float, scroll_y: float) -> bool:
        """The wheel goes through the list, or through the time of the last move."""
        if self.prompt is not None:
            self.prompt.press("UP" if scroll_y > 0 else "DOWN")
        elif self.session.playback is not None and not self.show_keys:
            commands.carry_out(self.session, "step_on" if scroll_y > 0 else "step_back")
        return True

    # -- parts ------------------------------------------------------------------------------------------------------

    def _advance(self, seconds: float) -> None:
        if self._turning and self.session.live is not None:
            self.session.live.pull_by(self._turning * HELD_SPEED * seconds)
        super()._advance(seconds)
        self.pointer.tick()

    def _command_of(self, name: str, modifiers: int) -> str | None:
        number = name[4:] if name.startswith(("KEY_", "NUM_")) else ""
        return super()._command_of(name, modifiers) or (f"select_{number}" if number.isdigit() else None)

    def _carry_out(self, command: str) -> None:
        if command in {"save", "save_path", "load"}:
            self.prompt = commands.ask(self.session, command)
        elif command in HELD:
            self.session.take_board()
            self._turning = HELD[command]
        else:
            commands.carry_out(self.session, command)

    def _press(self, place: Place, *, free: bool) -> None:
        self.pointer.press(place, free=free)

    def _press_strip(self, x: float) -> None:
        self._scrubbing = True
        self._scrub(x)

    def _strip_tip(self) -> str:
        return "drag along the bar to see any instant of the last move" if self.session.playback else ""

    def _scrub(self, x: float) -> None:
        playback = self.session.playback
        if playback is not None and self._bar is not None:
            share = (x - self._bar.x) / max(self._bar.width, 1.0)
            playback.paused = True
            playback.seek(share * playback.timeline.duration)
            playback.paused = not playback.over

    def _ahead(self) -> Slider | None:
        plan = self.pointer.plan
        return None if plan is None else relocated(self.session.sandbox.state, plan)

    def _paint_panel(self) -> list[Button]:
        buttons = paint_panel(self._panel, self.layout, self.session, self._mouse)
        self._bar, under = paint_strip(self._panel, self.layout, self.session, self._mouse)
        return buttons + under

    def _paint_keys(self) -> None:
        paint_keys(self._over, self.layout)

    def _paint_signs(self) -> None:
        paint_note(self._over, self.layout, self.session)
        self._paint_tip()
