"""Children that outlived a supervisor that was killed: found and ended at the next start.

On Linux the kernel ends them with it (``fleet.processes.die_with_parent``), and what those had started
follows within a second; elsewhere, and in that second, this does.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time

from django.conf import settings

from fleet.operations.lines import Log
from fleet.runtime import Launch

WAIT_S = 5.0


def end_leftovers(launch: Launch | None, log: Log) -> None:
    """Kill the process groups that an ended launch left behind, if they still are what it started."""
    ours = groups_of_this_checkout()
    left = {name: pid for name, pid in (launch.children if launch else {}).items() if pid in ours}
    for name, pid in left.items():
        log.say(f"Ending the {name} that an earlier start left behind (process group {pid})")
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
    deadline = time.monotonic() + WAIT_S
    while left and time.monotonic() < deadline and groups_of_this_checkout() & set(left.values()):
        time.sleep(0.1)


def groups_of_this_checkout() -> set[int]:
    """Process groups in which some command line names this checkout; empty where there is no ``ps``."""
    try:
        listing = subprocess.run(["ps", "-axo", "pgid=,command="], capture_output=True, text=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        return set()  # rather leave a process than end a stranger's
    rows = (line.strip().partition(" ") for line in listing.stdout.splitlines())
    marks = (str(settings.BASE_DIR), str(settings.BROKER_SOCKET))
    return {int(group) for group, _, command in rows if any(mark in command for mark in marks)}
