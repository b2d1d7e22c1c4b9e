"""On Linux a child ends with its parent, even when the parent is killed."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.stack import ROOT, group_is_alive, wait_until

PARENT = """
import subprocess, sys
from fleet.processes import die_with_parent
child = subprocess.Popen(
    [sys.executable, "-c", "import time; time.sleep(600)"], preexec_fn=die_with_parent, process_group=0
)
print(child.pid, flush=True)
child.wait()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel does this on Linux only")
def test_a_child_ends_when_its_parent_is_killed():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    assert group_is_alive(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    wait_until(lambda: not group_is_alive(child), 10, "the child ended with its parent")
