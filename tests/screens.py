"""A screen of their own for tests of windows: Xvfb, and a window on it that real mouse and key events reach."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from twin.board.grid import Place
    from twin.window.sandbox_session import SandboxSession

PATIENCE = 30.0
"""How long an X server may take to start, or an event to arrive, s; tests pass as soon as it has."""


@contextlib.contextmanager
def display() -> Iterator[str]:
    """The name of a display with nothing on it; skips where there can be none."""
    if find_spec("arcade") is None:
        pytest.skip("arcade is not installed: pip install '.[viewer]'")
    program = shutil.which("Xvfb")
    if program is None:
        pytest.skip("Xvfb is not installed: apt-get install xvfb")
    words = [program, "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        ready, _, _ = select.select([server.stdout], [], [], PATIENCE)
        number = server.stdout.readline().strip() if ready else ""
        if not number:
            pytest.skip("Xvfb did not start")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(PATIENCE)
        if server.stdout is not None:
            server.stdout.close()


@contextlib.contextmanager
def fine_display(dots_per_inch: int) -> Iterator[str]:
    """A display whose screen says that it is this fine, as those of HiDPI laptops do; 96 are usual."""
    with display() as name:
        xlib = pytest.importorskip("pyglet.libs.x11.xlib")
        server = xlib.XOpenDisplay(name.encode())
        said = f"Xft.dpi:\t{dots_per_inch}\n".encode()
        resources, text = (xlib.XInternAtom(server, kind, 0) for kind in (b"RESOURCE_MANAGER", b"STRING"))
        data = (ctypes.c_ubyte * len(said)).from_buffer_copy(said)
        xlib.XChangeProperty(server, xlib.XDefaultRootWindow(server), resources, text, 8, 0, data, len(said))
        xlib.XSync(server, 0)
        yield name  # the connection stays open: the server forgets everything when its last client leaves
        xlib.XCloseDisplay(server)


@contextlib.contextmanager
def screen_of_its_own() -> Iterator[Screen]:
    """A window on such a display, in this process."""
    with display() as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", name)
        _forget_displays()
        screen = Screen()
        try:
            yield screen
        finally:
            screen.close()
            _forget_displays()


def _forget_displays() -> None:
    """Let the next window look for its display anew: pyglet would take the last one's, whose server is gone."""
    if "pyglet.display" in sys.modules:
        sys.modules["pyglet.display"]._displays.clear()


class Screen:
    """A window that shows one session after the other; `frames` lets pictures pass, a sixtieth of a second each."""

    def __init__(self) -> None:
        try:
            from twin.window.screen.arcade_window import make_window
        except ImportError as error:  # pyglet's, when OpenGL is missing
            pytest.skip(f"OpenGL is missing: apt-get install libgl1 libegl1 libfontconfig1 ({error})")
        self.window = make_window((1280, 800))
        self.view: Any = None

    def show(self, session: SandboxSession) -> Any:
        """Show a session; returns the view."""
        from twin.window.screen.sandbox_view import SandboxView

        if self.view is not None:
            self.view.session.close()
        self.view = SandboxView(session, self.window)
        self.window.show_view(self.view)
        self.frames(2)
        return self.view

    def frames(self, count: int = 1) -> None:
        """Let pictures pass."""
        from twin.window.screen.arcade_window import FRAME

        for _ in range(count):
            self.window.switch_to()
            self.window.dispatch_events()
            self.view.on_update(FRAME)
            self.view.on_draw()
            self.window.flip()

    def until(self, happened: Callable[[], bool], what: str) -> None:
        """Let pictures pass until something has happened."""
        end = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < end, f"waited in vain: {what}"
            self.frames()
            time.sleep(0.002)

    def picture(self) -> Any:
        """What the window shows."""
        from twin.window.screen.arcade_window import picture_of

        return picture_of(self.window, self.view)

    def colour_at(self, place: Place) -> tuple[int, int, int]:
        """The colour of the pixel on which a place of the floor lies."""
        x, y = self.view.frame.to_pixels(place)
        picture = self.picture()
        colour: tuple[int, int, int] = picture.getpixel((round(x), picture.height - 1 - round(y)))
        return colour

    # -- real events, through the X server --------------------------------------------------------------------------

    def xdotool(self, *words: str) -> None:
        """Move the mouse or press keys, as a person would."""
        program = shutil.which("xdotool")
        if program is None:
            pytest.skip("xdotool is not installed: apt-get install xdotool")
        subprocess.run([program, *words], check=True, env=os.environ, capture_output=True, timeout=PATIENCE)
        self.frames(2)

    def mouse_to(self, place: Place) -> None:
        """Move the mouse to a place of the floor."""
        x, y = self.view.frame.to_pixels(place)
        left, top = self.window.get_location()
        self.xdotool("mousemove", str(round(left + x)), str(round(top + self.window.height - y)))

    def close(self) -> None:
        """Close the window."""
        if self.view is not None:
            self.view.session.close()
        self.window.close()
