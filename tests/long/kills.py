"""Kills of every command that writes, at random moments: what each leaves is whole, and keeps no next run from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.long.trial import Trial


def run(trial: Trial) -> None:
    """Nothing yet."""
    trial.say("no commands yet")
