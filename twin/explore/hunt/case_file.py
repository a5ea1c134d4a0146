"""Cases as scene files: what was found, how to see it again, and what is expected of it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from twin.board.moves import Turn
from twin.board.scene import Scene, scene_toml
from twin.physics.hand import NOMINAL

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from twin.board.machine import Machine
    from twin.explore.hunt.cases import Case
    from twin.outcome.engine import Outcome

_WIDTH = 118


def replay_command(case: Case, name: str) -> str:
    """The command that shows a case again, once it is saved."""
    if isinstance(case.move, Turn):
        return f"twin turn {name} {case.move.direction}"
    return f"twin push {name} {case.move.slider} {case.move.direction}"


def case_toml(
    case: Case, machine: Machine, title: str, comment: Sequence[str], folder: Path | None = None, expect: str = ""
) -> str:
    """A scene file for a case: comment lines, position, and an `[[expect]]` table as `expect_toml` writes it."""
    lines = [line for text in comment for line in textwrap.wrap(text, _WIDTH)]
    if case.hand != NOMINAL:
        lines.append(f"Found with a varied hand: pace {case.hand.pace:.3f}; the nominal hand may do otherwise.")
    scene = scene_toml(Scene("", title, machine, case.state), folder)
    return "".join(f"# {line}\n" for line in lines) + scene + (f"\n{expect}" if expect else "")


def expect_toml(outcome: Outcome, because: str, *, chancy: bool | None) -> str:
    """An expectation that this outcome meets: fates, covered spaces, rules broken, conflict, and whether it is chancy.

    What is too close to call is not claimed, since another platform may see it otherwise; nor
    what too few hands say.
    """
    sure = [(colour, ghost) for colour, ghost in outcome.ghosts if not ghost.too_close]
    text = because.replace("\\", "\\\\").replace('"', '\\"')
    lines = ["[[expect]]", f'move = "{outcome.move}"', f'because = "{text}"']
    if sure:
        fates = ", ".join(f'{colour} = "{ghost.fate}"' for colour, ghost in sure)
        covers = ", ".join(f"{colour} = [{_quoted(ghost.covers)}]" for colour, ghost in sure)
        lines += [f"fates = {{ {fates} }}", f"covers = {{ {covers} }}"]
    lines.append(f"broken = [{_quoted(outcome.broken)}]")
    if not outcome.too_close:
        lines.append(f"conflict = {str(outcome.landing.conflict).lower()}")
    if chancy is not None:
        lines.append(f"chancy = {str(chancy).lower()}")
    return "\n".join(lines) + "\n"


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)
