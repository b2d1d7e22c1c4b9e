"""Forms of the reports pages."""

from __future__ import annotations

from typing import Any

from django import forms

from fleet.accounts.models import Workspace
from fleet.planning.models import Study
from fleet.reports.models import ReportSchedule


class ScheduleForm(forms.ModelForm):
    """A schedule of one workspace; only that workspace's studies are offered."""

    class Meta:
        model = ReportSchedule
        fields = ["name", "study", "follow", "crontab", "time_zone", "enabled"]
        labels = {"follow": "Run it on", "crontab": "When (crontab)", "enabled": "On"}
        help_texts = {
            "study": "Its scenarios run again on the night's workload.",
            "crontab": "minute hour day-of-month month day-of-week; 0 6 * * * is every day at 6:00.",
            "time_zone": "A name such as UTC, Europe/Berlin or America/New_York.",
        }

    def __init__(self, *args: Any, workspace: Workspace, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.workspace = workspace
        self.fields["study"].queryset = Study.objects.in_workspace(workspace)

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        same = ReportSchedule.objects.in_workspace(self.instance.workspace).filter(name=name)
        if same.exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError("Another schedule has this name.")
        return name
