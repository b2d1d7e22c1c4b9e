"""The simulator on the command line: ``python -m twin simulate | import | bench``.

What a command needs is imported when it runs, so that ``--help`` does not wait for the compiled engine.
Errors in what a person gave go to standard error, a line each, with exit status 2 and no traceback.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final

from twin.problems import InvalidInput

COMMANDS: Final = {
    "simulate": ("twin.command_simulate", "replay a trace on a cluster under a policy"),
    "import": ("twin.workload.command", "read a trace into jobs.parquet and tell what was kept and refused"),
    "bench": ("twin.engine.bench", "jobs simulated a second, on stated workloads"),
}
"""Command -> the module whose ``main(arguments) -> exit status`` does it, and what it does."""

_WRONG_INPUT: Final = 2
_INTERRUPTED: Final = 130


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit status."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_usage())
        return 0 if arguments else _WRONG_INPUT
    name, rest = arguments[0], list(arguments[1:])
    if name not in COMMANDS:
        print(f'twin: "{name}" is not a command\n\n{_usage()}', file=sys.stderr)
        return _WRONG_INPUT
    module, _ = COMMANDS[name]
    try:
        status = int(importlib.import_module(module).main(rest) or 0)
        sys.stdout.flush()
        return status
    except InvalidInput as wrong:
        for problem in wrong.problems:
            print(f"twin {name}: {problem}", file=sys.stderr)
        return _WRONG_INPUT
    except BrokenPipeError:  # the reader of our output had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        told = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        print(f"twin {name}: {told}", file=sys.stderr)
        return _WRONG_INPUT
    except KeyboardInterrupt:
        return _INTERRUPTED


def _usage() -> str:
    lines = ["usage: python -m twin COMMAND [options]      (python -m twin COMMAND --help tells them)", ""]
    lines += [f"  {name:<10} {told}" for name, (_, told) in COMMANDS.items()]
    return "\n".join(lines)
