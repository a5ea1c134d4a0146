"""Whether an outcome is what a scene expects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from twin.ensemble import sample_move

if TYPE_CHECKING:
    from twin.engine import Outcome, Twin
    from twin.expectation import Expectation
    from twin.scene import Scene


class Finding(NamedTuple):
    """One expectation of a scene, and what is not as it says."""

    expectation: Expectation
    unmet: tuple[str, ...]
    """A sentence for each claim that does not hold; none if all do."""


def unmet(expectation: Expectation, outcome: Outcome) -> list[str]:
    """What is not as expected, in sentences; `chancy` is not looked at, since it takes an ensemble."""
    ghosts = dict(outcome.ghosts)
    found = [
        f"{colour} should be {fate!r}; it is {ghosts[colour].fate!r}"
        for colour, fate in expectation.fates
        if ghosts[colour].fate != fate
    ]
    found += [
        f"{colour} should cover {_spaces(spaces)}; it covers {_spaces(ghosts[colour].covers)}"
        for colour, spaces in expectation.covers
        if ghosts[colour].covers != spaces
    ]
    if expectation.broken is not None and outcome.broken != tuple(sorted(expectation.broken)):
        found.append(f"it should break {_rules(expectation.broken)}; it breaks {_rules(outcome.broken)}")
    if expectation.conflict is not None and outcome.landing.conflict != expectation.conflict:
        found.append(f"conflict should be {_said(expectation.conflict)}; it is {_said(outcome.landing.conflict)}")
    return found


def check(scene: Scene, twin: Twin, *, samples: int, chancy_samples: int, seed: int) -> list[Finding]:
    """Check all expectations of a scene.

    Claims are checked with the nominal hand. Those that say `chancy = true` must flip within `chancy_samples` varied
    hands; the others must hold with each of `samples` varied hands as well (0 leaves that out).
    """
    findings = []
    for expectation in scene.expectations:
        outcome = twin.act(scene.state, expectation.move, sensitivity=False)
        problems = unmet(expectation, outcome)
        size = chancy_samples if expectation.chancy else samples
        if outcome.done and size > 0 and not problems:
            problems = _sampled(scene, twin, expectation, outcome, size, seed)
        findings.append(Finding(expectation, tuple(problems)))
    return findings


def _sampled(scene: Scene, twin: Twin, expectation: Expectation, outcome: Outcome, size: int, seed: int) -> list[str]:
    def holds(sample: Outcome) -> bool:
        # B6 is decided with the nominal hand, so a varied one breaks no rule by what it does.
        return not [text for text in unmet(expectation, sample) if not text.startswith("it should break")]

    ensemble = sample_move(twin, scene.state, expectation.move, outcome, size=size, seed=seed, holds=holds)
    if expectation.chancy and not ensemble.chancy:
        return [f"it should be chancy; it is the same with {size} varied hands"]
    if not expectation.chancy and ensemble.broken_claims:
        return [f"it should not be chancy; it fails with {ensemble.broken_claims} of {size} varied hands"]
    return []


def _spaces(spaces: tuple[str, ...]) -> str:
    return " and ".join(spaces) or "nothing"


def _rules(rules: tuple[str, ...]) -> str:
    return ", ".join(rules) or "no rule"


def _said(value: bool) -> str:  # noqa: FBT001 - the value is what is said
    return str(value).lower()
