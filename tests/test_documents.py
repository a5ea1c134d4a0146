"""What the documents name is there: files, folders, modules and what is imported from them."""

from __future__ import annotations

import re
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final

import pytest

from tests.children import ROOT

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS: Final = sorted(
    [
        *ROOT.glob("*.md"),
        *(path for top in ("docs", "benchmarks", "calibration") for path in (ROOT / top).rglob("*.md")),
    ]
)
PATHS: Final = re.compile(r"(?<![\w/.~-])(?:twin|tests|benchmarks|scenes|calibration|docs)/[\w./*-]*[\w/*]")
DOTTED: Final = re.compile(r"(?<![\w/.-])twin(?:\.[A-Za-z_]\w*)+")
IMPORTS: Final = re.compile(r"^from (twin[\w.]*) import ([\w, ]+)$", re.MULTILINE)
LINKS: Final = re.compile(r"\]\((?!\w+:)([^)#]+)(?:#[^)]*)?\)")
PACKAGES: Final = sorted(
    path.parent.relative_to(ROOT).as_posix() + "/" for path in (ROOT / "twin").rglob("__init__.py")
)


def missing(text: str, folder: Path) -> list[str]:
    """What a document in this folder names and does not exist; a word in capitals stands for any name."""
    absent = [name for name in PATHS.findall(text) if not any(ROOT.glob(re.sub(r"[A-Z]{4,}(?=\.toml)", "*", name)))]
    absent += [name for name in LINKS.findall(text) if not (folder / name).exists()]
    absent += [name for name in DOTTED.findall(text) if not resolves(name)]
    for module, names in IMPORTS.findall(text):
        absent += [f"{module}.{name}" for name in names.split(", ") if not resolves(f"{module}.{name}")]
    return absent


def resolves(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_document_names_exists(document):
    assert missing(document.read_text(encoding="utf-8"), document.parent) == []


@pytest.mark.parametrize(
    "text",
    [
        "see `twin/physics/world.py`",
        "`twin/cellar/` is no package",
        "`twin.physics.world` has moved",
        "from twin import Twin, Turnip",
        "scenes/none/NAME.toml",
        "[docs](elsewhere.md#top)",
    ],
)
def test_the_search_finds(text):
    assert missing(text, ROOT)


@pytest.mark.parametrize(
    "text",
    [
        "`twin/stats.py`, `twin/board/`, scenes/NAME.toml, `tests/golden/games/`.",
        "~/.local/state/mauer-twin/games",
        "from twin import Twin, Turn",
        "[docs](README.md#top) [web](https://example.org)",
    ],
)
def test_the_search_lets_pass(text):
    assert missing(text, ROOT) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_map_has_every_package(package):
    """ARCHITECTURE.md has a line for each folder of modules."""
    lines = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()
    assert any(line.split()[:1] == [package] for line in lines)


def test_every_decision_has_its_number():
    """Decisions are numbered from 0001 without a gap."""
    names = sorted(path.name for path in (ROOT / "docs" / "decisions").glob("*.md"))
    assert [name[:5] for name in names] == [f"{n:04}-" for n in range(1, len(names) + 1)]
