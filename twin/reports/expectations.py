"""Whether an outcome is what a scene expects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from twin.outcome.ensemble import sample_move, sampler
from twin.stats import VERDICTS, count_words, is_chancy

if TYPE_CHECKING:
    from twin.board.expectation import Expectation
    from twin.board.scene import Scene
    from twin.outcome.engine import Key, Outcome, Twin


class Finding(NamedTuple):
    """One expectation of a scene, and where a move differs from it."""

    expectation: Expectation
    unmet: tuple[str, ...]
    """A sentence for each claim that does not hold; none if all do."""


def unmet(expectation: Expectation, outcome: Outcome) -> list[str]:
    """What is not as expected, in sentences; `chancy` is not looked at, since it takes an ensemble."""
    found = _unmet_ends(expectation, outcome.key, conflict=outcome.landing.conflict)
    if expectation.broken is not None and outcome.broken != tuple(sorted(expectation.broken)):
        found.append(f"it should break {_rules(expectation.broken)}; it breaks {_rules(outcome.broken)}")
    return found


def check(scene: Scene, twin: Twin, *, samples: int, seed: int) -> list[Finding]:
    """Check all expectations of a scene.

    Claims are checked with the nominal hand. One that says `chancy = true` must come out chancy, one that says
    `chancy = false` sure, by as many varied hands as it takes to decide; an undecided one fails. What is claimed
    without `chancy` must hold in `samples` varied hands as often as a sure move ends alike: it fails if the interval of
    that share lies below `SURE` (0 hands leave that out).
    """
    findings = []
    for expectation in scene.expectations:
        outcome = twin.act(scene.state, expectation.move, sensitivity=False)
        problems = unmet(expectation, outcome)
        if outcome.done and not problems:
            problems = _unsure(scene, twin, expectation, outcome, samples, seed)
        findings.append(Finding(expectation, tuple(problems)))
    return findings


def _unmet_ends(expectation: Expectation, key: Key, *, conflict: bool) -> list[str]:
    """What is not as expected of how the ghosts end."""
    ends = dict(key)
    found = [
        f"{colour} should be {fate!r}; it is {ends[colour][0]!r}"
        for colour, fate in expectation.fates
        if ends[colour][0] != fate
    ]
    found += [
        f"{colour} should cover {_spaces(spaces)}; it covers {_spaces(ends[colour][1])}"
        for colour, spaces in expectation.covers
        if ends[colour][1] != spaces
    ]
    if expectation.conflict is not None and conflict != expectation.conflict:
        found.append(f"conflict should be {_said(expectation.conflict)}; it is {_said(conflict)}")
    return found


def _unsure(scene: Scene, twin: Twin, expectation: Expectation, outcome: Outcome, samples: int, seed: int) -> list[str]:
    """What varied hands do otherwise than expected. B6 is decided with the nominal hand: they break no rule."""
    wanted = expectation.chancy
    size = samples if wanted is None else None
    if size == 0:
        return []

    def holds(key: Key, conflict: bool) -> bool:  # noqa: FBT001 - as `sample_move` asks it
        return not _unmet_ends(expectation, key, conflict=conflict)

    many = sampler(twin, expectation.move)
    found = sample_move(many, scene.state, expectation.move, outcome, size=size, seed=seed, holds=holds)
    if wanted is None:
        kept = found.size - found.broken_claims
        return [f"it holds in only {count_words(kept, found.size)}"] if is_chancy(kept, found.size) else []
    if found.chancy == wanted:
        return []
    is_now = "undecided" if found.chancy is None else VERDICTS[found.chancy]
    hands = count_words(found.most, found.size)
    return [f"it should be {VERDICTS[wanted]}; it is {is_now}: the commonest outcome comes up in {hands}"]


def _spaces(spaces: tuple[str, ...]) -> str:
    return " and ".join(spaces) or "nothing"


def _rules(rules: tuple[str, ...]) -> str:
    return ", ".join(rules) or "no rule"


def _said(value: bool) -> str:  # noqa: FBT001 - the value is what is said
    return str(value).lower()
