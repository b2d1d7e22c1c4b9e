"""Deleting outcomes and files that nothing points to any more."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models.deletion import ProtectedError

from fleet.planning.models import Outcome

KEPT_FOR = timedelta(hours=24)
ROOT = "outcomes"


def outcomes_sweep(now: datetime) -> int:
    """Delete outcomes without a run, and outcome files without a row, once they are a day old.

    A day is longer than any run lasts, so files that are just being written are never touched.
    """
    swept = 0
    for outcome in Outcome.unscoped.filter(runs=None, created_at__lt=now - KEPT_FOR):
        try:
            with transaction.atomic():
                outcome.delete()
        except (ProtectedError, IntegrityError):  # a run took it just now
            continue
    kept = set()
    for names in Outcome.unscoped.values_list("charts_file", "jobs_file"):
        kept.update(names)
    for name in _files():
        if name not in kept and default_storage.get_modified_time(name) < now - KEPT_FOR:
            default_storage.delete(name)
            swept += 1
    return swept


def _files() -> list[str]:
    """Every file under outcomes/<hash>/<run>-<attempt>/."""
    found = []
    for spec in _folders(ROOT):
        for attempt in _folders(f"{ROOT}/{spec}"):
            folder = f"{ROOT}/{spec}/{attempt}"
            found += [f"{folder}/{name}" for name in default_storage.listdir(folder)[1]]
    return found


def _folders(path: str) -> list[str]:
    try:
        return list(default_storage.listdir(path)[0])
    except FileNotFoundError:
        return []
