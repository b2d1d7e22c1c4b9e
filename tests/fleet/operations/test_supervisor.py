"""The supervisor with small programs of its own."""

from __future__ import annotations

import io
import os
import sys

from fleet.operations.lines import Log
from fleet.operations.services import Service
from fleet.operations.supervisor import Supervisor
from tests.stack import wait_until


def test_the_last_words_of_a_program_are_in_the_log_without_a_line_end():
    told = io.StringIO()
    supervisor = Supervisor(Log(told), os.environ, lambda _children: None)
    supervisor.start(Service("web", (sys.executable, "-c", "print('last words', end='')")))

    def heard() -> bool:
        supervisor.turn()
        return "last words" in told.getvalue()

    try:
        wait_until(heard, 20, "the last words")
    finally:
        supervisor.stop(["web"])
