"""Work for the Celery workers. Each only calls a service, and repeating it is harmless."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from fleet.reports import services
from fleet.reports.models import ReportSchedule


@shared_task(name="reports.schedule_run")
def schedule_run(schedule_id: int) -> None:
    """Begin the report of a schedule that came due."""
    schedule = ReportSchedule.unscoped.filter(pk=schedule_id).select_related("workspace", "study").first()
    if schedule is not None and schedule.enabled:
        services.schedule_came_due(schedule, timezone.now())


@shared_task(name="reports.collect")
def reports_collect() -> None:
    """Every 10 s: make the pages of reports whose runs have ended."""
    services.reports_collect(timezone.now())
