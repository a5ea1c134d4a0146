"""Evidence: qualitative facts about the game, as cases with an end that must, or must be able to, happen.

Facts lie in `calibration/evidence/NAME.toml`; `rulebook.toml` itself explains the form of the files.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from twin.board.moves import Push, Turn, parse_move
from twin.board.quantities import is_number
from twin.board.state import COLOURS, Slider, parse_space
from twin.errors import BadInputError, shown
from twin.files import data_folder, find, read_toml, typed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Read = TypeVar("Read")

MUST: Final = "must"
CAN: Final = "can"
DEFAULT_EVIDENCE: Final = "rulebook"
MOST_SEARCH: Final = 10_000

TURN_ENDS: Final = ("rides", "held", "caught", "off", "across", "shoved")
PUSH_ENDS: Final = ("carried", "pushed", "blocked", "still", "off", "across", "shoved")
"""Words for how a ghost ends, as an eye sees it; what they mean is in `twin.calibrate.evidence.verdicts`."""


@dataclass(frozen=True)
class GhostStanding:
    """Where a ghost of a case stands: on a space, on a magnet, or beside another ghost."""

    space: str = ""
    magnet: str = ""
    """Slider and segment: `A2`."""
    beside: str = ""
    by: tuple[float, float] = (0.0, 0.0)
    """Spaces east and north of `beside`."""


@dataclass(frozen=True)
class RuleCase:
    """A position, a move, and how ghosts end."""

    move: Turn | Push
    ends: tuple[tuple[str, str], ...]
    """Ghosts and words of `TURN_ENDS` or `PUSH_ENDS`."""
    scene: str = ""
    """Name or path of a scene; empty if the ghosts are given here."""
    ghosts: tuple[tuple[str, GhostStanding], ...] = ()
    sliders: tuple[Slider, ...] = ()
    """None: the machine's sliders in every other tunnel, offset 0 (rule S3)."""


@dataclass(frozen=True)
class Fact:
    """One fact, and where it comes from."""

    name: str
    says: str
    source: str
    kind: str
    """`must`: every case ends so; `can`: at least one does."""
    cases: tuple[RuleCase, ...]
    search: int = 0
    """Random four-ghost turns in which any ghost may end so, if it does in none of the cases; only for `can`."""


@dataclass(frozen=True)
class Evidence:
    """All facts of a file."""

    name: str
    title: str
    facts: tuple[Fact, ...]
    digest: str
    """A hash of everything in the file that a judgement depends on."""


def load_evidence(name: str = DEFAULT_EVIDENCE) -> Evidence:
    """Evidence by name or path.

    >>> load_evidence().facts[0].name
    'rides'
    """
    path = find(name, data_folder("calibration", "evidence"), "evidence")
    try:
        return parse_evidence(read_toml(path), path.stem)
    except BadInputError as error:
        raise error.within(source=error.source or str(path)) from None


def parse_evidence(data: Mapping[str, Any], name: str) -> Evidence:
    """Evidence from the content of its file."""
    _only(data, {"title", "notes", "facts"}, "evidence")
    title = typed(data, "title", str, name)
    typed(data, "notes", str, "")
    facts = _each(data, "facts", _fact)
    if not facts:
        raise BadInputError("there must be at least one fact, headed [[facts]]", field="facts")
    names = [fact.name for fact in facts]
    for fact in facts:
        if names.count(fact.name) > 1:
            raise BadInputError(f"each fact needs a name of its own; {fact.name!r} comes twice", field="facts")
    digest = hashlib.sha256(repr([(f.name, f.kind, f.cases, f.search) for f in facts]).encode()).hexdigest()
    return Evidence(name, title, facts, digest)


def _fact(item: Mapping[str, Any]) -> Fact:
    _only(item, {"name", "says", "source", "kind", "cases", "search"}, "a fact")
    for key in ("name", "says", "source", "kind", "cases"):
        if key not in item:
            raise BadInputError("is missing; a fact has name, says, source, kind and cases", field=key)
    kind = typed(item, "kind", str, "")
    if kind not in {MUST, CAN}:
        raise BadInputError(f"must be {MUST!r} or {CAN!r}; got {shown(kind)}", field="kind")
    cases = _each(item, "cases", _case)
    if not cases:
        raise BadInputError("there must be at least one case", field="cases")
    search = typed(item, "search", int, 0)
    if not 0 <= search <= MOST_SEARCH or (search and kind != CAN):
        problem = f"must be 0 to {MOST_SEARCH} random turns, and only where kind is {CAN!r}; got {shown(search)}"
        raise BadInputError(problem, field="search")
    if search and not all(isinstance(case.move, Turn) for case in cases):
        raise BadInputError("random turns say nothing about pushes", field="search")
    name, says, source = (typed(item, key, str, "") for key in ("name", "says", "source"))
    return Fact(name, says, source, kind, cases, search)


