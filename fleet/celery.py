"""The Celery application; its options are the CELERY_* settings."""

import logging.config
import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_process_init
from django.conf import settings

from fleet.processes import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fleet.settings")
app = Celery("fleet")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def log_as_django_does(**_signal: Any) -> None:
    """Keep Celery from installing handlers of its own."""
    logging.config.dictConfig(settings.LOGGING)


@worker_process_init.connect
def end_with_the_worker(**_signal: Any) -> None:
    """A pool process must not outlive a worker that was killed: it would finish work that is given again."""
    die_with_parent()
