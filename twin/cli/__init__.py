"""The command `twin`. Each command's module is loaded when it is used, so that `twin --help` answers at once."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from twin.cli.console import BAD_OUTPUT, safe_streams, went_wrong
from twin.cli.files import check_outputs
from twin.cli.interrupts import signals_as_interrupts
from twin.cli.parser import build_parser
from twin.cli.words import settle_force
from twin.errors import TwinError, visible

if TYPE_CHECKING:
    from argparse import Namespace

BAD_INPUT = 2


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code; what a person types or a file holds never ends in a traceback.

    A command that did all but print ends with 2, unless it has an exit code of its own to tell, or the reader of a pipe
    has seen enough.
    """
    with safe_streams() as out, signals_as_interrupts() as interruption:
        try:
            code = _run(argv)
            out.flush()
            interruption.is_over = True
        except KeyboardInterrupt as stop:
            interruption.is_over = True
            line = "\n" if sys.stderr.isatty() else ""  # a terminal shows ^C, perhaps behind a progress bar
            told = ": ".join([interruption.words, *map(str, stop.args)])
            print(f"{line}twin: {visible(told)}", file=sys.stderr)
            code = interruption.exit_code
    return code or (BAD_OUTPUT if went_wrong(out) else 0)


def _run(argv: list[str] | None) -> int:
    parser = build_parser()
    try:
        options = parser.parse_args(argv)
        if options.command is None:
            parser.print_help(sys.stderr)
            return BAD_INPUT
        code = perform(options)
    except SystemExit as stop:  # argparse ends so, after --help (0) and after words it does not know (2)
        return stop.code if isinstance(stop.code, int) else BAD_INPUT
    except TwinError as error:
        print(f"twin: {visible(str(error))}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"twin: {visible(_trouble(error))}", file=sys.stderr)
        return BAD_INPUT
    return code


def perform(options: Namespace) -> int:
    """Do what was parsed, after a look at the files that it will write."""
    settle_force(options)
    check_outputs(options)
    module, function = options.handler
    with import_module("twin.cli.output").showing_notices():
        code: int = getattr(import_module(f"twin.cli.{module}"), function)(options)
    return code


def _trouble(error: OSError) -> str:
    """What the system refused; most often because the working folder has been removed."""
    try:
        Path.cwd()
    except OSError:
        return "the working folder is gone: change to one that is there"
    why = error.strerror or str(error) or type(error).__name__
    return why if error.filename is None else f"{error.filename}: {why}"
