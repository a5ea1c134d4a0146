"""The window itself: opened once, it shows views; today the sandbox, and whatever else plays on the same stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import arcade
import pyglet

from twin.window.display import no_opengl
from twin.window.screen.board_view import BoardView
from twin.window.screen.painter import load_fonts
from twin.window.screen.sandbox_view import SandboxView

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from twin.window.sandbox_session import SandboxSession

SIZE: Final = (1280, 800)
SMALLEST: Final = (480, 360)
TITLE: Final = "Ab durch die Mauer: the twin"
FRAME: Final = 1.0 / 60.0
"""Time from picture to picture, s."""


class TwinWindow(arcade.Window):
    """A window that remembers what it showed last."""

    last: Image.Image | None = None

    def on_close(self) -> None:
        """Close, in the middle of a turn too, unless the view has something to ask first."""
        view = self.current_view
        if isinstance(view, BoardView) and not self.closed and not view.may_close():
            return
        if view is not None and not self.closed:
            self.last = picture_of(self, view)
        super().on_close()


def make_window(size: tuple[int, int] | None = None, *, visible: bool = True) -> TwinWindow:
    """A window, or one clear sentence on why there is none."""
    width, height = size or SIZE
    try:
        # Pictures are smooth by themselves: anti-aliasing would cost time and make screenshots jagged.
        window = TwinWindow(width, height, TITLE, resizable=True, antialiasing=False, visible=visible, vsync=False)
    except Exception as error:  # noqa: BLE001 - pyglet raises many kinds, from its own classes to OSError
        raise no_opengl(error) from None
    window.set_minimum_size(*SMALLEST)
    load_fonts()
    return window


def open_window(
    session: SandboxSession,
    *,
    size: tuple[int, int] | None = None,
    frames: int | None = None,
    ended: Callable[[], bool] = lambda: False,
) -> Image.Image:
    """Show a session until the window is closed, or for so many pictures; returns the last picture."""
    return show(lambda window: SandboxView(session, window), session.close, size=size, frames=frames, ended=ended)


def show(
    view_in: Callable[[TwinWindow], arcade.View],
    close: Callable[[], None],
    *,
    size: tuple[int, int] | None = None,
    frames: int | None = None,
    ended: Callable[[], bool] = lambda: False,
) -> Image.Image:
    """Show a view until the window is closed, for so many pictures, or until `ended`; returns the last picture.

    Calls `close` in the end.

    With `frames`, time passes by a sixtieth of a second from picture to picture, whatever the clock says, so that the
    same call shows the same thing.
    """
    window = make_window(size)

    def look(_seconds: float) -> None:
        if ended():
            arcade.exit()

    try:
        view = view_in(window)
        window.show_view(view)
        if frames is None:
            pyglet.clock.schedule_interval(look, FRAME)
            arcade.run()
            return window.last or picture_of(window, view)
        for _ in range(frames):
            if ended():
                break
            window.switch_to()
            window.dispatch_events()
            view.on_update(FRAME)
            view.on_draw()
            window.flip()
        return picture_of(window, view)
    finally:
        pyglet.clock.unschedule(look)
        close()
        if not window.closed:
            window.close()


def picture_of(window: TwinWindow, view: arcade.View) -> Image.Image:
    """What the window shows now, drawn once more."""
    window.switch_to()
    view.on_draw()
    return arcade.get_image().convert("RGB")  # of all the window, in the screen's own pixels
