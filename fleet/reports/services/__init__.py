"""Writing schedules and reports."""

from fleet.reports.services.reports import report_delete, report_start, reports_collect
from fleet.reports.services.schedules import (
    schedule_came_due,
    schedule_create,
    schedule_delete,
    schedule_pause,
    schedule_run,
    schedule_update,
)

__all__ = [
    "report_delete",
    "report_start",
    "reports_collect",
    "schedule_came_due",
    "schedule_create",
    "schedule_delete",
    "schedule_pause",
    "schedule_run",
    "schedule_update",
]
