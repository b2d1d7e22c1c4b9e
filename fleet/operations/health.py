"""/healthz: this process answers. /readyz: and so do the database and the broker."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from django.db import connection
from django.http import HttpRequest, JsonResponse

from fleet.celery import app

log = structlog.get_logger(__name__)

BROKER_TIMEOUT_S = 2


def healthz(_request: HttpRequest) -> JsonResponse:
    """The web process is up."""
    return JsonResponse({"status": "ok"})


def ask_database() -> None:
    """Raise whatever the driver raises when the database does not answer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def ask_broker() -> None:
    """Raise whatever the transport raises when the broker does not answer."""
    with app.connection_for_write(connect_timeout=BROKER_TIMEOUT_S) as broker:
        broker.ensure_connection(max_retries=1, interval_start=0.1, timeout=BROKER_TIMEOUT_S)


def state_of(part: str, ask: Callable[[], None]) -> str:
    """``ok``, or the error's kind; its text, which may name hosts and accounts, goes to the log."""
    try:
        ask()
    except Exception as error:
        log.warning(f"{part} does not answer", error=f"{type(error).__name__}: {error}")
        return f"does not answer ({type(error).__name__})"
    return "ok"


def readyz(_request: HttpRequest) -> JsonResponse:
    """200 when the database and the broker answer, else 503; the body says which does not."""
    checks = {"database": state_of("database", ask_database), "broker": state_of("broker", ask_broker)}
    ready = set(checks.values()) == {"ok"}
    return JsonResponse({"status": "ok" if ready else "not ready", **checks}, status=200 if ready else 503)
