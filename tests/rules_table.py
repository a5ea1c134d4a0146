"""Which tests stand for which rule: `python -m tests.rules_table` writes docs/rules-coverage.md anew.

A test stands for a rule whose number is in its name (`test_B6_is_checked_by_simulation`) or in its docstring.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "rules-coverage.md"
COMMAND: Final = "python -m tests.rules_table"

RULES: Final = {
    "S1": "two to four players, one ghost each",
    "S2": "the board in its start position, held by the plug",
    "S3": "three sliders, in the middle and the outer tunnels",
    "S4": "ghosts on the corners of their colours",
    "S5": "four decks, each with one card of each back",
    "S6": "who goes first is settled at the table; clockwise",
    "T1": "one to three moves of any kind",
    "T2": "then one search, which ends the turn",
    "T3": "after one or two moves, no more of them on a usable garment",
    "T4": "a turn may begin with a search, without a move",
    "T5": "without a search the turn ends with its moves",
    "A1": "drag your own ghost to an adjoining space",
    "A2": "never through a wall",
    "A3": "never diagonally",
    "A4": "never on or over the plug",
    "A5": "never onto or over another ghost",
    "B1": "push one slider by exactly one segment",
    "B2": "no trying out",
    "B3": "the push stops exactly at the end of a segment",
    "B4": "ghosts that bump into the plug stay",
    "B5": "a slider is never pulled out completely",
    "B6": "no push takes a ghost off the board",
    "B7": "a moved ghost pushes others, and passes through walls",
    "C1": "no ghost on the corridor that a slider leaves",
    "C2": "into another, free tunnel; no ghost on its corridor",
    "C3": "within the limits of B5",
    "D1": "turn the board by 90°, either way",
    "D2": "some ghosts move, others stay, and they shove each other",
    "D3": "let it happen",
    "D4": "a ghost that covers several spaces is put onto one of them",
    "D5": "a ghost off the board goes to an empty corner",
    "Q1": "search only where a usable garment is shown",
    "Q2": "one deck, seen by the searcher alone",
    "Q3": "what is found is kept face up",
    "Q4": "one deck a turn",
    "Q5": "the deck goes back to its place; its order may be changed",
    "Q6": "one garment for each body part",
    "Q7": "no search on a bare space, nor for what one has",
    "Q8": "variant: the deck goes back to another place",
    "E1": "all five body parts win, at once",
    "G1": "straddling after a push",
    "G2": "spaces that are taken, or wanted by two",
    "G3": "the plug's space, and a hair over a line",
    "G4": "a fall in a push that seemed allowed",
    "G5": "a slider turned end for end",
    "G6": "a game that nobody can finish",
    "G7": "ghosts that stand off-centre",
    "G8": "stopping early anywhere",
    "G9": "the order of placing",
    "G10": "straddling a wall",
    "G11": "a foot beyond the edge",
    "G12": "what an empty corner is",
    "G13": "several fall at once",
    "G14": "a ghost that topples",
    "G15": "a ghost that still moves",
}
"""Every numbered rule and every gap, in a few words."""

_NUMBER: Final = re.compile(r"(?<![A-Za-z0-9*])([STABCDQEG][1-9]\d?)(?![A-Za-z0-9])")
_RANGE: Final = re.compile(r"(?<![A-Za-z0-9])([STABCDQEG])([1-9]\d?)(?: to |-|–)\1?([1-9]\d?)(?![A-Za-z0-9])")


def numbers_in(text: str) -> set[str]:
    """The rules that a text names; `A1 to A5` and `A1-A5` name all five.

    >>> sorted(numbers_in("C1 to C3, and G10"))
    ['C1', 'C2', 'C3', 'G10']
    """
    found = set(_NUMBER.findall(text))
    for letter, first, last in _RANGE.findall(text):
        found |= {f"{letter}{number}" for number in range(int(first), int(last) + 1)}
    return found & RULES.keys()


def rules_named_in(source: str) -> dict[str, set[str]]:
    """The rules that each test of a module stands for; a test without any is left out."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            named = numbers_in(node.name.replace("_", " ")) | numbers_in(ast.get_docstring(node) or "")
            if named:
                found.setdefault(node.name, set()).update(named)
    return found


def coverage(folder: Path = ROOT / "tests") -> dict[str, dict[str, list[str]]]:
    """For each rule the test files, and in each the tests that stand for it, sorted."""
    table: dict[str, dict[str, list[str]]] = {rule: {} for rule in RULES}
    for path in sorted(folder.rglob("test_*.py")):
        for test, rules in sorted(rules_named_in(path.read_text(encoding="utf-8")).items()):
            for rule in rules:
                table[rule].setdefault(path.name, []).append(test)
    return table


def page(table: dict[str, dict[str, list[str]]]) -> str:
    """The table as a page of Markdown."""
    lines = [
        "# Which tests stand for which rule",
        "",
        f"Written by `{COMMAND}` from the names and docstrings of the tests; do not edit. The rules are told here in",
        "a few words only. Gaps (G) are where the rulebook is silent: see [rule-gaps.md](rule-gaps.md).",
        "",
        "| rule | in short | tests |",
        "|---|---|---|",
    ]
    for rule, short in RULES.items():
        cells = [f"`{file}`: {', '.join(f'`{test}`' for test in tests)}" for file, tests in table[rule].items()]
        lines.append(f"| {rule} | {short} | {'<br>'.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(coverage()), encoding="utf-8")
