"""A window for a person who watches: the render mode `human`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE: Final = "Ab durch die Mauer"
_DOTS: Final = 100.0
"""Pixels per inch of the window: only the size in pixels matters."""
_BREATH: Final = 0.001
"""Time given to the window for drawing itself, s."""


def show(picture: NDArray[np.uint8]) -> None:
    """Show a picture in the one window that there is; where there is no screen, nothing is seen, and nothing fails."""
    from matplotlib import pyplot as plt
    from matplotlib.backends.registry import BackendFilter, backend_registry

    height, width = picture.shape[:2]
    figure = plt.figure(TITLE, figsize=(width / _DOTS, height / _DOTS), dpi=_DOTS, clear=True)
    figure.figimage(picture)
    windows = backend_registry.list_builtin(BackendFilter.INTERACTIVE)  # type: ignore[no-untyped-call]
    if plt.get_backend().lower() in windows:
        plt.pause(_BREATH)


def shut() -> None:
    """Close the window, if it is open."""
    from matplotlib import pyplot as plt

    if plt.fignum_exists(TITLE):
        plt.close(TITLE)
