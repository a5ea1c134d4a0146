"""What one player may see and the others may not (Q2): the deck in hand, and the curtain in front of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CLOSING: Final = 0.45
"""How long the curtain takes from side to side, s."""


@dataclass(frozen=True)
class Secret:
    """A deck that a player looks through."""

    player: str
    deck: int
    """Its place on the table, from 1."""
    cards: tuple[str, ...]
    """From the top, as it would go back."""
    decided: bool
    """Whether nothing is left to choose: it is shown, and has gone back already."""


class Curtain:
    """Hides a secret until its player is alone with the screen, and again when the secret is over.

    A secret is handed out by `seen` only while the curtain is open for it. Where there is nobody to hide anything from
    the curtain is never drawn.
    """

    def __init__(self, *, needed: bool) -> None:
        self._needed = needed
        self._secret: Secret | None = None
        self._open = False
        self._falling = False
        self.drawn = 0.0
        """How far it is drawn: 0 open, 1 closed."""

    @property
    def seen(self) -> Secret | None:
        """The secret, if it may be shown now."""
        return self._secret if self._open else None

    @property
    def waits_for(self) -> str | None:
        """The player who shall open the curtain, alone."""
        return None if self._secret is None or self._open else self._secret.player

    @property
    def is_clear(self) -> bool:
        """Whether the table is there for everybody."""
        return self._secret is None and not self._falling

    def hide(self, secret: Secret) -> None:
        """A deck is taken up."""
        self._secret, self._open = secret, not self._needed

    def open(self) -> None:
        """Its player says that nobody else looks."""
        if self._secret is not None:
            self._open, self.drawn = True, 1.0 if self._needed else 0.0

    def end(self) -> None:
        """The secret is over: from now on it is not shown, however far the curtain is."""
        if self._secret is not None:
            self._falling = self._needed and self._open
            self._secret, self._open = None, False

    def advance(self, seconds: float) -> None:
        """Let the curtain fall or rise."""
        falls = self.waits_for is not None or self._falling
        step = seconds / CLOSING
        self.drawn = min(self.drawn + step, 1.0) if falls else max(self.drawn - step, 0.0)
        if self.drawn == 1.0:
            self._falling = False
