"""Keeps the services running in one foreground process, and stops all of them together.

One thread: it selects over the children's output, restarts what ended (waiting longer each time it
ends quickly), and on the way out stops every process group, by force after a grace.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import IO

from fleet.operations.lines import Log
from fleet.operations.services import Service
from fleet.processes import die_with_parent

TICK_S = 0.2
GRACE_S = 8.0
STEADY_S = 30.0
LONGEST_PAUSE_S = 30.0


@dataclass
class Child:
    """A service and the process that now runs it."""

    service: Service
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    quick_ends: int = 0
    restart_at: float = 0.0
    unfinished_line: bytes = field(default=b"", repr=False)


class Supervisor:
    """Runs services until ``stop``; ``on_change`` hears the children's process ids after each start."""

    def __init__(
        self, log: Log, environ: Mapping[str, str], on_change: Callable[[dict[str, int]], None]
    ) -> None:
        self.log = log
        self.environ = dict(environ, PYTHONUNBUFFERED="1")
        self.on_change = on_change
        self.children: dict[str, Child] = {}
        self.selector = selectors.DefaultSelector()

    def start(self, service: Service) -> Child:
        """Start a service and keep it running from now on."""
        child = self.children.setdefault(service.name, Child(service))
        self._launch(child)
        return child

    def watch(self, source: object, ready: Callable[[], None]) -> None:
        """Call ``ready`` once when ``source`` (a socket) has something to read."""

        def once() -> None:
            self.selector.unregister(source)  # type: ignore[arg-type]
            ready()

        self.selector.register(source, selectors.EVENT_READ, once)  # type: ignore[arg-type]

    def turn(self) -> None:
        """Pass on what the children wrote, notice which ended, restart what is due."""
        for key, _events in self.selector.select(TICK_S):
            key.data()
        for child in self.children.values():
            if child.process is not None and child.process.poll() is not None:
                self._note_end(child)
            elif child.process is None and time.monotonic() >= child.restart_at:
                self._launch(child)

    def stop(self, names: Iterable[str]) -> None:
        """Ask these services to end, wait for the grace, then kill what is left of their groups."""
        ending = [self.children.pop(name) for name in names if name in self.children]
        processes = {child.service.name: child.process for child in ending if child.process is not None}
        for process in processes.values():
            process.terminate()  # not its group: a master ends its own workers in order
        deadline = time.monotonic() + GRACE_S
        try:
            while time.monotonic() < deadline and any(p.poll() is None for p in processes.values()):
                for key, _events in self.selector.select(TICK_S):
                    key.data()
        finally:
            for name, process in processes.items():
                if process.poll() is None:
                    self.log.say(f"{name} did not stop in time and is killed")
                kill_group(process)

    def _launch(self, child: Child) -> None:
        child.process = subprocess.Popen(
            child.service.command,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=child.service.pass_fds,
            process_group=0,
            preexec_fn=die_with_parent,
        )
        child.started_at = time.monotonic()
        output = child.process.stdout
        assert output is not None
        os.set_blocking(output.fileno(), False)
        self.selector.register(output, selectors.EVENT_READ, lambda: self._pass_on(child, output))
        self.on_change({c.service.name: c.process.pid for c in self.children.values() if c.process})

    def _pass_on(self, child: Child, output: IO[bytes]) -> None:
        try:
            data = os.read(output.fileno(), 65536)
        except BlockingIOError:
            return
        if not data:
            self.selector.unregister(output)
            output.close()
            data = b"\n" if child.unfinished_line else b""  # the last words of a program that broke off
        *lines, child.unfinished_line = (child.unfinished_line + data).split(b"\n")
        for line in lines:
            self.log.write(child.service.name, line.decode(errors="replace"))

    def _note_end(self, child: Child) -> None:
        assert child.process is not None
        code = child.process.returncode
        kill_group(child.process)
        child.process = None
        steady = time.monotonic() - child.started_at >= STEADY_S
        child.quick_ends = 0 if steady else child.quick_ends + 1
        pause_s = min(LONGEST_PAUSE_S, 0.5 * 2**child.quick_ends)
        child.restart_at = time.monotonic() + pause_s
        how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        self.log.say(f"{child.service.name} {how}; starting it again in {pause_s:.0f} s")


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a child and whatever it left in its process group, at once."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
