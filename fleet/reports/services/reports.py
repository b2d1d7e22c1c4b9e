"""Writing reports: ask the study again, and when its runs have ended, keep the page."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.db import transaction

from fleet.accounts.services import record
from fleet.planning.models import RunState
from fleet.planning.services import runs_of_round, study_run_again
from fleet.reports.models import Report, ReportSchedule
from fleet.reports.page import report_page
from fleet.reports.selectors import workload_for

log = structlog.get_logger(__name__)

PATIENCE = timedelta(hours=6)  # a report whose runs have not ended by then is told as failed


@transaction.atomic
def report_start(schedule: ReportSchedule, due_at: datetime, user: User | None) -> Report:
    """Ask the schedule's study again on the workload that it follows.

    One report a due time: repeating the call (a message delivered twice) answers the first one. What
    prevents the study from running is told in the report, which is then *failed*.
    """
    report, is_new = Report.objects.in_workspace(schedule.workspace).get_or_create(
        workspace=schedule.workspace,
        schedule=schedule,
        due_at=due_at,
        defaults={"title": f"{schedule.name}, {due_at.astimezone(schedule.zone):%a %d %b %Y %H:%M %Z}"},
    )
    if not is_new:
        return report
    report.study = schedule.study
    try:
        with transaction.atomic():
            study = study_run_again(schedule.study, user, workload=workload_for(schedule))
        report.round = study.round
    except ValidationError as error:
        report.state, report.error = Report.State.FAILED, " ".join(error.messages)
    report.save()
    return report


def reports_collect(now: datetime) -> int:
    """Finish every report whose runs have all ended; returns how many. Safe to call at any time."""
    running = Report.unscoped.filter(state=Report.State.RUNNING).select_related(
        "study", "schedule", "workspace"
    )
    return sum(_collect_or_fail(report, now) for report in running)


def report_delete(report: Report, user: User) -> None:
    """Delete a report and its page."""
    with transaction.atomic():
        record(report.workspace, user, "deleted", report, {"title": report.title}, None)
        name, storage = report.page.name, report.page.storage
        report.delete()
    if name:
        storage.delete(name)


def _collect_or_fail(report: Report, now: datetime) -> bool:
    """Collect one report; what breaks it fails it, and holds up no other."""
    try:
        return _collect(report, now)
    except Exception as error:
        log.exception("report could not be made", report=report.pk)
        return _end(report, now, error=f"The page could not be made: {type(error).__name__}: {error}")


def _collect(report: Report, now: datetime) -> bool:
    if report.study is None:
        return _end(report, now, error="Its study was deleted before the report was made.")
    states = [run.state for run in runs_of_round(report.study, report.round)]
    unfinished = [state for state in states if state in (RunState.QUEUED, RunState.RUNNING)]
    if unfinished:
        late = now - report.created_at > PATIENCE
        return late and _end(report, now, error=f"{len(unfinished)} runs had not ended after {PATIENCE}.")
    if RunState.SUCCEEDED not in states:
        return _end(report, now, error="No run of the study succeeded; open the study for the reasons.")
    return _end(report, now, page=report_page(report, now))


def _end(report: Report, now: datetime, *, page: str = "", error: str = "") -> bool:
    """Move from running to ready or failed, once: the loser of a race removes the file that it wrote."""
    name = ""
    if page:
        file = ContentFile(page.encode())
        wanted = report.page.field.generate_filename(report, f"report-{report.pk}.html")
        name = report.page.storage.save(wanted, file)
    won = Report.unscoped.filter(pk=report.pk, state=Report.State.RUNNING).update(
        state=Report.State.READY if page else Report.State.FAILED, page=name, error=error, finished_at=now
    )
    if not won and name:
        report.page.storage.delete(name)
    return bool(won)
