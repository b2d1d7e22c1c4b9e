"""How to make what the addresses of fleet.reports name (tests/fleet/url_table.py)."""

from datetime import UTC, datetime

from fleet.planning.models import Study
from fleet.reports.models import Report, ReportSchedule
from tests.fleet.url_table import object_named


@object_named("pk", pages="reports:schedule_*")
def schedule(workspace, made):
    number = ReportSchedule.unscoped.count()
    study = Study.unscoped.create(workspace=workspace, name="nightly")
    return ReportSchedule.unscoped.create(workspace=workspace, name=f"schedule {number}", study=study).pk


@object_named("pk", pages="reports:report_*")
def report(workspace, made):
    return Report.unscoped.create(
        workspace=workspace, title="a night", due_at=datetime(2026, 1, 1, tzinfo=UTC)
    ).pk
