"""One format for every process's log: plain lines for people, JSON lines for machines."""

from __future__ import annotations

import logging
from typing import Any

import structlog
from django.conf import settings

SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.StackInfoRenderer(),
]


def plain_line(_logger: object, _method: str, event: dict[str, Any]) -> str:
    """``WARNING  what happened  key=value``: time and process are the supervisor's to add."""
    level = event.pop("level", "info")
    event.pop("logger", None)
    message = event.pop("event", "")
    trace = event.pop("exception", "")
    words = [] if level == "info" else [level.upper()]
    words += [str(message), *(f"{key}={value}" for key, value in event.items())]
    return "  ".join(words) + (f"\n{trace}" if trace else "")


class TaskLines(logging.Filter):
    """Celery's line for a task that ended, made short; none for the small tasks of every few seconds."""

    def filter(self, record: logging.LogRecord) -> bool:
        told = getattr(record, "data", None)
        if record.levelno > logging.INFO or not isinstance(told, dict) or "runtime" not in told:
            return True
        record.msg, record.args = f"{told['name']} done in {told['runtime']:.2f} s", ()
        del record.data
        return told["name"] not in {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}


def logging_settings(*, json: bool) -> dict[str, Any]:
    """Django's LOGGING, for structlog's and the standard library's loggers alike."""
    renderers: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if json:
        renderers += [
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.dict_tracebacks,
            structlog.processors.JSONRenderer(),
        ]
    else:
        renderers += [structlog.processors.format_exc_info, plain_line]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": renderers,
                "foreign_pre_chain": SHARED,
            }
        },
        "filters": {"task_lines": {"()": TaskLines}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["console"], "level": "INFO"},
        "loggers": {
            "django.request": {"level": "ERROR"},  # the request line says 4xx already
            "celery.app.trace": {"filters": ["task_lines"]},
            "celery.worker.strategy": {"level": "WARNING"},  # "received": the task's end says it
            "celery.beat": {"level": "WARNING"},
            "django_celery_beat": {"level": "WARNING"},
            "celery.redirected": {"level": "WARNING"},
            "numba": {"level": "WARNING"},
        },
    }


def configure_structlog() -> None:
    """Send structlog's events through the standard library, so that one handler writes them all."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
