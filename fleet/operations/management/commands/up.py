"""``manage.py up``: everything, in one foreground process that one Ctrl-C stops."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import signal
import socket
import sys
from typing import IO, Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from fleet import environment, runtime
from fleet.operations.leftovers import end_leftovers
from fleet.operations.lines import Log
from fleet.operations.listener import HOST, PortTaken, open_listener
from fleet.operations.services import NoBroker
from fleet.operations.startup import start_everything
from fleet.operations.supervisor import Supervisor

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Command(BaseCommand):
    help = "Start the web, a worker, the scheduler and a broker on this machine; Ctrl-C stops them all."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="do not make the demo workspace")

    def handle(self, *_args: Any, no_demo: bool, **_options: Any) -> None:
        log = Log(sys.stdout)
        run_folder = settings.VAR_DIR / "run"
        runtime.private_folder(run_folder)
        with open(run_folder / "up.lock", "w") as lock:
            take(lock)
            end_leftovers(runtime.read_launch(settings.VAR_DIR), log)
            try:
                with open_listener(environment.whole_number("FLEET_PORT", 0) or None) as listener:
                    supervise(listener, log, demo=not no_demo)
            except (PortTaken, NoBroker) as problem:
                raise CommandError(str(problem)) from problem


def take(lock: IO[str]) -> None:
    """Hold the checkout's lock, or say where it already runs; the kernel drops the lock with the process."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        launch = runtime.read_launch(settings.VAR_DIR)
        where = f" at {launch.address} (process {launch.pid})" if launch else ""
        raise CommandError(f"Fleet Twin already runs from this checkout{where}.") from None


def supervise(listener: socket.socket, log: Log, *, demo: bool) -> None:
    """Start, serve until a signal, stop; whatever happens, nothing is left running."""
    address = f"http://{HOST}:{listener.getsockname()[1]}"
    token = secrets.token_urlsafe(32)

    def remember(children: dict[str, int]) -> None:
        runtime.write_launch(settings.VAR_DIR, runtime.Launch(os.getpid(), address, token, children))

    remember({})
    supervisor = Supervisor(log, {**os.environ, runtime.LAUNCH_TOKEN: token}, remember)
    for number in STOP_SIGNALS:
        signal.signal(number, interrupt)
    try:
        start_everything(supervisor, listener, address, demo=demo)
        while True:
            supervisor.turn()
    except KeyboardInterrupt:
        log.say("Stopping (a second Ctrl-C kills at once)")
    finally:
        with contextlib.suppress(KeyboardInterrupt):
            supervisor.stop(["scheduler", "web", "worker"])
        with contextlib.suppress(KeyboardInterrupt):
            supervisor.stop(["broker"])
        (settings.VAR_DIR / "run" / "up.json").unlink(missing_ok=True)
        log.say("Stopped")


def interrupt(_number: int, _frame: object) -> NoReturn:
    """Every stop signal unwinds the supervisor as Ctrl-C does."""
    raise KeyboardInterrupt
