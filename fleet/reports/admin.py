"""Reports in the Django admin."""

from django.contrib import admin

from fleet.reports.models import Report, ReportSchedule


@admin.register(ReportSchedule)
class ReportScheduleAdmin(admin.ModelAdmin):
    list_display = ("name", "workspace", "study", "crontab", "time_zone", "enabled")
    list_filter = ("workspace", "enabled")


@admin.register(Report)
class ReportAdmin(admin.ModelAdmin):
    list_display = ("title", "workspace", "due_at", "state")
    list_filter = ("workspace", "state")
