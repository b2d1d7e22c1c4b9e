import re
from datetime import UTC, datetime

import pytest

from fleet.reports.forms import ScheduleForm
from fleet.reports.models import Report, ReportSchedule
from fleet.reports.services import reports_collect, schedule_came_due

pytestmark = pytest.mark.django_db
NIGHT = datetime(2026, 12, 1, 1, 30, tzinfo=UTC)


@pytest.fixture
def report(schedule, work) -> Report:
    made = schedule_came_due(schedule, NIGHT)
    work()
    reports_collect(NIGHT)
    made.refresh_from_db()
    return made


def test_a_planner_makes_a_schedule_and_reads_when_it_comes_due(planner_client, workspace_url, study):
    form = {"name": "Mondays", "study": study.pk, "follow": "newest_trace", "crontab": "0 6 * * 1"}
    response = planner_client.post(
        workspace_url("reports:schedule_new"), form | {"time_zone": "UTC", "enabled": "on"}, follow=True
    )
    text = response.content.decode()
    assert "At 06:00, only on Monday" in text
    assert text.count("06:00") >= 3


def test_the_next_times_are_told_in_the_schedules_own_zone(viewer_client, workspace_url, schedule):
    text = viewer_client.get(workspace_url("reports:schedule_detail", pk=schedule.pk)).content.decode()
    assert len(re.findall(r"\d{4}-\d\d-\d\d 02:30", text)) == 3
    assert "Europe/Berlin" in text


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("crontab", "0 25 * * *", "cannot be read"),
        ("crontab", "0 6", "5 fields"),
        ("time_zone", "Mars/Olympus", "not a time zone"),
        ("study", "999999", "Select a valid choice"),
        ("name", "Nightly", "Another schedule has this name"),
    ],
)
def test_a_wrong_field_is_told_at_the_field_and_nothing_is_saved(
    planner_client, workspace_url, schedule, field, value, told
):
    form = {
        "name": "Other",
        "study": schedule.study_id,
        "follow": "as_it_is",
        "crontab": "0 6 * * *",
        "time_zone": "UTC",
    }
    response = planner_client.post(workspace_url("reports:schedule_new"), form | {field: value})
    assert response.status_code == 422
    assert told in response.content.decode()
    assert ReportSchedule.unscoped.count() == 1


def test_a_name_taken_since_the_form_looked_is_told_on_the_form(
    planner_client, workspace_url, schedule, monkeypatch
):
    monkeypatch.setattr(ScheduleForm, "clean_name", lambda form: form.cleaned_data["name"])
    monkeypatch.setattr(ReportSchedule, "validate_constraints", lambda *_args, **_kw: None)
    monkeypatch.setattr(ReportSchedule, "validate_unique", lambda *_args, **_kw: None)
    form = {"name": "Nightly", "study": schedule.study_id, "follow": "as_it_is", "crontab": "0 6 * * *"}
    response = planner_client.post(workspace_url("reports:schedule_new"), form | {"time_zone": "UTC"})
    assert response.status_code == 422
    assert "was made just now" in response.content.decode()


def test_another_workspaces_study_is_not_offered(planner_client, workspace_url, study, other_workspace):
    study.workspace = other_workspace
    study.save()
    text = planner_client.get(workspace_url("reports:schedule_new")).content.decode()
    assert study.name not in text


def test_a_viewer_reads_everything_and_sees_no_button_that_writes(
    viewer_client, workspace_url, schedule, report
):
    for name, kwargs in (
        ("reports:schedule_list", {}),
        ("reports:schedule_detail", {"pk": schedule.pk}),
        ("reports:report_detail", {"pk": report.pk}),
        ("reports:report_list", {}),
    ):
        response = viewer_client.get(workspace_url(name, **kwargs))
        text = response.content.decode()
        assert response.status_code == 200
        for word in ("Run now", "New schedule", ">Edit<", ">Delete<", ">Pause<"):
            assert word not in text


def test_the_stored_page_is_served_as_it_is_and_downloads(viewer_client, workspace_url, report):
    url = workspace_url("reports:report_page", pk=report.pk)
    response = viewer_client.get(url)
    assert response.content == report.page.open().read()
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert "attachment" in viewer_client.get(url + "?download=1")["Content-Disposition"]


def test_run_now_shows_the_report_in_the_making(planner_client, workspace_url, schedule):
    response = planner_client.post(workspace_url("reports:schedule_run", pk=schedule.pk), follow=True)
    assert "Its study is running" in response.content.decode()
    assert Report.unscoped.get().state == Report.State.RUNNING


def test_the_archive_is_filtered_by_the_url(viewer_client, workspace_url, report):
    url = workspace_url("reports:report_list")
    assert report.title in viewer_client.get(url + "?state=ready").content.decode()
    assert report.title not in viewer_client.get(url + "?state=failed").content.decode()
    assert report.title not in viewer_client.get(url + "?text=nosuch").content.decode()


def test_the_list_pages_stay_under_thirty_queries(
    viewer_client, workspace_url, schedule, report, django_assert_max_num_queries
):
    for name in ("reports:schedule_list", "reports:report_list"):
        with django_assert_max_num_queries(30):
            viewer_client.get(workspace_url(name))
