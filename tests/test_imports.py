"""What the package loads, and what the layers below the command line leave alone."""

from __future__ import annotations

import ast
import re
import sys
from typing import TYPE_CHECKING

import pytest

from tests.children import ROOT, run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

HOMES = {
    # landing, options, fallback: `Outcome.landing`, `Outcomes.landing_of`, `options_of`; `validate` tests `snap` itself
    "snap(": {"outcome/outcomes.py", "outcome/engine.py", "outcome/snap.py", "explore/claims/let_it_happen.py"},
    # by how much the board lies askew: `drive.askew`; for many moves `kernel/reading.py`, kept as `Outcomes.askew`
    "askew(": {"physics/drive.py", "outcome/engine.py"},
    # the rule that a push must not take a ghost off the board: `Verdict.taking_off`
    'found["B6"]': {"outcome/legality.py"},
    # the hand that the game's chance draws: `game.board.drawn_hand`
    "game.options.seed, game.chance": {"game/board.py", "environment/batched_board.py"},
    # a run of the reference engine read as fates and covers: `Twin.read`
    "Story(": {"outcome/engine.py"},
    # moves from where the hand finds the ghosts: `many.simulate_shifted`
    "shifts=()": {"outcome/many.py", "outcome/engine.py"},
    # which bits of `Outcomes.touched` mean what: `outcomes.touched_names`
    "(*COLOURS, PLUG)": {"outcome/outcomes.py", "explore/hunt/hunt_scores.py"},
}
"""Facts about a move, by the words that work them out, and the only modules that may hold those words."""

HEAVY = ("arcade", "pyglet", "numba", "matplotlib", "dask", "magpylib", "scipy", "pymunk", "jinja2")

PRINTING = {"print", "sys.stdout", "sys.stderr"}
CLOCKS = {
    *(f"time.{name}{ns}" for name in ("time", "perf_counter", "monotonic", "process_time") for ns in ("", "_ns")),
    *(f"datetime.datetime.{name}" for name in ("now", "utcnow", "today")),
    "datetime.date.today",
}
ENTROPY = {"os.urandom", "uuid.uuid1", "uuid.uuid4"}
GENERATORS = {"random.Random", "numpy.random.default_rng"}
"""Fine with a seed; without one they draw theirs from the system."""
GENERATOR_PARTS = {"Generator", "BitGenerator", "SeedSequence", "PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"}


def is_above(path: Path) -> bool:
    """Whether the file belongs to the command line, which may print and look at the clock."""
    top = path.relative_to(ROOT / "twin").parts[0]
    return top in {"cli", "cli.py", "__main__.py"}


BELOW_CLI = sorted(path for path in (ROOT / "twin").rglob("*.py") if not is_above(path))


def imported_names(tree: ast.Module) -> dict[str, str]:
    """What each imported name stands for, as a dotted path: `np` is `numpy`."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def dotted(node: ast.expr, names: dict[str, str]) -> str:
    """The dotted path that an expression names, or an empty text."""
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id if node.id == "print" else "")
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value, names)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def complaint(path: str) -> str:
    """Why nothing below the command line may use this, or an empty text if it may."""
    module, _, name = path.rpartition(".")
    if path in PRINTING:
        return f"{path} talks to people"
    if path in CLOCKS:
        return f"{path} reads the clock"
    if path in ENTROPY or module == "secrets":
        return f"{path} can't be repeated"
    if module in {"random", "numpy.random"} and path not in GENERATORS and name not in GENERATOR_PARTS:
        return f"{path} is the global random generator"
    return ""


def complaints(source: str) -> list[str]:
    """One line for each use of printing, clock or global randomness in a module's source."""
    tree = ast.parse(source)
    names = imported_names(tree)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            problem = complaint(dotted(node, names))
            if problem:
                found.append(f"line {node.lineno}: {problem}")
        elif isinstance(node, ast.Call) and dotted(node.func, names) in GENERATORS and not (node.args or node.keywords):
            found.append(f"line {node.lineno}: {dotted(node.func, names)} needs a seed")
    return found


