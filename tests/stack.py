"""A whole running Fleet Twin for tests: ``manage.py up`` in its own var/ folder, on a free port."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from fleet.runtime import read_launch

ROOT = Path(__file__).resolve().parent.parent
READY = "Fleet Twin is ready"
START_S = 180
STOP_S = 60


class Stack:
    """One ``manage.py up`` process; use it in a ``with`` block, which waits until it is ready."""

    def __init__(self, var_dir: Path, *arguments: str, **environ: str) -> None:
        self.var_dir = var_dir
        self.log_path = var_dir.parent / f"{var_dir.name}.log"
        inherited = {
            k: v for k, v in os.environ.items() if not k.startswith(("FLEET_", "DJANGO_", "PYTEST_"))
        }
        self.environ = {**inherited, "FLEET_VAR_DIR": str(var_dir), **environ}
        self.command = [sys.executable, "manage.py", "up", *arguments]

    def __enter__(self) -> Stack:
        self.start()
        try:
            self.wait_for(READY)
        except BaseException:
            self.process.kill()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process.poll() is None:
            self.stop()

    def start(self) -> None:
        """Start without waiting."""
        self.log = open(self.log_path, "a")  # noqa: SIM115 - the process writes to it as long as it runs
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, env=self.environ, stdout=self.log, stderr=subprocess.STDOUT
        )

    def wait_for(self, text: str, times: int = 1) -> None:
        """Wait until the log has said this; fail with the log's end when the process is gone or late."""
        deadline = time.monotonic() + START_S
        while self.output().count(text) < times:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"{text!r} was not said. The log ends:\n{self.output()[-4000:]}")
            time.sleep(0.1)

    def output(self) -> str:
        """All that it has logged."""
        return self.log_path.read_text(errors="replace")

    @property
    def address(self) -> str:
        launch = read_launch(self.var_dir)
        assert launch is not None
        return launch.address

    def children(self) -> dict[str, int]:
        """Service name → process id (and process group)."""
        launch = read_launch(self.var_dir)
        return launch.children if launch else {}

    def stop(self, number: int = signal.SIGINT) -> int:
        """Stop it as Ctrl-C does; the exit status."""
        self.process.send_signal(number)
        status = self.process.wait(STOP_S)
        self.log.close()
        return status


def group_is_alive(group: int) -> bool:
    """Whether any process of the group still runs; a zombie only waits for somebody to ask after it."""
    found = subprocess.run(["ps", "-axo", "pgid=,stat="], capture_output=True, text=True, check=True)
    rows = (line.split() for line in found.stdout.splitlines())
    return any(int(pgid) == group and not stat.startswith("Z") for pgid, stat in rows)


def wait_until(fact, within_s: float, what: str) -> None:
    """Poll a fact about other processes, which tell nobody when they change."""
    deadline = time.monotonic() + within_s
    while not fact():
        assert time.monotonic() < deadline, f"not within {within_s} s: {what}"
        time.sleep(0.1)
