"""Every dependency has a lower bound, and `make oldest` tries exactly that version."""

from __future__ import annotations

import tomllib
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.children import ROOT

PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: Final = PROJECT["optional-dependencies"]
NEEDED: Final = [*PROJECT["dependencies"], *(text for name, texts in EXTRAS.items() if name != "dev" for text in texts)]
CHECKERS: Final = {"ruff", "mypy", "import-linter"}
"""What `make check` runs; `make oldest` does not."""


def bound(text: str) -> tuple[str, str | None]:
    """The name of a dependency and its lower bound, if it has one."""
    requirement = Requirement(text)
    lowest = [s.version for s in requirement.specifier if s.operator in {">=", "=="}]
    return canonicalize_name(requirement.name), lowest[0] if lowest else None


def constrained(file: str) -> dict[str, Version]:
    """The version that a file of constraints gives to each package."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): Version(version) for name, version in pairs}


@pytest.mark.parametrize("text", [*NEEDED, *EXTRAS["dev"]])
def test_a_dependency_has_a_lower_bound_that_is_tried(text):
    """Whatever allows one version only is tried with the others, and checkers run in one version only."""
    name, lowest = bound(text)
    assert lowest is not None, "has no lower bound"
    if "==" not in text.partition(";")[0] and name not in CHECKERS:
        assert constrained("constraints-oldest.txt")[name] == Version(lowest)


@pytest.mark.parametrize("text", [*NEEDED, *EXTRAS["dev"]])
def test_the_versions_of_every_day_are_allowed(text):
    requirement = Requirement(text)
    assert constrained("constraints.txt")[canonicalize_name(requirement.name)] in requirement.specifier


def test_development_needs_the_versions_that_people_get():
    """An extra and the development tools ask for the same version of a package."""
    dev = dict(map(bound, EXTRAS["dev"]))
    assert {name: lowest for name, lowest in map(bound, NEEDED) if name in dev and dev[name] != lowest} == {}