def _case(item: Mapping[str, Any]) -> RuleCase:
    _only(item, {"move", "ends", "scene", "ghosts", "sliders"}, "a case")
    move = parse_move(typed(item, "move", str, ""))
    if not isinstance(move, Turn | Push):
        raise BadInputError("must be a turn or a push", field="move")
    if ("scene" in item) == ("ghosts" in item):
        raise BadInputError("a case must have either a scene or ghosts", field="ghosts")
    ghosts = {colour: _standing(value, colour) for colour, value in typed(item, "ghosts", dict, {}).items()}
    _check_ghosts(ghosts)
    known = TURN_ENDS if isinstance(move, Turn) else PUSH_ENDS
    ends = typed(item, "ends", dict, {})
    if not ends:
        raise BadInputError("must tell how at least one ghost ends", field="ends")
    for colour, word in ends.items():
        if colour not in (ghosts or COLOURS):
            raise BadInputError(f"must be one of {', '.join(ghosts or COLOURS)}", field=f"ends.{colour}")
        if not isinstance(word, str) or word not in known:
            raise BadInputError(f"must be one of {', '.join(known)}; got {shown(word)}", field=f"ends.{colour}")
    sliders = _each(item, "sliders", _setting)
    return RuleCase(
        move, tuple(sorted(ends.items())), typed(item, "scene", str, ""), tuple(sorted(ghosts.items())), sliders
    )


def _check_ghosts(ghosts: Mapping[str, GhostStanding]) -> None:
    for colour, standing in ghosts.items():
        if colour not in COLOURS:
            raise BadInputError(f"a ghost must be one of {', '.join(COLOURS)}", field=f"ghosts.{colour}")
        if standing.beside and (standing.beside not in ghosts or ghosts[standing.beside].beside):
            problem = f"must be beside a ghost of the case that stands by itself; got {shown(standing.beside)}"
            raise BadInputError(problem, field=f"ghosts.{colour}.beside")


def _standing(value: object, colour: str) -> GhostStanding:
    match value:
        case str():
            try:
                return GhostStanding(space=parse_space(value))
            except BadInputError as error:
                raise error.within(field=f"ghosts.{colour}") from None
        case {"on": str(magnet), **rest} if not rest and magnet[:-1].isalnum() and magnet[-1:] in set("1234567"):
            return GhostStanding(magnet=magnet)
        case {"beside": str(other), "by": [dx, dy], **rest} if not rest and is_number(dx) and is_number(dy):
            return GhostStanding(beside=other, by=(float(dx), float(dy)))
    problem = f'must be a space ("c5"), {{ on = "A2" }} or {{ beside = "red", by = [east, north] }}; got {shown(value)}'
    raise BadInputError(problem, field=f"ghosts.{colour}")


def _setting(item: Mapping[str, Any]) -> Slider:
    _only(item, {"name", "tunnel", "offset", "flipped"}, "a slider")
    name, tunnel = typed(item, "name", str, ""), typed(item, "tunnel", int, 0)
    return Slider(name, tunnel, typed(item, "offset", int, 0), flipped=typed(item, "flipped", bool, default=False))


def _each(data: Mapping[str, Any], key: str, read: Callable[[Mapping[str, Any]], Read]) -> tuple[Read, ...]:
    """Every table of a list, read; errors name the table."""
    items = typed(data, key, list, [])
    found = []
    for index, item in enumerate(items):
        where = f"{key}[{index}]"
        if not isinstance(item, dict):
            raise BadInputError(f"must be a table; got {shown(item)}", field=where)
        try:
            found.append(read(item))
        except BadInputError as error:
            raise error.within(field=where) from None
    return tuple(found)


def _only(data: Mapping[str, Any], known: set[str], what: str) -> None:
    for key in sorted(data.keys() - known):
        raise BadInputError(f"unknown key; {what} has {', '.join(sorted(known))}", field=str(key))
