"""Reports in the Django admin, to look at: a schedule's own page also tells the scheduler of a change."""

from django.contrib import admin

from fleet.planning.admin import ReadOnlyAdmin
from fleet.reports.models import Report, ReportSchedule


@admin.register(ReportSchedule)
class ReportScheduleAdmin(ReadOnlyAdmin):
    list_display = ("name", "workspace", "study", "crontab", "time_zone", "enabled")
    list_filter = ("workspace", "enabled")


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    list_display = ("title", "workspace", "due_at", "state")
    list_filter = ("workspace", "state")
