"""Whether a window can be opened here, and one clear sentence if it cannot."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import Final

from twin.errors import MissingExtraError

INSTEAD: Final = "`twin render SCENE --out FILE.png` draws without a window"
SCREEN: Final = "start a desktop, or install xvfb and run `xvfb-run twin view`"
LIBRARIES: Final = "libgl1 libegl1 libfontconfig1"
"""Debian's packages for OpenGL and fonts."""


def require_window() -> None:
    """Raise a `MissingExtraError` unless arcade is installed, OpenGL is there, and there is a display."""
    if find_spec("arcade") is None:
        raise MissingExtraError(f'the window needs arcade: `pip install "mauer-twin[viewer]"`; {INSTEAD}')
    # Set, whatever its value, this makes arcade open no window at all.
    os.environ.pop("ARCADE_HEADLESS", None)
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        raise MissingExtraError(f"there is no display: {SCREEN}; {INSTEAD}")
    try:
        import arcade  # noqa: F401 - only to see whether its libraries are there
    except (ImportError, OSError) as error:
        raise no_opengl(error) from None


def no_opengl(error: Exception) -> MissingExtraError:
    """The one sentence for a display that does not answer, or has no OpenGL."""
    if type(error).__name__ == "NoSuchDisplayException":  # pyglet's, which must not be imported for this
        name = os.environ.get("DISPLAY", "")
        return MissingExtraError(f"the display {name} does not answer: {SCREEN}; {INSTEAD}")
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:120].rstrip(".")
    return MissingExtraError(
        f"a window cannot be opened ({reason}): install OpenGL ({LIBRARIES}, or your graphics driver); {INSTEAD}"
    )
