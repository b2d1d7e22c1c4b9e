"""What this operating system can do for a supervisor and its children."""

from __future__ import annotations

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1  # <sys/prctl.h>
# Loaded here and not in the child, where between fork and exec nothing may wait for a lock.
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent() -> None:
    """On Linux, have the kernel kill this process when its parent ends, however it ends.

    Elsewhere nothing happens here, and the next ``manage.py up`` ends what it finds left over.
    """
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
