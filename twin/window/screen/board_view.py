"""A view of the board in a window: what the sandbox and the game share of drawing, keys, mouse, panel and questions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

import arcade

from twin.drawing.frame import fitted
from twin.drawing.palette import NIGHT
from twin.drawing.pose import lying
from twin.drawing.scene_picture import stamps
from twin.window.key_card import paint_tip
from twin.window.layout import layout_of
from twin.window.prompt import clicked, keyed
from twin.window.screen.painter import Painter
from twin.window.screen.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twin.board.grid import Place
    from twin.board.machine import Machine
    from twin.board.state import Slider
    from twin.drawing.frame import Frame
    from twin.drawing.pose import Layers, Notes, Pose
    from twin.drawing.scene_picture import Stamp
    from twin.window.button import Button
    from twin.window.prompt import Asked
    from twin.window.sandbox_pointer import Target

PATIENCE: Final = 0.45
"""How long the mouse rests before a tooltip comes, s."""

CALM: Final = 0.15
"""How long a window keeps its size before pictures are drawn anew for it, s."""

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


class BoardSession(Protocol):
    """What a view shows."""

    layers: Layers

    @property
    def machine(self) -> Machine:
        """The machine that is shown."""

    def pose(self) -> Pose:
        """Where everything is now."""

    def notes(self) -> Notes:
        """What is drawn about it."""

    def advance(self, seconds: float) -> None:
        """Let time pass."""


class BoardPointer(Protocol):
    """The mouse on the board, in places of the floor (mm)."""

    held: Target | None

    def target(self, place: Place) -> Target | None:
        """What lies under a place."""

    def pull(self, place: Place) -> None:
        """The mouse moves with the button down."""

    def release(self) -> None:
        """The button goes up."""

    def tip(self, place: Place) -> str:
        """The tooltip for what lies under the mouse."""


class BoardView(arcade.View):
    """The board with a strip under it and a panel beside it; subclasses give the parts at the end of this class."""

    session: BoardSession
    pointer: BoardPointer
    keys: ClassVar[Mapping[str, str]]
    """Commands by the chords of keys that give them."""

    def __init__(self, session: BoardSession, pointer: BoardPointer, window: arcade.Window) -> None:
        super().__init__(window)
        self.session, self.pointer = session, pointer
        self.show_panel = True
        self.show_keys = False
        self.prompt: Asked | None = None
        self._mouse = (-1.0, -1.0)
        self._rested = 0.0
        self._resized = 0.0
        self._buttons: Sequence[Button] = ()
        self._panel, self._over = Painter(), Painter()
        self.layout = layout_of(window.width, window.height, panel=True)
        self.frame = fitted(*self.layout.stage)
        self._stage = Stage(session.machine, self.frame, window.get_pixel_ratio())

    # -- time and drawing -------------------------------------------------------------------------------------------

    def on_update(self, delta_time: float) -> bool:
        """Let time pass."""
        seconds = min(delta_time, LONGEST_FRAME)
        self._advance(seconds)
        self._rested += seconds
        self._resized += seconds
        self._fit()
        return True

    def on_draw(self) -> bool:
        """Draw everything."""
        self.clear(color=NIGHT)
        self._stage.show(self._board_stamps())
        self._stage.draw()
        self._panel.begin()
        self._buttons = self._paint_panel()
        self._panel.draw()
        self._draw_pieces()
        self._over.begin()
        if self.prompt is not None:
            self.prompt.paint(self._over, self.layout)
        elif self.show_keys:
            self._paint_keys()
        else:
            self._paint_signs()
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
        command = self._command_of(name, modifiers)
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
            case _:
                self._carry_out(command)

    def may_close(self) -> bool:
        """Whether the window may close now."""
        return True

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
        elif self.show_keys:
            self.show_keys = False
        elif button == arcade.MOUSE_BUTTON_LEFT:
            command = next((b.command for b in self._buttons if b.box.holds(x, y)), None)
            if command is not None:
                self._click(command)
            elif self._is_over_board():
                self._press(self.frame.to_place((x, y)), free=bool(modifiers & arcade.key.MOD_SHIFT))
            elif y < self.layout.stage[1]:
                self._press_strip(x)
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

    def _board_stamps(self) -> list[Stamp]:
        """The board, what is planned on it, and the corner that is held or would be taken."""
        session, layers, notes = self.session, self._layers(), self.session.notes()
        ahead, corner = self._ahead(), self._corner()
        if ahead is not None:
            layers = replace(layers, hidden=True)
            notes = replace(notes, planned=lying(ahead, session.machine))
        if corner is not None:
            notes = replace(notes, handle=corner)
        return stamps(session.pose(), session.machine, layers, notes)

    def _stages(self) -> list[tuple[Stage, Frame]]:
        """Every stage, and the frame in which it draws in the window as it is now."""
        return [(self._stage, self.frame)]

    def _share_out(self) -> None:
        self.layout = layout_of(self.window.width, self.window.height, panel=self.show_panel)
        self.frame = fitted(*self.layout.stage)
        for stage, frame in self._stages():
            stage.move_to(frame)

    def _fit(self) -> None:
        """Draw pictures anew for another machine at once, for another size once the window has kept it for a moment."""
        machine, ratio = self.session.machine, self.window.get_pixel_ratio()
        for stage, frame in self._stages():
            if stage.suits(machine, frame, ratio):
                continue
            if self._resized >= CALM or stage.artwork.machine is not machine:
                stage.remake(machine, frame, ratio)

    def _command_of(self, name: str, modifiers: int) -> str | None:
        """The command that a key gives; some keyboards have a key of its own for the question mark."""
        return self.keys.get(chord_of(name, modifiers)) or self.keys.get(name if name == "QUESTION" else "")

    def _is_over_board(self) -> bool:
        """Whether the mouse is neither over the strip nor over the panel."""
        return self._mouse[1] >= self.layout.stage[1] and self._mouse[0] < self.layout.width - self.layout.panel

    def _corner(self) -> int | None:
        """The corner that is held, or would be taken."""
        target = self.pointer.held
        if target is None and self._is_over_board():
            target = self.pointer.target(self.frame.to_place(self._mouse))
        return int(target.name) if target is not None and target.kind == "corner" else None

    def _paint_tip(self) -> None:
        tip = self._tip()
        if tip:
            paint_tip(self._over, self.layout, tip, self._mouse)

    def _tip(self) -> str:
        if self._rested < PATIENCE or self.pointer.held is not None or self._mouse[0] < 0:
            return ""
        for button in self._buttons:
            if button.box.holds(*self._mouse):
                return button.tip
        if self._is_over_board():
            return self.pointer.tip(self.frame.to_place(self._mouse))
        return self._strip_tip() if self._mouse[1] < self.layout.stage[1] else ""

    # -- what differs -----------------------------------------------------------------------------------------------

    def _advance(self, seconds: float) -> None:
        """Let time pass in the session."""
        self.session.advance(seconds)

    def _layers(self) -> Layers:
        """What is drawn besides the board."""
        return self.session.layers

    def _ahead(self) -> Slider | None:
        """The slider that is to be moved to another tunnel, as it would lie there; None without a plan."""
        raise NotImplementedError

    def _paint_panel(self) -> Sequence[Button]:
        """Paint panel and strip; returns their buttons."""
        raise NotImplementedError

    def _draw_pieces(self) -> None:
        """Draw pictures over the panel."""

    def _paint_keys(self) -> None:
        """Paint the key card."""
        raise NotImplementedError

    def _paint_signs(self) -> None:
        """Paint what lies over the board, and the tooltip."""
        raise NotImplementedError

    def _carry_out(self, command: str) -> None:
        """Carry out a command that is not the window's."""
        raise NotImplementedError

    def _click(self, command: str) -> None:
        """A button of the panel or the strip is clicked."""
        self.run(command)

    def _press(self, place: Place, *, free: bool) -> None:
        """The mouse's button goes down over the board; `free` with Shift."""
        raise NotImplementedError

    def _press_strip(self, x: float) -> None:
        """The mouse's button goes down over the strip."""

    def _strip_tip(self) -> str:
        """The tooltip of the strip."""
        return ""


def chord_of(name: str, modifiers: int) -> str:
    """A key with its modifiers, as the key table writes it; Command counts as Ctrl."""
    parts = []
    if modifiers & (arcade.key.MOD_CTRL | arcade.key.MOD_COMMAND):
        parts.append("ctrl")
    if modifiers & arcade.key.MOD_SHIFT:
        parts.append("shift")
    return "+".join([*parts, name])