def test_importing_the_package_loads_nothing_heavy():
    """`import twin` is quick: physics, fields, plots and windows are loaded when they are used."""
    code = f"import sys, twin; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    ended = run([sys.executable, "-c", code], cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == [], f"import twin loads {ended.stdout.strip()}"


@pytest.mark.parametrize("path", BELOW_CLI, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_below_the_command_line_nothing_prints_or_reads_clock_or_chance(path):
    found = complaints(path.read_text(encoding="utf-8"))
    assert not found, f"{path.relative_to(ROOT).as_posix()}: {'; '.join(found)}"


@pytest.mark.parametrize(
    "source",
    [
        "print(1)",
        "import sys\nsys.stdout.write('')",
        "import time\ntime.perf_counter()",
        "from time import time as now\nnow()",
        "import datetime as dt\ndt.datetime.now()",
        "from datetime import datetime\ndatetime.now()",
        "import random\nrandom.random()",
        "from random import shuffle\nshuffle([])",
        "import random\nrandom.Random()",
        "import numpy as np\nnp.random.normal()",
        "from numpy.random import default_rng\ndefault_rng()",
        "import secrets\nsecrets.token_hex()",
    ],
)
def test_the_search_finds(source):
    assert complaints(source)


@pytest.mark.parametrize(
    "source",
    [
        "import random\nrandom.Random(7).random()",
        "import numpy as np\nnp.random.default_rng(7).normal()",
        "import numpy as np\ndef draw(rng: np.random.Generator) -> float: return rng.normal()",
        "def f(time: float, random: float) -> float: return time + random",
        "from time import sleep\nsleep(0)",
    ],
)
def test_the_search_lets_pass(source):
    assert not complaints(source)


@pytest.mark.parametrize("words", HOMES)
def test_each_fact_about_a_move_has_one_home(words):
    """Every other module asks `Outcome` or `Outcomes` in place of working it out again."""
    sources = {path.relative_to(ROOT / "twin").as_posix(): path for path in (ROOT / "twin").rglob("*.py")}
    holds = re.compile(r"(?<![\w.])" + re.escape(words))
    found = {name for name, path in sources.items() if holds.search(path.read_text(encoding="utf-8"))}
    assert found == HOMES[words]


def test_only_the_floor_that_reads_outcomes_imports_the_kernel():
    importing = set()
    for path in (ROOT / "twin").rglob("*.py"):
        names = imported_names(ast.parse(path.read_text(encoding="utf-8"))).values()
        if any(f"{name}.".startswith("twin.physics.kernel.") for name in names):
            importing.add(path.relative_to(ROOT / "twin").parts[0])
    assert importing == {"physics", "outcome"}


TABLE = {"game", "play", "environment"}
"""Rooms whose names programs of others use: there a name may stand that stands elsewhere, too."""


def doubles(names: Iterable[tuple[str, Path]]) -> dict[str, list[str]]:
    """Names that stand in several modules; of the rooms at the table, only what stands twice in one of them."""
    homes: dict[str, list[Path]] = {}
    for name, path in names:
        homes.setdefault(name, []).append(path.relative_to(ROOT / "twin"))
    found = {}
    for name, paths in homes.items():
        rooms = [path.parts[0] for path in paths]
        elsewhere = [room for room in rooms if room not in TABLE]
        if len(elsewhere) > 1 or any(rooms.count(room) > 1 for room in TABLE):
            found[name] = [path.as_posix() for path in paths]
    return found


def sources() -> Iterable[Path]:
    return sorted((ROOT / "twin").rglob("*.py"))


def test_no_module_name_stands_twice():
    assert not doubles((path.stem, path) for path in sources() if path.stem != "__init__")


def test_no_class_name_stands_twice():
    trees = ((path, ast.walk(ast.parse(path.read_text(encoding="utf-8")))) for path in sources())
    assert not doubles((node.name, path) for path, tree in trees for node in tree if isinstance(node, ast.ClassDef))
