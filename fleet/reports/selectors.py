"""Reading schedules and reports."""

from __future__ import annotations

from django.db.models import OuterRef, QuerySet, Subquery

from fleet.accounts.models import Workspace
from fleet.reports.models import Follow, Report, ReportSchedule
from fleet.whole_numbers import whole_number
from fleet.workloads.models import Kind, State, Workload


def workload_for(schedule: ReportSchedule) -> Workload | None:
    """The workload that the schedule's next report runs on; None = the study's own."""
    ready = Workload.objects.in_workspace(schedule.workspace).filter(state=State.READY)
    current = schedule.study.workload
    if schedule.follow == Follow.NEWEST_TRACE:
        return ready.filter(kind=Kind.TRACE).order_by("-created_at", "-pk").first()
    if schedule.follow == Follow.NEWEST_VERSION and current is not None:
        return ready.filter(name=current.name).order_by("-version").first()
    return None


def schedules_of(workspace: Workspace) -> QuerySet[ReportSchedule]:
    """The workspace's schedules by name, each with the state and time of its last report."""
    last = Report.objects.in_workspace(workspace).filter(schedule=OuterRef("pk")).order_by("-due_at")
    return (
        ReportSchedule.objects.in_workspace(workspace)
        .select_related("study")
        .annotate(
            last_due_at=Subquery(last.values("due_at")[:1]), last_state=Subquery(last.values("state")[:1])
        )
    )


def reports_of(
    workspace: Workspace, *, text: str = "", state: str = "", schedule: str = ""
) -> QuerySet[Report]:
    """The archive, newest first; filters that are empty or unknown let everything through."""
    reports = Report.objects.in_workspace(workspace).select_related("schedule", "study")
    if text:
        reports = reports.filter(title__icontains=text)
    if state in Report.State.values:
        reports = reports.filter(state=state)
    number = whole_number(schedule)
    if number is not None:
        reports = reports.filter(schedule_id=number)
    return reports
