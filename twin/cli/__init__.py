"""The command `twin`. What a command computes with is loaded when the command runs: `twin --help` answers at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from twin.cli.console import BAD_OUTPUT, safe_streams, went_wrong
from twin.cli.interrupts import signals_as_interrupts
from twin.cli.options import BAD_INPUT, settle_force
from twin.cli.output import showing_notices
from twin.cli.output_files import check_outputs
from twin.cli.parser import build_parser
from twin.errors import TwinError, visible

if TYPE_CHECKING:
    from argparse import Namespace


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code; what a person types or a file holds never ends in a traceback.

    A command that did all but print ends with 2, unless it has an exit code of its own, or the reader of a pipe has
    seen enough.
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
    with showing_notices():
        code: int = options.handler(options)
    return code


def _trouble(error: OSError) -> str:
    """What the system refused; most often because the working folder has been removed."""
    try:
        Path.cwd()
    except OSError:
        return "the working folder is gone: change to one that is there"
    why = error.strerror or str(error) or type(error).__name__
    return why if error.filename is None else f"{error.filename}: {why}"
