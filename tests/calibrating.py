"""How tests call the commands that calibrate: parsed as on the command line, errors as exit codes."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from twin.cli import calibrate_commands, explore_commands, move_commands, perform, validate_commands
from twin.errors import TwinError

if TYPE_CHECKING:
    import pytest


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Exit code and what was printed (or the error)."""
    parser = argparse.ArgumentParser(prog="twin")
    commands = parser.add_subparsers(dest="command")
    for family in (calibrate_commands, move_commands, explore_commands, validate_commands):
        family.add(commands)
    try:
        options = parser.parse_args(words)
        code = perform(options)
    except SystemExit as error:
        return int(error.code or 0), capsys.readouterr().err
    except TwinError as error:
        return error.exit_code, str(error)
    return code, capsys.readouterr().out


def called_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """The object that a command prints with --json."""
    code, printed = called(capsys, *words, "--json")
    assert code == 0, printed
    data: dict[str, Any] = json.loads(printed)
    return data
