"""The sandbox in a window: draws a session, and turns keys and mouse into what they mean."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import arcade

from twin.drawing.frame import fitted
from twin.drawing.palette import NIGHT
from twin.drawing.pose import lying
from twin.drawing.scene_picture import stamps
from twin.physics.drive import relocated
from twin.window import sandbox_commands as commands
from twin.window.key_card import paint_keys, paint_note, paint_tip
from twin.window.layout import layout_of
from twin.window.prompt import clicked, keyed
from twin.window.sandbox_keys import COMMANDS, HELD
from twin.window.sandbox_panel import Button, paint_panel
from twin.window.sandbox_pointer import Pointer
from twin.window.screen.painter import Painter
from twin.window.screen.stage import Stage
from twin.window.timeline_strip import paint_strip

if TYPE_CHECKING:
    from twin.window.prompt import Asked
    from twin.window.sandbox_session import Session
    from twin.window.screen.painter import Box

PATIENCE: Final = 0.45
"""How long the mouse rests before a tooltip comes, s."""

CALM: Final = 0.15
"""How long a window keeps its size before pictures are drawn anew for it, s."""

HELD_SPEED: Final = 1.309
"""How fast a held key turns the board, radians/s: a quarter in the 1.2 s of the nominal hand."""

LONGEST_FRAME: Final = 0.1
"""After a longer pause than this the time that has passed is not made up for, s."""

KEY_NAMES: Final = {
    value: name
    for name, value in vars(arcade.key).items()
    # Motions are other names for the arrow keys, which go by their own.
    if name.isupper() and isinstance(value, int) and not name.startswith(("MOTION_", "MOD_"))
}
"""Names of keys by their symbols, as the tables of keys write them."""

MODIFIERS: Final = frozenset(
    {"", "MODESWITCH", "CAPSLOCK", "NUMLOCK", "SCROLLLOCK"}  # a key without a name may be one too, such as AltGr
    | {f"{side}{key}" for side in "LR" for key in ("SHIFT", "CTRL", "ALT", "META", "WINDOWS", "COMMAND", "OPTION")}
)
"""Names of keys that do nothing by themselves."""


class SandboxView(arcade.View):
    """One session on the screen."""

    def __init__(self, session: Session, window: arcade.Window) -> None:
        super().__init__(window)
        self.session = session
        self.pointer = Pointer(session)
        self.show_panel = True
        self.show_keys = False
        self.prompt: Asked | None = None
        self._mouse = (-1.0, -1.0)
        self._rested = 0.0
        self._resized = 0.0
        self._scrubbing = False
        self._turning = 0
        self._buttons: list[Button] = []
        self._bar: Box | None = None
        self._panel, self._over = Painter(), Painter()
        self.layout = layout_of(window.width, window.height, panel=True)
        self.frame = fitted(*self.layout.stage)
        self._stage = Stage(session.machine, self.frame, window.get_pixel_ratio())

    # -- time and drawing -------------------------------------------------------------------------------------------

    def on_update(self, delta_time: float) -> bool:
        """Let time pass."""
        seconds = min(delta_time, LONGEST_FRAME)
        if self._turning and self.session.live is not None:
            self.session.live.pull_by(self._turning * HELD_SPEED * seconds)
        self.session.advance(seconds)
        self.pointer.tick()
        self._rested += seconds
        self._resized += seconds
        self._fit()
        return True

    def on_draw(self) -> bool:
        """Draw everything."""
        self.clear(color=NIGHT)
        session = self.session
        notes = session.notes()
        corner = self._corner()
        if corner is not None:
            notes = replace(notes, handle=corner)
        layers, plan = session.layers, self.pointer.plan
        if plan is not None:
            layers = replace(layers, hidden=True)
            notes = replace(notes, planned=lying(relocated(session.sandbox.state, plan), session.machine))
        self._stage.show(stamps(session.pose(), session.machine, layers, notes))
        self._stage.draw()
        self._panel.begin()
        self._buttons = paint_panel(self._panel, self.layout, session, self._mouse)
        self._bar, under = paint_strip(self._panel, self.layout, session, self._mouse)
        self._buttons += under
        self._panel.draw()
        self._over.begin()
        if self.prompt is not None:
            self.prompt.paint(self._over, self.layout)
        elif self.show_keys:
            paint_keys(self._over, self.layout)
        else:
            paint_note(self._over, self.layout, session)
            tip = self._tip()
            if tip:
                paint_tip(self._over, self.layout, tip, self._mouse)
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
        elif name.startswith(("KEY_", "NUM_")) and name[4:].isdigit():
            commands.carry_out(self.session, f"select_{name[4:]}")
        return True

    def on_key_release(self, symbol: int, _modifiers: int) -> bool:
        """A key goes up: one that turned the board stops doing so."""
        if COMMANDS.get(KEY_NAMES.get(symbol, "")) in HELD:
            self._turning = 0
        return True

    def on_text(self, text: str) -> bool:
        """Letters are typed."""
        if self.prompt is not None:
            self.prompt.type(text)
        return True

    def run(self, command: str) -> None:
        """Carry out a command, of the window or of the session; over the key card it only closes that."""
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
            case "save" | "save_path" | "load":
                self.prompt = commands.ask(self.session, command)
            case _ if command in HELD:
                self.session.take_board()
                self._turning = HELD[command]
            case _:
                commands.carry_out(self.session, command)

    # -- mouse ------------------------------------------------------------------------------------------------------

    def on_mouse_motion(self, x: float, y: float, _dx: float, _dy: float) -> bool:
        """The mouse moves."""
        self._mouse, self._rested = (x, y), 0.0
        return True

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
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
        for pressed in self._buttons:
            if pressed.box.holds(x, y):
                self.run(pressed.command)
                return True
        if y < self.layout.stage[1]:
            self._scrubbing = True
            self._scrub(x)
        elif x < self.layout.width - self.layout.panel:
            self.pointer.press(self.frame.to_place((x, y)), free=bool(modifiers & arcade.key.MOD_SHIFT))
        return True

    def on_mouse_drag(self, x: float, y: float, _dx: float, _dy: float, _buttons: int, _modifiers: int) -> bool:
        """The mouse moves with a button down."""
        self._mouse, self._rested = (x, y), 0.0
        if self._scrubbing:
            self._scrub(x)
        else:
            self.pointer.pull(self.frame.to_place((x, y)))
        return True

    def on_mouse_release(self, _x: float, _y: float, _button: int, _modifiers: int) -> bool:
        """A button goes up."""
        self._scrubbing = False
        self.pointer.release()
        return True

    def on_mouse_scroll(self, _x: float, _y: float, _scroll_x: float, scroll_y: float) -> bool:
        """The wheel goes through the list, or through the time of the last move."""
        if self.prompt is not None:
            self.prompt.press("UP" if scroll_y > 0 else "DOWN")
        elif self.session.playback is not None and not self.show_keys:
            commands.carry_out(self.session, "step_on" if scroll_y > 0 else "step_back")
        return True

    # -- parts ------------------------------------------------------------------------------------------------------

    def _share_out(self) -> None:
        self.layout = layout_of(self.window.width, self.window.height, panel=self.show_panel)
        self.frame = fitted(*self.layout.stage)
        self._stage.move_to(self.frame)

    def _fit(self) -> None:
        """Draw pictures anew for another machine at once, for another size once the window has kept it for a moment."""
        ratio = self.window.get_pixel_ratio()
        machine = self.session.machine
        if self._stage.suits(machine, self.frame, ratio):
            return
        if self._resized >= CALM or self._stage.artwork.machine is not machine:
            self._stage.remake(machine, self.frame, ratio)

    def _scrub(self, x: float) -> None:
        playback = self.session.playback
        if playback is not None and self._bar is not None:
            share = (x - self._bar.x) / max(self._bar.width, 1.0)
            playback.paused = True
            playback.seek(share * playback.timeline.duration)
            playback.paused = not playback.over

    def _corner(self) -> int | None:
        """The corner that is held, or would be taken."""
        held = self.pointer.held
        if held is not None:
            return int(held.name) if held.kind == "corner" else None
        if self._mouse[1] < self.layout.stage[1] or self._mouse[0] > self.layout.width - self.layout.panel:
            return None
        target = self.pointer.target(self.frame.to_place(self._mouse))
        return int(target.name) if target is not None and target.kind == "corner" else None

    def _tip(self) -> str:
        if self._rested < PATIENCE or self.pointer.held is not None or self._mouse[0] < 0:
            return ""
        for button in self._buttons:
            if button.box.holds(*self._mouse):
                return button.tip
        if self._mouse[1] < self.layout.stage[1]:
            return "drag along the bar to see any instant of the last move" if self.session.playback else ""
        if self._mouse[0] > self.layout.width - self.layout.panel:
            return ""
        return self.pointer.tip(self.frame.to_place(self._mouse))


def chord_of(name: str, modifiers: int) -> str:
    """A key with its modifiers, as the key table writes it; Command counts as Ctrl."""
    parts = []
    if modifiers & (arcade.key.MOD_CTRL | arcade.key.MOD_COMMAND):
        parts.append("ctrl")
    if modifiers & arcade.key.MOD_SHIFT:
        parts.append("shift")
    return "+".join([*parts, name])
