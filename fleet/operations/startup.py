"""What happens between ``manage.py up`` and a page that answers."""

from __future__ import annotations

import contextlib
import socket
import time

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from kombu.exceptions import OperationalError

from fleet.operations.health import ask_broker
from fleet.operations.lines import Log
from fleet.operations.listener import ask_health
from fleet.operations.preparation import prepare_database
from fleet.operations.services import (
    NoBroker,
    broker_service,
    scheduler_service,
    web_service,
    worker_service,
)
from fleet.operations.supervisor import Supervisor

BROKER_WAIT_S = 10


class LogStream:
    """The log as a management command's output."""

    def __init__(self, log: Log) -> None:
        self.log = log

    def write(self, text: str) -> None:
        self.log.say(text)

    def flush(self) -> None:
        """Every line is flushed as it is written."""


def start_everything(supervisor: Supervisor, listener: socket.socket, address: str, *, demo: bool) -> None:
    """Broker, database, demo, then the rest; the log says the address when the web answers."""
    started = time.monotonic()
    start_broker(supervisor)
    prepare_database(supervisor.log.say)
    if demo:
        call_command("demo", stdout=LogStream(supervisor.log))
    connections.close_all()
    for service in (web_service(listener.fileno()), worker_service(), scheduler_service()):
        supervisor.start(service)
    client = ask_health(listener)

    def answered() -> None:
        healthy = False
        with client, contextlib.suppress(ConnectionError):  # the web ended before it answered
            healthy = b" 200 " in client.recv(100)
        took_s = time.monotonic() - started
        supervisor.log.say(
            f"Fleet Twin is ready after {took_s:.0f} s: {address}  (Ctrl-C stops it)"
            if healthy
            else "The web answers with an error; its lines above say why"
        )

    supervisor.watch(client, answered)


def start_broker(supervisor: Supervisor) -> None:
    """Start the embedded broker, or find the one of REDIS_URL; ``NoBroker`` when it does not answer."""
    service = broker_service()
    if service is not None:
        settings.BROKER_SOCKET.unlink(missing_ok=True)  # stale: the lock says that no other `up` runs here
        supervisor.start(service)
    deadline = time.monotonic() + BROKER_WAIT_S
    while True:
        try:
            ask_broker()
            return
        except OperationalError as error:
            if time.monotonic() > deadline:
                name = service.command[0] if service else "REDIS_URL"
                raise NoBroker(f"The broker ({name}) does not answer: {error}") from error
        supervisor.turn()
