"""Effort: how much a fit computes."""

from __future__ import annotations

from typing import NamedTuple

from twin.calibrate.fit.profiles import MOST_POINTS


class Effort(NamedTuple):
    """How much is computed; the defaults suit five parameters."""

    first: int = 128
    """Points of the first look."""
    optimise: int = 60
    """Evaluations of the optimiser."""
    rounds: int = 8
    """Rounds at most; fewer if the surrogate is good enough before."""
    batch: int = 64
    """Evaluations per round."""
    draws: int = 320
    """Evaluations of the last round: the draws before they are weighted."""
    steps: int = 300
    """Steps of each of emcee's walkers per round."""
    quick_hands: int = 16
    """Hands per evaluation in the first look, …"""
    hands: int = 32
    """… in the rounds, …"""
    final_hands: int = 64
    """… and for the last draws."""
    lines: int = 5
    """Lines along each parameter, through draws, on which rival explanations are tried, …"""
    line_hands: int = 32
    """… with so many hands."""
    judges: int = 48
    """Draws with which the measurements are predicted again, …"""
    judge_hands: int = 64
    """… with so many hands each."""

    def evaluations(self, dimensions: int) -> int:
        """All evaluations at most."""
        search = self.first + self.optimise + self.rounds * self.batch + self.draws
        return search + dimensions * self.lines * MOST_POINTS + self.judges


def effort_for(dimensions: int) -> Effort:
    """Effort for so many parameters: one or two need fewer points than five."""
    return Effort() if dimensions > 2 else Effort(first=64, optimise=40, rounds=4, batch=48, draws=240)
