"""The command `twin`. Each command's module is loaded when it is used, so that `twin --help` answers at once."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from twin.cli.parser import build_parser
from twin.errors import TwinError

INTERRUPTED = 130
BAD_INPUT = 2


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code; nobody ever sees a traceback for what they typed."""
    parser = build_parser()
    try:
        options = parser.parse_args(argv)
        if options.command is None:
            parser.print_help(sys.stderr)
            return BAD_INPUT
        module, function = options.handler
        code: int = getattr(import_module(f"twin.cli.{module}"), function)(options)
        sys.stdout.flush()
    except SystemExit as stop:  # argparse ends so, after --help (0) and after words it does not know (2)
        return stop.code if isinstance(stop.code, int) else BAD_INPUT
    except TwinError as error:
        print(f"twin: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt as stop:
        line = "\n" if sys.stderr.isatty() else ""  # a terminal shows ^C, perhaps behind a progress bar
        print(f"{line}twin: {': '.join(['interrupted', *map(str, stop.args)])}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough (`twin scenes | head`); Python must not complain again when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code
