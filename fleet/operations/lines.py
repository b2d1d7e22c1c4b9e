"""The supervisor's one log: a clock, the service's name in its colour, the line."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from typing import TextIO

COLOURS = {"broker": 35, "web": 36, "worker": 32, "scheduler": 33}
WIDTH = max(map(len, COLOURS))


class Log:
    """Writes ``14:03:05 worker    | text``, coloured on a terminal unless NO_COLOR is set."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.coloured = stream.isatty() and "NO_COLOR" not in os.environ

    def write(self, service: str, text: str) -> None:
        """Write each line of ``text`` under this service's name; an empty name is the supervisor's own."""
        with contextlib.suppress(OSError):  # a terminal that was closed; its SIGHUP stops us in order
            for line in text.splitlines():
                prefix = f"{datetime.now():%H:%M:%S} {service:<{WIDTH}} |"
                if self.coloured:
                    prefix = f"\x1b[{COLOURS.get(service, 1)}m{prefix}\x1b[0m"
                self.stream.write(f"{prefix} {line}\n")
            self.stream.flush()

    def say(self, text: str) -> None:
        """A sentence of the supervisor itself."""
        self.write("", text)
