"""A line a request, with an id that the answer carries too (``X-Request-ID``)."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponseBase

log = structlog.get_logger("fleet.request")
QUIET = ("/static/", "/healthz", "/readyz")


class RequestLogMiddleware:
    """Logs method, path, status and milliseconds; binds the request's id to all its log lines."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.monotonic()
        request_id = uuid.uuid4().hex[:12]
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            response = self.get_response(request)
            response.headers["X-Request-ID"] = request_id
            if not request.path.startswith(QUIET):
                took_ms = round((time.monotonic() - started) * 1000)
                log.info(f"{request.method} {request.path} {response.status_code}", took_ms=took_ms)
            return response
        finally:
            structlog.contextvars.unbind_contextvars("request_id")
