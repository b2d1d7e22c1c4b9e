"""Schedules that people edit, and the capacity reports that they made."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django_celery_beat.models import PeriodicTask

from fleet.accounts.scoping import WorkspaceModel
from fleet.reports.crontab import crontab_in_words, crontab_schedule, next_due


def validate_time_zone(name: str) -> None:
    """Accept only names of the IANA time zone database."""
    if name not in available_timezones():
        raise ValidationError(f"{name!r} is not a time zone. Example: Europe/Berlin, America/New_York, UTC.")


class Follow(models.TextChoices):
    """Which workload a night's study runs on."""

    NEWEST_TRACE = "newest_trace", "the newest trace of the workspace"
    NEWEST_VERSION = "newest_version", "the newest version of the study's workload"
    AS_IT_IS = "as_it_is", "the study's workload as it is"


class ReportSchedule(WorkspaceModel):
    """Re-runs a study on the newest trace whenever its crontab comes due."""

    name = models.CharField(max_length=100)
    study = models.ForeignKey("planning.Study", on_delete=models.CASCADE, related_name="report_schedules")
    crontab = models.CharField(max_length=100, default="0 6 * * *")
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    follow = models.CharField(max_length=20, choices=Follow.choices, default=Follow.NEWEST_TRACE)
    enabled = models.BooleanField(default=True)
    periodic_task = models.OneToOneField(PeriodicTask, on_delete=models.SET_NULL, null=True, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(WorkspaceModel.Meta):
        abstract = False
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="schedule_name_once")]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def in_words(self) -> str:
        return f"{crontab_in_words(self.crontab)} ({self.time_zone})"

    def next_due(self, count: int = 3) -> list[datetime]:
        """The next times it is due, in its own zone."""
        return next_due(self.crontab, self.zone, timezone.now(), count)

    def clean(self) -> None:
        if self.time_zone in available_timezones():
            try:
                crontab_schedule(self.crontab, self.zone)
                next_due(self.crontab, self.zone, timezone.now(), 1)
            except ValidationError as error:
                raise ValidationError({"crontab": error}) from error


class Report(WorkspaceModel):
    """One capacity report: made from a study, kept as an HTML page."""

    class State(models.TextChoices):
        RUNNING = "running"
        READY = "ready"
        FAILED = "failed"

    schedule = models.ForeignKey(ReportSchedule, on_delete=models.SET_NULL, null=True, related_name="reports")
    title = models.CharField(max_length=200)
    due_at = models.DateTimeField()
    study = models.ForeignKey("planning.Study", on_delete=models.SET_NULL, null=True, related_name="reports")
    round = models.PositiveIntegerField(default=0)  # of the study; 0 where it could not be asked
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    page = models.FileField(upload_to="reports/%Y/%m/", blank=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta(WorkspaceModel.Meta):
        abstract = False
        ordering = ["-due_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["schedule", "due_at"], name="one_report_a_due_time"),
        ]

    def __str__(self) -> str:
        return self.title
