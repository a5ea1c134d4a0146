"""An atlas summed up: counts for heat maps, and findings in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from twin.board.expectation import FATES
from twin.board.grid import STANDING_SPACES
from twin.board.state import MAX_OFFSET
from twin.explore.atlas.relabelling import OFF, known
from twin.explore.atlas.slider_settings import settings_of
from twin.stats import wilson

if TYPE_CHECKING:
    from twin.explore.atlas.queries import Atlas
    from twin.explore.atlas.slider_settings import SettingCounts

Counts = dict[str, dict[str, int]]
"""How many ghosts, by fate and by the space they started from."""


@dataclass(frozen=True)
class Summary:
    """An atlas in the whole."""

    manifest: dict[str, Any]
    ghosts: int
    """How many rows there are: ghosts in all turns together."""
    counts: Counts
    ends: dict[str, int]
    """How many ghosts that were moved, and did not fall, cover each space afterwards."""
    settings: SettingCounts
    """The same counts by slider setting; fates in the order of `fates`."""
    findings: tuple[str, ...]

    @property
    def fates(self) -> tuple[str, ...]:
        """The fates that occur, in the order of `FATES`."""
        return _occurring(self.counts)

    def total(self, fate: str) -> int:
        """How many ghosts met a fate."""
        return sum(self.counts.get(fate, {}).values())


def summarise(atlas: Atlas) -> Summary:
    """Count what the report shows."""
    counts: Counts = {}
    for fate, space, number in atlas.rows("SELECT fate, from_space, count(*) FROM turns GROUP BY ALL ORDER BY ALL"):
        counts.setdefault(known(fate, FATES, "fate"), {})[known(space, STANDING_SPACES, "from_space")] = number
    ends = dict.fromkeys(STANDING_SPACES, 0)
    for covers, number in atlas.rows("SELECT covers, count(*) FROM turns WHERE covers <> from_space GROUP BY ALL"):
        for space in covers.split("+") if covers != OFF else ():
            ends[known(space, STANDING_SPACES, "covers")] += number
    settings = settings_of(atlas, _occurring(counts))
    total = sum(sum(own.values()) for own in counts.values())
    plain = Summary(atlas.manifest, total, counts, ends, settings, ())
    return Summary(atlas.manifest, total, counts, ends, settings, tuple(_findings(atlas, plain)))


def _occurring(counts: Counts) -> tuple[str, ...]:
    return tuple(fate for fate in FATES if fate in counts)


def _findings(atlas: Atlas, summary: Summary) -> list[str]:
    said = [_what_it_holds(atlas), _fates(summary), *_falls(summary), _rest(summary)]
    said += [text for text in (_worst_setting(summary),) if text]
    straddle, close, walls = atlas.rows(
        "SELECT count(*) FILTER (contains(covers, '+')), count(*) FILTER (margin < 1), count(*) FILTER (walls > 0) "
        "FROM turns"
    )[0]
    said.append(
        f"{_share(summary, straddle)} end on more than one space, {_share(summary, close)} within 1 mm of another "
        f"outcome, and {_share(summary, walls)} passed through a wall."
    )
    if atlas.manifest["ghosts"] > 1:
        turns, jammed = atlas.rows("SELECT count(DISTINCT turn), count(DISTINCT turn) FILTER (conflict) FROM turns")[0]
        touched = atlas.rows("SELECT count(*) FROM turns WHERE touched NOT IN ('', 'plug')")[0][0]
        said.append(
            f"{_share(summary, touched)} touched another ghost; {jammed:,} of {turns:,} turns leave no way to place "
            "all ghosts."
        )
    return said


def _what_it_holds(atlas: Atlas) -> str:
    about = atlas.manifest
    turns = atlas.rows("SELECT count(DISTINCT turn) FROM turns")[0][0]
    ghosts = "one ghost" if about["ghosts"] == 1 else f"{about['ghosts']} ghosts"
    head = f"{turns:,} turns of {ghosts} on the machine {about['machine']['name']}"
    if turns < about["total"]:
        return f"{head}: unfinished, {about['total'] - turns:,} turns are still to be run."
    if turns == about["every"]:
        flips = "with" if about["flips"] else "without"
        return f"{head}: every turn there is, {flips} sliders turned end for end."
    if about["sample"] is not None:
        return f"{head}, drawn at random (seed {about['seed']}) from {about['every']:,}; 95 % intervals in brackets."
    return f"{head}: the first of {about['every']:,}; shares hold for these only."


def _share(summary: Summary, part: int) -> str:
    """A share in percent, with its interval if the atlas is a sample."""
    text = f"{100 * part / summary.ghosts:.1f} %"
    if summary.manifest["sample"] is None:
        return text
    low, high = wilson(part, summary.ghosts)
    return f"{text} ({100 * low:.1f}–{100 * high:.1f})"


def _fates(summary: Summary) -> str:
    ranked = sorted(summary.fates, key=lambda fate: (-summary.total(fate), fate))
    return "Fates of the ghosts: " + ", ".join(f"{_share(summary, summary.total(f))} {f}" for f in ranked) + "."


def _per_space(summary: Summary) -> dict[str, int]:
    return {s: sum(own.get(s, 0) for own in summary.counts.values()) for s in STANDING_SPACES}


def _falls(summary: Summary) -> list[str]:
    starts = _per_space(summary)
    fell = summary.counts.get("fell", {})
    safe = [s for s in STANDING_SPACES if starts[s] and not fell.get(s)]
    seen = sum(1 for s in STANDING_SPACES if starts[s])
    if not fell:
        return [f"Nobody fell, from any of {seen} spaces."]
    worst = sorted(fell, key=lambda s: (-fell[s] / starts[s], s))[:6]
    listed = ", ".join(f"{s} ({100 * fell[s] / starts[s]:.1f} %)" for s in worst)
    more = " most often" if len(fell) > len(worst) else ""
    return [
        f"{len(safe)} of {seen} spaces are safe: nobody who starts there falls in any of these turns.",
        f"Ghosts fall{more} from {listed}.",
    ]


def _rest(summary: Summary) -> str:
    starts, rode = _per_space(summary), summary.counts.get("rode", {})
    ranked = sorted((s for s in STANDING_SPACES if starts[s]), key=lambda s: (-rode.get(s, 0) / starts[s], s))

    def told(space: str) -> str:
        return f"{space} ({100 * rode.get(space, 0) / starts[space]:.1f} %)"

    calm, restless = ", ".join(map(told, ranked[:4])), ", ".join(map(told, reversed(ranked[-4:])))
    return f"Ghosts simply ride along most often from {calm}, and least often from {restless}."


def _worst_setting(summary: Summary) -> str:
    """The place of one slider with the largest share of falls."""
    if "fell" not in summary.fates:
        return ""
    settings, worst = summary.settings, (0.0, "")
    for number, name in enumerate(sorted(summary.manifest["machine"]["sliders"])):
        own = settings.keys[:, 3 * number : 3 * number + 3]
        for tunnel, offset, flip in np.unique(own[own[:, 0] > 0], axis=0).tolist():
            counts = settings.counts[(own == (tunnel, offset, flip)).all(axis=1)].sum(axis=0)
            share = float(counts[summary.fates.index("fell")].sum() / counts.sum())
            turned = ", turned end for end" if flip else ""
            if share > worst[0]:
                worst = share, f"{name} in tunnel {tunnel} at offset {offset - MAX_OFFSET:+d}{turned}"
    return f"The place of one slider with most falls: {worst[1]}, {100 * worst[0]:.1f} % of the ghosts."
