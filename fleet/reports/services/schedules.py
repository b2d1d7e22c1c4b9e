"""Writing schedules, each mirrored by one periodic task of Celery beat."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django_celery_beat.models import CrontabSchedule, PeriodicTask

from fleet.accounts.services import record
from fleet.reports.crontab import crontab_fields, last_due
from fleet.reports.models import Report, ReportSchedule
from fleet.reports.services.reports import report_start

TASK = "reports.schedule_run"
FIELDS = ("name", "study", "crontab", "time_zone", "follow", "enabled")


@transaction.atomic
def schedule_create(schedule: ReportSchedule, user: User) -> ReportSchedule:
    """Save a new, valid schedule and start beating for it."""
    schedule.created_by = user
    schedule.save()
    _beat(schedule)
    record(schedule.workspace, user, "created", schedule, None, _told(schedule))
    return schedule


@transaction.atomic
def schedule_update(schedule: ReportSchedule, user: User) -> ReportSchedule:
    """Save changed fields of a valid schedule; from now on it beats by them."""
    before = _told(ReportSchedule.objects.in_workspace(schedule.workspace).get(pk=schedule.pk))
    schedule.save()
    _beat(schedule)
    record(schedule.workspace, user, "changed", schedule, before, _told(schedule))
    return schedule


def schedule_pause(schedule: ReportSchedule, user: User, *, enabled: bool) -> ReportSchedule:
    """Pause a schedule, or let it go on."""
    schedule.enabled = enabled
    return schedule_update(schedule, user)


@transaction.atomic
def schedule_delete(schedule: ReportSchedule, user: User) -> None:
    """Delete a schedule; its reports stay in the archive."""
    record(schedule.workspace, user, "deleted", schedule, _told(schedule), None)
    if schedule.periodic_task is not None:
        schedule.periodic_task.delete()
    schedule.delete()


def schedule_came_due(schedule: ReportSchedule, now: datetime) -> Report:
    """Begin the report of the time at which the schedule last came due, however late the message arrives."""
    return report_start(schedule, last_due(schedule.crontab, schedule.zone, now), None)


def schedule_run(schedule: ReportSchedule, now: datetime, user: User) -> Report:
    """Begin a report now, for a person; a second call within the minute answers the same report."""
    return report_start(schedule, now.replace(second=0, microsecond=0), user)


def _told(schedule: ReportSchedule) -> dict[str, Any]:
    return {field: str(getattr(schedule, field)) for field in FIELDS}


def _beat(schedule: ReportSchedule) -> None:
    """Bring the periodic task in line with the schedule."""
    crontab, _ = CrontabSchedule.objects.get_or_create(
        **crontab_fields(schedule.crontab), timezone=schedule.time_zone
    )
    task, _ = PeriodicTask.objects.update_or_create(
        name=f"report schedule {schedule.pk}",
        defaults={
            "task": TASK,
            "crontab": crontab,
            "args": f"[{schedule.pk}]",
            "enabled": schedule.enabled,
        },
    )
    if schedule.periodic_task_id != task.pk:
        schedule.periodic_task = task
        schedule.save(update_fields=["periodic_task"])
